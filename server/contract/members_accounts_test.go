package contract

import (
	"fmt"
	"slices"
	"testing"

	"assay/server"
	"assay/store"
	"assay/store/storetest"
)

// registerEmail registers an organization whose OWNER has this email address.
func (a *api) registerEmail(email string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/register", anonymous,
		object{"organizationName": "O", "name": "N", "email": email, "password": testPassword})
}

// auditedActions returns the resource ids of the newest entries with the action.
func (o *tenant) auditedActions(action string) []string {
	o.api.t.Helper()
	var ids []string
	for _, entry := range o.api.do("GET", "/v1/audit-log?limit=100&action="+action, o.owner, nil).want(200).list("data") {
		ids = append(ids, entry.(map[string]any)["resource"].(map[string]any)["id"].(string))
	}
	return ids
}

// An invitation does not depend on accounts elsewhere, so it does not reveal them. The
// response is the same for an account elsewhere, an address that others have invited,
// and an unused address.
func TestInvitingDoesNotRevealAccounts(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		shape := func(answer response) string {
			fields := answer.want(201).data()
			for _, name := range []string{"id", "email", "invitationUrl"} {
				delete(fields, name)
			}
			return fmt.Sprint(fields)
		}
		want := shape(o.addEmail("nobody@example.com", "MEMBER"))
		for name, email := range map[string]string{
			"owner elsewhere": other.email, "member elsewhere": other.member("MEMBER").email,
			"invited elsewhere": other.invitedEmail(),
		} {
			if got := shape(o.addEmail(email, "MEMBER")); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
		if got := storetest.Count(t, a.database, "users"); got != 3 {
			t.Errorf("%d accounts after the invitations, want 3", got)
		}
	})
}

// An invitation does not reserve the address: the person can register an organization of
// their own, or join another one that has invited them. The remaining invitation then needs
// the password of that account.
func TestInvitedPersonHasAccountElsewhere(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		email := fmt.Sprintf("twice%d%s@example.com", added.Add(1), run)
		invited, elsewhere := o.addEmail(email, "ADMIN").want(201), other.addEmail(email, "MEMBER").want(201)
		registered := fmt.Sprintf("registers%d%s@example.com", added.Add(1), run)
		late := o.addEmail(registered, "MEMBER").want(201)
		a.registerEmail(registered).want(201)
		b.accept(elsewhere.invitation(), testPassword).want(200)

		for _, refused := range []response{
			a.accept(invited.invitation(), otherPassword), b.accept(late.invitation(), otherPassword),
		} {
			refused.want(401, "invalid_credentials")
			if got := refused.faults(); len(got) != 0 {
				t.Errorf("field errors %v, want none: the request has no address", got)
			}
		}
		a.login(email)
		a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": otherPassword}).want(401)
		for _, answer := range []response{invited, late} {
			a.do("GET", "/v1/members/"+answer.text("data.id"), o.owner, nil).want(200).
				wantFields(object{"data.status": "INVITED"})
		}
		want := []string{late.text("data.id"), invited.text("data.id")}
		got := o.auditedActions("MEMBER_INVITATION_REFUSED")
		slices.Sort(want)
		slices.Sort(got) // two replicas wrote them in the same millisecond
		if !slices.Equal(got, want) {
			t.Errorf("refused invitations in the audit log: %v, want %v", got, want)
		}
		if got := other.auditedActions("MEMBER_INVITATION_REFUSED"); len(got) != 0 {
			t.Errorf("another organization has the entries %v", got)
		}

		// The address is released elsewhere, and the same link works.
		a.remove(other.owner, elsewhere.text("data.id")).want(204)
		a.accept(invited.invitation(), otherPassword).want(200).
			wantFields(object{"data.user.id": invited.text("data.id")})
	})
}

// Refused acceptances are limited for each network and each token. Successful ones do not
// count, because many people can accept in one office.
func TestRefusedAcceptancesAreLimited(t *testing.T) {
	limits := store.SignInLimits{Invitation: signInLimits.Invitation}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		ip := newIP()
		accept := func(i int, from string, invited response) response {
			return []*api{a, b}[i%2].from(from, "POST", "/v1/auth/accept-invitation", anonymous,
				object{"token": invited.invitation(), "password": otherPassword})
		}
		for i := range 15 {
			accept(i, ip, o.add("MEMBER")).want(200)
		}

		// An attacker that invites addresses to find accounts learns of ten in an hour.
		hashes := func() int64 { return a.store.PasswordHashes() + b.store.PasswordHashes() }
		for i := range 10 {
			taken := other.member("MEMBER").email
			accept(i, ip, o.addEmail(taken, "MEMBER").want(201)).want(401, "invalid_credentials")
		}
		before := hashes()
		taken, free := o.addEmail(other.email, "MEMBER").want(201), o.add("MEMBER")
		for i, invited := range []response{taken, free, taken, free} {
			if retry := accept(i, ip, invited).limited("invitation"); retry != 3600 {
				t.Errorf("Retry-After %d, want 3600", retry)
			}
		}
		if hashes() != before {
			t.Error("computed a password hash")
		}

		// Other networks are not limited, but one link is. It counted twice above.
		for i := range 8 {
			accept(i, newIP(), taken).want(401, "invalid_credentials")
		}
		for i := range 4 {
			accept(i, newIP(), taken).limited("invitation")
		}
		accept(0, newIP(), free).want(200)
	})
}

// The use of a dead link is audited, at most ten times in an hour for each link. The
// responses stay the same.
func TestDeadInvitationsAreAudited(t *testing.T) {
	limits := store.SignInLimits{Invitation: signInLimits.Invitation}
	onLimited(t, server.RateLimits{}, limits, func(t *testing.T, a, b *api) {
		o := a.register()
		used, replaced, removed, changed, expired := o.add("MEMBER"), o.add("MEMBER"), o.add("MEMBER"), o.add("MEMBER"),
			o.add("MEMBER")
		a.accept(used.invitation(), testPassword).want(200)
		a.resendInvitation(o.owner, replaced.text("data.id")).want(200)
		a.remove(o.owner, removed.text("data.id")).want(204)
		a.setRole(o.owner, changed.text("data.id"), "ADMIN").want(200)
		a.accept("mbr_"+hashOf("unknown"), testPassword).want(401, "unauthenticated")
		a.clock.Advance(invitationLifetime)
		o.signIn()
		dead := []response{used, replaced, removed, changed}
		for round := range 3 {
			for _, invited := range dead {
				b.accept(invited.invitation(), otherPassword).want(401, "unauthenticated")
			}
			b.accept(expired.invitation(), otherPassword).want(410, "invitation_expired")
			if round == 0 {
				want := []string{expired.text("data.id"), changed.text("data.id"), removed.text("data.id"),
					replaced.text("data.id"), used.text("data.id")}
				if got := o.auditedActions("MEMBER_INVITATION_REFUSED"); !slices.Equal(got, want) {
					t.Errorf("refused invitations in the audit log: %v, want %v", got, want)
				}
			}
		}
		for range 20 {
			a.accept(used.invitation(), otherPassword).want(401, "unauthenticated")
		}
		if got := o.auditedActions("MEMBER_INVITATION_REFUSED"); len(got) != 4*3+10 {
			t.Errorf("%d entries, want three for each of four links and ten for the other", len(got))
		}

		// Ended tokens are kept for 30 days.
		a.clock.Advance(31 * 24 * invitationLifetime / 7)
		if err := storetest.Purge(t.Context(), a.store, invitationLifetime); err != nil {
			t.Fatal(err)
		}
		if got := storetest.Count(t, a.database, "ended_invitations"); got != 0 {
			t.Errorf("%d ended tokens remain", got)
		}
		a.accept(used.invitation(), otherPassword).want(401, "unauthenticated")
	})
}

// An ADMIN can keep the link of an invited MEMBER. If an OWNER promotes the invited person,
// that link does not make the ADMIN an OWNER: the promotion ends it, and only an OWNER gets
// a new one.
func TestRoleChangeEndsInvitation(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		admin := o.member("ADMIN")
		kept := a.do("POST", "/v1/members", admin.who, object{"name": "N", "email": newEmail(), "role": "MEMBER"}).want(201)
		id := kept.text("data.id")
		a.setRole(o.owner, id, "MEMBER").want(200) // the role is the same, and the link continues to work
		a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).
			wantFields(object{"data.invitationExpiresAt": kept.at("data.invitationExpiresAt")})
		promoted := a.setRole(o.owner, id, "OWNER").want(200)
		for _, answer := range []response{promoted, b.do("GET", "/v1/members/"+id, admin.who, nil).want(200)} {
			answer.wantFields(object{"data.role": "OWNER", "data.status": "INVITED", "data.invitationExpiresAt": nil})
		}
		for _, replica := range []*api{a, b} {
			replica.accept(kept.invitation(), testPassword).want(401, "unauthenticated")
			replica.resendInvitation(admin.who, id).want(403, "insufficient_role")
			replica.setRole(admin.who, id, "MEMBER").want(403, "insufficient_role")
			replica.remove(admin.who, id).want(403, "insufficient_role")
		}
		resent := a.resendInvitation(o.owner, id).want(200)
		a.accept(kept.invitation(), testPassword).want(401, "unauthenticated")
		joined := b.accept(resent.invitation(), testPassword).want(200)
		b.me(joined.text("data.accessToken")).want(200).wantFields(object{"data.role": "OWNER", "data.id": id})

		// A demotion ends the link as well.
		owner := o.add("OWNER")
		a.setRole(o.owner, owner.text("data.id"), "ADMIN").want(200)
		a.accept(owner.invitation(), testPassword).want(401, "unauthenticated")
	})
}

// When a promotion and an acceptance run at the same time, the link works before the
// promotion or not at all.
func TestRoleChangeAgainstAcceptance(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		accepted := 0
		for range 20 {
			invited := o.add("MEMBER")
			id := invited.text("data.id")
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.setRole(o.owner, id, "ADMIN")
				}
				return b.accept(invited.invitation(), testPassword)
			})
			answers[0].want(200).wantFields(object{"data.role": "ADMIN"})
			status := "INVITED"
			if answers[1].status == 200 {
				accepted++
				status = "ACTIVE"
			} else {
				answers[1].want(401, "unauthenticated")
			}
			a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).
				wantFields(object{"data.role": "ADMIN", "data.status": status, "data.invitationExpiresAt": nil})
		}
		t.Logf("the acceptance succeeded in %d of 20 rounds", accepted)
	})
}

// An address that accepts an invitation cannot be invited to the same organization at the
// same time.
func TestInvitationAgainstAcceptance(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 20 {
			invited := o.add("MEMBER")
			answers := atOnce(5, func(i int) response {
				replica := []*api{a, b}[i%2]
				if i == 0 {
					return replica.accept(invited.invitation(), testPassword)
				}
				return replica.do("POST", "/v1/members", o.owner,
					object{"name": "N", "email": invited.text("data.email"), "role": "MEMBER"})
			})
			answers[0].want(200)
			for _, answer := range answers[1:] {
				answer.want(409, "already_member")
			}
		}
	})
}

// Two organizations have invited an address. Of two acceptances at the same time, one makes
// the account, and the other one joins it.
func TestTwoAcceptancesOfOneAddress(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		for range 15 {
			email := newEmail()
			links := []response{o.addEmail(email, "MEMBER").want(201), other.addEmail(email, "MEMBER").want(201)}
			answers := atOnce(3, func(i int) response {
				if i == 2 {
					return a.registerEmail(email)
				}
				return []*api{a, b}[i].accept(links[i].invitation(), testPassword)
			})
			got := statuses(answers)
			if got[200] != 2 || got[201]+got[409] != 1 {
				t.Errorf("statuses of concurrent acceptances and a registration: %v, want two 200", got)
			}
			a.login(email)
		}
	})
}
