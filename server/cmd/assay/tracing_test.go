package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"assay/store/storetest"
)

// traceCollector is an OTLP receiver that keeps the spans.
type traceCollector struct {
	*httptest.Server
	t     *testing.T
	mu    sync.Mutex
	spans []*otlp.Span
	texts []string // every text that was received, for a search
}

func newCollector(t *testing.T) *traceCollector {
	c := &traceCollector{t: t}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

// ServeHTTP implements http.Handler.
func (c *traceCollector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			c.t.Error(err)
			return
		}
		body = unzipped
	}
	content, err := io.ReadAll(body)
	var received collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(content, &received)
	}
	if err != nil || r.URL.Path != "/v1/traces" {
		c.t.Errorf("%s: %v", r.URL.Path, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	note := func(attributes []*common.KeyValue) {
		for _, attribute := range attributes {
			c.texts = append(c.texts, attribute.GetKey()+"="+attribute.GetValue().String())
		}
	}
	for _, resource := range received.GetResourceSpans() {
		note(resource.GetResource().GetAttributes())
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans = append(c.spans, span)
				c.texts = append(c.texts, span.GetName(), span.GetStatus().GetMessage(), span.GetTraceState())
				note(span.GetAttributes())
				for _, event := range span.GetEvents() {
					c.texts = append(c.texts, event.GetName())
					note(event.GetAttributes())
				}
			}
		}
	}
}

// named returns the spans of the client's trace with the name.
func (c *traceCollector) named(name string) (found []*otlp.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, span := range c.spans {
		if hex.EncodeToString(span.GetTraceId()) == traceOfClient && span.GetName() == name {
			found = append(found, span)
		}
	}
	return found
}

// With the variables of OpenTelemetry, a request, its transaction, and its webhook are one trace.
func TestExportedTraces(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		collected := newCollector(t)
		o := observe(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT="+collected.URL, "OTEL_BSP_SCHEDULE_DELAY=50",
			"OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=test")
		sent := o.sent()
		o.expect(400, "GET", "/v1/public/candidate-sessions/ada@example.com?after=secret", "", "X-API-Key", o.apiKey)
		poll(t, "the spans", func() bool { return len(collected.named("webhook attempt")) > 0 })

		request := collected.named("POST /v1/candidate-sessions")
		if len(request) != 1 || hex.EncodeToString(request[0].GetParentSpanId()) != parentOfClient ||
			request[0].GetKind() != otlp.Span_SPAN_KIND_SERVER {
			t.Fatalf("%d spans of the request: %v", len(request), request)
		}
		attempt := collected.named("webhook attempt")[0]
		if !bytes.Equal(attempt.GetParentSpanId(), request[0].GetSpanId()) ||
			sent != "00-"+traceOfClient+"-"+hex.EncodeToString(attempt.GetSpanId())+"-01" {
			t.Errorf("the webhook has %q and the span %v", sent, attempt)
		}

		o.process.signal()
		if status := o.process.wait(); status.ExitStatus() != 0 {
			t.Errorf("it ended with %d", status.ExitStatus())
		}
		collected.mu.Lock()
		defer collected.mu.Unlock()
		transactions := 0
		for _, span := range collected.spans {
			if strings.HasPrefix(span.GetName(), "transaction ") {
				transactions++
				if span.GetName() == "transaction unknown" || len(span.GetParentSpanId()) == 0 {
					t.Errorf("%v", span)
				}
			}
		}
		text := strings.Join(collected.texts, "\n")
		if transactions == 0 || !strings.Contains(text, "deployment.environment.name=") ||
			!strings.Contains(text, "service.version=") || !strings.Contains(text, "assay.operation=") {
			t.Errorf("%d transactions; %s", transactions, text)
		}
		for _, secret := range []string{"@", o.access, o.invite, o.apiKey, o.password, "after", "127.0.0.1", "Bo\""} {
			if strings.Contains(text, secret) {
				t.Errorf("the spans have %q: %s", secret, text)
			}
		}
	})
}

// Traces are off by default, and a value that Assay does not support is an error.
func TestVariablesOfTraces(t *testing.T) {
	t.Parallel()
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318"
	for variables, want := range map[string]string{
		"":       "false",
		endpoint: "true",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces": "true",
		"OTEL_TRACES_EXPORTER=otlp":                                 "true",
		"OTEL_TRACES_EXPORTER=none " + endpoint:                     "false",
		"OTEL_SDK_DISABLED=true " + endpoint:                        "false",
		"OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf " + endpoint:     "true",
		"OTEL_EXPORTER_OTLP_PROTOCOL=grpc " + endpoint:              "OTEL_EXPORTER_OTLP_PROTOCOL",
		"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json " + endpoint:  "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
		"OTEL_TRACES_EXPORTER=zipkin":                               "OTEL_TRACES_EXPORTER",
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://127.0.0.1:4318": "false",
	} {
		set := map[string]string{}
		for _, each := range strings.Fields(variables) {
			name, value, _ := strings.Cut(each, "=")
			set[name] = value
		}
		wanted, err := wantsTraces(func(name string) string { return set[name] })
		got := fmt.Sprint(wanted)
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), ":")
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%v)", variables, got, want, err)
		}
	}
}
