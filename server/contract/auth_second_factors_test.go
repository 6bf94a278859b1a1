package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"assay/store"
	"assay/store/storetest"
)

// totpStep is how long a code of an authenticator app is shown.
const totpStep = 30 * time.Second

// authenticator is an authenticator app that a person has added, with the recovery codes of the person.
type authenticator struct {
	api        *api
	id, secret string
	recovery   []string
}

// newFactor begins to add an authenticator app.
func (a *api) newFactor(who credential) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/second-factors", who, object{"type": "TOTP", "name": "Phone", "password": testPassword})
}

// addAuthenticator adds an authenticator app, and waits until it shows another code.
func (a *api) addAuthenticator(who credential) *authenticator {
	a.t.Helper()
	begun := a.newFactor(who).want(200)
	app := &authenticator{api: a, id: begun.text("data.id"), secret: begun.text("data.secret")}
	confirmed := a.confirmFactor(who, app.id, app.code(0)).want(200)
	if confirmed.at("data.recoveryCodes") != nil {
		for _, code := range confirmed.list("data.recoveryCodes") {
			app.recovery = append(app.recovery, code.(string))
		}
	}
	a.clock.Advance(totpStep)
	return app
}

func (a *api) confirmFactor(who credential, id, code string) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/second-factors/"+id+"/confirm", who, object{"code": code})
}

// code is the code that the app shows a number of steps from now.
func (app *authenticator) code(steps int) string {
	app.api.t.Helper()
	code, err := totp.GenerateCode(app.secret, app.api.clock.Now().Add(time.Duration(steps)*totpStep))
	if err != nil {
		app.api.t.Fatal(err)
	}
	return code
}

// wrongCode is a code that the app does not show near the present time.
func (app *authenticator) wrongCode() string {
	for n := 0; ; n++ {
		code := fmt.Sprintf("%06d", n)
		if !slices.Contains([]string{app.code(-1), app.code(0), app.code(1)}, code) {
			return code
		}
	}
}

// loginCode signs in with a password and a code; "" for none.
func (a *api) loginCode(email, code string) response {
	a.t.Helper()
	body := object{"email": email, "password": testPassword}
	if code != "" {
		body["code"] = code
	}
	return a.do("POST", "/v1/auth/login", anonymous, body)
}

// challenge signs in with a password only, and returns the challenge for the second factor.
func (a *api) challenge(email string) string {
	a.t.Helper()
	return a.loginCode(email, "").want(401, "second_factor_required").text("secondFactor.challenge")
}

func (a *api) completeWith(challenge, code string) response {
	a.t.Helper()
	return a.do("POST", "/v1/auth/second-factor", anonymous, object{"challenge": challenge, "code": code})
}

// factorCalls are the audited calls about second factors. The operator's one is in TestResetSecondFactors.
func (o *tenant) factorCalls() []auditedCall {
	a := o.api
	a.t.Helper()
	person := o.member("MEMBER")
	begun := a.newFactor(person.who).want(200)
	app := &authenticator{api: a, id: begun.text("data.id"), secret: begun.text("data.secret")}
	call := func(action string, status int, request func() response) auditedCall {
		return auditedCall{action, status, request, "USER", fixed(person.id), "USER", fixed(person.id), nil}
	}
	return []auditedCall{
		call("SECOND_FACTOR_FAILED", 401, func() response { return a.confirmFactor(person.who, app.id, app.wrongCode()) }),
		call("SECOND_FACTOR_ADDED", 200, func() response {
			confirmed := a.confirmFactor(person.who, app.id, app.code(0))
			if confirmed.status == 200 {
				app.recovery = []string{confirmed.text("data.recoveryCodes.0")}
			}
			return confirmed
		}),
		call("RECOVERY_CODE_USED", 204, func() response {
			return a.do("POST", "/v1/me/reauthentication", person.who, object{"code": app.recovery[0]})
		}),
		call("RECOVERY_CODES_CREATED", 200, func() response {
			return a.do("POST", "/v1/me/recovery-codes", person.who, nil)
		}),
		call("SECOND_FACTOR_REMOVED", 204, func() response {
			return a.do("DELETE", "/v1/me/second-factors/"+app.id, person.who, nil)
		}),
	}
}

// A person adds an authenticator app. From then on the password alone gives no tokens, all other sign-ins have
// ended, and the code of the app completes the sign-in.
func TestAuthenticatorApp(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		member := o.member("ADMIN")
		a.outbox().send()
		other := a.login(member.email)
		none := a.do("GET", "/v1/me/second-factors", member.who, nil).want(200)
		none.wantFields(object{"data.factors": []any{}, "data.recoveryCodesLeft": 0})
		a.do("GET", "/v1/me", member.who, nil).want(200).wantFields(object{"data.hasSecondFactor": false})

		begun := a.newFactor(member.who).want(200)
		app := &authenticator{api: a, id: begun.text("data.id"), secret: begun.text("data.secret")}
		uri := "otpauth://totp/Assay:" + member.email
		if !strings.HasPrefix(begun.text("data.uri"), uri) || !strings.Contains(begun.text("data.uri"), app.secret) {
			t.Errorf("the address for the app is %s", begun.text("data.uri"))
		}
		begun.wantFields(object{
			"data.type": "TOTP", "data.publicKey": nil, "data.expiresAt": wire(a.clock.Now().Add(15 * time.Minute)),
		})
		a.login(member.email) // not confirmed yet
		a.confirmFactor(member.who, app.id, app.wrongCode()).want(401, "invalid_code")
		confirmed := a.confirmFactor(member.who, app.id, app.code(0)).want(200)
		confirmed.wantFields(object{"data.factor.id": app.id, "data.factor.name": "Phone", "data.factor.lastUsedAt": nil})
		codes := confirmed.list("data.recoveryCodes")
		if len(codes) != 10 || !regexp.MustCompile(`^[0-9a-z]{5}-[0-9a-z]{5}$`).MatchString(codes[0].(string)) {
			t.Errorf("the recovery codes are %v", codes)
		}
		notice := a.outbox().sendOne()
		if notice.Email.Kind != store.EmailSecondFactorAdded || notice.ToAddress != member.email {
			t.Errorf("the notice is %+v", notice.Email)
		}
		a.clock.Advance(time.Second)
		b.wantRejected(other)
		b.do("GET", "/v1/me", member.who, nil).want(200).wantFields(object{"data.hasSecondFactor": true})
		a.do("GET", "/v1/members/"+member.id, o.owner, nil).want(200).wantFields(object{"data.hasSecondFactor": true})
		listed := a.do("GET", "/v1/members", o.owner, nil).want(200)
		for _, person := range listed.list("data") {
			person := person.(map[string]any)
			if person["hasSecondFactor"] != (person["id"] == member.id) {
				t.Errorf("%v", person)
			}
		}

		a.clock.Advance(totpStep)
		required := b.loginCode(member.email, "").want(401, "second_factor_required")
		required.wantFields(object{
			"secondFactor.methods":   []any{"TOTP", "RECOVERY_CODE"},
			"secondFactor.expiresAt": wire(a.clock.Now().Add(5 * time.Minute)),
		})
		if strings.Contains(string(required.body), "accessToken") {
			t.Errorf("tokens without the second factor: %s", required.body)
		}
		challenge := required.text("secondFactor.challenge")
		b.completeWith(challenge, app.wrongCode()).want(401, "invalid_code")
		in := a.completeWith(challenge, app.code(0)).want(200).tokens()
		a.wantValid(in)
		b.completeWith(challenge, app.code(1)).want(401, "unauthenticated") // used up
		a.clock.Advance(totpStep)
		b.loginCode(member.email, app.code(0)).want(200)
		b.loginCode(member.email, app.wrongCode()).want(401, "invalid_code")
		a.do("GET", "/v1/me/second-factors", bearer(in.access), nil).want(200).
			wantFields(object{"data.factors.0.lastUsedAt": wire(a.clock.Now()), "data.recoveryCodesLeft": 10})
	}, sendsEmail)
}

// Each time step of an app is accepted once, and none before it later. The clock of a phone can differ by one step.
func TestCodesOfAppsWorkOnce(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		app, foreign := a.addAuthenticator(o.owner), a.addAuthenticator(other.owner)
		a.clock.Advance(10 * totpStep)
		for _, step := range []struct {
			steps, status int
		}{{-2, 401}, {2, 401}, {-1, 200}, {-1, 401}, {0, 200}, {-1, 401}, {0, 401}, {1, 200}, {1, 401}, {0, 401}} {
			code := "200"
			if step.status == 401 {
				code = "invalid_code"
			}
			if got := a.loginCode(o.email, app.code(step.steps)); got.status != step.status {
				t.Errorf("the code of step %d got %d, want %d %s", step.steps, got.status, step.status, code)
			}
		}
		a.loginCode(o.email, foreign.code(0)).want(401, "invalid_code")
		a.clock.Advance(2 * totpStep)
		code := app.code(0)
		if got := statuses(atOnce(8, func(int) response { return a.loginCode(o.email, code) })); got[200] != 1 {
			t.Errorf("of 8 sign-ins with one code: %v", got)
		}
		shown := app.code(1)
		a.loginCode(o.email, shown[:3]+" "+shown[3:]).want(200)
	})
}

// A recovery code works once, also for requests at the same time. Case and dashes do not matter. New codes end the old
// ones, and the person learns of each use.
func TestRecoveryCodes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		a.do("POST", "/v1/me/recovery-codes", other.owner, nil).want(409, "no_second_factor")
		app := a.addAuthenticator(o.owner)
		foreign := a.addAuthenticator(other.owner)
		a.outbox().send()
		code := strings.ToUpper(strings.ReplaceAll(app.recovery[0], "-", " "))
		got := statuses(atOnce(8, func(int) response { return a.loginCode(o.email, code) }))
		if got[200] != 1 || got[401] != 7 {
			t.Errorf("of 8 sign-ins with one recovery code: %v", got)
		}
		if notice := a.outbox().sendOne(); notice.Email.Kind != store.EmailRecoveryCodeUsed || notice.ToAddress != o.email {
			t.Errorf("the notice is %+v", notice.Email)
		}
		a.loginCode(o.email, app.recovery[0]).want(401, "invalid_code")
		a.loginCode(o.email, foreign.recovery[1]).want(401, "invalid_code")
		challenge := a.challenge(o.email)
		in := a.completeWith(challenge, app.recovery[1]).want(200).tokens()
		a.do("GET", "/v1/me/second-factors", bearer(in.access), nil).want(200).wantFields(object{"data.recoveryCodesLeft": 8})

		renewed := a.do("POST", "/v1/me/recovery-codes", bearer(in.access), nil).want(200).list("data.codes")
		a.loginCode(o.email, app.recovery[2]).want(401, "invalid_code")
		a.loginCode(o.email, renewed[2].(string)).want(200)
		stored := storetest.Contents(t, a.database, "recovery_codes", "second_factors", "sign_in_challenges", "audit_log")
		for _, secret := range append(slices.Clone(app.recovery), app.secret, challenge, renewed[0].(string)) {
			if strings.Contains(stored, secret) || strings.Contains(a.log.String(), secret) {
				t.Errorf("%q is stored or logged", secret)
			}
		}
	}, sendsEmail)
}

// A challenge is good for five codes and five minutes, and ends with a change of the password and of the factors.
func TestSignInChallengeEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		codes := a.challenge(o.email)
		for range 5 {
			a.completeWith(codes, app.wrongCode()).want(401, "invalid_code")
		}
		a.completeWith(codes, app.code(0)).want(401, "unauthenticated")
		a.completeWith("chl_01m6ga3vfqffry3vc674nay4qv_0123456789abcdef0123456789abcdef", app.code(0)).
			want(401, "unauthenticated")

		late := a.challenge(o.email)
		a.clock.Advance(5 * time.Minute)
		a.completeWith(late, app.code(0)).want(401, "unauthenticated")
		in := a.loginCode(o.email, app.code(0)).want(200).tokens()

		second := a.addAuthenticator(bearer(in.access))
		if second.recovery != nil {
			t.Error("the second app has replaced the recovery codes")
		}
		removed := a.challenge(o.email)
		a.do("DELETE", "/v1/me/second-factors/"+second.id, bearer(in.access), nil).want(204)
		a.do("DELETE", "/v1/me/second-factors/"+second.id, bearer(in.access), nil).want(404, "not_found")
		a.completeWith(removed, app.code(0)).want(401, "unauthenticated")

		changed := a.challenge(o.email)
		a.do("POST", "/v1/me/password", bearer(in.access),
			object{"currentPassword": testPassword, "newPassword": otherPassword}).want(204)
		a.completeWith(changed, app.code(0)).want(401, "unauthenticated")
		a.do("DELETE", "/v1/me/second-factors/"+app.id, bearer(in.access), nil).want(204)
		a.loginWith(o.email, otherPassword)
		if rows := storetest.Count(t, a.database, "recovery_codes"); rows != 0 {
			t.Errorf("%d recovery codes without a second factor", rows)
		}
	})
}

// A challenge of a removed member ends, and nothing of their second factors remains.
func TestRemovedMembersHaveNoSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		member := o.member("ADMIN")
		app := a.addAuthenticator(member.who)
		challenge := a.challenge(member.email)
		a.do("DELETE", "/v1/members/"+member.id, o.owner, nil).want(204)
		a.completeWith(challenge, app.code(0)).want(401, "unauthenticated")
		for _, table := range []string{"second_factors", "recovery_codes", "sign_in_challenges"} {
			if rows := storetest.Count(t, a.database, table); rows != 0 {
				t.Errorf("%d rows remain in %s", rows, table)
			}
		}
	})
}

// No way to sign in with a password gives tokens without the second factor.
func TestEachSignInNeedsTheSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		a.outbox().send()
		browser := a.browser()
		answer := browser.session("POST", object{"type": "login", "email": o.email, "password": testPassword}).
			want(401, "second_factor_required")
		if len(browser.cookies) != 0 {
			t.Error("the password alone has set the cookie")
		}
		complete := object{
			"type": "second-factor", "challenge": answer.text("secondFactor.challenge"), "code": app.wrongCode(),
		}
		browser.session("POST", complete).want(401, "invalid_code")
		complete["code"] = app.code(0)
		browser.session("POST", complete).want(200)
		if len(browser.cookies) != 1 {
			t.Error("the second factor has set no cookie")
		}
		a.clock.Advance(totpStep)

		token := a.requestReset(o.email)
		reset := a.browser()
		answer = reset.session("POST", object{"type": "reset", "token": token, "password": otherPassword}).
			want(401, "second_factor_required")
		if len(reset.cookies) != 0 || a.canSignIn(o.email, testPassword) {
			t.Error("the reset has set the cookie, or has not set the password")
		}
		reset.session("POST", object{
			"type": "second-factor", "challenge": answer.text("secondFactor.challenge"), "code": app.code(0),
		}).want(200)
	}, sendsEmail)
}
