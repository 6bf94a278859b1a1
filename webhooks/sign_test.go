package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"assay/store"
	"assay/store/storetest"
	"assay/webhooks"
)

const plainSecret = "a-plain-secret-of-the-receiver's+/="

// checkService recomputes X-Service-Signature from the raw bytes, as the
// interface tells receivers to.
func checkService(t testing.TB, secret string, got received) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(got.body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); got.header.Get("X-Service-Signature") != want {
		t.Errorf("X-Service-Signature is %q, not %q", got.header.Get("X-Service-Signature"), want)
	}
}

// checkStandard verifies with the published library of Standard Webhooks; the
// time is compared with the clock by hand, which may be far from the present.
func checkStandard(t testing.TB, secret string, got received) {
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
		t.Error("an altered body is verified")
	}
	if stamp := got.header.Get("webhook-timestamp"); stamp != strconv.FormatInt(got.at.Unix(), 10) {
		t.Errorf("webhook-timestamp is %s at %d", stamp, got.at.Unix())
	}
}

// signedBy reports whether the request carries the secret's signature.
func signedBy(secret string, got received) bool {
	return got.header.Get("X-Service-Signature") == webhooks.Signature(secret, got.body)
}

// awkward are pieces of text that serializers, databases and proxies treat differently.
var awkward = []string{
	"<script>&amp;</script>", "\u2028", "\u2029", "👩🏽‍🚀", "🇨🇭", "\"", "\\", "'", "/", "\t", "\n", "\r\n", "\x01", "\x1f", "\x7f", "\u0085",
	"\u200b", "\ufeff", "é", "e\u0301", "漢字", "\U0010ffff", "\ufffd", " ", "null", "{}", "%00", "\\u0000", "&lt;", "a",
}

func awkwardText(random *rand.Rand, most int) string {
	var text strings.Builder
	for range 1 + random.IntN(most) {
		text.WriteString(awkward[random.IntN(len(awkward))])
	}
	return text.String()
}

// TestBytes: what a receiver gets is what the event log holds, byte for byte,
// at the first attempt, at the next one, and when it is delivered again.
func TestBytes(t *testing.T) {
	const payloads = 1000
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			if n <= payloads {
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		endpoint, secret := w.endpoint(r.URL)
		random := rand.New(rand.NewPCG(8, 317))
		bodies := map[string]string{}
		for range payloads {
			event := w.invite(func(in *store.Invite) {
				in.CandidateName = awkwardText(random, 40)
				in.Metadata = map[string]string{}
				for key := range random.IntN(20) {
					in.Metadata[strconv.Itoa(key)+awkward[random.IntN(len(awkward))]] = awkwardText(random, 100)
				}
			})
			if !json.Valid([]byte(event.Body)) {
				t.Fatalf("not JSON: %s", event.Body)
			}
			bodies[event.ID] = event.Body
		}
		w.dispatch()
		firstDelivery := w.expectAll(r, secret, bodies)
		eventually(t, func() bool { return w.retrieve(endpoint.ID).ConsecutiveFailures >= payloads && w.tried(endpoint.ID, 1) })
		w.clock.Advance(33 * time.Second)
		secondAttempt := w.expectAll(r, secret, bodies)
		eventually(t, func() bool { return w.pending() == 0 })
		for _, delivery := range w.deliveries(endpoint.ID) {
			if delivery.Status != store.DeliverySucceeded || delivery.AttemptCount != 2 {
				t.Fatalf("%s is %s after %d attempts", delivery.ID, delivery.Status, delivery.AttemptCount)
			}
			_, err := w.store.RedeliverDelivery(t.Context(), w.scope, endpoint.ID, delivery.ID)
			w.must(err)
		}
		redelivered := w.expectAll(r, secret, bodies)
		for event, delivery := range firstDelivery {
			if secondAttempt[event] != delivery || redelivered[event] == delivery {
				t.Errorf("delivery %s, at the second attempt %s, redelivered %s", delivery, secondAttempt[event], redelivered[event])
			}
		}
	})
}

// tried reports whether each of the endpoint's deliveries has made so many
// attempts. Before that the clock must not move: it would end their leases.
func (w *world) tried(webhookID string, attempts int) bool {
	w.t.Helper()
	for _, delivery := range w.deliveries(webhookID) {
		if delivery.AttemptCount < attempts {
			return false
		}
	}
	return true
}

// pending is how many deliveries are in the queue.
func (w *world) pending() int64 {
	w.t.Helper()
	backlog, err := w.store.UnscopedBacklog(w.t.Context())
	w.must(err)
	return backlog.Pending
}

// expectAll waits for each of the events once, and returns the delivery of each.
func (w *world) expectAll(r *receiver, secret string, bodies map[string]string) map[string]string {
	w.t.Helper()
	deliveries := map[string]string{}
	for range bodies {
		got := r.next()
		event := got.header.Get("webhook-id")
		if deliveries[event] != "" {
			w.t.Errorf("%s came twice", event)
		}
		deliveries[event] = got.header.Get("X-Service-Delivery")
		if bodies[event] != string(got.body) {
			w.t.Errorf("%s: sent\n%s\nnot\n%s", event, got.body, bodies[event])
		}
		checkService(w.t, secret, got)
		checkStandard(w.t, secret, got)
	}
	return deliveries
}

func TestRotation(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		r := w.receiver(func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 2 {
				w.WriteHeader(http.StatusInternalServerError) // so that a delivery has an attempt on either side of the change
			}
		})
		endpoint, first := w.endpoint(r.URL)
		w.dispatch()
		rotate := func(delay time.Duration) string {
			rotated, err := w.store.RotateWebhookSecret(t.Context(), w.scope, endpoint.ID, nil, delay)
			w.must(err)
			if want := w.store.Now().Add(delay); !rotated.ActivatesAt.Equal(want) {
				t.Errorf("activates at %s, not %s", rotated.ActivatesAt, want)
			}
			return rotated.Secret
		}
		expect := func(secret, when string) {
			t.Helper()
			got := r.next()
			if !signedBy(secret, got) {
				t.Errorf("%s: signed with another secret", when)
			}
			checkStandard(t, secret, got)
			eventually(t, func() bool { return w.tried(endpoint.ID, 1) })
		}
		second := rotate(30 * time.Second)
		w.invite()
		expect(first, "before the change")
		w.invite()
		expect(first, "before the change, to fail")
		detail := w.settled(endpoint.ID, 1)
		w.advanceTo(detail.Delivery.NextAttemptAt.Time)
		expect(second, "the next attempt, after the change")
		eventually(t, func() bool { return w.pending() == 0 })
		w.invite()
		expect(second, "after the change")

		never := rotate(time.Hour)
		w.clock.Advance(59 * time.Minute)
		w.invite()
		expect(second, "before the next change")
		third := rotate(time.Hour) // takes the place of the one that has not begun
		w.clock.Advance(59 * time.Minute)
		w.invite()
		expect(second, "where the one replaced would have signed")
		w.clock.Advance(time.Minute)
		w.invite()
		expect(third, "after the change")
		at := rotate(0)
		w.invite()
		expect(at, "at once")
		if len(map[string]bool{first: true, second: true, never: true, third: true, at: true}) != 5 {
			t.Error("a secret was made twice")
		}
	})
}

// TestRotationWhileWaiting: a delivery that was claimed before the change and
// sent after it is signed with what is active when it is sent.
func TestRotationWhileWaiting(t *testing.T) {
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
		r.next() // answered at once, from now on the dispatcher claims ahead
		w.settled(endpoint.ID, 1)
		rotated, err := w.store.RotateWebhookSecret(t.Context(), w.scope, endpoint.ID, nil, time.Second)
		w.must(err)
		w.invite()
		held := r.next()
		w.invite()
		eventually(t, func() bool { // claimed: it shows when its lease ends
			waiting := w.deliveries(endpoint.ID)[0]
			return waiting.NextAttemptAt != nil && waiting.NextAttemptAt.After(waiting.CreatedAt.Time)
		})
		w.advanceTo(rotated.ActivatesAt)
		close(release)
		if !signedBy(first, held) {
			t.Error("the one sent before the change is signed with another secret")
		}
		if !signedBy(rotated.Secret, r.next()) {
			t.Error("the one sent after the change is signed with the old secret")
		}
	})
}

// delivered is a request in the form that the verifiers in other languages read.
type delivered struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"` // in base64
}

// standardLibrary is the npm library of Standard Webhooks, at one exact version.
const standardLibrary = "standardwebhooks@1.1.1"

const nodeVerifier = `
const {Webhook} = require("standardwebhooks");
let refused = 0;
for (const d of JSON.parse(require("fs").readFileSync("deliveries.json"))) {
	const verifier = d.secret.startsWith("whsec_") ? new Webhook(d.secret) : new Webhook(d.secret, {format: "raw"});
	const body = Buffer.from(d.body, "base64");
	if (verifier.verify(body, d.headers).id !== d.headers["webhook-id"]) throw new Error("another event");
	try { verifier.verify(Buffer.concat([body, Buffer.from(" ")]), d.headers) } catch { refused++ }
}
console.log("refused", refused);`

// pythonVerifier is what a receiver without any library writes.
const pythonVerifier = `
import base64, hashlib, hmac, json
refused = 0
def verify(secret, headers, body):
    plain = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    standard = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return (hmac.compare_digest("sha256=" + plain, headers["x-service-signature"]),
            hmac.compare_digest("v1," + standard, headers["webhook-signature"]))
for d in json.load(open("deliveries.json")):
    body = base64.b64decode(d["body"])
    assert verify(d["secret"], d["headers"], body) == (True, True) and json.loads(body)["id"] == d["headers"]["webhook-id"]
    refused += verify(d["secret"], d["headers"], body + b" ") == (False, False)
print("refused", refused)`

// TestForeignVerifiers: receivers in other languages verify what is sent.
func TestForeignVerifiers(t *testing.T) {
	var all []delivered
	for _, database := range storetest.Databases {
		t.Run(database, func(t *testing.T) { all = append(all, recorded(newWorld(t, database))...) })
	}
	content, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "deliveries.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("refused %d\n", len(all))
	if got := command(t, dir, "Python 3", "python3", "-c", pythonVerifier); got != want {
		t.Errorf("python3: %s", got)
	}
	command(t, dir, "Node.js with npm", "npm", "install", "--no-audit", "--no-fund", standardLibrary)
	if got := command(t, dir, "Node.js", "node", "-e", nodeVerifier); got != want {
		t.Errorf("node: %s", got)
	}
}

// recorded delivers awkward events to receivers with either kind of secret.
func recorded(w *world) []delivered {
	w.t.Helper()
	r := w.receiver(status(200))
	secrets := map[string]string{}
	for i, given := range [][]string{nil, {plainSecret}, {"whsec_" + base64.StdEncoding.EncodeToString([]byte("short"))}} {
		path := fmt.Sprintf("/%d", i)
		_, secrets[path] = w.endpoint(r.URL+path, given...)
	}
	w.dispatch()
	random := rand.New(rand.NewPCG(1, 1))
	var all []delivered
	for range 10 {
		w.invite(func(in *store.Invite) { in.CandidateName = awkwardText(random, 40) })
		for range secrets {
			got := r.next()
			checkStandard(w.t, secrets[got.path], got)
			headers := map[string]string{}
			for name := range got.header {
				headers[strings.ToLower(name)] = got.header.Get(name)
			}
			all = append(all, delivered{Secret: secrets[got.path], Headers: headers, Body: got.body})
		}
	}
	return all
}

// command runs a program that the test needs, and fails when it is missing.
func command(t *testing.T, dir, what, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is not on the PATH: install %s", name, what)
	}
	run := exec.CommandContext(t.Context(), name, args...)
	run.Dir = dir
	out, err := run.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s%s", name, err, out, exit.Stderr)
		}
		t.Fatal(err)
	}
	return string(out)
}

func TestStandardSignatureKnown(t *testing.T) {
	// The example of the specification: github.com/standard-webhooks/standard-webhooks, libraries' tests.
	got := webhooks.StandardSignature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek",
		time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	key := base64.StdEncoding.EncodeToString([]byte(plainSecret))
	if webhooks.StandardSignature(plainSecret, "m", time.Unix(1, 0), nil) != webhooks.StandardSignature("whsec_"+key, "m", time.Unix(1, 0), nil) {
		t.Error("a plain secret's key is not its bytes")
	}
	if got := webhooks.Signature("key", []byte("The quick brown fox jumps over the lazy dog")); got != fmt.Sprintf("sha256=%s",
		"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8") {
		t.Error(got)
	}
}
