package contract

import (
	"slices"
	"testing"
	"time"

	"assay/store"
)

// gradedGate is judged with a free text in the first stage, whose gate does onFail.
func gradedGate(onFail string) object {
	definition := judged(object{"timeLimitMinutes": nil})
	first := definition["stages"].([]any)[0].(object)
	first["gate"] = object{"required": true, "minScore": 50, "onFail": onFail}
	first["questions"] = []any{freeText()}
	definition["stages"].([]any)[1].(object)["questions"] = []any{
		object{"type": "NUMERIC", "prompt": "Fridge in °C?", "points": 4, "answer": 4},
	}
	return definition
}

// A gate whose stage has ungraded answers waits for the grades, which then decide.
func TestAGateThatGradesDecide(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		box := a.outbox()
		text := object{"text": "In an ice bath"}

		j := a.judging(gradedGate("DISQUALIFY"))
		passes, fails := j.begin(), j.begin()
		for _, session := range []response{passes, fails} {
			j.answer(session, text).wantFields(object{"data.status": "IN_REVIEW"})
			j.wantEvents(session)
			j.open(session).wantFields(object{"data.waitsFor": "GRADES", "data.stageId": j.stages[0],
				"data.candidateGoesOn": true, "data.questionIds": []any{j.questions[0]}})
			j.rule(session, 0, "PASS").want(409, "answers_not_graded")
		}
		box.send()
		j.grade(passes, 0, 1, 1, 0).want(200)
		j.read(passes).wantFields(object{"data.status": "IN_PROGRESS", "data.currentStageId": j.stages[1]})
		if told := box.sendOne(); told.Email.Kind != store.EmailGatePassed || told.Decision.DeadlineAt != nil {
			t.Errorf("the email is %+v, %+v", told, told.Decision)
		}
		j.answer(passes, object{"number": 4}).wantFields(object{"data.status": "COMPLETED", "data.closeReason": "SUBMITTED"})
		j.wantEvents(passes, "candidate.completed")
		j.grade(fails, 0, 1, 0, 0).want(200)
		j.read(fails).wantFields(object{"data.status": "DISQUALIFIED", "data.score": 12.5})
		j.wantEvents(fails, "candidate.disqualified")

		// With REVIEW, the grade that fails the gate asks for a ruling. Another grade can still pass it.
		j = a.judging(gradedGate("REVIEW"))
		session := j.begin()
		j.answer(session, text)
		j.grade(session, 0, 1, 0, 0).want(200)
		j.wantEvents(session, "candidate.review_requested")
		j.open(session).wantFields(object{"data.waitsFor": "RULING", "data.stages.0.score": 25})
		j.grade(session, 0, 2, 2, 1).want(200)
		j.read(session).wantFields(object{"data.status": "IN_PROGRESS"})

		// A gate that only reports lets the candidate go on, and the stage waits for its grade.
		j = a.judging(gradedGate("CONTINUE"))
		session = j.begin()
		j.answer(session, text).wantFields(object{"data.status": "IN_PROGRESS"})
		a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200).
			wantFields(object{"data.stages.0.status": "IN_REVIEW", "data.stages.0.gate.required": false})
		j.grade(session, 0, 2, 2, 0).want(409, "session_not_finished")
		j.answer(session, object{"number": 4}).wantFields(object{"data.status": "IN_REVIEW"})
		j.wantEvents(session, "candidate.submitted")
		j.grade(session, 0, 2, 2, 0).want(200)
		j.o.result(j.o.key(), session.text("data.id")).wantFields(object{"data.score": 100,
			"data.stages.0.status": "PASSED"})
	}, sendsEmail)
}

// A deadline closes the last stage, and the grade ends the session with its reason. A blank text needs nobody.
func TestAReviewAfterTheTimeIsUp(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session, blank := j.begin(), j.begin()
		for _, invite := range []response{session, blank} {
			j.answer(invite, object{"number": 4})
		}
		stage := a.do("GET", "/v1/candidate/session/stage", session.candidate(), nil).want(200).
			wantFields(object{"data.questions.0.maxWords": 200, "data.questions.0.type": "FREE_TEXT"})
		for invite, text := range map[string]object{session.text("data.inviteUrl"): {"text": "In an ice bath"},
			blank.text("data.inviteUrl"): {"text": " \n"}} {
			who := session.candidate()
			if invite != session.text("data.inviteUrl") {
				who = blank.candidate()
			}
			a.do("PUT", "/v1/candidate/session/answers/"+stage.text("data.questions.0.id"), who, text).want(200)
		}
		deadline := j.read(session).text("data.deadlineAt")
		a.clock.Advance(3 * time.Hour)
		j.o.signIn()
		a.sweep()
		j.read(blank).wantFields(object{"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED"})
		j.read(session).wantFields(object{"data.status": "IN_REVIEW", "data.inReviewSince": deadline})
		j.wantEvents(session, "candidate.submitted")
		if data := j.o.eventsOf("candidate.submitted", session.text("data.id"))[0]["data"].(object); data["closeReason"] !=
			"TIME_EXPIRED" {
			t.Errorf("the event is %v", data)
		}
		j.grade(session, 1, 0, 0, 0).want(200)
		j.read(session).wantFields(object{"data.status": "COMPLETED", "data.closeReason": "TIME_EXPIRED",
			"data.completedAt": deadline, "data.score": 55.56})
	})
}

// A correction can be the decision for which a session waits.
func TestACorrectionThatDecides(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		held, submitted := j.begin(), j.begin()
		j.answer(held, object{"number": 5})
		j.answer(submitted, object{"number": 4})
		j.answer(submitted, object{"text": "In an ice bath"})
		corrections := "/v1/assessments/" + j.id + "/corrections"
		correct := func(question int, action string, key any) response {
			body := object{"questionId": j.questions[question], "action": action, "reason": "r", "policy": "EXACT"}
			if key != nil {
				body["key"] = key
			}
			return a.do("POST", corrections, j.o.owner, body)
		}
		correct(1, "REPLACE_KEY", object{"acceptedAnswers": []any{"ice"}}).want(400, "invalid_request")
		correct(1, "ACCEPT_ALSO", object{"acceptedAnswers": []any{"ice"}}).want(400, "invalid_request")

		made := correct(0, "ACCEPT_ALSO", object{"answer": 5}).want(201)
		a.correct()
		j.read(held).wantFields(object{"data.status": "IN_PROGRESS", "data.currentStageId": j.stages[1]})
		a.do("GET", corrections+"/"+made.text("data.id"), j.o.owner, nil).want(200).
			wantFields(object{"data.total": 2, "data.done": 2, "data.changed": 1})
		a.do("POST", "/v1/assessments/"+j.id+"/correction-preview", j.o.owner, object{"questionId": j.questions[1],
			"action": "EXCLUDE", "reason": "r", "policy": "EXACT"}).want(200).wantFields(object{"data.examined": 0})
		correct(1, "EXCLUDE", nil).want(201)
		a.correct()
		j.read(submitted).wantFields(object{"data.status": "COMPLETED", "data.score": 100})
		j.wantEvents(submitted, "candidate.submitted", "candidate.completed")
		j.answer(held, object{"text": "Nobody reads this"}).wantFields(object{"data.status": "COMPLETED"})
	})
}

// The points of a rubric must be complete, and a reason explains what replaces a key or a grade.
func TestGradesByRubric(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		definition := judged()
		stages := definition["stages"].([]any)
		plain := freeText()
		delete(plain, "rubric")
		stages[1].(object)["questions"] = []any{freeText(), plain}
		j := a.judging(definition)
		session := j.begin()
		j.answer(session, object{"number": 4})
		j.answer(session, object{"text": "In an ice bath"}, object{"text": "In the fridge"})
		grade := func(question int, body object) response {
			return a.do("PUT", j.path(session)+"/grades/"+j.questions[question], j.o.owner, body)
		}
		points := func(id string, points float64) object { return object{"id": id, "points": points} }
		both := []any{points("time", 1), points("method", 1)}
		for _, row := range []struct {
			question int
			body     object
			fault    string
		}{
			{1, object{"points": 2, "version": 0}, "/rubric required"},
			{1, object{"points": 2, "version": 0, "rubric": both[:1]}, "/rubric required"},
			{1, object{"points": 3, "version": 0, "rubric": both}, "/points invalid_value"},
			{1, object{"points": 5, "version": 0, "rubric": both}, "/points too_large"},
			{1, object{"points": nil, "version": 0, "rubric": both}, "/rubric invalid_value"},
			{1, object{"points": 2, "version": 0, "rubric": []any{both[0], both[0]}}, "/rubric/1/id duplicate"},
			{1, object{"points": 2, "version": 0, "rubric": []any{both[0], points("taste", 1)}}, "/rubric/1/id unknown_id"},
			{1, object{"points": 4, "version": 0, "rubric": []any{points("time", 3), points("method", 1)}},
				"/rubric/0/points too_large"},
			{2, object{"points": 2, "version": 0, "rubric": both}, "/rubric/0/id unknown_id"},
			{0, object{"points": 2, "version": 0}, "/reason required"},
		} {
			grade(row.question, row.body).want(400, "invalid_request").blames("body " + row.fault)
		}
		grade(1, object{"points": 2, "version": 1, "rubric": both}).want(412, "grade_changed")
		grade(1, object{"points": 2, "version": 0, "rubric": both}).want(200).wantFields(object{"data.comment": nil})
		j.read(session).wantFields(object{"data.status": "IN_REVIEW"})
		j.open(session).wantFields(object{"data.questionIds": []any{j.questions[2]}})
		grade(1, object{"points": 1, "version": 1, "rubric": []any{points("time", 0), points("method", 1)}}).
			want(400, "invalid_request").blames("body /reason required")
		grade(1, object{"points": nil, "version": 1, "reason": "Too early"}).want(200).
			wantFields(object{"data.points": nil, "data.rubric": nil})
		j.open(session).wantFields(object{"data.questionIds": []any{j.questions[1], j.questions[2]}})
		grade(1, object{"points": 2, "version": 2, "rubric": both}).want(200)
		grade(2, object{"points": 4, "version": 0, "comment": "Perfect"}).want(200).
			wantFields(object{"data.rubric": nil, "data.comment": "Perfect"})
		j.read(session).wantFields(object{"data.status": "COMPLETED", "data.score": 84.62})

		// A grade of a finished session still makes a revision. A withdrawn one gives 0 points there.
		grade(2, object{"points": 2, "version": 1, "reason": "Too generous"}).want(200)
		j.read(session).wantFields(object{"data.score": 69.23})
		grade(2, object{"points": nil, "version": 2, "reason": "Nobody has read it"}).want(200)
		j.read(session).wantFields(object{"data.status": "COMPLETED", "data.score": 53.85})
		a.do("GET", j.path(session)+"/result", j.o.owner, nil).want(200).wantFields(object{"data.revision": 3,
			"data.stages.1.questions.1.scoredBy": "PENDING"})
	})
}

// Reopening a stage withdraws the grades of its free texts, so that people read what the candidate writes then.
func TestReopeningWithdrawsGrades(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session := j.begin()
		j.answer(session, object{"number": 4})
		j.answer(session, object{"text": "In the fridge"})
		j.grade(session, 1, 0, 1, 0).want(200)
		a.do("POST", j.path(session)+"/reopen", j.o.owner, object{"minutes": 5, "stageId": j.stages[1],
			"reason": "The line broke"}).want(200)
		a.do("GET", j.path(session)+"/grades", j.o.owner, nil).want(200).wantFields(object{"data.0.version": 2,
			"data.0.points": nil, "data.0.reason": "The line broke", "data.1.points": 1})
		a.clock.Advance(time.Minute)
		j.answer(session, object{"text": "In an ice bath"}).wantFields(object{"data.status": "IN_REVIEW"})
		a.do("PUT", j.path(session)+"/grades/"+j.questions[1], j.o.owner, object{"points": 4, "version": 2,
			"rubric": []any{object{"id": "time", "points": 2}, object{"id": "method", "points": 2}}}).want(200)
		j.read(session).wantFields(object{"data.status": "COMPLETED", "data.score": 100})
		if got, want := j.events(session), []string{"candidate.submitted", "candidate.completed", "candidate.reopened",
			"candidate.submitted", "candidate.completed"}; !slices.Equal(got, want) {
			t.Errorf("the events are %v, want %v", got, want)
		}
	})
}
