package contract

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// use calls an operation that needs the scope assessments:read.
func (a *api) use(key string) response {
	a.t.Helper()
	return a.do("GET", "/v1/public/assessments", apiKeyOf(key), nil)
}

// Only the response to the creation contains the whole key. Reads and the log must not,
// because a key is a secret.
func TestAPIKeyShownOnlyAtCreation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		expiry := wire(a.store.Now().Add(time.Hour))
		made := a.do("POST", "/v1/api-keys", o.owner, object{
			"name": " Careers 😀 ", "scopes": []string{"results:read", "assessments:read"}, "expiresAt": expiry,
		}).want(201)
		key, path := made.text("data.key"), made.header.Get("Location")
		made.wantFields(object{
			"data.name": " Careers 😀 ", "data.scopes": []string{"results:read", "assessments:read"}, "data.expiresAt": expiry,
			"data.prefix": key[:12], "data.last4": key[len(key)-4:], "data.createdAt": wire(a.store.Now()),
		})
		a.use(key).want(200)
		a.do("GET", "/v1/public/candidate-sessions", apiKeyOf(key), nil).want(403, "insufficient_scope")
		read := a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.id": made.at("data.id"), "data.name": " Careers 😀 ", "data.prefix": key[:12], "data.last4": key[len(key)-4:],
			"data.expiresAt": expiry, "data.revokedAt": nil,
		})
		listed := a.do("GET", "/v1/api-keys", o.owner, nil).want(200).wantFields(object{"data.0": read.data()})
		for _, shown := range []response{read, listed} {
			if strings.Contains(string(shown.body), key[12:len(key)-4]) {
				t.Errorf("%s contains the secret part of the key", shown.name)
			}
		}

		if strings.Contains(a.log.String(), key[12:len(key)-4]) {
			t.Error("the log contains the secret part of the key")
		}
		second := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": []string{"results:read"},
			"expiresAt": nil}).want(201)
		second.wantFields(object{"data.expiresAt": nil})
		if second.text("data.key") == key {
			t.Error("two calls created the same key")
		}
		a.use(second.text("data.key")).want(403, "insufficient_scope")
		ids, pages := a.pages("/v1/api-keys?limit=1", o.owner, "id")
		if pages != 2 || !slices.Equal(ids, []string{second.text("data.id"), made.text("data.id")}) {
			t.Errorf("%d pages with the ids %v", pages, ids)
		}
		for _, past := range []string{wire(a.store.Now()), "2020-01-01T00:00:00Z"} {
			refused := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": []string{"results:read"},
				"expiresAt": past}).want(400)
			if got := refused.faults(); !slices.Equal(got, []string{"body /expiresAt too_small"}) {
				t.Errorf("created with expiresAt %s: %v", past, got)
			}
		}
	})
}

// The server accepts a key only in its exact spelling, once, in the header X-API-Key.
func TestAPIKeyMustMatchExactly(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key().value
		for _, wrong := range []string{
			key[:len(key)-1], key + "0", key + "," + key, strings.ToUpper(key), "pk_live_" + strings.ToUpper(key[8:]),
			strings.TrimPrefix(key, "pk_live_"),
			"pk_test_" + key[8:], "pk_live_" + strings.Repeat("0", 64), "Bearer " + key, `"` + key + `"`, "pk_live_", o.access,
		} {
			a.use(wrong).want(401, "unauthenticated")
		}
		a.do("GET", "/v1/public/assessments", bearer(key), nil).want(401, "unauthenticated")
		a.do("GET", "/v1/public/assessments?api_key="+key, anonymous, nil).want(401, "unauthenticated")
		twice, err := http.NewRequestWithContext(t.Context(), "GET", a.url+"/v1/public/assessments", nil)
		if err != nil {
			t.Fatal(err)
		}
		twice.Header["X-Api-Key"] = []string{key, key}
		a.send(twice).want(401, "unauthenticated")
		a.use(key).want(200)
	})
}

// A revoked key is rejected at once on the replica that revoked it, and after one second on
// the others, because they cache keys for a second.
func TestAPIKeyRevocation(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		made := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes}).want(201)
		key, path := made.text("data.key"), made.header.Get("Location")
		other := o.key()
		for _, replica := range []*api{a, b} {
			replica.use(key).want(200)
		}
		at := wire(a.store.Now())
		a.do("DELETE", path, o.owner, nil).want(204)
		a.use(key).want(401, "unauthenticated")
		a.clock.Advance(time.Second)
		b.use(key).want(401, "unauthenticated")
		b.do("DELETE", path, o.owner, nil).want(204) // a second revocation does not change revokedAt
		for _, replica := range []*api{a, b} {
			replica.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.revokedAt": at})
			replica.do("GET", "/v1/api-keys", o.owner, nil).want(200).
				wantFields(object{"data.1.revokedAt": at, "data.0.revokedAt": nil})
			replica.use(key).want(401, "unauthenticated")
			replica.use(other.value).want(200)
		}
	})
}

// An expired key must be rejected from the exact moment of expiry. The credential
// cache must not extend its life.
func TestAPIKeyExpiry(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, before := range []time.Duration{time.Minute, time.Second, 700 * time.Millisecond, time.Millisecond} {
			expiry := a.store.Now().Add(time.Minute)
			key := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes, "expiresAt": wire(expiry)}).
				want(201).text("data.key")
			a.setClock(expiry.Add(-before))
			a.use(key).want(200)
			for _, after := range []time.Duration{0, time.Millisecond, time.Second, time.Minute} {
				a.setClock(expiry.Add(after))
				if answer := a.use(key); answer.status != 401 {
					t.Errorf("used %s before expiry, then %s after expiry: %d", before, after, answer.status)
				}
			}
		}
	})
}

// lastUsedAt changes at most once a minute, because otherwise every read would
// cause a write.
func TestAPIKeyLastUse(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		made := a.do("POST", "/v1/api-keys", o.owner, object{"name": "N", "scopes": allScopes}).want(201)
		key, path, start := made.text("data.key"), made.header.Get("Location"), a.store.Now()
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.lastUsedAt": nil})
		for _, test := range []struct{ used, want time.Duration }{ // both since the start
			{0, 0}, {500 * time.Millisecond, 0}, {30 * time.Second, 0}, {58 * time.Second, 0}, {time.Minute, time.Minute},
			{90 * time.Second, time.Minute}, {119 * time.Second, time.Minute}, {14 * time.Minute, 14 * time.Minute},
		} {
			a.setClock(start.Add(test.used))
			for _, answer := range atOnce(6, func(i int) response { return []*api{a, b}[i%2].use(key) }) {
				answer.want(200)
			}
			a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.lastUsedAt": wire(start.Add(test.want))})
		}
	})
}
