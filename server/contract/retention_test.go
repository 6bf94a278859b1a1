package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const longMonth = 31 * 24 * time.Hour

// later returns after some time, with a new sign-in.
func (o *tenant) later(d time.Duration) {
	o.api.t.Helper()
	o.api.clock.Advance(d)
	o.owner = bearer(o.api.login(o.email).access)
}

// eraseRetained runs the job that erases what is no longer kept.
func (a *api) eraseRetained() {
	a.t.Helper()
	if _, err := a.store.UnscopedEraseRetained(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// The retention of the organization applies to each assessment without its own. A change waits for 24 hours, and a
// repetition is no change.
func TestRetention(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		admin := o.member("ADMIN").who
		assessmentID := o.publish(oneQuestion())
		own := "/v1/assessments/" + assessmentID + "/retention"
		unlimited := object{"data.months": nil, "data.notStartedMonths": nil, "data.states": []any{},
			"data.inherited": false, "data.appliesFrom": nil, "data.updatedAt": nil}
		a.do("GET", "/v1/retention", admin, nil).want(200).wantFields(unlimited)
		unlimited["data.inherited"] = true
		a.do("GET", own, admin, nil).want(200).wantFields(unlimited)

		body := object{"months": 12, "notStartedMonths": 1, "states": []any{
			object{"stateId": "hired", "months": 12}, object{"stateId": "rejected", "months": 6},
		}}
		at := a.store.Now()
		replaced := a.do("PUT", "/v1/retention", o.owner, body).want(200)
		replaced.wantFields(object{
			"data.months": 12, "data.notStartedMonths": 1, "data.inherited": false,
			"data.states":      []any{object{"stateId": "rejected", "months": 6}, object{"stateId": "hired", "months": 12}},
			"data.appliesFrom": wire(at.Add(24 * time.Hour)), "data.updatedAt": wire(at),
		})
		a.clock.Advance(time.Minute)
		for _, again := range []response{
			a.do("PUT", "/v1/retention", o.owner, body), a.do("GET", "/v1/retention", o.owner, nil),
		} {
			again.want(200).wantFields(object{"data": replaced.at("data")})
		}
		inherited := a.do("GET", own, admin, nil).want(200)
		inherited.wantFields(object{"data.months": 12, "data.inherited": true, "data.appliesFrom": wire(at.Add(24 * time.Hour))})
		a.getUnless(inherited.header.Get("ETag"), own, admin).want(304)

		at = a.store.Now()
		a.do("PUT", own, o.owner, object{"months": nil}).want(200).wantFields(object{
			"data.months": nil, "data.states": []any{}, "data.inherited": false, "data.appliesFrom": nil,
			"data.updatedAt": wire(at),
		})
		a.do("DELETE", own, o.owner, nil).want(204)
		a.do("DELETE", own, o.owner, nil).want(204)
		a.do("GET", own, admin, nil).want(200).wantFields(object{
			"data.months": 12, "data.inherited": true, "data.appliesFrom": wire(at.Add(24 * time.Hour)),
		})

		unknown := "/v1/assessments/" + a.unknownID("assessments") + "/retention"
		a.do("GET", unknown, o.owner, nil).want(404, "not_found")
		a.do("PUT", unknown, o.owner, body).want(404, "not_found")
		a.do("DELETE", unknown, o.owner, nil).want(404, "not_found")
		a.do("POST", "/v1/retention/preview", o.owner, object{"months": 1, "assessmentId": a.unknownID("assessments")}).
			want(404, "not_found")
		for _, role := range []string{"ADMIN", "EDITOR", "MEMBER"} {
			who := o.member(role).who
			a.do("PUT", "/v1/retention", who, body).want(403, "insufficient_role")
			a.do("PUT", own, who, body).want(403, "insufficient_role")
			a.do("DELETE", own, who, nil).want(403, "insufficient_role")
			if role != "ADMIN" {
				a.do("GET", "/v1/retention", who, nil).want(403, "insufficient_role")
				a.do("GET", own, who, nil).want(403, "insufficient_role")
				a.do("POST", "/v1/retention/preview", who, body).want(403, "insufficient_role")
			}
		}
	})
}

// A retention that contradicts itself, or names a state that it cannot, is rejected at each of its operations.
func TestRetentionRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		own := "/v1/assessments/" + o.publish(oneQuestion()) + "/retention"
		state := func(id string, months int) object { return object{"stateId": id, "months": months} }
		for fault, body := range map[string]object{
			"/months required":                {},
			"/months too_small":               {"months": 0},
			"/months too_large":               {"months": 241},
			"/notStartedMonths too_large":     {"months": 3, "notStartedMonths": 4},
			"/states/0/months too_large":      {"months": 3, "states": []any{state("rejected", 4)}},
			"/states/0/stateId unknown_id":    {"months": 3, "states": []any{state("nowhere", 1)}},
			"/states/0/stateId invalid_value": {"months": 3, "states": []any{state("new", 1)}},
			"/states/1/stateId duplicate":     {"months": 3, "states": []any{state("hired", 1), state("hired", 2)}},
			"/states/0/other unknown_field":   {"months": 3, "states": []any{object{"stateId": "hired", "months": 1, "other": 1}}},
			"/appliesFrom unknown_field":      {"months": 3, "appliesFrom": "2020-01-01T00:00:00Z"},
			"/notStartedMonths too_small":     {"months": 3, "notStartedMonths": 0},
			"/states too_many_items":          {"months": 3, "states": make51()},
		} {
			for _, operation := range []string{"PUT /v1/retention", "PUT " + own, "POST /v1/retention/preview"} {
				method, path, _ := strings.Cut(operation, " ")
				answer := a.do(method, path, o.owner, body)
				answer.name += " " + fault
				answer.blames("body " + fault)
			}
		}
		a.do("GET", "/v1/retention", o.owner, nil).want(200).wantFields(object{"data.updatedAt": nil})
		a.do("PUT", "/v1/retention", o.owner, object{"months": nil, "notStartedMonths": 200, "states": []any{state("hired", 240)}}).
			want(200)
	})
}

func make51() []any {
	states := make([]any, 51)
	for i := range states {
		states[i] = object{"stateId": fmt.Sprint("state", i), "months": 1}
	}
	return states
}

// What is past its time is erased as by a person: with an event, and an entry whose actor is the retention. A legal hold
// stops it until it is released.
func TestRetentionErases(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.hook()
		assessmentID := o.publish(oneQuestion())
		completed, waiting, cancelled := o.invite(assessmentID), o.invite(assessmentID), o.invite(assessmentID)
		a.complete(completed.candidate())
		id := completed.text("data.id")
		a.do("POST", "/v1/candidate-sessions/"+cancelled.text("data.id")+"/cancel", o.owner, nil).want(200)
		a.do("POST", "/v1/retention/preview", o.owner, object{"months": 3, "assessmentId": assessmentID}).want(200).wantFields(object{
			"data.now": 0, "data.soon": 0, "data.held": 0, "data.oldestEndedAt": nil, "data.limited": false,
		})
		ended := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200).at("data.completedAt")

		a.do("GET", "/v1/candidate/session", completed.candidate(), nil).want(200).
			wantFields(object{"data.organization.retentionMonths": nil})
		a.do("PUT", "/v1/retention", o.owner, object{"months": 2, "notStartedMonths": 1}).want(200)
		a.do("GET", "/v1/candidate/session", completed.candidate(), nil).want(200).
			wantFields(object{"data.organization.retentionMonths": 2})
		hold := a.do("POST", "/v1/legal-holds", o.owner, object{"sessionId": id, "reason": "Claim 14-220"}).want(201)

		o.later(longMonth + 25*time.Hour)
		a.sweep() // one has expired
		a.do("POST", "/v1/retention/preview", o.owner, object{"months": 2, "notStartedMonths": 1}).want(200).wantFields(object{
			"data.now": 1, "data.soon": 1, "data.held": 1, "data.oldestEndedAt": ended, "data.limited": false,
		})
		a.eraseRetained()
		a.isErased(o, cancelled.text("data.id"), true)
		a.isErased(o, waiting.text("data.id"), false)
		o.later(longMonth + 24*time.Hour)
		a.eraseRetained()
		a.isErased(o, waiting.text("data.id"), true)
		a.isErased(o, id, false)

		a.do("DELETE", "/v1/legal-holds/"+hold.text("data.id"), o.owner, nil).want(204)
		a.eraseRetained()
		a.isErased(o, id, true)
		if events := o.eventsOf("candidate.erased", id); len(events) != 1 {
			t.Errorf("%d events of the erasure", len(events))
		}
		a.do("GET", "/v1/audit-log?action=CANDIDATE_DATA_ERASED&resourceId="+id, o.owner, nil).want(200).wantFields(object{
			"data.0.actor.type": "RETENTION", "data.0.actor.id": nil, "data.0.actor.name": nil, "data.0.ip": nil,
		})
		a.do("GET", "/v1/candidate-sessions/"+id+"/timeline", o.owner, nil).want(200)
		a.do("GET", "/v1/audit-log/export", o.owner, nil).want(200)
	})
}

func (a *api) isErased(o *tenant, sessionID string, want bool) {
	a.t.Helper()
	session := a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200)
	if erased := session.at("data.erasedAt") != nil; erased != want {
		a.t.Errorf("%s is erased: %v, want %v", session.text("data.status"), erased, want)
	}
}

// An assessment with a retention of its own does not follow that of the organization, also if it has no limit. After it
// is removed, the assessment waits for a day.
func TestRetentionOfAnAssessment(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		own, other := o.publish(oneQuestion()), o.publish(oneQuestion())
		ownSession, otherSession := o.invite(own), o.invite(other)
		a.complete(ownSession.candidate())
		a.complete(otherSession.candidate())
		a.do("PUT", "/v1/retention", o.owner, object{"months": 1}).want(200)
		a.do("PUT", "/v1/assessments/"+own+"/retention", o.owner, object{"months": 200}).want(200)
		a.do("GET", "/v1/candidate/session", ownSession.candidate(), nil).want(200).
			wantFields(object{"data.organization.retentionMonths": 200})
		o.later(2 * longMonth)
		preview := object{"months": 1}
		a.do("POST", "/v1/retention/preview", o.owner, preview).want(200).wantFields(object{"data.now": 1})
		preview["assessmentId"] = own
		a.do("POST", "/v1/retention/preview", o.owner, preview).want(200).wantFields(object{"data.now": 1})
		a.eraseRetained()
		a.isErased(o, otherSession.text("data.id"), true)
		a.do("DELETE", "/v1/assessments/"+own+"/retention", o.owner, nil).want(204)
		o.later(23 * time.Hour)
		a.eraseRetained()
		a.isErased(o, ownSession.text("data.id"), false)
		o.later(2 * time.Hour)
		a.eraseRetained()
		a.isErased(o, ownSession.text("data.id"), true)
	})
}

// Months of a state are counted from the change to it, and a removed state takes its months with it.
func TestRetentionOfAState(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		session := o.invite(assessmentID)
		id := session.text("data.id")
		a.complete(session.candidate())
		a.do("PUT", "/v1/retention", o.owner, object{"months": nil, "states": []any{
			object{"stateId": "rejected", "months": 1}, object{"stateId": "hired", "months": 1},
		}}).want(200)
		o.later(2 * longMonth)
		a.do("PUT", "/v1/candidate-sessions/"+id+"/review/state", o.owner, object{"stateId": "rejected"}).want(200)
		a.eraseRetained()
		a.isErased(o, id, false)
		o.later(20 * 24 * time.Hour)
		a.do("POST", "/v1/retention/preview", o.owner,
			object{"months": nil, "states": []any{object{"stateId": "rejected", "months": 1}}}).want(200).
			wantFields(object{"data.now": 0, "data.soon": 1})
		a.eraseRetained()
		a.isErased(o, id, false)
		o.later(12 * 24 * time.Hour)
		a.eraseRetained()
		a.isErased(o, id, true)

		a.do("PUT", "/v1/review-states", o.owner, object{"version": 0, "states": []any{
			object{"id": "new", "name": "New"}, object{"id": "rejected", "name": "Rejected"},
		}}).want(200)
		a.do("GET", "/v1/retention", o.owner, nil).want(200).
			wantFields(object{"data.states": []any{object{"stateId": "rejected", "months": 1}}})
	})
}
