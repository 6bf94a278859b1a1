package contract

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay/server"
	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
)

// onRegistration runs a test against two replicas with a mode of registration and a
// base URL, on each kind of database.
func onRegistration(
	t *testing.T, mode store.RegistrationMode, baseURL string, limits store.SignInLimits,
	test func(t *testing.T, a, b *api),
) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		one := func() *api {
			s := storetest.OpenURL(t, address, clock.Now, func(opts *store.Options) {
				opts.Registration, opts.SignInLimits = mode, limits
			})
			a := serve(t, s, clock, func(opts *server.Options) { opts.BaseURL = baseURL })
			a.database = address
			return a
		}
		test(t, one(), one())
	})
}

const localURL = "https://localhost:8080" // with https, so that the harness finds the headers that it expects

func registration(token string) object {
	body := object{"organizationName": "O", "name": "Ada Lovelace", "email": newEmail(), "password": testPassword}
	if token != "" {
		body["setupToken"] = token
	}
	return body
}

// setupToken is the token that the replicas of a test accept.
func setupToken(t *testing.T) string {
	t.Helper()
	ring, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	return ring.SetupToken()
}

// The first registration from another machine needs the setup token, which every replica
// accepts. Afterwards, every registration is refused, with any token, from any network.
func TestFirstRegistration(t *testing.T) {
	onRegistration(t, store.RegistrationFirst, localURL, store.SignInLimits{}, func(t *testing.T, a, b *api) {
		const elsewhere = "192.0.2.1"
		token := setupToken(t)
		hashes := a.store.PasswordHashes()
		for _, wrong := range []string{"", "x", "setup_", token[:len(token)-1], token + "0", strings.ToUpper(token)} {
			a.from(elsewhere, "POST", "/v1/auth/register", anonymous, registration(wrong)).want(403, "setup_token_required")
		}
		if a.store.PasswordHashes() != hashes {
			t.Error("a refused registration computed a password hash")
		}
		if rows := storetest.Count(t, a.database, "organizations"); rows != 0 {
			t.Fatalf("%d organizations exist", rows)
		}
		for _, replica := range []*api{a, b} {
			if got, err := replica.store.UnscopedSetupToken(t.Context()); got != token || err != nil {
				t.Fatalf("the replica prints %q, %v, want %q", got, err, token)
			}
		}

		weak := registration(token)
		weak["password"] = "012345678901"
		b.from(elsewhere, "POST", "/v1/auth/register", anonymous, weak).want(400, "invalid_request")
		b.from(elsewhere, "POST", "/v1/auth/register", anonymous, registration(token)).want(201)

		hashes = a.store.PasswordHashes() + b.store.PasswordHashes()
		for _, replica := range []*api{a, b} {
			for _, body := range []object{registration(token), registration(""), registration("x")} {
				replica.from(elsewhere, "POST", "/v1/auth/register", anonymous, body).want(403, "registration_closed")
				replica.registerLocally(body, nil).want(403, "registration_closed")
			}
			if got, err := replica.store.UnscopedSetupToken(t.Context()); got != "" || err != nil {
				t.Errorf("the replica still prints %q, %v", got, err)
			}
		}
		if a.store.PasswordHashes()+b.store.PasswordHashes() != hashes {
			t.Error("a refused registration computed a password hash")
		}
		if strings.Contains(a.log.String()+b.log.String(), token) {
			t.Error("the log contains the setup token")
		}
	})
}

// registerLocally sends a registration as a program on the machine of the service does,
// with changes.
func (a *api) registerLocally(body object, change func(*http.Request)) response {
	a.t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(a.t.Context(), "POST", "/v1/auth/register", bytes.NewReader(content))
	r.RemoteAddr, r.Host = "127.0.0.1:4711", "127.0.0.1:8080"
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	answer := recorder.Result()
	if err := contract().check(r, answer.StatusCode, answer.Header, recorder.Body.Bytes()); err != nil {
		a.t.Errorf("%d breaks the contract: %v\n%s", answer.StatusCode, err, recorder.Body)
	}
	return response{t: a.t, name: "POST /v1/auth/register", status: answer.StatusCode, header: answer.Header,
		body: recorder.Body.Bytes()}
}

// A request from the same machine needs no token. A request that can come
// from a proxy on this machine, or from another site's page in a browser, needs one.
func TestLocalRegistration(t *testing.T) {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	peer := func(address string) func(*http.Request) { return func(r *http.Request) { r.RemoteAddr = address } }
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	attacks := map[string]func(*http.Request){
		"another machine":             peer("192.0.2.1:4711"),
		"another machine, IPv6":       peer("[2001:db8::1]:4711"),
		"this network":                peer("10.0.0.1:4711"),
		"link-local":                  peer("[fe80::1%lo]:4711"),
		"unspecified":                 peer("0.0.0.0:4711"),
		"a socket":                    peer("@"),
		"no peer":                     peer(""),
		"X-Forwarded-For":             header("X-Forwarded-For", "127.0.0.1"),
		"X-Forwarded-For, stranger":   header("X-Forwarded-For", "203.0.113.1"),
		"X-Forwarded-For, empty":      header("X-Forwarded-For", ""),
		"X-Forwarded-Proto":           header("X-Forwarded-Proto", "http"),
		"X-Forwarded-Host":            header("X-Forwarded-Host", "localhost"),
		"Forwarded":                   header("Forwarded", "for=127.0.0.1"),
		"Via":                         header("Via", "1.1 proxy"),
		"X-Real-Ip":                   header("X-Real-Ip", "127.0.0.1"),
		"Cloudflare":                  header("Cf-Connecting-Ip", "127.0.0.1"),
		"nginx without headers":       func(r *http.Request) { r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.0", 1, 0 },
		"a proxy that keeps the host": host("assay.example"),
		"a rebound name":              host("rebound.attacker.example:8080"),
		"a name like localhost":       host("localhost.attacker.example"),
		"an address as a name":        host("127.0.0.1.attacker.example"),
		"no host":                     host(""),
		"another machine claims it": func(r *http.Request) {
			r.RemoteAddr = "192.0.2.1:4711"
			r.Header.Set("X-Forwarded-For", "127.0.0.1")
			r.Host = "localhost"
		},
	}
	local := map[string]func(*http.Request){
		"IPv4":           nil,
		"IPv4, no port":  host("127.0.0.1"),
		"IPv4, another":  peer("127.9.9.9:4711"),
		"IPv4 in IPv6":   peer("[::ffff:127.0.0.1]:4711"),
		"IPv6":           func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:4711", "[::1]:8080" },
		"IPv6, no port":  func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:4711", "[::1]" },
		"localhost":      host("localhost:8080"),
		"localhost name": host("LocalHost"),
	}
	onRegistration(t, store.RegistrationFirst, localURL, store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		for name, change := range attacks {
			if got := a.registerLocally(registration(""), change); got.status != 403 || got.code() != "setup_token_required" {
				t.Errorf("%s: %d %s", name, got.status, got.code())
			}
		}
		for name, change := range local {
			weak := registration("") // refused later, so that each form can be tested
			weak["password"] = "012345678901"
			if got := a.registerLocally(weak, change); got.status != 400 {
				t.Errorf("%s: %d %s", name, got.status, got.code())
			}
		}
		a.registerLocally(registration(""), nil).want(201)
		a.registerLocally(registration(""), nil).want(403, "registration_closed")
	})
}

// With a public base URL there is a proxy, so a request from this machine needs the token.
func TestLocalRegistrationBehindProxy(t *testing.T) {
	onRegistration(t, store.RegistrationFirst, "https://assay.test", store.SignInLimits{}, func(t *testing.T, a, _ *api) {
		a.registerLocally(registration(""), nil).want(403, "setup_token_required")
		a = serve(t, a.store, a.clock, func(opts *server.Options) { opts.TrustedProxies = trustedProxies })
		a.registerLocally(registration(""), func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") }).
			want(403, "setup_token_required")
		a.registerLocally(registration(setupToken(t)), func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", "203.0.113.1")
		}).want(201)
	})
}

// Of many first registrations at once, on several replicas, exactly one succeeds.
func TestFirstRegistrationAtOnce(t *testing.T) {
	onRegistration(t, store.RegistrationFirst, localURL, store.SignInLimits{}, func(t *testing.T, a, b *api) {
		token := setupToken(t)
		answers := atOnce(20, func(i int) response {
			return []*api{a, b}[i%2].do("POST", "/v1/auth/register", anonymous, registration(token))
		})
		if got := statuses(answers); got[201] != 1 || got[403] != 19 {
			t.Errorf("%v, want one 201 and nineteen 403", got)
		}
		for _, table := range []string{"organizations", "users", "logins"} {
			if rows := storetest.Count(t, a.database, table); rows != 1 {
				t.Errorf("%s has %d rows, want 1", table, rows)
			}
		}
	})
}

// A client that has not received the response of the first registration gets it by
// sending the request again with the same Idempotency-Key.
func TestFirstRegistrationAgain(t *testing.T) {
	onRegistration(t, store.RegistrationFirst, localURL, store.SignInLimits{}, func(t *testing.T, a, b *api) {
		body := registration(setupToken(t))
		send := func(replica *api, body object, key string) response {
			return replica.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, body, "Idempotency-Key", key)
		}
		refused := registration("wrong")
		send(a, refused, "wrong").want(403, "setup_token_required")
		first := send(a, body, "key").want(201)
		hashes := b.store.PasswordHashes()
		again := send(b, body, "key").want(201)
		if again.header.Get("Idempotency-Replayed") != "true" ||
			again.text("data.organization.id") != first.text("data.organization.id") {
			t.Errorf("the second response is another one: %s", again.body)
		}
		send(b, body, "another key").want(403, "registration_closed")
		send(b, refused, "wrong").want(403, "registration_closed")
		if b.store.PasswordHashes() != hashes {
			t.Error("computed a password hash")
		}
	})
}

// A closed service refuses each registration before it computes a hash, and counts it.
func TestClosedRegistration(t *testing.T) {
	limits := store.SignInLimits{RegisterIP: signInLimits.RegisterIP}
	onRegistration(t, store.RegistrationClosed, localURL, limits, func(t *testing.T, a, _ *api) {
		token := setupToken(t)
		hashes := a.store.PasswordHashes()
		for i := range 10 {
			body := registration([]string{"", token}[i%2])
			a.registerLocally(body, nil).want(403, "registration_closed")
			a.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, body, "Idempotency-Key", "key").
				want(403, "registration_closed")
		}
		a.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, registration(token)).limited("register-ip")
		if a.store.PasswordHashes() != hashes {
			t.Error("computed a password hash")
		}
		if rows := storetest.Count(t, a.database, "organizations"); rows != 0 {
			t.Errorf("%d organizations exist", rows)
		}
		if got, err := a.store.UnscopedSetupToken(t.Context()); got != "" || err != nil {
			t.Errorf("the service prints %q, %v", got, err)
		}
	})
}

// Guesses of the setup token are bounded as all registrations are.
func TestSetupTokenGuesses(t *testing.T) {
	limits := store.SignInLimits{RegisterIP: signInLimits.RegisterIP}
	onRegistration(t, store.RegistrationFirst, localURL, limits, func(t *testing.T, a, b *api) {
		for i := range 10 {
			[]*api{a, b}[i%2].from("192.0.2.1", "POST", "/v1/auth/register", anonymous, registration("guess")).
				want(403, "setup_token_required")
		}
		a.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, registration(setupToken(t))).limited("register-ip")
		a.clock.Advance(time.Hour)
		a.from("192.0.2.1", "POST", "/v1/auth/register", anonymous, registration(setupToken(t))).want(201)
	})
}
