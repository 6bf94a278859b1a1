package contract

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// typeFields maps each field of a question that not all types have to those that
// have it. A response has null for the others.
var typeFields = map[string][]string{
	"options": {"SINGLE_CHOICE", "MULTIPLE_CHOICE"}, "correctOptionId": {"SINGLE_CHOICE"},
	"correctOptionIds": {"MULTIPLE_CHOICE"}, "partialCredit": {"MULTIPLE_CHOICE"}, "answer": {"NUMERIC"},
	"tolerance": {"NUMERIC"}, "acceptedAnswers": {"SHORT_TEXT"}, "caseSensitive": {"SHORT_TEXT"},
	"exactMatch": {"SHORT_TEXT"}, "maxWords": {"FREE_TEXT"}, "rubric": {"FREE_TEXT"},
}

// asInput converts the stages of a response to the stages of a request: it removes
// the fields that only responses have.
func asInput(stages any) []any {
	var input []any
	for _, stage := range withoutHTML(stages).([]any) {
		stage := stage.(object)
		delete(stage, "order")
		for _, question := range stage["questions"].([]any) {
			question := question.(object)
			for _, field := range []string{"order", "bankVersion", "poolId"} {
				delete(question, field)
			}
			for field, kinds := range typeFields {
				if !slices.Contains(kinds, question["type"].(string)) {
					delete(question, field)
				}
			}
		}

		input = append(input, stage)
	}

	return input
}

// withoutHTML returns a copy of a JSON value without the fields that end with Html.
func withoutHTML(value any) any {
	switch v := value.(type) {
	case object:
		kept := object{}
		for name, field := range v {
			if !strings.HasSuffix(name, "Html") {
				kept[name] = withoutHTML(field)
			}
		}
		return kept
	case []any:
		kept := make([]any, 0, len(v))
		for _, item := range v {
			kept = append(kept, withoutHTML(item))
		}
		return kept
	}
	return value
}

// A PATCH of a draft changes only the fields in its body. null clears a field.
func TestPatchChangesOnlySentFields(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("PATCH", "/v1/organization", o.owner, object{"inviteExpiryDays": 30}).want(200)
		created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		created.wantFields(object{
			"data.status": "DRAFT", "data.inviteExpiryDays": 30, "data.description": nil, "data.redirectUrl": nil,
			"data.timeLimitMinutes": nil,
			"data.stageCount":       2, "data.questionCount": 4, "data.maxPoints": 20, "data.publishedAt": nil,
			"data.archivedAt": nil,
		})
		path := created.header.Get("Location")
		if path != "/v1/assessments/"+created.text("data.id") {
			t.Errorf("the Location header is %s", path)
		}
		want := created.data()
		for _, test := range []struct{ patch, more object }{ // more: fields that change as a consequence
			{patch: object{"title": "Day-shift pharmacist"}},
			{patch: object{"description": "Äußerst 😀\nzwei *Zeilen*", "passingScore": 33.34},
				more: object{"descriptionHtml": "<p>Äußerst 😀\nzwei <em>Zeilen</em></p>"}},
			{patch: object{"timeLimitMinutes": 45, "redirectUrl": "https://a.example/?a=1", "inviteExpiryDays": 3}},
			{patch: object{"description": ""}, more: object{"descriptionHtml": ""}}, // an empty string is not null
			{patch: object{"description": nil}, more: object{"descriptionHtml": nil}},
			{patch: object{"instructions": "`a`", "closingMessage": "b"},
				more: object{"instructionsHtml": "<p><code>a</code></p>", "closingMessageHtml": "<p>b</p>"}},
			{patch: object{"locale": "pt-BR", "shuffleQuestions": true, "opensAt": "2036-11-20T10:00:00.000Z"}},
			{patch: object{"shuffleOptions": true, "closesAt": "2036-11-20T11:00:00.000Z"}},
			{patch: object{"instructions": nil, "closingMessage": nil, "locale": nil, "opensAt": nil, "closesAt": nil,
				"shuffleOptions": false}, more: object{"instructionsHtml": nil, "closingMessageHtml": nil}},
			{patch: object{"passingScore": nil, "timeLimitMinutes": nil, "redirectUrl": nil}},
			{patch: object{"passingScore": 0}},
			{patch: object{"stages": []any{}}, more: object{"stageCount": 0, "questionCount": 0, "maxPoints": 0}},
			{patch: object{"title": "All at once", "description": "d", "passingScore": 100, "timeLimitMinutes": 10080,
				"inviteExpiryDays": 365}, more: object{"descriptionHtml": "<p>d</p>"}},
		} {
			a.clock.Advance(time.Second)
			maps.Copy(want, test.patch)
			maps.Copy(want, test.more)
			want["updatedAt"] = wire(a.store.Now())
			patched := a.do("PATCH", path, o.owner, test.patch).want(200)
			if got := patched.data(); !reflect.DeepEqual(got, asJSON(t, want)) {
				t.Errorf("%v: %v\nwant %v", test.patch, got, want)
			}
			if read := a.do("GET", path, o.owner, nil).want(200); string(read.body) != string(patched.body) {
				t.Errorf("%v: GET returned %s\nPATCH returned %s", test.patch, read.body, patched.body)
			}
		}
	})
}

// stages in a PATCH replaces all stages. Stages and questions with an id keep it, so the id
// must belong to this assessment and must be unique.
func TestPatchReplacesAllStages(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		other := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		created := a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201)
		path := created.header.Get("Location")
		stages := asInput(created.at("data.stages"))

		second := stages[1].(object)
		second["title"] = "Now first"
		added := object{"type": "NUMERIC", "prompt": "New", "points": 1.5, "answer": 1}
		second["questions"] = []any{added, second["questions"].([]any)[1]}
		patched := a.do("PATCH", path, o.owner, object{"stages": []any{second, object{"title": "New"}}}).want(200)
		patched.wantFields(object{
			"data.stageCount": 2, "data.questionCount": 2, "data.maxPoints": 6.5,
			"data.stages.0.id": second["id"], "data.stages.0.order": 1, "data.stages.0.title": "Now first",
			"data.stages.0.questions.1.id": created.text("data.stages.1.questions.1.id"), "data.stages.0.questions.1.order": 2,
			"data.stages.1.questions": []any{}, "data.stages.1.gate": nil,
		})
		ids := []string{created.text("data.stages.0.id"), created.text("data.stages.1.id")}
		if slices.Contains(ids, patched.text("data.stages.1.id")) || patched.text("data.stages.0.questions.0.id") == "" {
			t.Errorf("the new stage or question has no new id: %s", patched.body)
		}

		foreign := asInput(other.at("data.stages"))
		removed := object{"title": "Gone", "id": ids[0]} // a stage that the PATCH above removed
		for name, test := range map[string]struct {
			stages []any
			faults []string
		}{
			"another assessment's stage": {[]any{foreign[0]}, []string{
				"body /stages/0/id unknown_id", "body /stages/0/questions/0/id unknown_id",
				"body /stages/0/questions/1/id unknown_id",
			}},
			"a removed stage": {[]any{second, removed}, []string{"body /stages/1/id unknown_id"}},
			"the same stage twice": {[]any{object{"title": "A", "id": second["id"]}, object{"title": "B", "id": second["id"]}},
				[]string{"body /stages/1/id duplicate"}},
		} {
			refused := a.do("PATCH", path, o.owner, object{"title": "Never", "stages": test.stages}).
				want(400, "invalid_request")
			if got := refused.faults(); !containsAll(got, test.faults) {
				t.Errorf("%s: %v, want %v", name, got, test.faults)
			}
		}
		a.do("POST", "/v1/assessments", o.owner, object{"title": "T", "stages": []any{removed}}).want(400, "invalid_request")
		if read := a.do("GET", path, o.owner, nil).want(200); string(read.body) != string(patched.body) {
			t.Errorf("the rejected change modified the assessment: %s\nwant %s", read.body, patched.body)
		}
	})
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(list, w) })
}

// Each type of the contract has its mappings in mapping_questions.go, and its row in rules.
func TestQuestionTypes(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, kind := range enumOf(t, "QuestionType") {
			stage := object{"title": "s", "questions": []any{object{"type": kind, "prompt": "p", "points": 1}}}
			draft := a.do("POST", "/v1/assessments", o.owner, object{"title": "T", "stages": []any{stage}}).want(201)
			if got := draft.at("data.stages.0.questions.0.type"); got != kind {
				t.Errorf("a question of type %v became one of type %v", kind, got)
			}
			checked := a.do("POST", draft.header.Get("Location")+"/check", o.owner, nil).want(200)
			if strings.Contains(string(checked.body), "/questions/0/type") {
				t.Errorf("no question of type %v can be published: %s", kind, checked.body)
			}
		}
	})
}

// A draft returns its questions as they were sent, also if they are incomplete.
func TestQuestionTypesRoundTrip(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		options := []any{object{"id": "a", "text": "A"}, object{"id": "B-_9", "text": ""}}
		questions := []any{
			object{"type": "SINGLE_CHOICE", "prompt": "p", "points": 0.1, "explanation": "e", "options": options,
				"correctOptionId": "B-_9"},
			object{"type": "SINGLE_CHOICE", "prompt": "", "points": 0, "explanation": nil, "options": []any{},
				"correctOptionId": nil},
			object{"type": "MULTIPLE_CHOICE", "prompt": "p", "points": 1000, "explanation": "", "options": options,
				"correctOptionIds": []any{"B-_9", "a"}, "partialCredit": true},
			object{"type": "MULTIPLE_CHOICE", "prompt": "p", "points": 1, "explanation": nil, "options": []any{},
				"correctOptionIds": []any{}, "partialCredit": false},
			object{"type": "NUMERIC", "prompt": "p", "points": 1, "explanation": "e", "answer": -1e15, "tolerance": 1e-9},
			object{"type": "NUMERIC", "prompt": "p", "points": 1, "explanation": nil, "answer": nil, "tolerance": 0},
			object{"type": "SHORT_TEXT", "prompt": "p", "points": 1, "explanation": "e",
				"acceptedAnswers": []any{" a  b ", "Ä😀\n"}, "caseSensitive": true, "exactMatch": true},
			object{"type": "SHORT_TEXT", "prompt": "p", "points": 1, "explanation": nil, "acceptedAnswers": []any{},
				"caseSensitive": false, "exactMatch": false},
		}
		stages := []any{
			object{"title": "", "description": "d", "timeLimitMinutes": 5, "gate": object{"required": true, "minScore": 0.01,
				"onFail": "DISQUALIFY"},
				"questions": questions},
			object{"title": "s", "description": nil, "timeLimitMinutes": nil, "gate": nil, "questions": []any{}},
		}
		created := a.do("POST", "/v1/assessments", o.owner, object{"title": "T", "stages": stages}).want(201)
		withIDs := asInput(created.at("data.stages"))
		for _, stage := range withIDs {
			delete(stage.(object), "id")
			delete(stage.(object), "pools")
			for _, question := range stage.(object)["questions"].([]any) {
				delete(question.(object), "id")
				delete(question.(object), "bankQuestionId")
			}
		}

		if !reflect.DeepEqual(withIDs, asJSON(t, stages)) {
			t.Errorf("the response has %v\nwant %v", withIDs, stages)
		}
		path := created.header.Get("Location")
		again := a.do("PATCH", path, o.owner, object{"stages": asInput(created.at("data.stages"))}).want(200)
		if string(again.body) != string(created.body) {
			t.Errorf("PATCH with the same stages: %s\nwant %s", again.body, created.body)
		}

		// Optional fields have defaults.
		bare := a.do("POST", "/v1/assessments", o.owner,
			object{"title": "T", "stages": []any{object{"title": "", "questions": []any{
				object{"type": "SINGLE_CHOICE", "prompt": "", "points": 0}, object{"type": "MULTIPLE_CHOICE", "prompt": "",
					"points": 0},
				object{"type": "NUMERIC", "prompt": "", "points": 0}, object{"type": "SHORT_TEXT", "prompt": "", "points": 0},
			}}}}).want(201)
		bare.wantFields(object{
			"data.stages.0.questions.0.options": []any{}, "data.stages.0.questions.1.partialCredit": false,
			"data.stages.0.questions.2.tolerance": 0, "data.stages.0.questions.3.acceptedAnswers": []any{},
		})
	})
}

// The maximum numbers of stages, questions and options are accepted. One more is rejected.
func TestAssessmentLimits(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()

		// stages returns stageCount stages with the given number of questions in each.
		stages := func(stageCount, questions int) []any {
			var list []any
			for range stageCount {
				stage := object{"title": "S", "questions": []any{}}
				for range questions {
					stage["questions"] = append(stage["questions"].([]any),
						object{"type": "NUMERIC", "prompt": "1 + 1?", "points": 1000, "answer": 2})
				}
				list = append(list, stage)
			}

			return list
		}
		choosing := func(ids ...string) []any {
			var options []any
			for _, id := range ids {
				options = append(options, object{"id": id, "text": "O " + id})
			}
			return []any{object{"title": "S", "questions": []any{
				object{"type": "SINGLE_CHOICE", "prompt": "?", "points": 1, "options": options, "correctOptionId": ids[0]},
			}}}
		}
		ids := strings.Split("abcdefghijklmnopqrstu", "")
		for name, test := range map[string]struct {
			stages []any
			faults []string // nil: accepted, and can be published
		}{
			"50 stages with 10 questions": {stages: stages(50, 10)},
			"500 questions in one stage":  {stages: stages(1, 500)},
			"51 stages":                   {stages(51, 1), []string{"body /stages too_many_items"}},
			"501 questions in one stage":  {stages(1, 501), []string{"body /stages/0/questions too_many_items"}},
			"501 questions in six stages": {append(stages(1, 1), stages(5, 100)...),
				[]string{"body /stages too_many_items"}},
			"20 options": {stages: choosing(ids[:20]...)},
			"21 options": {choosing(ids...), []string{"body /stages/0/questions/0/options too_many_items"}},
			"a duplicate option id": {choosing("a", "b", "a"),
				[]string{"body /stages/0/questions/0/options/2/id duplicate"}},
			"option ids that differ in case": {stages: choosing("a", "A")},
		} {
			status := 201
			if test.faults != nil {
				status = 400
			}
			created := a.do("POST", "/v1/assessments", o.owner, object{"title": name, "stages": test.stages}).want(status)
			if test.faults == nil {
				path := "/v1/assessments/" + created.text("data.id")
				a.do("PATCH", path, o.owner, object{"stages": asInput(created.at("data.stages"))}).want(200)
				a.do("POST", path+"/publish", o.owner, nil).want(200)
			} else if !slices.Equal(created.faults(), test.faults) {
				t.Errorf("%s: %v, want %v", name, created.faults(), test.faults)
			}
		}
		if listed, _ := a.pages("/v1/assessments", o.owner, "title"); len(listed) != 4 {
			t.Errorf("the list contains rejected assessments: %v", listed)
		}
	})
}
