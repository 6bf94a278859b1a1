package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// The requests of Okta's and Microsoft's documentation for connecting an application: both look for a person, create
// the person, read, change, deactivate, and remove.
func TestProvisionedMembers(t *testing.T) {
	for name, newUser := range map[string]func(string) object{"Okta": oktaUser, "Entra ID": entraUser} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, a *api) {
				p, email := a.register().provider(), newAddress("Grace.")
				if found := p.find(`userName eq "` + email + `"`); found["totalResults"] != 0.0 ||
					len(found["Resources"].([]any)) != 0 {
					t.Errorf("nobody is %v", found)
				}
				created := p.call("POST", "/Users", newUser(email))
				made := created.want(201)
				id := made["id"].(string)
				if created.header.Get("Location") != "https://assay.test/scim/v2/Users/"+id || made["userName"] != email ||
					made["active"] != true || made["userType"] != "MEMBER" {
					t.Errorf("created %v at %s", made, created.header.Get("Location"))
				}
				p.api.do("GET", "/v1/members/"+id, p.owner, nil).want(200).wantFields(object{
					"data.status": "INVITED", "data.email": email, "data.role": "MEMBER",
				})
				token := a.outbox().sendOne().token(t, store.EmailInvitation)
				a.accept(token, testPassword).want(200)

				again := p.call("GET", "/Users/"+id, nil).want(200)
				if again["externalId"] != newUser(email)["externalId"] || again["active"] != true {
					t.Errorf("after joining: %v", again)
				}
				for _, filter := range []string{
					`userName eq "` + strings.ToUpper(email) + `"`, `USERNAME Eq "` + email + `"`, `emails.value eq "` + email + `"`,
					`emails[type eq "work"].value eq "` + email + `"`, fmt.Sprintf(`externalId eq "%s"`, again["externalId"]),
					`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "` + email + `"`,
				} {
					if found := p.find(filter); found["totalResults"] != 1.0 ||
						found["Resources"].([]any)[0].(object)["id"] != id {
						t.Errorf("%s finds %v", filter, found)
					}
				}
				p.call("POST", "/Users", newUser(email)).wantRefused(409, "uniqueness")
				p.call("DELETE", "/Users/"+id, nil).want(204)
				p.call("GET", "/Users/"+id, nil).want(404)
				p.call("DELETE", "/Users/"+id, nil).want(404)
				p.call("POST", "/Users", newUser(email)).want(201) // the address and the external id are free again
			}, withEmail)
		})
	}
}

// Each form in which a provider changes an attribute.
func TestProvisionedChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		id, email, _ := p.join("katherine")
		for _, c := range []struct {
			name        string
			method      string
			body        object
			field, want string
		}{
			{"a path", "PATCH", patchOf("displayName", "Kate"), "displayName", "Kate"},
			{"a part of the name", "PATCH", patchOf("name.familyName", "Goble"), "name", "Grace Goble"},
			{"the schema in the path", "PATCH",
				patchOf("urn:ietf:params:scim:schemas:core:2.0:User:name.givenName", "Katherine"),
				"displayName", "Katherine Goble"},
			{"no path", "PATCH", object{"Operations": []any{object{"op": "replace",
				"value": object{"displayName": "K. Johnson", "name.familyName": "Johnson"}}}}, "displayName", "K. Johnson"},
			{"add", "PATCH", object{"Operations": []any{object{"op": "Add", "path": "externalId", "value": "e-1"}}},
				"externalId", "e-1"},
			{"the role as a text", "PATCH", patchOf("userType", "Editor"), "userType", "EDITOR"},
			{"the role of Entra ID", "PATCH", patchOf(`roles[primary eq "True"].value`, "ADMIN"), "userType", "ADMIN"},
			{"the role in a list", "PATCH", patchOf("roles", []any{object{"value": "reviewer"}}), "userType", "REVIEWER"},
			{"the same address", "PATCH", patchOf("userName", strings.ToUpper(email), `emails[type eq "work"].value`, email),
				"userName", email},
			{"an attribute that Assay does not have", "PATCH", patchOf("title", "Dr", `phoneNumbers[type eq "work"].value`, "1",
				"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "X"), "displayName", "K. Johnson"},
			{"an externalId without a value", "PATCH", object{"Operations": []any{object{"op": "remove", "path": "externalId"}}},
				"externalId", "<nil>"},
			{"a whole user", "PUT", object{"userName": email, "displayName": "Katherine", "active": true, "externalId": "e-2",
				"emails": []any{object{"value": "other@example.com", "primary": true}}, "userType": "MEMBER"},
				"displayName", "Katherine"},
		} {
			shown := p.call(c.method, "/Users/"+id, c.body).want(200)
			value := shown[c.field]
			if c.field == "name" {
				value = shown["displayName"]
			}
			if fmt.Sprint(value) != c.want {
				t.Errorf("%s: %s is %v, want %s", c.name, c.field, value, c.want)
			}
			if stored := p.call("GET", "/Users/"+id, nil).want(200); fmt.Sprint(stored) != fmt.Sprint(shown) {
				t.Errorf("%s: the response is %v, and what is stored %v", c.name, shown, stored)
			}
		}
		p.signIn()
		a.do("GET", "/v1/members/"+id, p.owner, nil).want(200).wantFields(object{"data.role": "MEMBER"})

		// Without a role of the provider, an ADMIN becomes a MEMBER, and a REVIEWER stays.
		for before, after := range map[string]string{"ADMIN": "MEMBER", "EDITOR": "MEMBER", "REVIEWER": "REVIEWER"} {
			p.call("PATCH", "/Users/"+id, patchOf("userType", before)).want(200)
			removed := p.call("PATCH", "/Users/"+id,
				object{"Operations": []any{object{"op": "Remove", "path": "roles"}}}).want(200)
			if removed["userType"] != after {
				t.Errorf("an %s without a role is %v", before, removed["userType"])
			}
		}
	}, withEmail)
}

// A deactivation, in each form, ends the sign-ins within a second on another replica and refuses new ones. The member
// comes back with the same id and role.
func TestProvisionedDeactivation(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		p := a.register().provider()
		id, email, in := p.join("dorothy")
		p.call("PATCH", "/Users/"+id, patchOf("userType", "EDITOR")).want(200)
		login := func(replica *api) response {
			return replica.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword})
		}
		on, off := patchOf("active", "True"), patchOf("active", "False")
		for name, body := range map[string]object{
			"Entra ID": off, "a boolean": patchOf("active", false),
			"Okta": {"Operations": []any{object{"op": "replace", "value": object{"active": false}}}},
		} {
			b.do("GET", "/v1/me", bearer(in.access), nil).want(200) // the other replica now has the sign-in in memory
			if shown := p.call("PATCH", "/Users/"+id, body).want(200); shown["active"] != false {
				t.Errorf("%s: %v", name, shown)
			}
			a.do("GET", "/v1/me", bearer(in.access), nil).want(401)
			a.clock.Advance(time.Second)
			b.do("GET", "/v1/me", bearer(in.access), nil).want(401)
			b.refresh(in.refresh).want(401)
			for _, replica := range []*api{a, b} {
				login(replica).want(403, "member_deactivated")
			}
			p.signIn()
			a.do("GET", "/v1/members/"+id, p.owner, nil).want(200).wantFields(object{"data.status": "DEACTIVATED"})
			if found := p.find(`userName eq "` + email + `"`); found["totalResults"] != 1.0 {
				t.Errorf("%s: a deactivated member is not found: %v", name, found)
			}
			p.call("POST", "/Users", oktaUser(email)).wantRefused(409, "uniqueness")

			if shown := p.call("PATCH", "/Users/"+id, on).want(200); shown["userType"] != "EDITOR" || shown["active"] != true {
				t.Errorf("%s: activated again as %v", name, shown)
			}
			b.refresh(in.refresh).want(401)
			in = login(b).want(200).tokens()
		}
	}, withEmail)
}

// An invitation of a deactivated person cannot be accepted or renewed, and an activated one gets a new link.
func TestProvisionedInvitation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p, email := a.register().provider(), newAddress("annie")
		id := p.call("POST", "/Users", oktaUser(email)).want(201)["id"].(string)
		token := a.outbox().sendOne().token(t, store.EmailInvitation)
		p.call("PATCH", "/Users/"+id, patchOf("active", "False")).want(200)
		a.accept(token, testPassword).want(401, "unauthenticated")
		a.resendInvitation(p.owner, id).want(403, "member_deactivated")
		p.call("PATCH", "/Users/"+id, patchOf("active", "True")).want(200)
		a.accept(a.outbox().sendOne().token(t, store.EmailInvitation), testPassword).want(200)
		a.do("GET", "/v1/members/"+id, p.owner, nil).want(200).wantFields(object{"data.status": "ACTIVE"})

		inactive := oktaUser(newAddress("annie"))
		inactive["active"] = false
		if made := p.call("POST", "/Users", inactive).want(201); made["active"] != false {
			t.Errorf("created %v", made)
		}
		a.outbox().sendNone()
	}, withEmail)
}

// A provider sees OWNERs, and cannot make, change, or remove one.
func TestProvisioningNoOwner(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		owner := a.userID(p.owner)
		id, _, _ := p.join("member")
		if shown := p.call("GET", "/Users/"+owner, nil).want(200); shown["userType"] != "OWNER" {
			t.Errorf("the owner is %v", shown)
		}
		made := oktaUser(newAddress("owner"))
		made["userType"] = "OWNER"
		p.call("POST", "/Users", made).want(403)
		p.call("PATCH", "/Users/"+id, patchOf("userType", "OWNER")).want(403)
		for _, body := range []object{
			patchOf("active", "False"), patchOf("displayName", "X"), patchOf("userType", "MEMBER"),
		} {
			p.call("PATCH", "/Users/"+owner, body).want(403)
		}
		p.call("PUT", "/Users/"+owner, oktaUser(p.email)).want(403)
		p.call("DELETE", "/Users/"+owner, nil).want(403)
		a.do("GET", "/v1/me", p.owner, nil).want(200).wantFields(object{"data.role": "OWNER"})
	}, withEmail)
}
