package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay/store/storetest"
)

// A job that fails, one that panics, and one that never returns stop no other, and not the end of the process.
func TestNoJobStopsAnother(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	metrics, err := newJobMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	var worked, failed, panicked atomic.Int64
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	log := &output{}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runJobs(ctx, []job{
			{"stuck", time.Millisecond, once(func(context.Context) error { <-stuck; return nil })},
			{"fails", time.Millisecond, once(func(context.Context) error { failed.Add(1); return errors.New("broken disk") })},
			{"panics", time.Millisecond, once(func(context.Context) error { panicked.Add(1); panic("no such page") })},
			{"works", time.Millisecond, once(func(context.Context) error { worked.Add(1); return nil })},
		}, metrics, slog.New(slog.NewTextHandler(log, nil)))
	}()
	poll(t, "runs of all jobs", func() bool { return worked.Load() > 3 && failed.Load() > 3 && panicked.Load() > 3 })

	scraped := scrape(registry)
	for _, pattern := range []string{
		`assay_job_runs_total{name="works",outcome="success"} [1-9]`,
		`assay_job_runs_total{name="works",outcome="failure"} 0`,
		`assay_job_runs_total{name="fails",outcome="success"} 0`,
		`assay_job_runs_total{name="fails",outcome="failure"} [1-9]`,
		`assay_job_runs_total{name="panics",outcome="failure"} [1-9]`,
		`assay_job_runs_total{name="stuck",outcome="success"} 0`, `assay_job_runs_total{name="stuck",outcome="failure"} 0`,
		`assay_job_last_success_timestamp_seconds{name="stuck"} \d`, `assay_job_duration_seconds_count{name="fails"} [1-9]`,
		`assay_job_interval_seconds{name="works"} 0.001`,
	} {
		if !regexp.MustCompile(`(?m)^` + pattern).MatchString(scraped) {
			t.Errorf("the metrics have no %s:\n%s", pattern, scraped)
		}
	}
	for _, text := range []string{"job=fails", "broken disk", "job=panics", "no such page", "jobs_test.go"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("the log has no %q", text)
		}
	}

	cancel()
	select {
	case <-ended:
	case <-time.After(jobsGrace + promptly):
		t.Fatal("a job that never returns stops the shutdown")
	}
	if !strings.Contains(log.String(), "a job has not ended in time") {
		t.Error("the log does not say that a job still runs")
	}
}

func scrape(registry *prometheus.Registry) string {
	response := httptest.NewRecorder()
	metricsHandler(registry).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return response.Body.String()
}

// A job with more work continues at once, and one that fails or has none waits for its interval.
func TestJobWithMoreWork(t *testing.T) {
	t.Parallel()
	metrics, err := newJobMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	runs, longest := 0, 50*time.Millisecond
	began := time.Now()
	job{"busy", longest, func(context.Context) (bool, error) {
		if runs++; runs == 100 {
			cancel()
		}
		return true, nil
	}}.repeat(ctx, metrics, slog.New(slog.DiscardHandler))
	if took := time.Since(began); runs != 100 || took > 50*longest {
		t.Errorf("%d runs took %s, although each leaves more work", runs, took)
	}
}

// All jobs of two replicas run at the same time, again and again, without an error.
func TestJobsOfReplicas(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		databaseURL, log := storetest.URL(t, database), &bytes.Buffer{}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		registry := prometheus.NewRegistry()
		metrics, err := newJobMetrics(registry)
		if err != nil {
			t.Fatal(err)
		}
		var table []job
		for range 2 {
			for _, each := range jobs(storetest.OpenURL(t, databaseURL, time.Now), time.Hour) {
				each.interval = time.Millisecond
				table = append(table, each)
			}
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runJobs(ctx, table, metrics, slog.New(slog.NewTextHandler(log, nil)))
		}()
		poll(t, "ten runs of each job", func() bool {
			scraped := scrape(registry)
			for _, each := range table {
				runs := regexp.MustCompile(`(?m)^assay_job_runs_total{name="` + each.name + `",outcome="success"} \d\d`)
				if !runs.MatchString(scraped) {
					return false
				}
			}
			return true
		})
		cancel()
		<-ended
		if log.Len() > 0 {
			t.Errorf("a job fails beside its like:\n%s", log)
		}
	})
}

// Data is purged by each service, also if another process delivers.
func TestPurgeWithoutDispatcher(t *testing.T) {
	t.Parallel()
	admin := freeAddr(t)
	p := start(t, nil, "serve", "--no-dispatcher", "--addr", "127.0.0.1:0", "--admin-addr", admin)
	p.printed(`listens on (\S+)`)
	for _, each := range jobs(nil, time.Hour) {
		poll(t, "job "+each.name, func() bool {
			return strings.Contains(get(t, "http://"+admin+"/metrics").body,
				`assay_job_last_success_timestamp_seconds{name="`+each.name+`"}`)
		})
	}
}
