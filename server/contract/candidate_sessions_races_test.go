package contract

import (
	"fmt"
	"slices"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// Concurrent invites of one candidate follow onExisting: RETURN and ERROR create
// one session, NEW_ATTEMPT creates one for each request.
func TestConcurrentInvites(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		for _, test := range []struct {
			onExisting           string
			created, otherStatus int // number of sessions created, and the status of the other responses
		}{{"RETURN", 1, 200}, {"ERROR", 1, 409}, {"NEW_ATTEMPT", 50, 0}} {
			assessmentID := o.publish(oneQuestion())
			answers := atOnce(50, func(i int) response {
				return []*api{a, b}[i%2].do("POST", "/v1/public/candidate-sessions", key, object{
					"assessmentId": assessmentID, "candidateName": "Grace", "candidateEmail": "grace@example.com",
					"onExisting": test.onExisting,
				})
			})
			if got := statuses(answers); got[201] != test.created || got[201]+got[test.otherStatus] != len(answers) {
				t.Errorf("%s: %v, want %d times 201 and otherwise %d", test.onExisting, got, test.created, test.otherStatus)
			}
			ids, _ := a.pages("/v1/candidate-sessions?limit=100&assessmentId="+assessmentID, o.owner, "id")
			attempts := map[float64]bool{}
			events := slices.DeleteFunc(o.events("candidate.invited", 100), func(event object) bool {
				return event["data"].(object)["assessmentId"] != assessmentID
			})
			for _, answer := range answers {
				if answer.status >= 400 {
					continue
				}
				if !slices.Contains(ids, answer.text("data.id")) {
					t.Errorf("%s: %s is not in the list", test.onExisting, answer.text("data.id"))
				}
				attempts[answer.number("data.attempt")] = true
			}

			numbered := len(attempts) == test.created && attempts[1] && attempts[float64(test.created)]
			if len(ids) != test.created || !numbered || len(events) != test.created {
				t.Errorf("%s: %d sessions, attempts %v, %d events, want %d", test.onExisting, len(ids), attempts, len(events),
					test.created)
			}
		}
	})
}

// Invites that arrive at the same time share a statement. Each gets an outcome of its own:
// a new session with its event, deliveries, email, and audit entry, the session that another
// has made, or a refusal.
func TestInvitesTogether(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		assessmentID, second, elsewhere := o.publish(oneQuestion()), o.publish(oneQuestion()), other.publish(oneQuestion())
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		hooks := []string{o.hookID("candidate.invited"), o.hookID("candidate.invited"), other.hookID("candidate.invited")}
		before, queued := o.audited(), storetest.Count(t, a.database, "emails") // of registrations
		allow := storetest.RefuseCandidate(t, a.database, "refused@example.com")
		defer allow()

		const candidates = 24
		outcomes := atOnce(6*candidates, func(i int) response {
			body := object{
				"assessmentId": assessmentID, "candidateName": "Grace Hopper",
				"candidateEmail": fmt.Sprintf("grace%d@example.com", i/6), "metadata": object{"number": fmt.Sprint(i / 6)},
			}
			who := o.owner
			switch i % 6 {
			case 2:
				body["assessmentId"] = draft
			case 3:
				body["assessmentId"], who = elsewhere, other.owner
			case 4:
				body["assessmentId"], body["sendEmail"] = second, true
			case 5:
				body["candidateEmail"] = "refused@example.com"
			}
			return []*api{a, b}[i%2].do("POST", "/v1/candidate-sessions", who, body)
		})
		for i := 0; i < len(outcomes); i += 6 {
			first, again := outcomes[i], outcomes[i+1]
			if first.status+again.status != 201+200 || first.text("data.id") != again.text("data.id") {
				t.Errorf("two invites of a candidate return %d %s and %d %s", first.status, first.body, again.status, again.body)
			}
			outcomes[i+2].want(409, "assessment_not_published")
			for _, created := range []int{i, i + 3, i + 4} {
				outcomes[created].wantFields(object{
					"data.candidateEmail": fmt.Sprintf("grace%d@example.com", i/6), "data.metadata.number": fmt.Sprint(i / 6),
				})
			}
			outcomes[i+3].want(201).wantFields(object{"data.assessmentId": elsewhere})
			outcomes[i+4].want(201).wantFields(object{"data.assessmentId": second, "data.email.status": "QUEUED"})
			outcomes[i+5].want(500)
		}
		for i, hook := range hooks {
			who, want := o, 2*candidates
			if i == 2 {
				who, want = other, candidates
			}
			if counts := who.inviteCounts(hook); counts != [3]int{want, want, want} {
				t.Errorf("webhook %d: sessions, events and deliveries are %v, want %d", i, counts, want)
			}
		}
		if got := o.audited() - before; got != 2*candidates {
			t.Errorf("%d entries in the audit log, want %d", got, 2*candidates)
		}
		if got := storetest.Count(t, a.database, "emails") - queued; got != candidates {
			t.Errorf("%d emails, want %d", got, candidates)
		}
	}, func(opts *store.Options) { opts.SendsEmail = true })
}

// When a cancellation and a submission run at the same time, the session is either
// completed with a result and an event, or cancelled without them.
func TestCancelAgainstSubmit(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		cancelled := 0
		const rounds = 30

		for range rounds {
			s := o.begin(assessmentID)
			a.save(s, 175).want(200)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return b.do("POST", "/v1/candidate-sessions/"+s.id+"/cancel", o.owner, nil)
				}
				return a.submit(s)
			})

			cancel, submit := answers[0], answers[1]
			read := a.do("GET", "/v1/candidate-sessions/"+s.id, o.owner, nil).want(200)
			result := a.do("GET", "/v1/candidate-sessions/"+s.id+"/result", o.owner, nil)
			events := o.eventsOf("candidate.completed", s.id)

			if cancel.status == 200 {
				cancelled++
				submit.want(401, "unauthenticated")
				read.wantFields(object{"data.status": "CANCELLED", "data.closeReason": "CANCELLED", "data.score": nil,
					"data.completedAt": nil})
				result.want(409, "result_not_ready")
			} else {
				cancel.want(409, "session_closed")
				submit.want(200).wantFields(object{"data.status": "COMPLETED"})
				read.wantFields(object{"data.status": "COMPLETED", "data.closeReason": "SUBMITTED", "data.score": 100,
					"data.cancelledAt": nil})
				result.want(200).wantFields(object{"data.score": 100})
			}

			if want := map[bool]int{false: 1}[cancel.status == 200]; len(events) != want {
				t.Errorf("%d events, want %d", len(events), want)
			}
		}

		t.Logf("the cancellation succeeded in %d of %d rounds", cancelled, rounds)
	})
}

// When starts and a resend run at the same time, either the session is in progress and
// the resend fails, or the old link is invalid and every start fails. Concurrent starts
// all return the same response.
func TestResendAgainstStarts(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		started := 0

		for range 20 {
			invite := o.invite(assessmentID)
			answers := atOnce(5, func(i int) response {
				if i == 0 {
					return b.do("POST", "/v1/candidate-sessions/"+invite.text("data.id")+"/resend", o.owner, nil)
				}
				return []*api{a, b}[i%2].do("POST", "/v1/candidate/session/start", invite.candidate(), nil)
			})

			got := statuses(answers[1:])
			read := a.do("GET", "/v1/candidate-sessions/"+invite.text("data.id"), o.owner, nil).want(200)
			if answers[0].status == 200 {
				read.wantFields(object{"data.status": "INVITED", "data.startedAt": nil,
					"data.inviteUrl": answers[0].at("data.inviteUrl")})
				if got[401] != 4 {
					t.Errorf("the resend succeeded, but the starts return %v", got)
				}
				continue
			}

			answers[0].want(409, "session_not_invited")
			started++
			read.wantFields(object{"data.status": "IN_PROGRESS", "data.inviteUrl": invite.at("data.inviteUrl")})
			for _, answer := range answers[2:] {
				if answer.status != 200 || string(answer.body) != string(answers[1].body) {
					t.Errorf("concurrent starts differ: %d %s\nwant %s", answer.status, answer.body, answers[1].body)
				}
			}
		}

		t.Logf("the starts succeeded in %d of 20 rounds", started)
	})
}
