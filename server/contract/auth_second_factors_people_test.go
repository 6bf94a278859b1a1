package contract

import (
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A second factor applies in all organizations of the person. A challenge leads to the organization that was chosen,
// and ends when the person is removed there.
func TestSecondFactorInSeveralOrganizations(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		id, there := two.joins(one.email, "ADMIN")
		app := a.addAuthenticator(bearer(there.access))
		b.wantRejected(signedIn{one.access, one.refresh}) // it has not proved the factor
		b.do("GET", "/v1/members/"+id, two.owner, nil).want(200).wantFields(object{"data.hasSecondFactor": true})
		required := func(organizationID string) string {
			return b.loginTo(one.email, organizationID).want(401, "second_factor_required").text("secondFactor.challenge")
		}
		here := a.completeWith(required(one.organizationID), app.code(0)).want(200).tokens()
		a.wantIn(here.access, one.organizationID)
		a.clock.Advance(totpStep)
		a.wantIn(a.completeWith(required(two.organizationID), app.code(0)).want(200).text("data.accessToken"),
			two.organizationID)

		a.clock.Advance(totpStep)
		left, stays := required(two.organizationID), required(one.organizationID)
		a.remove(two.owner, id).want(204)
		a.completeWith(left, app.code(0)).want(401, "unauthenticated")
		a.wantIn(a.completeWith(stays, app.code(0)).want(200).text("data.accessToken"), one.organizationID)
	})
}

// A switch keeps the proof and its age. A proof is of one sign-in: another one of the person needs its own.
func TestProofsOfSeveralOrganizations(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		_, there := two.joins(one.email, "OWNER")
		app := a.addAuthenticator(bearer(there.access))
		other := a.loginCode(one.email, app.code(0)).want(200).tokens()
		export := func(access string) response { return b.do("GET", "/v1/audit-log/export", bearer(access), nil) }
		a.clock.Advance(5 * time.Minute)
		here := b.switchTo(there, one.organizationID).want(200).tokens()
		export(here.access).want(200)
		a.clock.Advance(5*time.Minute + time.Second)
		export(here.access).want(403, "reauthentication_required")
		export(other.access).want(403, "reauthentication_required")
		a.do("POST", "/v1/me/reauthentication", bearer(here.access), object{"code": app.code(0)}).want(204)
		export(here.access).want(200)
		export(other.access).want(403, "reauthentication_required")
		now := a.switchTo(here, two.organizationID).want(200).tokens()
		export(now.access).want(200)
		a.me(other.access).want(200)
	})
}

// A code proves one thing: a sign-in, or a proof of a sign-in that exists. That is so for requests at the same time.
func TestCodesAreUsedOnceForEverything(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		for round, code := range []string{app.code(0), app.recovery[0], app.recovery[1]} {
			challenges := []string{a.challenge(o.email), b.challenge(o.email)}
			answers := atOnce(6, func(i int) response {
				on := []*api{a, b}[i%2]
				switch i / 2 {
				case 0:
					return on.loginCode(o.email, code)
				case 1:
					return on.completeWith(challenges[i%2], code)
				}
				return on.do("POST", "/v1/me/reauthentication", o.owner, object{"code": code})
			})
			if got := statuses(answers); got[200]+got[204] != 1 || got[401] != 5 {
				t.Errorf("round %d: %v, want one success", round, got)
			}
		}
	})
}

// The question to a passkey belongs to one sign-in: the answer does not count for another one of the person.
func TestPasskeyProofsOfAnotherSignIn(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := a.addPasskey(o.owner)
		challenge := a.challenge(o.email)
		key.credential.Counter = 1
		other := bearer(a.completePasskey(challenge, key.assert(relyingParty, a.passkeyOptions(challenge))).
			want(200).text("data.accessToken"))
		options := func(who credential) string {
			return a.do("POST", "/v1/me/reauthentication/passkey-options", who, nil).want(200).text("data.publicKey")
		}
		prove := func(who credential, assertion string) response {
			return a.do("POST", "/v1/me/reauthentication", who, object{"passkey": assertion})
		}
		key.credential.Counter = 2
		assertion := key.assert(relyingParty, options(o.owner))
		options(other)
		prove(other, assertion).want(401, "invalid_code")
		a.completePasskey(a.challenge(o.email), assertion).want(401, "invalid_code")
		prove(o.owner, assertion).want(204)
		prove(o.owner, assertion).want(401, "invalid_code")
	})
}

// A sign-in with a provider makes no network known: its administrator, who can cause one, gets no further guesses.
func TestProviderNetworksGuessNoCodes(t *testing.T) {
	limits := func(opts *store.Options) {
		opts.SignInLimits.LoginAccountHourly = store.RateLimit{Name: "login-account-hourly", Requests: 6, Window: time.Hour}
	}
	onEach(t, func(t *testing.T, a *api) {
		one, two := a.register(), a.register()
		id, _ := two.joins(one.email, "MEMBER")
		elsewhere := a.browser()
		elsewhere.peer = "198.51.100.7:1"
		elsewhere.session("POST", object{
			"type": "login", "email": one.email, "password": testPassword, "organizationId": two.organizationID,
		}).want(200)
		storetest.SetSignInMethod(t, a.database, id, "PROVIDER")
		app := a.addAuthenticator(one.owner)
		challenges := []string{a.challenge(one.email), a.challenge(one.email)}
		stranger := a.browser()
		stranger.peer = "203.0.113.9:1"
		guess := func(b *browser, n int) response {
			return b.session("POST", object{"type": "second-factor", "challenge": challenges[n%2], "code": app.wrongCode()})
		}
		for n := range 6 {
			guess([]*browser{elsewhere, stranger}[n/2%2], n).want(401, "invalid_code")
		}
		guess(elsewhere, 0).want(429, "rate_limited")
		guess(stranger, 1).want(429, "rate_limited")
	}, limits)
}

// No proof and no name of an organization causes an error of the service.
func TestStrangeProofs(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.addPasskey(o.owner)
		app := a.addAuthenticator(o.owner)
		texts := []string{
			"", " ", "\x00", "\ufeff", "-", "------", "٠١٢٣٤٥", "000000\x00", strings.Repeat("0", 1000), "null", "{}", "[]",
			`{"id":null}`, `{"id":"AA","rawId":"AA","type":"public-key","response":null}`,
			`{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"AA","authenticatorData":"AA",` +
				`"signature":"AA","userHandle":"AA"}}`,
			strings.Repeat("[", 5000), strings.Repeat(`{"id":`, 5000), "org_\x00", "usr_' OR 1=1 --", "\U0010ffff",
		}
		for _, text := range texts {
			challenge := a.challenge(o.email)
			a.do("POST", "/v1/me/reauthentication/passkey-options", o.owner, nil).want(200)
			a.passkeyOptions(challenge)
			for _, request := range []struct {
				path string
				who  credential
				body object
			}{
				{"/v1/auth/second-factor", anonymous, object{"challenge": challenge, "code": text}},
				{"/v1/auth/second-factor", anonymous, object{"challenge": challenge, "passkey": text}},
				{"/v1/auth/second-factor", anonymous, object{"challenge": text, "code": "000000"}},
				{"/v1/auth/second-factor/passkey-options", anonymous, object{"challenge": text}},
				{"/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword, "code": text}},
				{"/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword, "organizationId": text}},
				{"/v1/me/organization", o.owner, object{"organizationId": text, "refreshToken": o.refresh}},
				{"/v1/me/organization", o.owner, object{"organizationId": o.organizationID, "refreshToken": text}},
				{"/v1/me/reauthentication", o.owner, object{"code": text}},
				{"/v1/me/reauthentication", o.owner, object{"passkey": text}},
				{"/v1/me/second-factors/" + app.id + "/confirm", o.owner, object{"passkey": text}},
			} {
				if got := a.do("POST", request.path, request.who, request.body); got.status < 400 || got.status >= 500 {
					t.Errorf("%s with %.40q: %d %s", request.path, text, got.status, got.body)
				}
			}
		}
		a.me(o.access).want(200)
	})
}
