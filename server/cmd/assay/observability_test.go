package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store/storetest"
)

const (
	traceOfClient  = "0af7651916cd43dd8448eb211c80319c"
	parentOfClient = "b7ad6b7169203331"
)

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
		poll(t, "the metrics", func() bool { return get(t, "http://"+addr+"/metrics").status == 200 })
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
		if used := replicaMetric(t, database); used != map[string]string{"postgres": "0"}[database] {
			t.Errorf("a URL that is no standby is used: %q", used)
		}
		info := `^assay_build_info{goversion="go1\.[^"]+",version="[^"]+"}$`
		if !slices.ContainsFunc(slices.Collect(maps.Keys(values)), regexp.MustCompile(info).MatchString) {
			t.Errorf("no build info: %v", values)
		}
	})
}

// replicaMetric returns whether a service reads from the URL of a standby that is none, and "" on SQLite.
func replicaMetric(t *testing.T, database string) string {
	t.Helper()
	if database == "sqlite" {
		return ""
	}
	addr, databaseURL := freeAddr(t), storetest.URL(t, database)
	p := start(t, []string{
		"ASSAY_DATABASE_URL=" + databaseURL, "ASSAY_DATABASE_READ_URL=" + databaseURL, "ASSAY_SECRET=" + testSecret,
		"ASSAY_ADDR=127.0.0.1:0", "ASSAY_ADMIN_ADDR=" + addr,
	}, "serve")
	p.printed(`listens on (\S+)`)
	poll(t, "the metrics", func() bool { return get(t, "http://"+addr+"/metrics").status == 200 })
	return metricsOf(t, addr)["assay_replica_used"]
}
