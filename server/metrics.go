package server

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the server's metrics, which the admin listener serves at /metrics.
type Metrics struct {
	requests *prometheus.HistogramVec
}

// NewMetrics registers the server's metrics.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "assay_http_request_duration_seconds",
		Help:    "Time to answer a request, by route and status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"method", "route", "status"})}
	return m, registry.Register(m.requests)
}

func (m *Metrics) observe(method, route string, status int, elapsed time.Duration) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(knownMethod(method), route, strconv.Itoa(status)).Observe(elapsed.Seconds())
}
