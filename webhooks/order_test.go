package webhooks_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"assay/store"
)

// A transaction that began before an endpoint was disabled can queue a delivery after that. It is cancelled, also if
// the endpoint is enabled again and nothing was left to cancel in between.
func TestLateDeliveryOfADisabledEndpointIsCancelled(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		ctx, raw := t.Context(), w.raw()
		endpoint, _ := w.endpoint("http://127.0.0.1:1/")
		w.emit(1)
		w.exec(raw, `CREATE TABLE late AS SELECT * FROM webhook_queue`)
		w.exec(raw, `DELETE FROM webhook_queue`)
		for _, enabled := range []bool{false, true} {
			w.clock.Advance(time.Second)
			_, err := w.store.UpdateWebhook(ctx, w.scope, endpoint.ID, store.WebhookChange{Enabled: &enabled})
			w.must(err)
		}
		w.must(w.store.UnscopedCancelDisabled(ctx))
		w.exec(raw, `INSERT INTO webhook_queue SELECT * FROM late`)
		w.must(w.store.UnscopedCancelDisabled(ctx))
		if n := len(w.deliveries(endpoint.ID, store.DeliveryCancelled)); n != 1 {
			t.Errorf("%d deliveries are cancelled, want 1", n)
		}
		w.clock.Advance(time.Minute)
		w.must(w.store.UnscopedCancelDisabled(ctx))
		if w.retrieve(endpoint.ID).CancelledBefore != nil {
			t.Error("the cancellation has not ended")
		}
	})
}

// A delivery that ends while a list is read is in the list once.
func TestDeliveryThatEndsDuringAList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	endpoint, _ := w.endpoint("http://127.0.0.1:1/")
	event := w.invite()
	for name, list := range map[string]func() int{
		"deliveries": func() int { return len(w.deliveries(endpoint.ID, "")) },
		"event": func() int {
			got, err := w.store.RetrieveEvent(context.WithoutCancel(t.Context()), w.scope, event.ID)
			if err != nil {
				return -1
			}
			return len(got.Deliveries)
		},
	} {
		settling, err := w.raw().BeginTx(t.Context(), nil)
		w.must(err)
		_, err = settling.ExecContext(t.Context(), `LOCK TABLE webhook_queue IN ACCESS EXCLUSIVE MODE`)
		w.must(err)
		listed := make(chan int, 1)
		go func() { listed <- list() }()
		eventually(t, func() bool { return w.lockWaits() == 1 })
		_, err = settling.ExecContext(t.Context(), `
			INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at,
				completed_at)
			SELECT delivery_id, organization_id, webhook_id, event_id, event_type, 'SUCCEEDED', 1, created_at, created_at
			FROM webhook_queue`)
		w.must(err)
		_, err = settling.ExecContext(t.Context(), `DELETE FROM webhook_queue`)
		w.must(err)
		w.must(settling.Commit())
		if n := <-listed; n != 1 {
			t.Errorf("%s: %d deliveries, want 1", name, n)
		}
		w.exec(w.raw(), `INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at,
			lease, attempt, created_at) SELECT id, organization_id, webhook_id, event_id, event_type, created_at, '', 0,
			created_at FROM webhook_deliveries`)
		w.exec(w.raw(), `DELETE FROM webhook_deliveries`)
	}
}

// The health of an endpoint is recorded after the outcome of the attempt: a 410 disables the endpoint, which cancels
// the deliveries that are not settled.
func TestHealthIsRecordedAfterTheOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	writing, err := w.raw().BeginTx(t.Context(), nil)
	w.must(err)
	receiver := w.receiver(func(_ int, rw http.ResponseWriter, _ *http.Request) {
		if _, err := writing.ExecContext(context.WithoutCancel(t.Context()),
			`SELECT 1 FROM webhook_queue FOR UPDATE`); err != nil {
			t.Error(err)
		}
		rw.WriteHeader(http.StatusGone)
	})
	endpoint, _ := w.endpoint(receiver.URL)
	w.dispatch()
	w.emit(1)
	eventually(t, func() bool { return w.lockWaits() == 1 })
	time.Sleep(500 * time.Millisecond) // many intervals of the health loop
	if !w.retrieve(endpoint.ID).Enabled {
		t.Error("the endpoint is disabled before the outcome is settled")
	}
	w.must(writing.Rollback())
	eventually(t, func() bool { return !w.retrieve(endpoint.ID).Enabled })
	if n := len(w.deliveries(endpoint.ID, store.DeliveryFailed)); n != 1 {
		t.Errorf("%d deliveries failed, want 1", n)
	}
}

// A dispatcher is registered before its first claim. Otherwise nobody would end its first leases if it was killed.
func TestHolderIsRegisteredBeforeTheFirstClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "postgres")
	receiver := newCountingReceiver(t, nil)
	w.endpointID(receiver.url)
	w.emit(1)
	registering, err := w.raw().BeginTx(t.Context(), nil)
	w.must(err)
	_, err = registering.ExecContext(t.Context(), `LOCK TABLE replicas IN ACCESS EXCLUSIVE MODE`)
	w.must(err)
	w.dispatch()
	eventually(t, func() bool { return w.lockWaits() == 1 })
	time.Sleep(300 * time.Millisecond) // many polls
	if distinct, _ := receiver.counts(); distinct != 0 {
		t.Errorf("%d deliveries were sent before the registration", distinct)
	}
	w.must(registering.Rollback())
	receiver.wait(t, 1, patience)
}
