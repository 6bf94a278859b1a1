package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store"
)

// reviewMetrics measures at each scrape how long candidates wait for people.
type reviewMetrics struct{ database *store.Store }

var oldestReviewMetric = prometheus.NewDesc("assay_review_oldest_seconds",
	"Time since the oldest session began to wait for a person's grade or decision.", nil, nil)

// Describe implements prometheus.Collector.
func (reviewMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- oldestReviewMetric
}

// reviewTimeout is less than a scrape's usual ten seconds, so that a slow database costs this metric only.
const reviewTimeout = time.Second

// Collect implements prometheus.Collector.
func (m reviewMetrics) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), reviewTimeout)
	defer cancel()
	oldest, err := m.database.UnscopedOldestReview(ctx)
	if err != nil {
		values <- prometheus.NewInvalidMetric(oldestReviewMetric, err)
		return
	}
	age := 0.0
	if oldest != nil {
		age = max(0, m.database.Now().Sub(*oldest).Seconds())
	}
	values <- prometheus.MustNewConstMetric(oldestReviewMetric, prometheus.GaugeValue, age)
}
