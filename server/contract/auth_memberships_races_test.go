package contract

import (
	"fmt"
	"testing"
	"time"

	"assay/store/storetest"
)

// After a new password, no sign-in of the old one remains, although the person switches at the same time: with the
// tokens or with the cookie of a browser.
func TestSwitchAgainstPasswordChange(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		two.joins(one.email, "MEMBER")
		p := passwords{testPassword, otherPassword}
		organizations, switched := []string{one.organizationID, two.organizationID}, 0
		signIn := func(on *api, organizationID string) object {
			return object{"type": "login", "email": one.email, "password": p.current, "organizationId": organizationID}
		}
		own := a.loginWith(one.email, p.current)
		for round := range raceRounds {
			from, to := organizations[round%2], organizations[(round+1)%2]
			dashboard := b.browser()
			inBrowser := dashboard.wantSignedIn(dashboard.session("POST", signIn(b, from)), one.email)
			body := signIn(b, from)
			delete(body, "type")
			in := b.do("POST", "/v1/auth/login", anonymous, body).want(200).tokens()
			answers := atOnce(3, func(i int) response {
				switch i {
				case 0:
					return a.changePassword(own.access, p.current, p.next)
				case 1:
					return dashboard.session("POST", object{"type": "switch", "organizationId": to})
				}
				return b.switchTo(in, to)
			})
			answers[0].want(204)
			a.clock.Advance(time.Second)
			a.wantRejected(in)
			a.me(inBrowser).want(401, "unauthenticated")
			for i, answer := range answers[1:] {
				if answer.status != 200 {
					answer.want(401, "unauthenticated")
					continue
				}
				switched++
				b.me(answer.text("data.accessToken")).want(401, "unauthenticated")
				if i == 1 {
					a.refresh(answer.text("data.refreshToken")).want(401, "unauthenticated")
				}
			}
			dashboard.wantSignedOut(dashboard.session("PUT", nil))
			own = a.wantValid(own)
			p.swap()
		}
		t.Logf("%d of %d switches succeeded before the change", switched, 2*raceRounds)
	})
}

// A sign-in that switches while another one adds a second factor has not proved it, and ends.
func TestSwitchAgainstNewFactor(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one, two := a.register(), a.register()
		two.joins(one.email, "MEMBER")
		for range raceRounds / 3 {
			own := a.loginTo(one.email, one.organizationID).want(200).tokens()
			other := b.loginTo(one.email, one.organizationID).want(200).tokens()
			begun := a.newFactor(bearer(own.access)).want(200)
			app := &authenticator{api: a, id: begun.text("data.id"), secret: begun.text("data.secret")}
			code := app.code(0)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.confirmFactor(bearer(own.access), app.id, code)
				}
				return b.switchTo(other, two.organizationID)
			})
			answers[0].want(200)
			a.clock.Advance(time.Second)
			a.wantRejected(other)
			if answers[1].status == 200 {
				a.wantRejected(answers[1].tokens())
			}
			a.do("DELETE", "/v1/me/second-factors/"+app.id, bearer(own.access), nil).want(204)
		}
	})
}

// All memberships of a person have one name, also if it changes several times, and while the person joins.
func TestNamesAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		one := a.register()
		person := one.member("MEMBER")
		joined := map[string]*tenant{person.id: one}
		for round := range 5 {
			next := a.register()
			invited := next.addEmail(person.email, "MEMBER").want(201)
			answers := atOnce(3, func(i int) response {
				if i == 2 {
					return a.accept(invited.invitation(), testPassword)
				}
				return []*api{a, b}[i].do("PATCH", "/v1/me", person.who, object{"name": fmt.Sprintf("Name %d of %d", i, round)})
			})
			for _, answer := range answers {
				answer.want(200)
			}
			joined[invited.text("data.id")] = next
			name := a.me(person.access).want(200).text("data.name")
			for id, o := range joined {
				b.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.name": name})
			}
		}
	})
}

// Two organizations remove a person at the same time. The address stays with the third membership. After the last one,
// it is free, and nothing of the account remains.
func TestRemovalsAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		for range 5 {
			one, two, three := a.register(), a.register(), a.register()
			person := one.member("MEMBER")
			second, _ := two.joins(person.email, "MEMBER")
			third, in := three.joins(person.email, "MEMBER")
			a.addAuthenticator(bearer(in.access))
			factors := storetest.Count(t, a.database, "second_factors")
			for i, answer := range atOnce(2, func(i int) response {
				if i == 0 {
					return a.remove(one.owner, person.id)
				}
				return b.remove(two.owner, second)
			}) {
				if answer.status != 204 {
					t.Errorf("removal %d: %d %s", i, answer.status, answer.body)
				}
			}
			if storetest.Count(t, a.database, "second_factors") != factors {
				t.Error("the person has lost the second factor")
			}
			a.loginTo(person.email, three.organizationID).want(401, "second_factor_required")
			a.registerEmail(person.email).want(409, "email_taken")

			fourth := one.addEmail(person.email, "MEMBER").want(201)
			a.remove(one.owner, fourth.text("data.id")).want(204)
			a.remove(three.owner, third).want(204)
			if storetest.Count(t, a.database, "second_factors") != factors-1 {
				t.Error("the second factor remains")
			}
			a.registerEmail(person.email).want(201)
		}
	})
}
