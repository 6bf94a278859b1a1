package contract

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"assay/store"
)

// The list of events and a single event show the same deliveries. The catalogue of event
// types matches openapi.yaml.
func TestEventLog(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(twoStages())
		if got := a.do("GET", "/v1/events", o.owner, nil).want(200); len(got.list("data.0.deliveries")) != 0 {
			t.Errorf("an event without endpoints has deliveries: %s", got.body)
		}
		every := enumOf(t, "EventTypeInput")
		id, other := o.hookID(every...), o.hookID(every...)
		a.finish(o.invite(assessment, object{"candidateName": "<Ada> & \u2028 👩🏽‍🚀 \"L\"",
			"metadata": object{"a<b": "&amp;"}}).candidate(), true)
		a.finish(o.invite(assessment).candidate(), false)
		a.settleAll(id, store.DeliverySucceeded, took200)
		listed := a.do("GET", "/v1/events", o.owner, nil).want(200)

		for i := range listed.list("data") {
			at := fmt.Sprintf("data.%d", i)
			byID := a.do("GET", "/v1/events/"+listed.text(at+".id"), o.owner, nil).want(200)
			if fmt.Sprint(byID.at("data")) != fmt.Sprint(listed.at(at)) {
				t.Errorf("by id %v\nin the list %v", byID.at("data"), listed.at(at))
			}
			if i == len(listed.list("data"))-1 {
				continue // this event is older than the endpoints
			}
			statuses := map[string]string{}
			for j := range listed.list(at + ".deliveries") {
				one := fmt.Sprintf("%s.deliveries.%d.", at, j)
				statuses[listed.text(one+"webhookId")] = listed.text(one + "status")
			}
			if len(statuses) != 2 || statuses[id] != "SUCCEEDED" || statuses[other] != "PENDING" {
				t.Errorf("delivery statuses of %s: %v, want one SUCCEEDED and one PENDING", listed.text(at+".type"), statuses)
			}
		}

		catalogue := a.do("GET", "/v1/event-types", o.owner, nil).want(200)
		var types []string
		for i := range catalogue.list("data") {
			at := fmt.Sprintf("data.%d.", i)
			types = append(types, catalogue.text(at+"type"))
			if catalogue.text(at+"example.type") != catalogue.text(at+"type") || catalogue.text(at+"description") == "" {
				t.Errorf("the event type has a wrong example or no description: %v", catalogue.at(fmt.Sprintf("data.%d", i)))
			}
		}

		want := enumOf(t, "EventTypeInput")
		if !slices.Equal(types, want) || len(want) != 14 {
			t.Errorf("event types %v, want %v", types, want)
		}
	})
}

// The events of one session or assessment: what a dashboard shows on the page of a candidate.
func TestEventsOfAResource(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		assessment := o.publish(twoStages())
		var sessions []string
		for range 2 {
			invited := o.invite(assessment)
			sessions = append(sessions, invited.text("data.id"))
			a.finish(invited.candidate(), true)
		}
		about := func(who *tenant, query string) (types []string) {
			types, _ = a.pages("/v1/events?limit=2&"+query, who.owner, "type")
			return types
		}
		for _, id := range sessions {
			if got := about(o, "resourceId="+id); !slices.Equal(got, []string{
				"candidate.completed", "candidate.started", "candidate.invited",
			}) {
				t.Errorf("the events of a session are %v", got)
			}
			if got := about(o, "type=candidate.started&resourceId="+id); len(got) != 1 {
				t.Errorf("with a type, the events are %v", got)
			}
			a.clock.Advance(time.Minute)
			if got := about(o, "order=asc&resourceId="+id); len(got) != 3 || got[0] != "candidate.invited" {
				t.Errorf("the oldest first, the events are %v", got)
			}
			if got := about(other, "resourceId="+id); len(got) != 0 {
				t.Errorf("another organization sees %v", got)
			}
		}
		if got := about(o, "resourceId="+assessment); !slices.Equal(got, []string{"assessment.published"}) {
			t.Errorf("the events of the assessment are %v", got)
		}
		if got := about(o, "resourceId=ses_unknown"); len(got) != 0 {
			t.Errorf("an unknown id has the events %v", got)
		}
		a.do("GET", "/v1/events?resourceId=", o.owner, nil).blames("query resourceId too_short")
	})
}
