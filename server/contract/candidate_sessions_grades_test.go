package contract

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

func TestGradeOfAnAnswer(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(wrongKey())
		key := o.key()
		session := o.invite(id)
		sessionID := session.text("data.id")
		path := "/v1/candidate-sessions/" + sessionID
		stages := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).list("data.stages")
		textID := stages[1].(object)["questions"].([]any)[1].(object)["id"].(string)
		grade := func(points any, version int) response {
			return a.do("PUT", path+"/grades/"+textID, o.owner, object{"points": points, "reason": "Close enough",
				"version": version})
		}
		grade(1, 0).want(409, "session_not_finished")
		a.answerKeys(session.candidate(), "a", "a", "sesam")
		o.result(key, sessionID).wantFields(object{"data.score": 66.67})

		grade(6, 0).want(400, "invalid_request")
		grade(2.5, 0).want(200).wantFields(object{"data.version": 1, "data.points": 2.5, "data.answer": nil})
		grade(3, 0).want(412, "grade_changed")
		o.result(key, sessionID).wantFields(object{"data.score": 83.33, "data.revision": 2, "data.decidedBy": "PERSON",
			"data.stages.1.questions.1.points": 2.5, "data.stages.1.questions.1.scoredBy": "PERSON",
			"data.corrections.0.cause": "GRADE", "data.corrections.0.questionId": textID})
		grade(nil, 1).want(200)
		o.result(key, sessionID).wantFields(object{"data.score": 66.67, "data.revision": 3, "data.decidedBy": "RULE"})
		a.do("GET", path+"/grades", o.owner, nil).want(200).wantFields(object{
			"data.0.version": 2, "data.0.points": nil, "data.1.version": 1, "data.1.reason": "Close enough",
		})
		a.do("PUT", path+"/grades/qst_unknown", o.owner, object{"points": 1, "reason": "r", "version": 0}).
			want(404, "not_found")
		a.do("POST", path+"/late-answers/count", o.owner, object{"reason": "r"}).want(409, "no_late_answers")

		a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204)
		grade(1, 2).want(409, "session_erased")
		a.do("POST", path+"/reopen", o.owner, object{"minutes": 5, "reason": "r"}).want(409, "session_erased")
		a.do("POST", path+"/late-answers/count", o.owner, object{"reason": "r"}).want(409, "session_erased")
		for _, read := range []string{"/grades", "/result/revisions/1", "/result/revisions/2", "/late-answers"} {
			body := string(a.do("GET", path+read, o.owner, nil).want(200).body)
			for _, erased := range []string{"Close enough", "sesam", session.text("data.candidateEmail")} {
				if erased != "" && strings.Contains(body, `"`+erased+`"`) {
					t.Errorf("%s still contains %q: %s", read, erased, body)
				}
			}
		}
	})
}

// An answer that arrives after the deadline and the grace period is kept, not scored, and can be counted.
func TestLateAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		assessmentID := o.publish(timed(10, 0))
		b := o.begin(assessmentID)
		path := "/v1/candidate-sessions/" + b.id
		a.save(b, 1).want(200)
		a.clock.Advance(11 * time.Minute)
		a.save(b, 175).want(409, "session_not_in_progress")
		a.do("PUT", "/v1/candidate/session/answers", b.who, object{"stageId": b.stageID, "clientId": "page-000000000001",
			"answers": []any{object{"questionId": b.questionID, "revision": 1, "seenRevision": 1,
				"answer": object{"number": 175}}}}).want(409, "session_not_in_progress")
		o.signIn()
		o.result(key, b.id).wantFields(object{"data.score": 0, "data.closeReason": "TIME_EXPIRED"})
		a.do("GET", path+"/late-answers", o.owner, nil).want(200).wantFields(object{"data.0.questionId": b.questionID,
			"data.0.answer": object{"number": 175}, "data.0.secondsLate": 60, "data.0.points": 5, "data.0.counted": false})
		a.do("POST", path+"/late-answers/count", o.owner, object{"reason": "The network failed"}).want(200).
			wantFields(object{"data.score": 100, "data.passed": true})
		o.result(key, b.id).wantFields(object{"data.score": 100, "data.decidedBy": "PERSON", "data.revision": 2,
			"data.stages.0.questions.0.answer": object{"number": 175}})
		a.do("GET", path+"/late-answers", o.owner, nil).want(200).wantFields(object{"data.0.counted": true})
		a.do("POST", path+"/late-answers/count", o.owner, object{"reason": "r"}).want(409, "no_late_answers")
		a.clock.Advance(31 * 24 * time.Hour)
		if err := storetest.Purge(context.Background(), a.store, 30*24*time.Hour); err != nil {
			t.Fatal(err)
		}
		o.signIn()
		a.do("GET", path+"/late-answers", o.owner, nil).want(200).wantFields(object{"data": []any{}})
	})
}

// Counting several late answers is one decision, so it makes one revision and one event.
func TestLateAnswersAreCountedTogether(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := timed(10, 0)
		stage := definition["stages"].([]any)[0].(object)
		question := stage["questions"].([]any)[0]
		stage["questions"] = []any{question, question}
		b := o.begin(o.publish(definition))
		second := a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200).text("data.questions.1.id")
		a.clock.Advance(11 * time.Minute)
		for _, id := range []string{b.questionID, second} {
			a.do("PUT", "/v1/candidate/session/answers/"+id, b.who, object{"number": 175}).want(409, "session_not_in_progress")
		}
		o.signIn()
		path := "/v1/candidate-sessions/" + b.id
		a.do("POST", path+"/late-answers/count", o.owner, object{"reason": "The network failed"}).want(200).
			wantFields(object{"data.score": 100})
		a.do("GET", path+"/result", o.owner, nil).want(200).wantFields(object{"data.revision": 2,
			"data.stages.0.questions.1.scoredBy": "PERSON"})
		a.do("GET", "/v1/events?resourceId="+b.id, o.owner, nil).want(200).wantFields(object{
			"data.0.type": "candidate.result_corrected", "data.0.data.previousScore": 0, "data.0.data.score": 100,
			"data.0.data.revision": 2, "data.1.type": "candidate.completed"})
	})
}

// A deadline in a time without a ready replica moves by its length, also if it is applied much later.
func TestOutagesMoveDeadlines(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		beat := func() {
			t.Helper()
			if err := a.store.UnscopedHeartbeat(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		o := a.register()
		assessmentID := o.publish(timed(10, 0))
		beat()
		b := o.begin(assessmentID)
		a.clock.Advance(10 * time.Second)
		beat()
		a.clock.Advance(11 * time.Minute) // nothing runs
		beat()
		a.save(b, 175).want(200)
		a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{"data.status": "IN_PROGRESS"})
		timeline := a.do("GET", "/v1/candidate-sessions/"+b.id+"/timeline", o.owner, nil).want(200)
		if !strings.Contains(string(timeline.body), `"OUTAGE"`) {
			t.Errorf("the timeline is %s", timeline.body)
		}
		for range 60 { // the service runs again
			a.clock.Advance(10 * time.Second)
			beat()
		}
		a.clock.Advance(2 * time.Minute)
		a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{"data.status": "COMPLETED"})
	})
}

// A submission by mistake and a stage that time has closed can be continued; answers stay.
func TestReopenedSessions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key := o.key()
		assessmentID := o.publish(timed(10, 0))
		b := o.begin(assessmentID)
		a.save(b, 1).want(200)
		a.submit(b).want(200)
		path := "/v1/candidate-sessions/" + b.id + "/reopen"
		a.do("POST", path, o.owner, object{"minutes": 5, "reason": "r", "stageId": "stg_unknown"}).want(400,
			"invalid_request")
		a.do("POST", path, o.owner, object{"minutes": 5, "reason": "By mistake", "stageId": b.stageID}).want(200)
		stage := a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200)
		stage.wantFields(object{"data.deadlineAt": wire(a.clock.Now().Add(5 * time.Minute))})
		a.save(b, 175).want(200)
		a.clock.Advance(6 * time.Minute)
		o.signIn()
		a.do("GET", "/v1/candidate/session", b.who, nil).want(200).wantFields(object{"data.status": "COMPLETED"})
		o.result(key, b.id).wantFields(object{"data.score": 100, "data.revision": 2, "data.decidedBy": "PERSON",
			"data.closeReason": "TIME_EXPIRED"})
		finished := o.eventsOf("candidate.completed", b.id)
		if len(finished) != 2 || finished[0]["data"].(object)["revision"] != 2.0 {
			t.Errorf("the events are %v", finished)
		}
	})
}
