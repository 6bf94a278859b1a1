package contract

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// serveDirectly passes a request to the server without net/http, which would reject it.
func (a *api) serveDirectly(r *http.Request) response {
	a.t.Helper()
	received := httptest.NewRequest(r.Method, r.URL.RequestURI(), r.Body)
	received.Header, received.ContentLength = r.Header, r.ContentLength
	answer := httptest.NewRecorder()
	a.server.ServeHTTP(answer, received)
	name := r.Method + " " + r.URL.Path + " (direct)"
	if err := contract().check(r, answer.Code, answer.Header(), answer.Body.Bytes()); err != nil {
		a.t.Errorf("%s: %d does not conform to openapi.yaml: %v\n%s", name, answer.Code, err, answer.Body)
	}
	return response{t: a.t, name: name, status: answer.Code, header: answer.Header(), body: answer.Body.Bytes()}
}

// A rejected request changes nothing, so the server does not store its outcome. The key
// can then be used for a corrected request.
func TestRejectedRequestsAreNotStored(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		const key = "corrected"
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			right := e.call(o, c)
			for _, test := range c.refused {
				wrong := right
				if test.change != nil {
					wrong = right.with(test.change(e))
				}
				if test.before != nil {
					test.before(e)
				}
				made := e.timesDone(c)
				for range 2 {
					e.sendWithKey(a, wrong, key).isRefused(test.status, test.code)
				}
				if got := e.timesDone(c); got != made {
					t.Errorf("%s: rejected with %s, but it created something", o.id, test.code)
				}
				if test.after != nil {
					test.after(e)
				}
			}

			if o.body != nil {
				e.sendWithKey(a, right.with(object{"unknownField": 1}), key).isRefused(400, "invalid_request")
				large := right
				large.body = strings.Repeat(" ", o.maxBody+1)
				e.sendWithKey(a, large, key).isRefused(413, "payload_too_large")
			}

			if o.hasPathParameter() {
				unknown := right
				unknown.path = e.at(o, a.unknownID(o.collection()))
				e.sendWithKey(a, unknown, key).isRefused(404, "not_found")
			}

			first := e.sendWithKey(a, right, key).done()
			e.sendWithKey(a, right, key).replays(first)
		})
	})
}

// Keys are compared byte by byte. The test uses the shortest and longest keys, and keys
// that a database could change or confuse.
func TestIdempotencyKeysAreComparedExactly(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		o, c := described{id: "createApiKey", method: "POST", path: "/v1/api-keys", scheme: "bearerAuth"},
			idempotentCases["createApiKey"]
		made := e.call(o, c)
		ids := map[string]string{}
		for _, key := range []string{
			"!", "~", strings.Repeat("k", 254), strings.Repeat("k", 255), "a b", "a  b", "a%20b", "A B", "a\\x00b",
			"'; DROP TABLE idempotency_keys; --", "%", "null", "0", "00",
		} {
			first := e.sendWithKey(a, made, key).done()
			e.sendWithKey(a, made, key).replays(first)
			if other := ids[first.text("data.id")]; other != "" {
				t.Errorf("the keys %q and %q are treated as the same key", key, other)
			}
			ids[first.text("data.id")] = key
		}
	})
}

// A key is valid for exactly 24 hours. After that it can be used for another request,
// and the purge removes it.
func TestIdempotencyKeyExpiry(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		const key = "for a day"
		calls, first := map[string]call{}, map[string]response{}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			calls[o.id] = e.call(o, c)
			first[o.id] = e.sendWithKey(a, calls[o.id], key).done()
		})
		began := a.clock.Now()
		purge := func() int {
			t.Helper()
			if err := storetest.Purge(t.Context(), a.store, 30*24*time.Hour); err != nil {
				t.Fatal(err)
			}
			return storetest.Count(t, a.database, "idempotency_keys")
		}
		a.setClock(began.Add(24*time.Hour - time.Millisecond))
		e.signIn()
		if kept := purge(); kept != len(calls) {
			t.Errorf("a millisecond before expiry, %d keys are stored, want %d", kept, len(calls))
		}
		everyIdempotentOperation(t, func(o described, _ idempotentCase) {
			e.sendWithKey(a, calls[o.id], key).replays(first[o.id])
		})

		a.setClock(began.Add(24*time.Hour + time.Second))
		again := map[string]response{}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			if o.body != nil {
				calls[o.id] = calls[o.id].with(c.another()) // rejected if the key is still valid
			}
			again[o.id] = e.sendWithKey(a, calls[o.id], key).done()
		})

		everyIdempotentOperation(t, func(o described, _ idempotentCase) {
			e.sendWithKey(a, calls[o.id], key).replays(again[o.id])
		})
		if kept := purge(); kept != len(calls) {
			t.Errorf("%d of %d keys that were used again are stored", kept, len(calls))
		}

		a.clock.Advance(24*time.Hour + time.Second)
		e.signIn()
		if kept := purge(); kept != 0 {
			t.Errorf("%d keys are stored after their expiry", kept)
		}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			if o.body != nil {
				calls[o.id] = calls[o.id].with(c.another())
			}
			e.sendWithKey(a, calls[o.id], key).done()
		})
	})
}

// secretsOf returns the fields of a response that contain a secret or personal data.
func secretsOf(r response) map[string]string {
	r.t.Helper()
	data, _ := r.at("data").(object)
	if rows, is := data["rows"].([]any); is {
		data = rows[0].(object)["session"].(object)
	}
	found := map[string]string{}
	for _, name := range []string{"key", "secret", "accessToken", "refreshToken", "invitationUrl", "inviteUrl",
		"candidateEmail", "candidateName"} {
		if text, is := data[name].(string); is {
			found[name] = text[strings.Index(text, "#")+1:] // for a link, its token
		}
	}
	return found
}

// containsSecret reports whether stored contains the secret as plain text, hexadecimal
// or Base64.
func containsSecret(stored, secret string) bool {
	plain := []byte(secret)
	return slices.ContainsFunc([]string{
		secret, hex.EncodeToString(plain), strings.ToUpper(hex.EncodeToString(plain)),
		strings.TrimRight(base64.StdEncoding.EncodeToString(plain), "=")[:len(plain)],
		strings.TrimRight(base64.URLEncoding.EncodeToString(plain), "=")[:len(plain)],
	}, func(form string) bool { return strings.Contains(stored, form) })
}

// A stored outcome must not be readable in the database. Secrets that a response shows
// once are nowhere in the database. Candidate data is in the session, but not in the
// stored outcome.
func TestStoredOutcomesAreEncrypted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		answers := []response{}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			answers = append(answers, e.sendWithKey(a, e.call(o, c), "4cc2b6f5-6f4b-4f0b-9d9e-3d1f6f7f2a10").done())
			if o.id == "createWebhook" {
				given := e.call(o, c).with(object{"secret": "a-secret-of-one's-own"})
				answers = append(answers, e.sendWithKey(a, given, "given").done())
			}
		})

		all, kept := storetest.Contents(t, a.database), storetest.Contents(t, a.database, "idempotency_keys")
		searched := map[string]int{}
		for _, answer := range answers {
			for name, secret := range secretsOf(answer) {
				searched[name]++
				ofCandidate := strings.HasPrefix(name, "candidate") // sessions contain it, so the search must find it
				if name != "inviteUrl" && ofCandidate != containsSecret(all, secret) {
					t.Errorf("%s: the database contains the %s %q: %v", answer.name, name, secret, !ofCandidate)
				}
				if containsSecret(kept, secret) {
					t.Errorf("%s: the stored outcome contains the %s %q", answer.name, name, secret)
				}
			}
		}

		if len(searched) != 8 || searched["secret"] != 5 || searched["candidateEmail"] != 8 {
			t.Fatalf("the responses contain only these secrets: %v", searched)
		}
		for _, text := range []string{"4cc2b6f5", "given", testPassword, "someone"} {
			if containsSecret(kept, text) {
				t.Errorf("the table of keys contains %q", text)
			}
		}
	})
}

// The fingerprint of a request depends on the key. Otherwise an attacker who can read
// the database could verify a guessed password or email address.
func TestFingerprintsDifferPerKey(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		o, c := described{id: "createApiKey", method: "POST", path: "/v1/api-keys", scheme: "bearerAuth"},
			idempotentCases["createApiKey"]
		made := e.call(o, c)
		for _, key := range []string{"one", "two", "three"} {
			e.sendWithKey(a, made, key).done()
		}
		prints := storetest.Column(t, a.database, "idempotency_keys", "fingerprint")
		slices.Sort(prints)
		if distinct := len(slices.Compact(prints)); distinct != 3 {
			t.Errorf("the same request with three keys has %d different fingerprints, want 3", distinct)
		}
	})
}

// Erasure removes the stored outcomes about the session. The keys stay stored, so that
// the requests are not executed again.
func TestErasedOutcomes(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		email := newEmail()
		invite := object{"assessmentId": e.of("assessments")[1], "candidateName": "Grace Hopper", "candidateEmail": email}
		another := inviteOf(e)
		var calls []call
		for _, made := range []call{
			{described{method: "POST", scheme: "bearerAuth"}, "/v1/candidate-sessions", invite},
			{described{method: "POST", scheme: "apiKeyAuth"}, "/v1/public/candidate-sessions", invite},
			{described{method: "POST", scheme: "apiKeyAuth"}, "/v1/public/candidate-sessions/bulk",
				object{"rows": []any{another, invite}}},
		} {
			e.sendWithKey(a, made, "erased").done()
			calls = append(calls, made)
		}
		kept := call{described{method: "POST", scheme: "apiKeyAuth"}, "/v1/public/candidate-sessions/bulk",
			object{"rows": []any{another}}}
		first := e.sendWithKey(a, kept, "kept").done()
		id := a.do("GET", "/v1/candidate-sessions?candidateEmail="+email, e.owner, nil).want(200).text("data.0.id")
		a.do("DELETE", "/v1/candidate-sessions/"+id+"/candidate-data", e.owner, nil).want(204)
		made := len(e.listIDs("/v1/candidate-sessions?limit=100"))

		for _, again := range calls {
			refused := e.sendWithKey(a, again, "erased").want(422, "idempotency_key_reused")
			if !strings.Contains(refused.text("detail"), "erased") {
				t.Errorf("%s: the detail does not mention the erasure: %s", refused.name, refused.text("detail"))
			}
			again.body = object{"assessmentId": e.of("assessments")[1], "candidateName": "Another", "candidateEmail": email}
			if again.path == kept.path {
				again.body = object{"rows": []any{again.body}}
			}
			e.sendWithKey(a, again, "erased").want(422, "idempotency_key_reused")
		}

		e.sendWithKey(a, kept, "kept").replays(first)
		if got := len(e.listIDs("/v1/candidate-sessions?limit=100")); got != made {
			t.Errorf("%d sessions, want %d", got, made)
		}
		outcomes := storetest.Column(t, a.database, "idempotency_keys", "COALESCE(LENGTH(outcome), 0)")
		if slices.Index(outcomes, "0") < 0 {
			t.Errorf("no outcome is empty; their lengths are %v", outcomes)
		}
	})
}

// A request can store an outcome about a session while the session is erased. The
// erasure waits for this request, so that it removes the outcome too.
func TestErasureWaitsForOutcomes(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
	o := a.register()
	assessmentID := o.publish(oneQuestion())
	body := object{"assessmentId": assessmentID, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com"}
	id := a.do("POST", "/v1/candidate-sessions", o.owner, body).want(201).text("data.id")
	e := estate{cast: &cast{tenant: o}}
	again := call{described{method: "POST", scheme: "bearerAuth"}, "/v1/candidate-sessions", body}

	release := storetest.Delay(t, address, "idempotency_keys")
	repeated, erased := make(chan response, 1), make(chan response, 1)
	go func() { repeated <- e.sendWithKey(a, again, "meanwhile") }()
	storetest.AwaitLocks(t, address, 1)
	go func() { erased <- a.do("DELETE", "/v1/candidate-sessions/"+id+"/candidate-data", o.owner, nil) }()
	storetest.AwaitLocks(t, address, 2)
	release()
	(<-repeated).want(200).done()
	(<-erased).want(204)
	e.sendWithKey(a, again, "meanwhile").want(422, "idempotency_key_reused")
}

// A replay to another member of the organization requires the same role as the original
// request.
func TestReplayRequiresRole(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		admin := e.member("ADMIN")
		add := call{described{method: "POST", scheme: "bearerAuth"}, "/v1/members",
			object{"name": "Dorothy", "email": newEmail(), "role": "OWNER"}}
		first := e.sendWithKey(a, add, "an owner").done()
		asOwner := e.access
		e.access = admin.access
		e.sendWithKey(a, add, "an owner").isRefused(403, "insufficient_role")
		e.access = asOwner
		e.sendWithKey(a, add, "an owner").replays(first)
	})
}
