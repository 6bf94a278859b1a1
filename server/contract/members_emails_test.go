package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// An invited person gets the link of the response by email, and accepts with it. A renewed
// invitation has another link, in another email.
func TestInvitationEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"locale": "de-AT", "timeZone": "Europe/Vienna"}).want(200)
		outbox := a.outbox()
		invited := o.add("ADMIN")
		email := outbox.sendOne()
		if withoutProof(email.token(t, store.EmailInvitation)) != invited.invitation() {
			t.Errorf("the email has the link %s, the response %s", email.Account.Link, invited.body)
		}
		if email.ToAddress != invited.text("data.email") || email.ToName != "Katherine Johnson" ||
			email.Account.ByName != "Ada Lovelace" || email.Account.Role != store.Admin || email.Locale != "de-AT" ||
			email.TimeZone != "Europe/Vienna" || wire(email.Account.ExpiresAt) != invited.text("data.invitationExpiresAt") {
			t.Errorf("the email is %+v %+v", email.EmailContent, email.Account)
		}
		renewed := a.resendInvitation(o.owner, invited.text("data.id")).want(200)
		second := outbox.sendOne().token(t, store.EmailInvitation)
		if withoutProof(second) != renewed.invitation() || withoutProof(second) == invited.invitation() {
			t.Errorf("the second email has the token %s, the response %s", second, renewed.body)
		}
		a.accept(second, testPassword).want(200)
		outbox.sendNone()
	}, sendsEmail)
}

// An email whose link has ended since is not sent, whether it is queued or claimed.
func TestInvitationEmailEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		outbox := a.outbox()
		for name, end := range map[string]func(response){
			"accepted": func(invited response) { a.accept(invited.invitation(), testPassword).want(200) },
			"removed":  func(invited response) { a.remove(o.owner, invited.text("data.id")).want(204) },
			"role changed": func(invited response) {
				a.setRole(o.owner, invited.text("data.id"), "ADMIN").want(200)
			},
			"expired": func(response) { a.clock.Advance(8 * 24 * time.Hour) },
		} {
			o.owner = bearer(a.login(o.email).access)
			end(o.add("MEMBER"))
			o.owner = bearer(a.login(o.email).access)
			outbox.sendNone()
			claimed := o.add("MEMBER")
			email := outbox.claim()
			end(claimed)
			if content := outbox.content(*email); content != nil {
				t.Errorf("%s: a claimed email has the link %s", name, content.Account.Link)
			}
			outbox.settle(*email, store.EmailCancelled, "")
		}
		o.owner = bearer(a.login(o.email).access)
		invited := o.add("MEMBER")
		renewed := a.resendInvitation(o.owner, invited.text("data.id")).want(200)
		if token := withoutProof(outbox.sendOne().token(t, store.EmailInvitation)); token != renewed.invitation() {
			t.Errorf("the email has the token %s, the response %s", token, renewed.body)
		}
	}, sendsEmail)
}

// An email finds its link also after a rotation of the master secret, while the previous one
// is configured, and not after that. The link of an invitation stays valid.
func TestInvitationEmailRotation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		const next = "the next master secret of this service"
		on := func(secret string, previous ...string) *api {
			s := storetest.OpenURL(t, address, clock.Now, sendsEmail, storetest.Secrets(t, secret, previous...))
			return serve(t, s, clock)
		}
		before, during, after := on(storetest.Secret), on(next, storetest.Secret), on(next)
		o := before.register()
		first := o.add("MEMBER")
		if token := withoutProof(during.outbox().sendOne().token(t, store.EmailInvitation)); token != first.invitation() {
			t.Errorf("the email has the token %s, the response %s", token, first.body)
		}
		second := o.add("MEMBER")
		after.outbox().sendNone()
		after.accept(second.invitation(), testPassword).want(200)
	})
}

// An invitation that the previous binary has made or renewed has a random link. The email of
// this binary for an earlier link is not sent. Renewing makes a link that an email can repeat.
func TestInvitationEmailOfPreviousBinary(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		outbox := a.outbox()
		invited := o.add("MEMBER")
		storetest.SetInvitationHash(t, a.database, invited.text("data.id"), []byte("a hash of another token"))
		outbox.sendNone()
		renewed := a.resendInvitation(o.owner, invited.text("data.id")).want(200)
		if token := withoutProof(outbox.sendOne().token(t, store.EmailInvitation)); token != renewed.invitation() {
			t.Errorf("the email has the token %s, the response %s", token, renewed.body)
		}
	}, sendsEmail)
}

// One organization sends three emails with an invitation to one address in 24 hours. Above
// that, nothing changes.
func TestInvitationEmailLimit(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		invited := o.add("MEMBER")
		id, email := invited.text("data.id"), invited.text("data.email")
		a.resendInvitation(o.owner, id).want(200)
		renewed := a.resendInvitation(o.owner, id).want(200)
		a.resendInvitation(o.owner, id).limited("invitation-email")
		a.outbox().sendOne()
		a.remove(o.owner, id).want(204)
		person := object{"name": "N", "email": strings.ToUpper(email), "role": "MEMBER"}
		a.do("POST", "/v1/members", o.owner, person).limited("invitation-email")
		a.do("POST", "/v1/members", other.owner, person).want(201)
		a.clock.Advance(24 * time.Hour)
		o.owner = bearer(a.login(o.email).access)
		a.do("POST", "/v1/members", o.owner, person).want(201)
		a.accept(renewed.invitation(), testPassword).want(401, "unauthenticated")
	}, sendsEmail)
}

// Members learn by email that their password was changed, that somebody used one of their
// tokens twice, and that their role was changed. Invited people do not.
func TestSecurityNotices(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		outbox := a.outbox()
		member := o.member("MEMBER")
		outbox.send()
		notice := func(kind store.EmailKind) sent {
			t.Helper()
			email := outbox.sendOne()
			if email.Email.Kind != kind || email.ToAddress != member.email || email.Account.IP != "127.0.0.1" ||
				!email.Account.At.Equal(a.store.Now()) || email.Account.Link != "" || email.UnsubscribeURL != "" ||
				!strings.HasSuffix(email.Account.ResetURL, "/reset-password") {
				t.Errorf("want %s, the email is %+v %+v", kind, email.Email, email.Account)
			}
			return email
		}

		a.changePassword(member.access, testPassword, otherPassword).want(204)
		notice(store.EmailPasswordChanged)

		a.setRole(o.owner, member.id, "ADMIN").want(200)
		if account := notice(store.EmailRoleChanged).Account; account.PreviousRole != store.Member ||
			account.Role != store.Admin || account.ByName != "Ada Lovelace" {
			t.Errorf("the email about the role has %+v", account)
		}
		a.setRole(o.owner, member.id, "ADMIN").want(200)
		outbox.sendNone()
		a.setRole(o.owner, member.id, "OWNER").want(200)
		a.setRole(o.owner, member.id, "MEMBER").want(200)
		if account := notice(store.EmailRoleChanged).Account; account.Role != store.Member {
			t.Errorf("the email about the role has %+v", account)
		}

		reuse := func() {
			t.Helper()
			stolen := a.loginWith(member.email, otherPassword).refresh
			a.refresh(stolen).want(200)
			a.clock.Advance(31 * time.Second)
			a.refresh(stolen).want(401, "unauthenticated")
		}
		reuse()
		notice(store.EmailRefreshTokenReused)
		for range 3 {
			reuse()
		}
		outbox.sendNone()
		a.clock.Advance(time.Hour)
		reuse()
		notice(store.EmailRefreshTokenReused)

		o.owner = bearer(a.login(o.email).access)
		a.setRole(o.owner, member.id, "ADMIN").want(200)
		a.remove(o.owner, member.id).want(204)
		outbox.sendNone()
	}, sendsEmail)
}

// Each OWNER and ADMIN learns that an endpoint was disabled because it fails or is gone, once
// each time, unless it works again or was disabled by a person.
func TestWebhookDisabledEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.register()
		admin := o.member("ADMIN")
		o.member("MEMBER")
		o.add("ADMIN")
		outbox := a.outbox()
		outbox.send()
		hook := a.do("POST", "/v1/webhooks", o.owner, object{
			"url": "https://hooks.example.com:8443/secret/path?key=1", "events": []string{"candidate.invited"},
		}).want(201).text("data.id")
		gone := func() {
			t.Helper()
			for range 2 {
				if err := a.store.UnscopedNoteHealth(t.Context(), store.Health{WebhookID: hook, Gone: true}); err != nil {
					t.Fatal(err)
				}
			}
		}
		enable := func(enabled bool) {
			t.Helper()
			a.do("PATCH", "/v1/webhooks/"+hook, o.owner, object{"enabled": enabled}).want(200)
		}

		gone()
		to := map[string]bool{}
		for _, email := range outbox.send() {
			to[email.ToAddress] = true
			if email.Email.Kind != store.EmailWebhookDisabled || email.Webhook.Host != "hooks.example.com:8443" ||
				!strings.HasPrefix(email.Webhook.URL, "https://assay.test/app/webhooks/whk_") ||
				email.Webhook.Reason != "ENDPOINT_GONE" || !email.Webhook.At.Equal(a.store.Now()) {
				t.Errorf("the email is %+v %+v", email.Email, email.Webhook)
			}
		}
		if want := fmt.Sprint(map[string]bool{o.email: true, admin.email: true}); fmt.Sprint(to) != want {
			t.Errorf("emails to %v, want %s", to, want)
		}
		enable(true)
		gone()
		enable(true)
		outbox.sendNone()
		gone()
		if emails := outbox.send(); len(emails) != 2 {
			t.Errorf("%d emails were sent, want 2", len(emails))
		}
		enable(true)
		enable(false)
		outbox.sendNone()
		enable(true)
		gone()
		a.setRole(o.owner, admin.id, "MEMBER").want(200)
		kinds := map[store.EmailKind]int{}
		for _, email := range outbox.send() {
			kinds[email.Email.Kind]++
		}
		if kinds[store.EmailWebhookDisabled] != 1 || kinds[store.EmailRoleChanged] != 1 {
			t.Errorf("the emails are %v", kinds)
		}
	}, sendsEmail)
}
