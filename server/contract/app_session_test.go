package contract

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/gen"
	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

// browser has the cookies of one browser, as the dashboard uses them.
type browser struct {
	*api

	cookies []*http.Cookie
	peer    string // its address
}

func (a *api) browser() *browser { return &browser{api: a, peer: "192.0.2.1:1234"} }

// request returns a request of a page of the service.
func (b *browser) request(method string, body any) *http.Request {
	b.t.Helper()
	text := ""
	switch body := body.(type) {
	case nil:
	case string:
		text = body
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		text = string(encoded)
	}
	r := httptest.NewRequest(method, "/app/session", strings.NewReader(text))
	if text != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Host, r.RemoteAddr = "assay.test", b.peer
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Accept-Encoding", "gzip")
	for _, cookie := range b.cookies {
		r.AddCookie(cookie)
	}
	return r
}

// session sends a request to /app/session, and keeps the cookie of the response.
func (b *browser) session(method string, body any) response {
	b.t.Helper()
	return b.exchange(b.request(method, body))
}

// exchange sends a request and keeps the cookie. No response may have a refresh token in
// its body, be compressed, or be kept.
func (b *browser) exchange(r *http.Request) response {
	b.t.Helper()
	answer := b.serveBare(r)
	for _, line := range answer.header.Values("Set-Cookie") {
		cookie, err := http.ParseSetCookie(line)
		if err != nil {
			b.t.Fatal(err)
		}
		b.cookies = nil
		if cookie.MaxAge > 0 {
			b.cookies = []*http.Cookie{cookie}
		}
	}
	wrong := slices.DeleteFunc(wrongHeaders(answer.header, true), func(wrong string) bool {
		return strings.HasPrefix(wrong, "Set-Cookie: ") && answer.status < 300 ||
			wrong == "no Content-Type" && answer.status == http.StatusNoContent
	})
	if len(wrong) > 0 || answer.header.Get("Content-Encoding") != "" {
		b.t.Errorf("%s: %d with wrong headers %q %v", answer.name, answer.status, wrong, answer.header)
	}
	if problem := answer.wrongProblem(); problem != "" {
		b.t.Errorf("%s: %s", answer.name, problem)
	}
	refreshHeader := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"refresh+jwt"}`))
	if strings.Contains(string(answer.body), refreshHeader) || strings.Contains(b.log.String(), refreshHeader) {
		b.t.Errorf("%s: a refresh token is in the body or the log\n%s", answer.name, answer.body)
	}
	return answer
}

// wantSignedIn fails the test unless the response has an access token of the person.
func (b *browser) wantSignedIn(answer response, email string) string {
	b.t.Helper()
	token := answer.want(200).text("data.accessToken")
	if got := b.me(token).want(200).text("data.email"); got != email {
		b.t.Errorf("signed in as %s, want %s", got, email)
	}
	if len(b.cookies) != 1 {
		b.t.Fatal("the response has set no cookie")
	}
	return token
}

func (b *browser) wantSignedOut(answer response) {
	b.t.Helper()
	if answer.want(200).at("data.accessToken") != nil || len(b.cookies) != 0 {
		b.t.Errorf("still signed in: %s, cookies %v", answer.body, b.cookies)
	}
}

func loginBody(email string) object {
	return object{"type": "login", "email": email, "password": testPassword}
}

// The dashboard registers an organization, stays signed in with its cookie, signs out, and
// signs in again. A new member joins with an invitation.
func TestAppSession(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		b := a.browser()
		b.wantSignedOut(b.session("PUT", nil))
		email := "first@example.com"
		first := b.wantSignedIn(b.session("POST", object{"type": "register", "organizationName": "Analytical Engines",
			"name": "Ada Lovelace", "email": email, "password": testPassword}), email)

		cookie := b.cookies[0]
		if cookie.Name != "__Host-assay" || cookie.Path != "/" || !cookie.HttpOnly || !cookie.Secure ||
			cookie.SameSite != http.SameSiteStrictMode || cookie.Domain != "" || cookie.MaxAge != 30*24*60*60 {
			t.Errorf("the cookie is %v", cookie)
		}
		a.clock.Advance(time.Hour)
		a.me(first).want(401, "token_expired")
		second := b.wantSignedIn(b.session("PUT", nil), email)
		if b.cookies[0].Value == cookie.Value || b.cookies[0].MaxAge != 30*24*60*60-60*60 {
			t.Errorf("the cookie after a refresh is %v", b.cookies[0])
		}

		owner := &tenant{api: a, email: email, owner: bearer(second)}
		invitation := owner.add("MEMBER")
		other := a.browser()
		other.wantSignedIn(other.session("POST", object{"type": "invitation", "token": invitation.invitation(),
			"password": testPassword}), invitation.text("data.email"))

		b.session("DELETE", nil).want(204)
		if len(b.cookies) != 0 {
			t.Error("the cookie is still there after signing out")
		}
		a.me(second).want(401, "unauthenticated")
		b.session("DELETE", nil).want(204)
		b.wantSignedOut(b.session("PUT", nil))
		b.wantSignedIn(b.session("POST", loginBody(email)), email)
		other.wantSignedIn(other.session("PUT", nil), invitation.text("data.email"))
	})
}

// A new sign-in ends the one whose cookie it replaces. A registration that is sent twice
// makes one organization, whose owner stays signed in.
func TestAppSessionReplaced(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		colleague := o.member("ADMIN")
		b := a.browser()
		first := b.wantSignedIn(b.session("POST", loginBody(o.email)), o.email)
		b.wantSignedIn(b.session("POST", loginBody(colleague.email)), colleague.email)
		a.me(first).want(401, "unauthenticated")

		// The browser that failed to receive the first response has no cookie yet.
		for _, cookies := range []int{0, 1} {
			b = a.browser()
			var answers [2]response
			for i := range answers {
				r := b.request("POST", object{"type": "register", "organizationName": "Difference Engines",
					"name": "Charles Babbage", "email": "charles" + []string{"a", "b"}[cookies] + "@example.com",
					"password": testPassword})
				r.Header.Set("Idempotency-Key", "form-"+[]string{"a", "b"}[cookies])
				answers[i] = b.exchange(r).want(200)
				b.cookies = b.cookies[:cookies]
			}
			if string(answers[0].body) != string(answers[1].body) || answers[1].header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("the second request got another answer: %s and %s", answers[0].body, answers[1].body)
			}
			a.me(answers[1].text("data.accessToken")).want(200)
		}
	})
}

// Two tabs that refresh at the same time both get a token. A cookie that is replaced and
// used again later ends the sign-in. Only from another network does this raise an alarm.
func TestAppSessionReusedCookie(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, test := range []struct {
			name, peer, action string
			mails              int
		}{
			{"the same address", "192.0.2.1:999", "ENDED_TOKEN_USED", 0},
			{"the same network", "[2001:db8::2]:1", "ENDED_TOKEN_USED", 0},
			{"another network", "198.51.100.7:1", "REFRESH_TOKEN_REUSED", 1},
		} {
			b := a.browser()
			if strings.HasPrefix(test.peer, "[") {
				b.peer = "[2001:db8::1]:1"
			}
			b.wantSignedIn(b.session("POST", loginBody(o.email)), o.email)
			stale := *b
			answers := atOnce(2, func(i int) response { tab := stale; return tab.session("PUT", nil) })
			if string(answers[0].want(200).body) != string(answers[1].want(200).body) {
				t.Errorf("%s: the tabs got different answers %s and %s", test.name, answers[0].body, answers[1].body)
			}
			token := answers[0].text("data.accessToken")
			a.me(token).want(200)

			a.clock.Advance(time.Minute)
			o.signIn()
			a.outbox().send()
			stale.peer = test.peer
			stale.wantSignedOut(stale.session("PUT", nil))
			a.me(token).want(401, "unauthenticated")
			a.clock.Advance(time.Second)
			log := a.do("GET", "/v1/audit-log?limit=1", o.owner, nil).want(200)
			if log.text("data.0.action") != test.action || log.at("data.0.actor.id") != nil {
				t.Errorf("%s: the audit log has %s", test.name, log.body)
			}
			if mails := a.outbox().send(); len(mails) != test.mails ||
				test.mails > 0 && mails[0].Email.Kind != store.EmailRefreshTokenReused {
				t.Errorf("%s: the emails %v, want %d", test.name, mails, test.mails)
			}
		}

		// The refresh token of an integration has no cookie, so the alarm is as before.
		in := a.login(o.email)
		a.refresh(in.refresh).want(200)
		a.clock.Advance(time.Minute)
		a.refresh(in.refresh).want(401, "unauthenticated")
		o.signIn()
		log := a.do("GET", "/v1/audit-log?action=REFRESH_TOKEN_REUSED", o.owner, nil).want(200)
		if n := len(log.list("data")); n != 2 {
			t.Errorf("%d alarms, want 2\n%s", n, log.body)
		}
	}, sendsEmail)
}

// The page knows which form a visitor needs: to register, with or without the setup token,
// or only to sign in.
func TestAppSessionRegistration(t *testing.T) {
	for mode, want := range map[store.RegistrationMode][2]string{
		store.RegistrationOpen: {"OPEN", "OPEN"}, store.RegistrationFirst: {"SETUP", "CLOSED"},
		store.RegistrationClosed: {"CLOSED", "CLOSED"},
	} {
		storetest.Each(t, func(t *testing.T, database string) {
			clock, address := storetest.NewClock(), storetest.URL(t, database)
			configured := func(opts *store.Options) { opts.Registration = mode }
			a := serve(t, storetest.OpenURL(t, address, clock.Now, configured), clock)
			local := serve(t, storetest.OpenURL(t, address, clock.Now, configured), clock, func(opts *server.Options) {
				opts.BaseURL = "http://localhost:8080"
			})
			here := local.browser()
			ask := func() string {
				r := here.request("PUT", nil)
				r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:999"
				return local.serveBare(r).want(200).text("data.registration")
			}
			b := a.browser()
			wantLocal := strings.Replace(want[0], "SETUP", "SETUP_LOCAL", 1)
			if got := b.session("PUT", nil).text("data.registration"); got != want[0] {
				t.Errorf("before the first organization: %s, want %s", got, want[0])
			}
			if got := ask(); got != wantLocal {
				t.Errorf("before the first organization, on this machine: %s, want %s", got, wantLocal)
			}
			serve(t, storetest.OpenURL(t, address, clock.Now), clock).register()
			for _, got := range []string{ask(), b.session("PUT", nil).text("data.registration")} {
				if got != want[1] {
					t.Errorf("after it: %s, want %s", got, want[1])
				}
			}
		})
	}
}

// A browser that cannot use https gets a cookie without the prefix, which works there.
func TestAppSessionWithoutHTTPS(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, "sqlite", clock.Now)
	o := serve(t, s, clock).register()
	a := serve(t, s, clock, func(opts *server.Options) { opts.BaseURL = "http://assay.test:8080" })
	b := a.browser()
	r := b.request("POST", loginBody(o.email))
	r.Host = "192.168.1.20:8080"
	r.Header.Del("Sec-Fetch-Site")
	r.Header.Set("Origin", "http://192.168.1.20:8080")
	answer := a.serveBare(r).want(200)
	cookie, err := http.ParseSetCookie(answer.header.Get("Set-Cookie"))
	if err != nil || cookie.Name != "assay" || cookie.Secure || !cookie.HttpOnly || cookie.Path != "/" ||
		cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %v %v", cookie, err)
	}
}

// Requests without a sign-in count for the network, and others for their login.
func TestAppSessionRateLimits(t *testing.T) {
	clock := storetest.NewClock()
	limit := func(n int) server.RateLimit { return server.RateLimit{Requests: n, Window: time.Hour, Burst: n} }
	s := storetest.Open(t, "sqlite", clock.Now)
	o := serve(t, s, clock).register()
	a := serve(t, s, clock, func(opts *server.Options) {
		opts.RateLimits = server.RateLimits{Anonymous: limit(3), Refresh: limit(2)}
	})
	b, stranger := a.browser(), a.browser()
	b.wantSignedIn(b.session("POST", loginBody(o.email)), o.email)
	stranger.session("PUT", nil).want(200)
	hostile := stranger.request("PUT", nil)
	hostile.Header.Set("Sec-Fetch-Site", "cross-site")
	stranger.exchange(hostile).want(403, gen.ErrorCodeCrossOriginRequest)
	for _, method := range []string{"PUT", "DELETE", "POST"} {
		stranger.session(method, nil).want(429, "rate_limited")
	}
	b.session("PUT", nil).want(200)
	b.session("PUT", nil).want(200)
	b.session("PUT", nil).want(429, "rate_limited")
	if len(b.cookies) != 1 {
		t.Error("a refused request has cleared the cookie")
	}
}
