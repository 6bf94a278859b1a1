package contract

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"assay/gen"
	"assay/server"
	"assay/store/storetest"
)

// Only a page of the service can use the cookie. Whatever a page of another site makes a
// browser send, the response is 403, and the sign-in stays as it is.
func TestAppSessionForeignPages(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock, func(opts *server.Options) {
		opts.BaseURL, opts.CORSOrigins = "https://assay.test:8443", []string{"https://trusted.example"}
	})
	o, b := a.register(), a.browser()
	b.wantSignedIn(b.session("POST", loginBody(o.email)), o.email)
	const fetchSite, origin = "Sec-Fetch-Site", "Origin"

	for _, test := range []struct {
		host   string
		header http.Header
		same   bool
	}{
		{"assay.test:8443", http.Header{fetchSite: {"same-origin"}}, true},
		{"assay.test:8443", http.Header{fetchSite: {"same-origin"}, origin: {"https://assay.test:8443"}}, true},
		{"10.0.0.7:8080", http.Header{fetchSite: {"same-origin"}, origin: {"https://other.test"}}, true}, // behind a proxy
		{"10.0.0.7:8080", http.Header{origin: {"https://assay.test:8443"}}, true},
		{"assay.test:8443", http.Header{origin: {"https://ASSAY.test:8443"}}, true},
		{"other.test", http.Header{origin: {"https://other.test"}}, true},
		{"other.test:443", http.Header{origin: {"https://other.test"}}, true}, // a proxy that names the port
		{"[2001:db8::1]:8443", http.Header{origin: {"https://[2001:db8::1]:8443"}}, true},

		{"assay.test:8443", nil, false}, // no browser, or one that is too old
		{"assay.test:8443", http.Header{fetchSite: {"cross-site"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"cross-site"}, origin: {"https://assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"same-site"}, origin: {"https://assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"none"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {""}, origin: {"https://assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"Same-Origin"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"same-origin, cross-site"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"same-origin", "cross-site"}}, false},
		{"assay.test:8443", http.Header{fetchSite: {"same-origin", "same-origin"}}, false},
		{"assay.test:8443", http.Header{origin: {"null"}}, false},
		{"assay.test:8443", http.Header{origin: {""}}, false},
		{"assay.test:8443", http.Header{origin: {"*"}}, false},
		{"assay.test:8443", http.Header{origin: {"assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"//assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"http://assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:443"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:84430"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:8443/"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:8443/app"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:8443.evil.example"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test.evil.example"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://sub.assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://test"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://evil.example@assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://evil.example#assay.test:8443"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:8443", "https://evil.example"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://assay.test:8443 https://evil.example"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://trusted.example"}}, false}, // may call the API only
		{"assay.test:8443", http.Header{"Referer": {"https://assay.test:8443/app"}}, false},
		{"assay.test:8443", http.Header{origin: {"https://evil.example"}, "X-Forwarded-Host": {"evil.example"}}, false},
		{"", http.Header{origin: {"https://"}}, false},
		{"evil.example", http.Header{origin: {"https://assay.test"}}, false},
	} {
		for method, body := range map[string]any{"PUT": nil, "DELETE": nil, "POST": loginBody(o.email)} {
			if method == "DELETE" && test.same {
				continue // it would end the sign-in
			}
			r := b.request(method, body)
			r.Host = test.host
			r.Header.Del(fetchSite)
			for name, values := range test.header {
				r.Header[name] = values
			}
			answer := b.exchange(r)
			if got := answer.accessControl(); len(got) > 0 {
				t.Errorf("%s for %q with %v: the response has %v", method, test.host, test.header, got)
			}
			if test.same {
				b.wantSignedIn(answer, o.email)
				continue
			}
			if answer.status != 403 || answer.code() != gen.ErrorCodeCrossOriginRequest ||
				answer.header.Get("Set-Cookie") != "" {
				t.Errorf("%s for %q with %v: %d %s", method, test.host, test.header, answer.status, answer.body)
			}
		}
	}
	b.wantSignedIn(b.session("PUT", nil), o.email)

	// The preflight request of another origin gets no permission.
	for _, foreign := range []string{"https://trusted.example", "https://evil.example", "null"} {
		r := b.request("OPTIONS", nil)
		r.Header.Set(origin, foreign)
		r.Header.Set("Access-Control-Request-Method", "PUT")
		answer := b.serveBare(r)
		if got := answer.accessControl(); answer.status != http.StatusNoContent || len(got) > 0 {
			t.Errorf("a preflight request from %s got %v", foreign, got)
		}
	}
	for _, method := range []string{"GET", "HEAD", "PATCH"} {
		r := b.request(method, nil)
		if answer := b.serveBare(r); answer.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d, want 405", method, answer.status)
		}
	}
}

// A refusal is the same as that of the operation which the type of the body names.
func TestAppSessionRefusals(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, b := a.register(), a.browser()
		for _, test := range []struct {
			kind, path string
			body       object
			status     int
			fault      string
		}{
			{"login", "login", object{"email": o.email, "password": "wrong password"}, 401, ""},
			{"login", "login", object{"email": "nobody@example.com", "password": testPassword}, 401, ""},
			{"login", "login", object{"email": "", "password": ""}, 400, "body /email too_short"},
			{"login", "login", object{"email": o.email}, 400, "body /password required"},
			{"login", "login", object{"email": o.email, "password": 1}, 400, "body /password invalid_type"},
			{"login", "login", object{"email": o.email, "password": strings.Repeat("x", 20_000)}, 413, ""},
			{"login", "login", object{"email": o.email, "password": "x", "admin": true}, 400, "body /admin unknown_field"},
			{"register", "register", object{"organizationName": "A", "name": "B", "email": "new@example.com",
				"password": "short"}, 400, "body /password too_short"},
			{"register", "register", object{"organizationName": "A", "name": "B", "email": "new@example.com",
				"password": "passwordpassword"}, 400, "body /password too_common"},
			{"register", "register", object{"organizationName": "A", "name": "B\n", "email": o.email,
				"password": testPassword}, 400, ""},
			{"register", "register", object{"organizationName": "A", "name": "B", "email": o.email,
				"password": testPassword}, 409, ""},
			{"invitation", "accept-invitation", object{"token": "mbr_" + strings.Repeat("0", 26), "password": testPassword},
				401, ""},
			{"invitation", "accept-invitation", object{"token": o.add("MEMBER").invitation(), "password": "short"}, 400,
				"body /password too_short"},
		} {
			before := o.audited()
			want := a.do("POST", "/v1/auth/"+test.path, anonymous, test.body).want(test.status)
			audited := o.audited() - before
			test.body["type"] = test.kind
			answer := b.session("POST", test.body)
			if answer.anonymous() != want.anonymous() {
				t.Errorf("%s: %s, but the operation returns %s", test.kind, answer.body, want.body)
			}
			if test.fault != "" && !slices.Contains(answer.faults(), test.fault) {
				t.Errorf("%s: %s, want %s", test.kind, answer.body, test.fault)
			}
			if got := o.audited() - before - audited; got != audited {
				t.Errorf("%s: %d audit entries, but the operation writes %d: %s", test.kind, got, audited, answer.body)
			}
		}
		if len(b.cookies) != 0 {
			t.Error("a refusal has set a cookie")
		}
	})
}

// A body or a cookie of any form is rejected, or is as none.
func TestAppSessionHostile(t *testing.T) {
	clock := storetest.NewClock()
	a := serve(t, storetest.Open(t, "sqlite", clock.Now), clock)
	o, b := a.register(), a.browser()
	login := `"email":"` + o.email + `","password":"` + testPassword + `"`
	for body, fault := range map[string]string{
		"":                                     "body  required",
		"{}":                                   "body /type required",
		"{" + login + "}":                      "body /type required",
		`{"type":null,` + login + `}`:          "body /type invalid_value",
		`{"type":"","email":1}`:                "body /type invalid_value",
		`{"type":"Login",` + login + `}`:       "body /type invalid_value",
		`{"type":"refresh",` + login + `}`:     "body /type invalid_value",
		`{"type":["login"],` + login + `}`:     "body /type invalid_value",
		`{"type":"login","type":"register"}`:   "body /type duplicate",
		`{"type":"login",` + login + `,"x":1}`: "body /x unknown_field",
		`{"type":"login",` + login + `}{}`:     "body  invalid_json",
		`[{"type":"login",` + login + `}]`:     "body  invalid_type",
		`null`:                                 "body  invalid_type",
		`{"type":"login",`:                     "body  invalid_json",
		strings.Repeat(`{"type":`, 100) + "1":  "",
	} {
		answer := b.session("POST", body)
		answer.blames(fault)
	}
	r := b.request("POST", `{"type":"login",`+login+`}`)
	r.Header.Set("Content-Type", "text/plain") // which a form of another site can send
	b.exchange(r).want(415, "unsupported_media_type")
	for _, method := range []string{"PUT", "DELETE"} {
		b.session(method, `{"refreshToken":"x"}`).want(400, "unexpected_body")
	}
	if len(b.cookies) != 0 {
		t.Error("a refused request has set a cookie")
	}

	signedIn := a.login(o.email)
	key := a.do("POST", "/v1/api-keys", o.owner, object{"name": "x", "scopes": allScopes}).want(201).text("data.key")
	forged := signedIn.refresh[:len(signedIn.refresh)-4] + "AAAA"
	others := []string{"", "x", signedIn.access, forged, signedIn.refresh + "x", key, strings.Repeat("x", 4000)}
	for _, value := range others {
		b.cookies = []*http.Cookie{{Name: "__Host-assay", Value: value}}
		b.wantSignedOut(b.session("PUT", nil))
		b.cookies = []*http.Cookie{{Name: "__Host-assay", Value: value}}
		b.session("DELETE", nil).want(204)
	}
	a.me(signedIn.access).want(200)

	// The cookie of the other scheme, and a second cookie, which another host could have set.
	for _, cookies := range [][]*http.Cookie{
		{{Name: "assay", Value: signedIn.refresh}},
		{{Name: "__host-assay", Value: signedIn.refresh}},
		{{Name: "__Host-assay", Value: signedIn.refresh}, {Name: "__Host-assay", Value: o.refresh}},
	} {
		b.cookies = cookies
		if answer := b.session("PUT", nil).want(200); answer.at("data.accessToken") != nil {
			t.Errorf("the cookies %v are accepted", cookies)
		}
	}

	// No operation of the API accepts the cookie.
	b.cookies = []*http.Cookie{{Name: "__Host-assay", Value: signedIn.refresh}}
	for _, o := range everyOperation(t) {
		if o.scheme == "" {
			continue
		}
		r := b.request(o.method, nil)
		r.URL.Path = o.address(a.unknownID)
		if answer := b.serveBare(r); answer.status != 401 {
			t.Errorf("%s: %d with the cookie only, want 401", o.id, answer.status)
		}
	}
}
