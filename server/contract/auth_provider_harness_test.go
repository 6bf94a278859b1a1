package contract

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"assay/server"
	"assay/server/openid"
	"assay/store"
)

const providerSecret = "the secret of the client 4711"

// openIDProvider is an OpenID Connect provider on the loopback. Its person signs in without a form. A test changes what
// it does wrong.
type openIDProvider struct {
	*httptest.Server
	key  *ecdsa.PrivateKey
	now  func() time.Time
	mux  *http.ServeMux
	keys *oidctest.Server

	mu     sync.Mutex
	claims object                                            // of the ID token, in addition to the usual ones
	sign   func(key *ecdsa.PrivateKey, claims string) string // nil for a valid signature
	codes  map[string]url.Values                             // the authorization requests, by code
	issued []string                                          // codes and tokens, which must be nowhere
	serve  http.HandlerFunc                                  // instead of the provider; nil for none
	user   object                                            // the UserInfo response; nil for none
}

func newOpenIDProvider(t *testing.T, now func() time.Time) *openIDProvider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	keys := &oidctest.Server{PublicKeys: []oidctest.PublicKey{
		{PublicKey: key.Public(), KeyID: "k", Algorithm: oidc.ES256},
	}}
	p := &openIDProvider{key: key, now: now, mux: mux, keys: keys, codes: map[string]url.Values{}}
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		document := object{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256", "RS256", "none", "HS256"},
			"authorization_response_iss_parameter_supported": true,
		}
		p.mu.Lock()
		if p.user != nil {
			document["userinfo_endpoint"] = p.URL + "/userinfo"
		}
		p.mu.Unlock()
		answerJSON(w, document)
	})
	mux.Handle("GET /keys", keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		answerJSON(w, p.user)
	})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		instead := p.serve
		p.mu.Unlock()
		if instead != nil {
			instead(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	keys.SetIssuer(p.URL)
	return p
}

func answerJSON(w http.ResponseWriter, content any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(content)
}

func (p *openIDProvider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	code := rand.Text()
	p.codes[code] = r.URL.Query()
	p.issued = append(p.issued, code)
	back := url.Values{"code": {code}, "state": {r.URL.Query().Get("state")}, "iss": {p.URL}}
	http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *openIDProvider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, known := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	user, password, _ := r.BasicAuth()
	secret, _ := url.QueryUnescape(password)
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || user != asked.Get("client_id") || secret != providerSecret ||
		asked.Get("code_challenge_method") != "S256" ||
		asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(challenge[:]) ||
		asked.Get("redirect_uri") != r.FormValue("redirect_uri") {
		http.Error(w, `{"error": "invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := object{
		"iss": p.URL, "aud": user, "sub": "subject-1", "nonce": asked.Get("nonce"), "exp": p.now().Add(time.Hour).Unix(),
		"iat": p.now().Unix(), "email_verified": true, "name": "Mei Lindqvist",
	}
	maps.Copy(claims, p.claims)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	encoded, _ := json.Marshal(claims)
	sign := p.sign
	if sign == nil {
		sign = func(key *ecdsa.PrivateKey, claims string) string {
			return oidctest.SignIDToken(key, "k", oidc.ES256, claims)
		}
	}
	idToken, access := sign(p.key, string(encoded)), rand.Text()
	p.issued = append(p.issued, idToken, access, r.FormValue("code_verifier"))
	answerJSON(w, object{"access_token": access, "token_type": "Bearer", "expires_in": 60, "id_token": idToken})
}

// at serves one address in another way.
func (p *openIDProvider) at(path string, serve http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serve = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			serve(w, r)
			return
		}
		p.mux.ServeHTTP(w, r)
	}
}

// signs changes how ID tokens are signed.
func (p *openIDProvider) signs(sign func(key *ecdsa.PrivateKey, claims string) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sign = sign
}

// says changes the claims of the ID token. nil removes one.
func (p *openIDProvider) says(claims object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claims = claims
}

// txtRecords are the TXT records of all domains of a test.
type txtRecords struct {
	mu      sync.Mutex
	records map[string][]string
}

func (r *txtRecords) lookup(_ context.Context, name string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if found := r.records[name]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("no such host: %s", name)
}

// company is an organization with a provider and a verified domain.
type company struct {
	*tenant
	provider *openIDProvider
	domain   string
	records  *txtRecords
}

// withProviders runs a test against a server that speaks to providers on the loopback.
func withProviders(
	t *testing.T, test func(t *testing.T, a *api, found func() company), changes ...func(*store.Options),
) {
	t.Helper()
	records := &txtRecords{records: map[string][]string{}}
	onEach(t, func(t *testing.T, plain *api) {
		a := serve(t, plain.store, plain.clock, func(opts *server.Options) {
			opts.Providers = openid.New(openid.Options{
				Transport: http.DefaultTransport, AllowInsecure: true, Now: plain.clock.Now,
			})
		})
		a.database = plain.database
		test(t, a, func() company { return a.found(records) })
	}, append(changes, func(opts *store.Options) { opts.AllowInsecureWebhooks, opts.LookupTXT = true, records.lookup })...)
}

// found makes a company. Its provider knows the OWNER.
func (a *api) found(records *txtRecords) company {
	a.t.Helper()
	t := a.t.(*testing.T)
	domain := fmt.Sprintf("company%d%s.example", registered.Add(1), run)
	email := "owner@" + domain
	r := a.registerEmail(email).want(201)
	if err := a.store.UnscopedProveEmail(t.Context(), email); err != nil {
		t.Fatal(err)
	}
	o := company{
		tenant: &tenant{
			api: a, organizationID: r.text("data.organization.id"), email: email, access: r.text("data.accessToken"),
			owner: bearer(r.text("data.accessToken")),
		},
		provider: newOpenIDProvider(t, a.clock.Now), domain: domain, records: records,
	}
	o.set(object{})
	added := a.do("POST", "/v1/organization/domains", o.owner, object{"domain": domain}).want(200)
	records.mu.Lock()
	records.records[domain+"."] = []string{"v=spf1 -all", added.text("data.txtValue")}
	records.mu.Unlock()
	a.do("POST", "/v1/organization/domains/"+added.text("data.id")+"/verify", o.owner, nil).want(200).
		wantFields(object{"data.state": "VERIFIED"})
	o.provider.says(object{"email": email})
	return o
}

// set stores the settings of the provider.
func (o company) set(settings object) response {
	o.api.t.Helper()
	whole := object{"issuer": o.provider.URL, "clientId": "assay", "clientSecret": providerSecret}
	maps.Copy(whole, settings)
	return o.api.do("PUT", "/v1/organization/sign-in-provider", o.owner, whole)
}

// visitor is a browser with its cookies.
type visitor struct {
	api     *api
	cookies map[string]string
}

func (a *api) visitor() *visitor { return &visitor{a, map[string]string{}} }

// open opens an address of the service from a page of it, and returns where it leads.
func (v *visitor) open(address string) (status int, location string) {
	v.api.t.Helper()
	answer := v.send(http.MethodGet, address, http.Header{"Sec-Fetch-Site": {"same-origin"}})
	return answer.status, answer.header.Get("Location")
}

// page is a response to a visitor.
type page struct {
	status int
	header http.Header
	body   string
}

// send sends a request with the cookies.
func (v *visitor) send(method, address string, header http.Header) page {
	v.api.t.Helper()
	address = v.api.url + strings.TrimPrefix(strings.TrimPrefix(address, v.api.base), v.api.url)
	r, err := http.NewRequestWithContext(v.api.t.(*testing.T).Context(), method, address, nil)
	if err != nil {
		v.api.t.Fatal(err)
	}
	r.Header = header
	for name, value := range v.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		v.api.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.api.t.Fatal(err)
	}
	for _, cookie := range answer.Cookies() {
		if !cookie.HttpOnly || !cookie.Secure || cookie.Path != "/" || !strings.HasPrefix(cookie.Name, "__Host-") {
			v.api.t.Errorf("the cookie %v is not protected", cookie)
		}
		if v.cookies[cookie.Name] = cookie.Value; cookie.MaxAge < 0 {
			delete(v.cookies, cookie.Name)
		}
	}
	return page{answer.StatusCode, answer.Header, string(body)}
}

// start starts a sign-in, and returns the address of the callback to which the provider leads.
func (v *visitor) start(o company, query string) (callback string) {
	v.api.t.Helper()
	status, location := v.open(store.ProviderStartPath + "?organization=" + o.organizationID + query)
	if status != http.StatusFound || !strings.HasPrefix(location, o.provider.URL) {
		v.api.t.Fatalf("the start leads to %d %s", status, location)
	}
	r, err := http.NewRequestWithContext(v.api.t.(*testing.T).Context(), http.MethodGet, location, nil)
	if err != nil {
		v.api.t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		v.api.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.Header.Get("Location")
}

// signIn signs in with the provider, and returns where the callback leads.
func (v *visitor) signIn(o company) (location string) {
	v.api.t.Helper()
	_, location = v.open(v.start(o, ""))
	return location
}

// token returns an access token of the browser's session, or "" if it has none.
func (v *visitor) token() string {
	v.api.t.Helper()
	r := httptest.NewRequest(http.MethodPut, "/app/session", nil)
	r.Host = "assay.test"
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for name, value := range v.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	v.api.server.ServeHTTP(w, r)
	var answer struct {
		Data struct {
			AccessToken string `json:"accessToken"`
		} `json:"data"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		v.api.t.Fatal(err)
	}
	return answer.Data.AccessToken
}

// wantRefused signs in, and fails the test unless the sign-in is refused with the code.
func (v *visitor) wantRefused(o company, code string) {
	v.api.t.Helper()
	location := v.signIn(o)
	v.wantNothing(location, code)
}

func (v *visitor) wantNothing(location, code string) {
	v.api.t.Helper()
	if location != "../../app/sign-in?error="+code || v.token() != "" {
		v.api.t.Errorf("the callback leads to %q, want the code %s and no session", location, code)
	}
}
