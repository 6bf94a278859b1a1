package contract

import (
	"testing"
	"time"

	"assay/store/storetest"
)

// For a REVIEWER, only the assigned assessments exist, and of their sessions only those that wait for a person.
func TestReviewerSeesNothingElse(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		hidden := a.estate()
		all := a.estateOf(hidden.cast)
		mine := all.limitedAs("REVIEWER", all.of("assessments")...)
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

// A REVIEWER always has assessments. A change of the role keeps them while the role can have some, so that a MEMBER
// who was a REVIEWER does not see everything by accident.
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
