package contract

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// essays returns an assessment with two questions that people grade. The first has a rubric. Extra fields replace or
// extend the definition.
func essays(extra ...object) object {
	definition := object{"title": "Essays", "stages": []any{object{"title": "Only", "questions": []any{
		object{"type": "FREE_TEXT", "prompt": "Describe how you cool soup.", "points": 4, "maxWords": 200, "rubric": []any{
			object{"id": "time", "title": "Names the limits", "points": 2},
			object{"id": "method", "title": "Names a method", "points": 2},
		}},
		object{"type": "FREE_TEXT", "prompt": "Describe a bad day.", "points": 10},
	}}}}
	for _, e := range extra {
		maps.Copy(definition, e)
	}
	return definition
}

// oneEssay returns an assessment with one question of ten points that people grade.
func oneEssay(grading object) object {
	return object{"title": "Essay", "grading": grading, "stages": []any{object{"title": "Only", "questions": []any{
		object{"type": "FREE_TEXT", "prompt": "Describe a bad day.", "points": 10},
	}}}}
}

// write answers each question of a new session with the text, and submits it. It returns the id of the session.
func (o *tenant) write(assessmentID, text string) string {
	o.api.t.Helper()
	session := o.invite(assessmentID)
	who := session.candidate()
	o.api.do("POST", "/v1/candidate/session/start", who, nil).want(200)
	stage := o.api.do("GET", "/v1/candidate/session/stage", who, nil).want(200)
	for i := range stage.list("data.questions") {
		o.api.do("PUT", "/v1/candidate/session/answers/"+stage.text(fmt.Sprintf("data.questions.%d.id", i)), who,
			object{"text": fmt.Sprintf("%s %d", text, i)}).want(200)
	}
	o.api.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage.text("data.id")}).want(200)
	return session.text("data.id")
}

// claim claims the next answer of the assessment. It returns the response, whose claim can be null.
func (a *api) claim(who credential, assessmentID string, questionID ...string) response {
	a.t.Helper()
	body := object{"assessmentId": assessmentID}
	if len(questionID) > 0 {
		body["questionId"] = questionID[0]
	}
	return a.do("POST", "/v1/grading/claims", who, body).want(200)
}

// claimed is the id of the claim in a response, or "".
func (r response) claimed() string {
	r.t.Helper()
	if r.at("data.claim") == nil {
		return ""
	}
	return r.text("data.claim.id")
}

// gradeAs grades a claim without a rubric, and returns the response with the next claim.
func (a *api) gradeAs(who credential, claimID string, points float64) response {
	a.t.Helper()
	return a.do("POST", "/v1/grading/claims/"+claimID+"/grade", who, object{"points": points})
}

// countGrades lets the minute pass in which a grade can be undone, so that the grades of the queue count.
func (a *api) countGrades() {
	a.t.Helper()
	a.clock.Advance(61 * time.Second)
	if err := a.store.UnscopedSettleGrades(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

func (o *tenant) statusOf(sessionID string) string {
	o.api.t.Helper()
	return o.api.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).text("data.status")
}

func TestGradingQueue(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(essays())
		a.do("GET", "/v1/grading", o.owner, nil).want(200).
			wantFields(object{"data.questions": []any{}, "data.hasMore": false})
		if got := a.claim(o.owner, id).claimed(); got != "" {
			t.Fatalf("claimed %s, and nothing waits", got)
		}
		session := o.write(id, "ice bath")
		queue := a.do("GET", "/v1/grading?assessmentId="+id, o.owner, nil).want(200)
		if n := len(queue.list("data.questions")); n != 2 {
			t.Fatalf("%d questions wait, want 2", n)
		}
		queue.wantFields(object{"data.questions.0.waiting": 1, "data.questions.0.open": 1, "data.questions.0.claimed": 0,
			"data.questions.0.mine": 0, "data.questions.0.done": 0, "data.questions.0.assessmentTitle": "Essays"})
		a.do("GET", "/v1/grading?assessmentId=asm_unknown", o.owner, nil).want(200).
			wantFields(object{"data.questions": []any{}})
		wait := queue.moment("data.questions.0.dueAt").Sub(queue.moment("data.questions.0.oldestSince"))
		if wait != 72*time.Hour {
			t.Errorf("due after %s, want 72h", wait)
		}

		first := a.claim(o.owner, id)
		questionID := first.text("data.claim.question.id")
		first.wantFields(object{"data.claim.assessmentId": id, "data.claim.candidate": nil, "data.claim.draft": nil,
			"data.claim.question.type": "FREE_TEXT", "data.claim.text": "ice bath 0", "data.claim.wordCount": 3})
		a.claim(o.owner, id).wantFields(object{"data.claim.id": first.claimed()}) // the same
		rubric := []any{object{"id": "time", "points": 1}, object{"id": "method", "points": 2}}
		path := "/v1/grading/claims/" + first.claimed()
		a.do("POST", path+"/grade", o.owner, object{"points": 3}).want(400, "invalid_request")
		a.do("POST", path+"/grade", o.owner, object{"points": 4, "rubric": rubric}).want(400, "invalid_request")
		second := a.do("POST", path+"/grade", o.owner, object{"points": 3, "rubric": rubric, "comment": "Fine"}).want(200)
		second.wantFields(object{"data.claim.text": "ice bath 1"})
		if second.text("data.claim.question.id") == questionID {
			t.Error("the same answer again")
		}
		a.do("POST", path+"/grade", o.owner, object{"points": 3, "rubric": rubric}).want(409, "claim_ended")
		if got := o.statusOf(session); got != "IN_REVIEW" {
			t.Errorf("after the first grade the session is %s, want IN_REVIEW", got)
		}
		a.gradeAs(o.owner, second.claimed(), 10).want(200).wantFields(object{"data.claim": nil})
		if got := o.statusOf(session); got != "IN_REVIEW" {
			t.Errorf("while the last grade can be undone the session is %s, want IN_REVIEW", got)
		}
		a.do("GET", "/v1/grading", o.owner, nil).want(200).wantFields(object{"data.questions": []any{}})
		a.countGrades()
		if got := o.statusOf(session); got != "COMPLETED" {
			t.Errorf("after the last grade the session is %s, want COMPLETED", got)
		}
		a.do("GET", "/v1/candidate-sessions/"+session+"/grades", o.owner, nil).want(200)
		o.result(o.key(), session).wantFields(object{"data.points": 13, "data.decidedBy": "PERSON"})
		a.do("GET", "/v1/grading", o.owner, nil).want(200).wantFields(object{"data.questions": []any{}})
	})
}

func TestGradingClaimRefusals(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneEssay(object{}))
		o.write(id, "one")
		other := o.member("MEMBER")
		claim := a.claim(o.owner, id)
		path := "/v1/grading/claims/" + claim.claimed()
		if got := a.claim(other.who, id).claimed(); got != "" {
			t.Errorf("a second person got the answer as %s", got)
		}
		a.do("GET", "/v1/grading", other.who, nil).want(200).wantFields(object{"data.questions.0.claimed": 1,
			"data.questions.0.mine": 0, "data.questions.0.open": 0})
		a.do("GET", "/v1/grading", o.owner, nil).want(200).wantFields(object{"data.questions.0.claimed": 1,
			"data.questions.0.mine": 1, "data.questions.0.open": 1})
		stranger := a.register()
		draft := object{"points": 3, "rubric": []any{}, "comment": nil}
		for _, who := range []credential{other.who, stranger.owner} {
			a.do("PUT", path+"/draft", who, draft).want(404, "not_found")
			a.gradeAs(who, claim.claimed(), 3).want(404, "not_found")
			a.do("POST", path+"/release", who, nil).want(404, "not_found")
			a.do("POST", path+"/undo", who, nil).want(404, "not_found")
		}
		a.do("POST", "/v1/grading/claims", stranger.owner, object{"assessmentId": id}).want(404, "not_found")
		a.do("POST", "/v1/grading/claims", o.owner, object{"assessmentId": id, "questionId": "qst_unknown"}).
			want(404, "not_found")
		a.do("GET", "/v1/assessments/"+id+"/grading-agreement", stranger.owner, nil).want(404, "not_found")
		a.do("PUT", path+"/draft", o.owner, object{"points": 11, "rubric": []any{}, "comment": nil}).
			want(400, "invalid_request")
		a.do("PUT", path+"/draft", o.owner, object{"points": nil, "rubric": []any{object{"id": "x", "points": 1}},
			"comment": nil}).want(400, "invalid_request")
		a.do("POST", path+"/undo", o.owner, nil).want(409, "undo_too_late")

		a.do("POST", path+"/release", o.owner, nil).want(204)
		a.do("POST", path+"/release", o.owner, nil).want(409, "claim_ended")
		a.do("PUT", path+"/draft", o.owner, draft).want(409, "claim_ended")
		a.gradeAs(o.owner, claim.claimed(), 3).want(409, "claim_ended")
		next := a.claim(other.who, id)
		if next.claimed() == "" {
			t.Fatal("nobody else gets a released answer")
		}
		a.do("POST", "/v1/grading/claims/"+next.claimed()+"/release", other.who, nil).want(204)
		if got := a.claim(o.owner, id).claimed(); got != claim.claimed() {
			t.Errorf("claimed %q after releasing it, want %q", got, claim.claimed())
		}
	})
}

// A claim ends by itself. The draft survives, and comes back with the answer if nobody else has claimed it.
func TestGradingLease(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneEssay(object{}))
		o.write(id, "one")
		other := o.member("MEMBER")
		claim := a.claim(o.owner, id)
		path := "/v1/grading/claims/" + claim.claimed()
		draft := object{"points": 3, "rubric": []any{}, "comment": "A start"}

		a.clock.Advance(14 * time.Minute)
		a.do("PUT", path+"/draft", o.owner, draft).want(200).wantFields(object{"data.claim.draft.points": 3,
			"data.claim.draft.comment": "A start", "data.claim.leasedUntil": wire(a.clock.Now().Add(15 * time.Minute))})
		o.signIn()
		a.clock.Advance(14 * time.Minute)
		other.who = a.signedIn(other)
		o.signIn()
		if got := a.claim(other.who, id).claimed(); got != "" {
			t.Errorf("a saved draft has not renewed the claim: %s", got)
		}
		a.clock.Advance(2 * time.Minute)
		// It has ended, and nobody has claimed the answer, so it continues.
		a.claim(o.owner, id).wantFields(object{"data.claim.id": claim.claimed(), "data.claim.draft.points": 3})
		a.clock.Advance(16 * time.Minute)
		other.who = a.signedIn(other)
		o.signIn()
		second := a.claim(other.who, id)
		second.wantFields(object{"data.claim.draft": nil, "data.claim.text": "one 0"})
		a.do("PUT", path+"/draft", o.owner, draft).want(409, "claim_ended")
		a.gradeAs(o.owner, claim.claimed(), 3).want(409, "claim_ended")
		if got := a.claim(o.owner, id).claimed(); got != "" {
			t.Errorf("two people hold the answer: %s", got)
		}
		a.gradeAs(other.who, second.claimed(), 5).want(200)
		a.do("PUT", path+"/draft", o.owner, draft).want(409, "claim_ended") // the draft is gone with the answer
	})
}

// signedIn returns a new credential of a member.
func (a *api) signedIn(m member) credential {
	a.t.Helper()
	return bearer(a.do("POST", "/v1/auth/login", anonymous, object{"email": m.email, "password": testPassword}).
		want(200).text("data.accessToken"))
}

func TestGradingUndo(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(essays())
		session := o.write(id, "one")
		queue := a.do("GET", "/v1/grading?assessmentId="+id, o.owner, nil).want(200)
		plain := queue.text("data.questions.1.questionId") // by its id; the first has a rubric
		if queue.number("data.questions.0.points") == 10 {
			plain = queue.text("data.questions.0.questionId")
		}
		claim := a.claim(o.owner, id, plain)
		path := "/v1/grading/claims/" + claim.claimed()
		next := a.gradeAs(o.owner, claim.claimed(), 7).want(200)
		if next.text("data.claim.question.id") == plain {
			t.Fatal("the same question has a second answer")
		}
		a.do("POST", path+"/undo", o.owner, nil).want(200).wantFields(object{"data.claim.id": claim.claimed(),
			"data.claim.draft.points": 7, "data.claim.text": claim.text("data.claim.text")})
		a.claim(o.owner, id).wantFields(object{"data.claim.id": claim.claimed()})
		a.do("GET", "/v1/grading", o.owner, nil).want(200).wantFields(object{"data.questions.0.waiting": 1,
			"data.questions.1.waiting": 1})
		a.gradeAs(o.owner, claim.claimed(), 8).want(200)
		a.countGrades()
		a.do("POST", path+"/undo", o.owner, nil).want(409, "undo_too_late")

		// The last grade of a session can be undone, too, and its result is sent afterwards.
		rubric := []any{object{"id": "time", "points": 1}, object{"id": "method", "points": 2}}
		last := "/v1/grading/claims/" + next.claimed()
		a.do("POST", last+"/grade", o.owner, object{"points": 3, "rubric": rubric}).want(200)
		a.clock.Advance(59 * time.Second)
		a.do("POST", last+"/undo", o.owner, nil).want(200).wantFields(object{"data.claim.draft.points": 3})
		a.countGrades()
		if got := o.statusOf(session); got != "IN_REVIEW" {
			t.Errorf("after the last grade is undone the session is %s, want IN_REVIEW", got)
		}
		rubric = []any{object{"id": "time", "points": 2}, object{"id": "method", "points": 2}}
		a.do("POST", last+"/grade", o.owner, object{"points": 4, "rubric": rubric}).want(200)
		a.countGrades()
		a.do("POST", last+"/undo", o.owner, nil).want(409, "undo_too_late")
		o.result(o.key(), session).wantFields(object{"data.points": 12, "data.revision": 1})
	})
}

func TestGradingShowsCandidate(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneEssay(object{"blind": false}))
		session := o.write(id, "one")
		a.claim(o.owner, id).wantFields(object{"data.claim.candidate.sessionId": session,
			"data.claim.candidate.name": "Grace Hopper"})
		o.write(id, "two")
		reviewer := o.member("MEMBER")
		a.do("PATCH", "/v1/members/"+reviewer.id, o.owner, object{"role": "REVIEWER", "assessmentIds": []any{id}}).want(200)
		a.claim(a.signedIn(reviewer), id).wantFields(object{"data.claim.text": "two 0", "data.claim.candidate": nil})
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"grading": object{"blind": true}}).want(200).
			wantFields(object{"data.grading": object{"graders": 1, "blind": true, "maxDifferencePercent": 20,
				"promisedHours": 72}})
		a.claim(o.owner, id).wantFields(object{"data.claim.candidate": nil})
		a.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201).
			wantFields(object{"data.grading.blind": true})
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"grading": object{"graders": 3}}).want(400, "invalid_request")
	})
}

// Each grader gets the answers in an order of their own, the same each time.
func TestGradingOrder(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneEssay(object{}))
		for i := range 12 {
			o.write(id, fmt.Sprint("answer ", i))
		}
		orderOf := func(who credential) (order []string) {
			for {
				claim := a.claim(who, id)
				text := claim.text("data.claim.text")
				a.do("POST", "/v1/grading/claims/"+claim.claimed()+"/release", who, nil).want(204)
				if slices.Contains(order, text) {
					return order
				}
				order = append(order, text)
			}
		}
		orders := map[string]bool{}
		for range 3 {
			who := o.member("MEMBER").who
			order := orderOf(who)
			if len(order) != 12 {
				t.Errorf("%d answers before one came again, want 12", len(order))
			}
			orders[fmt.Sprint(order)] = true
		}
		if len(orders) < 2 {
			t.Errorf("three graders have the same order: %v", orders)
		}
	})
}
