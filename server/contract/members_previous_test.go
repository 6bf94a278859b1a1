package contract

import (
	"testing"
	"time"

	"assay/store/storetest"
)

// addPreviously invites a person on a replica of the previous version, which writes
// invitations to the table of accounts.
func (o *tenant) addPreviously(role string) response {
	o.api.t.Helper()
	invited := o.add(role)
	storetest.UnmoveInvitation(o.api.t, o.api.database, invited.text("data.id"), "")
	return invited
}

// During a rolling update, the previous version continues to write invitations to the
// table of accounts. This version reads them, and moves them before it changes them.
func TestInvitationsOfPreviousVersion(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		check := func(invited response, status string) {
			t.Helper()
			a.do("GET", "/v1/members/"+invited.text("data.id"), o.owner, nil).want(200).wantFields(object{
				"data.id": invited.at("data.id"), "data.email": invited.at("data.email"), "data.status": status,
				"data.createdAt": invited.at("data.createdAt"),
			})
		}

		accepted := o.addPreviously("ADMIN")
		check(accepted, "INVITED")
		for range 2 {
			b.accept(accepted.invitation(), "too short").want(400)
			a.do("POST", "/v1/auth/login", anonymous, object{"email": accepted.text("data.email"), "password": testPassword}).
				want(401, "invalid_credentials")
		}
		joined := a.accept(accepted.invitation(), testPassword).want(200)
		a.me(joined.text("data.accessToken")).want(200).wantFields(object{"data.role": "ADMIN"})
		check(accepted, "ACTIVE")
		a.accept(accepted.invitation(), testPassword).want(401, "unauthenticated")

		resent := o.addPreviously("MEMBER")
		again := a.resendInvitation(o.owner, resent.text("data.id")).want(200)
		b.accept(resent.invitation(), testPassword).want(401, "unauthenticated")
		b.accept(again.invitation(), testPassword).want(200)

		promoted := o.addPreviously("MEMBER")
		a.setRole(o.owner, promoted.text("data.id"), "OWNER").want(200).wantFields(object{"data.invitationExpiresAt": nil})
		a.accept(promoted.invitation(), testPassword).want(401, "unauthenticated")

		removed := o.addPreviously("MEMBER")
		a.remove(o.owner, removed.text("data.id")).want(204)
		b.accept(removed.invitation(), testPassword).want(401, "unauthenticated")
		o.addEmail(removed.text("data.email"), "MEMBER").want(201)

		twice := o.addPreviously("MEMBER")
		o.addEmail(twice.text("data.email"), "MEMBER").want(409, "already_member")

		expired := o.addPreviously("MEMBER")
		a.clock.Advance(invitationLifetime)
		a.accept(expired.invitation(), testPassword).want(410, "invitation_expired")
	})
}

// A purge and the start of a replica move the invitations of the previous version. The
// address is then free for a registration elsewhere.
func TestInvitationsOfPreviousVersionAreMoved(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		for name, move := range map[string]func() error{
			"purge":     func() error { return storetest.Purge(t.Context(), a.store, time.Hour) },
			"migration": func() error { return b.store.Migrate(t.Context()) },
		} {
			var invited []response
			for _, tenant := range []*tenant{o, o, other} {
				invited = append(invited, tenant.add("MEMBER"))
			}
			for _, one := range invited {
				storetest.UnmoveInvitation(t, a.database, one.text("data.id"), "")
			}
			a.registerEmail(invited[0].text("data.email")).want(409, "email_taken")
			accounts := storetest.Count(t, a.database, "users")
			if err := move(); err != nil {
				t.Fatal(err)
			}
			if got := accounts - storetest.Count(t, a.database, "users"); got != len(invited) {
				t.Errorf("%s: moved %d invitations, want %d", name, got, len(invited))
			}
			a.registerEmail(invited[0].text("data.email")).want(201)
			for _, one := range invited[1:] {
				b.accept(one.invitation(), testPassword).want(200).wantFields(object{"data.user.id": one.at("data.id")})
			}
		}
	})
}

// If both versions have invited an address, the invitation of the previous one remains.
func TestInvitationOfBothVersions(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, _ *api) {
		o := a.register()
		previous := o.add("ADMIN")
		id := a.store.NewID("usr")
		storetest.UnmoveInvitation(t, a.database, previous.text("data.id"), id)
		a.resendInvitation(o.owner, id).want(404)
		if ids, _ := a.pages("/v1/members", o.owner, "id"); len(ids) != 3 {
			t.Errorf("%d members before the first change, want 3", len(ids))
		}
		a.accept(previous.invitation(), testPassword).want(200).
			wantFields(object{"data.user.id": previous.at("data.id"), "data.user.email": previous.at("data.email")})
		if ids, _ := a.pages("/v1/members", o.owner, "id"); len(ids) != 2 {
			t.Errorf("%d members after the acceptance, want 2", len(ids))
		}
	})
}
