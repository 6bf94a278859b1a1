package webhooks_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

// A master secret that is dropped before everything was encrypted anew stops
// the endpoints that need it, and none beside them. What waits for them is
// neither tried nor lost: it goes out when the secret is back.
func TestLostSecretHoldsUpNoOther(t *testing.T) {
	const later = "the master secret that came after storetest's"
	onEach(t, func(t *testing.T, w *world) {
		with := func(previous ...string) webhooks.Options {
			keys, err := store.NewKeys(later, previous...)
			w.must(err)
			s, err := store.Open(context.Background(), store.Options{
				DatabaseURL: w.database, Keys: keys, BaseURL: "https://assay.test", Now: w.clock.Now, AllowInsecureWebhooks: true,
			})
			w.must(err)
			w.t.Cleanup(func() { w.must(s.Close()) })
			return webhooks.Options{Store: s, Now: w.clock.Now, AllowInsecure: true}
		}
		theirs, ours := w.receiver(status(http.StatusOK)), w.receiver(status(http.StatusOK))
		lost, secret := w.endpoint(theirs.URL)
		opts := with()
		_, err := opts.Store.CreateWebhook(t.Context(), w.scope, store.NewWebhook{URL: ours.URL, Events: lost.Events()})
		w.must(err)

		stop := safetyRun(t, opts)
		const events = 40
		for range events {
			w.invite()
		}
		for range events {
			ours.next()
		}
		stop()
		for _, delivery := range w.deliveries(lost.ID) {
			if delivery.Status != store.DeliveryPending || delivery.AttemptCount != 0 {
				t.Errorf("%s is %s after %d attempts", delivery.ID, delivery.Status, delivery.AttemptCount)
			}
		}

		w.clock.Advance(webhookLease)
		safetyRun(t, with(storetest.Secret))
		for range events {
			got := theirs.next()
			if got.header.Get(webhooks.HeaderSignature) != webhooks.Signature(secret, got.body) {
				t.Error("signed with another secret")
			}
		}
		if n := len(theirs.requests()); n != events {
			t.Errorf("%d requests, want %d", n, events)
		}
	})
}

// webhookLease is how long a claim holds: two timeouts and 5 s.
const webhookLease = 25 * time.Second
