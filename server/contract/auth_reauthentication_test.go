package contract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// Operations that export or destroy need a proof of the second factor in the last ten minutes. A person without a
// second factor, an API key, and a sign-in with a provider need none.
func TestReauthentication(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, without := a.register(), a.register()
		export := func(on *api, who credential) response {
			t.Helper()
			return on.do("GET", "/v1/audit-log/export", who, nil)
		}
		a.do("POST", "/v1/me/reauthentication", without.owner, object{"code": "123456"}).want(409, "no_second_factor")
		a.do("POST", "/v1/me/reauthentication/passkey-options", without.owner, nil).want(409, "no_second_factor")
		app := a.addAuthenticator(o.owner)
		a.do("POST", "/v1/me/reauthentication/passkey-options", o.owner, nil).want(409, "no_second_factor")
		export(a, o.owner).want(200)
		tokens := a.loginCode(o.email, app.code(0)).want(200).tokens()
		o.owner = bearer(tokens.access)
		key := a.addPasskey(o.owner)
		// wait lets the proof become older, and refreshes the tokens, which proves nothing.
		wait := func(d time.Duration) {
			t.Helper()
			a.clock.Advance(d)
			tokens = a.refresh(tokens.refresh).want(200).tokens()
			o.owner = bearer(tokens.access)
		}
		wait(10*time.Minute + time.Second)

		apiKeys := object{"name": "K", "scopes": []string{"audit:read"}}
		for _, on := range []*api{a, b} {
			export(on, o.owner).want(403, "reauthentication_required")
			on.do("POST", "/v1/api-keys", o.owner, apiKeys).want(403, "reauthentication_required")
			on.newFactor(o.owner).want(403, "reauthentication_required")
			on.do("DELETE", "/v1/me/second-factors/"+app.id, o.owner, nil).want(403, "reauthentication_required")
			on.do("POST", "/v1/me/recovery-codes", o.owner, nil).want(403, "reauthentication_required")
			on.do("GET", "/v1/me", o.owner, nil).want(200)
		}
		prove := func(body object) response { return a.do("POST", "/v1/me/reauthentication", o.owner, body) }
		prove(object{"code": app.wrongCode()}).want(401, "invalid_code")
		prove(object{"code": "123456", "passkey": "{}"}).want(400, "invalid_request")
		export(b, o.owner).want(403, "reauthentication_required")
		prove(object{"code": app.code(0)}).want(204)
		export(b, o.owner).want(200) // b has read the sign-in before the proof
		export(a, o.owner).want(200)
		wait(10 * time.Minute)
		export(a, o.owner).want(200)
		wait(time.Second)
		export(a, o.owner).want(403, "reauthentication_required")

		options := func() string {
			return b.do("POST", "/v1/me/reauthentication/passkey-options", o.owner, nil).want(200).text("data.publicKey")
		}
		key.credential.Counter = 3
		assertion := key.assert(relyingParty, options())
		prove(object{"passkey": key.assert(relyingParty, a.passkeyOptions(a.challenge(o.email)))}).want(401, "invalid_code")
		prove(object{"passkey": assertion}).want(401, "invalid_code") // the wrong answer has ended the ceremony
		assertion = key.assert(relyingParty, options())
		prove(object{"passkey": assertion}).want(204)
		key.credential.Counter = 4
		prove(object{"passkey": assertion}).want(401, "invalid_code")
		export(b, o.owner).want(200)
	})
}

// A sign-in with a provider sees and changes no second factors, and needs none.
func TestProviderSignInsHaveNoSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		a.do("PATCH", "/v1/organization", o.owner, object{"secondFactorRequired": true}).want(200)
		member := o.member("ADMIN")
		for _, who := range []credential{o.owner, member.who} {
			storetest.SetSignInMethod(t, a.database, a.userID(who), "PROVIDER")
		}
		a.clock.Advance(11 * time.Minute)
		for _, who := range []credential{o.owner, member.who} {
			a.do("GET", "/v1/audit-log/export", who, nil).want(200)
			a.do("GET", "/v1/me", who, nil).want(200).wantFields(object{"data.mustAddSecondFactor": false})
			a.do("GET", "/v1/me/second-factors", who, nil).want(200).
				wantFields(object{"data.factors": []any{}, "data.recoveryCodesLeft": 0})
			for _, refused := range []struct {
				method, path string
				body         any
			}{
				{"POST", "/v1/me/second-factors", object{"type": "TOTP", "name": "N", "password": testPassword}},
				{"POST", "/v1/me/second-factors/" + app.id + "/confirm", object{"code": "123456"}},
				{"DELETE", "/v1/me/second-factors/" + app.id, nil},
				{"POST", "/v1/me/recovery-codes", nil},
				{"POST", "/v1/me/reauthentication", object{"code": "123456"}},
				{"POST", "/v1/me/reauthentication/passkey-options", nil},
			} {
				a.do(refused.method, refused.path, who, refused.body).want(403, "password_sign_in_required")
			}
		}
	})
}

// An organization that requires a second factor admits its members to nothing else before they have one.
func TestOrganizationRequiresSecondFactor(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		admin, member := o.member("ADMIN"), o.member("MEMBER")
		require := func(who credential, on bool) response {
			return a.do("PATCH", "/v1/organization", who, object{"secondFactorRequired": on})
		}
		require(admin.who, true).want(403, "insufficient_role")
		require(admin.who, false).want(200) // nothing changes
		require(o.owner, true).want(409, "no_second_factor")
		a.addAuthenticator(o.owner)
		key := o.key("audit:read")
		require(o.owner, true).want(200).wantFields(object{"data.secondFactorRequired": true})
		require(admin.who, false).want(403, "second_factor_setup_required")
		entries := a.do("GET", "/v1/audit-log?action=ORGANIZATION_UPDATED&limit=1", o.owner, nil).want(200)
		entries.wantFields(object{"data.0.changes": []any{
			object{"field": "secondFactorRequired", "from": "false", "to": "true"},
		}})
		a.clock.Advance(2 * time.Second)
		for _, on := range []*api{a, b} {
			for _, path := range []string{"/v1/assessments", "/v1/organization", "/v1/overview"} {
				on.do("GET", path, member.who, nil).want(403, "second_factor_setup_required")
			}
			on.do("GET", "/v1/me", member.who, nil).want(200).wantFields(object{"data.mustAddSecondFactor": true})
			on.do("GET", "/v1/me/sign-ins", member.who, nil).want(200)
			on.do("GET", "/v1/organization", o.owner, nil).want(200)
			on.do("GET", "/v1/public/audit-log", key, nil).want(200)
		}
		app := a.addAuthenticator(member.who)
		b.do("GET", "/v1/assessments", member.who, nil).want(200)
		a.do("GET", "/v1/me", member.who, nil).want(200).
			wantFields(object{"data.mustAddSecondFactor": false, "data.hasSecondFactor": true})
		a.do("DELETE", "/v1/me/second-factors/"+app.id, member.who, nil).want(204)
		a.do("GET", "/v1/assessments", member.who, nil).want(403, "second_factor_setup_required")
		a.do("POST", "/v1/auth/logout", anonymous, object{"refreshToken": member.refresh}).want(204)
		require(o.owner, false).want(200)
		a.do("GET", "/v1/assessments", admin.who, nil).want(200)
	})
}

// The operator removes the second factors of a person after their loss. The person and the organization learn of it.
func TestResetSecondFactors(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		a.outbox().send()
		challenge := a.challenge(o.email)
		if n, err := a.store.UnscopedResetSecondFactors(t.Context(), strings.ToUpper(o.email)); n != 1 || err != nil {
			t.Errorf("%d factors removed: %v", n, err)
		}
		if n, err := a.store.UnscopedResetSecondFactors(t.Context(), o.email); n != 0 || err != nil {
			t.Errorf("%d factors removed the second time: %v", n, err)
		}
		_, err := a.store.UnscopedResetSecondFactors(t.Context(), "nobody@example.com")
		if !errors.Is(err, store.ErrNoAccount) {
			t.Errorf("an unknown address: %v", err)
		}
		a.completeWith(challenge, app.code(0)).want(401, "unauthenticated")
		o.signIn()
		if notice := a.outbox().sendOne(); notice.Email.Kind != store.EmailSecondFactorRemoved {
			t.Errorf("the notice is %+v", notice.Email)
		}
		a.do("GET", "/v1/audit-log?action=SECOND_FACTOR_RESET", o.owner, nil).want(200).wantFields(object{
			"data.0.actor.type": "ANONYMOUS", "data.0.resource.id": a.userID(o.owner),
		})
	}, sendsEmail)
}
