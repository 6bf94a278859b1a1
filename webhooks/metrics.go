package webhooks

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

type metrics struct {
	deliveries *prometheus.CounterVec
	attempts   prometheus.Histogram
	claims     prometheus.Counter
	lost       prometheus.Counter
}

// newMetrics registers the dispatcher's metrics; a nil registry gets none.
func newMetrics(registry prometheus.Registerer, source *store.Store, now func() time.Time) (*metrics, error) {
	m := &metrics{
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_webhook_deliveries_total", Help: "Attempts settled, by what became of the delivery.",
		}, []string{"outcome"}),
		attempts: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "assay_webhook_attempt_duration_seconds", Help: "Time that an attempt took.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}),
		claims: prometheus.NewCounter(prometheus.CounterOpts{Name: "assay_webhook_claims_total", Help: "Batches claimed."}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "assay_webhook_lease_losses_total", Help: "Attempts whose lease had gone to somebody else when they were settled.",
		}),
	}
	if registry == nil {
		return m, nil
	}
	for _, collector := range []prometheus.Collector{m.deliveries, m.attempts, m.claims, m.lost, &backlog{source: source, now: now}} {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// backlog measures the queue when it is asked, not all the time.
type backlog struct {
	source *store.Store
	now    func() time.Time
}

var (
	pendingMetric = prometheus.NewDesc("assay_webhook_backlog", "Deliveries that are pending.", nil, nil)
	oldestMetric  = prometheus.NewDesc("assay_webhook_oldest_due_seconds", "For how long the oldest due delivery has been due.", nil, nil)
)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- pendingMetric
	descriptions <- oldestMetric
}

// Collect implements prometheus.Collector.
func (b *backlog) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	measured, err := b.source.UnscopedBacklog(ctx)
	if err != nil {
		values <- prometheus.NewInvalidMetric(pendingMetric, err)
		return
	}
	age := 0.0
	if measured.OldestDue != nil {
		age = b.now().Sub(time.UnixMicro(*measured.OldestDue)).Seconds()
	}
	values <- prometheus.MustNewConstMetric(pendingMetric, prometheus.GaugeValue, float64(measured.Pending))
	values <- prometheus.MustNewConstMetric(oldestMetric, prometheus.GaugeValue, max(0, age))
}
