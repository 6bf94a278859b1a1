package server

import (
	"slices"
	"testing"
)

func TestConcurrentInvitesOfOneCandidate(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		for _, test := range []struct {
			onExisting string
			made, kept int // how many are invited, and what the others are answered
		}{{"RETURN", 1, 200}, {"ERROR", 1, 409}, {"NEW_ATTEMPT", 50, 0}} {
			assessmentID := o.publish(oneQuestion())
			answers := atOnce(50, func(i int) response {
				return []*api{a, b}[i%2].do("POST", "/v1/public/candidate-sessions", key, object{
					"assessmentId": assessmentID, "candidateName": "Grace", "candidateEmail": "grace@example.com", "onExisting": test.onExisting,
				})
			})
			if got := statuses(answers); got[201] != test.made || got[201]+got[test.kept] != len(answers) {
				t.Errorf("%s: %v, want %d of 201 and else %d", test.onExisting, got, test.made, test.kept)
			}
			ids, _ := a.pages("/v1/candidate-sessions?limit=100&assessmentId="+assessmentID, o.owner, "id")
			attempts := map[float64]bool{}
			told := slices.DeleteFunc(o.events("candidate.invited", 100), func(event object) bool {
				return event["data"].(object)["assessmentId"] != assessmentID
			})
			for _, answer := range answers {
				if answer.status >= 400 {
					continue
				}
				if !slices.Contains(ids, answer.text("data.id")) {
					t.Errorf("%s: %s is not there", test.onExisting, answer.text("data.id"))
				}
				attempts[answer.number("data.attempt")] = true
			}
			if len(ids) != test.made || len(attempts) != test.made || !attempts[1] || !attempts[float64(test.made)] || len(told) != test.made {
				t.Errorf("%s: %d sessions, attempts %v, %d events, want %d", test.onExisting, len(ids), attempts, len(told), test.made)
			}
		}
	})
}

// Either the session is finished and has its result and its event, or it is
// cancelled and has neither.
func TestCancelAgainstSubmit(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
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
				read.shows(object{"data.status": "CANCELLED", "data.closeReason": "CANCELLED", "data.score": nil, "data.completedAt": nil})
				result.want(409, "result_not_ready")
			} else {
				cancel.want(409, "session_closed")
				submit.want(200).shows(object{"data.status": "COMPLETED"})
				read.shows(object{"data.status": "COMPLETED", "data.closeReason": "SUBMITTED", "data.score": 100, "data.cancelledAt": nil})
				result.want(200).shows(object{"data.score": 100})
			}
			if want := map[bool]int{false: 1}[cancel.status == 200]; len(events) != want {
				t.Errorf("%d events, want %d", len(events), want)
			}
		}
		t.Logf("%d of %d were cancelled in time", cancelled, rounds)
	})
}

// A start and a resend at once: either the clock runs, or the link that would
// have started it is dead. Starts among themselves are one.
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
				read.shows(object{"data.status": "INVITED", "data.startedAt": nil, "data.inviteUrl": answers[0].at("data.inviteUrl")})
				if got[401] != 4 {
					t.Errorf("sent once more, and the starts give %v", got)
				}
				continue
			}
			answers[0].want(409, "session_not_invited")
			started++
			read.shows(object{"data.status": "IN_PROGRESS", "data.inviteUrl": invite.at("data.inviteUrl")})
			for _, answer := range answers[2:] {
				if answer.status != 200 || string(answer.body) != string(answers[1].body) {
					t.Errorf("started twice: %d %s\nand %s", answer.status, answer.body, answers[1].body)
				}
			}
		}
		t.Logf("%d of 20 were started in time", started)
	})
}
