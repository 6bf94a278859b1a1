package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/store/keys"

	"github.com/prometheus/client_golang/prometheus"

	"assay/server"
	mailer "assay/server/mail"
	"assay/webhooks"
)

// instrumented is a registry with all metrics of a process, on a closed database.
func instrumented(t *testing.T) *prometheus.Registry {
	t.Helper()
	keys, err := keys.New(testSecret)
	if err != nil {
		t.Fatal(err)
	}
	database, err := openStore(t.Context(), settings{
		databaseURL: "sqlite::memory:", keys: keys, log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	registry := newRegistry()
	registry.MustRegister(databaseMetrics{database}, reviewMetrics{database}, erasureMetrics{database})
	if _, err := server.NewMetrics(registry); err != nil {
		t.Fatal(err)
	}
	if _, err := newJobMetrics(registry); err != nil {
		t.Fatal(err)
	}
	if _, err := webhooks.New(webhooks.Options{Queue: database.Queue(), Now: time.Now, Registry: registry}); err != nil {
		t.Fatal(err)
	}
	if _, err := mailer.New(mailer.Options{Store: database, Registry: registry}); err != nil {
		t.Fatal(err)
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	return registry
}

func TestMetricsWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	response := httptest.NewRecorder()
	metricsHandler(instrumented(t)).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	body := response.Body.String()
	if response.Code != http.StatusOK || !strings.Contains(body, "\ngo_goroutines ") ||
		strings.Contains(body, "\nassay_webhook_backlog ") {
		t.Errorf("%d %s", response.Code, body)
	}
}

// An alert on a metric that does not exist never fires.
func TestDocumentedMetrics(t *testing.T) {
	t.Parallel()
	descriptions := make(chan *prometheus.Desc)
	registry := instrumented(t)
	go func() {
		registry.Describe(descriptions)
		close(descriptions)
	}()
	have := map[string]bool{}
	for description := range descriptions {
		name := regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(description.String())[1]
		for _, suffix := range []string{"", "_bucket", "_sum", "_count"} {
			have[name+suffix] = true
		}
	}
	for _, file := range []string{".deploy/README.md", ".deploy/alerts.yaml", ".deploy/alerts_test.yaml"} {
		documented := regexp.MustCompile(`\b(assay|process|go)_[a-z_]*[a-z]\b`).FindAllString(readFile(t, file), -1)
		if len(documented) == 0 {
			t.Errorf("%s names no metric", file)
		}
		for _, name := range documented {
			if !have[name] {
				t.Errorf("%s: there is no %s", file, name)
			}
		}
	}
}
