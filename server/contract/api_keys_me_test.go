package contract

import (
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// Each key may ask what it is, whatever its scopes. The response has what the list of keys shows, and not the key.
func TestPublicMe(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"name": "Second Name"}).want(200)
		expires := a.clock.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
		for _, body := range []object{
			{"name": "One scope", "scopes": []string{"results:read"}},
			{"name": "Expires", "scopes": allScopes, "expiresAt": expires},
		} {
			made := a.do("POST", "/v1/api-keys", o.owner, body).want(201)
			key := made.text("data.key")
			me := a.do("GET", "/v1/public/me", apiKeyOf(key), nil).want(200)
			me.wantFields(object{"data.organization": object{"id": o.organizationID, "name": "Second Name"}})
			for _, field := range []string{"id", "name", "scopes", "prefix", "last4", "createdAt", "expiresAt"} {
				me.wantFields(object{"data." + field: made.at("data." + field)})
			}
			if strings.Contains(string(me.body), key) || strings.Contains(string(me.body), key[12:60]) {
				t.Errorf("the response contains the key: %s", me.body)
			}
			theirs := a.do("GET", "/v1/public/me", other.key(), nil).want(200)
			theirs.wantFields(object{"data.organization.id": other.organizationID})
			storetest.SetScopes(t, a.database, made.text("data.id"))
			a.clock.Advance(2 * time.Second)
			if none := a.do("GET", "/v1/public/me", apiKeyOf(key), nil).want(200); len(none.list("data.scopes")) != 0 {
				t.Errorf("a key without scopes has %s", none.body)
			}
			a.do("DELETE", "/v1/api-keys/"+made.text("data.id"), o.owner, nil).want(204)
			a.do("GET", "/v1/public/me", apiKeyOf(key), nil).want(401, "unauthenticated")
		}
	})
}
