package contract

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// answerRow returns a row of a request. A nil answer clears.
func answerRow(questionID string, answer any, revision, seenRevision int) object {
	return object{"questionId": questionID, "answer": answer, "revision": revision, "seenRevision": seenRevision}
}

func numeric(n float64) object { return object{"number": n} }

func (a *api) saveAnswers(who credential, stageID, clientID string, rows ...any) response {
	a.t.Helper()
	return a.do("PUT", "/v1/candidate/session/answers", who, object{
		"stageId": stageID, "clientId": clientID, "answers": append([]any{}, rows...),
	})
}

// saved returns the outcome, the answer, and the revision of each row of a response.
func (r response) saved() []string {
	r.t.Helper()
	var rows []string
	for _, item := range r.list("data.answers") {
		row := item.(object)
		line := fmt.Sprint(row["outcome"], " ", row["answer"], " ", row["revision"])
		if failed, ok := row["error"].(object); ok {
			line += fmt.Sprint(" ", failed["code"])
			for _, field := range failed["errors"].([]any) {
				line += fmt.Sprint(" ", field.(object)["pointer"])
			}
		}
		rows = append(rows, line)
	}
	return rows
}

func (r response) wantSaved(rows ...string) response {
	r.t.Helper()
	if got := r.want(200).saved(); !reflect.DeepEqual(got, rows) {
		r.t.Errorf("%s: the rows are\n  %s\nwant\n  %s\n%s", r.name, strings.Join(got, "\n  "), strings.Join(rows, "\n  "),
			r.body)
	}
	return r
}

// numbers returns an assessment with a stage of numeric questions. The answer 1 is correct.
func numbers(questions int) object {
	list := []any{}
	for range questions {
		list = append(list, object{"type": "NUMERIC", "prompt": "A number?", "points": 1, "answer": 1})
	}
	return object{"title": "Numbers", "stages": []any{object{"title": "Only", "questions": list}}}
}

// questionIDs returns the ids of the questions of the current stage.
func (a *api) questionIDs(who credential) []string {
	a.t.Helper()
	var ids []string
	stage := a.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for _, question := range stage.list("data.questions") {
		ids = append(ids, question.(object)["id"].(string))
	}
	return ids
}

// From one page, the change with the higher revision wins, in whatever order the
// requests arrive, and a repeated request changes nothing.
func TestSaveAnswersOfOnePage(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(numbers(3)))
		ids := a.questionIDs(b.who)
		a.saveAnswers(b.who, b.stageID, "page").wantSaved()
		first := []any{answerRow(ids[0], numeric(1), 1, 0), answerRow(ids[1], numeric(2), 1, 0)}
		a.saveAnswers(b.who, b.stageID, "page", first...).
			wantSaved("SAVED map[number:1] 1", "SAVED map[number:2] 1").
			wantFields(object{"data.deadlineAt": nil, "data.serverTime": wire(a.store.Now()),
				"data.answers.0.questionId": ids[0], "data.answers.0.savedAt": wire(a.store.Now()), "data.answers.0.error": nil})

		saved := a.store.Now()
		a.clock.Advance(time.Second)
		a.saveAnswers(b.who, b.stageID, "page", first...).
			wantSaved("SAVED map[number:1] 1", "SAVED map[number:2] 1").
			wantFields(object{"data.answers.0.savedAt": wire(saved), "data.serverTime": wire(a.store.Now())})
		// The third change arrives before the second, with the revision that the page saw when it sent it.
		a.saveAnswers(b.who, b.stageID, "page", answerRow(ids[0], numeric(5), 3, 0)).wantSaved("SAVED map[number:5] 2")
		a.saveAnswers(b.who, b.stageID, "page", answerRow(ids[0], numeric(4), 2, 0)).wantSaved("OUTDATED map[number:5] 2")
		a.saveAnswers(b.who, b.stageID, "page", answerRow(ids[0], numeric(6), 3, 2)).wantSaved("OUTDATED map[number:5] 2")
		// Two changes of one question in one request are made in their order.
		a.saveAnswers(b.who, b.stageID, "page", answerRow(ids[0], numeric(7), 4, 0), answerRow(ids[0], nil, 5, 0),
			answerRow(ids[2], numeric(1), 1, 0)).wantSaved("SAVED map[number:7] 3", "SAVED <nil> 4", "SAVED map[number:1] 1")
		a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200).wantFields(object{
			"data.questions.0.answer": nil, "data.questions.0.revision": 4, "data.questions.1.answer": numeric(2),
			"data.questions.1.revision": 1, "data.questions.2.answer": numeric(1),
		})
	})
}

// A page never overwrites an answer that it has not seen.
func TestSaveAnswersOfTwoPages(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(numbers(1)))
		save := func(page string, answer any, revision, seen int) response {
			return a.saveAnswers(b.who, b.stageID, page, answerRow(b.questionID, answer, revision, seen))
		}
		save("one", numeric(1), 1, 1).wantSaved("OUTDATED <nil> 0").wantFields(object{"data.answers.0.savedAt": nil})
		save("one", numeric(1), 1, 0).wantSaved("SAVED map[number:1] 1")
		save("two", numeric(2), 9, 0).wantSaved("OUTDATED map[number:1] 1")
		save("two", numeric(2), 9, 1).wantSaved("SAVED map[number:2] 2")
		save("one", numeric(3), 2, 1).wantSaved("OUTDATED map[number:2] 2")
		save("one", nil, 2, 2).wantSaved("SAVED <nil> 3")
		save("two", numeric(4), 10, 2).wantSaved("OUTDATED <nil> 3")

		// A client without pages always replaces the answer, and a page must then see it first.
		simple := "/v1/candidate/session/answers/" + b.questionID
		a.do("PUT", simple, b.who, numeric(5)).want(200).wantFields(object{
			"data": object{"questionId": b.questionID, "revision": 4, "savedAt": wire(a.store.Now())},
		})
		save("one", numeric(6), 3, 3).wantSaved("OUTDATED map[number:5] 4")
		save("one", numeric(6), 3, 4).wantSaved("SAVED map[number:6] 5")
		a.do("DELETE", simple, b.who, nil).want(200).wantFields(object{
			"data": object{"questionId": b.questionID, "revision": 6, "savedAt": wire(a.store.Now())},
		})
		a.do("GET", "/v1/candidate/session/stage", b.who, nil).want(200).
			wantFields(object{"data.questions.0.answer": nil, "data.questions.0.revision": 6})
		a.submit(b).want(200)
		a.do("GET", "/v1/candidate-sessions/"+b.id+"/result", o.owner, nil).want(200).wantFields(object{
			"data.stages.0.questions.0.answer": nil, "data.score": 0,
		})
	})
}

// An invalid row does not fail the others. Its error names the row and the field.
func TestSaveAnswersRefusesRows(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := twoStages()
		stages := definition["stages"].([]any)
		first, second := stages[0].(object), stages[1].(object)
		first["questions"] = append(first["questions"].([]any), second["questions"].([]any)...)
		b := o.begin(o.publish(definition))
		ids := a.questionIDs(b.who)
		later := o.stageID(a.do("GET", "/v1/candidate/session", b.who, nil).want(200).text("data.assessment.id"), 1)
		a.saveAnswers(b.who, later, "page").want(404, "not_found")
		a.saveAnswers(b.who, "stg_00000000000000000000000000", "page").want(404, "not_found")

		saved := a.saveAnswers(b.who, b.stageID, "page",
			answerRow(ids[0], object{"optionId": "z"}, 1, 0),
			answerRow(ids[1], object{"optionIds": []any{"x", "y", "x"}}, 1, 0),
			answerRow(ids[1], object{"number": 1}, 1, 0),
			answerRow("qst_00000000000000000000000000", object{"number": 1}, 1, 0),
			answerRow(ids[3], object{"text": strings.Repeat("x", 2001)}, 1, 0),
			answerRow(ids[3], object{}, 1, 0),
			object{"questionId": ids[2], "answer": numeric(1), "revision": 1},
			"no row", object{"questionId": 7},
			answerRow(ids[2], object{"number": 175}, 0, 0), answerRow(ids[2], object{"number": 175}, 1, 0),
		).wantSaved(
			"REFUSED <nil> 0 invalid_request /answers/0/answer/optionId",
			"REFUSED <nil> 0 invalid_request /answers/1/answer/optionIds",
			"REFUSED <nil> 0 invalid_request /answers/2/answer/number",
			"REFUSED <nil> 0 not_found",
			"REFUSED <nil> 0 invalid_request /answers/4/answer/text",
			"REFUSED <nil> 0 invalid_request /answers/5/answer",
			"REFUSED <nil> 0 invalid_request /answers/6/seenRevision",
			"REFUSED <nil> 0 invalid_request /answers/7",
			"REFUSED <nil> 0 invalid_request "+
				"/answers/8/questionId /answers/8/answer /answers/8/revision /answers/8/seenRevision",
			"REFUSED <nil> 0 invalid_request /answers/9/revision",
			"SAVED map[number:175] 1",
		)
		saved.wantFields(object{"data.answers.6.questionId": ids[2], "data.answers.7.questionId": nil,
			"data.answers.8.questionId": nil, "data.answers.3.questionId": "qst_00000000000000000000000000"})
		// A refused row shows the stored answer.
		a.saveAnswers(b.who, b.stageID, "page", answerRow(ids[2], object{"text": "x"}, 2, 1)).
			wantSaved("REFUSED map[number:175] 1 invalid_request /answers/0/answer/text")

		whole := func(body object) response { return a.do("PUT", "/v1/candidate/session/answers", b.who, body) }
		whole(object{"stageId": b.stageID, "answers": []any{}}).want(400, "invalid_request")
		long := strings.Repeat("x", 65)
		whole(object{"stageId": b.stageID, "clientId": long, "answers": []any{}}).want(400, "invalid_request")
		whole(object{"stageId": b.stageID, "clientId": "page", "answers": make([]any, 501)}).want(400, "invalid_request")
	})
}

// 500 long answers fit into one request.
func TestSaveManyAnswers(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		definition := oneQuestion()
		definition["stages"].([]any)[0].(object)["questions"] = []any{object{
			"type": "SHORT_TEXT", "prompt": "Why?", "points": 1, "acceptedAnswers": []any{"because"},
		}}
		b := o.begin(o.publish(definition))
		rows, want := []any{}, []string{}
		for i := range 500 {
			text := fmt.Sprint(strings.Repeat("x", 1990), i)
			rows = append(rows, answerRow(b.questionID, object{"text": text}, i+1, i))
			want = append(want, fmt.Sprintf("SAVED map[text:%s] %d", text, i+1))
		}
		a.saveAnswers(b.who, b.stageID, "page", rows...).wantSaved(want...)
	})
}

// A submission saves its answers before it closes the stage, and returns their outcomes.
// The same submission again has the same outcomes.
func TestSubmitWithAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(numbers(4)))
		ids := a.questionIDs(b.who)
		a.saveAnswers(b.who, b.stageID, "other", answerRow(ids[2], numeric(1), 1, 0)).wantSaved("SAVED map[number:1] 1")
		submit := func(rows ...any) response {
			return a.do("POST", "/v1/candidate/session/stage/submit", b.who, object{
				"stageId": b.stageID, "clientId": "page", "answers": rows,
			})
		}
		a.do("POST", "/v1/candidate/session/stage/submit", b.who, object{
			"stageId": b.stageID, "answers": []any{answerRow(ids[0], numeric(1), 1, 0)},
		}).want(400, "invalid_request").blames("body /clientId required")

		rows := []any{answerRow(ids[0], numeric(1), 1, 0), answerRow(ids[1], numeric(2), 1, 0),
			answerRow(ids[2], numeric(3), 1, 0),
			answerRow(ids[3], object{"text": "1"}, 1, 0), "no row"}
		want := []string{"SAVED map[number:1] 1", "SAVED map[number:2] 1", "OUTDATED map[number:1] 1",
			"REFUSED <nil> 0 invalid_request /answers/3/answer/text", "REFUSED <nil> 0 invalid_request /answers/4"}
		for range 2 {
			submit(rows...).wantSaved(want...).wantFields(object{
				"data.status": "COMPLETED", "data.closeReason": "SUBMITTED", "data.serverTime": wire(a.store.Now()),
			})
		}
		submit(answerRow(ids[0], numeric(2), 2, 1), answerRow(ids[3], numeric(1), 1, 0)).
			wantSaved("REFUSED map[number:1] 1 stage_closed", "REFUSED <nil> 0 stage_closed")
		a.saveAnswers(b.who, b.stageID, "page").want(409, "session_not_in_progress")
		a.do("DELETE", "/v1/candidate/session/answers/"+ids[0], b.who, nil).want(409, "session_not_in_progress")
		a.do("GET", "/v1/candidate-sessions/"+b.id+"/result", o.owner, nil).want(200).wantFields(object{
			"data.stages.0.questions.0.answer": numeric(1), "data.stages.0.questions.1.answer": numeric(2),
			"data.stages.0.questions.3.answer": nil, "data.score": 50,
		})
	})
}

// Answers are saved to the current stage only.
func TestAnswersOfOtherStages(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(timed(0, 0, 0, 5)))
		second := a.submit(b).want(200).text("data.nextStageId")
		a.saveAnswers(b.who, b.stageID, "page").want(409, "stage_closed")
		a.do("DELETE", "/v1/candidate/session/answers/"+b.questionID, b.who, nil).want(409, "stage_closed")
		a.saveAnswers(b.who, second, "page", answerRow(b.questionID, numeric(1), 1, 0)).wantSaved("REFUSED <nil> 0 not_found")
		third := a.submit(startedSession{who: b.who, stageID: second}).want(200).text("data.nextStageId")
		a.saveAnswers(b.who, third, "page").want(409, "stage_not_started")
		a.do("DELETE", "/v1/candidate/session/answers/qst_00000000000000000000000000", b.who, nil).want(404, "not_found")
	})
}

// A question and a stage that the candidate has not reached answer exactly like unknown
// ones, whatever the state of the session is and whatever the request contains. What has
// been closed says so.
func TestLaterStagesAnswerLikeUnknownOnes(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(twoStages())
		detail := a.do("GET", "/v1/assessments/"+assessment, o.owner, nil).want(200)
		first, later := detail.text("data.stages.0.questions.0.id"), detail.text("data.stages.1.questions.0.id")
		firstStage, laterStage := detail.text("data.stages.0.id"), detail.text("data.stages.1.id")
		const unknown, unknownStage = "qst_00000000000000000000000000", "stg_00000000000000000000000000"
		forms := func(who credential, question, stage string) (answers []string) {
			add := func(r response) {
				answers = append(answers, fmt.Sprint(r.status, " ", r.at("code"), " ", r.at("detail"), " ", r.at("errors")))
			}
			path := "/v1/candidate/session/answers/" + question
			for _, answer := range []object{
				numeric(1), {"text": "words"}, {"optionId": "a"}, {"optionId": "unknown"}, {"optionIds": []any{"x"}},
			} {
				add(a.do("PUT", path, who, answer))
			}
			add(a.do("DELETE", path, who, nil))
			add(a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage}))
			add(a.saveAnswers(who, stage, "page"))
			add(a.saveAnswers(who, stage, "page", answerRow(question, numeric(1), 1, 0)))
			return answers
		}
		same := func(state string, who credential) {
			t.Helper()
			want := forms(who, unknown, unknownStage)
			if got := forms(who, later, laterStage); !slices.Equal(got, want) {
				t.Errorf("%s: a later stage answers\n%q\nan unknown one\n%q", state, got, want)
			}
		}
		who := o.invite(assessment).candidate()
		same("invited", who)
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		same("in the first stage", who)
		for _, question := range []string{later, unknown} {
			a.saveAnswers(who, firstStage, "page", answerRow(question, numeric(1), 1, 0)).wantSaved("REFUSED <nil> 0 not_found")
		}
		a.answerStage(who, false)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": firstStage}).want(200)
		same("disqualified", who)

		who = o.invite(assessment).candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
		for _, answer := range []object{{"optionId": "a"}, numeric(1)} { // also an invalid one
			a.do("PUT", "/v1/candidate/session/answers/"+first, who, answer).want(409, "stage_closed")
		}
	})
}
