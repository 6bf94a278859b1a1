package webhooks_test

import (
	"fmt"
	"testing"

	"assay/store"
	"assay/webhooks"
)

// TestPing checks that a test event is signed and classified like any other and
// is not stored.
func TestPing(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(always(503, "Retry-After", "60").withBody("not now", "").respond)
		endpoint, secret := w.endpoint(r.URL)
		_, err := w.store.UpdateWebhook(t.Context(), w.scope, endpoint.ID, store.WebhookChange{Enabled: ptr(false)})
		w.must(err)
		target, err := w.store.TestWebhook(t.Context(), w.scope, endpoint.ID)
		w.must(err)
		opts := webhooks.Options{Store: w.store, Now: w.clock.Now, Version: "1.2.3", AllowInsecure: true}
		attempt, err := webhooks.NewPinger(opts).Ping(t.Context(), w.scope.OrganizationID, target)
		w.must(err)
		if attempt.Number != 1 || *attempt.StatusCode != 503 || *attempt.FailureReason != store.FailedStatus ||
			attempt.ResponseBody != "not now" {
			t.Errorf("attempt %+v", attempt)
		}

		got := r.next()
		checkServiceSignature(t, secret, got)
		checkStandardSignature(t, secret, got)
		want := fmt.Sprintf(`{"id":"%s","type":"ping","timestamp":"%s","organizationId":"%s","data":{"webhookId":"%s"}}`,
			got.header.Get("webhook-id"), store.WireTime(w.store.Now()), w.scope.OrganizationID, endpoint.ID)
		if string(got.body) != want || got.header.Get("X-Service-Event") != "ping" {
			t.Errorf("sent %s, want %s", got.body, want)
		}
		if w.pending() != 0 || len(w.deliveries(endpoint.ID, "")) != 0 {
			t.Error("a ping is stored")
		}

		opts.AllowInsecure = false
		attempt, err = webhooks.NewPinger(opts).Ping(t.Context(), w.scope.OrganizationID, target)
		if err != nil || *attempt.FailureReason != store.FailedAddress {
			t.Errorf("a private address was not rejected: %+v %v", attempt, err)
		}
	})
}
