package contract

import (
	"fmt"
	"testing"
	"time"
)

// If several requests use one invitation token at the same time, exactly one
// succeeds, and only its password works.
func TestAcceptInvitationAtOnce(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for range 15 {
			invited := o.add("MEMBER")
			password := func(i int) string { return fmt.Sprintf("a long pass phrase of %d", i) }
			answers := atOnce(6, func(i int) response { return []*api{a, b}[i%2].accept(invited.invitation(), password(i)) })
			if got := statuses(answers); got[200] != 1 || got[401] != 5 {
				t.Fatalf("statuses of concurrent acceptances: %v, want one 200 and five 401", got)
			}
			for i, answer := range answers {
				login := b.do("POST", "/v1/auth/login", anonymous,
					object{"email": invited.text("data.email"), "password": password(i)})
				if answer.status == 200 {
					login.want(200)
					a.wantValid(answer.tokens())
				} else {
					login.want(401, "invalid_credentials")
				}
			}
		}
	})
}

// When a resend and an acceptance run at the same time, exactly one of them succeeds.
func TestResendAgainstAcceptance(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		accepted := 0
		const rounds = 30

		for range rounds {
			invited := o.add("OWNER")
			id := invited.text("data.id")
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.resendInvitation(o.owner, id)
				}
				return b.accept(invited.invitation(), testPassword)
			})

			status, login := "INVITED", 401
			if answers[0].status == 200 {
				answers[1].want(401, "unauthenticated")
			} else {
				answers[0].want(409, "invitation_accepted")
				a.wantValid(answers[1].want(200).tokens())
				accepted++
				status, login = "ACTIVE", 200
			}

			a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.status": status})
			a.do("POST", "/v1/auth/login", anonymous, object{"email": invited.text("data.email"), "password": testPassword}).
				want(login)
		}

		t.Logf("the acceptance succeeded in %d of %d rounds", accepted, rounds)
	})
}

// When a removal and an acceptance run at the same time, the removal always succeeds.
// If the acceptance succeeds first, its tokens stop working.
func TestRemovalAgainstAcceptance(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		joined := 0
		const rounds = 20

		for range rounds {
			invited := o.add("ADMIN")
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.remove(o.owner, invited.text("data.id"))
				}
				return b.accept(invited.invitation(), testPassword)
			})

			answers[0].want(204)
			a.clock.Advance(time.Second)
			if answers[1].status != 200 {
				answers[1].want(401, "unauthenticated")
			} else {
				joined++
				a.wantRejected(answers[1].tokens())
				b.wantRejected(answers[1].tokens())
			}

			a.do("POST", "/v1/auth/login", anonymous, object{"email": invited.text("data.email"), "password": testPassword}).
				want(401)
			a.do("GET", "/v1/members/"+invited.text("data.id"), o.owner, nil).want(404)
		}

		t.Logf("the acceptance succeeded before the removal in %d of %d rounds", joined, rounds)
	})
}

// A removed member has no access, even if they refresh a token, change the password
// or sign in at the same time as the removal.
func TestRemovalAgainstSignIn(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		succeeded := map[int]int{}
		for range 15 {
			m := o.member("MEMBER")
			second := b.login(m.email)
			answers := atOnce(7, func(i int) response {
				replica := []*api{a, b}[i%2]
				switch i {
				case 0:
					return a.remove(o.owner, m.id)
				case 1, 2:
					return replica.refresh(m.refresh)
				case 3:
					return replica.refresh(second.refresh)
				case 4:
					return replica.changePassword(second.access, testPassword, otherPassword)
				default:
					return replica.do("POST", "/v1/auth/login", anonymous, object{"email": m.email, "password": testPassword})
				}
			})

			answers[0].want(204)
			a.clock.Advance(time.Second)
			for i, answer := range answers[1:] {
				switch {
				case answer.status == 200:
					succeeded[i+1]++
					a.wantRejected(answer.tokens())
					b.wantRejected(answer.tokens())
				case answer.status != 204:
					answer.want(401)
				}
			}

			for _, password := range []string{testPassword, otherPassword} {
				a.do("POST", "/v1/auth/login", anonymous, object{"email": m.email, "password": password}).
					want(401, "invalid_credentials")
			}
			a.wantRejected(second)
		}

		t.Logf("requests that succeeded before the removal, by index: %v", succeeded)
	})
}

// Two owners demote or remove each other, or themselves, at the same time. Exactly
// one request succeeds, and exactly one of them remains an owner.
func TestOwnersAgainstEachOther(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		const rounds = 12
		demote := func(replica *api, who credential, id string) response { return replica.setRole(who, id, "MEMBER") }
		remove := func(replica *api, who credential, id string) response { return replica.remove(who, id) }
		for name, test := range map[string]struct {
			first, second func(*api, credential, string) response
			themselves    bool
		}{
			"demote": {demote, demote, false}, "remove": {remove, remove, false}, "demote and remove": {demote, remove, false},
			"demote themselves": {demote, demote, true}, "remove themselves": {remove, remove, true},
		} {
			refused := map[string]int{}
			for range rounds {
				o := a.register()
				other := o.member("OWNER")
				o.add("OWNER") // an invited owner does not count
				ids, who := []string{a.userID(o.owner), other.id}, []credential{o.owner, other.who}
				for _, credential := range who {
					b.userID(credential) // both replicas now cache the OWNER role
				}
				answers := atOnce(2, func(i int) response {
					object := ids[1-i]
					if test.themselves {
						object = ids[i]
					}
					if i == 0 {
						return test.first(a, who[0], object)
					}
					return test.second(b, who[1], object)
				})

				a.clock.Advance(time.Second)
				done := 0
				for _, answer := range answers {
					if answer.status < 300 {
						done++
					} else {
						refused[answer.text("code")]++
					}
				}

				owners := 0
				for _, credential := range who {
					if me := a.do("GET", "/v1/me", credential, nil); me.status == 200 && me.text("data.role") == "OWNER" {
						owners++
						b.do("GET", "/v1/me", credential, nil).want(200).wantFields(object{"data.role": "OWNER"})
					}
				}

				if done != 1 || owners != 1 {
					t.Errorf("%s: %d requests succeeded and %d owners remain, want 1 and 1: %v", name, done, owners,
						statuses(answers))
				}
			}

			t.Logf("%s: the codes of the rejected requests: %v", name, refused)
		}
	})
}

// Three owners demote and remove each other in a circle while they also change the
// role of an admin. At least one owner must remain.
func TestThreeOwnersInACircle(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		for range 8 {
			o := a.register()
			second, third, admin := o.member("OWNER"), o.member("OWNER"), o.member("ADMIN")
			ids, who := []string{a.userID(o.owner), second.id, third.id}, []credential{o.owner, second.who, third.who}
			answers := atOnce(9, func(i int) response {
				replica := []*api{a, b}[i%2]
				switch i / 3 {
				case 0:
					return replica.setRole(who[i], ids[(i+1)%3], "ADMIN")
				case 1:
					return replica.remove(who[i-3], ids[(i-3+2)%3])
				default:
					return replica.setRole(who[i-6], admin.id, []string{"MEMBER", "ADMIN"}[i%2])
				}
			})

			for _, answer := range answers {
				if answer.status >= 500 {
					t.Errorf("%s: %d %s, want a status below 500", answer.name, answer.status, answer.body)
				}
			}

			a.clock.Advance(time.Second)
			owners := 0
			for _, credential := range who {
				if me := b.do("GET", "/v1/me", credential, nil); me.status == 200 && me.text("data.role") == "OWNER" {
					owners++
				}
			}

			if owners == 0 {
				t.Fatalf("no owner remains: %v", statuses(answers))
			}
		}
	})
}
