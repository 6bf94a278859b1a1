package contract

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// judged is an assessment that needs people: the gate of its first stage asks for a review, and its last stage has a
// free text. A test changes the definition before it publishes it.
func judged(extra ...object) object {
	definition := object{"title": "Cooling food", "passingScore": 50, "timeLimitMinutes": 60, "stages": []any{
		object{"title": "Hygiene", "gate": object{"required": true, "minScore": 50, "onFail": "REVIEW"}, "questions": []any{
			object{"type": "NUMERIC", "prompt": "Fridge in °C?", "points": 5, "answer": 4},
		}},
		object{"title": "Practice", "questions": []any{freeText()}},
	}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// freeText is a question with a rubric of two criteria.
func freeText() object {
	return object{"type": "FREE_TEXT", "prompt": "How do you cool soup?", "points": 4, "maxWords": 200, "rubric": []any{
		object{"id": "time", "title": "Names the time limits", "points": 2},
		object{"id": "method", "title": "Describes a safe method", "points": 2, "description": "An ice bath."},
	}}
}

// judging is an assessment that needs people, with the caller's parts of a journey.
type judging struct {
	*api
	o                 *tenant
	id                string
	stages, questions []string // their ids
}

func (a *api) judging(definition object) *judging {
	a.t.Helper()
	j := &judging{api: a, o: a.register()}
	j.id = j.o.publish(definition)
	for _, stage := range a.do("GET", "/v1/assessments/"+j.id, j.o.owner, nil).want(200).list("data.stages") {
		j.stages = append(j.stages, stage.(object)["id"].(string))
		for _, question := range stage.(object)["questions"].([]any) {
			j.questions = append(j.questions, question.(object)["id"].(string))
		}
	}
	return j
}

// begin invites a candidate who starts, with the extra fields of the invite.
func (j *judging) begin(extra ...object) response {
	j.t.Helper()
	invite := j.o.invite(j.id, extra...)
	j.do("POST", "/v1/candidate/session/start", invite.candidate(), nil).want(200)
	return invite
}

// answer gives the answers to the current stage in the order of its questions, and submits it. A nil answer is none.
func (j *judging) answer(session response, answers ...object) response {
	j.t.Helper()
	who := session.candidate()
	stage := j.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i, question := range stage.list("data.questions") {
		if answers[i] != nil {
			j.do("PUT", "/v1/candidate/session/answers/"+question.(object)["id"].(string), who, answers[i]).want(200)
		}
	}
	return j.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
}

func (j *judging) path(session response) string {
	return "/v1/candidate-sessions/" + session.text("data.id")
}

func (j *judging) read(session response) response {
	j.t.Helper()
	return j.do("GET", j.path(session), j.o.owner, nil).want(200)
}

func (j *judging) rule(session response, stage int, decision string) response {
	j.t.Helper()
	return j.do("POST", j.path(session)+"/rulings", j.o.owner,
		object{"stageId": j.stages[stage], "decision": decision, "reason": "Because of the equipment"})
}

// grade gives points to a free text, by its rubric.
func (j *judging) grade(session response, question int, first, second float64, version int) response {
	j.t.Helper()
	body := object{"points": first + second, "comment": "Good on times", "version": version, "rubric": []any{
		object{"id": "time", "points": first}, object{"id": "method", "points": second},
	}}
	if version > 0 {
		body["reason"] = "A second look"
	}
	return j.do("PUT", j.path(session)+"/grades/"+j.questions[question], j.o.owner, body)
}

func (j *judging) open(session response) response {
	j.t.Helper()
	return j.do("GET", j.path(session)+"/open-decision", j.o.owner, nil).want(200)
}

// events returns the types of the session's events after the invite and the start, the oldest first.
func (j *judging) events(session response) []string {
	j.t.Helper()
	var types []string
	for _, event := range slices.Backward(j.o.eventsOf("", session.text("data.id"))) {
		if kind := event["type"].(string); kind != "candidate.invited" && kind != "candidate.started" {
			types = append(types, kind)
		}
	}
	return types
}

func (j *judging) wantEvents(session response, want ...string) {
	j.t.Helper()
	if got := j.events(session); !slices.Equal(got, want) {
		j.t.Errorf("the events are %v, want %v", got, want)
	}
}

// timeline returns the types of the session's timeline, without stages, devices, and emails.
func (j *judging) timeline(session response) (types []string) {
	j.t.Helper()
	for _, entry := range j.do("GET", j.path(session)+"/timeline", j.o.owner, nil).want(200).list("data") {
		kind := entry.(object)["type"].(string)
		if !strings.HasPrefix(kind, "STAGE_") && !strings.HasPrefix(kind, "EMAIL_") && !strings.HasPrefix(kind, "RESULT_") {
			types = append(types, kind)
		}
	}
	return types
}

// A failed gate holds a session without a clock. A ruling lets the candidate go on with the time that was left, and the
// last grade ends the session.
func TestAGateThatAPersonPasses(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j, box := a.judging(judged(object{"redirectUrl": "https://jobs.example/done"})), a.outbox()
		endpoint := j.o.hookID("candidate.started", "candidate.review_requested", "candidate.submitted",
			"candidate.completed")
		session := j.begin()
		box.send()
		a.clock.Advance(10 * time.Minute)
		since := wire(a.clock.Now())
		j.answer(session, object{"number": 20}).wantFields(object{
			"data.status": "IN_REVIEW", "data.nextStageId": nil, "data.closeReason": nil, "data.redirectUrl": nil})
		waiting := object{"data.status": "IN_REVIEW", "data.inReviewSince": since, "data.currentStageId": nil,
			"data.closeReason": nil, "data.completedAt": nil}
		j.read(session).wantFields(waiting).wantFields(object{"data.score": nil,
			"data.inviteUrl": session.text("data.inviteUrl")})
		a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200).wantFields(waiting).wantFields(object{
			"data.stages.0.status": "IN_REVIEW", "data.stages.0.gate.onFail": "REVIEW", "data.redirectUrl": nil})
		a.do("GET", "/v1/candidate/session/stage", session.candidate(), nil).want(409, "session_not_in_progress")
		j.wantEvents(session, "candidate.review_requested")
		if data := j.o.eventsOf("candidate.review_requested", session.text("data.id"))[0]["data"].(object); data["stageId"] !=
			j.stages[0] || data["stageScore"] != 0.0 || data["minScore"] != 50.0 || data["inReviewSince"] != since {
			t.Errorf("the event is %v", data)
		}
		j.open(session).wantFields(object{"data.since": since, "data.waitsFor": "RULING", "data.stageId": j.stages[0],
			"data.questionIds": []any{}, "data.candidateGoesOn": true, "data.stages.0.questions.0.answer": object{"number": 20},
			"data.stages.0.status": "IN_REVIEW", "data.stages.0.score": 0, "data.stages.1.status": "NOT_REACHED",
			"data.rulings": []any{}})

		// No clock runs, and nothing else ends the review.
		a.clock.Advance(31 * 24 * time.Hour)
		if swept := a.sweep(); swept != 0 {
			t.Errorf("%d sessions were swept", swept)
		}
		j.o.signIn()
		j.rule(session, 0, "PASS").want(200).wantFields(object{"data.status": "IN_PROGRESS", "data.inReviewSince": nil,
			"data.currentStageId": j.stages[1], "data.deadlineAt": wire(a.clock.Now().Add(50 * time.Minute))})
		told := box.sendOne()
		if told.Email.Kind != store.EmailGatePassed || told.Decision.InviteURL != session.text("data.inviteUrl") ||
			wire(*told.Decision.DeadlineAt) != wire(a.clock.Now().Add(50*time.Minute)) {
			t.Errorf("the email is %+v, %+v", told, told.Decision)
		}
		j.rule(session, 0, "STOP").want(409, "session_not_in_review")

		a.clock.Advance(time.Minute)
		submitted := wire(a.clock.Now())
		j.answer(session, object{"text": "In an ice bath, within two hours"}).wantFields(object{"data.status": "IN_REVIEW"})
		if data := j.o.eventsOf("candidate.submitted", session.text("data.id"))[0]["data"].(object); data["pendingAnswers"] !=
			1.0 || data["closeReason"] != "SUBMITTED" || data["inReviewSince"] != submitted || data["status"] != "IN_REVIEW" {
			t.Errorf("the event is %v", data)
		}
		a.clock.Advance(time.Hour)
		j.o.signIn()
		j.grade(session, 1, 2, 1.5, 0).want(200).wantFields(object{"data.points": 3.5, "data.reason": "",
			"data.comment": "Good on times", "data.rubric.1": object{"id": "method", "points": 1.5}})
		j.read(session).wantFields(object{"data.status": "COMPLETED", "data.completedAt": submitted,
			"data.inReviewSince": nil,
			"data.closeReason":   "SUBMITTED", "data.score": 38.89, "data.passed": false})
		j.o.result(j.o.key(), session.text("data.id")).wantFields(object{"data.revision": 1, "data.decidedBy": "PERSON",
			"data.stages.0.status": "FAILED", "data.stages.0.gate": object{"required": true, "minScore": 50,
				"onFail": "REVIEW", "passed": false},
			"data.stages.1.questions.0.scoredBy": "PERSON", "data.corrections.0.cause": "GRADE",
			"data.corrections.1.cause": "RULING", "data.completedAt": submitted})
		j.wantEvents(session, "candidate.review_requested", "candidate.submitted", "candidate.completed")
		if got, want := j.timeline(session), []string{"INVITED", "STARTED", "REVIEW_REQUESTED", "GATE_PASSED",
			"REVIEW_REQUESTED", "COMPLETED"}; !slices.Equal(got, want) {
			t.Errorf("the timeline is %v, want %v", got, want)
		}
		j.wantDelivered(endpoint, "candidate.started", "candidate.review_requested", "candidate.submitted",
			"candidate.completed")
		a.fold()
		a.do("GET", "/v1/assessments/"+j.id+"/statistics", j.o.owner, nil).want(200).wantFields(object{
			"data.sessionCounts.completed": 1, "data.sessionCounts.inReview": 0, "data.completionRate": 100})
		a.do("GET", "/v1/audit-log?action=GATE_RULED", j.o.owner, nil).want(200).wantFields(object{
			"data.0.changes": []any{object{"field": "decision", "from": nil, "to": "PASS"}}})
	}, sendsEmail)
}

// wantDelivered checks the types of an endpoint's deliveries, the oldest first.
func (j *judging) wantDelivered(endpoint string, want ...string) {
	j.t.Helper()
	types, _ := j.pages("/v1/webhooks/"+endpoint+"/deliveries", j.o.owner, "eventType")
	slices.Reverse(types)
	if !slices.Equal(types, want) {
		j.t.Errorf("the deliveries are %v, want %v", types, want)
	}
}

// A STOP is a disqualification by a person, as of the time when the answers came in.
func TestAGateThatAPersonStops(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session := j.begin()
		j.answer(session, object{"number": 20})
		since := wire(a.clock.Now())
		a.clock.Advance(time.Hour)
		j.o.signIn()
		j.rule(session, 1, "STOP").want(409, "session_not_in_review")
		a.do("POST", j.path(session)+"/rulings", j.o.owner, object{"stageId": "stg_unknown", "decision": "STOP",
			"reason": "r"}).want(400, "invalid_request").
			wantFields(object{"errors.0.pointer": "/stageId", "errors.0.code": "unknown_id"})
		j.rule(session, 0, "STOP").want(200).wantFields(object{"data.status": "DISQUALIFIED",
			"data.closeReason":    "STAGE_GATE",
			"data.disqualifiedAt": since, "data.inReviewSince": nil, "data.score": 0})
		j.wantEvents(session, "candidate.review_requested", "candidate.disqualified")
		j.o.result(j.o.key(), session.text("data.id")).wantFields(object{"data.decidedBy": "PERSON", "data.revision": 1,
			"data.disqualification.stageId": j.stages[0], "data.corrections.0.cause": "RULING"})
		if got, want := j.timeline(session), []string{"INVITED", "STARTED", "REVIEW_REQUESTED", "GATE_STOPPED",
			"DISQUALIFIED"}; !slices.Equal(got, want) {
			t.Errorf("the timeline is %v, want %v", got, want)
		}
		j.open(session).wantFields(object{"data.since": nil, "data.waitsFor": nil, "data.stageId": nil,
			"data.rulings.0.decision": "STOP", "data.rulings.0.reason": "Because of the equipment",
			"data.rulings.0.createdBy.name": "Ada Lovelace"})

		// A person can still let the candidate go on, and decides again if the stage fails again.
		a.do("POST", j.path(session)+"/reopen", j.o.owner, object{"minutes": 5, "stageId": j.stages[0],
			"reason": "r"}).want(200)
		j.answer(session, object{"number": 21}).wantFields(object{"data.status": "IN_REVIEW"})
		j.open(session).wantFields(object{"data.waitsFor": "RULING"})
		a.do("GET", j.path(session)+"/result", j.o.owner, nil).want(409, "result_in_review")
		j.rule(session, 0, "PASS").want(200).wantFields(object{"data.status": "IN_PROGRESS"})
	})
}

// The redirect carries a token while people grade. Every way to the result says since when it waits.
func TestAResultThatWaits(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		definition := judged(object{"redirectUrl": "https://jobs.example/done"})
		definition["stages"] = definition["stages"].([]any)[1:]
		j := a.judging(definition)
		key, session := j.o.key(), j.begin()
		outcome := j.answer(session, object{"text": "In an ice bath"})
		token := resultToken(t, outcome.text("data.redirectUrl"), "https://jobs.example/done?result=", "")
		since := j.read(session).text("data.inReviewSince")
		for _, path := range []string{"/v1/public/results/" + token,
			"/v1/public/candidate-sessions/" + session.text("data.id") + "/result"} {
			refused := a.do("GET", path, key, nil).want(409, "result_in_review")
			if !strings.Contains(refused.text("detail"), since) {
				t.Errorf("%s: the detail lacks the time %s: %s", path, since, refused.body)
			}
		}
		a.do("GET", j.path(session)+"/result", j.o.owner, nil).want(409, "result_in_review")
		a.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-token", key, nil).
			want(409, "result_in_review")
		a.do("POST", j.path(session)+"/result-links", j.o.owner, object{}).want(409, "result_in_review")
		a.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-links", key, object{}).
			want(409, "result_in_review")
		j.open(session).wantFields(object{"data.waitsFor": "GRADES", "data.stageId": nil, "data.candidateGoesOn": false,
			"data.questionIds": []any{j.questions[0]}, "data.stages.0.questions.0.scoredBy": "PENDING",
			"data.stages.0.questions.0.points": 0, "data.stages.0.points": nil})
		j.rule(session, 0, "PASS").want(409, "session_not_in_review")

		j.grade(session, 0, 2, 2, 0).want(200)
		a.do("GET", "/v1/public/results/"+token, key, nil).want(200).wantFields(object{"data.score": 100,
			"data.stages.0.questions.0.answer": object{"text": "In an ice bath"}})
		a.do("GET", "/v1/candidate/session", session.candidate(), nil).want(200).wantFields(object{
			"data.status": "COMPLETED", "data.redirectUrl": outcome.text("data.redirectUrl")})
		a.do("POST", "/v1/public/candidate-sessions/"+session.text("data.id")+"/result-token", key, nil).want(200)
		other := a.register()
		a.do("GET", "/v1/public/results/"+token, other.key(), nil).want(404, "result_not_found")
	})
}
