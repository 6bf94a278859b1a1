package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// inside is a server for the few tests that send requests and also need what is inside the server. All other tests
// that send requests are in server/contract.
type inside struct {
	*Server
	t     *testing.T
	store *store.Store
	clock *storetest.Clock
}

// onEach runs test against a server on each kind of database, beside other tests. changes modify the options of the
// store.
func onEach(t *testing.T, test func(t *testing.T, s *inside), changes ...func(*store.Options)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		opened := storetest.OpenURL(t, storetest.URL(t, database), clock.Now, changes...)
		server, err := New(Options{
			Store: opened, BaseURL: "https://assay.test", Now: clock.Now, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, &inside{server, t, opened, clock})
	})
}

// do sends a request with a JSON body, if there is one. The name and value of a header are its credential, if given.
func (s *inside) do(method, path string, body any, credential ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			s.t.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, bytes.NewReader(content))
	if body == nil {
		r = httptest.NewRequestWithContext(s.t.Context(), method, path, nil)
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	if len(credential) == 2 {
		r.Header.Set(credential[0], credential[1])
	}
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, r)
	return answer
}

// get is do for a request that succeeds. It returns the field "data" of the response.
func (s *inside) get(method, path string, body any, credential ...string) map[string]any {
	s.t.Helper()
	answer := s.do(method, path, body, credential...)
	var decoded struct{ Data map[string]any }
	if answer.Code >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %d\n%s", method, path, answer.Code, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &decoded); err != nil {
		s.t.Fatal(err)
	}
	return decoded.Data
}

// register creates an organization, and returns the tokens of its owner.
func (s *inside) register() (access, refresh string) {
	s.t.Helper()
	made := s.get("POST", "/v1/auth/register", map[string]any{
		"organizationName": "O", "name": "Ada Lovelace", "email": "ada@example.com",
		"password": "a long and good pass phrase",
	})
	return made["accessToken"].(string), made["refreshToken"].(string)
}

// resultToken returns an API key and the token of the result of a finished session.
func (s *inside) resultToken(access string) (key, token string) {
	s.t.Helper()
	owner := []string{"Authorization", "Bearer " + access}
	key = s.get("POST", "/v1/api-keys", map[string]any{
		"name": "K", "scopes": []string{"results:read"}}, owner...)["key"].(string)
	id := s.get("POST", "/v1/assessments", map[string]any{"title": "T", "stages": []any{map[string]any{
		"title": "S", "questions": []any{map[string]any{"type": "NUMERIC", "prompt": "P", "points": 1, "answer": 1}},
	}}}, owner...)["id"].(string)
	s.get("POST", "/v1/assessments/"+id+"/publish", nil, owner...)
	invited := s.get("POST", "/v1/candidate-sessions", map[string]any{
		"assessmentId": id, "candidateName": "Grace Hopper", "candidateEmail": "grace@example.com"}, owner...)
	_, invite, _ := strings.Cut(invited["inviteUrl"].(string), "#")
	candidate := []string{"Authorization", "Bearer " + invite}
	s.get("POST", "/v1/candidate/session/start", nil, candidate...)
	stage := s.get("GET", "/v1/candidate/session/stage", nil, candidate...)
	s.get("POST", "/v1/candidate/session/stage/submit", map[string]any{"stageId": stage["id"]}, candidate...)
	return key, s.get("POST", "/v1/public/candidate-sessions/"+invited["id"].(string)+"/result-token", nil,
		"X-API-Key", key)["token"].(string)
}
