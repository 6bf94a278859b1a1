package contract

import (
	"strings"
	"testing"
)

// Each change of a state by a person or a key is an event for the endpoints that name it. A request that changes
// nothing, and a preview, send nothing. The event has neither the reason nor a name of the team.
func TestStateChangedEvents(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		endpoint, _ := o.hookID("candidate.state_changed"), o.hookID("candidate.invited")
		path, sessionID := o.reviewOf(assessmentID)
		key, reading := o.key("reviews:write"), o.key("reviews:read")
		put := func(who credential, path string, body object) response { return a.do("PUT", path+"/state", who, body) }
		public := strings.Replace(path, "/v1/", "/v1/public/", 1)
		put(o.owner, path, object{"stateId": "shortlisted", "reason": "Marvellous"}).want(200)
		put(o.owner, path, object{"stateId": "shortlisted"}).want(200)
		put(o.owner, path, object{"stateId": "hired", "from": "new"}).want(412, "state_changed")
		put(key, public, object{"stateId": "rejected"}).want(200)

		list := a.do("GET", "/v1/events?type=candidate.state_changed&resourceId="+sessionID, o.owner, nil).want(200)
		review := a.do("GET", public, reading, nil).want(200)
		if list.items() != 2 {
			t.Fatalf("there are %d events, want 2: %s", list.items(), list.body)
		}
		list.wantFields(object{
			"data.0.type": "candidate.state_changed", "data.0.data.sessionId": sessionID,
			"data.0.data.assessmentId": assessmentID, "data.0.data.status": "INVITED",
			"data.0.data.changeId":  review.text("data.changes.0.id"),
			"data.0.data.from":      object{"id": "shortlisted", "name": "Shortlisted"},
			"data.0.data.to":        object{"id": "rejected", "name": "Rejected"},
			"data.0.data.changedBy": object{"type": "API_KEY", "id": review.text("data.changes.0.createdBy.id")},
			"data.1.data.changeId":  review.text("data.changes.1.id"),
			"data.1.data.from":      object{"id": "new", "name": "New"},
			"data.1.data.to":        object{"id": "shortlisted", "name": "Shortlisted"},
			"data.1.data.changedBy": object{"type": "USER", "id": a.userID(o.owner)},
		})
		for i, event := range list.list("data") {
			deliveries := event.(object)["deliveries"].([]any)
			if len(deliveries) != 1 || deliveries[0].(object)["webhookId"] != endpoint {
				t.Errorf("event %d has the deliveries %v, want one to %s", i, deliveries, endpoint)
			}
		}
		if strings.Contains(string(list.body), "Marvellous") {
			t.Errorf("the events have the reason: %s", list.body)
		}

		preview := a.do("POST", "/v1/assessments/"+assessmentID+"/preview", o.owner, nil).want(201).text("data.id")
		put(o.owner, "/v1/candidate-sessions/"+preview+"/review", object{"stateId": "hired"}).want(200)
		if events := o.eventsOf("candidate.state_changed", preview); len(events) != 0 {
			t.Errorf("the preview has the events %v", events)
		}
	})
}

// An erasure removes the candidate from the events of states, and the states stay.
func TestStateChangedEventsErasure(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, p := a.register(), newMarkedCandidate()
		invite := o.sessionIn(o.publish(essay()), p, "COMPLETED")
		path := "/v1/candidate-sessions/" + invite.text("data.id")
		a.do("PUT", path+"/review/state", o.owner, object{"stateId": "hired"}).want(200)
		before := o.eventsOf("candidate.state_changed", invite.text("data.id"))
		if len(before) != 1 || before[0]["data"].(object)["candidateEmail"] != p.address() {
			t.Fatalf("the events are %v", before)
		}
		a.erase(o.owner, invite.text("data.id")).want(204)
		erased := a.do("GET", "/v1/events/"+before[0]["id"].(string), o.owner, nil).want(200).wantFields(object{
			"data.data.candidateName": "erased", "data.data.externalId": nil, "data.data.metadata": object{},
			"data.data.changeId": before[0]["data"].(object)["changeId"],
			"data.data.to":       object{"id": "hired", "name": "Hired"},
		})
		for _, word := range p.words() {
			if strings.Contains(string(erased.body), word) {
				t.Errorf("%q remains: %s", word, erased.body)
			}
		}
	})
}
