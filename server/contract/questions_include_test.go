package contract

import (
	"fmt"
	"maps"
	"testing"
)

// including returns an assessment with one stage that includes questions of the bank.
func including(ids ...string) object {
	questions := []any{}
	for _, id := range ids {
		questions = append(questions, object{"type": "NUMERIC", "prompt": "", "points": 0, "bankQuestionId": id})
	}
	return object{"title": "From the bank", "stages": []any{object{"title": "Only", "questions": questions}}}
}

// A draft takes the newest content of the bank when it is saved and when it is published. A published assessment keeps
// its copy.
func TestIncludedQuestion(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.bank("How many?", 2)
		draft := a.do("POST", "/v1/assessments", o.owner, including(id)).want(201)
		at := "/v1/assessments/" + draft.text("data.id")
		draft.wantFields(object{"data.maxPoints": 2.0, "data.stages.0.questions.0.prompt": "How many?",
			"data.stages.0.questions.0.bankQuestionId": id, "data.stages.0.questions.0.bankVersion": 1.0,
			"data.stages.0.questions.0.poolId": nil, "data.stages.0.pools": []any{}})
		change := func(prompt string) {
			a.do("PATCH", "/v1/questions/"+id, o.owner, object{"question": bankQuestion(prompt, 3)["question"]}).want(200)
		}
		change("How many now?")
		a.do("GET", at, o.owner, nil).want(200).wantFields(object{"data.stages.0.questions.0.bankVersion": 1.0})
		published := a.do("POST", at+"/publish", o.owner, nil).want(200)
		published.wantFields(object{"data.maxPoints": 3.0, "data.stages.0.questions.0.prompt": "How many now?",
			"data.stages.0.questions.0.promptHtml": "<p>How many now?</p>", "data.stages.0.questions.0.bankVersion": 2.0})
		change("And now?")
		a.do("GET", at, o.owner, nil).want(200).wantFields(object{"data.stages.0.questions.0.prompt": "How many now?"})
		a.do("DELETE", "/v1/questions/"+id, o.owner, nil).want(409, "question_in_use")
		a.do("GET", "/v1/questions/"+id, o.owner, nil).want(200).wantFields(object{"data.usedIn": 1.0})

		session := o.invite(draft.text("data.id"))
		a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
		stage := a.do("GET", "/v1/candidate/session/stage", session.candidate(), nil).want(200)
		a.do("PUT", "/v1/candidate/session/answers/"+stage.text("data.questions.0.id"), session.candidate(),
			object{"number": 7}).want(200)
		a.do("POST", "/v1/candidate/session/stage/submit", session.candidate(), object{"stageId": stage.text("data.id")}).
			want(200)
		o.result(o.key(), session.text("data.id")).wantFields(object{"data.score": 100.0,
			"data.stages.0.questions.0.bankQuestionId": id, "data.stages.0.questions.0.bankVersion": 2.0})
	})
}

// withoutBank returns the stages of an assessment as a client of an earlier version sends them back.
func withoutBank(r response) []any {
	r.t.Helper()
	stages := []any{}
	for i := range r.list("data.stages") {
		stage := r.at(fmt.Sprintf("data.stages.%d", i)).(object)
		questions := []any{}
		for _, q := range stage["questions"].([]any) {
			known := object{}
			for _, field := range []string{"id", "type", "prompt", "points", "explanation", "answer", "tolerance"} {
				known[field] = q.(object)[field]
			}
			questions = append(questions, known)
		}
		stages = append(stages, object{"id": stage["id"], "title": stage["title"], "questions": questions})
	}
	return stages
}

// A client that knows neither the bank nor pools loses nothing when it sends back what it has read. What it changes is
// its own question.
func TestEarlierClientKeepsTheBank(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		one, two := o.bank("One?", 2), o.bank("Two?", 2)
		o.bank("Three?", 1, "pool")
		definition := including(one, two)
		definition["stages"].([]any)[0].(object)["pools"] = []any{object{"count": 1, "points": 1, "tags": []any{"Pool"}}}
		draft := a.do("POST", "/v1/assessments", o.owner, definition).want(201)
		at := "/v1/assessments/" + draft.text("data.id")
		draft.wantFields(object{"data.stages.0.pools.0.questionCount": nil, "data.questionCount": 3.0, "data.maxPoints": 5.0})
		stages := withoutBank(draft)
		kept := a.do("PATCH", at, o.owner, object{"stages": stages}).want(200)
		kept.wantFields(object{"data.stages": draft.at("data.stages")})

		published := a.do("POST", at+"/duplicate", o.owner, nil).want(201).text("data.id")
		read := a.do("POST", "/v1/assessments/"+published+"/publish", o.owner, nil).want(200)
		a.do("PATCH", "/v1/questions/"+one, o.owner, object{"question": bankQuestion("One now?", 2)["question"]}).want(200)
		again := a.do("PATCH", "/v1/assessments/"+published, o.owner, object{"stages": withoutBank(read)}).want(200)
		again.wantFields(object{"data.stages": read.at("data.stages")})
		if got := len(again.list("data.stages.0.questions")); got != 3 {
			t.Errorf("%d questions", got)
		}

		changed := stages[0].(object)["questions"].([]any)[1].(object)
		mine := maps.Clone(changed)
		mine["prompt"] = "Two, reworded?"
		stages[0].(object)["questions"].([]any)[1] = mine
		a.do("PATCH", at, o.owner, object{"stages": stages}).want(200).wantFields(object{
			"data.stages.0.questions.0.bankQuestionId": one, "data.stages.0.questions.1.bankQuestionId": nil,
			"data.stages.0.questions.1.bankVersion": nil, "data.stages.0.questions.1.prompt": "Two, reworded?"})
		a.do("GET", "/v1/questions/"+two, o.owner, nil).want(200).wantFields(object{"data.usedIn": 1.0}) // in the duplicate

		mine["bankQuestionId"] = two // replaces the content again
		stages[0].(object)["pools"] = []any{}
		a.do("PATCH", at, o.owner, object{"stages": stages}).want(200).wantFields(object{
			"data.stages.0.questions.1.prompt": "Two?", "data.stages.0.pools": []any{}, "data.questionCount": 2.0})
		mine["bankQuestionId"], mine["prompt"] = nil, "Two?"
		a.do("PATCH", at, o.owner, object{"stages": stages}).want(200).wantFields(object{
			"data.stages.0.questions.1.bankQuestionId": nil})
		a.do("DELETE", at, o.owner, nil).want(204)
		a.do("GET", "/v1/questions/"+one, o.owner, nil).want(200).wantFields(object{"data.usedIn": 1.0})
	})
}

// A draft includes only questions of its own organization.
func TestIncludedQuestionOfAnother(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		hidden := a.register().bank("Hidden?", 2)
		o := a.register()
		for _, id := range []string{hidden, "qbk_01m86w4h7k9n2p5r8t1v3x6z0b", "x"} {
			a.do("POST", "/v1/assessments", o.owner, including(id)).want(400, "invalid_request").wantFields(object{
				"errors.0.pointer": "/stages/0/questions/0/bankQuestionId", "errors.0.code": "unknown_id"})
		}
	})
}

// Publishing and checking name each question of the bank that cannot be published, at its place.
func TestPublishFaultsOfTheBank(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		archived, twice, blank := o.bank("Old?", 2), o.bank("Twice?", 2), o.bank("", 2)
		o.bank("In two pools?", 2, "a", "b")
		other := o.bank("Other points?", 3, "c")
		o.bank("", 1, "d")
		definition := including(archived, twice, twice, blank)
		definition["stages"].([]any)[0].(object)["pools"] = []any{
			object{"count": 1, "points": 2, "tags": []any{"a"}}, object{"count": 1, "points": 2, "tags": []any{"B"}},
			object{"count": 3, "points": 2, "tags": []any{"a", "c"}}, object{"count": 1, "points": 2, "tags": []any{}},
		}
		draft := a.do("POST", "/v1/assessments", o.owner, definition).want(201)
		at := "/v1/assessments/" + draft.text("data.id")
		a.do("PATCH", "/v1/questions/"+archived, o.owner, object{"archived": true}).want(200)
		want := map[string]string{
			"/stages/0/questions/0/bankQuestionId": "invalid_value", "/stages/0/questions/2/bankQuestionId": "duplicate",
			"/stages/0/questions/3/prompt": "required", "/stages/0/pools/1/tags": "duplicate",
			"/stages/0/pools/2/count": "too_large", "/stages/0/pools/3/tags": "too_few_items",
		}
		check := func(want map[string]string) {
			t.Helper()
			for list, r := range map[string]response{
				"data.faults": a.do("POST", at+"/check", o.owner, nil).want(200),
				"errors":      a.do("POST", at+"/publish", o.owner, nil).want(422, "assessment_incomplete"),
			} {
				got := map[string]string{}
				for i := range r.list(list) {
					got[r.text(fmt.Sprintf("%s.%d.pointer", list, i))] = r.text(fmt.Sprintf("%s.%d.code", list, i))
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s: %s, want %v", list, r.body, want)
				}
			}
			a.do("POST", at+"/preview", o.owner, nil).want(422, "assessment_incomplete")
		}
		check(want)
		stages := object{"stages": []any{object{"id": draft.text("data.stages.0.id"), "title": "Only", "pools": []any{
			object{"count": 1, "points": 2, "tags": []any{"c"}}, object{"count": 1, "points": 1, "tags": []any{"d"}},
		}}}}
		a.do("PATCH", at, o.owner, stages).want(200)
		check(map[string]string{"/stages/0/pools/0/points": "invalid_value", "/stages/0/pools/1": "invalid_value"})
		a.do("PATCH", "/v1/questions/"+other, o.owner, object{"archived": true}).want(200)
		check(map[string]string{"/stages/0/pools/0/count": "too_large"})
	})
}
