package webhooks_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/webhooks"
)

// TestGoneEndpointIsDisabled checks that a 410 disables the endpoint and cancels
// its pending deliveries.
func TestGoneEndpointIsDisabled(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader([]int{500, 410, 200, 200}[n-1])
		})
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		w.invite()
		w.settled(endpoint.ID, 1) // pending, with a retry
		w.invite()
		eventually(t, func() bool { return !w.retrieve(endpoint.ID).Enabled && w.pending() == 0 })
		got := w.retrieve(endpoint.ID)
		if *got.DisabledReason != store.DisabledGone || got.LastFailureAt == nil || got.ConsecutiveFailures != 2 {
			t.Errorf("the endpoint that returned 410: %+v", got)
		}
		all := w.deliveries(endpoint.ID, "")
		gone, waiting := w.detail(all[0]), w.detail(all[1])
		if gone.Delivery.Status != store.DeliveryFailed || len(gone.Attempts) != 1 ||
			*gone.Attempts[0].FailureReason != store.FailedGone {
			t.Errorf("the delivery that got 410: %+v", gone)
		}
		if waiting.Delivery.Status != store.DeliveryCancelled || len(waiting.Attempts) != 1 ||
			waiting.Delivery.CompletedAt == nil {
			t.Errorf("the delivery with a retry: %+v", waiting)
		}
		w.checkDisabled(endpoint.ID, r, 2)
	})
}

// checkDisabled checks that nothing is queued for the disabled endpoint. Enabled
// again, it gets later events, and the cancelled ones only by a replay.
func (w *world) checkDisabled(webhookID string, r *receiver, arrived int) {
	w.t.Helper()
	ctx, before := w.t.Context(), w.deliveries(webhookID, "")
	w.invite()
	if _, err := w.store.RedeliverDelivery(ctx, w.scope, webhookID, before[0].ID); !refused(err, "webhook_disabled") {
		w.t.Errorf("redeliver: %v", err)
	}
	span := store.Replay{
		Since: w.clock.Now().Add(-24 * time.Hour), Until: w.clock.Now().Add(time.Hour), Status: store.DeliveryCancelled,
	}
	if _, err := w.store.ReplayWebhook(ctx, w.scope, webhookID, span); !refused(err, "webhook_disabled") {
		w.t.Errorf("replay: %v", err)
	}
	if after := w.deliveries(webhookID, ""); len(after) != len(before) {
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
		w.t.Errorf("the first event after enabling is %s, want %s", got.header.Get("webhook-id"), event.ID)
	}
	eventually(w.t, func() bool { return w.pending() == 0 })
	if after := w.deliveries(webhookID, ""); len(after) != len(before)+1 {
		w.t.Errorf("%d deliveries, want one more than %d", len(after), len(before))
	}

	replayed, err := w.store.ReplayWebhook(ctx, w.scope, webhookID, span)
	w.must(err)
	n := replayed.Count
	eventually(w.t, func() bool { return len(r.requests()) == arrived+1+n && w.pending() == 0 })
	if n != 1 {
		w.t.Errorf("%d cancelled events replayed, want 1", n)
	}
}

// TestManuallyDisabledEndpoint checks that disabling cancels a retry.
func TestManuallyDisabledEndpoint(t *testing.T) {
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
		got := w.deliveries(endpoint.ID, "")
		if len(got) != 1 || got[0].Status != store.DeliveryCancelled || got[0].AttemptCount != 1 {
			t.Errorf("the pending delivery: %+v", got)
		}
		w.clock.Advance(time.Hour)
		w.checkDisabled(endpoint.ID, r, 1)
	})
}

// TestDeletedEndpoint checks that deletion cancels a retry.
func TestDeletedEndpoint(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r, probe := w.receiver(status(500)), w.receiver(status(200))
		endpoint, _ := w.endpoint(r.URL)
		w.dispatch()
		event := w.invite()
		w.settled(endpoint.ID, 1)
		w.must(w.store.DeleteWebhook(t.Context(), w.scope, endpoint.ID))
		found, err := w.store.RetrieveEvent(t.Context(), w.scope, event.ID)
		w.must(err)
		if len(found.Deliveries) != 1 || found.Deliveries[0].Status != store.DeliveryCancelled {
			t.Errorf("the pending delivery: %+v", found.Deliveries)
		}
		w.clock.Advance(time.Hour)
		w.endpoint(probe.URL)
		w.invite()
		probe.next()
		queued := w.count(w.raw(), `SELECT COUNT(*) FROM webhook_queue WHERE webhook_id = '`+endpoint.ID+`'`)
		if n := len(r.requests()); n != 1 || queued != 0 {
			t.Errorf("%d requests to a deleted endpoint, %d queued", n, queued)
		}
	})
}

// TestFailingEndpointIsDisabled checks that only five days without a success
// and 20 failed deliveries together disable an endpoint.
func TestFailingEndpointIsDisabled(t *testing.T) {
	const enough, period = 20, 5 * 24 * time.Hour
	onEach(t, func(t *testing.T, w *world) {
		began := w.clock.Now()
		var succeed atomic.Bool
		dead := w.receiver(status(500))
		recovering := w.receiver(func(_ int, rw http.ResponseWriter, _ *http.Request) {
			if !succeed.Load() {
				rw.WriteHeader(http.StatusInternalServerError)
			}
		})
		always, once := w.endpointID(dead.URL), w.endpointID(recovering.URL)
		w.invite()
		rarely := w.endpointID(dead.URL) // it misses the first event and gets one too few
		for range enough - 1 {
			w.invite()
		}
		w.dispatch()
		w.failAttempts(map[string]int{always: enough, once: enough, rarely: enough - 1})

		w.advanceTo(began.Add(3 * 24 * time.Hour))
		succeed.Store(true)
		w.redeliverNewest(once)
		eventually(t, func() bool { return w.failures(once) == 0 && w.retrieve(once).LastSuccessAt != nil })
		succeed.Store(false)

		w.advanceTo(began.Add(period - time.Second))
		early := w.redeliverNewest(always)
		eventually(t, func() bool { return w.failures(always) == 3*enough+1 })
		if !w.retrieve(always).Enabled {
			t.Error("disabled a second before five days are over")
		}
		w.advanceTo(began.Add(period + time.Millisecond)) // stored times have milliseconds
		w.redeliverNewest(once)
		w.redeliverNewest(rarely)
		w.redeliverNewest(always)
		eventually(t, func() bool { return !w.retrieve(always).Enabled })
		if got := w.retrieve(always); *got.DisabledReason != store.DisabledFailing {
			t.Errorf("the endpoint that only failed: %+v", got)
		}
		eventually(t, func() bool { return w.detail(early).Delivery.Status == store.DeliveryCancelled })
		eventually(t, func() bool { return w.failures(once) == 1 && w.failures(rarely) == 3*(enough-1)+1 })
		if !w.retrieve(once).Enabled || !w.retrieve(rarely).Enabled {
			t.Error("disabled after a success, or after too few failed deliveries")
		}

		for attempt := 2; attempt <= webhooks.MaxAttempts; attempt++ { // the delivery that was missing
			w.clock.Advance(longestWait)
			w.settled(rarely, attempt)
			w.settled(once, attempt)
		}
		eventually(t, func() bool { return !w.retrieve(rarely).Enabled && w.failures(once) == 3 })
		w.clock.Advance(period) // failed deliveries before the success still do not count
		w.redeliverNewest(once)
		eventually(t, func() bool { return w.failures(once) == 4 })
		if !w.retrieve(once).Enabled {
			t.Error("disabled after a success")
		}
	})
}

// longestWait is the longest wait of the schedule with all of its jitter.
const longestWait = 330 * time.Second

// failures returns the endpoint's recorded consecutive failures.
func (w *world) failures(webhookID string) int {
	w.t.Helper()
	return w.retrieve(webhookID).ConsecutiveFailures
}

// failAttempts waits for all attempts of the endpoints, given with their numbers
// of deliveries, and for the record of each round. The record holds since when
// an endpoint fails, so the clock must not advance before it is written.
func (w *world) failAttempts(deliveries map[string]int) {
	w.t.Helper()
	for attempt := 1; attempt <= webhooks.MaxAttempts; attempt++ {
		for id, n := range deliveries {
			eventually(w.t, func() bool { return w.failures(id) == attempt*n && w.attempted(id, attempt) })
		}
		w.clock.Advance(longestWait)
	}
}

// redeliverNewest redelivers the endpoint's newest delivery and waits for an attempt.
func (w *world) redeliverNewest(webhookID string) store.Delivery {
	w.t.Helper()
	newest := w.deliveries(webhookID, "")[0]
	delivery, err := w.store.RedeliverDelivery(w.t.Context(), w.scope, webhookID, newest.ID)
	w.must(err)
	eventually(w.t, func() bool {
		delivery = w.detail(delivery).Delivery
		return delivery.AttemptCount == 1
	})
	return delivery
}

// TestEnablingWithALongQueue checks that an endpoint that is enabled while its queue is still being cancelled gets only
// what is new, at once, and that nothing is left of the cancellation afterwards.
func TestEnablingWithALongQueue(t *testing.T) {
	const waiting, retried = 500, 3
	onEach(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		r := w.receiver(func(n int, rw http.ResponseWriter, _ *http.Request) {
			if n <= retried {
				rw.WriteHeader(http.StatusInternalServerError)
			}
		})
		endpoint, _ := w.endpoint(r.URL)
		_, stop := w.dispatch()
		w.emit(retried)
		eventually(t, func() bool { return w.failures(endpoint.ID) == retried })
		stop()
		w.emit(waiting)
		set := func(enabled bool) {
			w.clock.Advance(time.Second)
			_, err := w.store.UpdateWebhook(ctx, w.scope, endpoint.ID, store.WebhookChange{Enabled: &enabled})
			w.must(err)
		}
		set(false)
		set(true)
		before := w.pending()
		if before <= retried {
			t.Fatalf("%d deliveries are left to cancel, want more", before)
		}

		w.dispatch()
		event := w.invite()
		eventually(t, func() bool { return len(r.requests()) > retried })
		if got := r.requests()[retried].header.Get("webhook-id"); got != event.ID {
			t.Errorf("the first event after enabling is %s, want %s", got, event.ID)
		}
		eventually(t, func() bool { return len(w.deliveries(endpoint.ID, store.DeliverySucceeded)) == 1 })
		w.clock.Advance(longestWait) // the retries become due, and are cancelled when they are claimed
		late := w.invite()
		eventually(t, func() bool { return len(r.requests()) > retried+1 })
		w.must(w.store.UnscopedCancelDisabled(ctx))
		eventually(t, func() bool { return w.pending() == 0 })
		if got := r.requests(); len(got) != retried+2 || got[retried+1].header.Get("webhook-id") != late.ID {
			t.Errorf("%d requests, want %d and only new events", len(got)-retried, 2)
		}
		if n := len(w.deliveries(endpoint.ID, store.DeliveryCancelled)); n != waiting+retried {
			t.Errorf("%d deliveries are cancelled, want %d", n, waiting+retried)
		}
		w.must(w.store.UnscopedCancelDisabled(ctx))
		if w.retrieve(endpoint.ID).CancelledBefore != nil {
			t.Error("the cancellation has not ended")
		}
	})
}
