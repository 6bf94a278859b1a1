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
	// moment is what a key may be in progress for after the process that used
	// it was killed: until the database notices that nobody is there.
	moment = 5 * time.Second
)

// inviter sends invites with Idempotency-Keys to a process that is killed over
// and over: what is not answered is sent again with its key until it is.
type inviter struct {
	base, assessmentID string
	access, apiKey     string
	client             http.Client
	stopped            atomic.Bool
	answered           atomic.Int64

	mu       sync.Mutex
	asked    []*asked
	again    int           // requests that had to be sent again
	replayed int           // of them, those that had been done and not answered
	longest  time.Duration // for which a key was in progress
}

// asked is a request and, of each candidate in it, the session that was answered.
type asked struct {
	path, key, body string
	emails          []string
	answer          string
}

var sessionID = regexp.MustCompile(`"id":"(ses_[0-9a-z]{26})"`)

// request is the n-th: an invite by a person, by an integration, or by it of
// more than fit a group of rows. Each would be done again without its key.
func (v *inviter) request(n int) *asked {
	count, a := 1, &asked{path: []string{"/v1/candidate-sessions", "/v1/public/candidate-sessions", "/v1/public/candidate-sessions/bulk"}[n%3], key: fmt.Sprint("request ", n)}
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
	encoded, _ := json.Marshal(body) // of texts
	a.body = string(encoded)
	return a
}

// try sends a request once. The status is 0 when it was not answered to the end.
func (v *inviter) try(a *asked) (status int, replayed bool, body string) {
	// Without GetBody, or net/http would send it again by itself.
	r, err := http.NewRequest("POST", v.base+a.path, io.NopCloser(strings.NewReader(a.body)))
	if err != nil {
		return 0, false, err.Error()
	}
	r.ContentLength = int64(len(a.body))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {a.key}, "X-Api-Key": {v.apiKey}, "Authorization": {"Bearer " + v.access}}
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

// ask sends a request until it is answered.
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
			if time.Since(inProgress) > moment {
				return fmt.Errorf("%s is still in progress after %s", a.key, moment)
			}
		case status == 0, status == 503: // down, or going down
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

// load asks with several clients at once until it is stopped.
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

// A process that is killed in the middle leaves no key in progress, and nothing
// that was asked for half done or done twice.
func TestKillLeavesNoKeyStuck(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		addr := freeAddr(t)
		variables := []string{
			"ASSAY_DATABASE_URL=" + storetest.URL(t, database), "ASSAY_SECRET=" + testSecret, "ASSAY_ADDR=" + addr, "ASSAY_ADMIN_ADDR=off",
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
			poll(t, "requests that are answered", func() bool { return v.stopped.Load() || v.answered.Load() > from+20 })
			time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // anywhere in a request
			if err := p.command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.wait()
			p = up()
		}
		from := v.answered.Load()
		poll(t, "requests that are answered after the last kill", func() bool { return v.stopped.Load() || v.answered.Load() > from+20 })
		v.stopped.Store(true)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		v.account(t)
		t.Logf("%d requests, of these %d sent again after a kill, %d of which had been done; a key was in progress for at most %s",
			len(v.asked), v.again, v.replayed, v.longest)
		if v.again < kills {
			t.Errorf("%d kills met %d requests only", kills, v.again)
		}
	})
}

// prepare makes an organization that may invite.
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
	v.access = made("/v1/auth/register", `{"organizationName":"Quay","name":"Ana","email":"ana@quay.example","password":"a long enough pass phrase"}`, "accessToken")
	v.apiKey = made("/v1/api-keys", `{"name":"ATS","scopes":["candidates:read","candidates:write"]}`, "key")
	v.assessmentID = made("/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"NUMERIC","prompt":"How many ends has a rope?","points":1,"answer":2}]}]}`, "id")
	made("/v1/assessments/"+v.assessmentID+"/publish", "", "id")
}

// account compares what was answered with what there is: of each candidate one
// session and one event, that of the answer, which is repeated to whoever asks again.
func (v *inviter) account(t *testing.T) {
	t.Helper()
	want := map[string]string{} // candidate → session
	for _, a := range v.asked {
		ids := sessionID.FindAllStringSubmatch(a.answer, -1)
		if len(ids) != len(a.emails) {
			t.Fatalf("%s was answered with %d sessions, want %d: %s", a.key, len(ids), len(a.emails), a.answer)
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
			t.Errorf("%s has the session %s, and was answered with %q", item.CandidateEmail, item.ID, want[item.CandidateEmail])
		}
	})
	v.pages(t, "/v1/events?limit=100&type=candidate.invited", func(item listed) {
		if events++; want[item.Data.CandidateEmail] != item.Data.SessionID {
			t.Errorf("an event tells of %s, and %s was answered with %q", item.Data.SessionID, item.Data.CandidateEmail, want[item.Data.CandidateEmail])
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
