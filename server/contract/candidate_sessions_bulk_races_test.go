package contract

import (
	"slices"
	"testing"
	"time"
)

// Concurrent bulk requests that invite the same candidates, in any order, wait for
// each other. With RETURN and ERROR, each candidate gets one session in total. With
// NEW_ATTEMPT, each of the eight requests creates a session for each candidate.
func TestConcurrentBulks(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key, hook := o.key(), o.hookID("candidate.invited")
		for _, test := range []struct {
			onExisting string
			sessions   int    // for each candidate
			other      string // outcome of rows that create no session
		}{{"RETURN", 1, "EXISTING"}, {"ERROR", 1, "FAILED"}, {"NEW_ATTEMPT", 8, ""}} {
			emails, assessmentID, from := newEmails(120), o.publish(oneQuestion()), o.inviteCounts(hook)
			answers := atOnce(8, func(i int) response {
				mine := slices.Clone(emails)
				if i%4 > 1 {
					slices.Reverse(mine)
				}
				return []*api{a, b}[i%2].do("POST", bulkPath, key,
					bulkOf(assessmentID, mine, object{"onExisting": test.onExisting}))
			})

			created, ids := map[string]int{}, map[string]bool{}
			for _, answer := range answers {
				rows, _ := answer.bulk()
				for _, row := range rows {
					if row.Outcome == "CREATED" {
						created[row.Session.CandidateEmail]++
						ids[row.Session.ID] = true
					} else if row.Outcome != test.other {
						t.Errorf("%s: unexpected row %+v", test.onExisting, row)
					}
				}
			}

			for _, email := range emails {
				if created[email] != test.sessions {
					t.Errorf("%s: %s was invited %d times, want %d", test.onExisting, email, created[email], test.sessions)
				}
			}

			want := test.sessions * len(emails)
			if got := o.inviteCounts(hook); got != [3]int{from[0] + want, from[1] + want, from[2] + want} || len(ids) != want {
				t.Errorf("%s: sessions, events and deliveries went from %v to %v, want %d more", test.onExisting, from, got, want)
			}
		}
	})
}

// The deadline of a session can pass before the server closes it. If concurrent
// requests then invite its candidate again, the server closes the old session once
// and creates one new session.
func TestConcurrentInvitesAfterTheDeadline(t *testing.T) {
	onPostgresReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID, hook := o.publish(timed(10, 0)), o.hookID("candidate.invited")
		for i, path := range []string{"/v1/public/candidate-sessions", bulkPath} {
			emails := newEmails(20)
			for _, email := range emails {
				overdue := o.invite(assessmentID, object{"candidateEmail": email})
				a.do("POST", "/v1/candidate/session/start", overdue.candidate(), nil).want(200)
			}
			a.clock.Advance(10 * time.Minute)
			o.signIn()
			key, from := o.key(), o.inviteCounts(hook)
			answers := atOnce(20, func(n int) response {
				if i == 0 {
					return []*api{a, b}[n%2].do("POST", path, key, row(assessmentID, emails[n/5]))
				}
				mine := slices.Clone(emails)
				if n%4 > 1 {
					slices.Reverse(mine)
				}
				return []*api{a, b}[n%2].do("POST", path, key, bulkOf(assessmentID, mine))
			})

			want := 4
			if i == 0 {
				if got := statuses(answers); got[201] != want || got[200] != len(answers)-want {
					t.Errorf("statuses %v, want %d times 201 and otherwise 200", got, want)
				}
			} else {
				want = len(emails)
				created := 0
				for _, answer := range answers {
					_, outcomes := answer.bulk()
					for _, outcome := range outcomes {
						if outcome == "CREATED" {
							created++
						} else if outcome != "EXISTING" {
							t.Errorf("a row has the outcome %s\n%s", outcome, answer.body)
						}
					}
				}

				if created != want {
					t.Errorf("%d rows have the outcome CREATED, want %d", created, want)
				}
			}
			if got := o.inviteCounts(hook); got != [3]int{from[0] + want, from[1] + want, from[2] + want} {
				t.Errorf("sessions, events and deliveries went from %v to %v, want %d more", from, got, want)
			}
		}
	})
}
