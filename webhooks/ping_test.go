package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
		opts := webhooks.Options{Queue: w.store.Queue(), Now: w.clock.Now, Version: "1.2.3", AllowInsecure: true}
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

// At most 32 test events are in flight. Others are refused at once, and wait nowhere.
func TestPingsInFlight(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		const most, sent = 32, 1000
		release := make(chan struct{})
		r := w.receiver(func(_ int, _ http.ResponseWriter, _ *http.Request) { <-release })
		endpoint, _ := w.endpoint(r.URL)
		target, err := w.store.TestWebhook(t.Context(), w.scope, endpoint.ID)
		w.must(err)
		opts := webhooks.Options{Queue: w.store.Queue(), Now: w.clock.Now, Timeout: patience, AllowInsecure: true}
		pinger := webhooks.NewPinger(opts)
		outcomes := make(chan error, sent)
		ping := func() {
			_, err := pinger.Ping(context.Background(), w.scope.OrganizationID, target)
			outcomes <- err
		}
		for range sent {
			go ping()
		}
		for range sent - most {
			if err := <-outcomes; !errors.Is(err, webhooks.ErrTooManyPings) {
				t.Fatalf("%v, want %v", err, webhooks.ErrTooManyPings)
			}
		}
		for range most {
			r.next()
		}
		close(release)
		for range most {
			w.must(<-outcomes)
		}
		if got := len(r.requests()); got != most {
			t.Errorf("%d test events arrived, want %d", got, most)
		}
		go ping()
		w.must(<-outcomes)
	})
}
