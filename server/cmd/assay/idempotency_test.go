package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/store/storetest"
)

const (
	kills = 10
	// maxInProgress bounds how long a key stays in progress after its process was
	// killed. The database must notice the closed connection.
	maxInProgress = 5 * time.Second
)

// inviter sends invites with Idempotency-Keys to a process that is killed
// repeatedly. It repeats a request with its key until it gets a response.
type inviter struct {
	base, assessmentID string
	access, apiKey     string
	client             http.Client
	stopped            atomic.Bool
	answered           atomic.Int64

	mu       sync.Mutex
	asked    []*asked
	again    int           // repeated requests
	replayed int           // repeated requests that had succeeded before
	longest  time.Duration // longest time that a key was in progress
}

// asked is a request with its response.
type asked struct {
	path, key, body string
	emails          []string
	answer          string
}

var sessionID = regexp.MustCompile(`"id":"(ses_[0-9a-z]{26})"`)

// request returns the n-th request: an invite by a user, an invite by an
// integration, or a bulk request with more than one group of rows. Without its
// key, each would create sessions again.
func (v *inviter) request(n int) *asked {
	paths := []string{"/v1/candidate-sessions", "/v1/public/candidate-sessions", "/v1/public/candidate-sessions/bulk"}
	count, a := 1, &asked{path: paths[n%3], key: fmt.Sprint("request ", n)}
	if n%3 == 2 {
		count = 70
	}
	var rows []map[string]any
	for i := range count {
		a.emails = append(a.emails, fmt.Sprintf("candidate-%d-%d@candidate.example", n, i))
		rows = append(rows, map[string]any{
			"assessmentId": v.assessmentID, "candidateName": "Bo", "candidateEmail": a.emails[i], "onExisting": "NEW_ATTEMPT",
		})
	}
	var body any = rows[0]
	if count > 1 {
		body = map[string]any{"rows": rows}
	}
	encoded, _ := json.Marshal(body) // strings only
	a.body = string(encoded)
	return a
}

// try sends a request once. The status is 0 if there is no complete response.
func (v *inviter) try(a *asked) (status int, replayed bool, body string) {
	// Without GetBody, net/http does not send it again.
	r, err := http.NewRequest("POST", v.base+a.path, io.NopCloser(strings.NewReader(a.body)))
	if err != nil {
		return 0, false, err.Error()
	}
	r.ContentLength = int64(len(a.body))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {a.key}, "X-Api-Key": {v.apiKey},
		"Authorization": {"Bearer " + v.access}}
	answer, err := v.client.Do(r)
	if err != nil {
		return 0, false, err.Error()
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, false, err.Error()
	}
	return answer.StatusCode, answer.Header.Get("Idempotency-Replayed") == "true", string(content)
}

// ask sends a request until it gets a response.
func (v *inviter) ask(a *asked) error {
	repeated := false
	var inProgress time.Time // since when
	for {
		status, replayed, body := v.try(a)
		if !inProgress.IsZero() && status != 0 {
			v.note(func() { v.longest = max(v.longest, time.Since(inProgress)) })
		}
		switch {
		case status/100 == 2:
			a.answer = body
			v.answered.Add(1)
			v.note(func() {
				v.asked = append(v.asked, a)
				if repeated {
					v.again++
				}
				if replayed {
					v.replayed++
				}
			})
			return nil
		case status == 409 && strings.Contains(body, `"idempotency_in_progress"`):
			if inProgress.IsZero() {
				inProgress = time.Now()
			}
			if time.Since(inProgress) > maxInProgress {
				return fmt.Errorf("%s is still in progress after %s", a.key, maxInProgress)
			}
		case status == 0, status == 503: // the process is down or shuts down
			repeated, inProgress = true, time.Time{}
		default:
			return fmt.Errorf("%s: %d %s", a.key, status, body)
		}
		time.Sleep(time.Millisecond)
	}
}

func (v *inviter) note(what func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	what()
}

// load sends requests with several clients until it is stopped.
func (v *inviter) load() error {
	var group errgroup.Group
	var next atomic.Int64
	for range 4 {
		group.Go(func() error {
			for !v.stopped.Load() {
				if err := v.ask(v.request(int(next.Add(1)))); err != nil {
					v.stopped.Store(true)
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// A killed process leaves no key in progress, and no request that is partly done
// or done twice.
func TestKillLeavesNoKeyStuck(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		addr := freeAddr(t)
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADDR=" + addr,
			"ASSAY_ADMIN_ADDR=off",
			"ASSAY_RATE_LIMITS=off",
		}
		up := func() *process {
			p := start(t, variables, "serve", "--no-dispatcher")
			p.printed(`listens on (\S+)`)
			return p
		}
		p, v := up(), &inviter{base: "http://" + addr}
		v.prepare(t)
		ended := make(chan error, 1)
		go func() { ended <- v.load() }()
		for range kills {
			from := v.answered.Load()
			poll(t, "responses", func() bool { return v.stopped.Load() || v.answered.Load() > from+20 })
			time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // at any point of a request
			if err := p.command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.wait()
			p = up()
		}
		from := v.answered.Load()
		poll(t, "responses after the last kill",
			func() bool { return v.stopped.Load() || v.answered.Load() > from+20 })
		v.stopped.Store(true)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		v.account(t)
		t.Logf("%d requests, %d repeated after a kill, %d of which had succeeded; longest time in progress: %s",
			len(v.asked), v.again, v.replayed, v.longest)
		if v.again < kills {
			t.Errorf("%d kills interrupted only %d requests", kills, v.again)
		}
	})
}

// prepare creates an organization that can invite.
func (v *inviter) prepare(t *testing.T) {
	t.Helper()
	made := func(path, body, member string) string {
		t.Helper()
		got := send(t, "POST", v.base+path, body, "Content-Type", "application/json", "Authorization", "Bearer "+v.access)
		value := regexp.MustCompile(`"` + member + `":"([^"]+)"`).FindStringSubmatch(got.body)
		if got.status/100 != 2 || value == nil {
			t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		return value[1]
	}
	v.access = made("/v1/auth/register",
		`{"organizationName":"Quay","name":"Ana","email":"ana@quay.example","password":"a long enough pass phrase"}`,
		"accessToken")
	v.apiKey = made("/v1/api-keys", `{"name":"ATS","scopes":["candidates:read","candidates:write"]}`, "key")
	v.assessmentID = made("/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, "id")
	made("/v1/assessments/"+v.assessmentID+"/publish", "", "id")
}

// account compares the responses with the database. Each candidate has one session
// and one event, as in the response. A repeated request gets the same response.
func (v *inviter) account(t *testing.T) {
	t.Helper()
	want := map[string]string{} // candidate → session
	for _, a := range v.asked {
		ids := sessionID.FindAllStringSubmatch(a.answer, -1)
		if len(ids) != len(a.emails) {
			t.Fatalf("the response to %s has %d sessions, want %d: %s", a.key, len(ids), len(a.emails), a.answer)
		}
		for i, email := range a.emails {
			want[email] = ids[i][1]
		}
		if status, replayed, body := v.try(a); status/100 != 2 || !replayed || body != a.answer {
			t.Errorf("%s again: %d, replayed: %v\n%s\nat first\n%s", a.key, status, replayed, body, a.answer)
		}
	}
	sessions, events := 0, 0
	v.pages(t, "/v1/candidate-sessions?limit=100", func(item listed) {
		if sessions++; want[item.CandidateEmail] != item.ID {
			t.Errorf("%s has the session %s, and the response had %q", item.CandidateEmail, item.ID, want[item.CandidateEmail])
		}
	})
	v.pages(t, "/v1/events?limit=100&type=candidate.invited", func(item listed) {
		if events++; want[item.Data.CandidateEmail] != item.Data.SessionID {
			t.Errorf("an event has %s, and the response for %s had %q", item.Data.SessionID, item.Data.CandidateEmail,
				want[item.Data.CandidateEmail])
		}
	})
	if sessions != len(want) || events != len(want) {
		t.Errorf("%d candidates, %d sessions, %d events", len(want), sessions, events)
	}
}

// listed is a session or an event.
type listed struct {
	ID, CandidateEmail string
	Data               struct{ SessionID, CandidateEmail string }
}

func (v *inviter) pages(t *testing.T, path string, use func(listed)) {
	t.Helper()
	for after := ""; ; {
		got := send(t, "GET", v.base+path+after, "", "Authorization", "Bearer "+v.access)
		var page struct{ Data []listed }
		if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != 200 {
			t.Fatal(errors.Join(err, fmt.Errorf("%s: %d", path, got.status)))
		}
		for _, item := range page.Data {
			use(item)
		}
		if len(page.Data) < 100 {
			return
		}
		after = "&after=" + page.Data[99].ID
	}
}
