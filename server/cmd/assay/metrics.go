package main

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"assay/store"
)

// newRegistry returns a registry with the metrics of the process.
func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "assay_build_info", Help: "Always 1. The labels are the release and the version of Go.",
			ConstLabels: prometheus.Labels{"version": versionText(), "goversion": runtime.Version()},
		}, func() float64 { return 1 }),
	)
	return registry
}

// databaseMetrics reads the figures of the database at each scrape. It uses no connection, so it also works without
// the database.
type databaseMetrics struct {
	database *store.Store
}

var (
	connectionsMetric = prometheus.NewDesc("assay_database_connections",
		"Open connections to the database, by pool; state is in_use or idle.", []string{"pool", "state"}, nil)
	maxConnectionsMetric = prometheus.NewDesc("assay_database_max_connections",
		"How many connections the pool can open.", []string{"pool"}, nil)
	waitsMetric = prometheus.NewDesc("assay_database_waits_total",
		"How often a connection of the pool had to be waited for.", []string{"pool"}, nil)
	waitSecondsMetric = prometheus.NewDesc("assay_database_wait_seconds_total",
		"Time spent waiting for a connection of the pool.", []string{"pool"}, nil)

	diskFreeMetric = prometheus.NewDesc("assay_disk_free_bytes",
		"Free space on the disk of the SQLite file.", nil, nil)
	diskSizeMetric = prometheus.NewDesc("assay_disk_size_bytes",
		"Size of the disk of the SQLite file.", nil, nil)

	replicaUsedMetric = prometheus.NewDesc("assay_replica_used",
		"1 if exports and statistics are read from the standby, 0 if they fall back to the primary.", nil, nil)
	replicaFallbacksMetric = prometheus.NewDesc("assay_replica_fallbacks_total",
		"Reads that failed on the standby and were repeated on the primary.", nil, nil)
)

// Describe implements prometheus.Collector.
func (databaseMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	for _, description := range []*prometheus.Desc{
		connectionsMetric, maxConnectionsMetric, waitsMetric, waitSecondsMetric,
		diskFreeMetric, diskSizeMetric, replicaUsedMetric, replicaFallbacksMetric,
	} {
		descriptions <- description
	}
}

// Collect implements prometheus.Collector.
func (m databaseMetrics) Collect(values chan<- prometheus.Metric) {
	gauge := func(description *prometheus.Desc, value float64, labels ...string) {
		values <- prometheus.MustNewConstMetric(description, prometheus.GaugeValue, value, labels...)
	}
	counter := func(description *prometheus.Desc, value float64, labels ...string) {
		values <- prometheus.MustNewConstMetric(description, prometheus.CounterValue, value, labels...)
	}

	stats := m.database.DatabaseStats()
	for _, pool := range stats.Pools {
		gauge(connectionsMetric, float64(pool.InUse), pool.Name, "in_use")
		gauge(connectionsMetric, float64(pool.Idle), pool.Name, "idle")
		gauge(maxConnectionsMetric, float64(pool.MaxOpenConnections), pool.Name)
		counter(waitsMetric, float64(pool.WaitCount), pool.Name)
		counter(waitSecondsMetric, pool.WaitDuration.Seconds(), pool.Name)
	}
	if disk := stats.Disk; disk != nil {
		gauge(diskFreeMetric, float64(disk.Free))
		gauge(diskSizeMetric, float64(disk.Size))
	}
	if replica := stats.Replica; replica != nil {
		used := 0.0
		if replica.Usable {
			used = 1
		}
		gauge(replicaUsedMetric, used)
		counter(replicaFallbacksMetric, float64(replica.Fallbacks))
	}
}
