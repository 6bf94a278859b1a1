package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

// erasureMetrics measures at each scrape how long erasures wait for the journal.
type erasureMetrics struct{ database *store.Store }

var oldestErasureMetric = prometheus.NewDesc("assay_erasure_oldest_pending_seconds",
	"Time since the oldest erasure that is not yet in the journal of erasures.", nil, nil)

// Describe implements prometheus.Collector.
func (erasureMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- oldestErasureMetric
}

// Collect implements prometheus.Collector.
func (m erasureMetrics) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), reviewTimeout)
	defer cancel()
	oldest, err := m.database.UnscopedOldestErasure(ctx)
	if err != nil {
		values <- prometheus.NewInvalidMetric(oldestErasureMetric, err)
		return
	}
	age := 0.0
	if oldest != nil {
		age = max(0, m.database.Now().Sub(*oldest).Seconds())
	}
	values <- prometheus.MustNewConstMetric(oldestErasureMetric, prometheus.GaugeValue, age)
}
