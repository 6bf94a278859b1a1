package contract

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// If the organization has a sign-in provider for the domain, a provisioned person is a member at once, without an
// email.
func TestProvisionedWithProvider(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		p, outbox := o.tenant.provider(), a.outbox()
		outbox.send()
		email := "grace@" + o.domain
		in := oktaUser(email)
		in["userType"] = "EDITOR"
		made := p.call("POST", "/Users", in).want(201)
		id := made["id"].(string)
		outbox.sendNone()
		member := a.do("GET", "/v1/members/"+id, o.owner, nil).want(200)
		member.wantFields(object{"data.status": "ACTIVE", "data.role": "EDITOR", "data.name": "Grace Hopper"})
		for _, action := range []string{"MEMBER_ADDED", "MEMBER_JOINED"} {
			if got := o.auditedActions(action); len(got) != 1 || got[0] != id {
				t.Errorf("%s is in the audit log for %v", action, got)
			}
		}
		p.call("POST", "/Users", oktaUser(email)).wantRefused(409, "uniqueness")
		o.addEmail(email, "MEMBER").want(409, "already_member")
		a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword}).want(401)

		o.person("g", email, object{"name": "Mallory"})
		v := a.visitor()
		v.signIn(o)
		who := bearer(v.token())
		a.do("GET", "/v1/me", who, nil).want(200).
			wantFields(object{"data.id": id, "data.role": "EDITOR", "data.name": "Grace Hopper"})
		if after := p.call("GET", "/Users/"+id, nil).want(200); after["externalId"] != in["externalId"] {
			t.Errorf("after the first sign-in: %v", after)
		}

		// A deactivation ends the sign-in, and the provider does not bring the member back.
		p.call("PATCH", "/Users/"+id, patchOf("active", "False")).want(200)
		a.do("GET", "/v1/me", who, nil).want(401)
		a.visitor().wantRefused(o, "not_a_member")
		p.call("PATCH", "/Users/"+id, patchOf("active", "True")).want(200)
		o.wantMe().wantFields(object{"data.id": id})
		outbox.sendNone()

		inactive := oktaUser("inactive@" + o.domain)
		inactive["active"] = false
		made = p.call("POST", "/Users", inactive).want(201)
		o.person("i", "inactive@"+o.domain, nil)
		if a.visitor().wantRefused(o, "not_a_member"); made["active"] != false {
			t.Errorf("an inactive person is %v", made)
		}
		p.call("PATCH", "/Users/"+made["id"].(string), patchOf("active", "True")).want(200)
		o.wantMe().wantFields(object{"data.id": made["id"]})

		// An address outside the domains of the organization is refused, and one without a provider is invited.
		p.call("POST", "/Users", oktaUser(newAddress("x"))).wantRefused(400, "invalidValue")
		a.do("DELETE", "/v1/organization/sign-in-provider", o.owner, nil).want(204)
		invited := p.call("POST", "/Users", oktaUser("invited@"+o.domain)).want(201)
		outbox.sendOne()
		a.do("GET", "/v1/members/"+invited["id"].(string), o.owner, nil).want(200).
			wantFields(object{"data.status": "INVITED"})
	}, withEmail)
}

// A person with an account in another organization stays invited. The response is the same, and the account does
// not change. The first sign-in with the provider accepts the invitation, and what the provider has said of the person
// stays.
func TestProvisionedWithProviderElsewhere(t *testing.T) {
	withProviders(t, func(t *testing.T, a *api, found func() company) {
		o := found()
		p := o.tenant.provider()
		proved, unproved := "proved@"+o.domain, "unproved@"+o.domain
		other := a.registerEmail(proved).want(201)
		there := bearer(other.text("data.accessToken"))
		if err := a.store.UnscopedProveEmail(t.Context(), proved); err != nil {
			t.Fatal(err)
		}
		a.registerEmail(unproved).want(201)
		fresh := p.call("POST", "/Users", oktaUser("fresh@"+o.domain)).want(201)
		for _, email := range []string{proved, unproved} {
			made := p.call("POST", "/Users", oktaUser(email)).want(201)
			if made["displayName"] != "Grace Hopper" || made["active"] != true ||
				!slices.Equal(slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(fresh))) {
				t.Errorf("an account elsewhere is shown as %v", made)
			}
			p.call("PATCH", "/Users/"+made["id"].(string), patchOf("displayName", "Mallory")).want(200)
			a.do("GET", "/v1/me", there, nil).want(200).wantFields(object{"data.name": "N"})
			in := a.login(email)
			if n := len(a.do("GET", "/v1/me/memberships", bearer(in.access), nil).want(200).list("data")); n != 1 {
				t.Errorf("the person has %d memberships", n)
			}
			o.person(email, email, nil)
			o.wantMe().wantFields(object{"data.id": made["id"], "data.organization.id": o.organizationID})
			after := p.call("GET", "/Users/"+made["id"].(string), nil).want(200)
			if after["externalId"] != "00u"+email || after["name"].(object)["givenName"] != "Grace" {
				t.Errorf("after the first sign-in: %v", after)
			}
		}
		a.do("GET", "/v1/me", there, nil).want(200).wantFields(object{"data.name": "N"})
	}, withEmail)
}

// A deactivated member does not come back in any way, on any replica: not with the password, a link, a second factor,
// or a token.
func TestDeactivatedStaysOut(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		p := a.register().provider()
		id, email, in := p.join("joan")
		app := a.addAuthenticator(bearer(in.access))
		link, _, err := a.store.UnscopedResetLink(t.Context(), email)
		if err != nil {
			t.Fatal(err)
		}
		enter := object{"email": email, "password": testPassword}
		challenge := b.do("POST", "/v1/auth/login", anonymous, enter).want(401, "second_factor_required").
			text("secondFactor.challenge")
		b.do("GET", "/v1/me", bearer(in.access), nil).want(200)

		p.call("PUT", "/Users/"+id, object{"userName": email, "active": false}).want(200)
		a.clock.Advance(time.Second)
		for _, replica := range []*api{a, b} {
			replica.do("GET", "/v1/me", bearer(in.access), nil).want(401)
			replica.refresh(in.refresh).want(401)
			replica.do("POST", "/v1/auth/login", anonymous, enter).want(403, "member_deactivated")
		}
		b.completeWith(challenge, app.code(0)).want(403, "member_deactivated")
		a.resendInvitation(p.owner, id).want(409)
		p.addEmail(email, "ADMIN").want(409, "already_member")
		p.call("POST", "/Users", oktaUser(email)).wantRefused(409, "uniqueness")
		_, token, _ := strings.Cut(link, "#")
		b.browser().session("POST", object{"type": "reset", "token": token, "password": otherPassword}).
			want(403, "member_deactivated")
		enter["password"] = otherPassword
		b.do("POST", "/v1/auth/login", anonymous, enter).want(403, "member_deactivated")
	}, withEmail)
}

// A deactivated OWNER cannot sign in, so another one must stay.
func TestDeactivatedIsNotTheLastOwner(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		id, _, _ := p.join("radia")
		p.call("PATCH", "/Users/"+id, patchOf("active", "False")).want(200)
		a.setRole(p.owner, id, "OWNER").want(200)
		owner := a.userID(p.owner)
		a.setRole(p.owner, owner, "ADMIN").want(409, "last_owner")
		a.remove(p.owner, owner).want(409, "last_owner")
		a.setRole(p.owner, id, "MEMBER").want(200)
		p.call("PATCH", "/Users/"+id, patchOf("active", "True")).want(200)
		a.setRole(p.owner, id, "OWNER").want(200)
		a.remove(p.owner, owner).want(204)
	}, withEmail)
}

// Nobody has proved an address of the organization yet. It sends no invitations to strangers, also not with SCIM.
func TestProvisioningNeedsProvedAddress(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		a.register() // the first organization of a service is the operator's
		email := newAddress("unproved")
		owner := bearer(a.registerEmail(email).want(201).text("data.accessToken"))
		o := &tenant{api: a, email: email, owner: owner}
		p := o.provider()
		a.outbox().send()
		p.call("POST", "/Users", oktaUser(newAddress("stranger"))).want(403)
		a.outbox().sendNone()
		if err := a.store.UnscopedProveEmail(t.Context(), email); err != nil {
			t.Fatal(err)
		}
		p.call("POST", "/Users", oktaUser(newAddress("invited"))).want(201)
		a.outbox().sendOne().token(t, store.EmailInvitation)
	}, withEmail)
}

// A provider that also sends groups gets refusals in the form of SCIM.
func TestProvisioningGroups(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		p := a.register().provider()
		group := object{"displayName": "G", "members": []any{object{"value": a.userID(p.owner)}}}
		for _, c := range []struct{ method, path string }{
			{"GET", "/Groups"}, {"GET", "/Groups?filter=displayName+eq+%22G%22"}, {"POST", "/Groups"}, {"GET", "/Groups/1"},
			{"PATCH", "/Groups/1"}, {"PUT", "/Groups/1"}, {"DELETE", "/Groups/1"},
		} {
			p.call(c.method, c.path, group).want(404)
			p.callWith(a, "", c.method, c.path, group).want(401)
			p.callWith(a, "Bearer "+p.tenant.key().value, c.method, c.path, group).want(403)
		}
	})
}
