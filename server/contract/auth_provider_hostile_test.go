package contract

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"assay/store"
)

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// Forms of ID tokens that a library could accept, and an ID token must not have.
func TestProviderTokenForms(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		symmetric := func(secret []byte) func(*ecdsa.PrivateKey, string) string {
			return func(_ *ecdsa.PrivateKey, claims string) string {
				signed := encoded(`{"alg":"HS256","kid":"k"}`) + "." + encoded(claims)
				sum := hmac.New(sha256.New, secret)
				sum.Write([]byte(signed))
				return signed + "." + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
			}
		}
		point, err := o.provider.key.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := stranger.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		for name, sign := range map[string]func(*ecdsa.PrivateKey, string) string{
			"HS256 with the client secret": symmetric([]byte(providerSecret)),
			"HS256 with the public key":    symmetric(point),
			"another key id": func(key *ecdsa.PrivateKey, claims string) string {
				return oidctest.SignIDToken(key, "other", oidc.ES256, claims)
			},
			"a key in the token": func(_ *ecdsa.PrivateKey, claims string) string {
				parts := strings.Split(oidctest.SignIDToken(stranger, "k", oidc.ES256, claims), ".")
				key := `{"kty":"EC","crv":"P-256","x":"` + encoded(string(theirs[1:33])) + `",` +
					`"y":"` + encoded(string(theirs[33:])) + `"}`
				return encoded(`{"alg":"ES256","kid":"k","jwk":`+key+`}`) + "." + parts[1] + "." + parts[2]
			},
			"the JSON serialization": func(key *ecdsa.PrivateKey, claims string) string {
				parts := strings.Split(oidctest.SignIDToken(key, "k", oidc.ES256, claims), ".")
				return `{"protected":"` + parts[0] + `","payload":"` + parts[1] + `","signature":"` + parts[2] + `","a":".."}`
			},
			"padding": func(key *ecdsa.PrivateKey, claims string) string {
				return oidctest.SignIDToken(key, "k", oidc.ES256, claims) + "=="
			},
		} {
			o.provider.signs(sign)
			t.Log(name)
			a.visitor().wantRefused(o, "provider_failed")
		}
		o.provider.signs(nil)
		for name, claims := range map[string]object{
			"no end":            {"exp": nil},
			"valid later":       {"nbf": a.clock.Now().Add(time.Hour).Unix()},
			"no audience":       {"aud": []string{}},
			"a longer audience": {"aud": "assay2"},
			"a longer issuer":   {"iss": o.provider.URL + "/"},
			"a long subject":    {"sub": strings.Repeat("s", 256)},
		} {
			claims["email"] = o.email
			o.provider.says(claims)
			t.Log(name)
			a.visitor().wantRefused(o, "provider_failed")
		}
		o.provider.says(object{"email": o.email, "aud": []string{"assay", "b"}, "azp": "assay"})
		o.wantMe().wantFields(object{"data.email": o.email})
	})
}

// The time of an RSA verification grows with more than the square of the length of the key, which a provider chooses.
func TestProviderHugeKey(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		modulus := make([]byte, 48<<10)
		if _, err := rand.Read(modulus); err != nil {
			t.Fatal(err)
		}
		modulus[0] |= 0x80
		modulus[len(modulus)-1] |= 1
		o.provider.at("/keys", func(w http.ResponseWriter, _ *http.Request) {
			answerJSON(w, object{"keys": []object{{
				"kty": "RSA", "alg": "RS256", "kid": "k", "use": "sig", "e": "AQAB",
				"n": base64.RawURLEncoding.EncodeToString(modulus),
			}}})
		})
		o.provider.signs(func(_ *ecdsa.PrivateKey, claims string) string {
			signature := make([]byte, len(modulus))
			signature[len(signature)-1] = 2
			return encoded(`{"alg":"RS256","kid":"k"}`) + "." + encoded(claims) + "." +
				base64.RawURLEncoding.EncodeToString(signature)
		})
		began := time.Now()
		a.visitor().wantRefused(o, "provider_failed")
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("a sign-in with a key of %d bytes took %s", len(modulus), took)
		}
	})
}

// A provider changes its key. Tokens of the new key are valid at once, and tokens of the old key are refused.
func TestProviderKeyRotation(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.wantMe()
		next, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		o.provider.keys.PublicKeys = []oidctest.PublicKey{{PublicKey: next.Public(), KeyID: "k2", Algorithm: oidc.ES256}}
		o.provider.signs(func(_ *ecdsa.PrivateKey, claims string) string {
			return oidctest.SignIDToken(next, "k2", oidc.ES256, claims)
		})
		o.wantMe()
		o.provider.signs(nil)
		a.visitor().wantRefused(o, "provider_failed")
	})
}

// A part of a response of the provider is in no log, address, or audit entry.
func TestProviderResponsesStayHidden(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		const marker = "<script>marker</script>"
		refuse := func(status int, body string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = w.Write([]byte(body))
			}
		}
		const document = "/.well-known/openid-configuration"
		token := func(id string) string { return `{"access_token":"x","token_type":"Bearer","id_token":` + id + `}` }
		for name, broken := range map[string]struct {
			path   string
			status int
			body   string
			code   string
		}{
			"a refusal of the document":   {document, 404, marker, "provider_unavailable"},
			"another document":            {document, 200, `"` + marker + `"`, "provider_unavailable"},
			"another issuer":              {document, 200, `{"issuer":"` + marker + `"}`, "provider_unavailable"},
			"a refusal of the code":       {"/token", 400, `{"error":"` + marker + `"}`, "provider_failed"},
			"an error with status 200":    {"/token", 200, `{"error":"` + marker + `"}`, "provider_failed"},
			"an unavailable token":        {"/token", 503, marker, "provider_unavailable"},
			"another token":               {"/token", 200, marker, "provider_unavailable"},
			"a redirect of the token":     {"/token", 302, marker, "provider_failed"},
			"a token that is not a JWT":   {"/token", 200, token(`"` + marker + `"`), "provider_failed"},
			"an ID token that is no text": {"/token", 200, token("{}"), "provider_failed"},
			"no keys":                     {"/keys", 404, marker, "provider_failed"},
		} {
			o := found()
			o.provider.at(broken.path, refuse(broken.status, broken.body))
			v := a.visitor()
			_, location := v.open(store.ProviderStartPath + "?organization=" + o.organizationID)
			if strings.HasPrefix(location, o.provider.URL) {
				location = v.signIn(o)
			}
			t.Log(name)
			v.wantNothing(location, broken.code)
			entries := a.do("GET", "/v1/audit-log", o.owner, nil).want(200)
			if strings.Contains(string(entries.body), "marker") {
				t.Errorf("%s: the audit log has the response", name)
			}
		}
		o := found()
		v := a.visitor()
		callback := v.start(o, "")
		from, rest, _ := strings.Cut(callback, "code=")
		_, rest, _ = strings.Cut(rest, "&")
		said := url.QueryEscape(marker)
		_, location := v.open(from + "error=" + said + "&error_description=" + said + "&" + rest)
		v.wantNothing(location, "provider_failed")
		if strings.Contains(a.log.String(), "marker") {
			t.Error("the log has a response of the provider")
		}
	})
}

// A callback that is sent several times at once signs in once.
func TestProviderCallbackOnce(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		first := a.visitor()
		callback := first.start(o, "")
		secret := first.cookies["__Host-assay-provider"]
		locations := make(chan string)
		for range 8 {
			v := a.visitor()
			v.cookies["__Host-assay-provider"] = secret
			go func() {
				_, location := v.open(callback)
				locations <- location
			}()
		}
		entered := 0
		for range 8 {
			switch location := <-locations; location {
			case "../../app":
				entered++
			case "../../app/sign-in?error=sign_in_expired":
			default:
				t.Errorf("a callback leads to %s", location)
			}
		}
		if entered != 1 {
			t.Errorf("%d of 8 callbacks have signed in", entered)
		}
		if got := o.auditedActions("PROVIDER_SIGNED_IN"); len(got) != 1 {
			t.Errorf("%d sign-ins in the audit log", len(got))
		}
	})
}

// No claim of any type is an error of the service, and none admits a person without a verified address.
func TestProviderAnyClaim(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		o.set(object{
			"createMembers": true, "roleClaim": "groups", "roles": []object{{"value": "x", "role": "ADMIN"}},
		}).want(200)
		values := []any{
			nil, true, false, 0, -1.5, 1e300, "", "x", "\u0000", "\u2028", strings.Repeat("x", 5000), []any{}, []any{nil, "x"},
			[]any{[]any{"x"}}, object{}, object{"x": object{}}, make([]any, 2000),
		}
		for _, claim := range []string{
			"iss", "aud", "azp", "sub", "nonce", "exp", "iat", "nbf", "email", "email_verified", "name", "groups",
			"_claim_names", "_claim_sources", "at_hash",
		} {
			for _, value := range values {
				o.person("s", "x@"+o.domain, object{claim: value})
				v := a.visitor()
				status, location := v.open(v.start(o, ""))
				if status != http.StatusFound || !strings.HasPrefix(location, "../../app") {
					t.Errorf("%s is %v: %d %s", claim, value, status, location)
				}
				isEssential := claim != "iat" && claim != "nbf" && claim != "name" && claim != "groups" &&
					claim[0] != '_' && claim != "at_hash"
				if entered := v.token() != ""; entered && isEssential && !permits(claim, value) {
					t.Errorf("%s is %v, and the person enters", claim, value)
				}
			}
		}
	})
}

// permits reports whether a value of a claim is one with which a person enters.
func permits(claim string, value any) bool {
	switch claim {
	case "azp":
		return value == nil || value == ""
	case "email_verified":
		return value == true
	case "sub":
		return value == "x"
	}
	return false
}
