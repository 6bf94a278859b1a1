package contract

import (
	"maps"
	"slices"
	"testing"
	"time"
)

const otherPassword = "another long pass phrase"

func (a *api) changePassword(access, current, next string) response {
	a.t.Helper()
	return a.do("POST", "/v1/me/password", bearer(access), object{"currentPassword": current, "newPassword": next})
}

// A password change ends all logins of the account except the one that made it, on every
// replica. A rejected change ends none.
func TestPasswordChangeEndsOtherLogins(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, stranger := a.register(), a.register()
		own, other := a.login(o.email), b.login(o.email)
		for name, test := range map[string]struct {
			current, next string
			status        int
			code, fault   string
		}{
			"wrong":        {otherPassword, otherPassword, 401, "invalid_credentials", "body /currentPassword invalid_value"},
			"wrong, weak":  {"x", "012345678901", 401, "invalid_credentials", "body /currentPassword invalid_value"},
			"common":       {testPassword, "012345678901", 400, "invalid_request", "body /newPassword too_common"},
			"short":        {testPassword, "elevenchars", 400, "invalid_request", "body /newPassword too_short"},
			"the email":    {testPassword, o.email, 400, "invalid_request", "body /newPassword too_common"},
			"the own name": {testPassword, "ADA LOVELACE", 400, "invalid_request", "body /newPassword too_common"},
			"another case": {"A LONG and good pass phrase", otherPassword, 401, "invalid_credentials",
				"body /currentPassword invalid_value"},
		} {
			refused := a.changePassword(own.access, test.current, test.next).want(test.status, test.code)
			if got := refused.faults(); !slices.Equal(got, []string{test.fault}) {
				t.Errorf("%s: %v, want %s", name, got, test.fault)
			}
		}
		own, other = a.wantValid(own), b.wantValid(other) // the rejected calls changed nothing

		if answer := a.changePassword(own.access, testPassword, otherPassword).want(204); len(answer.body) != 0 {
			t.Errorf("the response has a body: %s", answer.body)
		}
		a.wantRejected(other)
		b.refresh(other.refresh).want(401, "unauthenticated")
		a.clock.Advance(time.Second)
		b.wantRejected(other)
		a.me(o.access).want(401, "unauthenticated") // the login from the registration ends too
		own = b.wantValid(a.wantValid(own))
		a.me(stranger.access).want(200)

		for _, replica := range []*api{a, b} {
			replica.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": testPassword}).
				want(401, "invalid_credentials")
			replica.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": otherPassword}).want(200)
		}

		a.changePassword(own.access, otherPassword, testPassword).want(204)
		a.wantValid(own)
	})
}

// After a password change, no login with the old password may remain valid. The
// order in which the server handles the two requests does not matter.
func TestLoginAgainstPasswordChange(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		current, next := testPassword, otherPassword
		own := a.login(o.email)
		accepted := 0

		for range 15 {
			answers := atOnce(5, func(i int) response {
				if i == 0 {
					return a.changePassword(own.access, current, next)
				}
				return []*api{a, b}[i%2].do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": current})
			})

			answers[0].want(204)
			a.clock.Advance(time.Second)
			for _, answer := range answers[1:] {
				if answer.status != 200 {
					answer.want(401, "invalid_credentials")
					continue
				}
				accepted++
				a.wantRejected(answer.tokens())
				b.wantRejected(answer.tokens())
			}

			own = b.wantValid(a.wantValid(own))
			current, next = next, current
		}

		t.Logf("%d of %d logins were accepted before the change", accepted, 15*4)
	})
}

// Of two concurrent password changes, the second one has the wrong current
// password, so only one may succeed.
func TestConcurrentPasswordChanges(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		first, second := a.login(o.email), b.login(o.email)
		answers := atOnce(2, func(i int) response {
			if i == 0 {
				return a.changePassword(first.access, testPassword, otherPassword)
			}
			return b.changePassword(second.access, testPassword, "a third long pass phrase")
		})

		a.clock.Advance(time.Second)
		winner, loser, password := first, second, otherPassword
		if answers[0].status != 204 {
			winner, loser, password = second, first, "a third long pass phrase"
		}
		if got := statuses(answers); got[204] != 1 || got[401] != 1 {
			t.Errorf("concurrent changes: %v, want one 204 and one 401", got)
		}
		a.wantValid(winner)
		a.wantRejected(loser)
		a.do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": password}).want(200)
	})
}

// A PATCH of the own profile or of the organization changes only valid fields in its body.
func TestUpdateOwnNameAndOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		me := a.me(o.access).want(200).data()
		a.clock.Advance(time.Second)
		for _, name := range []string{"Countess of Lovelace", "Łukasz 😀 O'Neil", " A "} {
			changed := a.do("PATCH", "/v1/me", o.owner, object{"name": name}).want(200)
			me["name"] = name
			for _, answer := range []response{changed, a.me(o.access).want(200)} {
				answer.wantFields(object{"data": me})
			}
		}

		for _, body := range []object{{}, {"name": nil}, {"name": ""}, {"name": "\n "}, {"email": "b@example.com"},
			{"role": "ADMIN"}} {
			a.do("PATCH", "/v1/me", o.owner, body).want(400, "invalid_request")
		}

		want := a.do("GET", "/v1/organization", o.owner, nil).want(200).data()
		for _, change := range []object{
			{"name": "Difference Engines"},
			{"redirectUrl": "https://jobs.example/thanks?a=1"},
			{"inviteExpiryDays": 365},
			{"redirectUrl": nil},
			{"redirectUrl": nil, "name": "All", "inviteExpiryDays": 1},
			{"redirectUrl": "http://localhost:3000/"},
		} {
			a.clock.Advance(time.Second)
			maps.Copy(want, change)
			want["updatedAt"] = wire(a.store.Now())
			changed := a.do("PATCH", "/v1/organization", o.owner, change).want(200)
			for _, answer := range []response{changed, a.do("GET", "/v1/organization", o.owner, nil).want(200)} {
				answer.wantFields(object{"data": want})
			}
			a.me(o.access).want(200).wantFields(object{"data.organization": want, "data.name": " A "})
		}
		for _, body := range []object{
			{}, {"name": nil}, {"inviteExpiryDays": nil}, {"inviteExpiryDays": 0}, {"inviteExpiryDays": 366},
			{"redirectUrl": "javascript:alert(1)"},
			{"redirectUrl": "https://user:pass@jobs.example/"}, {"id": "org_" + me["id"].(string)[4:]},
		} {
			a.do("PATCH", "/v1/organization", o.owner, body).want(400, "invalid_request")
		}
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data": want})

		// A new assessment takes inviteExpiryDays from the organization, and an invite from its assessment.
		a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).wantFields(object{"data.inviteExpiryDays": 1})
		invite := o.invite(o.publish(oneQuestion()))
		invite.wantFields(object{"data.expiresAt": wire(a.store.Now().Add(24 * time.Hour))})
	})
}
