package clients

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/gen"
	"assay/server/mail/mailtest"
	"assay/store/storetest"
)

// server is a running assay, which sends its email to mail.
type server struct {
	url, admin string
	mail       *mailtest.Server
}

func start(t *testing.T, assay, databaseURL string) *server {
	t.Helper()
	mail, err := mailtest.Start(mailtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(mail.Close)
	s := &server{url: "http://" + freeAddress(t), admin: "http://" + freeAddress(t), mail: mail}
	process := exec.CommandContext(t.Context(), assay, "serve", "--addr", strings.TrimPrefix(s.url, "http://"),
		"--admin-addr", strings.TrimPrefix(s.admin, "http://"), "--database-url", databaseURL,
		"--base-url", strings.Replace(s.url, "127.0.0.1", "localhost", 1), // passkeys need a name
		"--rate-limits", "off", "--registration", "open", "--webhook-allow-insecure")
	process.Dir = t.TempDir()
	process.Env = append(os.Environ(), "ASSAY_SMTP_URL="+mail.URL(), "ASSAY_MAIL_FROM=assay@example.com")
	var log bytes.Buffer
	process.Stdout, process.Stderr = &log, &log
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
		if t.Failed() {
			t.Logf("the server's log is\n%s", &log)
		}
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		response, err := http.Get(s.url + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return s
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server is not ready: %v", err)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// register creates an organization with a published assessment, and returns an API
// key with the scope assessments:read.
func (s *server) register(t *testing.T, email, password string) (key string) {
	t.Helper()
	owner := s.post(t, "/v1/auth/register", "",
		`{"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": "`+email+`",
			"password": "`+password+`"}`)
	token := owner["accessToken"].(string)
	draft := s.post(t, "/v1/assessments", token, `{"title": "Storage", "stages": [{"title": "Storage", "questions": [
		{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]}]}`)
	s.post(t, "/v1/assessments/"+draft["id"].(string)+"/publish", token, "")
	return s.post(t, "/v1/api-keys", token, `{"name": "First", "scopes": ["assessments:read"]}`)["key"].(string)
}

// forgetful is the address of the account of accountLinks.
const forgetful = "forgetful@example.com"

// accountLinks registers a person, requests a link to reset the password, and returns the link from the email, and that
// of the email which confirms the address.
func (s *server) accountLinks(t *testing.T) (resetURL, confirmURL string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/v1/auth/register",
		strings.NewReader(`{"organizationName": "Difference Engines", "name": "Charles Babbage",
			"email": "`+forgetful+`", "password": "correct horse battery staple"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Via", "1.1 proxy") // a registration from the machine of the service needs no confirmation
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("the registration gets %d", response.StatusCode)
	}
	s.post(t, "/v1/auth/forgot-password", "", `{"email": "`+forgetful+`"}`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	messages, err := s.mail.Wait(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, message := range messages {
		read, err := message.Parse()
		if err != nil {
			t.Fatal(err)
		}
		text += read.Text
	}
	resetURL = regexp.MustCompile(`http\S+/reset-password#pwr_\S+`).FindString(text)
	confirmURL = regexp.MustCompile(`http\S+/confirm-email#prf_\S+`).FindString(text)
	if resetURL == "" || confirmURL == "" {
		t.Fatalf("the emails lack a link:\n%s", text)
	}
	return resetURL, confirmURL
}

// lateSession returns a session whose time was up before its answer arrived.
func (s *server) lateSession(t *testing.T, databaseURL, email, password string) string {
	t.Helper()
	owner := s.post(t, "/v1/auth/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)["accessToken"].(string)
	draft := s.post(t, "/v1/assessments", owner, `{"title": "Storage", "timeLimitMinutes": 1, "stages": [
		{"title": "Storage", "questions": [
			{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]}]}`)
	s.post(t, "/v1/assessments/"+draft["id"].(string)+"/publish", owner, "")
	session := s.post(t, "/v1/candidate-sessions", owner, `{"assessmentId": "`+draft["id"].(string)+`",
		"candidateName": "Mary Somerville", "candidateEmail": "mary@candidates.example"}`)
	_, candidate, _ := strings.Cut(session["inviteUrl"].(string), "#")
	s.post(t, "/v1/candidate/session/start", candidate, "")
	storetest.MoveSession(t, databaseURL, session["id"].(string), -2*time.Minute)

	question := draft["stages"].([]any)[0].(map[string]any)["questions"].([]any)[0].(map[string]any)
	status, said := s.send(t, http.MethodPut, "/v1/candidate/session/answers/"+question["id"].(string), candidate,
		`{"number": 3}`)
	if status != http.StatusConflict {
		t.Fatalf("the late answer: %d\n%s", status, said)
	}
	return session["id"].(string)
}

// verifiedDomain adds the email domain of the samples, whose TXT record does not exist.
func (s *server) verifiedDomain(t *testing.T, databaseURL, email, password string) {
	t.Helper()
	owner := s.post(t, "/v1/auth/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)["accessToken"].(string)
	domain := s.post(t, "/v1/organization/domains", owner, `{"domain": "analytical-engines.example"}`)
	storetest.VerifyDomain(t, databaseURL, domain["id"].(string))
}

// reviewSession returns a session whose gate waits for the decision of a person.
func (s *server) reviewSession(t *testing.T, email, password string) string {
	t.Helper()
	owner := s.post(t, "/v1/auth/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)["accessToken"].(string)
	draft := s.post(t, "/v1/assessments", owner, `{"title": "Equipment", "stages": [
		{"title": "Knives", "gate": {"required": true, "minScore": 50, "onFail": "REVIEW"}, "questions": [
			{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]},
		{"title": "Ovens", "questions": [
			{"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 3, "tolerance": 0}]}]}`)
	s.post(t, "/v1/assessments/"+draft["id"].(string)+"/publish", owner, "")
	session := s.post(t, "/v1/candidate-sessions", owner, `{"assessmentId": "`+draft["id"].(string)+`",
		"candidateName": "Ada Byron", "candidateEmail": "ada@candidates.example"}`)
	_, candidate, _ := strings.Cut(session["inviteUrl"].(string), "#")
	s.post(t, "/v1/candidate/session/start", candidate, "")
	stage := draft["stages"].([]any)[0].(map[string]any)
	s.post(t, "/v1/candidate/session/stage/submit", candidate, `{"stageId": "`+stage["id"].(string)+`"}`)
	return session["id"].(string)
}

func (s *server) post(t *testing.T, path, token, body string) map[string]any {
	t.Helper()
	return s.call(t, http.MethodPost, path, token, body)
}

// call sends a request that must succeed, and returns the data of the response.
func (s *server) call(t *testing.T, method, path, token, body string) map[string]any {
	t.Helper()
	status, said := s.send(t, method, path, token, body)
	if status >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %d\n%s", method, path, status, said)
	}
	var answer struct{ Data map[string]any }
	if len(said) == 0 {
		return nil
	}
	if err := json.Unmarshal(said, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Data
}

// upload sends a picture, and returns its id.
func (s *server) upload(t *testing.T, token string) string {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/v1/media", &picture)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "image/png")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Data struct{ ID string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusCreated {
		t.Fatalf("the upload of a picture: %d, %v", response.StatusCode, err)
	}
	return answer.Data.ID
}

func (s *server) send(t *testing.T, method, path, token, body string) (status int, said []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if said, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, said
}

var counted = regexp.MustCompile(
	`^assay_http_request_duration_seconds_count\{method="([A-Z]+)",route="(/v1/[^"]*)",status="(\d+)"\}`)

// operations returns the statuses with which the server responded to each
// operation, from its metrics.
func (s *server) operations(t *testing.T) map[string][]string {
	t.Helper()
	response, err := http.Get(s.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	ids := map[string]string{}
	for id, route := range operations(t) {
		ids[route] = id
	}
	served := map[string][]string{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if found := counted.FindStringSubmatch(lines.Text()); found != nil {
			id := ids[found[1]+" "+found[2]]
			served[id] = append(served[id], found[3])
		}
	}
	if len(served) == 0 {
		t.Fatal("the server's metrics have no requests")
	}
	return served
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// operations returns "METHOD /route/:parameter" of each operation, by its id.
func operations(t *testing.T) map[string]string {
	t.Helper()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			found[operation.OperationID] = method + " " + parameter.ReplaceAllString(path, ":$1")
		}
	}
	return found
}

// essays returns an assessment with two answers that wait for grades.
func (s *server) essays(t *testing.T, email, password string) string {
	t.Helper()
	owner := s.post(t, "/v1/auth/login", "", `{"email": "`+email+`", "password": "`+password+`"}`)["accessToken"].(string)
	draft := s.post(t, "/v1/assessments", owner, `{"title": "Incidents", "stages": [{"title": "Incidents", "questions": [
		{"type": "FREE_TEXT", "prompt": "Describe an incident.", "points": 4, "maxWords": 200},
		{"type": "FREE_TEXT", "prompt": "What did you learn?", "points": 4}]}]}`)
	s.post(t, "/v1/assessments/"+draft["id"].(string)+"/publish", owner, "")
	session := s.post(t, "/v1/candidate-sessions", owner, `{"assessmentId": "`+draft["id"].(string)+`",
		"candidateName": "Emmy Noether", "candidateEmail": "emmy@candidates.example"}`)
	_, candidate, _ := strings.Cut(session["inviteUrl"].(string), "#")
	s.post(t, "/v1/candidate/session/start", candidate, "")
	stage := draft["stages"].([]any)[0].(map[string]any)
	for _, question := range stage["questions"].([]any) {
		id := question.(map[string]any)["id"].(string)
		status, said := s.send(t, http.MethodPut, "/v1/candidate/session/answers/"+id, candidate,
			`{"text": "The cooler was warm for a night."}`)
		if status != http.StatusOK {
			t.Fatalf("the answer: %d\n%s", status, said)
		}
	}
	s.post(t, "/v1/candidate/session/stage/submit", candidate, `{"stageId": "`+stage["id"].(string)+`"}`)
	return draft["id"].(string)
}
