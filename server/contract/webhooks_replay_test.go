package contract

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// queueReplays does what the service does in the background.
func (a *api) queueReplays() {
	a.t.Helper()
	if err := a.store.Queue().QueueReplays(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// A dry run counts the deliveries and queues none. The count is exact, or the response
// says that more events match.
func TestReplayCounts(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.hookID("assessment.published")
		path := "/v1/webhooks/" + id
		span := object{"since": wire(a.clock.Now()), "until": wire(a.clock.Now().Add(time.Hour))}
		o.publish(oneQuestion())
		a.settleAll(id, store.DeliveryFailed, took503)
		event := a.do("GET", "/v1/events", o.owner, nil).want(200).text("data.0.id")
		replay := func(extra object) response {
			t.Helper()
			body := object{}
			for _, fields := range []object{span, extra} {
				for name, value := range fields {
					body[name] = value
				}
			}
			return a.do("POST", path+"/replay", o.owner, body).want(200)
		}
		audited := o.audited()
		for _, extra := range []object{{}, {"status": "FAILED"}, {"eventType": "assessment.published"}} {
			extra["dryRun"] = true
			replay(extra).wantFields(object{"data.count": 1, "data.hasMore": false})
		}
		replay(object{"dryRun": true, "status": "SUCCEEDED"}).wantFields(object{"data.count": 0})
		if queued := storetest.Count(t, a.database, "webhook_queue"); queued != 0 || o.audited() != audited {
			t.Errorf("dry runs have queued %d deliveries or are in the audit log", queued)
		}
		replay(object{"status": "FAILED"}).wantFields(object{"data.count": 1, "data.hasMore": false})

		a.settleAll(id, store.DeliverySucceeded, took200)
		for status, count := range map[string]int{"FAILED": 0, "SUCCEEDED": 1} {
			replay(object{"dryRun": true, "status": status}).wantFields(object{"data.count": count})
		}

		storetest.CopyEvent(t, a.database, event, 9_999) // together as many as a call replays
		for _, hasMore := range []bool{false, true} {
			for _, dryRun := range []bool{true, false} {
				replay(object{"dryRun": dryRun}).wantFields(object{"data.count": 10_000, "data.hasMore": hasMore})
			}
			o.publish(oneQuestion())
		}
		a.queueReplays()
		// Two replays, and the events of the two assessments.
		if queued := storetest.Count(t, a.database, "webhook_queue"); queued != 20_002 {
			t.Errorf("%d deliveries are queued, want 20002", queued)
		}

		// Of more events than one call replays, those of one status begin with the endpoint's deliveries.
		a.settleAll(id, store.DeliveryFailed, took503)
		failed, _ := a.pages(path+"/deliveries?limit=100&status=FAILED", o.owner, "eventId")
		failed = slices.DeleteFunc(failed, func(id string) bool { return id == event })
		slices.Sort(failed)
		for status, count := range map[string]int{"FAILED": len(slices.Compact(failed)), "SUCCEEDED": 1, "CANCELLED": 0} {
			replay(object{"dryRun": true, "status": status}).wantFields(object{"data.count": count, "data.hasMore": false})
		}
	})
}

// A replay sends the events of its period whose types the endpoint receives, as the list of events shows them, each
// once and the oldest ones first.
func TestReplaySendsTheEventsOfAPeriod(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		start := a.clock.Now()
		for range 12 {
			id := o.publish(oneQuestion())
			a.clock.Advance(time.Duration(random.IntN(9_000)) * time.Millisecond)
			if random.IntN(2) == 0 {
				o.invite(id)
			}
			a.clock.Advance(time.Duration(random.IntN(9_000)) * time.Millisecond)
		}
		end := a.clock.Now()
		a.clock.Advance(time.Minute)
		endpoints := map[string][]string{
			o.hookID("assessment.published", "candidate.invited"): {"assessment.published", "candidate.invited"},
			o.hookID("candidate.invited"):                         {"candidate.invited"},
		}
		for range 25 {
			since := start.Add(time.Duration(random.Int64N(int64(end.Sub(start)))))
			until := since.Add(time.Duration(random.Int64N(int64(time.Minute)))).Add(time.Millisecond)
			for endpoint, types := range endpoints {
				var want []string
				for _, kind := range types {
					list := "/v1/events?limit=100&type=" + kind + "&since=" + wire(since) + "&until=" + wire(until)
					ids, _ := a.pages(list, o.owner, "id")
					want = append(want, ids...)
				}
				slices.Sort(want)
				body := object{"since": wire(since), "until": wire(until)}
				path := "/v1/webhooks/" + endpoint
				a.do("POST", path+"/replay", o.owner, body).want(200).
					wantFields(object{"data.count": len(want), "data.hasMore": false})
				queued, _ := a.pages(path+"/deliveries?limit=100&status=PENDING", o.owner, "eventId")
				slices.Reverse(queued) // the newest delivery is the first one of the list
				if !slices.Equal(queued, want) {
					t.Fatalf("%s to %s: replayed %q, want %q", wire(since), wire(until), queued, want)
				}
				if len(want) == 0 {
					continue
				}
				a.settleAll(endpoint, store.DeliverySucceeded, took200)
			}
		}
	})
}

// A replay of one status sends the events of its period of which a delivery to the endpoint ended with it, and with
// FAILED and CANCELLED only those that have not arrived, before or after.
func TestReplayOfAStatus(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		endpoints := []string{o.hookID("assessment.published"), o.hookID("assessment.published")}
		start := a.clock.Now()
		for range 40 {
			path := "/v1/webhooks/" + endpoints[random.IntN(2)]
			a.clock.Advance(time.Duration(random.IntN(2)*random.IntN(9_000)) * time.Millisecond)
			switch random.IntN(5) {
			case 0:
				a.do("PATCH", path, o.owner, object{"enabled": false}).want(200)
				a.do("PATCH", path, o.owner, object{"enabled": true}).want(200)
			case 1:
				if ids, _ := a.pages(path+"/deliveries?limit=100", o.owner, "id"); len(ids) > 0 {
					a.do("POST", path+"/deliveries/"+ids[random.IntN(len(ids))]+"/redeliver", o.owner, nil).want(201)
				}
			default:
				o.publish(oneQuestion())
			}
			for _, id := range endpoints {
				a.settle(id, random.IntN(3), store.DeliveryFailed, took503)
				a.settle(id, random.IntN(3), store.DeliverySucceeded, took200)
			}
			since := start.Add(time.Duration(random.Int64N(int64(a.clock.Now().Sub(start) + time.Second))))
			until := since.Add(time.Duration(random.Int64N(int64(time.Minute)))).Add(time.Millisecond)
			within, _ := a.pages("/v1/events?limit=100&since="+wire(since)+"&until="+wire(until), o.owner, "id")
			slices.Sort(within)
			var with []map[string]bool // the events of the deliveries with each status
			statuses := []string{"SUCCEEDED", "FAILED", "CANCELLED"}
			for _, status := range statuses {
				with = append(with, map[string]bool{})
				ids, _ := a.pages(path+"/deliveries?limit=100&status="+status, o.owner, "eventId")
				for _, id := range ids {
					with[len(with)-1][id] = true
				}
			}
			for n, status := range statuses {
				want := slices.DeleteFunc(slices.Clone(within), func(id string) bool {
					return !with[n][id] || n > 0 && with[0][id]
				})
				body := object{"since": wire(since), "until": wire(until), "status": status, "dryRun": true}
				a.do("POST", path+"/replay", o.owner, body).want(200).
					wantFields(object{"data.count": len(want), "data.hasMore": false})
				if random.IntN(6) > 0 {
					continue
				}
				a.clock.Advance(time.Millisecond) // the new deliveries are the newest ones
				before, _ := a.pages(path+"/deliveries?limit=100&status=PENDING", o.owner, "id")
				body["dryRun"] = false
				a.do("POST", path+"/replay", o.owner, body).want(200)
				queued, _ := a.pages(path+"/deliveries?limit=100&status=PENDING", o.owner, "eventId")
				queued = queued[:len(queued)-len(before)]
				slices.Sort(queued)
				if !slices.Equal(queued, want) {
					t.Fatalf("%s, %s to %s: replayed %q, want %q", status, wire(since), wire(until), queued, want)
				}
			}
		}
	})
}
