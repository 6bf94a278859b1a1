package contract

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store/storetest"
)

var allowedOrigins = []string{"https://app.example", "http://localhost:5173", "https://*.pattern.example"}

// crossOrigin starts a server whose configured CORS origins are allowedOrigins.
func crossOrigin(t *testing.T) *api {
	t.Helper()
	clock := storetest.NewClock()
	return serve(t, storetest.Open(t, "sqlite", clock.Now), clock, func(opts *server.Options) {
		opts.CORSOrigins = allowedOrigins
		opts.RateLimits = server.RateLimits{Anonymous: server.RateLimit{Requests: 1, Window: time.Hour, Burst: 1}}
	})
}

// vary returns the header names in Vary, sorted and without duplicates.
func (r response) vary() []string {
	var names []string
	for _, line := range r.header.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}

	slices.Sort(names)
	return slices.Compact(names)
}

// accessControl returns the Access-Control headers of the response, without the
// prefix.
func (r response) accessControl() map[string]string {
	headers := map[string]string{}
	for name, values := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			headers[strings.TrimPrefix(name, "Access-Control-")] = strings.Join(values, " and ")
		}
	}

	return headers
}

// list splits a list at its commas and sorts it.
func list(text string) []string {
	names := strings.Split(strings.ReplaceAll(text, " ", ""), ",")
	slices.Sort(names)
	return names
}

// A preflight request from an allowed origin succeeds for every operation, without a
// credential.
func TestCORSPreflight(t *testing.T) {
	a := crossOrigin(t)
	for _, origin := range []string{"https://app.example", "http://localhost:5173"} {
		for _, o := range everyOperation(t) {
			r := httptest.NewRequest("OPTIONS", o.address(a.unknownID), nil)
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", o.method)
			r.Header.Set("Access-Control-Request-Headers", "authorization,content-type,idempotency-key")
			answer := a.serveBare(r)
			got := answer.accessControl()

			// A preflight request never has a credential, so it must not count against the anonymous limit.
			if answer.status != 204 || len(answer.body) > 0 || answer.header.Get("RateLimit") != "" || len(got) != 4 ||
				got["Allow-Origin"] != origin || got["Max-Age"] != "3600" ||
				!slices.Equal(list(got["Allow-Methods"]), []string{"DELETE", "GET", "PATCH", "POST", "PUT"}) ||
				!slices.Equal(list(got["Allow-Headers"]),
					[]string{"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"}) {
				t.Errorf("%s: wrong preflight response: %d %v %s", answer.name, answer.status, got, answer.body)
			}
			want := []string{"Access-Control-Request-Headers", "Access-Control-Request-Method", "Origin"}
			if !slices.Equal(answer.vary(), want) {
				t.Errorf("%s: Vary %q", answer.name, answer.vary())
			}
			if wrong := wrongHeaders(answer.header, true); len(wrong) > 0 {
				t.Errorf("%s: wrong headers %q", answer.name, wrong)
			}
			if !slices.Contains(list(got["Allow-Methods"]), o.method) {
				t.Errorf("%s: the method %s is not allowed", answer.name, o.method)
			}
		}
	}
}

// A page of an allowed origin may read the response headers that a client needs. This
// includes error responses.
func TestCORSResponseHeaders(t *testing.T) {
	a := crossOrigin(t)
	ask := func(origin, method, path string, who credential) response {
		r := httptest.NewRequest(method, path, nil)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if who != anonymous {
			r.Header.Set(who.header, who.value)
		}
		return a.serveBare(r)
	}
	owner := serve(t, a.store, a.clock).register().owner
	for _, test := range []struct {
		method, path string
		who          credential
		status       int
	}{
		{"GET", "/openapi.json", anonymous, 200}, {"GET", "/v1/me", owner, 200}, {"GET", "/v1/me", anonymous, 401},
		{"GET", "/v1/me", anonymous, 429}, {"GET", "/v1/me?x=1", owner, 400},
		{"GET", "/v1/members/x", owner, 404}, {"GET", "/nothing", anonymous, 404}, {"DELETE", "/v1/me", owner, 405},
		{"POST", "/v1/assessments", owner, 400},
		{"GET", "/healthz", anonymous, 200},
	} {
		answer := ask("https://app.example", test.method, test.path, test.who).want(test.status)
		got := answer.accessControl()
		// The headers that openapi.yaml names.
		exposed := []string{"Content-Disposition", "ETag", "Idempotency-Replayed", "Link", "Location", "RateLimit",
			"RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id"}
		if len(got) != 2 || got["Allow-Origin"] != "https://app.example" ||
			!slices.Equal(list(got["Expose-Headers"]), exposed) {
			t.Errorf("%s: wrong CORS headers: %d %v", answer.name, answer.status, got)
		}
		if !slices.Contains(answer.vary(), "Origin") {
			t.Errorf("%s: Vary %q", answer.name, answer.vary())
		}

		// Without an Origin header there are no CORS headers. Vary stays the same, so that a cache keeps both forms.
		plain := ask("", "GET", "/healthz", anonymous).want(200)
		if len(plain.accessControl()) != 0 || !slices.Contains(plain.vary(), "Origin") {
			t.Errorf("without an Origin header: %v", plain.header)
		}
	}
}

// An origin that is not exactly equal to an allowed origin gets no CORS headers.
func TestCORSRefusesOtherOrigins(t *testing.T) {
	a := crossOrigin(t)
	others := []string{
		"null", "NULL", "*", "", "https://evil.example", "http://app.example", "https://app.example:443",
		"https://app.example:8443", "https://app.example.",
		"https://sub.app.example", "https://app.example.evil.example", "https://evil-app.example",
		"https://evilapp.example", "https://app.exampl",
		"https://app.examplee", "HTTPS://APP.EXAMPLE", "https://App.example", "https://app.example/",
		"https://app.example/path", "https://app.example#",
		"https://app.example?", "https://user@app.example", "https://app.example, https://evil.example",
		"https://app.example https://evil.example",
		" https://app.example.evil", "https://app_example", "https://appXexample", "http://localhost",
		"http://localhost:51730", "http://localhost:5173.evil.example",
		"http://127.0.0.1:5173", "https://localhost:5173", "file://", "app.example", "//app.example",
		"chrome-extension://app.example",
		// An allowed origin is not a pattern.
		"https://a.pattern.example", "https://pattern.example", "https://x.y.pattern.example", "https://.pattern.example",
	}

	for _, origin := range others {
		for _, method := range []string{"GET", "OPTIONS"} {
			r := httptest.NewRequest(method, "/healthz", nil)
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", "GET")
			answer := a.serveBare(r)
			if got := answer.accessControl(); len(got) > 0 || !slices.Contains(answer.vary(), "Origin") {
				t.Errorf("%s from %q: unexpected CORS headers or wrong Vary: %v", method, origin, answer.header)
			}
			for name, values := range answer.header {
				if origin != "" && origin != "*" && strings.Contains(strings.Join(values, " "), origin) {
					t.Errorf("%s: the origin %q is reflected in the header %s", method, origin, name)
				}
			}
		}
	}

	// A request with two Origin headers gets no CORS headers.
	r := httptest.NewRequest("GET", "/healthz", nil)
	r.Header["Origin"] = []string{"https://evil.example", "https://app.example"}
	if got := a.serveBare(r).accessControl(); len(got) > 0 {
		t.Errorf("two Origin headers: %v", got)
	}
}

// Without configured origins, the server sends no CORS headers.
func TestCORSDisabledByDefault(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock)
	for _, method := range []string{"GET", "OPTIONS"} {
		for _, path := range []string{"/healthz", "/v1/me", "/nothing"} {
			r := httptest.NewRequest(method, path, nil)
			r.Header.Set("Origin", "https://app.example")
			r.Header.Set("Access-Control-Request-Method", "GET")
			if got := a.serveBare(r).accessControl(); len(got) > 0 {
				t.Errorf("%s %s: unexpected CORS headers %v", method, path, got)
			}
		}
	}
}
