package main

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"assay/webhooks"
)

// balancer sends requests to the replicas in turn, as a simple load balancer does:
// a replica that responds with Connection: close gets no requests until back is
// called, and a request is repeated only if its connection was refused.
type balancer struct {
	client   http.Client
	replicas [2]struct {
		base    atomic.Pointer[string]
		leaving atomic.Bool
	}
	turn          atomic.Uint64
	sent, refused atomic.Int64
}

// back adds a restarted replica with its new address.
func (b *balancer) back(i int, base string) {
	b.replicas[i].base.Store(&base)
	b.replicas[i].leaving.Store(false)
}

func (b *balancer) do(method, path, body string, header ...string) (answer, error) {
	first := int(b.turn.Add(1)) % len(b.replicas)
	var last error
	for _, i := range []int{first, 1 - first} {
		replica := &b.replicas[i]
		if replica.leaving.Load() {
			continue
		}
		got, err := b.send(method, *replica.base.Load()+path, body, header)
		if err == nil && got.closes || errors.Is(err, syscall.ECONNREFUSED) {
			replica.leaving.Store(true)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return got, err
		}
		b.refused.Add(1)
		last = err
	}
	return answer{}, errors.Join(errors.New("no replica left"), last)
}

func (b *balancer) send(method, url, body string, header []string) (answer, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	b.sent.Add(1)
	response, err := b.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, string(content), response.Close}, err
}

// field returns the first string with this name in a JSON text.
func field(body, name string) string {
	match := regexp.MustCompile(`"` + name + `":"([^"]*)"`).FindStringSubmatch(body)
	if match == nil {
		return ""
	}
	return match[1]
}

// credentials has one signed credential of each kind.
type credentials struct {
	access, invite, result string
	invited                [workers]invitation // one for each worker; invite belongs to the first
}

// invitation is a request with an Idempotency-Key and the session it created.
type invitation struct{ key, body, sessionID string }

// load is the work of several users and candidates on the replicas.
type load struct {
	t            *testing.T
	balancer     *balancer
	email        string
	password     string
	apiKey       string
	assessmentID string
	stageID      string
	questionID   string

	kept      atomic.Pointer[credentials] // created before the rotation and still valid
	candidate atomic.Int64
	events    atomic.Int64 // emitted
	failed    atomic.Int64
	cycles    [workers]atomic.Int64
	end       func() // waits for the workers
}

const workers = 4

// expect sends a request and counts a response with another status as failed.
func (l *load) expect(status int, method, path, body string, header ...string) string {
	got, err := l.balancer.do(method, path, body, header...)
	if (err != nil || got.status != status) && l.failed.Add(1) <= 20 {
		l.t.Errorf("%s %s: %d %.200s, %v", method, path, got.status, got.body, err)
	}
	return got.body
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// prepare creates an organization with an assessment, an API key and a redirect
// that carries result tokens.
func (l *load) prepare() {
	l.email, l.password = "ana@quay.example", "a long enough pass phrase"
	access := field(l.expect(201, "POST", "/v1/auth/register",
		`{"organizationName":"Quay","name":"Ana","email":"`+l.email+`","password":"`+l.password+`"}`), "accessToken")
	l.apiKey = field(l.expect(201, "POST", "/v1/api-keys",
		`{"name":"integration","scopes":["assessments:read","candidates:read","results:read"]}`, bearer(access)...), "key")
	assessment := l.expect(201, "POST", "/v1/assessments",
		`{"title":"Knots","redirectUrl":"https://quay.example/done","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, bearer(access)...)
	l.assessmentID = regexp.MustCompile(`asm_\w+`).FindString(assessment)
	l.stageID = regexp.MustCompile(`stg_\w+`).FindString(assessment)
	l.questionID = regexp.MustCompile(`qst_\w+`).FindString(assessment)
	l.expect(200, "POST", "/v1/assessments/"+l.assessmentID+"/publish", "", bearer(access)...)
}

// login signs in once more.
func (l *load) login() (access, refresh string) {
	body := l.expect(200, "POST", "/v1/auth/login", `{"email":"`+l.email+`","password":"`+l.password+`"}`)
	return field(body, "accessToken"), field(body, "refreshToken")
}

// mint creates credentials of each kind with the current secret.
func (l *load) mint() *credentials {
	access, _ := l.login()
	_, taken := l.invite(access)
	made := &credentials{access: access, result: l.take(taken)}
	for i := range made.invited {
		sent, invite := l.invite(access)
		if made.invited[i] = sent; i == 0 {
			made.invite = invite
		}
	}
	return made
}

// invite invites a candidate and repeats the request, as clients do that lost the
// response.
func (l *load) invite(access string) (sent invitation, token string) {
	n := l.candidate.Add(1)
	sent = invitation{key: fmt.Sprintf("invite-%d", n), body: fmt.Sprintf(
		`{"assessmentId":%q,"candidateName":"Bo","candidateEmail":"bo%d@candidate.example"}`, l.assessmentID, n)}
	body := l.send(201, access, sent)
	l.events.Add(1)
	sent.sessionID = regexp.MustCompile(`ses_\w+`).FindString(body)
	l.repeat(access, sent)
	_, token, _ = strings.Cut(field(body, "inviteUrl"), "#")
	return sent, token
}

func (l *load) send(status int, access string, what invitation) (body string) {
	return l.expect(status, "POST", "/v1/candidate-sessions", what.body,
		append(bearer(access), "Idempotency-Key", what.key)...)
}

// repeat sends an invite again, which must not create a session.
func (l *load) repeat(access string, sent invitation) {
	if body := l.send(201, access, sent); !strings.Contains(body, sent.sessionID) && l.failed.Add(1) <= 20 {
		l.t.Errorf("%s invited %s, and now %s", sent.key, sent.sessionID, body)
	}
}

// take completes an invited session and returns its result token.
func (l *load) take(invite string) (result string) {
	l.expect(200, "POST", "/v1/candidate/session/start", "", bearer(invite)...)
	l.expect(200, "PUT", "/v1/candidate/session/answers/"+l.questionID, `{"number":2}`, bearer(invite)...)
	body := l.expect(200, "POST", "/v1/candidate/session/stage/submit", `{"stageId":"`+l.stageID+`"}`, bearer(invite)...)
	l.events.Add(1)
	_, result, _ = strings.Cut(field(body, "redirectUrl"), "result=")
	return result
}

// begin starts the workers. end stops them.
func (l *load) begin() {
	var stopping atomic.Bool
	var running sync.WaitGroup
	l.end = func() {
		stopping.Store(true)
		running.Wait()
	}
	l.t.Cleanup(l.end)
	for i := range workers {
		access, refresh := l.login()
		running.Go(func() {
			for result := ""; !stopping.Load() && l.failed.Load() == 0; l.cycles[i].Add(1) {
				access, refresh, result = l.cycle(i, access, refresh, result)
			}
		})
	}
}

// cycle uses recent and old credentials of each kind, on both replicas.
func (l *load) cycle(worker int, access, refresh, result string) (nextAccess, nextRefresh, nextResult string) {
	key := []string{"X-API-Key", l.apiKey}
	l.expect(200, "GET", "/v1/me", "", bearer(access)...)
	l.expect(200, "GET", "/v1/public/assessments", "", key...)
	if result != "" {
		l.expect(200, "GET", "/v1/public/results/"+result, "", key...)
	}
	if kept := l.kept.Load(); kept != nil {
		l.expect(200, "GET", "/v1/me", "", bearer(kept.access)...)
		l.expect(200, "GET", "/v1/candidate/session", "", bearer(kept.invite)...)
		l.expect(200, "GET", "/v1/public/results/"+kept.result, "", key...)
		l.repeat(access, kept.invited[worker])
	}
	_, invite := l.invite(access)
	nextResult = l.take(invite)
	l.expect(200, "GET", "/v1/public/results/"+nextResult, "", key...)
	pair := l.expect(200, "POST", "/v1/auth/refresh", `{"refreshToken":"`+refresh+`"}`)
	return field(pair, "accessToken"), field(pair, "refreshToken"), nextResult
}

// turnOver waits until every worker has completed a cycle, so that its credentials
// are new.
func (l *load) turnOver() {
	l.t.Helper()
	var before [workers]int64
	for i := range before {
		before[i] = l.cycles[i].Load()
	}
	poll(l.t, "the workers", func() bool {
		for i := range before {
			if l.cycles[i].Load() < before[i]+2 && l.failed.Load() == 0 {
				return false
			}
		}
		return true
	})
	if l.failed.Load() > 0 {
		l.t.FailNow()
	}
}

// receiver receives the webhooks of several endpoints and checks their signatures.
type receiver struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	secrets map[string]string          // by path
	seen    map[string]map[string]bool // event ids, by path
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t, secrets: map[string]string{}, seen: map[string]map[string]bool{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// add returns the URL of an endpoint whose deliveries the secret must sign.
func (r *receiver) add(name, secret string) (url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets["/"+name], r.seen["/"+name] = secret, map[string]bool{}
	return r.URL + "/" + name
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender cancelled the request
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	path := request.URL.Path
	if !hmac.Equal([]byte(request.Header.Get(webhooks.HeaderSignature)),
		[]byte(webhooks.Signature(r.secrets[path], body))) {
		r.t.Errorf("%s is signed with another secret", path)
	}
	r.seen[path][request.Header.Get(webhooks.HeaderStandardID)] = true
	w.WriteHeader(http.StatusNoContent)
}

// events returns the number of different events that reached an endpoint.
func (r *receiver) events(name string) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.seen["/"+name]))
}
