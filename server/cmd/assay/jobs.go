package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

// job is work that the service does without a request. Several replicas do it at the same time.
type job struct {
	name     string
	interval time.Duration // between two runs
	// run does one part of the work. more reports that a further part waits: it is run after a pause as long as this
	// part took, so that requests get the database, too.
	run func(context.Context) (more bool, err error)
}

// purging is the interval of jobs that remove what is kept for a time only. Purging often keeps each purge small.
const purging = 10 * time.Minute

// jobs is the table of all jobs of assay serve. Deliveries, email, and callbacks are not among them: each has a worker.
func jobs(database *store.Store, eventRetention time.Duration) []job {
	return []job{
		// The service is ready, so its own outages do not count against candidates.
		{"heartbeat", 5 * time.Second, once(database.UnscopedHeartbeat)},
		// Deadlines of sessions that no request touches.
		{"deadlines", time.Second, func(ctx context.Context) (bool, error) {
			_, err := database.UnscopedSweep(ctx)
			return false, err
		}},
		// Corrections of assessments, in finished sessions.
		{"corrections", time.Second, func(ctx context.Context) (bool, error) {
			_, more, err := database.UnscopedApplyCorrections(ctx)
			return more, err
		}},
		// The statistics of assessments. The contract promises a delay of at most 10 s.
		{"statistics", 2 * time.Second, func(ctx context.Context) (bool, error) {
			folded, err := database.UnscopedFoldStatistics(ctx)
			if err != nil || folded == store.FoldBatch { // segments wait until the queue is empty
				return err == nil, err
			}
			more, err := database.UnscopedBackfillSegments(ctx)
			return folded > 0 || more, err
		}},
		// The figures about groups of candidates, which change seldom: a publication reads all answers of an assessment.
		{"groups", 30 * time.Second, once(database.UnscopedPublishGroups)},
		// The words by which sessions are found: of new sessions, and after a migration of all.
		{"words", 5 * time.Second, database.UnscopedIndexWords},
		// The deliveries of replays that are too large for their request.
		{"replays", time.Second, once(func(ctx context.Context) error {
			return database.Queue().QueueReplays(ctx)
		})},
		// Email to members about finished candidates.
		{"finished_emails", time.Second, once(database.UnscopedQueueFinishedEmails)},
		// Grades of the queue that can no longer be undone.
		{"grades", 5 * time.Second, once(database.UnscopedSettleGrades)},
		// Email to members while grades or decisions are overdue, once a day.
		{"digests", purging, once(database.UnscopedQueueDigests)},
		// Queued deliveries of disabled endpoints. They are not sent, so only lists show them as pending meanwhile.
		{"cancelled_deliveries", 30 * time.Second, once(database.UnscopedCancelDisabled)},
		// Partitions exist for a week ahead.
		{"partitions", purging, once(database.UnscopedCreatePartitions)},
		{"expired_rows", purging, once(database.UnscopedPurgeExpired)},
		{"test_sessions", purging, once(database.UnscopedPurgePreviews)},
		{"erased_copies", purging, once(database.UnscopedRemoveErasedCopies)},
		{"events", purging, once(func(ctx context.Context) error {
			return database.UnscopedPurgeEvents(ctx, eventRetention)
		})},
		// Organizations whose scheduled deletion is due.
		{"closed_organizations", purging, database.UnscopedCloseOrganizations},
		// Data of candidates whose retention has ended.
		{"retention", purging, database.UnscopedEraseRetained},
		{"erased_organizations", purging, database.UnscopedEraseOrganizations},
		// The erasures that a crash, or a full disk, has kept from the journal.
		{"erasure_journal", time.Minute, database.UnscopedWriteErasures},
		{"audit_log", purging, once(database.UnscopedPurgeAuditLog)},
	}
}

// once is the run of a job that leaves no further part.
func once(run func(context.Context) error) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return false, run(ctx) }
}

const (
	// firstRun is how long a job waits at most until its first run. A service that is restarted often must purge, too.
	firstRun = time.Minute

	// jobsGrace is how long the end of the process waits for jobs. Each database statement ends earlier.
	jobsGrace = 10 * time.Second
)

// runJobs runs each job in a goroutine of its own until ctx ends, so that a job that fails, panics, or takes long
// stops no other.
func runJobs(ctx context.Context, jobs []job, metrics jobMetrics, log *slog.Logger) {
	var running sync.WaitGroup
	for _, job := range jobs {
		running.Go(func() { job.repeat(ctx, metrics, log) })
	}
	<-ctx.Done()
	ended := make(chan struct{})
	go func() {
		running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(jobsGrace):
		log.WarnContext(ctx, "a job has not ended in time for the shutdown")
	}
}

// repeat runs the job until ctx ends.
func (j job) repeat(ctx context.Context, metrics jobMetrics, log *slog.Logger) {
	metrics.start(j)
	for pause := min(j.interval, firstRun); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		began := time.Now()
		more, err := j.attempt(ctx)
		if err != nil && ctx.Err() != nil {
			return // the shutdown interrupted it
		}
		took := time.Since(began)
		metrics.ran(j, took, err)
		if err != nil {
			log.ErrorContext(ctx, "job failed, retrying", "job", j.name, "error", err)
		}
		pause = j.interval
		if more && err == nil {
			pause = min(took, j.interval)
		}
	}
}

// attempt runs the job once. It turns a panic into an error.
func (j job) attempt(ctx context.Context) (more bool, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			more, err = false, fmt.Errorf("panic: %v\n%s", recovered, debug.Stack())
		}
	}()
	return j.run(ctx)
}

// jobMetrics are the metrics of all jobs. Their label is not "job", which Prometheus uses for the scraped process.
type jobMetrics struct {
	runs     *prometheus.CounterVec
	duration *prometheus.HistogramVec
	success  *prometheus.GaugeVec
	interval *prometheus.GaugeVec
}

func newJobMetrics(registry prometheus.Registerer) (jobMetrics, error) {
	labels := []string{"name"}
	m := jobMetrics{
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_job_runs_total", Help: "Runs of background jobs, by outcome: success or failure.",
		}, []string{"name", "outcome"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "assay_job_duration_seconds", Help: "Duration of the runs of background jobs.",
			Buckets: []float64{.01, .1, 1, 10, 100, 1000},
		}, labels),
		success: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "assay_job_last_success_timestamp_seconds",
			Help: "When a background job last succeeded; before its first success, when the process started it.",
		}, labels),
		interval: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "assay_job_interval_seconds", Help: "Pause between two runs of a background job.",
		}, labels),
	}
	for _, collector := range []prometheus.Collector{m.runs, m.duration, m.success, m.interval} {
		if err := registry.Register(collector); err != nil {
			return m, err
		}
	}
	return m, nil
}

// start makes all series of a job exist, so that an alert sees the first failure.
func (m jobMetrics) start(j job) {
	m.runs.WithLabelValues(j.name, "success")
	m.runs.WithLabelValues(j.name, "failure")
	m.duration.WithLabelValues(j.name)
	m.success.WithLabelValues(j.name).SetToCurrentTime()
	m.interval.WithLabelValues(j.name).Set(j.interval.Seconds())
}

func (m jobMetrics) ran(j job, took time.Duration, err error) {
	m.duration.WithLabelValues(j.name).Observe(took.Seconds())
	if err != nil {
		m.runs.WithLabelValues(j.name, "failure").Inc()
		return
	}
	m.runs.WithLabelValues(j.name, "success").Inc()
	m.success.WithLabelValues(j.name).SetToCurrentTime()
}
