package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// invitationLifetime is how long an invitation is valid.
const invitationLifetime = 7 * 24 * time.Hour

// addEmail invites a member with this email address.
func (o *tenant) addEmail(email, role string) response {
	o.api.t.Helper()
	return o.api.do("POST", "/v1/members", o.owner, object{"name": "Katherine Johnson", "email": email, "role": role})
}

func (a *api) accept(token, password string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/accept-invitation", anonymous, object{"token": token, "password": password})
}

func (a *api) setRole(who credential, memberID, role string) response {
	a.t.Helper()
	return a.do("PATCH", "/v1/members/"+memberID, who, object{"role": role})
}

func (a *api) remove(who credential, memberID string) response {
	a.t.Helper()
	return a.do("DELETE", "/v1/members/"+memberID, who, nil)
}

func (a *api) resendInvitation(who credential, memberID string) response {
	a.t.Helper()
	return a.do("POST", "/v1/members/"+memberID+"/resend", who, nil)
}

// userID returns the id of the user that the credential belongs to.
func (a *api) userID(who credential) string {
	a.t.Helper()
	return a.do("GET", "/v1/me", who, nil).want(200).text("data.id")
}

// invitationLink matches the whole link of an invitation.
var invitationLink = regexp.MustCompile(`^https://assay\.test/accept-invitation#mbr_[0-9a-f]{64}$`)

// An added member is in the list and can be read by id. A removed member is not in the
// list, and every operation on them returns 404. Other organizations have no effect.
func TestAddListReadMembers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		stranger.add("MEMBER")
		began := a.store.Now()
		owner := object{
			"id": a.userID(o.owner), "name": "Ada Lovelace", "email": o.email, "role": "OWNER", "status": "ACTIVE",
			"invitationExpiresAt": nil, "createdAt": wire(began), "updatedAt": wire(began), "assessmentIds": nil,
			"hasSecondFactor": false,
		}
		people := []object{owner} // newest first

		for i, role := range []string{"MEMBER", "ADMIN", "OWNER"} {
			a.clock.Advance(time.Minute)
			email := fmt.Sprintf("Mixed.Case+%d@Example.com", added.Add(1))
			made := o.addEmail(email, role).want(201)
			person := object{
				"id": made.at("data.id"), "name": "Katherine Johnson", "email": email, "role": role, "status": "INVITED",
				"invitationExpiresAt": wire(a.store.Now().Add(invitationLifetime)), "createdAt": wire(a.store.Now()),
				"updatedAt": wire(a.store.Now()), "assessmentIds": nil,
				"hasSecondFactor": false,
			}

			if link := made.text("data.invitationUrl"); !invitationLink.MatchString(link) {
				t.Errorf("the invitation link is %s", link)
			}
			shown := made.data()
			delete(shown, "invitationUrl")
			if fmt.Sprint(shown) != fmt.Sprint(asJSON(t, person)) ||
				made.header.Get("Location") != "/v1/members/"+made.text("data.id") {
				t.Errorf("added %v at %s, want %v", shown, made.header.Get("Location"), person)
			}
			a.do("GET", made.header.Get("Location"), o.owner, nil).want(200).wantFields(object{"data": person})
			if i < 2 { // the third member does not accept
				a.clock.Advance(time.Minute)
				a.accept(made.invitation(), testPassword).want(200)
				person["status"], person["invitationExpiresAt"], person["updatedAt"] = "ACTIVE", nil, wire(a.store.Now())
			}

			people = append([]object{person}, people...)
		}

		o.signIn()
		a.do("GET", "/v1/members", o.owner, nil).want(200).wantFields(object{"data": people})
		ids, pages := a.pages("/v1/members?limit=1", o.owner, "id")
		var wantIDs []string
		for _, person := range people {
			wantIDs = append(wantIDs, person["id"].(string))
		}
		if pages != 4 || !slices.Equal(ids, wantIDs) {
			t.Errorf("%d pages with the ids %v, want 4 with %v", pages, ids, wantIDs)
		}
		a.remove(o.owner, ids[1]).want(204)
		a.remove(o.owner, ids[0]).want(204) // this one has not accepted

		for _, removed := range ids[:2] {
			for _, answer := range []response{
				a.do("GET", "/v1/members/"+removed, o.owner, nil), a.setRole(o.owner, removed, "ADMIN"),
				a.resendInvitation(o.owner, removed),
				a.remove(o.owner, removed),
			} {
				answer.want(404, "not_found")
			}
		}

		a.do("GET", "/v1/members", o.owner, nil).want(200).wantFields(object{"data": people[2:]})
		for _, wrong := range []object{
			{}, {"name": "N", "email": "n@example.com"}, {"name": "N", "email": "n@example.com", "role": "GUEST"},
			{"name": " ", "email": "n@example.com", "role": "MEMBER"}, {"name": "N", "email": "n", "role": "MEMBER"},
			{"name": "N", "email": "n@example.com", "role": "MEMBER", "password": testPassword},
		} {
			a.do("POST", "/v1/members", o.owner, wrong).want(400, "invalid_request")
		}
	})
}

// An organization has one member or invited person with an email address. The comparison
// ignores case. A removal releases the address.
func TestMemberEmailIsUnique(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		invited := o.add("MEMBER").text("data.email")
		active := o.member("MEMBER")
		for _, email := range []string{o.email, invited, active.email, strings.ToUpper(active.email)} {
			refused := o.addEmail(email, "MEMBER").want(409, "already_member")
			if got := refused.faults(); !slices.Equal(got, []string{"body /email duplicate"}) {
				t.Errorf("%s: field errors %v, want only a duplicate", email, got)
			}
		}

		if ids, _ := a.pages("/v1/members", o.owner, "id"); len(ids) != 3 {
			t.Errorf("%d members, want 3", len(ids))
		}

		// A removal releases the address. Of six concurrent requests, exactly one gets it.
		for range 8 {
			email := fmt.Sprintf("free%d@example.com", added.Add(1))
			a.remove(o.owner, o.addEmail(email, "MEMBER").want(201).text("data.id")).want(204)
			answers := atOnce(6, func(i int) response {
				return []*api{a, b}[i%2].do("POST", "/v1/members", o.owner, object{"name": "N", "email": email, "role": "MEMBER"})
			})
			if got := statuses(answers); got[201] != 1 || got[409] != 5 {
				t.Errorf("statuses of concurrent additions: %v, want one 201 and five 409", got)
			}
		}
	})
}

// Every login of a removed member stops working on every replica. The API keys and
// assessments that they created remain. The person can be invited again, and then
// is a new member with a new id.
func TestRemovedMember(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		admin := o.member("ADMIN")
		logins := []signedIn{{admin.access, admin.refresh}, a.login(admin.email), b.login(admin.email), a.login(admin.email)}
		logins[3] = a.refresh(logins[3].refresh).want(200).tokens()
		key := a.do("POST", "/v1/api-keys", admin.who, object{"name": "theirs", "scopes": allScopes}).want(201)
		assessmentID := a.do("POST", "/v1/assessments", admin.who, oneQuestion()).want(201).text("data.id")
		for _, login := range logins {
			b.me(login.access).want(200) // both replicas now cache the login
			a.me(login.access).want(200)
		}
		if answer := a.remove(o.owner, admin.id).want(204); len(answer.body) != 0 {
			t.Errorf("the 204 response has a body: %s", answer.body)
		}
		for _, login := range logins {
			a.wantRejected(login)
			b.refresh(login.refresh).want(401, "unauthenticated")
			a.logout(login.refresh).want(204)
		}

		a.clock.Advance(time.Second)
		for _, login := range logins {
			b.wantRejected(login)
		}
		wrong := a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": "x"}).
			want(401, "invalid_credentials")

		for _, email := range []string{admin.email, admin.id} {
			before := a.store.PasswordHashes()
			refused := a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": testPassword})
			wantSame(t, refused, wrong)
			if hashes := a.store.PasswordHashes() - before; hashes != 1 {
				t.Errorf("computed %d password hashes, want 1", hashes)
			}
		}

		for _, replica := range []*api{a, b} {
			replica.use(key.text("data.key")).want(200)
			replica.do("GET", key.header.Get("Location"), o.owner, nil).want(200).
				wantFields(object{"data.revokedAt": nil, "data.name": "theirs"})
			replica.do("GET", "/v1/assessments/"+assessmentID, o.owner, nil).want(200)
		}

		// The same person is invited again and becomes a new member.
		again := o.addEmail(admin.email, "MEMBER").want(201)
		joined := a.accept(again.invitation(), otherPassword).want(200)
		if again.text("data.id") == admin.id {
			t.Error("the new member has the id of the removed one")
		}
		a.wantValid(joined.tokens())
		b.me(joined.text("data.accessToken")).want(200).wantFields(object{"data.role": "MEMBER",
			"data.id": again.at("data.id")})
		for _, login := range logins {
			a.wantRejected(login)
		}
		a.do("POST", "/v1/auth/login", anonymous, object{"email": admin.email, "password": testPassword}).
			want(401, "invalid_credentials")
		a.do("POST", "/v1/auth/login", anonymous, object{"email": admin.email, "password": otherPassword}).want(200)
	})
}

// A role change takes effect immediately on the replica that handles it, and
// within a second on the others. Logins remain valid.
func TestRoleChangeEffectiveAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		m := o.member("MEMBER")
		list := func(replica *api) response { return replica.do("GET", "/v1/api-keys", m.who, nil) }
		for _, replica := range []*api{a, b} {
			list(replica).want(403, "insufficient_role")
		}
		for _, test := range []struct {
			role   string
			status int
		}{{"ADMIN", 200}, {"MEMBER", 403}, {"OWNER", 200}, {"MEMBER", 403}, {"MEMBER", 403}, {"ADMIN", 200}} {
			a.clock.Advance(time.Minute)
			before := a.do("GET", "/v1/members/"+m.id, o.owner, nil).want(200)
			updatedAt := wire(a.store.Now())
			if before.text("data.role") == test.role { // the role is unchanged
				updatedAt = before.text("data.updatedAt")
			}
			for _, answer := range []response{
				a.setRole(o.owner, m.id, test.role), b.do("GET", "/v1/members/"+m.id, o.owner, nil),
			} {
				answer.want(200).wantFields(object{"data.role": test.role, "data.status": "ACTIVE", "data.updatedAt": updatedAt,
					"data.id": m.id})
			}

			list(a).want(test.status)
			a.me(m.access).want(200).wantFields(object{"data.role": test.role})
			a.clock.Advance(time.Second)
			list(b).want(test.status)
		}

		a.wantValid(signedIn{m.access, m.refresh}) // a role change does not end the login
		a.setRole(o.owner, m.id, "GUEST").want(400, "invalid_request")
		a.do("PATCH", "/v1/members/"+m.id, o.owner, object{}).want(400, "invalid_request")
		a.do("PATCH", "/v1/members/"+m.id, o.owner, object{"role": "ADMIN", "email": "x@example.com"}).
			want(400, "invalid_request")
	})
}

// Permissions on members by role: an OWNER may change every member. An ADMIN may
// neither change nor create an OWNER. A MEMBER may change nobody.
func TestMemberPermissionsByRole(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		actors := map[string]credential{"OWNER": o.owner, "ADMIN": o.member("ADMIN").who, "MEMBER": o.member("MEMBER").who}
		rank := map[string]int{"MEMBER": 1, "ADMIN": 2, "OWNER": 3}
		check := func(actor string, allowed bool, success int, answer response) {
			t.Helper()
			if allowed {
				answer.is(success, "")
				return
			}
			answer.is(403, "insufficient_role")
			if actor == "ADMIN" && !strings.Contains(answer.text("detail"), "OWNER") {
				t.Errorf("%s: %q does not name OWNER", answer.name, answer.text("detail"))
			}
		}

		for actor, who := range actors {
			// may reports whether the actor may change members with all of these roles.
			may := func(touched ...string) bool {
				highest := slices.MaxFunc(touched, func(a, b string) int { return rank[a] - rank[b] })
				return actor == "OWNER" || (actor == "ADMIN" && highest != "OWNER")
			}

			for role := range rank {
				body := object{"name": "N", "email": fmt.Sprintf("by%d@example.com", added.Add(1)), "role": role}
				check(actor, may(role), 201, a.do("POST", "/v1/members", who, body))
				invited := o.add(role)
				id, path := invited.text("data.id"), "/v1/members/"+invited.text("data.id")
				check(actor, may(role), 200, a.resendInvitation(who, id))

				for next := range rank {
					id := o.member(role).id
					check(actor, may(role, next), 200, a.setRole(who, id, next))
					want := map[bool]string{true: next, false: role}[may(role, next)]
					a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.role": want})
				}

				for _, id := range []string{id, o.member(role).id} {
					check(actor, may(role), 204, a.remove(who, id))
				}
				a.do("GET", path, who, nil).want(map[bool]int{true: 404, false: 200}[may(role)])
			}

			a.do("GET", "/v1/members", who, nil).want(200)
		}
	})
}

// An organization always has an active owner: the last one can be neither demoted
// nor removed. An invited owner does not count.
func TestLastOwner(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		self := a.userID(o.owner)
		refused := func() {
			t.Helper()
			before := a.do("GET", "/v1/members/"+self, o.owner, nil).want(200)
			for _, replica := range []*api{a, b} {
				replica.setRole(o.owner, self, "ADMIN").want(409, "last_owner")
				replica.setRole(o.owner, self, "MEMBER").want(409, "last_owner")
				replica.remove(o.owner, self).want(409, "last_owner")
				replica.setRole(o.owner, self, "OWNER").want(200)
			}

			after := a.do("GET", "/v1/members/"+self, o.owner, nil).want(200)
			wantSame(t, after, before)
			b.me(o.access).want(200).wantFields(object{"data.role": "OWNER"})
		}

		refused()

		o.member("ADMIN")
		invited := o.add("OWNER")
		refused() // an invited owner may never accept

		a.clock.Advance(time.Minute)
		a.do("GET", "/v1/members/"+self, o.owner, nil).want(200)
		removed := o.member("OWNER")
		a.remove(o.owner, removed.id).want(204)
		refused()

		second := a.accept(invited.invitation(), testPassword).want(200)
		secondOwner := bearer(second.text("data.accessToken"))
		a.setRole(o.owner, self, "ADMIN").want(200)
		a.setRole(o.owner, self, "OWNER").want(403, "insufficient_role") // an ADMIN cannot make anybody an OWNER
		a.setRole(secondOwner, invited.text("data.id"), "MEMBER").want(409, "last_owner")
		a.setRole(secondOwner, self, "OWNER").want(200)

		// A member may remove themselves.
		other := a.login(o.email)
		a.remove(o.owner, self).want(204)
		a.wantRejected(signedIn{o.access, o.refresh})
		a.wantRejected(other)
		a.remove(secondOwner, invited.text("data.id")).want(409, "last_owner")
		admin := o.api.do("GET", "/v1/members", secondOwner, nil).want(200)
		if got := len(admin.list("data")); got != 2 {
			t.Errorf("%d members, want 2", got)
		}
	})
}
