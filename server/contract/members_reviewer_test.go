package contract

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// For a REVIEWER, only the assigned assessments exist, and of their sessions only those that wait for a person.
func TestReviewerSeesNothingElse(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hidden := a.estate()
		all := a.estateOf(hidden.cast)
		assessments := all.of("assessments")
		mine := all.limitedAs("REVIEWER", assessments[:len(assessments)-1]...) // the last one has a session in review
		nothing := all.limitedAs("REVIEWER")
		before := hidden.readEach()
		paths := 0
		for _, o := range everyOperation(t) {
			if !o.isFor("REVIEWER") || !o.hasPathParameter() {
				continue
			}
			paths++
			mine.findsNone(t, o, hidden, 404)
			nothing.findsNone(t, o, all, 404)
			if o.collection() == "candidate-sessions" { // none of them is in review
				mine.findsNone(t, o, all, 404)
			}
		}
		if paths < 6 {
			t.Errorf("tested only %d paths", paths)
		}
		if after := hidden.readEach(); after != before {
			t.Errorf("what the REVIEWER does not see changed from\n%s\nto\n%s", before, after)
		}
		mine.listsNone(t, hidden, "REVIEWER")
		nothing.listsNone(t, all, "REVIEWER")
		sessions := a.do("GET", "/v1/candidate-sessions", mine.owner, nil).want(200).list("data")
		if len(sessions) > 0 {
			t.Errorf("%d sessions that are not in review", len(sessions))
		}
		counts := object{"data.sessionCounts.completed": 0.0, "data.sessionCounts.invited": 0.0}
		a.do("GET", "/v1/assessments/"+all.of("assessments")[1], mine.owner, nil).want(200).wantFields(counts)
		a.do("GET", "/v1/me", mine.owner, nil).want(200).wantFields(object{
			"data.role": "REVIEWER", "data.organization.usage.members.used": 0.0,
			"data.organization.usage.liveSessions.used": 0.0,
		})
	}, sendsEmail)
}

// A REVIEWER always has assessments. A change of the role keeps them while the role can have some, so that a REVIEWER
// who becomes a MEMBER does not see everything by accident.
func TestReviewerHasAssessments(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		one, two := o.publish(twoStages()), o.publish(twoStages())
		for _, body := range []object{
			{"name": "Ben Lang", "email": newEmail(), "role": "REVIEWER"},
			{"name": "Ben Lang", "email": newEmail(), "role": "REVIEWER", "assessmentIds": nil},
		} {
			a.do("POST", "/v1/members", o.owner, body).want(400, "invalid_request").wantFields(object{
				"errors.0.pointer": "/assessmentIds", "errors.0.code": "required",
			})
		}
		m := o.member("MEMBER")
		change := func(body object) response { return a.do("PATCH", "/v1/members/"+m.id, o.owner, body) }
		reads := func(assessment string, status int) {
			t.Helper()
			if got := a.do("GET", "/v1/assessments/"+assessment, m.who, nil); got.status != status {
				t.Errorf("%s: %d, want %d", assessment, got.status, status)
			}
		}
		subscription := "/v1/assessments/" + one + "/notifications"
		a.do("PUT", subscription, m.who, object{"finishedEmail": true}).want(200)
		change(object{"role": "REVIEWER"}).want(400, "invalid_request")
		change(object{"role": "REVIEWER", "assessmentIds": nil}).want(400, "invalid_request")
		reads(two, 200)
		change(object{"role": "REVIEWER", "assessmentIds": []string{one}}).want(200).
			wantFields(object{"data.role": "REVIEWER", "data.assessmentIds": []any{one}})
		reads(one, 200)
		reads(two, 404)
		a.do("GET", subscription, m.who, nil).want(403, "insufficient_role")
		change(object{"role": "REVIEWER", "assessmentIds": []string{}}).want(200).
			wantFields(object{"data.assessmentIds": []any{}})
		reads(one, 404)
		change(object{"role": "REVIEWER", "assessmentIds": []string{two}}).want(200)
		change(object{"role": "MEMBER"}).want(200).wantFields(object{"data.assessmentIds": []any{two}})
		reads(one, 404)
		change(object{"role": "MEMBER", "assessmentIds": []string{one}}).want(200)
		a.do("GET", subscription, m.who, nil).want(200).wantFields(object{"data.finishedEmail": false})
		change(object{"role": "REVIEWER"}).want(200).wantFields(object{"data.assessmentIds": []any{one}})
		change(object{"role": "EDITOR"}).want(200).wantFields(object{"data.assessmentIds": nil})
		change(object{"role": "REVIEWER"}).want(400, "invalid_request")

		entry := a.do("GET", "/v1/audit-log?action=MEMBER_ROLE_CHANGED&limit=1", o.owner, nil).want(200)
		entry.wantFields(object{"data.0.changes.0.from": "REVIEWER", "data.0.changes.0.to": "EDITOR"})
	})
}

// From the invitation on, a REVIEWER has the role and the assessments. A row without assessments, which only another
// program can write, sees nothing.
func TestReviewerIsInvited(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		one, draft := o.publish(twoStages()), a.do("POST", "/v1/assessments", o.owner, twoStages()).want(201).text("data.id")
		invited := a.do("POST", "/v1/members", o.owner, object{
			"name": "Ben Lang", "email": newEmail(), "role": "REVIEWER", "assessmentIds": []string{one, draft},
		}).want(201)
		id := invited.text("data.id")
		invited.wantFields(object{"data.role": "REVIEWER", "data.assessmentIds": []any{one, draft}})
		a.do("GET", "/v1/members/"+id, o.owner, nil).want(200).wantFields(object{"data.assessmentIds": []any{one, draft}})
		joined := a.accept(invited.invitation(), testPassword).want(200)
		who := bearer(joined.text("data.accessToken"))
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		a.do("GET", "/v1/me", who, nil).want(200).wantFields(object{
			"data.role": "REVIEWER", "data.assessmentIds": []any{one},
		})
		if got := len(a.do("GET", "/v1/assessments", who, nil).want(200).list("data")); got != 1 {
			t.Errorf("%d assessments, want 1", got)
		}
		unlimited := o.member("OWNER")
		storetest.ReplaceRole(t, a.database, unlimited.id, "REVIEWER")
		a.pass(2 * time.Second) // until no replica remembers the role
		a.do("GET", "/v1/me", unlimited.who, nil).want(200).wantFields(object{"data.assessmentIds": []any{}})
		a.do("GET", "/v1/assessments/"+one, unlimited.who, nil).want(404, "not_found")
	})
}

// reviewed returns an assessment whose first stage has a gate that a person decides, and an essay in the second one.
func reviewed() object {
	definition := twoStages()
	stages := definition["stages"].([]any)
	stages[0].(object)["gate"] = object{"required": true, "minScore": 50, "onFail": "REVIEW"}
	second := stages[1].(object)
	second["questions"] = append(second["questions"].([]any), object{
		"type": "FREE_TEXT", "prompt": "How do you cool soup?", "points": 4,
		"rubric": []any{object{"id": "method", "title": "Method", "points": 4, "description": "Shallow trays"}},
	})
	return definition
}

// candidateSecrets are what tells a REVIEWER who the candidate is, or what others think.
var candidateSecrets = []string{
	"Marie Curie", "marie@", "application-4711", "Needs a quiet room", "radium", "night-owl",
}

// hides checks that a response says nothing about the candidate.
func (r response) hides(secrets ...string) response {
	r.t.Helper()
	for _, secret := range append(slices.Clone(candidateSecrets), secrets...) {
		if strings.Contains(strings.ToLower(string(r.body)), strings.ToLower(secret)) {
			r.t.Errorf("%s: the response has %s: %s", r.name, secret, r.body)
		}
	}
	return r
}

// A REVIEWER finds the sessions that wait, decides about a gate and grades an answer without learning whose they are,
// and sees the session only while it waits.
func TestReviewerDecides(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		all := a.estate()
		id, other := all.publish(reviewed()), all.publish(reviewed())
		mine, blind := all.limitedAs("REVIEWER", id), all.limitedAs("REVIEWER", other)
		session := all.tenant.invite(id, object{
			"candidateName": "Marie Curie", "candidateEmail": "marie@" + newWord(8) + ".example.com",
			"externalId": "application-4711", "metadata": object{"source": "radium"}, "extraTimePercent": 25,
		})
		at := "/v1/candidate-sessions/" + session.text("data.id")
		a.do("PATCH", at, all.owner, object{"note": "Needs a quiet room"}).want(200)
		a.do("PATCH", at+"/review/tags", all.owner, object{"add": []string{"night-owl"}}).want(200)
		a.do("PUT", at+"/review/rating", all.owner, object{"rating": 4}).want(200)
		sees := func(one estate, count int) {
			t.Helper()
			for _, query := range []string{"", "?status=IN_REVIEW", "?assessmentId=" + id, "?sort=-updatedAt"} {
				listed := a.do("GET", "/v1/candidate-sessions"+query, one.owner, nil).want(200).hides()
				if got := len(listed.list("data")); got != count {
					t.Errorf("%s: %d sessions, want %d", query, got, count)
				}
			}
			status := map[int]int{0: 404, 1: 200}[count]
			for _, path := range []string{"", "/open-decision", "/grades"} {
				if got := a.do("GET", at+path, one.owner, nil).hides(); got.status != status {
					t.Errorf("%s: %d, want %d", path, got.status, status)
				}
			}
			a.fold()
			for _, counts := range []string{"", "/" + id} {
				at := map[string]string{"": "data.0.", "/" + id: "data."}[counts] + "sessionCounts."
				a.do("GET", "/v1/assessments"+counts, mine.owner, nil).want(200).
					wantFields(object{at + "inReview": float64(count), at + "inProgress": 0.0, at + "completed": 0.0})
			}
		}
		who := session.candidate()
		a.do("POST", "/v1/candidate/session/start", who, nil).want(200)
		stage := a.answerStage(who, false)
		sees(mine, 0)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": stage}).want(200)
		sees(mine, 1)
		a.do("GET", at, mine.owner, nil).want(200).wantFields(object{
			"data.candidateName": session.text("data.id"), "data.status": "IN_REVIEW", "data.externalId": nil,
			"data.extraTimePercent": 0.0, "data.metadata": object{}, "data.inviteUrl": nil, "data.rating": nil,
			"data.tags": nil, "data.stateId": nil, "data.note": nil, "data.score": nil,
		})
		for _, query := range []string{"q=Marie", "externalId=application-4711", "tag=night-owl", "minRating=3",
			"sort=rating", "state=new", "status=COMPLETED", "test=true",
			"candidateEmail=" + url.QueryEscape(session.text("data.candidateEmail"))} {
			if got := a.do("GET", "/v1/candidate-sessions?"+query, mine.owner, nil).want(200).list("data"); len(got) > 0 {
				t.Errorf("%s finds %v", query, got)
			}
		}
		ruling := object{"stageId": stage, "decision": "PASS", "reason": "Careful work"}
		wantSame(t, a.do("POST", at+"/rulings", blind.owner, ruling).want(404),
			a.do("POST", "/v1/candidate-sessions/"+a.unknownID("candidate-sessions")+"/rulings", blind.owner, ruling).want(404))
		a.do("POST", at+"/rulings", mine.owner, ruling).want(200).hides().
			wantFields(object{"data.status": "IN_PROGRESS", "data.inviteUrl": nil})
		sees(mine, 0)
		a.do("POST", at+"/rulings", mine.owner, ruling).want(404, "not_found")

		next := a.do("GET", "/v1/candidate/session", who, nil).want(200).text("data.currentStageId")
		a.do("POST", "/v1/candidate/session/stage/start", who, object{"stageId": next}).want(200)
		a.do("POST", "/v1/candidate/session/stage/submit", who, object{"stageId": a.answerStage(who, true)}).want(200)
		sees(mine, 1)
		open := a.do("GET", at+"/open-decision", mine.owner, nil).want(200)
		open.wantFields(object{"data.waitsFor": "GRADES", "data.rulings.0.decision": "PASS"})
		grade := at + "/grades/" + open.text("data.questionIds.0")
		question := a.do("GET", "/v1/assessments/"+id, mine.owner, nil).want(200)
		criterion := question.text("data.stages.1.questions.2.rubric.0.id")
		marks := object{"points": 3, "rubric": []any{object{"id": criterion, "points": 3}}, "version": 0}
		a.do("PUT", grade, blind.owner, marks).want(404, "not_found")
		a.do("PUT", grade, mine.owner, marks).want(200).hides().wantFields(object{"data.points": 3.0})
		sees(mine, 0)
		marks["version"], marks["reason"] = 1, "Second thoughts"
		a.do("PUT", grade, mine.owner, marks).want(404, "not_found") // the result is for those who see results
		a.do("GET", at+"/result", mine.owner, nil).want(403, "insufficient_role")
		a.do("GET", at, all.owner, nil).want(200).wantFields(object{"data.status": "COMPLETED"})
		entries := a.do("GET", "/v1/audit-log?action=GATE_RULED", all.owner, nil).want(200)
		entries.wantFields(object{"data.0.resource.id": session.text("data.id")})
	})
}
