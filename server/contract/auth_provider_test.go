package contract

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// A sign-in with the provider of the company is valid only in its organization.
func TestProviderSignIn(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		started := a.do("POST", "/v1/auth/sign-in-provider", anonymous,
			object{"email": "Anybody@" + strings.ToUpper(o.domain)}).want(200).text("data.startUrl")
		if want := a.base + "/sign-in/provider/start?organization=" + o.organizationID; started != want {
			t.Errorf("the sign-in starts at %s, want %s", started, want)
		}
		if got := a.do("POST", "/v1/auth/sign-in-provider", anonymous, object{"email": "x@unknown.example"}).want(200).
			at("data.startUrl"); got != nil {
			t.Errorf("an unknown domain starts at %v", got)
		}
		v := a.visitor()
		_, location := v.open(v.start(o, "&return="+url.QueryEscape("/app/assessments?status=DRAFT")))
		if location != "../../app/assessments?status=DRAFT" {
			t.Errorf("the callback leads to %s", location)
		}
		a.do("GET", "/v1/me", bearer(v.token()), nil).want(200).
			wantFields(object{"data.email": o.email, "data.organization.id": o.organizationID, "data.role": "OWNER"})
		if got := o.auditedActions("PROVIDER_SIGNED_IN"); len(got) != 1 {
			t.Errorf("%d sign-ins in the audit log", len(got))
		}
		shown := a.do("GET", "/v1/organization/sign-in-provider", o.owner, nil).want(200)
		if shown.at("data.lastSucceededAt") == nil {
			t.Error("the sign-in is not noted at the provider")
		}

		// The sign-ins with the provider end with it. Those with a password stay.
		a.do("DELETE", "/v1/organization/sign-in-provider", o.owner, nil).want(204)
		if v.token() != "" {
			t.Error("the session has outlived the provider")
		}
		a.do("GET", "/v1/me", o.owner, nil).want(200)
		for _, secret := range append(o.provider.issued, providerSecret) {
			if strings.Contains(a.log.String(), secret) || strings.Contains(string(shown.body), secret) {
				t.Errorf("%s is in the log or the response", secret)
			}
		}
	})
}

// A browser completes only the sign-in that it has started, once, and within ten minutes.
func TestProviderAttempts(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o, other := found(), found()
		victim, attacker := a.visitor(), a.visitor()

		// The attacker makes a victim open the callback of the attacker's sign-in.
		callback := attacker.start(o, "")
		victim.start(o, "")
		_, location := victim.open(callback)
		victim.wantNothing(location, "sign_in_expired")
		_, location = a.visitor().open(callback)
		a.visitor().wantNothing(location, "sign_in_expired")

		// A callback works once, and so does a code.
		secret := attacker.cookies["__Host-assay-provider"]
		if _, location = attacker.open(callback); location != "../../app" {
			t.Fatalf("the callback leads to %s", location)
		}
		attacker.cookies = map[string]string{"__Host-assay-provider": secret}
		_, location = attacker.open(callback)
		attacker.wantNothing(location, "sign_in_expired")
		used := callback[strings.Index(callback, "code=")+5:]
		used, _, _ = strings.Cut(used, "&")
		fresh, err := url.Parse(attacker.start(o, ""))
		if err != nil {
			t.Fatal(err)
		}
		query := fresh.Query()
		query.Set("code", used)
		fresh.RawQuery = query.Encode()
		_, location = attacker.open(fresh.String())
		attacker.wantNothing(location, "provider_failed")

		// A code of another provider does not complete the sign-in (mix-up), with and without the issuer.
		for _, issuer := range []string{other.provider.URL, o.provider.URL, ""} {
			mixed, err := url.Parse(attacker.start(o, ""))
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := url.Parse(a.visitor().start(other, ""))
			if err != nil {
				t.Fatal(err)
			}
			query := url.Values{"state": {mixed.Query().Get("state")}, "code": {theirs.Query().Get("code")}}
			if issuer != "" {
				query.Set("iss", issuer)
			}
			_, location = attacker.open(mixed.Path + "?" + query.Encode())
			attacker.wantNothing(location, "provider_failed")
		}

		late := attacker.start(o, "")
		a.clock.Advance(10*time.Minute + time.Second)
		_, location = attacker.open(late)
		attacker.wantNothing(location, "sign_in_expired")

		// A provider that was changed meanwhile.
		changed := attacker.start(o, "")
		o.set(object{"clientId": "another"}).want(200)
		_, location = attacker.open(changed)
		attacker.wantNothing(location, "sign_in_expired")
	})
}

// The ID token is checked (OpenID Connect Core 1.0, section 3.1.3.7).
func TestProviderTokens(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		email := object{"email": o.email}
		unsigned := func(header string) func(*ecdsa.PrivateKey, string) string {
			return func(_ *ecdsa.PrivateKey, claims string) string {
				return base64.RawURLEncoding.EncodeToString([]byte(header)) + "." +
					base64.RawURLEncoding.EncodeToString([]byte(claims)) + "."
			}
		}
		for name, wrong := range map[string]struct {
			claims object
			sign   func(*ecdsa.PrivateKey, string) string
			code   string
		}{
			"alg none": {email, unsigned(`{"alg":"none"}`), "provider_failed"},
			"no alg":   {email, unsigned(`{}`), "provider_failed"},
			"another key": {email, func(_ *ecdsa.PrivateKey, claims string) string {
				return oidctest.SignIDToken(stranger, "k", oidc.ES256, claims)
			}, "provider_failed"},
			"no ID token":      {email, func(*ecdsa.PrivateKey, string) string { return "" }, "provider_failed"},
			"another audience": {object{"email": o.email, "aud": "another"}, nil, "provider_failed"},
			"two audiences":    {object{"email": o.email, "aud": []string{"assay", "b"}}, nil, "provider_failed"},
			"for another client": {
				object{"email": o.email, "aud": []string{"assay", "b"}, "azp": "b"}, nil, "provider_failed"},
			"expired":        {object{"email": o.email, "exp": a.clock.Now().Add(-time.Minute).Unix()}, nil, "provider_failed"},
			"no nonce":       {object{"email": o.email, "nonce": nil}, nil, "provider_failed"},
			"another nonce":  {object{"email": o.email, "nonce": "n"}, nil, "provider_failed"},
			"another issuer": {object{"email": o.email, "iss": "https://other.example"}, nil, "provider_failed"},
			"no subject":     {object{"email": o.email, "sub": ""}, nil, "provider_failed"},
			"not verified":   {object{"email": o.email, "email_verified": false}, nil, "email_not_accepted"},
			"not known whether verified": {
				object{"email": o.email, "email_verified": nil}, nil, "email_not_accepted"},
			"another domain":  {object{"email": "owner@another.example"}, nil, "email_not_accepted"},
			"a longer domain": {object{"email": "owner@x." + o.domain}, nil, "email_not_accepted"},
			"two addresses":   {object{"email": "owner@" + o.domain + "@another.example"}, nil, "email_not_accepted"},
			"no address":      {object{}, nil, "email_not_accepted"},
			"unknown person":  {object{"email": "x@" + o.domain, "sub": "x"}, nil, "not_a_member"},
			"NUL":             {object{"email": o.email, "sub": "a\x00b"}, nil, "provider_failed"},
		} {
			o.provider.mu.Lock()
			o.provider.sign = wrong.sign
			o.provider.mu.Unlock()
			o.provider.says(wrong.claims)
			t.Log(name)
			a.visitor().wantRefused(o, wrong.code)
		}
		if got := len(o.auditedActions("PROVIDER_SIGN_IN_FAILED")); got != 20 {
			t.Errorf("%d failures in the audit log, want 20", got)
		}
	})
}

// The page to open after the sign-in is always one of the dashboard.
func TestProviderReturn(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		for _, address := range []string{
			"https://evil.example/app", "//evil.example/app", "/\\evil.example", "/app/../../evil", "/app/..%2f..%2fx", "/appx",
			"/v1/me", "app", "/app//evil.example", "javascript:alert(1)", "/app\r\nSet-Cookie: a=b", "/app/%0d%0a", "",
			"/app/" + strings.Repeat("a", 600),
		} {
			v := a.visitor()
			if _, location := v.open(v.start(o, "&return="+url.QueryEscape(address))); location != "../../app" {
				t.Errorf("%q leads to %q", address, location)
			}
		}
	})
}

// A provider that does not work fails the sign-in, and nothing else.
func TestProviderUnavailable(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		for name, broken := range map[string]http.HandlerFunc{
			"error":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
			"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
			"10 MB": func(w http.ResponseWriter, _ *http.Request) {
				for range 10 {
					_, _ = w.Write([]byte(`{"a": "` + strings.Repeat("x", 1<<20)))
				}
			},
			"redirect": func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
			},
			"another issuer": func(w http.ResponseWriter, _ *http.Request) {
				answerJSON(w, object{"issuer": "https://other.example", "authorization_endpoint": "https://other.example"})
			},
		} {
			o := found()
			o.provider.mu.Lock()
			o.provider.serve = broken
			o.provider.mu.Unlock()
			status, location := a.visitor().open("/sign-in/provider/start?organization=" + o.organizationID)
			if status != http.StatusFound || location != "../../app/sign-in?error=provider_unavailable" {
				t.Errorf("%s: %d %s", name, status, location)
			}
		}
		a.visitor().open("/sign-in/provider/start?organization=org_00000000000000000000000000")
	})
}
