package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"assay/store/storetest"
)

const (
	traceOfClient  = "0af7651916cd43dd8448eb211c80319c"
	parentOfClient = "b7ad6b7169203331"
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

// observed is a service whose requests have done some work.
type observed struct {
	*load
	process   *process
	traces    chan string // the header traceparent of each webhook
	access    string
	sessionID string
	invite    string // the candidate's token
}

// observe starts a service, and invites a candidate in a request with the header traceparent.
func observe(t *testing.T, database string, variables ...string) *observed {
	t.Helper()
	o := &observed{traces: make(chan string, 100)}
	hooks := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		o.traces <- r.Header.Get("traceparent")
	}))
	t.Cleanup(hooks.Close)
	o.process = start(t, append([]string{
		"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_REGISTRATION=open",
		"ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=off", "ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_LOG_FORMAT=json",
	}, variables...), "serve")
	base := o.process.printed(`listens on (\S+)`)
	o.load = &load{t: t, balancer: &balancer{}}
	o.balancer.back(0, base)
	o.balancer.back(1, base)
	o.prepare()
	o.access, _ = o.login()
	o.expect(201, "POST", "/v1/webhooks", fmt.Sprintf(`{"url":%q,"events":["candidate.invited"]}`, hooks.URL),
		bearer(o.access)...)
	o.sessionID, o.invite = o.inviteIn("00-" + traceOfClient + "-" + parentOfClient + "-01")
	if t.Failed() {
		t.FailNow()
	}
	return o
}

// sent returns the header traceparent of the next webhook.
func (o *observed) sent() string {
	o.t.Helper()
	select {
	case traceparent := <-o.traces:
		return traceparent
	case <-time.After(patience):
		o.t.Fatal("no webhook arrived")
		return ""
	}
}

// inviteIn invites a candidate in a request with the header traceparent.
func (o *observed) inviteIn(traceparent string) (sessionID, token string) {
	o.t.Helper()
	body := o.expect(201, "POST", "/v1/candidate-sessions", fmt.Sprintf(
		`{"assessmentId":%q,"candidateName":"Bo","candidateEmail":"bo%d@candidate.example"}`, o.assessmentID,
		o.candidate.Add(1)), append(bearer(o.access), "traceparent", traceparent)...)
	_, token, _ = strings.Cut(field(body, "inviteUrl"), "#")
	return regexp.MustCompile(`ses_\w+`).FindString(body), token
}

// line returns the last request line of a route with a status.
func (o *observed) line(method, route string, status int) (found map[string]any) {
	o.t.Helper()
	poll(o.t, route, func() bool {
		for text := range strings.Lines(o.process.stderr.String()) {
			var line map[string]any
			if err := json.Unmarshal([]byte(text), &line); err == nil && line["msg"] == "request" &&
				line["method"] == method && line["route"] == route && line["status"] == float64(status) {
				found = line
			}
		}
		return found != nil
	})
	return found
}

func TestRequestLines(t *testing.T) {
	t.Parallel()
	o := observe(t, "sqlite")
	key := []string{"X-API-Key", o.apiKey}
	o.expect(200, "GET", "/v1/candidate/session", "", bearer(o.invite)...)
	o.expect(200, "GET", "/v1/public/candidate-sessions/"+o.sessionID, "", key...)
	o.expect(404, "GET", "/v1/public/candidate-sessions/ada@example.com", "", key...)
	o.expect(401, "GET", "/v1/me", "", bearer("wrong")...)

	id := regexp.MustCompile(`^(usr|key|ses)_[0-9a-z]{26}$`)
	for _, want := range []struct {
		method, route   string
		status          int
		actor, resource any
		trace           any
	}{
		{"POST", "/v1/candidate-sessions", 201, "user", o.sessionID, traceOfClient},
		{"GET", "/v1/candidate/session", 200, "session", nil, nil},
		{"GET", "/v1/public/candidate-sessions/:id", 200, "key", o.sessionID, nil},
		{"GET", "/v1/public/candidate-sessions/:id", 404, "key", nil, nil}, // the id is no id
		{"POST", "/v1/assessments/:id/publish", 200, "user", o.assessmentID, nil},
		{"GET", "/v1/me", 401, nil, nil, nil},
	} {
		line := o.line(want.method, want.route, want.status)
		if line["actor"] != want.actor || line["resourceId"] != want.resource || line["traceId"] != want.trace {
			t.Errorf("%v", line)
		}
		if actorID, has := line["actorId"].(string); has != (want.actor != nil) || has && !id.MatchString(actorID) {
			t.Errorf("%v", line)
		}
		if elapsed, isNumber := line["durationMs"].(float64); !isNumber || elapsed <= 0 || elapsed > 60_000 {
			t.Errorf("durationMs of %v", line)
		}
		if line["duration"] != nil {
			t.Errorf("a duration without a unit: %v", line)
		}
	}
	if log := o.process.stderr.String(); strings.Contains(log, "@") {
		t.Errorf("the log has an email address:\n%s", log)
	}
}

// A malformed header counts as none, and an event of a request without a trace is sent without one.
func TestTracesOfWebhooks(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		o := observe(t, database)
		sent := o.sent()
		if !regexp.MustCompile(`^00-`+traceOfClient+`-[0-9a-f]{16}-01$`).MatchString(sent) ||
			strings.Contains(sent, parentOfClient) || strings.Contains(sent, strings.Repeat("0", 16)) {
			t.Errorf("the webhook has %q", sent)
		}
		for _, malformed := range []string{"", "00-" + traceOfClient, "ff-" + traceOfClient + "-" + parentOfClient + "-01",
			"00-" + strings.ToUpper(traceOfClient) + "-" + parentOfClient + "-01"} {
			o.inviteIn(malformed)
			if sent := o.sent(); sent != "" {
				t.Errorf("after %q, the webhook has %q", malformed, sent)
			}
		}
	})
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

// A database administrator sees which process a connection belongs to, unless the URL says something else.
func TestApplicationName(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.URL(t, "postgres")
	admin, err := sqlx.Open("postgres", databaseURL+"&application_name=test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close() })
	for _, each := range []struct {
		command []string
		url     string
		want    string
	}{
		{[]string{"serve"}, databaseURL, "assay-serve"},
		{[]string{"dispatch"}, databaseURL, "assay-dispatch"},
		{[]string{"serve"}, databaseURL + "&application_name=blue", "blue"},
	} {
		p := start(t, []string{
			"ASSAY_DATABASE_URL=" + each.url, "ASSAY_SECRET=" + testSecret, "ASSAY_ADMIN_ADDR=off", "ASSAY_ADDR=127.0.0.1:0",
		}, each.command...)
		p.printed(`^Assay \S+ (listens|delivers)`)
		var names []string
		if err := admin.Select(&names, `SELECT DISTINCT application_name FROM pg_stat_activity
			WHERE datname = current_database() AND application_name <> 'test'`); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(names, []string{each.want}) {
			t.Errorf("%v connects as %q, want %s", each.command, names, each.want)
		}
		p.signal()
		p.wait()
	}
}

// metricsOf returns the values of a scrape by series.
func metricsOf(t *testing.T, addr string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for line := range strings.Lines(get(t, "http://"+addr+"/metrics").body) {
		if series, value, found := strings.Cut(strings.TrimSpace(line), "} "); found && line[0] != '#' {
			values[series+"}"] = value
		} else if series, value, found := strings.Cut(strings.TrimSpace(line), " "); found && line[0] != '#' {
			values[series] = value
		}
	}
	return values
}

func TestDatabaseMetrics(t *testing.T) {
	t.Parallel()
	pools := map[string][]string{"sqlite": {"read", "write"}, "postgres": {"dispatcher", "requests"}}
	storetest.Each(t, func(t *testing.T, database string) {
		addr := freeAddr(t)
		observe(t, database, "ASSAY_ADMIN_ADDR="+addr)
		values := metricsOf(t, addr)
		found := map[string]bool{}
		for series := range values {
			if pool, is := strings.CutPrefix(series, `assay_database_max_connections{pool="`); is {
				found[strings.TrimSuffix(pool, `"}`)] = true
			}
		}
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, pools[database]) {
			t.Errorf("pools %q, want %q", got, pools[database])
		}
		for _, pool := range pools[database] {
			if values[`assay_database_connections{pool="`+pool+`",state="idle"}`]+
				values[`assay_database_connections{pool="`+pool+`",state="in_use"}`] == "00" ||
				values[`assay_database_waits_total{pool="`+pool+`"}`] == "" ||
				values[`assay_database_wait_seconds_total{pool="`+pool+`"}`] == "" {
				t.Errorf("pool %s: %v", pool, values)
			}
		}
		if _, has := values["assay_disk_free_bytes"]; has != (database == "sqlite") ||
			has && (values["assay_disk_free_bytes"] == "0" || values["assay_disk_size_bytes"] == "0") {
			t.Errorf("disk: %q of %q", values["assay_disk_free_bytes"], values["assay_disk_size_bytes"])
		}
		if _, has := values["assay_replica_used"]; has {
			t.Error("it has metrics of a standby")
		}
		info := `^assay_build_info{goversion="go1\.[^"]+",version="[^"]+"}$`
		if !slices.ContainsFunc(slices.Collect(maps.Keys(values)), regexp.MustCompile(info).MatchString) {
			t.Errorf("no build info: %v", values)
		}
	})
}
