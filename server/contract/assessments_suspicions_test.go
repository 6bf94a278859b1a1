package contract

import (
	"testing"
	"time"
)

// answerNumber takes a session of oneQuestion with the number as the answer.
func (a *api) answerNumber(who credential, number float64) {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	question := stage.text("data.questions.0.id")
	a.do("PUT", "/v1/candidate/session/answers/"+question, who, object{"number": number}).want(200)
	a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
}

// A numeric key that 0 of 27 candidates get right is named by the statistics and the overview until it is corrected.
func TestSuspectedKeys(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		path := "/v1/assessments/" + id
		for range 27 {
			a.answerNumber(o.invite(id).candidate(), 17.5)
		}
		o.publish(oneQuestion())
		a.fold()
		questions := func() response { return a.do("GET", path+"/statistics/questions", o.owner, nil).want(200) }
		questions().wantFields(object{"data.questions.0.keySuspicions": []any{"HARDLY_ANYBODY_RIGHT"},
			"data.questions.0.discriminationInterval": nil})
		question := questions().text("data.questions.0.id")
		suspected := object{"count": 1, "hasMore": false, "items": []object{{
			"assessmentId": id, "assessmentTitle": "One question", "questionId": question,
			"prompt": "2.5 mg/kg for 70 kg, in mg?", "suspicion": "HARDLY_ANYBODY_RIGHT",
		}}}
		none := object{"count": 0, "hasMore": false, "items": []any{}}
		o.overview().wantFields(object{"data.suspectedKeys": suspected})
		a.register().overview().wantFields(object{"data.suspectedKeys": none})

		correction := a.do("POST", path+"/corrections", o.owner, object{"questionId": question, "action": "ACCEPT_ALSO",
			"key": object{"answer": 17.5}, "reason": "A decimal point was lost"}).want(201).text("data.id")
		o.overview().wantFields(object{"data.suspectedKeys": none})
		a.correct()
		a.fold()
		o.overview().wantFields(object{"data.suspectedKeys": none})
		questions().wantFields(object{"data.questions.0.keySuspicions": []any{}, "data.questions.0.difficulty": 1})

		a.do("POST", path+"/corrections/"+correction+"/withdraw", o.owner, object{"reason": "The key was right"}).want(200)
		a.correct()
		a.fold()
		o.overview().wantFields(object{"data.suspectedKeys": suspected})
		a.clock.Advance(31 * 24 * time.Hour)
		o.signIn()
		o.overview().wantFields(object{"data.suspectedKeys": none})
	})
}

// The statistics show which options are right with the corrections, and blame no question of which it is right.
func TestOptionsFollowCorrections(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		content := wrongKey()
		delete(content["stages"].([]any)[0].(object), "gate")
		id := o.publish(content)
		path := "/v1/assessments/" + id
		for range 16 {
			a.answerKeys(o.invite(id).candidate(), "b", "a", "sesame")
		}
		for range 4 {
			a.answerKeys(o.invite(id).candidate(), "a", "b", "poppy")
		}
		a.fold()
		questions := func() response { return a.do("GET", path+"/statistics/questions", o.owner, nil).want(200) }
		questions().wantFields(object{"data.questions.0.keySuspicions": []any{"OTHER_OPTION_PREFERRED", "WEAKER_DO_BETTER"},
			"data.questions.0.options.0.correct": true, "data.questions.0.options.1.correct": false})
		a.do("POST", path+"/corrections", o.owner, object{"questionId": questions().text("data.questions.0.id"),
			"action": "REPLACE_KEY", "key": object{"correctOptionId": "b"}, "reason": "The second one is right"}).want(201)
		a.correct()
		a.fold()
		questions().wantFields(object{"data.questions.0.keySuspicions": []any{},
			"data.questions.0.options.0.correct": false, "data.questions.0.options.1.correct": true})
	})
}
