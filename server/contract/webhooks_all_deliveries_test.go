package contract

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
)

// GET /v1/deliveries lists the deliveries to all endpoints, and each filter, alone and
// combined, selects exactly the matching ones on all pages.
func TestDeliveriesOfAllEndpoints(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		stranger.hookID()
		stranger.publish(oneQuestion())
		first, second := o.hookID(), o.hookID()
		assessment := o.publish(twoStages())
		a.settleAll(first, store.DeliverySucceeded, took200)
		a.settleAll(second, store.DeliveryFailed, took503)
		a.clock.Advance(time.Minute)
		o.invite(assessment)
		a.settleAll(first, store.DeliveryFailed, took503)
		a.clock.Advance(time.Minute)
		o.invite(assessment)
		a.do("PATCH", "/v1/webhooks/"+second, o.owner, object{"enabled": false}).want(200) // this cancels two deliveries
		a.clock.Advance(time.Minute)
		o.invite(assessment)
		a.do("DELETE", "/v1/webhooks/"+second, o.owner, nil).want(204)

		var all []object
		for _, delivery := range a.do("GET", "/v1/deliveries?limit=100", o.owner, nil).want(200).list("data") {
			all = append(all, delivery.(object))
		}
		if len(all) != 7 {
			t.Fatalf("%d deliveries, want 7", len(all))
		}
		check := func(query url.Values, matches func(object) bool) {
			t.Helper()
			var want []string
			for _, delivery := range all {
				if matches(delivery) {
					want = append(want, delivery["id"].(string))
				}
			}
			for _, limit := range []string{"1", "2", "100"} {
				query.Set("limit", limit)
				if got, _ := a.pages("/v1/deliveries?"+query.Encode(), o.owner, "id"); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", query.Encode(), got, want)
				}
			}
		}
		field := func(name, value string) func(object) bool {
			return func(delivery object) bool { return delivery[name] == value }
		}
		check(url.Values{}, func(object) bool { return true })
		for _, status := range enumOf(t, "DeliveryStatusInput") {
			check(url.Values{"status": {status}}, field("status", status))
			for _, eventType := range enumOf(t, "EventTypeInput") {
				check(url.Values{"status": {status}, "eventType": {eventType}}, func(delivery object) bool {
					return delivery["status"] == status && delivery["eventType"] == eventType
				})
			}
		}
		for _, eventType := range enumOf(t, "EventTypeInput") {
			check(url.Values{"eventType": {eventType}}, field("eventType", eventType))
		}
		for _, delivery := range all {
			webhook, event, at := delivery["webhookId"].(string), delivery["eventId"].(string), delivery["createdAt"].(string)
			status := delivery["status"].(string)
			check(url.Values{"webhookId": {webhook}}, field("webhookId", webhook))
			check(url.Values{"eventId": {event}}, field("eventId", event))
			check(url.Values{"since": {at}}, func(other object) bool { return other["createdAt"].(string) >= at })
			check(url.Values{"until": {at}}, func(other object) bool { return other["createdAt"].(string) < at })
			check(url.Values{"webhookId": {webhook}, "status": {status}, "eventId": {event}, "since": {at}},
				func(other object) bool {
					return other["webhookId"] == webhook && other["status"] == status && other["eventId"] == event &&
						other["createdAt"].(string) >= at
				})
		}
		check(url.Values{"webhookId": {a.store.NewID("whk")}}, func(object) bool { return false })
		for _, wrong := range []string{"status=DONE", "eventType=ping", "since=x", "until=x", "webhookId=", "limit=101"} {
			a.do("GET", "/v1/deliveries?"+wrong, o.owner, nil).want(400, "invalid_request")
		}
	})
}

// If no index has all filters, a page examines a limited number of deliveries. It can be
// short or empty, and its Link leads to the others.
func TestShortPagesOfDeliveries(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		rare, common := o.hookID("assessment.published"), o.hookID("assessment.published")
		o.publish(oneQuestion())
		a.settleAll(rare, store.DeliverySucceeded, took200)
		a.clock.Advance(time.Second)
		o.publish(oneQuestion())
		a.settleAll(common, store.DeliverySucceeded, took200)
		newest := a.do("GET", "/v1/webhooks/"+common+"/deliveries?limit=1", o.owner, nil).want(200).text("data.0.id")
		storetest.CopyDelivery(t, a.database, newest, 5_100)

		path := "/v1/deliveries?status=SUCCEEDED&eventType=assessment.published&webhookId=" + rare
		page := a.do("GET", path, o.owner, nil).want(200)
		if len(page.list("data")) != 0 || page.header.Get("Link") == "" {
			t.Errorf("the first page has %d deliveries and the Link %q, want none and a next page",
				len(page.list("data")), page.header.Get("Link"))
		}
		if got, pages := a.pages(path, o.owner, "webhookId"); !slices.Equal(got, []string{rare}) || pages != 2 {
			t.Errorf("%d deliveries on %d pages, want 1 on 2", len(got), pages)
		}
	})
}

// During an attempt, the time of the next attempt is unknown.
func TestNextAttemptIsNullDuringAnAttempt(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID()
		o.publish(oneQuestion())
		path := "/v1/webhooks/" + id + "/deliveries"
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.0.nextAttemptAt": wire(a.clock.Now())})
		now := a.clock.Now()
		jobs, err := a.store.Queue().Claim(t.Context(), []queue.Capacity{{WebhookID: id, Free: 1}}, now,
			now.Add(time.Minute), "lease")
		if err != nil || len(jobs) != 1 {
			t.Fatalf("%d deliveries claimed, %v", len(jobs), err)
		}
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{
			"data.0.status": "PENDING", "data.0.nextAttemptAt": nil,
		})
		a.do("GET", path+"/"+jobs[0].DeliveryID, o.owner, nil).want(200).wantFields(object{"data.nextAttemptAt": nil})
	})
}

// Disabling an endpoint cancels a batch of its deliveries at once. The others are cancelled
// by maintenance, also when the endpoint is enabled again, as is the rest of a replay. An enabled endpoint keeps its
// own.
func TestDisablingWithALongQueue(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id, other := o.hookID("assessment.published"), o.hookID("assessment.published")
		o.publish(oneQuestion())
		event := a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
		storetest.CopyEvent(t, a.database, event, 2_000)
		span := object{"since": wire(a.clock.Now()), "until": wire(a.clock.Now().Add(time.Hour))}
		fill := func() {
			t.Helper()
			a.do("POST", "/v1/webhooks/"+id+"/replay", o.owner, span).want(200).wantFields(object{"data.count": 2_001})
		}
		enable := func(enabled bool) {
			t.Helper()
			a.clock.Advance(time.Second)
			a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": enabled}).want(200)
		}
		maintain := func() {
			t.Helper()
			if err := a.store.UnscopedCancelDisabled(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		queued := func(what string, want int) {
			t.Helper()
			if got := storetest.Count(t, a.database, "webhook_queue"); got != want {
				t.Errorf("%d deliveries are queued after %s, want %d", got, what, want)
			}
		}
		fill()
		a.queueReplays()
		queued("a replay", 2_003)
		enable(false)
		queued("disabling", 1_803)
		enable(true)
		queued("enabling again", 1_803)
		fill()
		maintain()
		queued("maintenance of what is enabled again", 201)
		a.queueReplays()
		maintain()
		enable(true)
		maintain()
		queued("a replay after enabling again", 2_002)
		enable(false)
		maintain()
		enable(true)
		fill()
		enable(false)
		enable(true)
		a.queueReplays()
		maintain()
		queued("enabling again during a replay", 1)
		fill()
		enable(false)
		a.queueReplays()
		maintain()
		queued("maintenance of what is disabled", 1)

		// A replay of what was cancelled has all of its period, also when the cancellation has not ended.
		enable(true)
		a.clock.Advance(time.Minute)
		o.publish(oneQuestion())
		event = a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
		storetest.CopyEvent(t, a.database, event, 2_000)
		span = object{"since": wire(a.clock.Now()), "until": wire(a.clock.Now().Add(time.Minute))}
		fill()
		a.queueReplays()
		a.clock.Advance(time.Minute)
		o.publish(oneQuestion())
		late := object{
			"since": wire(a.clock.Now()), "until": wire(a.clock.Now().Add(time.Minute)), "status": "CANCELLED", "dryRun": true,
		}
		enable(false)
		enable(true)
		queued("disabling", 1_806)
		a.do("POST", "/v1/webhooks/"+id+"/replay", o.owner, late).want(200).wantFields(object{
			"data.count": 1, "data.hasMore": false,
		})
		queued("a replay of a late event", 1_805)
		span["status"] = "CANCELLED"
		a.do("POST", "/v1/webhooks/"+id+"/replay", o.owner, span).want(200).wantFields(object{
			"data.count": 2_001, "data.hasMore": false,
		})
		a.queueReplays()
		queued("a replay of what was cancelled", 2_004)
		a.settleAll(other, store.DeliverySucceeded, took200)
		a.do("DELETE", "/v1/webhooks/"+other, o.owner, nil).want(204)
		queued("the delivery of the other endpoint", 2_001)
	})
}

// A part of a replay whose events have been purged queues nothing, also for a disabled endpoint, and delays no other
// part.
func TestReplayOfPurgedEvents(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID("assessment.published")
		o.publish(oneQuestion())
		event := a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
		storetest.CopyEvent(t, a.database, event, 300)
		a.do("POST", "/v1/webhooks/"+id+"/replay", o.owner, object{
			"since": wire(a.clock.Now()), "until": wire(a.clock.Now().Add(time.Hour)),
		}).want(200).wantFields(object{"data.count": 301})
		a.clock.Advance(time.Minute)
		a.do("PATCH", "/v1/webhooks/"+id, o.owner, object{"enabled": false}).want(200)
		a.clock.Advance(48 * time.Hour)
		if err := storetest.Purge(t.Context(), a.store, time.Hour); err != nil {
			t.Fatal(err)
		}
		a.queueReplays()
		for _, table := range []string{"webhook_replays", "webhook_queue"} {
			if got := storetest.Count(t, a.database, table); got != 0 {
				t.Errorf("%s has %d rows, want none", table, got)
			}
		}
	})
}
