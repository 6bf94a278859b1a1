package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/server/openid"
	"assay/store"
)

// Only a page of the service starts a sign-in at once. Another site cannot sign a visitor in to its organization
// without the visitor's consent (login CSRF).
func TestProviderStartedElsewhere(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		a.do("PATCH", "/v1/organization", o.owner, object{"name": `<b>Evil</b> & Co`}).want(200)
		address := store.ProviderStartPath + "?organization=" + o.organizationID
		for name, header := range map[string]http.Header{
			"another site":          {"Sec-Fetch-Site": {"cross-site"}},
			"another host":          {"Sec-Fetch-Site": {"same-site"}},
			"an email":              {"Sec-Fetch-Site": {"none"}},
			"several":               {"Sec-Fetch-Site": {"same-origin", "cross-site"}},
			"a browser without it":  {},
			"a foreign referrer":    {"Referer": {"https://evil.example/"}},
			"a foreign origin":      {"Origin": {"https://evil.example"}},
			"an origin that hides":  {"Origin": {"null"}},
			"a German on http":      {"Accept-Language": {"de-AT"}},
			"an origin of a prefix": {"Origin": {a.base + ".evil.example"}},
		} {
			v := a.visitor()
			shown := v.send("GET", address, header)
			if shown.status != 200 || len(v.cookies) != 0 ||
				!strings.Contains(shown.body, "&lt;b&gt;Evil&lt;/b&gt; &amp; Co") {
				t.Errorf("%s: %d %v %s", name, shown.status, v.cookies, shown.body)
			}
			want := `<button>Continue</button>`
			if header.Get("Accept-Language") != "" {
				want = `<button>Weiter</button>`
			}
			if !strings.Contains(shown.body, want) {
				t.Errorf("%s: the page lacks %s", name, want)
			}
			policy := shown.header.Get("Content-Security-Policy")
			if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("%s: the policy is %q", name, policy)
			}
			if sent := v.send("POST", address, header); sent.status != 403 || len(v.cookies) != 0 {
				t.Errorf("%s: another site sends the form: %d", name, sent.status)
			}
		}
		for name, header := range map[string]http.Header{
			"the button":         {"Sec-Fetch-Site": {"same-origin"}, "Origin": {"null"}},
			"the button on http": {"Origin": {a.base}},
		} {
			v := a.visitor()
			sent := v.send("POST", address, header)
			if location := sent.header.Get("Location"); sent.status != 302 ||
				!strings.HasPrefix(location, o.provider.URL) || len(v.cookies) != 1 {
				t.Errorf("%s: %d %s", name, sent.status, location)
			}
		}
		unknown := store.ProviderStartPath + "?organization=org_" + strings.Repeat("0", 26)
		for _, without := range []string{unknown, store.ProviderStartPath + "?organization=" + a.register().organizationID} {
			if shown := a.visitor().send("GET", without, http.Header{}); shown.status != 404 {
				t.Errorf("%s: %d", without, shown.status)
			}
		}
	})
}

// A sign-in with the provider ends the login that the browser had. The callback does not get that cookie.
func TestProviderEndsEarlierLogin(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		v := a.visitor()
		v.signIn(o)
		first := bearer(v.token())
		callback := v.start(o, "")
		a.do("GET", "/v1/me", first, nil).want(200)
		sent := map[string]string{"__Host-assay-provider": v.cookies["__Host-assay-provider"]}
		v.cookies = sent
		if _, location := v.open(callback); location != "../../app" {
			t.Fatalf("the callback leads to %s", location)
		}
		a.do("GET", "/v1/me", first, nil).want(401)
		a.do("GET", "/v1/me", bearer(v.token()), nil).want(200)
		if got := o.auditedActions("SIGNED_OUT"); len(got) != 1 {
			t.Errorf("%d sign-outs in the audit log", len(got))
		}
	})
}

// providerCalls are the audited calls about the sign-in with a provider. The provider itself does not respond.
func (o *tenant) providerCalls() []auditedCall {
	a := o.api
	a.t.Helper()
	owner := fixed(a.userID(o.owner))
	domain := fmt.Sprintf("audited%d.example", registered.Add(1))
	call := func(
		action string, status int, method, path string, body any, resourceType string, resource idSource,
		changes changeSource,
	) auditedCall {
		return auditedCall{
			action, status, func() response { return a.do(method, path, o.owner, body) }, "USER", owner, resourceType, resource,
			changes,
		}
	}
	organization := fixed(o.organizationID)
	const settings = "/v1/organization/sign-in-provider"
	removed := a.do("POST", "/v1/organization/domains", o.owner, object{"domain": "removed." + domain}).want(200).
		text("data.id")
	return []auditedCall{
		call("SIGN_IN_DOMAIN_ADDED", 200, "POST", "/v1/organization/domains", object{"domain": domain}, "ORGANIZATION",
			organization, changed("domain", nil, domain)),
		call("SIGN_IN_DOMAIN_REMOVED", 204, "DELETE", "/v1/organization/domains/"+removed, nil, "ORGANIZATION", organization,
			changed("domain", nil, "removed."+domain)),
		call("SIGN_IN_PROVIDER_CHANGED", 200, "PUT", settings, object{
			"issuer": "https://id.example", "clientId": "c", "clientSecret": providerSecret, "required": false,
			"createMembers": false,
		}, "ORGANIZATION", organization, changed("issuer", nil, "https://id.example", "clientId", nil, "c", "required", nil,
			"false", "createMembers", nil, "false", "defaultRole", nil, "MEMBER", "signInScopes", nil, "openid email profile",
			"roles", nil, nil, "clientSecret", nil, nil)),
		call("SIGN_IN_RECOVERY_CODES_CREATED", 200, "POST", "/v1/organization/sign-in-recovery-codes", nil, "ORGANIZATION",
			organization, nil),
		call("SIGN_IN_PROVIDER_DELETED", 204, "DELETE", settings, nil, "ORGANIZATION", organization, nil),
	}
}

// A provider that never responds fails its own sign-ins after a bounded time, and takes nothing from other
// organizations.
func TestProviderThatNeverResponds(t *testing.T) {
	withProviders(t, func(t *testing.T, plain *api, found func() company) {
		silent, other := found(), found()
		silent.provider.mu.Lock()
		silent.provider.serve = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		silent.provider.mu.Unlock()
		a := serve(t, plain.store, plain.clock, func(opts *server.Options) {
			opts.Providers = openid.New(openid.Options{
				Transport: http.DefaultTransport, AllowInsecure: true, Timeout: 2 * time.Second, Now: plain.clock.Now,
			})
		})
		began := time.Now()
		locations := make(chan string)
		for range 20 {
			v := a.visitor()
			go func() {
				_, location := v.open(store.ProviderStartPath + "?organization=" + silent.organizationID)
				locations <- location
			}()
		}
		if location := a.visitor().signIn(other); location != "../../app" {
			t.Errorf("a sign-in with another provider leads to %s", location)
		}
		for range 20 {
			if location := <-locations; location != "../../app/sign-in?error=provider_unavailable" {
				t.Errorf("a sign-in leads to %s", location)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("20 sign-ins with a silent provider took %s", took)
		}
	})
}

// Providers can send claims from the UserInfo endpoint only. It must be about the person of the ID token, and an
// address from there is verified only if the endpoint says so.
func TestProviderUserInfo(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		answer := func(idToken, info object) {
			o.provider.says(idToken)
			o.provider.mu.Lock()
			o.provider.user = info
			o.provider.mu.Unlock()
		}
		answer(object{"email": nil, "email_verified": nil},
			object{"sub": "subject-1", "email": o.email, "email_verified": true})
		if location := a.visitor().signIn(o); location != "../../app" {
			t.Errorf("a sign-in with the UserInfo endpoint leads to %s", location)
		}
		for name, wrong := range map[string]struct {
			info object
			code string
		}{
			"another person": {object{"sub": "subject-2", "email": o.email, "email_verified": true}, "provider_failed"},
			"no subject":     {object{"email": o.email, "email_verified": true}, "provider_failed"},
			"not verified":   {object{"sub": "subject-1", "email": o.email, "email_verified": false}, "email_not_accepted"},
			"not said":       {object{"sub": "subject-1", "email": o.email}, "email_not_accepted"},
			"no address":     {object{"sub": "subject-1", "email_verified": true}, "email_not_accepted"},
		} {
			// What the ID token says about no address is not about that of the endpoint.
			for _, verified := range []any{nil, true} {
				t.Log(name, verified)
				answer(object{"email": nil, "email_verified": verified}, wrong.info)
				a.visitor().wantRefused(o, wrong.code)
				answer(object{"email": "", "email_verified": verified, "xms_edov": verified}, wrong.info)
				a.visitor().wantRefused(o, wrong.code)
			}
		}

		// What the ID token says about the address is not changed by the endpoint, which is asked for the roles.
		roles := []object{{"value": "x", "role": "EDITOR"}}
		o.set(object{"createMembers": true, "roleClaim": "groups", "roles": roles}).want(200)
		info := object{"sub": "s", "email": o.email, "email_verified": true, "groups": []string{"x"}}
		answer(object{"sub": "s", "email": "new@" + o.domain, "email_verified": false}, info)
		a.visitor().wantRefused(o, "email_not_accepted")
		answer(object{"sub": "s", "email": "new@" + o.domain}, info)
		o.wantMe().wantFields(object{"data.email": "new@" + o.domain, "data.role": "EDITOR"})
	})
}

// Entra ID sends no email_verified. It can say that the company has verified the domain of the address.
func TestProviderVerifiedDomainOwner(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		for _, said := range []any{true, "true", "1", 1} {
			o.provider.says(object{"email": o.email, "email_verified": nil, "xms_edov": said})
			o.wantMe().wantFields(object{"data.email": o.email})
		}
		for _, claims := range []object{
			{"email_verified": nil, "xms_edov": false}, {"email_verified": nil, "xms_edov": "0"},
			{"email_verified": nil, "xms_edov": []any{true}}, {"email_verified": false, "xms_edov": true},
			{"email_verified": "1", "xms_edov": true},
		} {
			claims["email"] = o.email
			o.provider.says(claims)
			t.Log(claims)
			a.visitor().wantRefused(o, "email_not_accepted")
		}
	})
}
