package server

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// atOnce makes n calls at the same moment and returns what each gave.
func atOnce[T any](n int, call func(i int) T) []T {
	results, start := make([]T, n), make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			<-start
			results[i] = call(i)
		})
	}
	close(start)
	done.Wait()
	return results
}

// statuses counts the responses of each status.
func statuses(responses []response) map[int]int {
	counts := map[int]int{}
	for _, r := range responses {
		counts[r.status]++
	}
	return counts
}

func TestConcurrentSubmitsGiveOneOutcome(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for name, test := range map[string]struct {
			definition object
			answer     float64
			eventType  string // "" when the session goes on
		}{
			"the last stage": {oneQuestion(object{"redirectUrl": "https://a.example/"}), 175, "candidate.completed"},
			"a gate":         {gated(timed(0, 0, 0), 0), 1, "candidate.disqualified"},
			"a first stage":  {gated(timed(0, 0, 0), 0), 175, ""},
		} {
			s := o.begin(o.publish(test.definition))
			a.save(s, test.answer).want(200)
			a.clock.Advance(time.Millisecond) // ids of two replicas are in order from one millisecond to the next
			answers := atOnce(20, func(i int) response { return []*api{a, b}[i%2].submit(s) })
			for _, answer := range answers {
				if answer.status != 200 || string(answer.body) != string(answers[0].body) {
					t.Errorf("%s: %d %s\nand %s", name, answer.status, answer.body, answers[0].body)
				}
			}
			var types []any
			for _, event := range o.eventsOf("", s.id) {
				types = append(types, event["type"])
			}
			if want := strings.Fields(test.eventType + " candidate.invited"); fmt.Sprint(types) != fmt.Sprint(want) {
				t.Errorf("%s: events %v, want %v", name, types, want)
			}
		}
	})
}

// An answer that was acknowledged counts, and one that was refused does not,
// wherever the submission falls between them.
func TestAcknowledgedAnswersAreScored(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		const questions, rounds = 3, 30
		list := []any{}
		for range questions {
			list = append(list, object{"type": "NUMERIC", "prompt": "A number?", "points": 1, "answer": 1, "tolerance": 1e9})
		}
		assessmentID := o.publish(object{"title": "Numbers", "stages": []any{object{"title": "Only", "questions": list}}})
		for round := range rounds {
			s := o.begin(assessmentID)
			stage := a.do("GET", "/v1/candidate/session/stage", s.who, nil).want(200)
			underWay := make(chan struct{}, 1000)
			// Each saver counts up on a question of its own until it is refused; the last call submits meanwhile.
			last := atOnce(questions+1, func(i int) int {
				if i == questions {
					for range round { // so that it falls elsewhere each time
						<-underWay
					}
					if answer := a.submit(s); answer.status != 200 {
						t.Errorf("submit: %d %s", answer.status, answer.body)
					}
					return 0
				}
				path := "/v1/candidate/session/answers/" + stage.text(fmt.Sprintf("data.questions.%d.id", i))
				for number := 1; ; number++ {
					answer := []*api{a, b}[i%2].do("PUT", path, s.who, object{"number": number})
					underWay <- struct{}{}
					if answer.status != 200 {
						if answer.status != 409 || answer.text("code") != "session_not_in_progress" {
							t.Errorf("save: %d %s", answer.status, answer.body)
						}
						return number - 1
					}
				}
			})
			result := a.do("GET", "/v1/candidate-sessions/"+s.id+"/result", o.owner, nil).want(200)
			for i := range questions {
				var want any
				if last[i] > 0 {
					want = object{"number": last[i]}
				}
				result.shows(object{fmt.Sprintf("data.stages.0.questions.%d.answer", i): want})
			}
		}
	})
}

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

func TestConcurrentPublishesGiveOneEvent(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		path := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).header.Get("Location")
		answers := atOnce(20, func(i int) response { return []*api{a, b}[i%2].do("POST", path+"/publish", o.owner, nil) })
		for _, answer := range answers {
			if answer.status != 200 || string(answer.body) != string(answers[0].body) {
				t.Errorf("%d %s\nand %s", answer.status, answer.body, answers[0].body)
			}
		}
		if events := o.events("assessment.published", 100); len(events) != 1 {
			t.Errorf("%d events", len(events))
		}
	})
}

// What is published is a whole draft: the one before a change or the one after.
func TestConcurrentChangeAndPublish(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		key := o.key()
		before, after := 0, 0
		for range 20 {
			created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
			path, id := created.header.Get("Location"), created.text("data.id")
			change := oneQuestion(object{"title": "Changed"})
			change["stages"] = append(asInput(created.at("data.stages")), change["stages"].([]any)...)
			answers := atOnce(2, func(i int) response {
				if i == 0 {
					return a.do("PATCH", path, o.owner, change)
				}
				return b.do("POST", path+"/publish", o.owner, nil)
			})
			answers[1].want(200)
			title, stages := "Night-shift pharmacist", 2
			if answers[0].status == 200 {
				title, stages, after = "Changed", 3, after+1
			} else {
				answers[0].want(409, "assessment_not_draft")
				before++
			}
			for _, replica := range []*api{a, b} {
				shown := object{"data.title": title, "data.stageCount": stages, "data.status": "PUBLISHED"}
				replica.do("GET", path, o.owner, nil).want(200).shows(shown)
				public := replica.do("GET", "/v1/public/assessments/"+id, key, nil).want(200).shows(shown)
				if got := len(public.list("data.stages")); got != stages {
					t.Errorf("%d stages, want %d", got, stages)
				}
			}
			if events := o.eventsOf("assessment.published", id); len(events) != 1 || events[0]["data"].(object)["title"] != title {
				t.Errorf("events %v, want one with %s", events, title)
			}
		}
		t.Logf("changed before publishing: %d, refused: %d", after, before)
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
