package contract

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// onServer returns the estate with another server on the same database, and signs in
// there.
func (e estate) onServer(to *api) estate {
	e.api.t.Helper()
	e.cast = e.through(to)
	e.signIn()
	return e
}

const anotherSecret = "another-secret-another-secret-another"

// signed are the response fields with signed tokens. A replay signs them again, with the
// current master secret.
var signed = []string{"accessToken", "refreshToken", "inviteUrl", "url"}

// withoutTokens removes the signed tokens from a body and returns them by field.
func withoutTokens(t *testing.T, body []byte) (rest string, tokens map[string]string) {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	tokens = map[string]string{}
	removeTokens(value, tokens)
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded), tokens
}

// removeTokens moves the tokens in value to tokens.
func removeTokens(value any, tokens map[string]string) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range signed {
			if token, is := v[name].(string); is && (name != "url" || strings.Contains(token, store.ResultPath+"?")) {
				tokens[name] = token[strings.Index(token, "#")+1:]
				v[name] = ""
			}
		}

		for _, member := range v {
			removeTokens(member, tokens)
		}
	case []any:
		for _, item := range v {
			removeTokens(item, tokens)
		}
	}
}

// After a rotation of the master secret, a server that has the old secret too can still
// replay stored outcomes. It signs their tokens with the new secret. A server without the
// old secret cannot read the outcomes, but still does not execute a request twice.
func TestReplayAfterMasterSecretRotation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		a := serve(t, storetest.OpenURL(t, address, clock.Now), clock)
		b := serve(t, storetest.OpenSecret(t, address, clock.Now, anotherSecret, storetest.Secret), clock)
		c := serve(t, storetest.OpenSecret(t, address, clock.Now, anotherSecret), clock)
		const key = "before the change"
		before := a.idempotencyEstate()
		calls, first := map[string]call{}, map[string]response{}
		everyIdempotentOperation(t, func(o described, oc idempotentCase) {
			calls[o.id] = before.call(o, oc)
			first[o.id] = before.sendWithKey(a, calls[o.id], key).done()
		})

		after := before.onServer(b)
		state := after.readAll()
		everyIdempotentOperation(t, func(o described, oc idempotentCase) {
			again := after.sendWithKey(b, calls[o.id], key)
			if first[o.id].shownID() != "" {
				again.replays(first[o.id])
				return
			}
			rest, tokens := withoutTokens(t, again.body)
			want, old := withoutTokens(t, first[o.id].body)
			if again.status != first[o.id].status || rest != want || len(tokens) != len(old) ||
				again.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: %d %s\nfirst response %d %s", again.name, again.status, again.body, first[o.id].status,
					first[o.id].body)
			}

			for _, usable := range []map[string]string{tokens, old} {
				// The link of one resend is replaced by the other resend, of the same session.
				if token := usable["inviteUrl"]; token != "" && o.id != "resendPublicCandidateSession" {
					b.do("GET", "/v1/candidate/session", bearer(token), nil).want(200)
				}
				if link := usable["url"]; link != "" {
					b.visit("192.0.2.1", link, nil, "User-Agent", "Bot").want(200) // counts as no opening
				}
				if token := usable["accessToken"]; token != "" {
					b.me(token).want(200)
				}
			}

			if token := tokens["refreshToken"]; token != "" {
				b.refresh(token).want(200)
			}
			if o.body != nil {
				after.sendWithKey(b, calls[o.id].with(oc.another()), key).isRefused(422, "idempotency_key_reused")
			}
		})

		if now := after.readAll(); now != state {
			t.Errorf("a repeated request changed the data from\n%s\nto\n%s", state, now)
		}

		lost := before.onServer(c)
		state = lost.readAll()
		everyIdempotentOperation(t, func(o described, oc idempotentCase) {
			lost.sendWithKey(c, calls[o.id], key).isRefused(422, "idempotency_key_reused")
			if o.body != nil {
				lost.sendWithKey(c, calls[o.id].with(oc.another()), key).isRefused(422, "idempotency_key_reused")
			}
		})

		if now := lost.readAll(); now != state {
			t.Errorf("without the old secret, a repeated request changed the data from\n%s\nto\n%s", state, now)
		}
		everyIdempotentOperation(t, func(o described, oc idempotentCase) {
			lost.sendWithKey(c, lost.call(o, oc), "another key").done()
		})
		clock.Advance(24*time.Hour + time.Second)
		lost.signIn()
		everyIdempotentOperation(t, func(o described, oc idempotentCase) {
			if o.body != nil {
				calls[o.id] = calls[o.id].with(oc.another())
			}
			lost.sendWithKey(c, calls[o.id], key).done()
		})
	})
}
