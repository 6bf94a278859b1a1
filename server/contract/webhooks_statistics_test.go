package contract

import (
	"testing"
	"time"

	"assay/store"
	"assay/store/queue"
	"assay/store/storetest"
)

// The statistics count attempts by the hour in which they began, for the last seven days.
func TestWebhookStatistics(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		id := o.hookID()
		path := "/v1/webhooks/" + id + "/statistics"
		a.setClock(a.clock.Now().Truncate(time.Hour).Add(90 * time.Minute))
		o.signIn()
		stranger.signIn()
		empty := a.do("GET", path, o.owner, nil).want(200)
		empty.wantFields(object{"data.webhookId": id, "data.succeeded": 0, "data.failed": 0, "data.p50Ms": nil,
			"data.p95Ms": nil, "data.hours.167.p50Ms": nil})
		if hours := len(empty.list("data.hours")); hours != 168 {
			t.Errorf("%d hours, want 168", hours)
		}

		failure := store.FailedStatus
		note := func(began time.Time, milliseconds int64, attempts int64, succeeded bool) {
			t.Helper()
			attempt := store.Attempt{StartedAt: queue.Time{Time: began}, DurationMS: milliseconds}
			count := store.AttemptCount{Succeeded: attempts}
			if !succeeded {
				attempt.FailureReason, count = &failure, store.AttemptCount{Failed: attempts}
			}
			if err := a.store.UnscopedNoteHealth(t.Context(), store.Health{
				WebhookID: id, Attempts: map[store.AttemptKey]store.AttemptCount{attempt.Key(): count},
			}); err != nil {
				t.Fatal(err)
			}
		}
		now := a.clock.Now()
		hour := now.Truncate(time.Hour)
		note(now, 20, 45, true)
		note(now, 20, 45, true)
		note(now, 4000, 10, false)
		note(hour.Add(-time.Millisecond), 300, 7, true)
		note(hour.Add(-167*time.Hour), 0, 1, true)
		note(hour.Add(-168*time.Hour), 0, 1, true) // too old

		got := a.do("GET", path, o.owner, nil).want(200)
		got.wantFields(object{
			"data.since": wire(hour.Add(-167 * time.Hour)), "data.succeeded": 98, "data.failed": 10,
			"data.hours.0.startsAt": wire(hour.Add(-167 * time.Hour)), "data.hours.0.succeeded": 1, "data.hours.0.p95Ms": 1,
			"data.hours.1.succeeded": 0, "data.hours.1.p50Ms": nil,
			"data.hours.166.succeeded": 7, "data.hours.166.failed": 0,
			"data.hours.167.startsAt": wire(hour), "data.hours.167.succeeded": 90, "data.hours.167.failed": 10,
		})
		for at, want := range map[string]float64{
			"data.hours.167.p50Ms": 20, "data.hours.167.p95Ms": 4000, "data.hours.166.p50Ms": 300, "data.p50Ms": 20,
		} {
			if ms := got.number(at); ms < want*0.9 || ms > want*1.1 {
				t.Errorf("%s is %v, want %v to a tenth", at, ms, want)
			}
		}
		wantSame(t, a.do("GET", path, stranger.owner, nil).want(404),
			a.do("GET", "/v1/webhooks/"+a.store.NewID("whk")+"/statistics", stranger.owner, nil).want(404))

		a.clock.Advance(8 * 24 * time.Hour)
		if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
			t.Fatal(err)
		}
	})
}
