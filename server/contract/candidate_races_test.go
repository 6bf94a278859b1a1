package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// Concurrent submissions of one stage all return the same outcome, and only one
// of them takes effect: each event exists once.
func TestConcurrentSubmits(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for name, test := range map[string]struct {
			definition object
			answer     float64
			eventType  string // "" if the session continues
		}{
			"the last stage": {oneQuestion(object{"redirectUrl": "https://a.example/"}), 175, "candidate.completed"},
			"a gate":         {gated(timed(0, 0, 0), 0), 1, "candidate.disqualified"},
			"a first stage":  {gated(timed(0, 0, 0), 0), 175, ""},
		} {
			s := o.begin(o.publish(test.definition))
			a.save(s, test.answer).want(200)
			a.clock.Advance(time.Millisecond) // ids of two replicas sort by time only if the milliseconds differ
			answers := atOnce(20, func(i int) response { return []*api{a, b}[i%2].submit(s) })
			for _, answer := range answers {
				if answer.status != 200 || string(answer.body) != string(answers[0].body) {
					t.Errorf("%s: %d %s\nwant %s", name, answer.status, answer.body, answers[0].body)
				}
			}

			var types []any
			for _, event := range o.eventsOf("", s.id) {
				types = append(types, event["type"])
			}
			if want := strings.Fields(test.eventType +
				" candidate.started candidate.invited"); fmt.Sprint(types) != fmt.Sprint(want) {
				t.Errorf("%s: events %v, want %v", name, types, want)
			}
		}
	})
}

// A saved answer counts if and only if the server acknowledged it, even when the
// stage is submitted at the same time.
func TestAcknowledgedAnswersAreScored(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
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
			saved := make(chan struct{}, 1000)

			// Each saver writes 1, 2, 3, … to its own question until it is rejected. The last call submits.
			last := atOnce(questions+1, func(i int) int {
				if i == questions {
					for range round { // each round submits after a different number of saves
						<-saved
					}
					if answer := a.submit(s); answer.status != 200 {
						t.Errorf("the submission returns %d %s, want 200", answer.status, answer.body)
					}
					return 0
				}

				// The first saver is a page that saves with PUT …/answers; the others have no page.
				question := stage.text(fmt.Sprintf("data.questions.%d.id", i))
				for number := 1; ; number++ {
					path, body := "/v1/candidate/session/answers/"+question, object{"number": number}
					if i == 0 {
						path, body = "/v1/candidate/session/answers", object{"stageId": s.stageID, "clientId": "page",
							"answers": []any{answerRow(question, body, number, 0)}}
					}
					answer := []*api{a, b}[i%2].do("PUT", path, s.who, body)
					saved <- struct{}{}
					if answer.status != 200 {
						if answer.status != 409 || answer.text("code") != "session_not_in_progress" {
							t.Errorf("saving an answer returns %d %s, want 200 or 409 session_not_in_progress", answer.status, answer.body)
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
				result.wantFields(object{fmt.Sprintf("data.stages.0.questions.%d.answer", i): want})
			}
		}
	})
}

// Answers that arrive at the same time share a statement. Each gets an outcome of its
// own: its revision, or the refusal of its session.
func TestConcurrentAnswers(t *testing.T) {
	onAnyPair(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		sessions := []startedSession{o.begin(assessmentID), o.begin(assessmentID), o.begin(assessmentID)}
		closed := len(sessions) - 1
		a.submit(sessions[closed]).want(200)

		const each = 20
		answers := atOnce(each*len(sessions), func(i int) response {
			return []*api{a, b}[i%2].save(sessions[i%len(sessions)], float64(i))
		})
		saved := make([]map[float64]int, len(sessions)) // number by revision
		for i := range saved {
			saved[i] = map[float64]int{}
		}
		for i, answer := range answers {
			if session := i % len(sessions); session == closed {
				answer.want(409, "session_not_in_progress")
			} else {
				saved[session][answer.want(200).number("data.revision")] = i
			}
		}
		for i, numbers := range saved[:closed] {
			if len(numbers) != each {
				t.Errorf("session %d has the numbers %v by revision", i, numbers)
			}
			stage := b.do("GET", "/v1/candidate/session/stage", sessions[i].who, nil).want(200)
			if got := stage.number("data.questions.0.answer.number"); got != float64(numbers[each]) {
				t.Errorf("session %d: the answer is %v, want %d", i, got, numbers[each])
			}
		}
	})
}

// While a transaction holds a session, as a submission does, answers to other sessions do
// not wait for it.
func TestAnswersWaitForTheirSessionOnly(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	o := a.register()
	assessmentID := o.publish(oneQuestion())
	held, other := o.begin(assessmentID), o.begin(assessmentID)
	commit := storetest.Change(t, address, `UPDATE candidate_sessions SET test = test WHERE id = '`+held.id+`'`)
	waiting := make(chan response)
	go func() { waiting <- a.save(held, 1) }()
	storetest.AwaitLocks(t, address, 1)
	for i := range 3 {
		a.save(other, float64(i)).want(200) // an answer that waits for the transaction is refused
	}
	select {
	case answer := <-waiting:
		t.Errorf("the answer to the held session did not wait: %d %s", answer.status, answer.body)
	default:
		commit()
		(<-waiting).want(200)
	}
}
