package contract

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"assay/store"
)

// since is inclusive and until is exclusive, to the millisecond.
func TestEventsUntil(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		var all []object // newest first
		for range 4 {
			o.publish(oneQuestion())
			a.clock.Advance(time.Millisecond)
		}
		all = o.events("", 20)
		for _, event := range all {
			at := event["timestamp"].(string)
			for filter, matches := range map[string]func(string) bool{
				"since=" + at:                           func(other string) bool { return other >= at },
				"until=" + at:                           func(other string) bool { return other < at },
				"type=assessment.published&until=" + at: func(other string) bool { return other < at },
				"since=" + at + "&until=" + at:          func(string) bool { return false },
			} {
				var want []string
				for _, other := range all {
					if matches(other["timestamp"].(string)) {
						want = append(want, other["id"].(string))
					}
				}
				if got, _ := a.pages("/v1/events?limit=1&"+filter, o.owner, "id"); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", filter, got, want)
				}
			}
		}
		a.do("GET", "/v1/events?until=x", o.owner, nil).want(400, "invalid_request")
		a.do("GET", "/v1/events?order=up", o.owner, nil).want(400, "invalid_request")
	})
}

// A consumer that reads oldest first and continues after the last event sees every event
// once. The newest eleven seconds are not listed yet, because an event that is committed
// late could still appear among them.
func TestEventsOldestFirst(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		var seen []string
		after := ""
		follow := func() {
			t.Helper()
			path := "/v1/events?order=asc&limit=2"
			if after != "" {
				path += "&after=" + after
			}
			ids, _ := a.pages(path, o.owner, "id")
			if len(ids) > 0 {
				after = ids[len(ids)-1]
			}
			seen = append(seen, ids...)
		}
		for i := range 7 {
			o.publish(oneQuestion())
			follow()
			if i < 2 && len(seen) > 0 {
				t.Errorf("an event is listed %d s after it was made", 4*i)
			}
			a.clock.Advance(4 * time.Second)
		}
		a.clock.Advance(11 * time.Second)
		follow()
		newest, _ := a.pages("/v1/events", o.owner, "id")
		slices.Reverse(newest)
		if !slices.Equal(seen, newest) || len(seen) != 7 {
			t.Errorf("the consumer saw %v, want %v", seen, newest)
		}
	})
}

// A consumer that reads oldest first cannot continue from an event that is older than those that are kept, because it
// could miss some. Newest first, such an event is the end of the list.
func TestEventCursorExpires(t *testing.T) {
	const kept = 30 * 24 * time.Hour
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		o.publish(oneQuestion())
		first := o.events("", 1)[0]["id"].(string)
		a.clock.Advance(kept)
		o.signIn()
		a.do("GET", "/v1/events?order=asc&after="+first, o.owner, nil).want(200)
		a.clock.Advance(time.Millisecond)
		a.do("GET", "/v1/events?order=asc&after="+first, o.owner, nil).want(400, "cursor_expired")
		a.do("GET", "/v1/events?after="+first, o.owner, nil).want(200)
		a.do("GET", "/v1/events?order=asc", o.owner, nil).want(200)
	}, func(opts *store.Options) { opts.EventRetention = kept })
}

// The start, the expiry, and the cancellation of a session are events. An endpoint gets
// them only if it names them, and an erasure removes the candidate's data from them.
func TestEventsOfStatusChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		named, other := o.hookID("candidate.started", "candidate.expired", "candidate.cancelled"), o.hookID()
		assessment := o.publish(oneQuestion(object{"timeLimitMinutes": 30}))
		common := func(session response, status string) object {
			return object{
				"sessionId": session.text("data.id"), "assessmentId": assessment, "candidateName": "Grace Hopper",
				"candidateEmail": session.text("data.candidateEmail"), "externalId": "application-1",
				"metadata": object{"source": "careers"}, "status": status,
			}
		}
		check := func(kind string, session response, status string, extra object) {
			t.Helper()
			events := o.eventsOf(kind, session.text("data.id"))
			if len(events) != 1 {
				t.Fatalf("%d events %s, want 1", len(events), kind)
			}
			want := common(session, status)
			for name, value := range extra {
				want[name] = value
			}
			if fmt.Sprint(events[0]["data"]) != fmt.Sprint(asJSON(t, want)) {
				t.Errorf("%s: %v\nwant %v", kind, events[0]["data"], want)
			}
			deliveries := events[0]["deliveries"].([]any)
			if len(deliveries) != 1 || deliveries[0].(object)["webhookId"] != named {
				t.Errorf("%s is delivered %v, want only to %s and not to %s", kind, deliveries, named, other)
			}
		}
		labels := object{"externalId": "application-1", "metadata": object{"source": "careers"}}

		started := o.invite(assessment, labels)
		for range 2 { // the second start changes nothing
			a.do("POST", "/v1/candidate/session/start", started.candidate(), nil).want(200)
		}
		check("candidate.started", started, "IN_PROGRESS", object{
			"startedAt": wire(a.clock.Now()), "deadlineAt": wire(a.clock.Now().Add(30 * time.Minute)),
		})

		cancelled := o.invite(assessment, labels)
		cancel := "/v1/candidate-sessions/" + cancelled.text("data.id") + "/cancel"
		a.do("POST", cancel, o.owner, nil).want(200)
		a.do("POST", cancel, o.owner, nil).want(409)
		check("candidate.cancelled", cancelled, "CANCELLED", object{"cancelledAt": wire(a.clock.Now())})

		expires := a.clock.Now().Add(time.Minute)
		expired := o.invite(assessment, labels, object{"expiresAt": wire(expires)})
		a.clock.Advance(2 * time.Minute)
		a.sweep()
		a.sweep()
		check("candidate.expired", expired, "EXPIRED", object{"expiresAt": wire(expires)})

		for _, session := range []response{started, cancelled, expired} {
			id := session.text("data.id")
			a.do("DELETE", "/v1/candidate-sessions/"+id+"/candidate-data", o.owner, nil).want(204)
			for _, event := range o.eventsOf("", id) {
				data := event["data"].(object)
				if event["type"] == "candidate.erased" {
					continue // see TestErasedEvents
				}
				if data["candidateName"] != "erased" || data["externalId"] != nil || len(data["metadata"].(object)) != 0 {
					t.Errorf("after the erasure, %s contains %v", event["type"], data)
				}
			}
		}
		if got := o.eventsOf("candidate.cancelled", started.text("data.id")); len(got) != 1 {
			t.Errorf("an erasure that cancelled a session emitted %d events, want 1", len(got))
		}
	})
}
