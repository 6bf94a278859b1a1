package contract

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"assay/store/storetest"
)

// A request with an Idempotency-Key is executed once. These tests call every operation
// that accepts the header. All that they know about an operation is in idempotentCases.

// idempotencyEstate returns an estate with at least two resources of each kind that
// idempotentCases use.
func (a *api) idempotencyEstate() estate {
	a.t.Helper()
	e := a.estate()
	e.ids["webhooks"] = append(e.ids["webhooks"], e.webhook())
	e.ids["members"] = []string{e.add("MEMBER").text("data.id"), e.add("MEMBER").text("data.id")}
	limited := e.publish(timed(10_080, 0))
	for range 2 {
		e.ids["invited"] = append(e.ids["invited"], e.tenant.invite(limited).text("data.id"))
		e.ids["started"] = append(e.ids["started"], e.begin(limited).id)
	}
	return e
}

// call is a request that can be sent several times.
type call struct {
	o    described
	path string
	body any // nil for a request without a body
}

// call returns a call that succeeds.
func (e estate) call(o described, c idempotentCase) call {
	e.api.t.Helper()
	made := call{o: o, path: o.path}
	if o.hasPathParameter() {
		made.path = e.at(o, e.of(cmp.Or(c.resources, o.collection()))[0])
	}
	switch {
	case c.body != nil:
		made.body = c.body(e)
	case o.fileType != "":
		made.body = sampleFile(e.api.t, o.fileType)
	}
	return made
}

// with returns the call with changed fields in its body.
func (c call) with(fields object) call {
	if c.o.body != nil {
		body := maps.Clone(c.body.(object))
		maps.Copy(body, fields)
		c.body = body
	}

	return c
}

// forOtherResource returns the call for another resource.
func (c call) forOtherResource(e estate) call {
	for _, ids := range e.ids {
		if len(ids) > 1 && strings.Contains(c.path, "/"+ids[0]+"/") {
			c.path = strings.Replace(c.path, "/"+ids[0]+"/", "/"+ids[1]+"/", 1)
			break
		}
	}
	return c
}

// sendWithKey sends a call to a replica, with the given Idempotency-Key headers.
func (e estate) sendWithKey(to *api, c call, keys ...string) response {
	e.api.t.Helper()
	return to.send(e.request(to, c, keys...))
}

func (e estate) request(to *api, c call, keys ...string) *http.Request {
	e.api.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), c.o.method, to.url+c.path, nil)
	if err != nil {
		e.api.t.Fatal(err)
	}
	if c.body != nil {
		text, is := c.body.(string)
		if !is {
			encoded, err := json.Marshal(c.body)
			if err != nil {
				e.api.t.Fatal(err)
			}
			text = string(encoded)
		}

		setBody(r, text)
	}
	if c.o.fileType != "" {
		r.Header.Set("Content-Type", c.o.fileType)
	}

	if who := e.right(c.o); who != anonymous {
		r.Header.Set(who.header, who.value)
	}
	r.Header["Idempotency-Key"] = keys
	return r
}

// equivalentJSON encodes a value in an unusual way: with its fields in reverse order,
// additional white space, and every character of every string escaped.
func equivalentJSON(value any) string {
	var parts []string
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, equivalentJSON(name)+" :\t"+equivalentJSON(v[name]))
		}
		slices.Reverse(parts)
		return "\n{ " + strings.Join(parts, " ,\r\n") + "}"
	case []any:
		for _, item := range v {
			parts = append(parts, equivalentJSON(item))
		}
		return "[ " + strings.Join(parts, " , ") + "\t]"
	case string:
		for _, unit := range utf16.Encode([]rune(v)) {
			parts = append(parts, fmt.Sprintf(`\u%04X`, unit))
		}
		return `"` + strings.Join(parts, "") + `"`
	default:
		return fmt.Sprintf(" %v ", v)
	}
}

// done ends the test unless the request succeeded and is not a replay.
func (r response) done() response {
	r.t.Helper()
	if r.status/100 != 2 || r.header.Get("Idempotency-Replayed") != "" {
		r.t.Fatalf("%s: %d, replayed: %q\n%s", r.name, r.status, r.header.Get("Idempotency-Replayed"), r.body)
	}
	return r
}

// shownID returns the id of the resource whose secret the response contains, or which a
// repetition names; "" for a response without a secret.
func (r response) shownID() string {
	r.t.Helper()
	if r.status == 409 {
		return r.text("resourceId")
	}
	data, _ := r.at("data").(object)
	for _, name := range []string{"key", "secret", "invitationUrl"} {
		if _, shown := data[name].(string); shown {
			return r.text("data.id")
		}
	}
	return ""
}

// replays fails the test unless the response is a replay of the first response. A secret
// is not repeated.
func (r response) replays(first response) {
	r.t.Helper()
	if id := first.shownID(); id != "" {
		r.isRefused(409, "secret_already_shown")
		if got := r.text("resourceId"); got != id {
			r.t.Errorf("%s: the resource is %q, want %q", r.name, got, id)
		}
		return
	}
	if r.status != first.status || string(r.body) != string(first.body) ||
		r.header.Get("Location") != first.header.Get("Location") {
		r.t.Errorf("%s: %d %s\n%s\nfirst response %d %s\n%s", r.name, r.status, r.header.Get("Location"), r.body,
			first.status, first.header.Get("Location"), first.body)
	}
	if got := r.header.Values("Idempotency-Replayed"); !slices.Equal(got, []string{"true"}) {
		r.t.Errorf("%s: Idempotency-Replayed %q", r.name, got)
	}
}

// isRefused is `is` for a rejected request, which must not be a replay.
func (r response) isRefused(status int, code string) {
	r.t.Helper()
	r.is(status, code)
	if r.header.Get("Idempotency-Replayed") != "" {
		r.t.Errorf("%s: the rejected request has the header Idempotency-Replayed", r.name)
	}
}

// All operations use the same key. Keys are separate for each operation and each
// organization.
func TestEveryIdempotentOperation(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		mine, theirs := a.idempotencyEstate(), a.idempotencyEstate()
		const key = "the same for all: ~!@#$%^&*()"
		calls, first := map[string]call{}, map[string]response{}
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			calls[o.id] = mine.call(o, c)
			first[o.id] = mine.sendWithKey(a, calls[o.id], key).done()
		})
		before := mine.readAll()
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			mine.sendWithKey(a, calls[o.id], key).replays(first[o.id])
			if o.body != nil {
				again := calls[o.id]
				again.body = equivalentJSON(asJSON(t, again.body))
				mine.sendWithKey(a, again, key).replays(first[o.id])
				mine.sendWithKey(a, calls[o.id].with(c.another()), key).isRefused(422, "idempotency_key_reused")
			}

			if o.hasPathParameter() {
				mine.sendWithKey(a, calls[o.id].forOtherResource(mine), key).isRefused(422, "idempotency_key_reused")
			}
			mine.sendWithKey(a, calls[o.id], key).replays(first[o.id])
		})

		if after := mine.readAll(); after != before {
			t.Errorf("a replay changed the data from\n%s\nto\n%s", before, after)
		}

		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			if o.scheme == "" {
				return // without a credential, keys belong to no organization
			}
			other := theirs.call(o, c)
			answer := theirs.sendWithKey(a, other, key).done()
			isCount := o.id == "replayWebhook" || o.id == "replayPublicWebhook"
			if string(answer.body) == string(first[o.id].body) && !isCount {
				t.Errorf("%s: another organization received the response %s", answer.name, answer.body)
			}
			theirs.sendWithKey(a, other, key).replays(answer)
		})

		if after := mine.readAll(); after != before {
			t.Errorf("requests of another organization changed this organization from\n%s\nto\n%s", before, after)
		}

		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made, again := mine.timesDone(c), mine.sendWithKey(a, calls[o.id])
			if c.again != "" {
				again.isRefused(409, c.again)
				return
			}
			again.done()
			if got := mine.timesDone(c); got != made+1 {
				t.Errorf("%s: without a key it was executed %d times", again.name, got-made)
			}
		})
	})
}

// timesDone returns how often the operation was executed, or 0 if no list shows it.
func (e estate) timesDone(c idempotentCase) int {
	e.api.t.Helper()
	if c.list == "" {
		return 0
	}
	return len(e.listIDs(strings.Replace(c.list, "{id}", e.of(cmp.Or(c.resources, "webhooks"))[0], 1)))
}

// An invalid key is rejected before the operation is executed or the key is stored.
func TestInvalidIdempotencyKeys(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.idempotencyEstate()
		before := e.readAll()
		everyIdempotentOperation(t, func(o described, c idempotentCase) {
			made := e.call(o, c)
			for fault, keys := range map[string][]string{
				"too_short": {""}, "too_long": {strings.Repeat("k", 256)}, "duplicate": {"one", "one"},
			} {
				e.sendWithKey(a, made, keys...).blames("header Idempotency-Key " + fault)
			}
			for _, key := range []string{"one\ttwo", "schlüssel", "one\u00a0two", "\xff", "😀"} {
				e.sendWithKey(a, made, key).blames("header Idempotency-Key invalid_format")
			}

			// net/http rejects these keys itself, so the test does not use it.
			for _, key := range []string{"\x00", "one\x00two", "one\x1ftwo", "one\x7f", "one\r\ntwo", " one", "one "} {
				a.serveDirectly(e.request(a, made, key)).blames("header Idempotency-Key invalid_format")
			}
		})

		if after := e.readAll(); after != before {
			t.Errorf("a rejected request changed the data from\n%s\nto\n%s", before, after)
		}
		if kept := storetest.Count(t, a.database, "idempotency_keys"); kept != 0 {
			t.Errorf("%d keys are stored, want 0", kept)
		}
	})
}
