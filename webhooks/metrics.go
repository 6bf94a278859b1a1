package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store/queue"
)

type metrics struct {
	deliveries *prometheus.CounterVec
	attempts   prometheus.Histogram
	claims     prometheus.Counter
	lost       prometheus.Counter
}

// newMetrics registers the dispatcher's metrics, unless registry is nil.
func newMetrics(registry prometheus.Registerer, source *queue.Queue, now func() time.Time) (*metrics, error) {
	m := &metrics{
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "assay_webhook_deliveries_total", Help: "Attempts settled, by the resulting status of the delivery.",
		}, []string{"outcome"}),
		attempts: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "assay_webhook_attempt_duration_seconds", Help: "Duration of an attempt.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}),
		claims: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "assay_webhook_claims_total", Help: "Claims of due deliveries, including empty ones.",
		}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "assay_webhook_lease_losses_total",
			Help: "Attempts whose outcome was not written, because their lease had ended.",
		}),
	}
	if registry == nil {
		return m, nil
	}
	queue := &backlog{source: source, now: now}
	for _, collector := range []prometheus.Collector{m.deliveries, m.attempts, m.claims, m.lost, queue} {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// backlog measures the queue at each scrape, because counting it takes a query.
type backlog struct {
	source *queue.Queue
	now    func() time.Time
}

var (
	pendingMetric = prometheus.NewDesc("assay_webhook_backlog",
		fmt.Sprintf("Deliveries that are pending, counted up to %d.", queue.MaxBacklog), nil, nil)
	oldestMetric = prometheus.NewDesc(
		"assay_webhook_oldest_due_seconds", "Time since the oldest due delivery became due.", nil, nil)
)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- pendingMetric
	descriptions <- oldestMetric
}

// backlogTimeout is less than a scrape's usual ten seconds, so that a slow
// database costs these two metrics and not the whole scrape.
const backlogTimeout = time.Second

// Collect implements prometheus.Collector.
func (b *backlog) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), backlogTimeout)
	defer cancel()
	measured, err := b.source.Backlog(ctx)
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
