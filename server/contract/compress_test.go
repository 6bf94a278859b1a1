package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strconv"
	"testing"
)

// raw requests a path with an Accept-Encoding header, and returns the response as sent.
func (a *api) raw(method, path string, who credential, encodings string, body any) *httptest.ResponseRecorder {
	a.t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(a.t.Context(), method, path, bytes.NewReader(content))
	if body == nil {
		r = httptest.NewRequestWithContext(a.t.Context(), method, path, nil)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(who.header, who.value)
	if encodings != "" {
		r.Header.Set("Accept-Encoding", encodings)
	}
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	return recorder
}

// A JSON response over 1 KiB is compressed for a client that accepts gzip. Its content
// is the same, and its length is that of the compressed body.
func TestCompression(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		key := o.key()
		for _, test := range []struct {
			path string
			who  credential
		}{
			{"/v1/assessments/" + id, o.owner}, {"/v1/public/assessments/" + id, key},
		} {
			plain := a.raw("GET", test.path, test.who, "", nil)
			packed := a.raw("GET", test.path, test.who, "br, gzip", nil)
			if plain.Code != 200 || packed.Code != 200 || plain.Body.Len() <= 1024 {
				t.Fatalf("%s: %d with %d bytes, %d", test.path, plain.Code, plain.Body.Len(), packed.Code)
			}
			for _, answer := range []*httptest.ResponseRecorder{plain, packed} {
				if answer.Header().Get("Vary") != "Accept-Encoding" || answer.Header().Get("Content-Type") != "application/json" {
					t.Errorf("%s: headers %v", test.path, answer.Header())
				}
			}
			if plain.Header().Get("Content-Encoding") != "" || packed.Header().Get("Content-Encoding") != "gzip" ||
				packed.Header().Get("Content-Length") != strconv.Itoa(packed.Body.Len()) {
				t.Errorf("%s: headers %v, compressed %v", test.path, plain.Header(), packed.Header())
			}
			if !bytes.Equal(gunzip(t, packed.Body.Bytes()), plain.Body.Bytes()) || packed.Body.Len() >= plain.Body.Len() {
				t.Errorf("%s: the compressed response has another content", test.path)
			}
			for _, refused := range []string{"identity", "gzip;q=0", "br", "zstd"} {
				if other := a.raw("GET", test.path, test.who, refused, nil); other.Header().Get("Content-Encoding") != "" {
					t.Errorf("%s: compressed for Accept-Encoding %s", test.path, refused)
				}
			}
		}

		// A small response has no other form. A large problem document is compressed too.
		small := a.raw("GET", "/v1/organization", o.owner, "gzip", nil)
		if small.Code != 200 || small.Header().Get("Vary")+small.Header().Get("Content-Encoding") != "" {
			t.Errorf("a small response: %d with the headers %v", small.Code, small.Header())
		}
		unknown := object{}
		for i := range 50 {
			unknown[fmt.Sprint("unknown", i)] = i
		}
		problem := a.raw("PATCH", "/v1/organization", o.owner, "gzip", unknown)
		if problem.Code != 400 || problem.Header().Get("Content-Encoding") != "gzip" ||
			!bytes.Contains(gunzip(t, problem.Body.Bytes()), []byte(`"unknown_field"`)) {
			t.Errorf("a large problem document: %d with the headers %v", problem.Code, problem.Header())
		}
		keyID := a.do("GET", "/v1/api-keys", o.owner, nil).text("data.0.id")
		empty := a.raw("DELETE", "/v1/api-keys/"+keyID, o.owner, "gzip", nil)
		if empty.Code != 204 || empty.Body.Len() > 0 || empty.Header().Get("Content-Encoding") != "" {
			t.Errorf("a response without a body: %d with the headers %v", empty.Code, empty.Header())
		}
	})
}

// A response that can contain a secret is never compressed, however large it is. The
// harness checks that each field with a secret has the marker x-secret.
func TestSecretsAreNotCompressed(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(oneQuestion())
		for range 5 {
			o.invite(id)
		}
		for _, path := range []string{"/v1/candidate-sessions", "/v1/events"} {
			answer := a.raw("GET", path, o.owner, "gzip", nil)
			if answer.Code != 200 || answer.Body.Len() <= 1024 || answer.Header().Get("Content-Encoding") != "" ||
				!secretForm.Match(answer.Body.Bytes()) {
				t.Errorf("%s: %d with %d bytes and the headers %v", path, answer.Code, answer.Body.Len(), answer.Header())
			}
		}

	})
}
