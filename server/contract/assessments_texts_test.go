package contract

import (
	"slices"
	"testing"

	"assay/store/storetest"
)

// texted returns an assessment with one required gate and one question for each set of fields.
func texted(questions ...object) object {
	list := []any{}
	for _, fields := range questions {
		question := object{"type": "SHORT_TEXT", "prompt": "Write it.", "points": 1}
		for name, value := range fields {
			question[name] = value
		}
		list = append(list, question)
	}
	return object{"title": "Texts", "stages": []any{
		object{"title": "Writing", "gate": object{"required": true, "minScore": 100}, "questions": list},
	}}
}

// What a phone makes of a right text passes the gate. The result has the text as it was
// typed, and the page learns what counts.
func TestTextsAreJudgedAsPeopleMeanThem(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(texted(
			object{"acceptedAnswers": []any{"don't"}},
			object{"acceptedAnswers": []any{"pH"}, "caseSensitive": true},
			object{"acceptedAnswers": []any{"ls --all"}, "exactMatch": true},
		))
		take := func(texts ...string) response {
			session := o.invite(id)
			who := session.candidate()
			a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
			stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
			stage.wantFields(object{"data.questions.0.textMatching": "NORMALIZED",
				"data.questions.1.textMatching": "CASE_SENSITIVE", "data.questions.2.textMatching": "EXACT"})
			for i, text := range texts {
				path := "/v1/candidate/session/answers/" + stage.at("data.questions").([]any)[i].(object)["id"].(string)
				a.do("PUT", path, who, object{"text": text}).want(200)
			}
			a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
			return a.do("GET", "/v1/candidate-sessions/"+session.text("data.id")+"/result", o.owner, nil).want(200)
		}
		right := take("\u200bDon\u2019t\u00a0", "\uff50\uff28", " ls --all\n")
		right.wantFields(object{
			"data.status": "COMPLETED", "data.score": 100,
			"data.stages.0.questions.0.answer.text": "\u200bDon\u2019t\u00a0",
			"data.stages.0.questions.1.answer.text": "\uff50\uff28", "data.stages.0.questions.2.answer.text": " ls --all\n",
		})
		take("dont", "PH", "ls \u2014all").wantFields(object{"data.status": "DISQUALIFIED", "data.score": 0})
	})
}

// A client that does not know exactMatch changes the rest of a question.
func TestOmittedExactMatchIsKept(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		created := a.do("POST", "/v1/assessments", o.owner, texted(object{"acceptedAnswers": []any{"x"},
			"exactMatch": true})).want(201)
		path := created.header.Get("Location")
		const field = "data.stages.0.questions.0.exactMatch"
		without := func(change object) object {
			stages := asInput(a.do("GET", path, o.owner, nil).want(200).at("data.stages"))
			question := stages[0].(object)["questions"].([]any)[0].(object)
			delete(question, "exactMatch")
			for name, value := range change {
				question[name] = value
			}
			return object{"stages": stages}
		}
		a.do("PATCH", path, o.owner, without(object{"prompt": "p"})).want(200).wantFields(object{field: true})
		a.do("PATCH", path, o.owner, without(object{"exactMatch": false})).want(200).wantFields(object{field: false})
		a.do("PATCH", path, o.owner, without(nil)).want(200).wantFields(object{field: false})
		a.do("PATCH", path, o.owner, without(object{"exactMatch": true})).want(200).wantFields(object{field: true})
		a.do("POST", path+"/publish", o.owner, nil).want(200)
		a.do("PATCH", path, o.owner, without(nil)).want(200).wantFields(object{field: true})
		a.do("PATCH", path, o.owner, without(object{"exactMatch": false})).want(409, "assessment_not_draft")
		a.do("POST", path+"/duplicate", o.owner, nil).want(201).wantFields(object{field: true})
	})
}

// Texts that nobody can see, and options that look the same, cannot be published. What an
// earlier version has published can still be read, changed, and taken.
func TestTextsThatNobodyCanSee(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := texted(object{"prompt": "\u3164", "acceptedAnswers": []any{"\u200b", "x"}})
		stage := definition["stages"].([]any)[0].(object)
		stage["title"] = "\u2800"
		stage["questions"] = append(stage["questions"].([]any), object{
			"type": "SINGLE_CHOICE", "prompt": "Which?", "points": 1, "correctOptionId": "a",
			"options": []any{object{"id": "a", "text": "Same"}, object{"id": "b", "text": "Same "}, object{"id": "c",
				"text": "&nbsp;"}},
		})
		id := a.do("POST", "/v1/assessments", o.owner, definition).want(201).text("data.id")
		publish := a.do("POST", "/v1/assessments/"+id+"/publish", o.owner, nil).want(422, "assessment_incomplete")
		want := []string{
			"body /stages/0/title required", "body /stages/0/questions/0/prompt required",
			"body /stages/0/questions/0/acceptedAnswers/0 required",
			"body /stages/0/questions/1/options/1/text duplicate", "body /stages/0/questions/1/options/2/text required",
		}
		if got := publish.faults(); !slices.Equal(got, want) {
			t.Errorf("publishing: %q, want %q", got, want)
		}

		storetest.Change(t, a.database,
			"UPDATE assessments SET status = 'PUBLISHED', published_at = created_at WHERE id = '"+id+"'")()
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"title": "New"}).want(200)
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"title": "\u3000"}).want(400, "invalid_request")
		a.do("POST", "/v1/candidate/session/start", o.invite(id).candidate(), nil).want(200)
	})
}
