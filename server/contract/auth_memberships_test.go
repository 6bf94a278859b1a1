package contract

import (
	"slices"
	"testing"
	"time"

	"assay/store/storetest"
)

// joins makes an existing account a member of the organization, and returns the id of the member and the tokens.
func (o *tenant) joins(email, role string) (string, signedIn) {
	o.api.t.Helper()
	invited := o.addEmail(email, role).want(201)
	joined := o.api.accept(invited.invitation(), testPassword).want(200)
	joined.wantFields(object{"data.user.id": invited.text("data.id")})
	return invited.text("data.id"), joined.tokens()
}

// loginTo signs in to an organization of a person.
func (a *api) loginTo(email, organizationID string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/login", anonymous,
		object{"email": email, "password": testPassword, "organizationId": organizationID})
}

func (a *api) switchTo(in signedIn, organizationID string) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/organization", bearer(in.access),
		object{"organizationId": organizationID, "refreshToken": in.refresh})
}

// organizationsOf returns the organizations in the list of a person, and the current one.
func (a *api) organizationsOf(access string) (ids []string, current string) {
	a.t.Helper()
	for _, item := range a.do("GET", "/v1/me/memberships", bearer(access), nil).want(200).list("data") {
		membership := item.(object)
		id := membership["organization"].(object)["id"].(string)
		if ids = append(ids, id); membership["current"].(bool) {
			current = id
		}
	}
	return ids, current
}

// wantIn fails the test unless the token belongs to this organization.
func (a *api) wantIn(access, organizationID string) {
	a.t.Helper()
	a.me(access).want(200).wantFields(object{"data.organization.id": organizationID})
}

// A person joins a second organization with the password of their account, switches, and signs in to the last one. A
// client that sends no organization notices nothing.
func TestMemberships(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		a.me(one.access).want(200).wantFields(object{"data.hasSeveralOrganizations": false, "data.signInMethod": "PASSWORD"})
		first := a.me(one.access).text("data.id")
		second, in := two.joins(one.email, "MEMBER")
		a.me(in.access).want(200).wantFields(object{
			"data.id": second, "data.organization.id": two.organizationID, "data.role": "MEMBER",
			"data.hasSeveralOrganizations": true, "data.name": "Ada Lovelace",
		})
		a.me(one.access).want(200).wantFields(object{"data.id": first, "data.role": "OWNER"})
		for access, current := range map[string]string{one.access: one.organizationID, in.access: two.organizationID} {
			ids, marked := b.organizationsOf(access)
			if !slices.Equal(ids, []string{two.organizationID, one.organizationID}) || marked != current {
				t.Errorf("organizations %v, current %s, want %s", ids, marked, current)
			}
		}

		a.wantIn(a.login(one.email).access, two.organizationID) // the last one
		switched := b.switchTo(in, one.organizationID).want(200)
		switched.wantFields(object{"data.user.id": first})
		b.wantRejected(in)
		now := switched.tokens()
		a.wantIn(now.access, one.organizationID)
		a.wantIn(a.login(one.email).access, one.organizationID)
		a.wantIn(a.loginTo(one.email, two.organizationID).want(200).tokens().access, two.organizationID)
		now = a.refresh(now.refresh).want(200).tokens()
		a.wantIn(now.access, one.organizationID)

		stranger := a.register()
		for _, unknown := range []string{stranger.organizationID, "org_01" + newWord(24), "x"} {
			wantSame(t, a.switchTo(now, unknown).want(404, "not_found"),
				a.switchTo(now, "org_0unknown").want(404, "not_found"))
			a.loginTo(one.email, unknown).want(401, "invalid_credentials")
		}
		a.wantIn(now.access, one.organizationID) // a refused switch ends nothing

		actions := func(o *tenant, id string) (found []string) {
			o.signIn()
			for _, item := range a.do("GET", "/v1/audit-log?limit=100&actorId="+id, o.owner, nil).want(200).list("data") {
				found = append(found, item.(object)["action"].(string))
			}
			return found
		}
		if got := actions(two, second); !slices.Contains(got, "SIGNED_OUT") || !slices.Contains(got, "SIGNED_IN") {
			t.Errorf("the audit log of the organization that was left has %v", got)
		}
	})
}

// Joining needs the password of the account, in the same number of attempts as a sign-in, and reveals nothing more.
func TestJoiningNeedsThePassword(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		invited := two.addEmail(one.email, "ADMIN").want(201)
		before := a.store.PasswordHashes()
		for _, wrong := range []string{otherPassword, "x", testPassword + " "} {
			a.accept(invited.invitation(), wrong).want(401, "invalid_credentials")
		}
		if n := a.store.PasswordHashes() - before; n != 3 {
			t.Errorf("%d hashes for three passwords", n)
		}
		if got := two.auditedActions("MEMBER_INVITATION_REFUSED"); len(got) != 3 {
			t.Errorf("the audit log has %d refused acceptances, want 3", len(got))
		}
		if got := one.auditedActions("SIGN_IN_FAILED"); len(got) != 3 {
			t.Errorf("the audit log has %d failed sign-ins, want 3", len(got))
		}
		if got := two.auditedActions("SIGN_IN_FAILED"); len(got) != 0 {
			t.Errorf("the audit log of an organization without the person has %d failed sign-ins", len(got))
		}
		a.accept(invited.invitation(), testPassword).want(200)
		a.accept(invited.invitation(), testPassword).want(401, "unauthenticated")
		two.addEmail(one.email, "MEMBER").want(409, "already_member")
		one.addEmail(one.email, "MEMBER").want(409, "already_member")
	})
}

// Attempts at an account concern each organization of the person, and each names its own member.
func TestAttemptsInEachOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two, other := a.register(), a.register(), a.register()
		person := one.member("ADMIN")
		second, _ := two.joins(person.email, "MEMBER")
		a.do("POST", "/v1/auth/login", anonymous, object{"email": person.email, "password": otherPassword}).want(401)
		a.forgot(person.email).want(202)
		if _, _, err := a.store.UnscopedResetLink(t.Context(), person.email); err != nil {
			t.Fatal(err)
		}
		for o, id := range map[*tenant]string{one: person.id, two: second} {
			for action, count := range map[string]int{"SIGN_IN_FAILED": 1, "PASSWORD_RESET_REQUESTED": 2} {
				if got := o.auditedActions(action); len(got) != count || got[0] != id {
					t.Errorf("the audit log has %s of %v, want %d of %s", action, got, count, id)
				}
			}
		}
		if got := len(other.auditedActions("SIGN_IN_FAILED")); got != 0 {
			t.Errorf("another organization has %d entries", got)
		}
	}, sendsEmail)
}

// A person removed from one organization keeps the other one, also if the removed membership had the address.
// The address stays taken, and can be invited again.
func TestRemovalFromOneOrganization(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		for _, removesFirst := range []bool{true, false} {
			one, two := a.register(), a.register()
			person := one.member("ADMIN")
			second, in := two.joins(person.email, "MEMBER")
			left, leftID, stays := one, person.id, two
			if !removesFirst {
				left, leftID, stays = two, second, one
			}
			a.remove(left.owner, leftID).want(204)
			if removesFirst {
				a.wantRejected(signedIn{person.access, person.refresh})
				a.wantIn(in.access, stays.organizationID)
			} else {
				a.wantRejected(in)
				a.wantIn(person.access, stays.organizationID)
			}
			now := b.login(person.email)
			b.me(now.access).want(200).wantFields(object{
				"data.organization.id": stays.organizationID, "data.hasSeveralOrganizations": false,
			})
			b.loginTo(person.email, left.organizationID).want(401, "invalid_credentials")
			b.switchTo(now, left.organizationID).want(404, "not_found")
			b.registerEmail(person.email).want(409, "email_taken")
			again, _ := left.joins(person.email, "MEMBER")
			if ids, _ := b.organizationsOf(now.access); len(ids) != 2 || again == leftID {
				t.Errorf("organizations %v, member %s again", ids, again)
			}
		}
	})
}

// A new password ends the sign-ins in all organizations, except the one that set it, and applies in all. So does the
// name.
func TestAccountOfSeveralOrganizations(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		id, in := two.joins(one.email, "MEMBER")
		a.do("PATCH", "/v1/me", bearer(in.access), object{"name": "Ada King"}).want(200)
		b.me(one.access).want(200).wantFields(object{"data.name": "Ada King"})
		b.do("GET", "/v1/members/"+id, two.owner, nil).want(200).wantFields(object{"data.name": "Ada King"})

		a.do("POST", "/v1/me/password", bearer(in.access),
			object{"currentPassword": testPassword, "newPassword": otherPassword}).want(204)
		a.wantRejected(signedIn{one.access, one.refresh})
		a.wantIn(in.access, two.organizationID)
		for _, organizationID := range []string{one.organizationID, two.organizationID} {
			b.loginTo(one.email, organizationID).want(401, "invalid_credentials")
			b.do("POST", "/v1/auth/login", anonymous,
				object{"email": one.email, "password": otherPassword, "organizationId": organizationID}).want(200)
		}
		if got := two.auditedActions("PASSWORD_CHANGED"); len(got) != 1 {
			t.Errorf("the other organization has %d entries of the new password, want 1", len(got))
		}
	})
}

// Of two switches at once, one succeeds. A switch against a removal leaves no sign-in to the organization.
func TestSwitchRaces(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		one, two, three := a.register(), a.register(), a.register()
		person := one.member("MEMBER")
		id, _ := two.joins(person.email, "MEMBER")
		three.joins(person.email, "MEMBER")
		for range 10 {
			in := a.loginTo(person.email, one.organizationID).want(200).tokens()
			answers := atOnce(4, func(i int) response {
				return []*api{a, b}[i%2].switchTo(in, []string{two.organizationID, three.organizationID}[i/2])
			})
			if got := statuses(answers); got[200] != 1 || got[401] != 3 {
				t.Errorf("statuses of switches at once: %v, want one 200", got)
			}
			a.wantRejected(in)
		}
		for range 5 {
			in := a.loginTo(person.email, one.organizationID).want(200).tokens()
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.switchTo(in, two.organizationID)
				}
				return b.remove(two.owner, id)
			})
			answers[1].want(204)
			if answers[0].status == 200 {
				a.pass(2 * time.Second) // past the lifetime of a verified credential
				b.wantRejected(answers[0].tokens())
			} else {
				answers[0].want(404, "not_found")
			}
			id, _ = two.joins(person.email, "MEMBER")
		}
	})
}

// After a sign-in with the provider of an organization, the other organizations and the account cannot be reached.
func TestProviderSignInStaysInItsOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		_, in := two.joins(one.email, "MEMBER")
		own := bearer(in.access)
		storetest.SetSignInMethod(t, a.database, a.me(in.access).text("data.id"), "PROVIDER")
		a.pass(2 * time.Second) // past the lifetime of a verified credential

		if ids, current := a.organizationsOf(in.access); len(ids) != 1 || current != two.organizationID {
			t.Errorf("organizations %v, current %s", ids, current)
		}
		a.me(in.access).want(200).wantFields(object{"data.hasSeveralOrganizations": false, "data.signInMethod": "PROVIDER"})
		wantSame(t, a.switchTo(in, one.organizationID).want(404, "not_found"), a.switchTo(in, "org_x"))
		refused := func(method, path string, body any) {
			a.do(method, path, own, body).want(403, "password_sign_in_required")
		}
		refused("PATCH", "/v1/me", object{"name": "N"})
		refused("POST", "/v1/me/password", object{"currentPassword": testPassword, "newPassword": otherPassword})
		refused("POST", "/v1/me/email-confirmation", nil)
		refused("PUT", "/v1/me/email-confirmation", object{"token": "t"})
		now := a.switchTo(in, two.organizationID).want(200).tokens()
		wantSame(t, a.switchTo(now, one.organizationID), a.switchTo(now, "org_x").want(404))
	})
}

// A person with a second factor joins with the password, and then confirms the sign-in.
func TestJoinWithSecondFactor(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		app := a.addAuthenticator(one.owner)
		joined := a.accept(two.addEmail(one.email, "MEMBER").want(201).invitation(), testPassword)
		challenge := joined.want(401, "second_factor_required").text("secondFactor.challenge")
		ids, _ := b.organizationsOf(one.access)
		if !slices.Contains(ids, two.organizationID) {
			t.Errorf("organizations %v, want also %s", ids, two.organizationID)
		}
		b.wantIn(b.completeWith(challenge, app.code(0)).want(200).tokens().access, two.organizationID)
	})
}
