package contract

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// everyBody runs test for each operation with a request body.
func everyBody(t *testing.T, test func(t *testing.T, c *cast, o described)) {
	t.Helper()
	onAny(t, func(t *testing.T, a *api) {
		c := a.cast()
		tested := 0
		for _, o := range everyOperation(t) {
			if o.body != nil {
				test(t, c, o)
				tested++
			}
		}

		if tested < 10 {
			t.Fatalf("only %d operations have a body, want at least 10", tested)
		}
	})
}

// send sends a body with the credential that the operation requires.
func (c *cast) send(o described, name, body string) response {
	c.api.t.Helper()
	r := c.wellFormed(o, c.right(o))
	setBody(r, body)
	return c.probe(o.id+", "+name, r)
}

// isNotInvalid fails the test if the server rejected the form of the request. Other
// errors, such as not_found, are allowed.
func (r response) isNotInvalid() {
	r.t.Helper()
	for id, known := range storeFaults {
		if strings.Contains(r.name, "("+id+",") && slices.ContainsFunc(r.faults(), func(fault string) bool {
			return slices.Contains(known, fault)
		}) {
			return
		}
	}
	switch r.code() {
	case "invalid_request", "unexpected_body", "payload_too_large", "unsupported_media_type":
		r.t.Errorf("%s: rejected as invalid: %d\n%s", r.name, r.status, r.body)
	}
}

// The minimal body is valid. The other tests change it, so a rejection there is caused
// by the change. A body of exactly the maximum size is valid.
func TestEveryBodyAccepted(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		minimal := o.text(t)
		c.send(o, "minimal", minimal).isNotInvalid()
		c.send(o, "with white space", " \r\n\t"+minimal+"\n ").isNotInvalid()
		c.send(o, "of the maximum size", padded(minimal, o.maxBody)).isNotInvalid()
		r := c.wellFormed(o, c.right(o))
		setChunked(r, padded(minimal, o.maxBody))
		c.probe(o.id+", of the maximum size, chunked", r).isNotInvalid()
	})
}

// A body over the limit of the operation results in 413, with and without a Content-Length.
func TestEveryBodyTooLarge(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for name, body := range map[string]string{
			"JSON": padded(o.text(t), o.maxBody+1), "one string": `"` + strings.Repeat("x", o.maxBody-1) + `"`,
			"not JSON": strings.Repeat("{", o.maxBody+1),
		} {
			c.send(o, name, body).is(413, "payload_too_large")
			r := c.wellFormed(o, c.right(o))
			setChunked(r, body)
			c.probe(o.id+", "+name+", chunked", r).is(413, "payload_too_large")
		}
	})
}

// A 413 says how large the body may be. In a bulk request, it also says that the list
// can be split.
func TestTooLargeDetail(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		want := fmt.Sprintf("The body may be at most %d bytes.", o.maxBody)
		if o.itemsAt != "" {
			want += " Split " + o.itemsAt + " into several requests."
		}
		if got := c.send(o, "too large", padded("{}", o.maxBody+1)).text("detail"); got != want {
			t.Errorf("%s: %q, want %q", o.id, got, want)
		}
	})
}

// An operation without a body rejects one, because its fields would have no effect. An
// empty object is accepted, which some clients send instead of nothing.
func TestEveryOperationWithoutBody(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		c, tested := a.cast(), 0
		for _, o := range everyOperation(t) {
			if o.body != nil || o.fileType != "" {
				continue
			}
			tested++
			for _, body := range []string{"", "{}", " {\r\n\t} \n", "null"} {
				c.send(o, fmt.Sprintf("the body %q", body), body).isNotInvalid()
				r := c.wellFormed(o, c.right(o))
				setChunked(r, body)
				c.probe(fmt.Sprintf("%s, the body %q, chunked", o.id, body), r).isNotInvalid()
			}
			for _, body := range []string{`{"reason":"x"}`, "[]", "{", "}", "{}{}", "x=1", "\x00", padded("{}", 5000)} {
				c.send(o, fmt.Sprintf("the body %.20q", body), body).is(400, "unexpected_body")
			}
		}

		if tested < 20 {
			t.Fatalf("only %d operations have no body, want at least 20", tested)
		}
	})
}

// padded appends spaces up to the length.
func padded(body string, length int) string { return body + strings.Repeat(" ", length-len(body)) }

// setChunked sets the body without a Content-Length, so that the client sends it with
// chunked encoding.
func setChunked(r *http.Request, body string) {
	setBody(r, body)
	r.ContentLength, r.GetBody, r.Body = -1, nil, io.NopCloser(strings.NewReader(body))
}

// The server accepts only application/json in UTF-8, without a content encoding.
func TestEveryBodyMediaType(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for _, test := range []struct {
			contentType, encoding string
			accepted              bool
		}{
			{"application/json", "", true},
			{"application/json; charset=utf-8", "", true},
			{"Application/JSON;charset=\"UTF-8\"", "", true},
			{"application/json", "identity", true},
			{"", "", false},
			{"text/plain", "", false},
			{"text/json", "", false},
			{"application/x-www-form-urlencoded", "", false},
			{"multipart/form-data; boundary=x", "", false},
			{"application/problem+json", "", false},
			{"application/merge-patch+json", "", false},
			{"application/jsonx", "", false},
			{"application/json, text/plain", "", false},
			{"application/json; charset=latin1", "", false},
			{"application/json; charset=utf-16", "", false},
			{"application/json; charset", "", false},
			{"*/*", "", false},
			{"application/json", "gzip", false},
			{"application/json", "br", false},
			{"application/json", "identity, gzip", false},
		} {
			r := c.wellFormed(o, c.right(o))
			r.Header.Set("Content-Type", test.contentType)
			if test.contentType == "" {
				r.Header.Del("Content-Type")
			}
			if test.encoding != "" {
				r.Header.Set("Content-Encoding", test.encoding)
			}
			answer := c.probe(o.id+", "+test.contentType+" "+test.encoding, r)
			if test.accepted {
				answer.isNotInvalid()
			} else {
				answer.is(415, "unsupported_media_type")
			}
		}
	})
}

// The server rejects a body that two JSON parsers could read differently, or that one
// of the databases cannot store.
func TestEveryBodyMalformed(t *testing.T) {
	with := func(member string) func(string) string {
		return func(minimal string) string { return strings.Replace(minimal, "{", "{"+member+",", 1) }
	}
	is := func(body string) func(string) string { return func(string) string { return body } }
	tests := []struct {
		name  string
		body  func(minimal string) string
		fault string // for the whole body the pointer is empty, so there are two spaces
	}{
		{"empty", is(""), "body  required"},
		{"white space", is(" \n"), "body  invalid_json"},
		{"null", is(`null`), "body  invalid_type"},
		{"list", is(`[]`), "body  invalid_type"},
		{"string", is(`"x"`), "body  invalid_type"},
		{"number", is(`1`), "body  invalid_type"},
		{"true", is(`true`), "body  invalid_type"},
		{"inside a list", func(minimal string) string { return "[" + minimal + "]" }, "body  invalid_type"},
		{"not JSON", is(`title=x`), "body  invalid_json"},
		{"truncated", func(minimal string) string { return minimal[:len(minimal)-1] }, "body  invalid_json"},
		{"trailing comma", func(minimal string) string { return minimal[:len(minimal)-1] + ",}" }, "body  invalid_json"},
		{"comment", func(minimal string) string { return minimal + "// x" }, "body  invalid_json"},
		{"second value", func(minimal string) string { return minimal + minimal }, "body  invalid_json"},
		{"trailing bracket", func(minimal string) string { return minimal + "}" }, "body  invalid_json"},
		{"byte-order mark", func(minimal string) string { return "\ufeff" + minimal }, "body  invalid_json"},
		{"UTF-16", func(minimal string) string { return strings.Join(strings.Split(minimal, ""), "\x00") }, ""},
		{"unknown field", with(`"unknownField":1`), "body /unknownField unknown_field"},
		{"unknown field that differs in case", with(`"Title":"x","TITLE":"y"`), "body /TITLE unknown_field"},
		{"unknown field without a name", with(`"":1`), "body / unknown_field"},
		{"unknown field __proto__", with(`"__proto__":{"x":1}`), "body /__proto__ unknown_field"},
		{"duplicate field", with(`"twice":1,"twice":1`), "body /twice duplicate"},
		{"duplicate field, once escaped", with(`"twice":1,"\u0074wice":1`), "body /twice duplicate"},
		{"NUL", with(`"x":"\u0000"`), "body /x invalid_encoding"},
		{"NUL in a name", with(`"\u0000":1`), "body  invalid_encoding"},
		{"NUL byte", with("\"x\":\"\x00\""), "body /x invalid_encoding"},
		{"lone high surrogate", with(`"x":"\ud800"`), "body /x invalid_encoding"},
		{"lone low surrogate", with(`"x":"\uDC00"`), "body /x invalid_encoding"},
		{"surrogates in the wrong order", with(`"x":"\udc00\ud800"`), "body /x invalid_encoding"},
		{"invalid UTF-8", with("\"x\":\"\xff\""), "body /x invalid_encoding"},
		{"overlong UTF-8", with("\"x\":\"\xc0\x80\""), "body /x invalid_encoding"},
		{"surrogate in UTF-8", with("\"x\":\"\xed\xa0\x80\""), "body /x invalid_encoding"},
		{"32 levels", with(`"x":` + nested("[", "1", "]", 31)), "body /x unknown_field"},
		{"33 levels", with(`"x":` + nested("[", "1", "]", 32)), "body /x" + strings.Repeat("/0", 31) + " too_deep"},
		{"1000 levels", with(`"x":` + nested(`{"x":`, "1", "}", 1000)),
			"body " + strings.Repeat("/x", 32) + " too_deep"},
		{"number too large for float64", with(`"x":1e999`), "body /x too_large"},
		{"NaN", with(`"x":NaN`), ""},
		{"leading zero", with(`"x":01`), ""},
		{"single quotes", with(`'x':1`), ""},
	}
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for _, test := range tests {
			if o.bodyOptional && (test.name == "empty" || test.name == "null") {
				continue
			}
			c.send(o, test.name, test.body(o.text(t))).blames(test.fault)
		}
	})
}
