package contract

import (
	"fmt"
	"slices"
	"testing"

	"assay/store"
)

func (o *tenant) hold(body object) response {
	o.api.t.Helper()
	if body["reason"] == nil {
		body["reason"] = "Claim 14-220"
	}
	return o.api.do("POST", "/v1/legal-holds", o.owner, body)
}

// A hold is listed with what it protects, until it is released. A released hold is no longer found.
func TestLegalHolds(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		session, other := o.invite(first).text("data.id"), o.invite(second).text("data.id")
		ofSession := o.hold(object{"sessionId": session, "reason": "Claim\n14-220"}).want(201)
		ofSession.wantFields(object{
			"data.assessmentId": first, "data.sessionId": session, "data.candidateName": "Grace Hopper",
			"data.reason": "Claim\n14-220", "data.createdBy.id": a.userID(o.owner),
		})
		ofAssessment := o.hold(object{"assessmentId": first, "sessionId": nil}).want(201)
		ofAssessment.wantFields(object{"data.assessmentId": first, "data.sessionId": nil, "data.candidateName": nil})
		ofOther := o.hold(object{"sessionId": other}).want(201)
		a.do("GET", ofSession.header.Get("Location"), o.owner, nil).want(200).wantFields(object{"data": ofSession.at("data")})

		ids := func(holds ...response) (ids []string) {
			for _, hold := range holds {
				ids = append(ids, hold.text("data.id"))
			}
			return ids
		}
		for query, want := range map[string][]string{
			"":                             ids(ofOther, ofAssessment, ofSession),
			"&assessmentId=" + first:       ids(ofAssessment, ofSession),
			"&sessionId=" + session:        ids(ofAssessment, ofSession),
			"&sessionId=" + other:          ids(ofOther),
			"&assessmentId=" + first + "x": nil,
			"&sessionId=" + session + "x":  nil,
			"&sessionId=" + other + "&assessmentId=" + first: nil,
		} {
			if got, _ := a.pages("/v1/legal-holds?limit=2"+query, o.owner, "id"); !slices.Equal(got, want) {
				t.Errorf("the holds with %q are %v, want %v", query, got, want)
			}
		}

		a.erase(o.owner, session).want(409, "legal_hold")
		path := "/v1/legal-holds/" + ofAssessment.text("data.id")
		a.do("DELETE", path, o.member("ADMIN").who, nil).want(204)
		a.do("DELETE", path, o.owner, nil).want(204)
		a.do("GET", path, o.owner, nil).want(404, "not_found")
		a.erase(o.owner, session).want(409, "legal_hold")
		a.do("DELETE", "/v1/legal-holds/"+ofSession.text("data.id"), o.owner, nil).want(204)
		a.erase(o.owner, session).want(204)
		o.hold(object{"sessionId": session}).want(409, "session_erased")
		if got, _ := a.pages("/v1/legal-holds", o.owner, "id"); !slices.Equal(got, ids(ofOther)) {
			t.Errorf("the remaining holds are %v", got)
		}
	})
}

// A hold protects exactly one existing thing, and only people with rights set it.
func TestLegalHoldsRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		session := o.invite(assessmentID).text("data.id")
		o.hold(object{}).blames("body /assessmentId required")
		o.hold(object{"assessmentId": nil, "sessionId": nil}).blames("body /assessmentId required")
		o.hold(object{"assessmentId": assessmentID, "sessionId": session}).blames("body /sessionId invalid_value")
		o.hold(object{"sessionId": session, "reason": " \n"}).blames("body /reason invalid_format")
		o.hold(object{"assessmentId": a.unknownID("assessments")}).want(404, "not_found")
		o.hold(object{"sessionId": a.unknownID("candidate-sessions")}).want(404, "not_found")
		o.hold(object{"sessionId": assessmentID}).want(404, "not_found")
		preview := a.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201)
		o.hold(object{"sessionId": preview.text("data.id")}).want(404, "not_found")
		for _, role := range []string{"EDITOR", "MEMBER"} {
			who := o.member(role).who
			body := object{"assessmentId": assessmentID, "reason": "R"}
			a.do("POST", "/v1/legal-holds", who, body).want(403, "insufficient_role")
			a.do("GET", "/v1/legal-holds", who, nil).want(403, "insufficient_role")
		}
		if holds := a.do("GET", "/v1/legal-holds", o.owner, nil).want(200).list("data"); len(holds) > 0 {
			t.Errorf("there are %d holds", len(holds))
		}
	})
}

// An organization has at most 1,000 holds, also if requests arrive at the same time.
func TestLegalHoldsLimit(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		first := o.hold(object{"assessmentId": assessmentID}).want(201)
		scope := store.Scope{OrganizationID: o.organizationID, UserID: a.userID(o.owner), Role: store.Owner}
		for i := range 998 {
			if _, err := a.store.CreateLegalHold(t.Context(), scope,
				store.NewLegalHold{AssessmentID: &assessmentID, Reason: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
		}
		answers := make(chan response, 2)
		for range 2 {
			go func() { answers <- o.hold(object{"assessmentId": assessmentID}) }()
		}
		one, two := <-answers, <-answers
		if one.status+two.status != 201+409 {
			t.Errorf("two requests for the last hold get %d and %d", one.status, two.status)
		}
		o.hold(object{"assessmentId": assessmentID}).want(409, "too_many_legal_holds")
		a.do("DELETE", "/v1/legal-holds/"+first.text("data.id"), o.owner, nil).want(204)
		o.hold(object{"assessmentId": assessmentID}).want(201)
	})
}

// A draft with a hold can be deleted, because it has no candidates, and its hold goes with it.
func TestLegalHoldOnADraft(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		hold := o.hold(object{"assessmentId": draft}).want(201)
		a.do("PUT", "/v1/assessments/"+draft+"/retention", o.owner,
			object{"months": 3, "states": []any{object{"stateId": "hired", "months": 1}}}).want(200)
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		a.do("GET", "/v1/legal-holds/"+hold.text("data.id"), o.owner, nil).want(404, "not_found")
	})
}
