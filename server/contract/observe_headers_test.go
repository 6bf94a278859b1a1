package contract

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store/keys"

	"github.com/labstack/echo/v4"

	"assay/store"
	"assay/store/storetest"
)

// The Content-Security-Policy of API responses, of pages that are text and style only, and of the other pages.
const (
	apiPolicy  = "default-src 'none'; frame-ancestors 'none'"
	pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'"
	docsPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; " +
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	unsubscribePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; " +
		"frame-ancestors 'none'"
	demoMailPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'"
	emailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

var requestIDForm = regexp.MustCompile(`^req_[0-9a-hjkmnp-tv-z]{26}$`)

// wrongHeaders returns the security headers that are missing or wrong. The required
// headers come from the OWASP REST Security Cheat Sheet. Headers that reveal
// implementation details are forbidden.
func wrongHeaders(header http.Header, https bool) []string {
	var wrong []string
	for name, want := range map[string][]string{
		"X-Content-Type-Options":    {"nosniff"},
		"Cache-Control":             {"no-store"},
		"X-Frame-Options":           {"DENY"},
		"Referrer-Policy":           {"no-referrer"},
		"Content-Security-Policy":   {apiPolicy},
		"Strict-Transport-Security": map[bool][]string{true: {"max-age=31536000"}}[https],
		"Server":                    nil,
		"X-Powered-By":              nil,
		"Set-Cookie":                nil,
	} {
		if name == "Content-Security-Policy" && strings.HasPrefix(header.Get("Content-Type"), "text/html") {
			want = []string{pagePolicy}
			policy := header.Get(echo.HeaderContentSecurityPolicy)
			if slices.Contains([]string{docsPolicy, unsubscribePolicy, demoMailPolicy, emailPolicy}, policy) {
				want = []string{policy}
			}
		}
		if name == "X-Frame-Options" && header.Get(echo.HeaderContentSecurityPolicy) == emailPolicy {
			want = nil // the page of the email shows it in a frame
		}

		kind := header.Get("Content-Type")
		if name == "Cache-Control" && (strings.HasPrefix(kind, "text/javascript") || strings.HasPrefix(kind, "image/")) {
			want = []string{"public, max-age=31536000, immutable"}
		}
		if got := header.Values(name); !slices.Equal(got, want) {
			wrong = append(wrong, name+": "+strings.Join(got, ", "))
		}
	}
	if ids := header.Values("X-Request-Id"); len(ids) != 1 || !requestIDForm.MatchString(ids[0]) {
		wrong = append(wrong, "X-Request-Id: "+strings.Join(ids, ", "))
	}
	if header.Get("Content-Type") == "" && header.Get("Content-Length") != "0" && header.Get("Content-Length") != "" {
		wrong = append(wrong, "no Content-Type")
	}
	slices.Sort(wrong)
	return wrong
}

// responsesOfEveryKind returns responses of every operation, of every kind of error,
// and of paths outside of openapi.yaml.
func (a *api) responsesOfEveryKind(t *testing.T, c *cast) []response {
	t.Helper()
	var answers []response
	add := func(r *http.Request) { answers = append(answers, a.serveBare(r)) }

	for _, o := range everyOperation(t) {
		add(c.wellFormed(o, c.right(o)))
		add(c.wellFormed(o, anonymous))
		for _, spoil := range []func(*http.Request){
			func(r *http.Request) { r.URL.RawQuery = "unknown=1" },
			func(r *http.Request) { setBody(r, "{") },
			func(r *http.Request) { setBody(r, strings.Repeat(" ", 1<<20+1)) },
			func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			func(r *http.Request) { r.Method = "PROPFIND" },
			func(r *http.Request) { r.Method = "HEAD" },
			func(r *http.Request) { r.Method = "OPTIONS" },
			func(r *http.Request) { r.URL.Path += "/nothing" },
		} {
			r := c.wellFormed(o, c.right(o))
			spoil(r)
			add(r)
		}
	}

	for _, path := range []string{"/", "/healthz", "/readyz", "/openapi.yaml", "/openapi.json", "/openapi-3.1.json",
		"/errors", "/errors/not_found", "/errors/none", "/docs", "/docs/guide.md", a.docsScript(),
		"/docs/none",
		"/nothing", "//", "/%2e%2e/"} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "TRACE"} {
			add(httptest.NewRequest(method, path, nil))
		}
	}
	return answers
}

// docsScript returns the path of a script of the documentation page.
func (a *api) docsScript() string {
	a.t.Helper()
	page := a.serveBare(httptest.NewRequest("GET", "/docs", nil)).want(200)
	found := pageScript.FindSubmatch(page.body)
	if found == nil {
		a.t.Fatalf("/docs has no script\n%s", page.body)
	}
	return "/" + string(found[1])
}

// serveBare is send without a network connection, and without the check against
// openapi.yaml.
func (a *api) serveBare(r *http.Request) response {
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	answer := recorder.Result()
	return response{t: a.t, name: r.Method + " " + r.URL.Path, status: answer.StatusCode, header: answer.Header,
		body: recorder.Body.Bytes()}
}

// Every response has the security headers, whatever its status, and also during shutdown.
func TestSecurityHeaders(t *testing.T) {
	clock, databaseURL := storetest.NewClock(), storetest.URL(t, "sqlite")
	for _, base := range []string{"https://assay.test", "http://assay.test", "http://https.test",
		"https://assay.test/hiring"} {
		https := strings.HasPrefix(base, "https:")
		s := storetest.OpenURL(t, databaseURL, clock.Now)
		a := serve(t, s, clock, func(opts *server.Options) {
			opts.BaseURL = base
			opts.Ping = func(_ context.Context, _ string, target store.Target) (store.Attempt, error) {
				if strings.Contains(target.URL, "panics") {
					panic("of a test")
				}
				return store.Attempt{}, errors.New("of a test")
			}
			opts.RateLimits.Anonymous = server.RateLimit{Requests: 1, Window: 24 * time.Hour, Burst: 150}
		})
		made := storetest.OpenURL(t, databaseURL, clock.Now)
		c := serve(t, made, clock).cast()
		answers := a.responsesOfEveryKind(t, c)
		for _, name := range []string{"panics", "fails"} {
			webhook := c.api.do("POST", "/v1/webhooks", c.owner, object{
				"url": "https://" + name + ".example", "events": []any{"candidate.completed"},
			}).want(201)
			r := httptest.NewRequest("POST", "/v1/webhooks/"+webhook.text("data.id")+"/test", nil)
			r.Header.Set(c.owner.header, c.owner.value)
			answers = append(answers, a.serveBare(r).want(500))
		}
		a.server.Drain()
		answers = append(answers, a.responsesOfEveryKind(t, c)...)
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		answers = append(answers, a.serveBare(httptest.NewRequest("GET", "/v1/me", nil).WithContext(canceled)))

		seen := map[int]int{}
		for _, answer := range answers {
			seen[answer.status]++
			if wrong := wrongHeaders(answer.header, https); len(wrong) > 0 {
				t.Errorf("%s: %s: %d with wrong headers %q", base, answer.name, answer.status, wrong)
			}
			for name := range answer.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: the header %s, although CORS is off", answer.name, name)
				}
			}

			if answer.status >= 500 && strings.Contains(string(answer.body), "of a test") {
				t.Errorf("%s: the response reveals the cause: %s", answer.name, answer.body)
			}
		}

		for _, status := range []int{200, 201, 204, 400, 401, 404, 405, 413, 415, 429, 500, 503} {
			if seen[status] == 0 {
				t.Errorf("%s: no response has the status %d: %v", base, status, seen)
			}
		}
	}
}

// Responses have the same security headers if the database is unavailable.
func TestSecurityHeadersWithoutDatabase(t *testing.T) {
	clock := storetest.NewClock()
	keys, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(context.Background(), store.Options{DatabaseURL: "sqlite::memory:", Keys: keys,
		BaseURL: "https://assay.test", Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	a := serve(t, s, clock)
	c := &cast{tenant: &tenant{api: a, access: "x"}, key: "x", invite: "x"}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, answer := range a.responsesOfEveryKind(t, c) {
		if wrong := wrongHeaders(answer.header, true); len(wrong) > 0 {
			t.Errorf("%s: %d with wrong headers %q", answer.name, answer.status, wrong)
		}
	}
}
