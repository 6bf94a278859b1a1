package webhooks_test

import (
	"testing"
	"time"

	"assay/store"
	"assay/webhooks"
)

// TestRetryIsNeverEarly checks that an attempt is not made a microsecond before
// it is due, and is made when it is due.
func TestRetryIsNeverEarly(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(500))
		endpoint, _ := w.endpoint(r.URL)
		probe := w.receiver(status(200))
		w.dispatch()
		w.invite()
		r.next()
		for number := 1; number < webhooks.MaxAttempts; number++ {
			due := w.settled(endpoint.ID, number).Delivery.NextAttemptAt
			w.advanceTo(due.Add(-time.Microsecond))

			// The scan that finds the probe's delivery finds everything that is due.
			other, _ := w.endpoint(probe.URL)
			w.replay(other.ID)
			probe.next()
			if got := w.detail(w.deliveries(endpoint.ID, "")[0]); len(got.Attempts) != number {
				t.Fatalf("attempt %d is early", number+1)
			}
			eventually(t, func() bool { return w.settled(other.ID, 1).Delivery.Status == store.DeliverySucceeded })
			w.must(w.store.DeleteWebhook(t.Context(), w.scope, other.ID))

			w.advanceTo(due.Time)
			if got := r.next(); got.at.Before(due.Time) {
				t.Errorf("attempt %d at %s, due at %s", number+1, got.at, due)
			}
		}
		if got := w.settled(endpoint.ID, 3).Delivery.Status; got != store.DeliveryFailed {
			t.Errorf("%s after the last attempt", got)
		}
	})
}
