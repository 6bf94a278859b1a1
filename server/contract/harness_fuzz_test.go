package contract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"assay/store/storetest"
)

// The fuzz targets use SQLite only: `go test -fuzz '^FuzzAnswer$' ./server`.
// `make fuzz` runs all of them. `go test` runs only their seeds.

// fuzzServer starts a server with an in-memory database. All executions of a fuzz target
// share it.
func fuzzServer(f *testing.F) *api {
	f.Helper()
	clock := storetest.NewClock()
	return serve(f, storetest.OpenURL(f, "sqlite::memory:", clock.Now), clock)
}

// withTest returns the same server with the test of one execution, so that a failure
// belongs to that execution.
func (a *api) withTest(t *testing.T) *api {
	one := *a
	one.t = t
	return &one
}

// callDirect is do without a network connection, because that would take most of the time.
// net/http parses the request target. If it rejects the target, handled is false.
func (a *api) callDirect(method, target string, who credential, body []byte) (_ response, handled bool) {
	a.t.Helper()
	head := method + " " + target + " HTTP/1.1\r\nHost: assay.test\r\n\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head)))
	if err != nil || strings.ContainsAny(target, "\r\n") {
		return response{}, false
	}
	if body != nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set(who.header, who.value)
	a.log.reset()
	recorder := httptest.NewRecorder()
	a.server.ServeHTTP(recorder, r)
	answer := response{
		t: a.t, name: method + " " + target, status: recorder.Code, header: recorder.Result().Header,
		body: recorder.Body.Bytes(),
	}
	if err := contract().check(r, answer.status, answer.header, answer.body); err != nil {
		a.t.Errorf("%s: %d does not conform to openapi.yaml: %v\n%s", answer.name, answer.status, err, answer.body)
	}
	if answer.status >= 500 || strings.Contains(a.log.String(), `"level":"ERROR"`) {
		a.t.Fatalf("%s %.2000s: internal error: %d\n%s\n%s", answer.name, body, answer.status, answer.body, a.log.String())
	}
	return answer, true
}

// callJSON is ask for a valid target. It encodes the body as JSON.
func (a *api) callJSON(method, path string, who credential, body any) response {
	a.t.Helper()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			a.t.Fatal(err)
		}
	}

	answer, _ := a.callDirect(method, path, who, content)
	return answer
}

// reset empties the log, so that many executions do not fill the memory.
func (b *lockedBuffer) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buffer.Reset()
}

// containsAll reports whether got contains everything in sent. got may have more fields. A
// null field in sent matches a field that is absent in got.
func shown(sent, got any) bool {
	switch sent := sent.(type) {
	case map[string]any:
		fields, ok := got.(map[string]any)
		for name, value := range sent {
			ok = ok && shown(value, fields[name])
		}
		return ok
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(sent) {
			return false
		}
		for i, value := range sent {
			ok = ok && shown(value, items[i])
		}
		return ok
	default:
		return reflect.DeepEqual(sent, got)
	}
}
