package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay/store"
	"assay/webhooks"
)

const plainSecret = "a-plain-secret-of-the-receiver's+/="

// checkServiceSignature computes X-Service-Signature from the raw bytes, as the
// interface requires of receivers.
func checkServiceSignature(t testing.TB, secret string, got received) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(got.body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); got.header.Get("X-Service-Signature") != want {
		t.Errorf("X-Service-Signature is %q, want %q", got.header.Get("X-Service-Signature"), want)
	}
}

// checkStandardSignature verifies with the Go library of Standard Webhooks. It
// compares the timestamp itself, because the test's clock may be far from the present.
func checkStandardSignature(t testing.TB, secret string, got received) {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhookRaw([]byte(secret))
	if strings.HasPrefix(secret, "whsec_") {
		verifier, err = standardwebhooks.NewWebhook(secret)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.VerifyIgnoringTimestamp(got.body, got.header); err != nil {
		t.Error(err)
	}
	altered := append(bytes.Clone(got.body), ' ')
	if verifier.VerifyIgnoringTimestamp(altered, got.header) == nil {
		t.Error("the signature of an altered body is accepted")
	}
	if stamp := got.header.Get("webhook-timestamp"); stamp != strconv.FormatInt(got.at.Unix(), 10) {
		t.Errorf("webhook-timestamp is %s at %d", stamp, got.at.Unix())
	}
}

// signedBy reports whether the request carries the secret's signature.
func signedBy(secret string, got received) bool {
	return got.header.Get("X-Service-Signature") == webhooks.Signature(secret, got.body)
}

// unusual holds texts that serializers, databases and proxies treat differently.
var unusual = []string{
	"<script>&amp;</script>", "\u2028", "\u2029", "👩🏽‍🚀", "🇨🇭", "\"", "\\", "'", "/",
	"\t", "\n", "\r\n", "\x01", "\x1f", "\x7f", "\u0085",
	"\u200b", "\ufeff", "é", "e\u0301", "漢字", "\U0010ffff", "\ufffd", " ", "null", "{}", "%00", "\\u0000", "&lt;", "a",
}

func unusualText(random *rand.Rand, most int) string {
	var text strings.Builder
	for range 1 + random.IntN(most) {
		text.WriteString(unusual[random.IntN(len(unusual))])
	}
	return text.String()
}

// TestHeaders checks the request of a delivery against the design.
func TestHeaders(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(status(200))
		endpoint, secret := w.endpoint(r.URL + "/hook")
		w.dispatch()
		event := w.invite()
		got := r.next()
		detail := w.settled(endpoint.ID, 1)
		for name, want := range map[string]string{
			"Content-Type": "application/json; charset=utf-8", "User-Agent": "Assay/1.2.3",
			"X-Service-Event": "candidate.invited", "X-Service-Delivery": detail.Delivery.ID,
			"webhook-id": event.ID, "Accept-Encoding": "",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
			}
		}
		if string(got.body) != event.Body || got.path != "/hook" {
			t.Errorf("request for %s with\n%s\nwant\n%s", got.path, got.body, event.Body)
		}
		checkServiceSignature(t, secret, got)
		checkStandardSignature(t, secret, got)
	})
}

// inviteInBulk invites n candidates with unusual texts and returns the bodies of
// the events by id.
func (w *world) inviteInBulk(n int) map[string]string {
	w.t.Helper()
	const batch = 100
	random := rand.New(rand.NewPCG(8, 317))
	bodies := map[string]string{}
	for range n / batch {
		invites := make([]*store.Invite, batch)
		for i := range invites {
			in := w.newInvite()
			in.CandidateName, in.Metadata = unusualText(random, 40), map[string]string{}
			for key := range random.IntN(20) {
				in.Metadata[strconv.Itoa(key)+unusual[random.IntN(len(unusual))]] = unusualText(random, 100)
			}
			invites[i] = &in
		}
		_, err := w.store.BulkCreatePublicCandidateSessions(w.t.Context(), w.scope, store.BulkInvite{Invites: invites})
		w.must(err)
		events, _, err := w.store.ListEvents(w.t.Context(), w.scope, store.EventFilter{}, store.Page{Limit: batch})
		w.must(err)
		for _, event := range events {
			if !json.Valid([]byte(event.Body)) {
				w.t.Fatalf("not JSON: %s", event.Body)
			}
			bodies[event.ID] = event.Body
		}
	}
	if len(bodies) != n {
		w.t.Fatalf("%d events, want %d", len(bodies), n)
	}
	return bodies
}

// TestBodyBytes checks that a receiver gets the bytes of the event log at the
// first attempt, at a retry, and at a redelivery.
func TestBodyBytes(t *testing.T) {
	const payloads = 1000
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			if n <= payloads {
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		endpoint, secret := w.endpoint(r.URL)
		bodies := w.inviteInBulk(payloads)
		w.dispatch()
		first := w.expectAll(r, secret, bodies)
		eventually(t, func() bool {
			return w.retrieve(endpoint.ID).ConsecutiveFailures >= payloads && w.attempted(endpoint.ID, 1)
		})
		w.clock.Advance(33 * time.Second) // the wait with all of its jitter
		second := w.expectAll(r, secret, bodies)
		eventually(t, func() bool { return w.pending() == 0 })

		for _, delivery := range w.deliveries(endpoint.ID, "") {
			if delivery.Status != store.DeliverySucceeded || delivery.AttemptCount != 2 {
				t.Fatalf("%s is %s after %d attempts", delivery.ID, delivery.Status, delivery.AttemptCount)
			}
			_, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, delivery.ID)
			w.must(err)
		}
		redelivered := w.expectAll(r, secret, bodies)
		for event, delivery := range first {
			if second[event] != delivery || redelivered[event] == delivery {
				t.Errorf("delivery %s, retried as %s, redelivered as %s", delivery, second[event], redelivered[event])
			}
		}
	})
}

// expectAll waits for each event once and returns the delivery id of each.
func (w *world) expectAll(r *receiver, secret string, bodies map[string]string) map[string]string {
	w.t.Helper()
	deliveries := map[string]string{}
	for range bodies {
		got := r.next()
		event := got.header.Get("webhook-id")
		if deliveries[event] != "" {
			w.t.Errorf("%s arrived twice", event)
		}
		deliveries[event] = got.header.Get("X-Service-Delivery")
		if bodies[event] != string(got.body) {
			w.t.Errorf("%s: sent\n%s\nwant\n%s", event, got.body, bodies[event])
		}
		checkServiceSignature(w.t, secret, got)
		checkStandardSignature(w.t, secret, got)
	}
	return deliveries
}

// TestSecretRotation checks which secret signs before and after it becomes active.
func TestSecretRotation(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 2 {
				w.WriteHeader(http.StatusInternalServerError) // this delivery has attempts before and after the change
			}
		})
		endpoint, first := w.endpoint(r.URL)
		w.dispatch()
		rotate := func(delay time.Duration) string {
			rotated, err := w.store.RotateWebhookSecret(t.Context(), w.scope, endpoint.ID, nil, delay)
			w.must(err)
			if want := w.store.Now().Add(delay); !rotated.ActivatesAt.Equal(want) {
				t.Errorf("activates at %s, want %s", rotated.ActivatesAt, want)
			}
			return rotated.Secret
		}
		// next is the secret of a rotation that goes on, or "".
		expect := func(secret, next, when string) {
			t.Helper()
			got := r.next()
			if !signedBy(secret, got) {
				t.Errorf("%s: signed with another secret", when)
			}
			checkStandardSignature(t, secret, got)
			if next != "" {
				checkStandardSignature(t, next, got)
			}
			signatures := len(strings.Fields(got.header.Get("webhook-signature")))
			if want := 1 + len(next)/max(1, len(next)); signatures != want {
				t.Errorf("%s: %d signatures in webhook-signature, want %d", when, signatures, want)
			}
			eventually(t, func() bool { return w.attempted(endpoint.ID, 1) })
		}
		second := rotate(30 * time.Second)
		w.invite()
		expect(first, second, "before the change")
		w.invite()
		expect(first, second, "before the change, failing")
		detail := w.settled(endpoint.ID, 1)
		w.advanceTo(detail.Delivery.NextAttemptAt.Time)
		expect(second, "", "retry after the change")
		eventually(t, func() bool { return w.pending() == 0 })
		w.invite()
		expect(second, "", "after the change")

		never := rotate(time.Hour)
		w.clock.Advance(59 * time.Minute)
		w.invite()
		expect(second, never, "before the next change")
		third := rotate(time.Hour) // replaces the one that is not active yet
		w.clock.Advance(59 * time.Minute)
		w.invite()
		expect(second, third, "when the replaced secret would have become active")
		w.clock.Advance(time.Minute)
		w.invite()
		expect(third, "", "after the change")
		immediate := rotate(0)
		w.invite()
		expect(immediate, "", "after an immediate change")
		if len(map[string]bool{first: true, second: true, never: true, third: true, immediate: true}) != 5 {
			t.Error("a secret was generated twice")
		}
	})
}

// TestSecretRotationAfterClaim checks that a delivery claimed before a rotation
// and sent after it is signed with the new secret.
func TestSecretRotationAfterClaim(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		release := make(chan struct{})
		r := w.receiver(func(n int, _ http.ResponseWriter, _ *http.Request) {
			if n == 2 {
				<-release
			}
		})
		endpoint, first := w.endpoint(r.URL)
		w.dispatch(func(o *webhooks.Options) { o.PerEndpoint = 1 })
		w.invite()
		r.next() // after a fast response the dispatcher claims ahead
		w.settled(endpoint.ID, 1)
		rotated, err := w.store.RotateWebhookSecret(t.Context(), w.scope, endpoint.ID, nil, time.Second)
		w.must(err)
		w.invite()
		held := r.next()
		w.invite()
		eventually(t, func() bool { return w.leased(endpoint.ID) == 2 })
		w.advanceTo(rotated.ActivatesAt)
		close(release)
		if !signedBy(first, held) {
			t.Error("the delivery sent before the change is signed with another secret")
		}
		if !signedBy(rotated.Secret, r.next()) {
			t.Error("the delivery sent after the change is signed with another secret")
		}
	})
}

// TestKnownSignatures uses published examples: for Standard Webhooks that of its
// libraries' tests (github.com/standard-webhooks/standard-webhooks).
func TestKnownSignatures(t *testing.T) {
	got := webhooks.StandardSignature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
		time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
	key := base64.StdEncoding.EncodeToString([]byte(plainSecret))
	at := time.Unix(1, 0)
	plain := webhooks.StandardSignature(plainSecret, "m", at, nil)
	encoded := webhooks.StandardSignature("whsec_"+key, "m", at, nil)
	if plain != encoded {
		t.Error("the key of a plain secret is not its bytes")
	}

	got = webhooks.Signature("key", []byte("The quick brown fox jumps over the lazy dog"))
	if want := "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}
