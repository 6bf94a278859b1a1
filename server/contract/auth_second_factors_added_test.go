package contract

import (
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A stranger registers an address, and adds a second factor. The owner of the address resets the password, and is not
// asked for the second factor of the stranger.
func TestSecondFactorOfAStranger(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		a.register() // the first organization needs no proof
		stranger := a.do("POST", "/v1/auth/register", anonymous, object{
			"organizationName": "O", "name": "N", "email": "victim@example.com", "password": testPassword,
		}).want(201).tokens()
		a.addAuthenticator(bearer(stranger.access))
		a.outbox().send()
		token := a.requestReset("victim@example.com")
		a.browser().session("POST", object{"type": "reset", "token": token, "password": otherPassword}).want(200)
		a.loginWith("victim@example.com", otherPassword)
		a.clock.Advance(time.Second)
		a.wantRejected(stranger)
	}, sendsEmail)
}

// A person has at most 10 factors, and one that is not confirmed. The password is checked and its guesses are limited.
// A factor that is not confirmed ends after five wrong codes and after 15 minutes.
func TestAddingSecondFactors(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		wrong := object{"type": "TOTP", "name": "Phone", "password": otherPassword}
		a.do("POST", "/v1/me/second-factors", o.owner, wrong).want(401, "invalid_credentials")
		first := a.newFactor(o.owner).want(200).text("data.id")
		second := a.newFactor(o.owner).want(200)
		app := &authenticator{api: a, id: second.text("data.id"), secret: second.text("data.secret")}
		a.confirmFactor(o.owner, first, "000000").want(404, "not_found")
		for range 5 {
			a.confirmFactor(o.owner, app.id, app.wrongCode()).want(401, "invalid_code")
		}
		a.confirmFactor(o.owner, app.id, app.code(0)).want(404, "not_found")
		late := a.newFactor(o.owner).want(200)
		app = &authenticator{api: a, id: late.text("data.id"), secret: late.text("data.secret")}
		a.do("POST", "/v1/me/second-factors/"+app.id+"/confirm", o.owner, object{"passkey": "{}"}).
			want(400, "invalid_request")
		a.do("POST", "/v1/me/second-factors/"+app.id+"/confirm", o.owner, object{"passkey": "{}", "code": app.code(0)}).
			want(400, "invalid_request")
		a.clock.Advance(15 * time.Minute)
		o.signIn()
		a.confirmFactor(o.owner, app.id, app.code(0)).want(404, "not_found")
		a.clock.Advance(time.Second)
		a.purge()
		if rows := storetest.Count(t, a.database, "second_factors"); rows != 0 {
			t.Errorf("%d expired factors remain", rows)
		}
		for range 10 {
			a.addAuthenticator(o.owner)
		}
		a.newFactor(o.owner).want(409, "too_many_second_factors")
		foreign := a.register()
		theirs := a.addAuthenticator(foreign.owner)
		a.do("DELETE", "/v1/me/second-factors/"+theirs.id, o.owner, nil).want(404, "not_found")
		a.confirmFactor(o.owner, theirs.id, theirs.code(0)).want(404, "not_found")
	})
}

// Codes cannot be guessed by signing in with the password again and again. A network from which the person has signed
// in has a limit of its own, so that a thief of the password cannot lock the person out.
func TestGuessesOfCodesAreLimited(t *testing.T) {
	limits := func(opts *store.Options) {
		opts.SignInLimits.LoginAccountHourly = store.RateLimit{Name: "login-account-hourly", Requests: 20, Window: time.Hour}
	}
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		app := a.addAuthenticator(o.owner)
		thief, person := a.browser(), a.browser()
		thief.peer, person.peer = "198.51.100.7:1", "127.0.0.1:1"
		guess := func(b *browser, challenge, code string) response {
			return b.session("POST", object{"type": "second-factor", "challenge": challenge, "code": code})
		}
		challenges := []string{}
		for range 6 {
			challenges = append(challenges, a.challenge(o.email))
		}
		for n := range 20 {
			guess(thief, challenges[n/4], app.wrongCode()).want(401, "invalid_code")
		}
		guess(thief, challenges[5], app.code(0)).want(429, "rate_limited")
		guess(person, challenges[5], app.code(0)).want(200)
	}, limits)
}
