package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/server/partners"
	"assay/store"
)

// system is an applicant tracking system that a test plays, as its public documentation describes it: no account at
// these companies exists. It calls Assay, receives the callbacks, and records each exchange.
type system struct {
	*tenant

	name       string
	key        string // the API key of Assay that the system has
	authorized func(key string) string
	id         string // of the integration
	worker     *partners.Worker
	server     *httptest.Server

	mu       sync.Mutex
	respond  func(method string, body object) (int, string) // to callbacks; nil for 200
	received []callback
	record   []string
	numbers  map[string]string
}

// callback is a request that the system has received.
type callback struct {
	method, address, authorization string
	body                           object
}

func basicOf(key string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(key, "")
	return r.Header.Get("Authorization")
}

func bearerOf(key string) string { return "Bearer " + key }

// system connects an applicant tracking system with the organization. callbackKey "" is the key of Assay.
func (o *tenant) system(name string, authorized func(string) string, callbackKey string) *system {
	o.api.t.Helper()
	s := &system{
		tenant: o, name: name, authorized: authorized, numbers: map[string]string{}, key: o.key("ats:connect").value,
	}
	if callbackKey == "" {
		callbackKey = s.key
	}
	s.id = o.api.do("PUT", "/v1/integrations", o.owner, object{"partner": name, "callbackKey": callbackKey}).want(200).
		text("data.id")
	s.server = httptest.NewServer(http.HandlerFunc(s.receive))
	o.api.t.Cleanup(s.server.Close)
	s.worker = partners.NewWorker(partners.Options{Store: o.api.store, Send: s.send})
	return s
}

// receive is the system's own address.
func (s *system) receive(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body object
	_ = json.Unmarshal(raw, &body)
	address := r.Header.Get("X-Test-Address")
	s.mu.Lock()
	s.received = append(s.received, callback{r.Method, address, r.Header.Get("Authorization"), body})
	status, answer := 200, ""
	if s.respond != nil {
		status, answer = s.respond(r.Method, body)
	}
	s.mu.Unlock()
	s.note("Assay calls "+s.name, r.Method+" "+address, r.Header.Get("Authorization"), string(raw), status, answer)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

// send is webhooks.Caller without its checks of addresses, which its own tests cover: it sends to the test's server.
func (s *system) send(r *http.Request) (store.Attempt, time.Duration) {
	r.Header.Set("X-Test-Address", r.URL.String())
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(s.server.URL, "http://")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return store.Attempt{FailureReason: new(store.FailedConnection)}, 0
	}
	defer func() { _ = answer.Body.Close() }()
	body, _ := io.ReadAll(answer.Body)
	attempt := store.Attempt{StatusCode: &answer.StatusCode, ResponseBody: string(body)}
	if answer.StatusCode >= 300 {
		attempt.FailureReason = new(store.FailedStatus)
	}
	return attempt, 0
}

// callbacks sends what is due, and returns what the system has received.
func (s *system) callbacks() []callback {
	s.api.t.Helper()
	s.worker.SendDue(s.api.t.Context())
	s.worker.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	received := s.received
	s.received = nil
	return received
}

// answer is the response of Assay to a request of the system.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	raw    string
}

// want fails the test unless the response has the status, and returns its body.
func (a answer) want(status int) object {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%d %s, want %d", a.status, a.raw, status)
	}
	var body object
	_ = json.Unmarshal([]byte(a.raw), &body)
	return body
}

// call is a request of the system with its key.
func (s *system) call(method, path string, body any) answer {
	s.api.t.Helper()
	return s.callWith(s.authorized(s.key), method, path, body)
}

func (s *system) callWith(authorization, method, path string, body any) answer {
	s.api.t.Helper()
	var content []byte
	switch b := body.(type) {
	case nil:
	case string:
		content = []byte(b)
	default:
		content, _ = json.Marshal(b)
	}
	r, err := http.NewRequestWithContext(s.api.t.Context(), method, s.api.url+"/partners/"+s.name+path,
		bytes.NewReader(content))
	if err != nil {
		s.api.t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.api.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, _ := io.ReadAll(response.Body)
	if wrong := wrongHeaders(response.Header, true); len(wrong) > 0 {
		s.api.t.Errorf("%s %s: wrong headers %q", method, path, wrong)
	}
	if response.StatusCode >= 500 {
		s.api.t.Errorf("%s %s: %d %s", method, path, response.StatusCode, raw)
	}
	if strings.Contains(string(raw), s.key) {
		s.api.t.Errorf("%s %s: the response contains the key", method, path)
	}
	s.note(s.name+" calls Assay", method+" /partners/"+s.name+path, authorization, string(content), response.StatusCode,
		string(raw))
	return answer{s.api.t, response.StatusCode, response.Header, strings.TrimSpace(string(raw))}
}

// note records an exchange in the form of a file: without keys, and with ids that are the same in each run.
func (s *system) note(who, line, authorization, body string, status int, response string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scheme, _, _ := strings.Cut(authorization, " ")
	text := fmt.Sprintf("# %s\n%s\nAuthorization: %s <key>\n", who, line, scheme)
	if body != "" {
		text += body + "\n"
	}
	text += fmt.Sprintf("-> %d %s\n", status, strings.TrimSpace(response))
	text = exchangeTime.ReplaceAllString(text, "<time>")
	s.record = append(s.record, exchangeID.ReplaceAllStringFunc(text, func(id string) string {
		if s.numbers[id] == "" {
			kind, _, _ := strings.Cut(id, "_")
			s.numbers[id] = fmt.Sprint("<", kind, " ", len(s.numbers)+1, ">")
		}
		return s.numbers[id]
	}))
}

var (
	exchangeID   = regexp.MustCompile(`(asm|ord|ses|rlk)_[0-9a-z]{26}[\w.-]*`)
	exchangeTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{11}\b`)
)

// wantRecorded compares the recorded exchanges with the file of the system, which UPDATE_EXCHANGES=1 writes.
func (s *system) wantRecorded() {
	s.api.t.Helper()
	path := filepath.Join("..", "partners", "testdata", s.name+".txt")
	recorded := strings.Join(s.record, "\n")
	if os.Getenv("UPDATE_EXCHANGES") != "" {
		if err := os.WriteFile(path, []byte(recorded), 0o600); err != nil {
			s.api.t.Fatal(err)
		}
	}
	expected, err := os.ReadFile(path)
	if err != nil || string(expected) != recorded {
		s.api.t.Errorf("%s differs (%v); the exchanges were\n%s", path, err, recorded)
	}
}

// exchanges returns the last exchanges as the dashboard shows them, newest first: direction, method, and status.
func (s *system) exchanges() []string {
	s.api.t.Helper()
	var shown []string
	list := s.api.do("GET", "/v1/integrations/"+s.id+"/exchanges", s.owner, nil).want(200)
	for _, item := range list.list("data") {
		e := item.(object)
		shown = append(shown, fmt.Sprintf("%v %v %v %v %v", e["direction"], e["method"], e["address"], e["status"],
			e["problem"]))
	}
	return shown
}

// candidateOf returns the credential of the candidate whose session the system has ordered.
func (s *system) candidateOf(email string) (credential, string) {
	s.api.t.Helper()
	found := s.api.do("GET", "/v1/candidate-sessions?candidateEmail="+email, s.owner, nil).want(200)
	if len(found.list("data")) == 0 {
		s.api.t.Fatalf("no session of %s", email)
	}
	session := s.api.do("GET", "/v1/candidate-sessions/"+found.text("data.0.id"), s.owner, nil).want(200)
	return session.candidate(), session.text("data.id")
}

// httpGet returns the status of a page whose address begins with the base URL.
func httpGet(t *testing.T, a *api, address string) int {
	t.Helper()
	path, ok := strings.CutPrefix(address, "https://assay.test")
	if !ok {
		t.Fatalf("%s is not below the base URL", address)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}
