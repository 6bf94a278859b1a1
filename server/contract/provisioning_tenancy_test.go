package contract

import (
	"strings"
	"testing"
	"time"

	"assay/store"
)

// A member of another organization is like one that never existed, also by address and external id.
func TestProvisioningTenancy(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p, other := a.register().provider(), a.register().provider()
		id, email, in := p.join("mary")
		unknown := "usr_" + strings.Repeat("0", 26)
		for _, body := range []object{patchOf("active", "False"), patchOf("displayName", "X"), patchOf("userType", "ADMIN")} {
			theirs, none := other.call("PATCH", "/Users/"+id, body), other.call("PATCH", "/Users/"+unknown, body)
			if theirs.want(404); theirs.raw != none.raw {
				t.Errorf("%s, and for an unknown id %s", theirs.raw, none.raw)
			}
		}
		other.call("GET", "/Users/"+id, nil).want(404)
		other.call("PUT", "/Users/"+id, oktaUser(email)).want(404)
		other.call("DELETE", "/Users/"+id, nil).want(404)
		for _, filter := range []string{`userName eq "` + email + `"`, `externalId eq "00u` + email + `"`} {
			if found := other.find(filter); found["totalResults"] != 0.0 {
				t.Errorf("%s finds %v", filter, found)
			}
		}
		if all := other.call("GET", "/Users", nil).want(200); all["totalResults"] != 1.0 {
			t.Errorf("the other organization has %v", all)
		}
		// The same address and external id in the other organization are another member.
		second := other.call("POST", "/Users", oktaUser(email)).want(201)["id"].(string)
		other.call("PATCH", "/Users/"+second, patchOf("active", "False", "displayName", "X")).want(200)
		other.call("DELETE", "/Users/"+second, nil).want(204)
		a.do("GET", "/v1/me", bearer(in.access), nil).want(200).wantFields(object{"data.name": "Grace Hopper"})
	}, withEmail)
}

// A provisioning key has no other scope, and no other key is accepted. A 401 asks for a Bearer token.
func TestProvisioningKeys(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		p := o.provider()
		a.do("POST", "/v1/api-keys", o.owner, object{"name": "K", "scopes": []string{"members:provision", "results:read"}}).
			want(400, "invalid_request").blames("body /scopes invalid_value")
		a.do("GET", "/v1/public/assessments", apiKeyOf(p.key), nil).want(403, "insufficient_scope")
		p.callWith(a, "Bearer "+o.key().value, "GET", "/Users", nil).want(403)
		for _, wrong := range []string{"", "Bearer ", "Bearer nonsense", "Basic " + p.key, o.access, "Bearer " + o.access} {
			refused := p.callWith(a, wrong, "GET", "/Users", nil)
			if refused.want(401); refused.header.Get("WWW-Authenticate") != `Bearer realm="assay"` {
				t.Errorf("%q gets %q", wrong, refused.header)
			}
		}
		for _, path := range []string{"/ServiceProviderConfig", "/ResourceTypes", "/ResourceTypes/User", "/Schemas",
			"/Schemas/urn:ietf:params:scim:schemas:core:2.0:User", "/Users"} {
			p.call("GET", path, nil).want(200)
			p.callWith(a, "", "GET", path, nil).want(401)
		}
		p.call("GET", "/Schemas/other", nil).want(404)
		p.call("GET", "/ResourceTypes/Group", nil).want(404)
	})
}

// For a person in two organizations, the provider of one of them ends nothing in the other one, and does not change the
// name that both see.
func TestProvisioningOneOfTwoOrganizations(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		p, other := a.register().provider(), a.register().provider()
		id, email, here := p.join("christine")
		second := other.call("POST", "/Users", oktaUser(email)).want(201)["id"].(string)
		token := a.outbox().sendOne().token(t, store.EmailInvitation)
		there := a.accept(token, testPassword).want(200).tokens()
		for _, replica := range []*api{a, b} { // both have both sign-ins in memory
			replica.do("GET", "/v1/me", bearer(here.access), nil).want(200)
			replica.do("GET", "/v1/me", bearer(there.access), nil).want(200)
		}

		shown := p.call("PATCH", "/Users/"+id, patchOf("displayName", "Mallory", "active", "False")).want(200)
		if shown["displayName"] != "Grace Hopper" {
			t.Errorf("one organization renames the person: %v", shown)
		}
		a.clock.Advance(time.Second)
		for _, replica := range []*api{a, b} {
			replica.do("GET", "/v1/me", bearer(here.access), nil).want(401)
			replica.do("GET", "/v1/me", bearer(there.access), nil).want(200).wantFields(object{"data.name": "Grace Hopper"})
		}
		if shown := other.call("GET", "/Users/"+second, nil).want(200); shown["active"] != true {
			t.Errorf("in the other organization: %v", shown)
		}
		in := a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword}).want(200)
		a.do("POST", "/v1/auth/login", anonymous,
			object{"email": email, "password": testPassword, "organizationId": p.organizationID}).want(403, "member_deactivated")
		who := bearer(in.text("data.accessToken"))
		a.do("GET", "/v1/me", who, nil).want(200).wantFields(object{"data.organization.id": other.organizationID})
		if n := len(a.do("GET", "/v1/me/memberships", who, nil).want(200).list("data")); n != 1 {
			t.Errorf("the person has %d memberships to enter", n)
		}
		a.switchTo(in.tokens(), p.organizationID).want(403, "member_deactivated")
		p.call("DELETE", "/Users/"+id, nil).want(204)
		a.do("GET", "/v1/me", who, nil).want(200)
	}, withEmail)
}
