package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// provider is the identity provider of an organization, which a test plays: it sends the requests that Okta and Entra
// ID document.
type provider struct {
	*tenant

	key string
}

func (o *tenant) provider() *provider {
	o.api.t.Helper()
	return &provider{o, o.key("members:provision").value}
}

func (p *provider) call(method, path string, body any) answer {
	p.api.t.Helper()
	return p.callWith(p.api, "Bearer "+p.key, method, path, body)
}

func (p *provider) callWith(replica *api, authorization, method, path string, body any) answer {
	t := p.api.t
	t.Helper()
	content, isText := body.(string)
	if body != nil && !isText {
		encoded, _ := json.Marshal(body)
		content = string(encoded)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, replica.url+"/scim/v2"+path,
		bytes.NewReader([]byte(content)))
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	r.Header.Set("Content-Type", "application/scim+json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, _ := io.ReadAll(response.Body)
	if wrong := wrongHeaders(response.Header, true); len(wrong) > 0 {
		t.Errorf("%s %s: wrong headers %q", method, path, wrong)
	}
	if response.StatusCode >= 500 {
		t.Errorf("%s %s %s: %d %s", method, path, content, response.StatusCode, raw)
	}
	if kind := response.Header.Get("Content-Type"); len(raw) > 0 && kind != "application/scim+json" {
		t.Errorf("%s %s: the content type is %s", method, path, kind)
	}
	if response.StatusCode >= 400 {
		var refused object
		if json.Unmarshal(raw, &refused) != nil || refused["status"] != fmt.Sprint(response.StatusCode) ||
			fmt.Sprint(refused["schemas"]) != "[urn:ietf:params:scim:api:messages:2.0:Error]" || refused["detail"] == "" {
			t.Errorf("%s %s: the refusal is %s", method, path, raw)
		}
	}
	return answer{t, response.StatusCode, response.Header, strings.TrimSpace(string(raw))}
}

// wantRefused fails the test unless the response has the status and the scimType.
func (a answer) wantRefused(status int, scimType string) {
	a.t.Helper()
	if body := a.want(status); fmt.Sprint(body["scimType"]) != scimType && scimType != "" {
		a.t.Errorf("the refusal is %s, want %s", a.raw, scimType)
	}
}

func (p *provider) find(filter string) object {
	p.api.t.Helper()
	return p.call("GET", "/Users?filter="+url.QueryEscape(filter), nil).want(200)
}

// oktaUser is what Okta sends for a new person.
func oktaUser(address string) object {
	return object{
		"schemas":  []any{"urn:ietf:params:scim:schemas:core:2.0:User"},
		"userName": address, "name": object{"givenName": "Grace", "familyName": "Hopper"},
		"emails":      []any{object{"primary": true, "value": address, "type": "work"}},
		"displayName": "Grace Hopper", "locale": "en-US", "externalId": "00u" + address, "groups": []any{},
		"password": "1mz050nq", "active": true,
	}
}

// entraUser is what Entra ID sends for a new person.
func entraUser(address string) object {
	return object{
		"schemas": []any{"urn:ietf:params:scim:schemas:core:2.0:User",
			"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"},
		"externalId": "oid-" + address, "userName": address, "active": true,
		"emails": []any{object{"primary": true, "type": "work", "value": address}},
		"meta":   object{"resourceType": "User"},
		"name":   object{"formatted": "Mary Jackson", "familyName": "Jackson", "givenName": "Mary"},
		"roles":  []any{}, "title": "Engineer",
		"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": object{"department": "Research"},
	}
}

// patchOf is a PATCH of Entra ID, with the operations as pairs of path and value.
func patchOf(pairs ...any) object {
	var operations []any
	for i := 0; i < len(pairs); i += 2 {
		operations = append(operations, object{"op": "Replace", "path": pairs[i], "value": pairs[i+1]})
	}
	return object{"schemas": []any{"urn:ietf:params:scim:api:messages:2.0:PatchOp"}, "Operations": operations}
}

func newAddress(of string) string { return fmt.Sprintf("%s%d%s@example.com", of, added.Add(1), run) }

// join provisions a person and accepts the invitation in the email.
func (p *provider) join(who string) (id, email string, in signedIn) {
	p.api.t.Helper()
	email = newAddress(who)
	id = p.call("POST", "/Users", oktaUser(email)).want(201)["id"].(string)
	token := p.api.outbox().sendOne().token(p.api.t, store.EmailInvitation)
	return id, email, p.api.accept(token, testPassword).want(200).tokens()
}

// withEmail lets the store send emails.
func withEmail(o *store.Options) { o.SendsEmail = true }

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

// What a provider cannot say. None of it changes the member, and none of it is an error of the service.
func TestProvisioningBadInput(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		id, email, _ := p.join("bad")
		before := p.call("GET", "/Users/"+id, nil).want(200)
		operations := func(items ...any) object { return object{"Operations": items} }
		long := strings.Repeat("x", 300)
		for _, c := range []struct {
			method, path string
			body         any
			status       int
			scimType     string
		}{
			{"POST", "/Users", nil, 400, "invalidValue"},
			{"POST", "/Users", "{", 400, "invalidSyntax"},
			{"POST", "/Users", "[]", 400, "invalidValue"},
			{"POST", "/Users", `{"userName":"a@example.com","userName":"b@example.com"}`, 400, ""},
			{"POST", "/Users", object{}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": "jane"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": 1}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "displayName": long}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "displayName": "a\nb"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "name": "N"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "name": object{"givenName": strings.Repeat("x", 100)}}, 400,
				"invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": long}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": "a\x00b"}, 400, ""},
			{"POST", "/Users", object{"userName": newAddress("x"), "active": "maybe"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "userType": "GUEST"}, 400, "invalidValue"},
			{"POST", "/Users", object{"userName": newAddress("x"), "externalId": "00u" + email}, 409, "uniqueness"},
			{"POST", "/Users", `{"userName":"` + strings.Repeat("x", 70_000) + `"}`, 413, ""},
			{"PUT", "/Users/" + id, object{"userName": newAddress("other")}, 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf("userName", newAddress("other")), 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf(`emails[type eq "work"].value`, newAddress("other")), 400, "mutability"},
			{"PATCH", "/Users/" + id, patchOf("emails", []any{object{"value": newAddress("other"), "primary": true}}), 400,
				"mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove", "path": "userName"}), 400, "mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove", "path": "active"}), 400, "mutability"},
			{"PATCH", "/Users/" + id, operations(object{"op": "remove"}), 400, "noTarget"},
			{"PATCH", "/Users/" + id, operations(object{"op": "move", "path": "active", "value": true}), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(1, nil, "x"), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(make([]any, 101)...), 400, "invalidSyntax"},
			{"PATCH", "/Users/" + id, operations(object{"op": "replace", "value": "x"}), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, operations(object{"op": "replace", "path": 1, "value": "x"}), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf("active or true", "x"), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf(`emails[type eq "work"`, "x"), 400, "invalidPath"},
			{"PATCH", "/Users/" + id, patchOf("active", []any{}), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, patchOf("displayName", object{}), 400, "invalidValue"},
			// The last operation fails, so none applies.
			{"PATCH", "/Users/" + id, patchOf("displayName", "Changed", "userType", "NONE"), 400, "invalidValue"},
			{"PATCH", "/Users/" + id, object{}, 400, "invalidSyntax"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName co "x"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`title eq "x"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName eq "a" or userName eq "b"`), nil, 400, "invalidFilter"},
			{"GET", "/Users?filter=" + url.QueryEscape(`userName eq `), nil, 400, "invalidFilter"},
			{"GET", "/Users?startIndex=x", nil, 400, "invalidValue"},
			{"GET", "/Users?count=99999999999999999999", nil, 400, "invalidValue"},
			{"GET", "/Users?filter=%zz", nil, 400, "invalidSyntax"},
			{"GET", "/Users/usr_x", nil, 404, ""},
			{"GET", "/Users/%00", nil, 404, ""},
			{"DELETE", "/Users/" + strings.Repeat("y", 5000), nil, 404, ""},
		} {
			refused := p.call(c.method, c.path, c.body)
			if refused.status != c.status {
				t.Errorf("%s %s %v: %d %s, want %d", c.method, c.path, c.body, refused.status, refused.raw, c.status)
				continue
			}
			refused.wantRefused(c.status, c.scimType)
		}
		for _, filter := range []string{`userName eq "jane"`, `userName eq "a\u0000b"`, `externalId eq ""`} {
			if found := p.find(filter); found["totalResults"] != 0.0 {
				t.Errorf("%s finds %v", filter, found)
			}
		}
		if after := p.call("GET", "/Users/"+id, nil).want(200); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the member is %v, was %v", after, before)
		}
	}, withEmail)
}

// The pages of a list have each member and invited person once.
func TestProvisioningPages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		for range 1000 - 1 {
			p.add("MEMBER")
			a.clock.Advance(time.Millisecond)
		}
		seen := map[any]bool{}
		for start := 1; start <= 1000; start += 200 {
			page := p.call("GET", fmt.Sprintf("/Users?startIndex=%d&count=500", start), nil).want(200)
			if page["totalResults"] != 1000.0 || page["itemsPerPage"] != 200.0 || page["startIndex"] != float64(start) {
				t.Fatalf("the page from %d has %v of %v", start, page["itemsPerPage"], page["totalResults"])
			}
			for _, shown := range page["Resources"].([]any) {
				seen[shown.(object)["id"]] = true
			}
		}
		if len(seen) != 1000 {
			t.Errorf("the pages have %d people", len(seen))
		}
		for query, want := range map[string]float64{
			"startIndex=1001": 0, "startIndex=2147483647": 0, "count=0": 0, "count=-5": 0, "startIndex=-1&count=1": 1, "": 100,
		} {
			page := p.call("GET", "/Users?"+query, nil).want(200)
			if page["itemsPerPage"] != want || page["totalResults"] != 1000.0 {
				t.Errorf("%s: %v of %v, want %v", query, page["itemsPerPage"], page["totalResults"], want)
			}
		}
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
		a.do("POST", "/v1/me/organization", who, object{"organizationId": p.organizationID}).want(403, "member_deactivated")
		p.call("DELETE", "/Users/"+id, nil).want(204)
		a.do("GET", "/v1/me", who, nil).want(200)
	}, withEmail)
}
