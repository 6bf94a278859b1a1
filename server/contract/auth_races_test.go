package contract

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

const raceRounds = 15

// passwords alternates between two passwords, so that each round can change the
// password.
type passwords struct{ current, next string }

func (p *passwords) swap() { p.current, p.next = p.next, p.current }

// loginWith is login with any password.
func (a *api) loginWith(email, password string) signedIn {
	a.t.Helper()
	return a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": password}).want(200).tokens()
}

// canSignIn reports whether a login with the password succeeds.
func (a *api) canSignIn(email, password string) bool {
	a.t.Helper()
	answer := a.do("POST", "/v1/auth/login", anonymous, object{"email": email, "password": password})
	if answer.status != 200 {
		answer.want(401, "invalid_credentials")
	}
	return answer.status == 200
}

// A password change ends all other logins of the account. A concurrent refresh must
// not keep such a login alive, and its access tokens must be rejected too.
func TestPasswordChangeAgainstRefresh(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		p := passwords{testPassword, otherPassword}
		own, refreshed := a.login(o.email), 0

		for range raceRounds {
			other := b.loginWith(o.email, p.current)
			a.me(other.access).want(200) // both replicas cache the login as valid
			b.me(other.access).want(200)
			answers := atOnce(5, func(i int) response {
				if i == 0 {
					return a.changePassword(own.access, p.current, p.next)
				}
				return []*api{a, b}[i%2].refresh(other.refresh)
			})

			answers[0].want(204)
			a.me(other.access).want(401, "unauthenticated")
			a.clock.Advance(time.Second)

			for _, answer := range answers[1:] {
				if answer.status != 200 {
					answer.want(401, "unauthenticated")
					continue
				}
				refreshed++
				a.wantRejected(answer.tokens())
				b.wantRejected(answer.tokens())
			}

			a.wantRejected(other)
			b.wantRejected(other)
			own = b.wantValid(a.wantValid(own))
			p.swap()
		}

		t.Logf("%d of %d refreshes succeeded before the change", refreshed, raceRounds*4)
	})
}

// Of concurrent password changes exactly one succeeds. Only its password is valid
// afterwards, and only its login stays valid.
func TestPasswordChangesAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		current := testPassword
		for round := range raceRounds {
			logins := make([]signedIn, 4)
			next := make([]string, len(logins))
			for i := range logins {
				logins[i] = []*api{a, b}[i%2].loginWith(o.email, current)
				next[i] = otherPassword + string(rune('a'+round)) + string(rune('a'+i))
			}
			answers := atOnce(len(logins), func(i int) response {
				replica := []*api{a, b}[i%2]
				return replica.changePassword(logins[i].access, current, next[i])
			})
			a.clock.Advance(time.Second)
			winner := -1
			for i, answer := range answers {
				if answer.status == 204 {
					if winner >= 0 {
						t.Fatalf("the changes %d and %d both succeeded", winner, i)
					}
					winner = i
				} else if answer.status != 401 { // 401 for the old password, or for the ended login
					t.Errorf("a password change returned %d %s, want 204 or 401", answer.status, answer.body)
				}
			}

			if winner < 0 {
				t.Fatalf("no change succeeded: %v", statuses(answers))
			}
			for i, in := range logins {
				replica := []*api{a, b}[(i+round)%2]
				if i == winner {
					replica.wantValid(in)
				} else {
					replica.wantRejected(in)
				}
				if replica.canSignIn(o.email, next[i]) != (i == winner) {
					t.Errorf("change %d succeeded, but the password of change %d is valid: %t", winner, i, i != winner)
				}
			}

			if a.canSignIn(o.email, current) {
				t.Error("the old password is still valid")
			}
			current = next[winner]
		}
	})
}

// A password change ends only logins that are older than the change. A login with
// the new password must stay valid, even if it happens during the change.
func TestLoginWithNewPasswordAgainstChange(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		p := passwords{testPassword, otherPassword}
		own := a.login(o.email)

		for range raceRounds {
			var changed atomic.Bool
			answers := atOnce(4, func(i int) response {
				if i == 0 {
					answer := a.changePassword(own.access, p.current, p.next)
					changed.Store(true)
					return answer
				}

				for {
					before := changed.Load()
					answer := []*api{a, b}[i%2].do("POST", "/v1/auth/login", anonymous, object{"email": o.email, "password": p.next})
					if answer.status == 200 || before {
						return answer
					}
				}
			})

			answers[0].want(204)
			for i, answer := range answers[1:] {
				[]*api{a, b}[i%2].wantValid(answer.want(200).tokens())
			}
			a.clock.Advance(time.Second)
			p.swap()
		}
	})
}

// A login that has ended cannot change the password, whichever replica ended it. If
// the logout is first, the password change is rejected.
func TestPasswordChangeAgainstOwnLogout(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		p := passwords{testPassword, otherPassword}
		changes := 0

		for round := range raceRounds {
			in := a.loginWith(o.email, p.current)
			b.me(in.access).want(200)
			answers := atOnce(2, func(i int) response {
				if i == round%2 {
					return b.changePassword(in.access, p.current, p.next)
				}
				return a.logout(in.refresh)
			})

			change := answers[round%2]
			answers[1-round%2].want(204)
			if change.status == 204 {
				changes++
				p.swap()
			} else {
				change.want(401, "unauthenticated")
			}

			// Replica b may cache the access token for a second, but must not change the password with it.
			b.changePassword(in.access, p.current, p.next).want(401, "unauthenticated")
			a.clock.Advance(time.Second)
			a.wantRejected(in)
			b.wantRejected(in)
			a.loginWith(o.email, p.current)
			if b.canSignIn(o.email, p.next) {
				t.Error("the password that was not set is valid")
			}
		}

		t.Logf("%d of %d changes succeeded", changes, raceRounds)
	})
}

// The reuse of an old refresh token ends the login. This must hold if the reuse and
// a regular refresh are concurrent, in either order.
func TestRefreshTokenReuseAgainstRefresh(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		refreshed := 0
		for round := range raceRounds {
			stolen := a.login(o.email)
			a.clock.Advance(time.Second)
			current := a.refresh(stolen.refresh).want(200).tokens()
			if round%2 == 0 {
				// Within 30 seconds the old token may still return its successor, if the successor is unused.
				a.clock.Advance(31 * time.Second)
			}
			a.me(current.access).want(200)
			b.me(current.access).want(200)
			answers := atOnce(6, func(i int) response {
				replica := []*api{a, b}[i%2]
				if i < 2 {
					return replica.refresh(stolen.refresh)
				}
				return replica.refresh(current.refresh)
			})

			a.clock.Advance(time.Second)
			var alive []signedIn
			for i, answer := range answers {
				if answer.status != http.StatusOK {
					answer.want(401, "unauthenticated")
				} else if i >= 2 {
					refreshed++
					alive = append(alive, answer.tokens())
				}
			}

			if round%2 == 1 && answers[0].status == 200 && answers[1].status == 200 {
				// The server handled both before the refresh, and takes them for retries of the client.
				for _, in := range alive {
					a.me(in.access).want(200)
				}
				continue
			}

			for _, replica := range []*api{a, b} {
				for _, in := range append(alive, stolen, current) {
					replica.wantRejected(in)
				}
			}
		}

		t.Logf("%d refreshes succeeded before the reuse", refreshed)
	})
}

// The replica that ends a login must reject its access token from then on, even if
// other requests with the token are in progress at that moment.
func TestEndedLoginAgainstRequests(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		own := a.login(o.email)
		p := passwords{testPassword, otherPassword}
		ends := map[string]func(in signedIn){
			"logout":          func(in signedIn) { a.logout(in.refresh).want(204) },
			"password change": func(signedIn) { a.changePassword(own.access, p.current, p.next).want(204); p.swap() },
			"refresh token reuse": func(in signedIn) {
				first := a.refresh(in.refresh).want(200).tokens()
				a.refresh(first.refresh).want(200)
				a.refresh(in.refresh).want(401)
			},
		}

		for name, end := range ends {
			for range raceRounds {
				in := a.loginWith(o.email, p.current)
				var ended atomic.Bool
				late := atOnce(5, func(i int) int {
					if i == 0 {
						defer ended.Store(true)
						end(in)
						return 0
					}

					for {
						after := ended.Load()
						answer := a.me(in.access)
						switch {
						case after && answer.status == 200:
							return 1
						case after:
							return 0
						}
					}
				})

				for _, n := range late {
					if n > 0 {
						t.Errorf("%s: a request that started after the end was accepted", name)
					}
				}
			}
		}
	})
}
