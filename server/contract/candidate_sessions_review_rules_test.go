package contract

import (
	"maps"
	"strings"
	"testing"
	"time"
)

// Of two rulings at once, one decides.
func TestTwoRulingsAtOnce(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		j := a.judging(judged())
		for range 5 {
			session := j.begin()
			j.answer(session, object{"number": 20})
			servers := []*api{a, b}
			answers := atOnce(2, func(i int) response {
				return servers[i].do("POST", j.path(session)+"/rulings", j.o.owner,
					object{"stageId": j.stages[0], "decision": []string{"PASS", "STOP"}[i], "reason": "r"})
			})
			if found := statuses(answers); found[200] != 1 || found[409] != 1 {
				t.Fatalf("the statuses are %v", found)
			}
			want := "IN_PROGRESS"
			if answers[1].status == 200 {
				want = "DISQUALIFIED"
			}
			j.read(session).wantFields(object{"data.status": want})
			j.open(session).wantFields(object{"data.rulings.0.decision": map[string]string{"IN_PROGRESS": "PASS",
				"DISQUALIFIED": "STOP"}[want]})
			if n := len(j.open(session).list("data.rulings")); n != 1 {
				t.Errorf("%d rulings", n)
			}
		}
	})
}

// A decision belongs to the organization, and to members who see the assessment. API keys decide nothing.
func TestWhoDecides(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		j, other := a.judging(judged()), a.register()
		session := j.begin()
		j.answer(session, object{"number": 20})
		ruling := object{"stageId": j.stages[0], "decision": "PASS", "reason": "r"}
		a.do("POST", j.path(session)+"/rulings", other.owner, ruling).want(404, "not_found")
		a.do("GET", j.path(session)+"/open-decision", other.owner, nil).want(404, "not_found")
		a.do("POST", j.path(session)+"/rulings", j.o.key(), ruling).want(401, "unauthenticated")
		a.do("POST", j.path(session)+"/rulings", session.candidate(), ruling).want(401, "unauthenticated")
		for _, body := range []object{{"stageId": j.stages[0], "decision": "MAYBE", "reason": "r"},
			{"stageId": j.stages[0], "decision": "PASS", "reason": " "}, {"decision": "PASS", "reason": "r"}} {
			a.do("POST", j.path(session)+"/rulings", j.o.owner, body).want(400, "invalid_request")
		}
		opened := j.open(session)
		a.do("POST", j.path(session)+"/rulings", j.o.member("MEMBER").who, ruling).want(200)
		if tag := opened.header.Get("ETag"); tag == "" || tag == j.open(session).header.Get("ETag") {
			t.Errorf("the entity tag is %q before and after the ruling", tag)
		}
		invited := j.o.invite(j.id)
		a.do("POST", j.path(invited)+"/rulings", j.o.owner, ruling).want(409, "session_not_in_review")
		j.open(invited).wantFields(object{"data.waitsFor": nil, "data.stages.0.status": "NOT_REACHED",
			"data.stages.0.questions.0.answer": nil})
	})
}

// What a session in review refuses, and what can still end it.
func TestASessionInReview(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session := j.begin()
		j.answer(session, object{"number": 20})
		for _, row := range []struct{ path, code string }{
			{"/resend", "session_not_invited"}, {"/extend", "session_not_in_progress"}, {"/reopen", "session_not_finished"},
			{"/late-answers/count", "session_not_finished"},
		} {
			a.do("POST", j.path(session)+row.path, j.o.owner, map[string]object{"/resend": {}, "/extend": {"minutes": 5,
				"reason": "r"}, "/reopen": {"minutes": 5, "reason": "r"}, "/late-answers/count": {"reason": "r"}}[row.path]).
				want(409, row.code)
		}
		body := object{"assessmentId": j.id, "candidateName": "Grace Hopper",
			"candidateEmail": session.text("data.candidateEmail")}
		a.do("POST", "/v1/candidate-sessions", j.o.owner, body).want(200).wantFields(object{
			"data.id": session.text("data.id"), "data.status": "IN_REVIEW"})
		for path, who := range j.o.callers() {
			a.do("GET", path+"/candidate-sessions?status=IN_REVIEW", who, nil).want(200).wantFields(object{
				"data.0.id": session.text("data.id")})
		}
		a.do("GET", "/v1/candidate-sessions/summary", j.o.owner, nil).want(200).wantFields(object{"data.total": 1})
		a.do("POST", j.path(session)+"/cancel", j.o.owner, nil).want(200).wantFields(object{"data.status": "CANCELLED",
			"data.closeReason": "CANCELLED", "data.inReviewSince": nil})
		j.wantEvents(session, "candidate.review_requested", "candidate.cancelled")
		j.rule(session, 0, "PASS").want(409, "session_not_in_review")
		j.timeline(session)
		j.open(session).wantFields(object{"data.since": nil, "data.waitsFor": nil})
		a.do("GET", j.path(session)+"/result", j.o.owner, nil).want(409, "result_not_ready")
	})
}

// Sessions in review are counted, and lower the rate of completion. They are no live sessions.
func TestSessionsInReviewAreCounted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session := j.begin()
		j.answer(session, object{"number": 20})
		done := j.begin()
		j.answer(done, object{"number": 4})
		j.answer(done, nil).wantFields(object{"data.status": "COMPLETED"})
		a.fold()
		a.do("GET", "/v1/assessments/"+j.id+"/statistics", j.o.owner, nil).want(200).wantFields(object{
			"data.sessionCounts.inReview": 1, "data.sessionCounts.completed": 1, "data.completionRate": 50})
		a.do("GET", "/v1/assessments/"+j.id, j.o.owner, nil).want(200).wantFields(object{
			"data.sessionCounts.inReview": 1})
	})
}

// An erasure removes what people have written about the candidate, and cancels a session in review.
func TestErasureOfDecisions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		finished, waiting := j.begin(), j.begin()
		for _, session := range []response{finished, waiting} {
			j.answer(session, object{"number": 20})
			j.rule(session, 0, "PASS").want(200)
			j.answer(session, object{"text": "zanzibar"})
		}
		j.grade(finished, 1, 1, 1, 0).want(200)
		j.grade(finished, 1, 2, 2, 1).want(200)
		for _, session := range []response{finished, waiting} {
			a.do("DELETE", j.path(session)+"/candidate-data", j.o.owner, nil).want(204)
			for _, read := range []string{"", "/grades", "/open-decision", "/timeline", "/result", "/progress",
				"/result/revisions/1"} {
				body := string(a.do("GET", j.path(session)+read, j.o.owner, nil).body)
				for _, erased := range []string{"zanzibar", "Good on times", "Because of the equipment", "A second look",
					session.text("data.candidateEmail"), "Grace Hopper"} {
					if strings.Contains(body, erased) {
						t.Errorf("%s still contains %q: %s", read, erased, body)
					}
				}
			}
			for _, event := range j.o.eventsOf("", session.text("data.id")) {
				if data, ok := event["data"].(object); ok && data["candidateName"] == "Grace Hopper" {
					t.Errorf("the event %s still has the name: %v", event["type"], data)
				}
			}
		}
		j.read(waiting).wantFields(object{"data.status": "CANCELLED", "data.inReviewSince": nil})
		a.do("PUT", j.path(waiting)+"/grades/"+j.questions[1], j.o.owner, object{"points": 1, "version": 0}).
			want(409, "session_not_finished")
		j.grade(finished, 1, 1, 1, 2).want(409, "session_erased")
	})
}

// In a preview nobody judges: it does not stop where a person could let the candidate go on.
func TestAPreviewWaitsForNobody(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		j := a.judging(judged())
		session := j.o.preview(j.id)
		a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
		j.answer(session, object{"number": 20}).wantFields(object{"data.status": "IN_PROGRESS"})
		j.answer(session, object{"text": "In an ice bath"}).wantFields(object{"data.status": "COMPLETED"})
		a.do("GET", j.path(session)+"/result", j.o.owner, nil).want(200).wantFields(object{"data.score": 0})
		j.wantEvents(session)
		a.clock.Advance(25 * time.Hour)
		a.purge()
	})
}

// A client of release 1.0 reads a gate and writes it back without what it does not know.
func TestGatesOfEarlierClients(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		created := a.do("POST", "/v1/assessments", o.owner, judged()).want(201)
		path := "/v1/assessments/" + created.text("data.id")
		update := func(gate object) response {
			stages := judged()["stages"].([]any)
			for i, stage := range stages {
				stage.(object)["id"] = created.list("data.stages")[i].(object)["id"]
			}
			stages[0].(object)["gate"] = gate
			return a.do("PATCH", path, o.owner, object{"stages": stages}).want(200)
		}
		for _, row := range []struct {
			gate     object
			onFail   string
			required bool
		}{
			{object{"required": true, "minScore": 60}, "REVIEW", true},
			{object{"required": false, "minScore": 60}, "CONTINUE", false},
			{object{"required": true, "minScore": 60}, "DISQUALIFY", true},
			{object{"required": false, "minScore": 60, "onFail": "REVIEW"}, "REVIEW", true},
			{object{"required": true, "minScore": 60, "onFail": "CONTINUE"}, "CONTINUE", false},
		} {
			update(row.gate).wantFields(object{"data.stages.0.gate": object{"required": row.required, "minScore": 60,
				"onFail": row.onFail}})
		}
		update(object{"required": true, "minScore": 60, "onFail": "REVIEW"})
		copied := a.do("POST", path+"/duplicate", o.owner, nil).want(201)
		copied.wantFields(object{"data.stages.0.gate.onFail": "REVIEW", "data.stages.1.questions.0.maxWords": 200,
			"data.stages.1.questions.0.rubric.1.description": "An ice bath."})

		// Publishing needs a complete rubric, and freezes it.
		broken := judged()
		question := freeText()
		question["points"] = 5
		broken["stages"].([]any)[1].(object)["questions"] = []any{question}
		draft := a.do("POST", "/v1/assessments", o.owner, broken).want(201).text("data.id")
		a.do("POST", "/v1/assessments/"+draft+"/publish", o.owner, nil).want(422, "assessment_incomplete")
		a.do("POST", path+"/publish", o.owner, nil).want(200)
		published := a.do("GET", path, o.owner, nil).want(200)
		for fault, change := range map[string]func(stages []any){
			"body /stages/0/gate frozen": func(stages []any) { stages[0].(object)["gate"] = object{"required": true, "minScore": 60, "onFail": "DISQUALIFY"} },
			"body /stages/1/questions/0 frozen": func(stages []any) {
				changed := maps.Clone(stages[1].(object)["questions"].([]any)[0].(object))
				changed["rubric"] = []any{object{"id": "time", "title": "Other", "points": 4}}
				stages[1].(object)["questions"] = []any{changed}
			},
		} {
			stages := asInput(published.at("data.stages"))
			change(stages)
			a.do("PATCH", path, o.owner, object{"stages": stages}).blames(fault)
		}
		stages := asInput(published.at("data.stages"))
		stages[0].(object)["gate"] = object{"required": true, "minScore": 60}
		stages[0].(object)["title"] = "Kitchen hygiene"
		a.do("PATCH", path, o.owner, object{"stages": stages}).want(200).wantFields(object{
			"data.stages.0.title": "Kitchen hygiene", "data.stages.0.gate.onFail": "REVIEW"})
	})
}
