package contract

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
)

func (a *api) forgot(email string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/forgot-password", anonymous, object{"email": email})
}

func (a *api) reset(token, password string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/reset-password", anonymous, object{"token": token, "password": password})
}

// requestReset requests a link, sends the email, and returns the token.
func (a *api) requestReset(email string) string {
	a.t.Helper()
	a.forgot(email).want(202)
	return a.outbox().sendOne().token(a.t, store.EmailPasswordReset)
}

// After a request for a link, the person gets it by email, and sets a new password with
// it. That ends all sign-ins, all links, and the limit of guesses. A notice follows.
func TestResetPassword(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		member := o.member("ADMIN")
		a.outbox().send() // the invitation
		other := b.login(member.email)
		first := a.requestReset(strings.ToUpper(member.email))
		a.forgot(member.email).want(202)
		email := b.outbox().sendOne()
		token := email.token(t, store.EmailPasswordReset)
		if email.ToName != "Katherine Johnson" || email.ToAddress != member.email || email.UnsubscribeURL != "" ||
			!email.Account.ExpiresAt.Equal(a.store.Now().Add(time.Hour)) || email.Organization.ID != o.organizationID {
			t.Errorf("the email is %+v %+v", email.EmailContent, email.Account)
		}
		a.forgot(member.email).want(202) // and is not sent before the reset

		for password, code := range map[string]string{
			"elevenchars": "too_short", "012345678901": "too_common", member.email: "too_common",
		} {
			refused := b.reset(token, password).want(400, "invalid_request")
			if got := refused.faults(); !slices.Equal(got, []string{"body /password " + code}) {
				t.Errorf("%s: %v, want %s", password, got, code)
			}
		}
		b.wantValid(other)

		b.reset(token, otherPassword).want(204)
		a.clock.Advance(time.Second)
		a.wantRejected(signedIn{access: member.access, refresh: member.refresh})
		for _, replica := range []*api{a, b} {
			for _, ended := range []string{token, first} {
				replica.reset(ended, testPassword).want(401, "unauthenticated")
			}
		}
		if a.canSignIn(member.email, testPassword) || !b.canSignIn(member.email, otherPassword) {
			t.Error("the old password signs in, or the new one does not")
		}
		notice := a.outbox().sendOne()
		if notice.Email.Kind != store.EmailPasswordChanged || notice.ToAddress != member.email ||
			notice.Account.IP != "127.0.0.1" || !notice.Account.At.Equal(a.store.Now().Add(-time.Second)) {
			t.Errorf("the notice is %+v %+v", notice.Email, notice.Account)
		}
		a.me(o.access).want(200)
	}, sendsEmail)
}

// A link works for one hour after its email was sent. An email that is sent again has the
// same link, and the hour begins again.
func TestResetPasswordExpires(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.forgot(o.email).want(202)
		a.clock.Advance(20 * time.Minute)
		outbox := a.outbox()
		email := outbox.claim()
		token := sent{*email, outbox.content(*email)}.token(t, store.EmailPasswordReset)
		outbox.settle(*email, store.EmailQueued, "greylisted")
		a.clock.Advance(5 * time.Minute)
		if again := outbox.sendOne().token(t, store.EmailPasswordReset); again != token {
			t.Errorf("the second attempt has the link %s, the first one %s", again, token)
		}
		a.clock.Advance(time.Hour)
		a.reset(token, otherPassword).want(410, "password_reset_expired")
		if !a.canSignIn(o.email, testPassword) {
			t.Error("an expired link has changed the password")
		}
		late := a.requestReset(o.email)
		a.clock.Advance(time.Hour - time.Millisecond)
		a.reset(late, otherPassword).want(204)
		a.clock.Advance(8 * 24 * time.Hour)
		a.purge()
		if rows := storetest.Count(t, a.database, "password_resets"); rows != 0 {
			t.Errorf("%d links remain", rows)
		}
		a.reset(token, otherPassword).want(401, "unauthenticated")
	}, sendsEmail)
}

// A change of the password and the end of a membership end all links, also those in emails
// that were claimed or are queued. Unknown addresses, invited people, and removed members
// get no email.
func TestResetPasswordEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		outbox := a.outbox()
		token := a.requestReset(o.email)
		a.forgot(o.email).want(202)
		claimed := outbox.claim()
		a.changePassword(o.access, testPassword, otherPassword).want(204)
		if content := outbox.content(*claimed); content != nil {
			t.Errorf("a claimed email has the link %s after a change of the password", content.Account.Link)
		}
		a.reset(token, testPassword).want(401, "unauthenticated")
		if notice := outbox.sendOne(); notice.Email.Kind != store.EmailPasswordChanged {
			t.Errorf("the email is %s", notice.Email.Kind)
		}

		member := o.member("MEMBER")
		outbox.send()
		token = a.requestReset(member.email)
		a.forgot(member.email).want(202)
		a.remove(o.owner, member.id).want(204)
		a.reset(token, testPassword).want(401, "unauthenticated")

		for _, email := range []string{member.email, "nobody@example.com"} {
			a.forgot(email).want(202)
		}
		invited := o.add("ADMIN").text("data.email")
		if email := outbox.sendOne(); email.Email.Kind != store.EmailInvitation {
			t.Errorf("the email is %s", email.Email.Kind)
		}
		a.forgot(invited).want(202)
		outbox.sendNone()
	}, sendsEmail)
}

// Of many requests with one token at once, one succeeds.
func TestResetPasswordRaces(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		token := a.requestReset(o.email)
		const requests = 12
		outcomes := make(chan response, requests)
		for i := range requests {
			go func() { outcomes <- []*api{a, b}[i%2].reset(token, otherPassword) }()
		}
		succeeded := 0
		for range requests {
			if outcome := <-outcomes; outcome.status == 204 {
				succeeded++
			} else {
				outcome.want(401, "unauthenticated")
			}
		}
		if succeeded != 1 {
			t.Errorf("%d of %d requests succeeded, want 1", succeeded, requests)
		}
		if notices := len(a.outbox().send()); notices != 1 {
			t.Errorf("%d notices were sent, want 1", notices)
		}
	}, sendsEmail)
}

// All texts that are no current token get the same response, and none is an error of the
// service.
func TestHostileResetTokens(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		token := a.requestReset(o.email)
		id, ok := a.store.Keys().ParseLinkToken(keys.PurposePasswordReset, token)
		if !ok {
			t.Fatal("the token is not valid")
		}
		foreign, err := keys.New(strings.Repeat("another secret ", 3))
		if err != nil {
			t.Fatal(err)
		}
		mac := token[len(token)-43:]
		unsubscribe := a.store.Keys().LinkToken(keys.PurposeUnsubscribe, id)
		forms := []string{
			"x", "pwr_", "pwr__", token[:len(token)-1], token + "0", token + "=", token + "\n", " " + token, token + " ",
			strings.ToUpper(token), token[4:], "uns_" + token[4:], "mbr_" + token[4:], "pwr_" + token, token + mac,
			tampered(token), "pwr_" + id, "pwr_" + id + "_", "pwr_" + id + "_" + strings.Repeat("A", 43), "pwr_" + mac,
			"pwr_" + strings.ToUpper(id) + "_" + mac, "pwr_" + id + "x_" + mac, "pwr_x" + id + "_" + mac, "pwr_" + id + mac,
			"pwr_rst_" + strings.Repeat("0", 26) + "_" + mac, strings.ReplaceAll(token, "_", "-"),
			strings.ReplaceAll(token, "_", "\u2017"), "#" + token, "https://assay.test/reset-password#" + token, o.access[:200],
			unsubscribe, "pwr_" + unsubscribe[4:], foreign.LinkToken(keys.PurposePasswordReset, id),
			a.store.Keys().LinkToken(keys.PurposePasswordReset, ""), a.store.Keys().LinkToken(keys.PurposePasswordReset, "_"),
			a.store.Keys().LinkToken(keys.PurposePasswordReset, o.organizationID),
			a.store.Keys().LinkToken(keys.PurposePasswordReset, "' OR 1=1 --"),
			a.store.Keys().LinkToken(keys.PurposePasswordReset, "rst_"+strings.Repeat("0", 26)),
			a.store.Keys().InviteToken("ses_"+strings.Repeat("0", 26), 1), "pwr_' OR '1'='1", "pwr_%", "pwr_\u202e" + id,
			id, mac, "pwr_" + strings.Repeat("A", 180),
		}
		if len(forms) < 40 {
			t.Fatalf("%d forms", len(forms))
		}
		refusal := a.reset(forms[0], otherPassword).want(401, "unauthenticated").anonymous()
		for _, form := range forms {
			if got := a.reset(form, otherPassword).want(401, "unauthenticated").anonymous(); got != refusal {
				t.Errorf("%q gets %s, want %s", form, got, refusal)
			}
		}
		a.reset("\x00"+token, otherPassword).want(400, "invalid_request")
		if !a.canSignIn(o.email, testPassword) {
			t.Error("the password has changed")
		}
		a.reset(token, otherPassword).want(204)
		if logged := a.log.String(); strings.Contains(logged, mac) {
			t.Error("the log contains the token")
		}
	}, sendsEmail)
}

// Requests for links are limited for each network and for each address, whether or not it has
// an account. Wrong tokens are limited for each network, and others are not.
func TestPasswordResetLimits(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		ask := func(replica *api, ip, email string) response {
			t.Helper()
			return replica.from(ip, "POST", "/v1/auth/forgot-password", anonymous, object{"email": email})
		}
		shown := map[string]string{}
		for _, email := range []string{o.email, "nobody" + o.email} {
			for i := range 3 {
				ask([]*api{a, b}[i%2], newIP(), []string{email, strings.ToUpper(email)}[i%2]).want(202)
			}
			refused := ask(b, newIP(), email)
			if retry := refused.limited("forgot-account"); retry != 3600 {
				t.Errorf("Retry-After %d, want 3600", retry)
			}
			shown[email] = refused.anonymous()
		}
		if shown[o.email] != shown["nobody"+o.email] {
			t.Errorf("the responses reveal whether the account exists: %v", shown)
		}
		if emails := len(a.outbox().send()); emails != 3 {
			t.Errorf("%d emails were sent, want 3", emails)
		}

		office := newIP()
		for i := range 10 {
			ask(a, office, strings.Repeat("x", i+1)+"@example.com").want(202)
		}
		ask(b, office, "more@example.com").limited("forgot-ip")
		a.clock.Advance(time.Hour)
		ask(b, office, o.email).want(202)

		token := a.outbox().sendOne().token(t, store.EmailPasswordReset)
		try := func(replica *api, token, password string) response {
			t.Helper()
			return replica.from(office, "POST", "/v1/auth/reset-password", anonymous,
				object{"token": token, "password": password})
		}
		for i := range 10 {
			try([]*api{a, b}[i%2], tampered(token), otherPassword).want(401, "unauthenticated")
		}
		try(a, tampered(token), otherPassword).limited("reset-ip")
		try(a, token, "short").want(400, "invalid_request")
		try(b, token, otherPassword).want(204)
	}, sendsEmail, func(opts *store.Options) {
		opts.SignInLimits = store.SignInLimits{
			ForgotIP: signInLimits.ForgotIP, ForgotAccount: signInLimits.ForgotAccount, ResetIP: signInLimits.ResetIP,
		}
	})
}

// A reset ends the limit of guesses, which were for the old password.
func TestResetPasswordEndsGuessLimit(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 5 {
			a.signIn(newIP(), o.email, "a guess").want(401, "invalid_credentials")
		}
		a.signIn(newIP(), o.email, testPassword).limited("login-account-hourly")
		b.reset(a.requestReset(o.email), otherPassword).want(204)
		a.signIn(newIP(), o.email, otherPassword).want(200)
	}, sendsEmail, func(opts *store.Options) { opts.SignInLimits = signInLimits })
}

// Without a mail server, the request is refused, whether or not the account exists.
func TestForgotPasswordWithoutMailServer(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, email := range []string{o.email, "nobody@example.com"} {
			a.forgot(email).want(409, "email_not_configured")
		}
		if rows := storetest.Count(t, a.database, "emails"); rows != 0 {
			t.Errorf("%d emails are queued", rows)
		}
	})
}
