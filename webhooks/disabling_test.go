package webhooks_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
)

func TestGone(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader([]int{500, 410, 200, 200}[n-1])
		})
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		w.invite()
		w.settled(endpoint.ID, 1) // to be tried again
		w.invite()
		eventually(t, func() bool { return !w.retrieve(endpoint.ID).Enabled && w.pending() == 0 })
		if got := w.retrieve(endpoint.ID); *got.DisabledReason != store.DisabledGone || got.LastFailureAt == nil || got.ConsecutiveFailures != 2 {
			t.Errorf("the endpoint that answered 410: %+v", got)
		}
		all := w.deliveries(endpoint.ID)
		gone, waiting := w.detail(all[0]), w.detail(all[1])
		if gone.Delivery.Status != store.DeliveryFailed || len(gone.Attempts) != 1 || *gone.Attempts[0].FailureReason != store.FailedGone {
			t.Errorf("the delivery that was answered 410: %+v", gone)
		}
		if waiting.Delivery.Status != store.DeliveryCancelled || len(waiting.Attempts) != 1 || waiting.Delivery.CompletedAt == nil {
			t.Errorf("the delivery that was to be tried again: %+v", waiting)
		}
		w.expectRevival(endpoint.ID, r, 2)
	})
}

// expectRevival checks a disabled endpoint: nothing is queued for it. Enabled
// again it gets what happens from then on, and the rest only by hand.
func (w *world) expectRevival(webhookID string, r *receiver, arrived int) {
	w.t.Helper()
	ctx, before := w.t.Context(), w.deliveries(webhookID)
	w.invite()
	if _, err := w.store.RedeliverDelivery(ctx, w.scope, webhookID, before[0].ID); !refused(err, "webhook_disabled") {
		w.t.Errorf("redeliver: %v", err)
	}
	span := store.Replay{Since: w.clock.Now().Add(-24 * time.Hour), Until: w.clock.Now().Add(time.Hour), Status: store.DeliveryCancelled}
	if _, err := w.store.ReplayWebhook(ctx, w.scope, webhookID, span); !refused(err, "webhook_disabled") {
		w.t.Errorf("replay: %v", err)
	}
	if after := w.deliveries(webhookID); len(after) != len(before) {
		w.t.Errorf("queued for a disabled endpoint: %+v", after[0])
	}
	endpoint, err := w.store.UpdateWebhook(ctx, w.scope, webhookID, store.WebhookChange{Enabled: ptr(true)})
	w.must(err)
	if !endpoint.Enabled || endpoint.DisabledReason != nil || endpoint.ConsecutiveFailures != 0 {
		w.t.Errorf("enabled again: %+v", endpoint)
	}
	event := w.invite()
	eventually(w.t, func() bool { return len(r.requests()) > arrived })
	if got := r.requests()[arrived]; got.header.Get("webhook-id") != event.ID {
		w.t.Errorf("%s is the first after enabling, want %s", got.header.Get("webhook-id"), event.ID)
	}
	eventually(w.t, func() bool { return w.pending() == 0 })
	if after := w.deliveries(webhookID); len(after) != len(before)+1 {
		w.t.Errorf("%d deliveries, want one more than %d", len(after), len(before))
	}
	n, err := w.store.ReplayWebhook(ctx, w.scope, webhookID, span)
	w.must(err)
	eventually(w.t, func() bool { return len(r.requests()) == arrived+1+n && w.pending() == 0 })
	if n != 1 {
		w.t.Errorf("%d cancelled events replayed, want 1", n)
	}
}

func TestDisabledByHand(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader([]int{500, 200, 200}[n-1])
		})
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		w.invite()
		w.settled(endpoint.ID, 1)
		changed, err := w.store.UpdateWebhook(t.Context(), w.scope, endpoint.ID, store.WebhookChange{Enabled: ptr(false)})
		w.must(err)
		if changed.Enabled || *changed.DisabledReason != store.DisabledManual {
			t.Errorf("disabled: %+v", changed)
		}
		if got := w.deliveries(endpoint.ID); len(got) != 1 || got[0].Status != store.DeliveryCancelled || got[0].AttemptCount != 1 {
			t.Errorf("what was pending: %+v", got)
		}
		w.clock.Advance(time.Hour)
		w.expectRevival(endpoint.ID, r, 1)
	})
}

func TestDeleted(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r, canary := w.receiver(status(500)), w.receiver(status(200))
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		event := w.invite()
		w.settled(endpoint.ID, 1)
		w.must(w.store.DeleteWebhook(t.Context(), w.scope, endpoint.ID))
		found, err := w.store.RetrieveEvent(t.Context(), w.scope, event.ID)
		w.must(err)
		if len(found.Deliveries) != 1 || found.Deliveries[0].Status != store.DeliveryCancelled {
			t.Errorf("what was pending: %+v", found.Deliveries)
		}
		w.clock.Advance(time.Hour)
		w.endpoint(canary.URL)
		w.invite()
		canary.next()
		if n := len(r.requests()); n != 1 || w.count(w.raw(), `SELECT COUNT(*) FROM webhook_queue WHERE webhook_id = '`+endpoint.ID+`'`) != 0 {
			t.Errorf("%d requests to a deleted endpoint", n)
		}
	})
}

// TestFailing: only five days without a success and 20 failed deliveries together disable.
func TestFailing(t *testing.T) {
	const enough, days = 20, 5 * 24 * time.Hour
	onEach(t, func(t *testing.T, w *world) {
		began := w.clock.Now()
		var well atomic.Bool
		dead := w.receiver(status(500))
		recovering := w.receiver(func(_ int, rw http.ResponseWriter, _ *http.Request) {
			if !well.Load() {
				rw.WriteHeader(http.StatusInternalServerError)
			}
		})
		always, _ := w.endpoint(dead.URL)
		once, _ := w.endpoint(recovering.URL)
		w.invite()
		rarely, _ := w.endpoint(dead.URL) // misses the first event: one too few
		for range enough - 1 {
			w.invite()
		}
		failures := func(id string) int { return w.retrieve(id).ConsecutiveFailures }
		w.dispatch()
		for attempt := 1; attempt <= 3; attempt++ {
			for _, id := range []string{always.ID, once.ID, rarely.ID} {
				eventually(t, func() bool { return w.tried(id, attempt) })
			}
			// The endpoints' record too: it tells since when they fail.
			eventually(t, func() bool {
				return failures(always.ID) == attempt*enough && failures(once.ID) == attempt*enough && failures(rarely.ID) == attempt*(enough-1)
			})
			w.clock.Advance(330 * time.Second)
		}
		again := func(id string) store.Delivery {
			delivery, err := w.store.RedeliverDelivery(t.Context(), w.scope, id, w.deliveries(id)[0].ID)
			w.must(err)
			eventually(t, func() bool { delivery = w.detail(delivery).Delivery; return delivery.AttemptCount == 1 })
			return delivery
		}
		w.advanceTo(began.Add(3 * 24 * time.Hour))
		well.Store(true)
		again(once.ID)
		eventually(t, func() bool { return failures(once.ID) == 0 && w.retrieve(once.ID).LastSuccessAt != nil })
		well.Store(false)

		w.advanceTo(began.Add(days - time.Second))
		early := again(always.ID)
		eventually(t, func() bool { return failures(always.ID) == 3*enough+1 })
		if !w.retrieve(always.ID).Enabled {
			t.Error("disabled a second before five days are over")
		}
		w.advanceTo(began.Add(days + time.Millisecond)) // the store counts in these
		again(once.ID)
		again(rarely.ID)
		again(always.ID)
		eventually(t, func() bool { return !w.retrieve(always.ID).Enabled })
		if got := w.retrieve(always.ID); *got.DisabledReason != store.DisabledFailing {
			t.Errorf("the endpoint that only failed: %+v", got)
		}
		eventually(t, func() bool { return w.detail(early).Delivery.Status == store.DeliveryCancelled })
		eventually(t, func() bool { return failures(once.ID) == 1 && failures(rarely.ID) == 3*(enough-1)+1 })
		if !w.retrieve(once.ID).Enabled || !w.retrieve(rarely.ID).Enabled {
			t.Error("disabled after a success, or after too few failed deliveries")
		}
		for attempt := 2; attempt <= 3; attempt++ { // the one too few
			w.clock.Advance(330 * time.Second)
			w.settled(rarely.ID, attempt)
			w.settled(once.ID, attempt)
		}
		eventually(t, func() bool { return !w.retrieve(rarely.ID).Enabled && failures(once.ID) == 3 })
		w.clock.Advance(days) // the failed deliveries before the success count no more either
		again(once.ID)
		eventually(t, func() bool { return failures(once.ID) == 4 })
		if !w.retrieve(once.ID).Enabled {
			t.Error("disabled after a success")
		}
	})
}

// TestUncommitted: of a change that fails after its event is written, nothing is sent.
func TestUncommitted(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(200))
		w.endpoint(r.URL)
		w.dispatch()
		db := w.raw()
		drop := `DROP TRIGGER refuse`
		if strings.HasPrefix(w.database, "sqlite:") {
			w.exec(db, `CREATE TRIGGER refuse AFTER INSERT ON webhook_queue BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`)
		} else {
			// Deferred: the commit itself fails, after every statement has succeeded.
			w.exec(db, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`)
			w.exec(db, `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON webhook_queue
				DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
			drop += ` ON webhook_queue`
		}
		_, err := w.store.CreateCandidateSession(t.Context(), w.scope, store.Invite{
			AssessmentID: w.assessmentID, CandidateName: "Grace Hopper", CandidateEmail: "never@example.com",
		})
		if err == nil {
			t.Fatal("the change did not fail")
		}
		w.exec(db, drop)
		events, _, err := w.store.ListEvents(t.Context(), w.scope, store.EventFilter{Type: store.EventCandidateInvited}, store.Page{Limit: 10})
		w.must(err)
		if len(events) != 0 || w.pending() != 0 {
			t.Errorf("%d events, %d pending", len(events), w.pending())
		}
		event := w.invite()
		if got := r.next(); got.header.Get("webhook-id") != event.ID {
			t.Errorf("sent %s", got.body)
		}
	})
}

// TestNoSubscriber: an event for which no enabled endpoint of the organization asks queues nothing.
func TestNoSubscriber(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		w.endpoint("http://127.0.0.1:1/") // asks for invites only
		disabled, _ := w.endpoint("http://127.0.0.1:1/")
		_, err := w.store.UpdateWebhook(t.Context(), w.scope, disabled.ID, store.WebhookChange{
			Events: []string{string(store.EventAssessmentPublished)}, Enabled: ptr(false),
		})
		w.must(err)
		deleted, _ := w.endpoint("http://127.0.0.1:1/")
		w.must(w.store.DeleteWebhook(t.Context(), w.scope, deleted.ID))
		w.publish()
		if w.pending() != 0 {
			t.Errorf("%d pending", w.pending())
		}
		w.invite()
		if w.pending() != 1 {
			t.Errorf("%d pending, want 1", w.pending())
		}
	})
}
