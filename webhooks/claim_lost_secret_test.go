package webhooks_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
	"assay/webhooks"
)

// TestLostMasterSecret checks that endpoints whose secret cannot be decrypted
// delay no others, and that their deliveries are sent without a lost attempt
// when the master secret is configured again.
func TestLostMasterSecret(t *testing.T) {
	const newer = "the master secret that replaces storetest's"
	onEach(t, func(t *testing.T, w *world) {
		opened := func(previous ...string) *store.Store {
			keys, err := keys.New(newer, previous...)
			w.must(err)
			s, err := store.Open(context.Background(), store.Options{
				DatabaseURL: w.database, Keys: keys, BaseURL: "https://assay.test", Now: w.clock.Now,
				AllowInsecureWebhooks: true,
			})
			w.must(err)
			w.t.Cleanup(func() { w.must(s.Close()) })
			return s
		}
		deliver := func(s *store.Store) (stop func()) {
			return run(t, webhooks.Options{Queue: s.Queue(), Now: w.clock.Now, AllowInsecure: true})
		}
		ofLost, ofNew := w.receiver(status(http.StatusOK)), w.receiver(status(http.StatusOK))
		lost, secret := w.endpoint(ofLost.URL)
		s := opened()
		_, err := s.CreateWebhook(t.Context(), w.scope, store.NewWebhook{URL: ofNew.URL, Events: lost.Events()})
		w.must(err)

		stop := deliver(s)
		const events = 40
		for range events {
			w.invite()
		}
		for range events {
			ofNew.next()
		}
		stop()
		for _, delivery := range w.deliveries(lost.ID, "") {
			if delivery.Status != store.DeliveryPending || delivery.AttemptCount != 0 {
				t.Errorf("%s is %s after %d attempts", delivery.ID, delivery.Status, delivery.AttemptCount)
			}
		}

		w.clock.Advance(webhookLease)
		deliver(opened(storetest.Secret))
		for range events {
			got := ofLost.next()
			if got.header.Get(webhooks.HeaderSignature) != webhooks.Signature(secret, got.body) {
				t.Error("signed with another secret")
			}
		}
		if n := len(ofLost.requests()); n != events {
			t.Errorf("%d requests, want %d", n, events)
		}
	})
}

// webhookLease is the lease of a claim: two timeouts and 5 s.
const webhookLease = 25 * time.Second
