package request

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

const (
	// readyTimeout bounds a probe of the database.
	readyTimeout = 2 * time.Second

	// answerTimeout bounds how long a caller waits for a probe. It exceeds readyTimeout by what PostgreSQL's connections
	// take to end a statement. SQLite can wait for another process until its own timeout, which no context ends.
	answerTimeout = readyTimeout + 1500*time.Millisecond

	// maxProbeAge is how long a good outcome counts while the next probe does not end.
	maxProbeAge = 15 * time.Second

	// probeInterval is how long the outcome of a probe is used. A failed statement ends an outcome that was good, at
	// the earliest after minProbeInterval.
	probeInterval    = 3 * time.Second
	minProbeInterval = 50 * time.Millisecond

	// watchInterval is how often the service asks itself, for its log and its metrics.
	watchInterval = 5 * time.Second

	// unreadyLogInterval is how often the log repeats why the service is not ready.
	unreadyLogInterval = time.Minute
)

// unreadySentences are public, so they name no file, address, or user. The log has the error.
var unreadySentences = map[store.Condition]string{
	store.Unreachable: "The database does not accept connections of this service.",
	store.Busy:        "The database does not answer in time, or another process has locked it.",
	store.Overloaded:  "The database has no more connections or memory.",
	store.DiskFull:    "The disk of the database is full. Free some space, and the service continues by itself.",
	store.ReadOnly:    "The database can be read, but not written.",
	store.DiskFails:   "The disk of the database reports errors.",
	store.Damaged: "The database is damaged. Stop the service, keep a copy of the database, and restore a backup " +
		"or repair it.",
	store.FileLost: "The database file was deleted, replaced, or emptied while the service runs. Keep the process " +
		"running until the file has been saved or a backup is at hand, then restore it and restart.",
	store.FilesUsedUp: "The process has as many open files and connections as its limit permits.",
	store.Unmigrated:  "The database lacks migrations of this version. Run assay migrate up, or restart the service.",
	store.Unsupported: "A newer version has changed the schema, which no longer supports this version. Run the " +
		"newer version.",
}

// readiness is the outcome of the last probe, which all callers share.
type readiness struct {
	mu      sync.Mutex
	probed  time.Time     // the zero value before the first probe
	err     error         // of the last probe
	met     int64         // statements that had failed before the last probe
	running chan struct{} // closed when the running probe ends; nil without one

	unreadySince, logged time.Time
	counted              map[store.Condition]int64 // in the metric
}

// readyErr returns why the service is not ready, or nil. It probes the database if the last probe is too old. Any
// number of callers wait for one probe.
func (p *Path) readyErr(ctx context.Context) error {
	r := &p.readiness
	r.mu.Lock()
	age, met := p.opts.Now().Sub(r.probed), p.met()
	fresh := age >= 0 && age < probeInterval && (r.err != nil || r.met == met || age < minProbeInterval)
	if r.running == nil && fresh {
		defer r.mu.Unlock()
		return r.err
	}
	if r.running == nil {
		r.running = make(chan struct{})
		go p.probe(context.WithoutCancel(ctx), met)
	}
	running := r.running
	r.mu.Unlock()
	select {
	case <-running:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(answerTimeout):
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil && p.opts.Now().Sub(r.probed) > maxProbeAge {
			return fmt.Errorf("the probe does not end: %w", context.DeadlineExceeded)
		}
		return r.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// met is how many statements have failed.
func (p *Path) met() (count int64) {
	for _, condition := range store.Conditions() {
		count += p.store.Met(condition)
	}
	return count
}

func (p *Path) probe(ctx context.Context, met int64) {
	bounded, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	err := p.store.Ready(bounded)
	now := p.opts.Now()

	r := &p.readiness
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		met = p.met() // without the probe's own statements
	}
	r.probed, r.err, r.met = now, err, met
	close(r.running)
	r.running = nil
	p.opts.Metrics.setReady(err == nil)
	switch {
	case err == nil && !r.unreadySince.IsZero():
		p.opts.Log.WarnContext(ctx, "ready again", "after", now.Sub(r.unreadySince))
		r.unreadySince, r.logged = time.Time{}, time.Time{}
	case err != nil && now.Sub(r.logged) >= unreadyLogInterval:
		if r.unreadySince.IsZero() {
			r.unreadySince = now
		}
		r.logged = now
		condition, sentence := unready(err)
		p.opts.Log.ErrorContext(ctx, "not ready", "condition", condition, "meaning", sentence, "error", err)
	}
}

// unready returns the word and the sentence for an error of a probe.
func unready(err error) (word, sentence string) {
	condition := store.ConditionOf(err)
	if sentence, known := unreadySentences[condition]; known {
		return string(condition), sentence
	}
	return "unknown", "A test of the database fails. The log has the error."
}

// WatchReadiness keeps the log and the metrics up to date until ctx ends.
func (p *Path) WatchReadiness(ctx context.Context) error {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		_ = p.readyErr(ctx) // the probe logs it
		p.countConditions()
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// countConditions brings the metric of failed statements up to date.
func (p *Path) countConditions() {
	r := &p.readiness
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counted == nil {
		r.counted = map[store.Condition]int64{}
	}
	for _, condition := range store.Conditions() {
		met := p.store.Met(condition)
		p.opts.Metrics.countCondition(condition, met-r.counted[condition])
		r.counted[condition] = met
	}
}

// ready responds with 200 if the service can read and write, and is not shutting down. Each network has a limit.
// /healthz has none: it costs less than counting.
func (p *Path) ready(c echo.Context) error {
	if err := takeAll(c.Response().Header(), counted{p.limits.probes, networkOf(c)}); err != nil {
		return err
	}
	if p.draining.Load() {
		return notReady("shutting-down", "The service is shutting down.")
	}
	err := p.readyErr(c.Request().Context())
	switch {
	case err == nil:
		return c.String(http.StatusOK, "ready\n")
	case errors.Is(err, context.Canceled): // of the client
		return err
	}
	return notReady(unready(err))
}

func notReady(word, sentence string) error {
	return &Fault{
		Status: http.StatusServiceUnavailable, Code: gen.ErrorCodeUnavailable, Detail: word + ": " + sentence,
	}
}

// unavailable reports whether the last probe has failed. An error that nothing explains is then a consequence.
func (r *readiness) unavailable() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil
}
