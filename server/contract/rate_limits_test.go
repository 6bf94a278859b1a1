package contract

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

// The default limits. A test in server/cmd/assay compares them with the defaults of the configuration.
var (
	replicaLimits = server.RateLimits{
		APIKey:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
		Person:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
		Organization:  server.RateLimit{Requests: 3000, Window: time.Minute, Burst: 500},
		Candidate:     server.RateLimit{Requests: 600, Window: time.Minute, Burst: 100},
		Refresh:       server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60},
		Anonymous:     server.RateLimit{Requests: 60, Window: time.Minute, Burst: 60},
		Pages:         server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
		Probes:        server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
		Unknown:       server.RateLimit{Requests: 600, Window: time.Minute, Burst: 600},
		WebhookTest:   server.RateLimit{Requests: 5, Window: time.Minute, Burst: 5},
		WebhookReplay: server.RateLimit{Requests: 10, Window: time.Hour, Burst: 10},
	}
	signInLimits = store.SignInLimits{
		LoginIP:            store.RateLimit{Name: "login-ip", Requests: 30, Window: time.Minute},
		LoginAccount:       store.RateLimit{Name: "login-account", Requests: 5, Window: time.Minute},
		LoginAccountHourly: store.RateLimit{Name: "login-account-hourly", Requests: 20, Window: time.Hour},
		RegisterIP:         store.RateLimit{Name: "register-ip", Requests: 10, Window: time.Hour},
		Invitation:         store.RateLimit{Name: "invitation", Requests: 10, Window: time.Hour},
		ForgotIP:           store.RateLimit{Name: "forgot-ip", Requests: 10, Window: time.Hour},
		ForgotAccount:      store.RateLimit{Name: "forgot-account", Requests: 3, Window: time.Hour},
		ResetIP:            store.RateLimit{Name: "reset-ip", Requests: 10, Window: time.Hour},
	}
)

// onLimited runs a test against two replicas with these limits, on each kind of database.
func onLimited(
	t *testing.T, replica server.RateLimits, signIn store.SignInLimits, test func(t *testing.T, a, b *api),
	changes ...func(*server.Options),
) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		one := func() *api {
			s := storetest.OpenURL(t, address, clock.Now, func(opts *store.Options) { opts.SignInLimits = signIn })
			limit := func(opts *server.Options) { opts.RateLimits = replica }
			a := serve(t, s, clock, append([]func(*server.Options){limit}, changes...)...)
			a.database = address
			return a
		}

		test(t, one(), one())
	})
}

// from is like do for a client with the address ip. The headers alternate names and values.
func (a *api) from(ip, method, path string, who credential, body any, headers ...string) response {
	a.t.Helper()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			a.t.Fatal(err)
		}
	}

	r := httptest.NewRequestWithContext(a.t.Context(), method, path, bytes.NewReader(content))
	r.RemoteAddr = net.JoinHostPort(ip, "4711")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if who.header != "" {
		r.Header.Set(who.header, who.value)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	answer := recorder.Result()
	name := method + " " + path + " from " + ip
	if err := contract().check(r, answer.StatusCode, answer.Header, recorder.Body.Bytes()); err != nil {
		a.t.Errorf("%s: %d breaks the contract: %v\n%s", name, answer.StatusCode, err, recorder.Body)
	}
	if wrong := wrongHeaders(answer.Header, true); len(wrong) > 0 {
		a.t.Errorf("%s: %d with %q", name, answer.StatusCode, wrong)
	}
	return response{t: a.t, name: name, status: answer.StatusCode, header: answer.Header, body: recorder.Body.Bytes()}
}

// limitFields are the values of a response's rate limit headers.
type limitFields struct {
	policy                                 string
	quota, window, left, reset, retryAfter int
}

// The headers are lists of strings with integer parameters
// (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9651, sections 3.1 and 3.3).
var (
	policyForm  = regexp.MustCompile(`^"([ !#-\[\]-~]+)";q=(0|[1-9]\d{0,14});w=([1-9]\d{0,14})$`)
	limitForm   = regexp.MustCompile(`^"([ !#-\[\]-~]+)";r=(0|[1-9]\d{0,14});t=(0|[1-9]\d{0,14})$`)
	secondsForm = regexp.MustCompile(`^[1-9]\d*$`)
)

// seconds converts to a duration.
func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// limits parses the rate limit headers, and finds the policy of the limit in RateLimit.
// Retry-After must be present in a 429 and in no other response.
func (r response) limits() limitFields {
	r.t.Helper()
	policies, limits, retries := r.header.Values("RateLimit-Policy"), r.header.Values("RateLimit"),
		r.header.Values("Retry-After")
	if len(policies) != 1 || len(limits) != 1 || len(retries) > 1 || (len(retries) == 1) != (r.status == 429) {
		r.t.Fatalf("%s: %d with RateLimit-Policy %q, RateLimit %q, Retry-After %q", r.name, r.status, policies, limits,
			retries)
	}
	limit, policy := limitForm.FindStringSubmatch(limits[0]), []string(nil)
	for item := range strings.SplitSeq(policies[0], ", ") {
		found := policyForm.FindStringSubmatch(item)
		if found == nil || limit == nil {
			r.t.Fatalf("%s: RateLimit-Policy %s, RateLimit %s", r.name, policies[0], limits[0])
		}
		if found[1] == limit[1] {
			policy = found
		}
	}
	if policy == nil {
		r.t.Fatalf("%s: RateLimit-Policy %s lacks the policy of %s", r.name, policies[0], limits[0])
	}
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			r.t.Fatal(err)
		}
		return n
	}

	fields := limitFields{policy: policy[1], quota: number(policy[2]), window: number(policy[3]), left: number(limit[2]),
		reset: number(limit[3])}
	if len(retries) == 1 {
		if !secondsForm.MatchString(retries[0]) {
			r.t.Fatalf("%s: Retry-After %s", r.name, retries[0])
		}
		fields.retryAfter = number(retries[0])
	}

	return fields
}

// limited fails the test unless the named limit rejected the request. It returns
// the seconds of Retry-After.
func (r response) limited(policy string) int {
	r.t.Helper()
	fields := r.want(429, "rate_limited").limits()

	// Section 6 of the draft: Retry-After must not be earlier than the reset of RateLimit.
	if fields.policy != policy || fields.left != 0 || fields.reset > fields.retryAfter || fields.retryAfter < 1 {
		r.t.Fatalf("%s: the rate limit headers are %+v, want a rejection by %s", r.name, fields, policy)
	}
	return fields.retryAfter
}

// The limit per API key allows a burst of 100 requests and then 10 a second. It counts
// every request with the key, from every address, on each replica separately.
func TestAPIKeyLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, b *api) {
		o := a.register()
		key, other := o.key(), o.key()
		ask := func(key credential) response { return a.from("192.0.2.1", "GET", "/v1/public/assessments", key, nil) }

		for left := 99; left >= 0; left-- {
			fields := ask(key).want(200).limits()
			if fields != (limitFields{policy: "api-key", quota: 600, window: 60, left: left, reset: 1}) {
				t.Fatalf("with %d requests left, the rate limit headers are %+v", left, fields)
			}
		}

		retry := ask(key).limited("api-key")
		if retry != 1 {
			t.Errorf("Retry-After %d, want 1", retry)
		}

		// Requests from other addresses and invalid requests count too.
		a.from("198.51.100.1", "GET", "/v1/public/assessments/x", key, nil).limited("api-key")
		a.from("192.0.2.1", "GET", "/v1/public/assessments?x=1", key, nil).limited("api-key")
		ask(other).want(200)
		b.from("192.0.2.1", "GET", "/v1/public/assessments", key, nil).want(200) // each replica counts by itself

		a.clock.Advance(99 * time.Millisecond)
		ask(key).limited("api-key")
		a.clock.Advance(time.Millisecond)
		ask(key).want(200) // ten a second: exactly one more request passes
		ask(key).limited("api-key")
		a.clock.Advance(seconds(float64(retry)))
		for range 10 {
			ask(key).want(200)
		}
		ask(key).limited("api-key")

		passed := 0
		for range 2 * 60 * 20 { // twenty a second for two minutes
			a.clock.Advance(50 * time.Millisecond)
			if answer := ask(key); answer.status == 200 {
				passed++
			} else {
				answer.limited("api-key")
			}
		}

		if passed != 2*600 {
			t.Errorf("%d requests passed in two minutes, want 1200", passed)
		}
		a.clock.Advance(10 * time.Second)
		if fields := ask(key).want(200).limits(); fields.left != 99 {
			t.Errorf("after ten seconds without a request, the rate limit headers are %+v", fields)
		}
	})
}

// The anonymous limit counts requests without a valid credential, for each network.
// It never rejects a request with a valid credential.
func TestAnonymousLimit(t *testing.T) {
	onLimited(t, replicaLimits, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o := a.register()
		key := o.key()
		candidate := o.invite(o.publish(oneQuestion())).candidate()
		const ip, otherIP = "192.0.2.1", "192.0.2.2"

		// Requests without a credential, with an invalid one, and to operations that need none count together.
		asks := []func() response{
			func() response { return a.from(ip, "GET", "/v1/me", anonymous, nil) },
			func() response { return a.from(ip, "GET", "/v1/me", bearer("x"), nil) },
			func() response { return a.from(ip, "GET", "/v1/me", bearer(o.refresh), nil) },
			func() response {
				return a.from(ip, "GET", "/v1/public/assessments", apiKeyOf("pk_live_"+strings.Repeat("0", 64)), nil)
			},
			func() response {
				return a.from(ip, "GET", "/v1/candidate/session", bearer(tampered(candidate.value[7:])), nil)
			},
			func() response { return a.from(ip, "POST", "/v1/auth/refresh", anonymous, object{"refreshToken": "x"}) },
		}

		for i := range 60 {
			fields := asks[i%len(asks)]().want(401).limits()
			if fields != (limitFields{policy: "anonymous-ip", quota: 60, window: 60, left: 59 - i, reset: 1}) {
				t.Fatalf("request %d: the rate limit headers are %+v", i+1, fields)
			}
		}

		retry := 0
		for _, ask := range asks {
			retry = ask().limited("anonymous-ip")
		}
		if retry != 1 {
			t.Errorf("Retry-After %d, want 1", retry)
		}
		if answer := asks[0](); answer.header.Get("WWW-Authenticate") != "" {
			t.Error("a 429 has WWW-Authenticate")
		}

		// The limit affects neither valid credentials nor other networks.
		for range 70 {
			a.from(ip, "GET", "/v1/me", o.owner, nil).want(200)
			a.from(ip, "GET", "/v1/candidate/session", candidate, nil).want(200)
			if fields := a.from(ip, "GET", "/v1/public/assessments", key, nil).want(200).limits(); fields.policy != "api-key" {
				t.Errorf("a request with an API key has %+v", fields)
			}
		}

		a.from(otherIP, "GET", "/v1/me", anonymous, nil).want(401)
		for range 100 {
			if answer := a.from(ip, "GET", "/healthz", anonymous, nil).want(200); answer.header.Get("RateLimit") != "" {
				t.Fatalf("/healthz has rate limit headers: %v", answer.header)
			}
		}

		for _, path := range []string{
			"/openapi.yaml", "/openapi.json", "/openapi-3.1.json", "/errors", "/errors/not_found", "/docs", "/docs/guide.md",
			a.docsScript(),
		} {
			if fields := a.from(ip, "GET", path, anonymous, nil).want(200).limits(); fields.policy != "pages" {
				t.Errorf("%s has the rate limit headers %+v, want pages", path, fields)
			}
		}

		a.clock.Advance(seconds(float64(retry)))
		asks[0]().want(401)
		asks[0]().limited("anonymous-ip")
		a.clock.Advance(time.Minute)
		for range 60 {
			asks[1]().want(401)
		}
		asks[1]().limited("anonymous-ip")
	})
}

// Without configured limits, no request is limited, no header is set and no window is stored.
func TestLimitsOff(t *testing.T) {
	onLimited(t, server.RateLimits{}, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		o := a.register()
		key := o.key()
		for i := range 700 {
			answer := a.from("192.0.2.1", "GET", "/v1/public/assessments", key, nil).want(200)
			if answer.header.Get("RateLimit")+answer.header.Get("RateLimit-Policy") != "" {
				t.Fatalf("limits are off, but the headers are %v", answer.header)
			}
			a.from("192.0.2.1", "GET", "/v1/me", anonymous, nil).want(401)

			if i < 50 {
				a.from("192.0.2.1", "POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": "x"}).want(401)
				a.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, object{
					"organizationName": "O", "name": "N", "email": o.email, "password": testPassword,
				}).want(409)
			}
		}

		if rows := storetest.Count(t, a.database, "rate_windows"); rows != 0 {
			t.Errorf("%d windows are stored, want none", rows)
		}
	})
}
