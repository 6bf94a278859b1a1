package contract

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// wrongKey is an assessment in which the key of a question is wrong: "b" is right. The first
// stage has a required gate, which the question decides.
func wrongKey() object {
	choice := func(prompt string) object {
		return object{"type": "SINGLE_CHOICE", "prompt": prompt, "points": 5, "correctOptionId": "a",
			"options": []any{object{"id": "a", "text": "First"}, object{"id": "b", "text": "Second"}}}
	}
	return object{"title": "Wrong key", "passingScore": 60, "stages": []any{
		object{"title": "Gate", "gate": object{"required": true, "minScore": 50}, "questions": []any{choice("Wrong?")}},
		object{"title": "Rest", "questions": []any{choice("Right?"), object{
			"type": "SHORT_TEXT", "prompt": "Which seed?", "points": 5, "acceptedAnswers": []any{"sesame"},
		}}},
	}}
}

// answerKeys takes a session with the chosen options and the text, as far as it goes, and
// returns the status of the session.
func (a *api) answerKeys(who credential, first, second, text string) string {
	a.t.Helper()
	a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	answers := [][]object{{{"optionId": first}}, {{"optionId": second}, {"text": text}}}
	outcome := response{}
	for _, given := range answers {
		stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
		for i, question := range stage.list("data.questions") {
			a.do("PUT", "/v1/candidate/session/answers/"+question.(object)["id"].(string), who, given[i]).want(200)
		}
		outcome = a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
		if outcome.text("data.status") != "IN_PROGRESS" {
			break
		}
	}
	return outcome.text("data.status")
}

// correct applies all corrections.
func (a *api) correct() {
	a.t.Helper()
	for more := true; more; {
		var err error
		if _, more, err = a.store.UnscopedApplyCorrections(context.Background()); err != nil {
			a.t.Fatal(err)
		}
	}
}

func TestCorrectionOfAWrongKey(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(wrongKey())
		key := o.key()
		stages := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).list("data.stages")
		questionID := stages[0].(object)["questions"].([]any)[0].(object)["id"].(string)

		stopped, lucky, late := o.invite(id), o.invite(id), o.invite(id)
		if status := a.answerKeys(stopped.candidate(), "b", "", ""); status != "DISQUALIFIED" {
			t.Fatalf("the status is %s", status)
		}
		if status := a.answerKeys(lucky.candidate(), "a", "a", "sesame"); status != "COMPLETED" {
			t.Fatalf("the status is %s", status)
		}
		before := o.result(key, lucky.text("data.id"))
		before.wantFields(object{"data.revision": 1, "data.decidedBy": "RULE", "data.corrections": []any{},
			"data.stages.0.questions.0.scoredBy": "KEY"})
		o.statistics(id)

		correction := object{"questionId": questionID, "action": "REPLACE_KEY", "key": object{"correctOptionId": "b"},
			"policy": "EXACT", "reason": "The key was swapped"}
		path := "/v1/assessments/" + id + "/corrections"
		a.do("GET", "/v1/assessments/"+id+"/questions/"+questionID+"/answers", o.owner, nil).want(200).wantFields(object{
			"data.examined": 2, "data.exact": true, "data.answers.0.count": 1,
		})
		effect := a.do("POST", "/v1/assessments/"+id+"/correction-preview", o.owner, correction).want(200)
		effect.wantFields(object{"data.examined": 2, "data.exact": true, "data.changed": 2, "data.nowPass.count": 0,
			"data.noLongerPass.count": 0, "data.gatePasses": object{"count": 1, "sessionIds": []any{stopped.text("data.id")}},
			"data.gateFails": object{"count": 1, "sessionIds": []any{lucky.text("data.id")}}})
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data": []any{}})

		created := a.do("POST", path, o.owner, correction).want(201)
		created.wantFields(object{"data.action": "REPLACE_KEY", "data.appliedAt": nil, "data.done": 0, "data.total": 2,
			"data.key": object{"correctOptionId": "b"}})
		if status := a.answerKeys(late.candidate(), "b", "a", "wrong"); status != "COMPLETED" {
			t.Fatalf("a session that finishes meanwhile is %s", status)
		}
		a.correct()
		a.do("GET", path+"/"+created.text("data.id"), o.owner, nil).want(200).wantFields(object{
			"data.done": 3, "data.total": 3, "data.changed": 2, "data.appliedAt": wire(a.clock.Now()),
		})

		o.result(key, late.text("data.id")).wantFields(object{"data.revision": 1, "data.score": 66.67, "data.passed": true,
			"data.stages.0.questions.0.scoredBy": "CORRECTION"})
		after := o.result(key, lucky.text("data.id"))
		after.wantFields(object{"data.revision": 2, "data.score": 66.67, "data.status": "COMPLETED", "data.passed": true,
			"data.stages.0.gate.passed": false, "data.corrections.0.id": created.text("data.id"),
			"data.corrections.0.cause": "CORRECTION", "data.decidedBy": "RULE"})
		events := o.eventsOf("candidate.result_corrected", lucky.text("data.id"))
		if len(events) != 1 {
			t.Fatalf("%d events", len(events))
		}
		data := events[0]["data"].(object)
		if data["previousScore"] != 100.0 || data["score"] != 66.67 || data["revision"] != 2.0 ||
			data["causeId"] != created.text("data.id") {
			t.Errorf("the event is %v", data)
		}

		revisions := a.do("GET", "/v1/candidate-sessions/"+lucky.text("data.id")+"/result/revisions", o.owner, nil).want(200)
		revisions.wantFields(object{"data.0.revision": 2, "data.0.replacedAt": nil, "data.1.revision": 1,
			"data.1.score": 100})
		earlier := a.do("GET", "/v1/candidate-sessions/"+lucky.text("data.id")+"/result/revisions/1", o.owner, nil).want(200)
		earlier.wantFields(object{"data.score": 100, "data.revision": 1})
		if same := a.getUnless(earlier.header.Get("ETag"),
			"/v1/candidate-sessions/"+lucky.text("data.id")+"/result/revisions/1", o.owner); same.status != 304 {
			t.Errorf("the same revision again: %d", same.status)
		}
		a.do("GET", "/v1/candidate-sessions/"+lucky.text("data.id")+"/result/revisions/3", o.owner, nil).
			want(404, "not_found")

		statistics := o.statistics(id)
		statistics.wantCounts(object{"completed": 2, "disqualified": 1})
		statistics.wantFields(object{"data.scores.count": 2, "data.scores.mean": 66.67, "data.passRate": 100})

		// A person lets the stopped candidate go on, with the stage after the gate.
		reopen := "/v1/candidate-sessions/" + stopped.text("data.id") + "/reopen"
		a.do("POST", reopen, o.owner, object{"minutes": 30, "reason": "The key was wrong"}).want(200).
			wantFields(object{"data.status": "IN_PROGRESS", "data.score": nil, "data.passed": nil, "data.closeReason": nil})
		a.do("POST", reopen, o.owner, object{"minutes": 30, "reason": "Again"}).want(409, "session_not_finished")
		a.do("GET", "/v1/candidate-sessions/"+stopped.text("data.id")+"/result", o.owner, nil).want(409, "result_not_ready")
		o.statistics(id).wantCounts(object{"completed": 2, "inProgress": 1})
		stage := a.do("GET", "/v1/candidate/session/stage", stopped.candidate(), nil).want(200)
		stage.wantFields(object{"data.title": "Rest"})
		a.do("POST", "/v1/candidate/session/stage/submit", stopped.candidate(), object{"stageId": stage.text("data.id")}).
			want(200).wantFields(object{"data.status": "COMPLETED"})
		o.result(key, stopped.text("data.id")).wantFields(object{"data.revision": 3, "data.status": "COMPLETED",
			"data.score": 33.33, "data.decidedBy": "PERSON", "data.disqualification": nil})
		if reopened := o.eventsOf("candidate.reopened", stopped.text("data.id")); len(reopened) != 1 {
			t.Errorf("%d events of the reopening", len(reopened))
		}
		timeline := a.do("GET", "/v1/candidate-sessions/"+stopped.text("data.id")+"/timeline", o.owner, nil).want(200)
		if !strings.Contains(string(timeline.body), `"REOPENED"`) {
			t.Errorf("the timeline is %s", timeline.body)
		}

		// Without the correction, everything is as before.
		withdrawn := a.do("POST", path+"/"+created.text("data.id")+"/withdraw", o.owner, object{"reason": "It was right"}).
			want(200)
		withdrawn.wantFields(object{"data.action": "WITHDRAW", "data.withdraws": created.text("data.id")})
		a.correct()
		o.result(key, lucky.text("data.id")).wantFields(object{"data.score": 100, "data.revision": 3,
			"data.corrections": []any{}})
		a.do("POST", path+"/"+created.text("data.id")+"/withdraw", o.owner, object{"reason": "Again"}).
			want(409, "correction_withdrawn")
		o.statistics(id).wantFields(object{"data.scores.count": 3})
	})
}

// A correction that does not fit the question is rejected, and names the field.
func TestCorrectionFaults(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(wrongKey())
		draft := a.do("POST", "/v1/assessments", o.owner, wrongKey()).want(201)
		stages := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).list("data.stages")
		questionID := stages[0].(object)["questions"].([]any)[0].(object)["id"].(string)
		base := object{"questionId": questionID, "action": "REPLACE_KEY", "key": object{"correctOptionId": "b"},
			"reason": "r"}
		for _, row := range []struct {
			name, field string
			value       any
			want        string
		}{
			{"another question", "questionId", "qst_unknown", "/questionId unknown_id"},
			{"no key", "key", nil, "/key invalid_type"},
			{"key of another type", "key", object{"answer": 1}, "/key/answer unknown_field"},
			{"unknown option", "key", object{"correctOptionId": "z"}, "/key/correctOptionId invalid_value"},
			{"no reason", "reason", " ", "/reason invalid_format"},
			{"unknown action", "action", "DELETE", "/action invalid_value"},
		} {
			body := object{}
			for name, value := range base {
				body[name] = value
			}
			body[row.field] = row.value
			for _, path := range []string{"/corrections", "/correction-preview"} {
				refused := a.do("POST", "/v1/assessments/"+id+path, o.owner, body).want(400, "invalid_request")
				if faults := refused.faults(); !slices.ContainsFunc(faults, func(fault string) bool {
					return strings.Contains(fault, strings.Fields(row.want)[0])
				}) {
					t.Errorf("%s: the faults are %q, want %s", row.name, faults, row.want)
				}
			}
		}
		a.do("POST", "/v1/assessments/"+id+"/corrections", o.owner, object{"questionId": questionID, "action": "EXCLUDE",
			"reason": "r"}).want(400, "invalid_request") // the gate would have no question
		base["questionId"] = draft.text("data.stages.0.questions.0.id")
		a.do("POST", "/v1/assessments/"+draft.text("data.id")+"/corrections", o.owner, base).
			want(409, "assessment_not_published")
		a.do("POST", "/v1/assessments/"+id+"/corrections/cor_unknown/withdraw", o.owner, object{"reason": "r"}).
			want(404, "not_found")
	})
}

func TestCorrectionsAreBounded(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, wrongKey()).want(201)
		id := draft.text("data.id")
		questionID := draft.list("data.stages")[0].(object)["questions"].([]any)[0].(object)["id"].(string)
		correction := object{"questionId": questionID, "action": "FULL_POINTS", "reason": "It was ambiguous"}
		path := "/v1/assessments/" + id
		a.do("POST", path+"/corrections", o.owner, correction).want(409, "assessment_not_published")
		a.do("POST", path+"/correction-preview", o.owner, correction).want(409, "assessment_not_published")
		a.do("POST", path+"/publish", o.owner, nil).want(200)

		var last response
		for range 200 {
			last = a.do("POST", path+"/corrections", o.owner, correction).want(201)
		}
		a.do("POST", path+"/corrections", o.owner, correction).want(409, "too_many_corrections")
		a.do("POST", path+"/corrections/"+last.text("data.id")+"/withdraw", o.owner, object{"reason": "r"}).
			want(409, "too_many_corrections")
		if listed := a.do("GET", path+"/corrections", o.owner, nil).want(200).list("data"); len(listed) != 200 {
			t.Errorf("%d corrections are listed", len(listed))
		}
	})
}
