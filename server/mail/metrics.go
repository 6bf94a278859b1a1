package mail

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

type metrics struct {
	sent           *prometheus.CounterVec
	failed         *prometheus.CounterVec
	attemptsFailed *prometheus.CounterVec
}

// newMetrics registers the worker's metrics, unless registry is nil.
func newMetrics(registry prometheus.Registerer, source *store.Store) (*metrics, error) {
	m := &metrics{
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_emails_sent_total", Help: "Emails that the mail server has accepted.",
		}, []string{"kind"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_emails_failed_total", Help: "Emails that are not tried again, by the reason of the last attempt.",
		}, []string{"kind", "reason"}),
		attemptsFailed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_email_attempts_failed_total",
			Help: "Failed attempts to send an email, by the stage of the connection, timeout, or internal.",
		}, []string{"reason"}),
	}
	if registry == nil {
		return m, nil
	}
	for _, collector := range []prometheus.Collector{m.sent, m.failed, m.attemptsFailed, &queue{source}} {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// settled counts an outcome that was written.
func (m *metrics) settled(outcome store.EmailOutcome, reason string) {
	switch outcome.Status {
	case store.EmailSent:
		m.sent.WithLabelValues(string(outcome.Email.Kind)).Inc()
	case store.EmailFailed:
		m.failed.WithLabelValues(string(outcome.Email.Kind), reason).Inc()
	case store.EmailNone, store.EmailQueued, store.EmailCancelled:
	}
}

// queue measures the queue at each scrape, because counting it takes a query.
type queue struct{ source *store.Store }

var (
	queuedMetric = prometheus.NewDesc(
		"assay_emails_queued", "Emails that are due or are tried again later.", nil, nil)
	oldestMetric = prometheus.NewDesc(
		"assay_email_oldest_due_seconds", "Time since the oldest due email became due.", nil, nil)
)

// Describe implements prometheus.Collector.
func (q *queue) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- queuedMetric
	descriptions <- oldestMetric
}

// queueTimeout is less than a scrape's usual ten seconds, so that a slow database costs
// these two metrics and not the whole scrape.
const queueTimeout = time.Second

// Collect implements prometheus.Collector.
func (q *queue) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	measured, err := q.source.UnscopedEmailQueue(ctx)
	if err != nil {
		values <- prometheus.NewInvalidMetric(queuedMetric, err)
		return
	}
	age := 0.0
	if measured.OldestDue != nil {
		age = q.source.Now().Sub(*measured.OldestDue).Seconds()
	}
	values <- prometheus.MustNewConstMetric(queuedMetric, prometheus.GaugeValue, float64(measured.Queued))
	values <- prometheus.MustNewConstMetric(oldestMetric, prometheus.GaugeValue, max(0, age))
}
