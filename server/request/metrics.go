package request

import (
	"errors"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

// Metrics are the server's metrics, which the admin listener serves at /metrics.
type Metrics struct {
	requests *prometheus.HistogramVec
	ready    prometheus.Gauge
	failures *prometheus.CounterVec // failed statements by condition
}

// NewMetrics registers the server's metrics.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "assay_http_request_duration_seconds",
		Help:    "Time to answer a request, by route and status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"method", "route", "status"}), ready: prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "assay_ready", Help: "1 if the service can read and write its database, as /readyz reports.",
	}), failures: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "assay_database_failures_total", Help: "Failed statements, by the condition of the database.",
	}, []string{"condition"})}
	for _, condition := range store.Conditions() {
		m.countCondition(condition, 0)
	}
	return m, errors.Join(registry.Register(m.requests), registry.Register(m.ready), registry.Register(m.failures))
}

func (m *Metrics) setReady(ready bool) {
	if m == nil {
		return
	}
	m.ready.Set(map[bool]float64{true: 1}[ready])
}

func (m *Metrics) countCondition(condition store.Condition, failures int64) {
	if m == nil {
		return
	}
	m.failures.WithLabelValues(string(condition)).Add(float64(failures))
}

func (m *Metrics) observe(method, route string, status int, elapsed time.Duration) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(KnownMethod(method), route, strconv.Itoa(status)).Observe(elapsed.Seconds())
}
