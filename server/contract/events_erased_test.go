package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/storetest"
)

// deliveriesOf returns the ids of the endpoints to which an event is delivered.
func deliveriesOf(event object) (endpoints []string) {
	for _, delivery := range event["deliveries"].([]any) {
		endpoints = append(endpoints, delivery.(object)["webhookId"].(string))
	}
	return endpoints
}

// Each erased session of a person has one event, after the session's other events, with ids only. Only the endpoints
// that name the type receive it. An erasure that is repeated, and that of a preview, sends nothing.
func TestErasedEvents(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, p := a.register(), newMarkedCandidate()
		endpoint := o.hookID("candidate.erased", "candidate.cancelled")
		older := o.hookID("candidate.invited", "candidate.cancelled")
		first, second := o.publish(essay()), o.publish(essay())
		sessions := []response{o.sessionIn(first, p, "COMPLETED"), o.sessionIn(second, p, "IN_PROGRESS")}
		for _, session := range sessions {
			a.erase(o.owner, session.text("data.id")).want(204)
			a.erase(o.owner, session.text("data.id")).want(204)
		}

		for i, session := range sessions {
			id, assessmentID := session.text("data.id"), session.text("data.assessmentId")
			events := o.eventsOf("", id)
			if erased := o.eventsOf("candidate.erased", id); len(erased) != 1 || erased[0]["id"] != events[0]["id"] {
				t.Fatalf("session %d: the events are %v, want one candidate.erased as the newest", i, events)
			}
			last := events[0]
			want := object{"sessionId": id, "assessmentId": assessmentID, "erasedAt": wire(a.store.Now())}
			if fmt.Sprint(last["data"]) != fmt.Sprint(want) || last["timestamp"] != want["erasedAt"] {
				t.Errorf("the event is %v, want the data %v", last, want)
			}
			if got := deliveriesOf(last); !slices.Equal(got, []string{endpoint}) {
				t.Errorf("candidate.erased is delivered to %v, want %s", got, endpoint)
			}
		}
		cancelled := o.eventsOf("candidate.cancelled", sessions[1].text("data.id"))
		if len(cancelled) != 1 || !slices.Contains(deliveriesOf(cancelled[0]), older) {
			t.Errorf("the events of the cancellation are %v, want one that %s receives", cancelled, older)
		}

		preview := a.do("POST", "/v1/assessments/"+first+"/preview", o.owner, nil).want(201).text("data.id")
		a.erase(o.owner, preview).want(204)
		if events := o.eventsOf("", preview); len(events) != 0 {
			t.Errorf("the preview has the events %v", events)
		}
		if found := storetest.Search(t, a.database, p.words()...); len(found.Texts) > 0 {
			t.Errorf("the database still contains %v", found.Texts)
		}
	})
}

// The event is stored with the erasure or not at all, and the other way round.
func TestErasedEventsAreAtomic(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, p := a.register(), newMarkedCandidate()
		o.hook("candidate.erased")
		id := o.sessionIn(o.publish(essay()), p, "COMPLETED").text("data.id")
		for _, table := range []string{"events", "webhook_queue", "audit_log"} {
			accept := storetest.Refuse(t, a.database, table)
			a.erase(o.owner, id).want(500)
			accept()
			session := a.do("GET", "/v1/candidate-sessions/"+id, o.owner, nil).want(200)
			session.wantFields(object{"data.erasedAt": nil, "data.candidateEmail": p.address()})
			if events := o.eventsOf("candidate.erased", id); len(events) != 0 {
				t.Errorf("without %s: the events are %v, want none", table, events)
			}
		}
		a.erase(o.owner, id).want(204)
		if events := o.eventsOf("candidate.erased", id); len(events) != 1 || len(deliveriesOf(events[0])) != 1 {
			t.Errorf("the events are %v, want one with a delivery", events)
		}
	})
}

// Archiving is an event, once, for the endpoints that name it.
func TestArchivedEvents(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		endpoint, _ := o.hookID("assessment.archived"), o.hookID("assessment.published")
		id := o.publish(oneQuestion(object{"title": "Line cook"}))
		accept := storetest.Refuse(t, a.database, "events")
		a.do("POST", "/v1/assessments/"+id+"/archive", o.owner, nil).want(500)
		accept()
		a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).wantFields(object{"data.status": "PUBLISHED"})
		for range 2 {
			a.do("POST", "/v1/assessments/"+id+"/archive", o.owner, nil).want(200)
		}
		list := a.do("GET", "/v1/events?type=assessment.archived&resourceId="+id, o.owner, nil).want(200)
		if list.items() != 1 {
			t.Fatalf("there are %d events, want 1: %s", list.items(), list.body)
		}
		list.wantFields(object{"data.0.data": object{"assessmentId": id, "title": "Line cook", "status": "ARCHIVED",
			"archivedAt": wire(a.store.Now())}})
		if got := deliveriesOf(list.list("data")[0].(object)); !slices.Equal(got, []string{endpoint}) {
			t.Errorf("assessment.archived is delivered to %v, want %s", got, endpoint)
		}
	})
}

// An endpoint of version 1.0 that names every type it knew receives no new type, also when all types are replayed.
func TestNewEventTypesNeedASubscription(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		endpoint := o.hookID("candidate.invited", "candidate.started", "candidate.completed", "candidate.disqualified",
			"candidate.expired", "candidate.cancelled", "assessment.published")
		id := o.publish(essay())
		session := o.sessionIn(id, newMarkedCandidate(), "COMPLETED").text("data.id")
		a.erase(o.owner, session).want(204)
		a.do("POST", "/v1/assessments/"+id+"/archive", o.owner, nil).want(200)
		a.do("POST", "/v1/webhooks/"+endpoint+"/replay", o.owner, object{"since": "2020-01-01T00:00:00Z",
			"until": "2100-01-01T00:00:00Z"}).want(200)
		for _, kind := range []string{"candidate.erased", "assessment.archived"} {
			if events := o.events(kind, 10); len(events) != 1 || len(deliveriesOf(events[0])) != 0 {
				t.Errorf("the events of type %s are %v, want one without a delivery", kind, events)
			}
		}
		deliveries := a.do("GET", "/v1/webhooks/"+endpoint+"/deliveries", o.owner, nil).want(200)
		if deliveries.items() == 0 || strings.Contains(string(deliveries.body), "erased") {
			t.Errorf("the deliveries are %s", deliveries.body)
		}
	})
}
