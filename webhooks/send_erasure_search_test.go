package webhooks_test

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
	"assay/webhooks"
)

// crowd is an organization in which many candidates take an assessment with text
// questions.
type crowd struct {
	*world
	assessment *store.Assessment
	random     *rand.Rand
	db         *sql.DB // the database itself
}

func newCrowd(t *testing.T, database string) *crowd {
	t.Helper()
	w := newWorld(t, database)
	text := func(prompt, accepted string) rules.Question {
		return rules.Question{Type: rules.ShortText, Prompt: prompt, Points: 1, AcceptedAnswers: []string{accepted}}
	}
	stages := []rules.Stage{
		{
			Title: "First", Gate: &rules.Gate{Required: true, MinScore: 50},
			Questions: []rules.Question{text("Write yes", "yes"), text("Describe yourself", "no")},
		},
		{Title: "Second", Questions: []rules.Question{text("Continue", "no"), text("Conclude", "no")}},
	}
	created, err := w.store.CreateAssessment(t.Context(), w.scope, store.NewAssessment{
		Title: "Essay", Definition: rules.Definition{Stages: stages},
	})
	w.must(err)
	published, err := w.store.PublishAssessment(t.Context(), w.scope, created.ID)
	w.must(err)
	return &crowd{world: w, assessment: published, random: rand.New(rand.NewPCG(1, 2)), db: w.raw()}
}

// subscribe registers a URL for every event of a candidate.
func (c *crowd) subscribe(url string) store.WebhookEndpoint {
	c.t.Helper()
	made, err := c.store.CreateWebhook(c.t.Context(), c.scope, store.NewWebhook{URL: url, Events: []string{
		string(store.EventCandidateInvited), string(store.EventCandidateCompleted), string(store.EventCandidateDisqualified),
	}})
	c.must(err)
	return made.WebhookEndpoint
}

// repeat returns the word several times, in up to most bytes, so that values of
// all sizes are stored, also in database pages of their own.
func (c *crowd) repeat(word string, most int) string {
	return strings.Repeat(word+" ", 1+c.random.IntN(most/(len(word)+1)))
}

// inviteOf returns an invite of a planted candidate, with metadata of many sizes.
func (c *crowd) inviteOf(p planted) store.Invite {
	in := store.Invite{AssessmentID: c.assessment.ID, OnExisting: store.ReturnExisting}
	p.invite(&in)
	for i := range c.random.IntN(30) {
		in.Metadata[fmt.Sprint("zz label ", i)] = c.repeat(p.label, 500)
	}
	return in
}

// bulk invites candidates with an Idempotency-Key.
func (c *crowd) bulk(people []planted) []store.CandidateSession {
	c.t.Helper()
	invites := make([]*store.Invite, len(people))
	for i, p := range people {
		invites[i] = ptr(c.inviteOf(p))
	}
	rows, err := c.store.BulkCreatePublicCandidateSessions(c.t.Context(), c.keyed(people[0].name),
		store.BulkInvite{Invites: invites})
	c.must(err)
	sessions := make([]store.CandidateSession, len(rows))
	for i, row := range rows {
		sessions[i] = *row.Session
	}
	return sessions
}

// keyed returns the scope of a request with an Idempotency-Key.
func (c *crowd) keyed(key string) store.Scope {
	scope := c.scope
	scope.Once = &store.Once{Operation: "test", Key: key, Fingerprint: sha256.Sum256([]byte(key))}
	return scope
}

// take brings a session into a status. It saves answers several times and sends
// the link again, so that rows grow and move.
func (c *crowd) take(session store.CandidateSession, p planted, status rules.SessionStatus) {
	c.t.Helper()
	if status == rules.SessionExpired {
		return // it expires when the clock advances
	}
	session, err := c.store.ResendCandidateSession(c.t.Context(), c.scope, session.ID, store.Resend{})
	c.must(err)
	if status == rules.SessionInvited {
		return
	}
	_, token, _ := strings.Cut(*c.store.InviteURL(session), "#")
	scope, err := c.store.UnscopedCandidate(c.t.Context(), token)
	c.must(err)
	_, err = c.store.StartTaking(c.t.Context(), scope, false, "")
	c.must(err)
	write := func(stage int, first string) {
		for i, question := range c.assessment.Definition.Stages[stage].Questions {
			answers := []string{c.repeat(p.answer, 2000), c.repeat(p.answer, 2000), c.repeat(p.answer, 2000)}
			if i == 0 && first != "" {
				answers = append(answers, first)
			}
			for _, answer := range answers {
				_, err := c.store.SaveAnswer(c.t.Context(), scope, question.ID, rules.Answer{Text: &answer})
				c.must(err)
			}
		}
	}
	submit := func(stage int) {
		_, err := c.store.SubmitStage(c.t.Context(), scope,
			store.StageAnswers{StageID: c.assessment.Definition.Stages[stage].ID})
		c.must(err)
	}
	switch status {
	case rules.SessionInProgress:
		write(0, "")
	case rules.SessionCompleted:
		write(0, "yes")
		submit(0)
		write(1, "")
		submit(1)
	case rules.SessionDisqualified:
		write(0, "")
		submit(0)
	case rules.SessionCancelled:
		write(0, "")
		_, err := c.store.CancelCandidateSession(c.t.Context(), c.scope, session.ID)
		c.must(err)
	}
}

// addOthers invites n further candidates and returns a word of each. A fifth of
// them take the assessment, to different statuses.
func (c *crowd) addOthers(n int) (words []string) {
	c.t.Helper()
	statuses := []rules.SessionStatus{
		rules.SessionInvited, rules.SessionInProgress, rules.SessionCompleted, rules.SessionDisqualified,
	}
	for first := 0; first < n; first += 50 {
		people := make([]planted, min(50, n-first))
		for i := range people {
			people[i] = plant()
			words = append(words, people[i].email)
		}
		for i, session := range c.bulk(people) {
			if i%5 == 0 {
				c.take(session, people[i], statuses[i/5%len(statuses)])
			}
		}
	}
	return words
}

// responsesWith counts the stored responses that contain one of the words.
func (c *crowd) responsesWith(words []string) (n int) {
	c.t.Helper()
	for _, word := range words {
		n += c.count(c.db, `SELECT COUNT(*) FROM webhook_attempts WHERE response_body LIKE '%`+word+`%'`)
	}
	return n
}

// awaitIdle waits until nothing is leased or due, except at one endpoint.
func (c *crowd) awaitIdle(except string) {
	c.t.Helper()
	eventually(c.t, func() bool {
		return c.count(c.db, fmt.Sprintf(`
			SELECT COUNT(*) FROM webhook_queue q JOIN webhook_endpoints h ON h.id = q.webhook_id
			WHERE h.enabled AND h.id <> '%s' AND (q.run_at <= %d OR q.lease <> '')`, except, c.clock.Now().UnixMicro())) == 0
	})
}

// countWith counts the requests that contain one of the words.
func countWith(requests []received, words []string) (n int) {
	for _, request := range requests {
		contains := func(word string) bool { return strings.Contains(string(request.body), word) }
		if slices.ContainsFunc(words, contains) {
			n++
		}
	}
	return n
}

// subjects are the planted candidates whose sessions are erased, one per status.
type subjects struct {
	people   []planted
	statuses []rules.SessionStatus
	sessions []string
	words    []string
	absent   map[string]bool // the answers of those that never wrote one
}

// plantSubjects invites them between others, with Idempotency-Keys, some of them
// in bulk, and one of them twice.
func (c *crowd) plantSubjects() (planted *subjects, others []string) {
	c.t.Helper()
	s := &subjects{absent: map[string]bool{}, statuses: []rules.SessionStatus{
		rules.SessionInvited, rules.SessionInProgress, rules.SessionCompleted,
		rules.SessionExpired, rules.SessionDisqualified, rules.SessionCancelled,
	}}
	for _, status := range s.statuses {
		p := plant()
		s.people, s.words = append(s.people, p), append(s.words, p.words()...)
		s.absent[p.answer] = status == rules.SessionInvited || status == rules.SessionExpired
	}
	invite := func(key string, in store.Invite) store.CandidateSession {
		invited, err := c.store.CreateCandidateSession(c.t.Context(), c.keyed(key), in)
		c.must(err)
		s.sessions = append(s.sessions, invited.Session.ID)
		return invited.Session
	}
	for i, session := range c.bulk(s.people[:3]) {
		s.sessions = append(s.sessions, session.ID)
		c.take(session, s.people[i], s.statuses[i])
	}
	for i := 3; i < len(s.people); i++ {
		in := c.inviteOf(s.people[i])
		if s.statuses[i] == rules.SessionExpired {
			in.ExpiresAt = ptr(c.clock.Now().Add(time.Hour))
		}
		c.take(invite(s.people[i].email, in), s.people[i], s.statuses[i])
		others = append(others, c.addOthers(5)...)
	}
	again := c.inviteOf(s.people[2]) // this candidate has completed a session already
	again.OnExisting = store.NewAttempt
	invite("again", again)
	again.OnExisting = store.ReturnExisting
	invite("found", again)
	return s, append(others, c.addOthers(10)...)
}

// TestErasureLeavesNothing plants personal data in every place where it can be
// stored, erases the candidates, and searches the whole database: on SQLite every
// byte of its files.
func TestErasureLeavesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		c := newCrowd(t, database)
		others := c.addOthers(250)
		release := make(chan struct{})
		open := sync.OnceFunc(func() { close(release) })
		blocking := c.echo(http.StatusOK, func(int) { <-release })
		receivers := []*receiver{
			c.echo(http.StatusOK, nil), c.echo(http.StatusInternalServerError, nil), c.echo(http.StatusGone, nil), blocking,
		}
		var blocked string
		for _, r := range receivers {
			blocked = c.subscribe(r.URL).ID
		}
		c.subscribe("http://127.0.0.1:1/") // a closed port
		registry, stop := c.dispatch(patiently)
		t.Cleanup(open) // before the dispatcher waits for its attempts
		s, beside := c.plantSubjects()
		others = append(others, beside...)
		c.awaitIdle(blocked) // the hour would end leases
		c.clock.Advance(time.Hour)
		_, err := c.store.UnscopedSweep(t.Context())
		c.must(err)
		for i, id := range s.sessions[:len(s.statuses)] {
			session, err := c.store.RetrieveCandidateSession(t.Context(), c.scope, id)
			c.must(err)
			if session.Status != s.statuses[i] {
				t.Fatalf("a session is %s, want %s", session.Status, s.statuses[i])
			}
		}
		c.awaitIdle(blocked)

		before := storetest.Search(t, c.database, slices.Concat(s.words, others)...)
		for _, word := range slices.Concat(s.words, others) {
			if before.Texts[word] == s.absent[word] {
				t.Fatalf("the search of %d bytes is wrong about %s", before.Searched, s.placeOf(word))
			}
		}
		inFlight := countWith(blocking.requests(), s.words)
		lost := metric(t, registry, "assay_webhook_lease_losses_total")
		if n := c.responsesWith(s.words); n < len(s.words) || inFlight == 0 {
			t.Fatalf("%d responses and %d requests in flight contain planted words", n, inFlight)
		}

		for _, id := range s.sessions {
			c.erase(id)
		}
		for _, r := range receivers {
			for range r.requests() {
				<-r.queue
			}
		}

		searched := []storetest.Found{storetest.Search(t, c.database, s.words...)}
		open() // the requests in flight get their responses
		eventually(t, func() bool {
			return metric(t, registry, "assay_webhook_lease_losses_total") == lost+float64(inFlight)
		})
		others = append(others, c.addOthers(10)...)
		for range webhooks.MaxAttempts { // retries
			c.clock.Advance(10 * time.Minute)
			c.awaitIdle("")
		}
		for _, r := range receivers {
			for len(r.queue) > 0 {
				if late := <-r.queue; countWith([]received{late}, s.words) > 0 {
					t.Errorf("sent after the erasure: %s", late.body)
				}
			}
		}
		searched = append(searched, storetest.Search(t, c.database, slices.Concat(s.words, others)...))
		for _, word := range others {
			if !searched[1].Texts[word] {
				t.Errorf("%s of another candidate is missing", word)
			}
		}
		if n := c.responsesWith(s.words); n > 0 {
			t.Errorf("%d responses contain erased words", n)
		}
		if database == "sqlite" {
			var integrity string
			c.must(c.db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&integrity))
			if integrity != "ok" {
				t.Error(integrity)
			}
		}
		stop()
		c.must(errors.Join(c.store.Close(), c.db.Close())) // the last connections to the files
		searched = append(searched, storetest.Search(t, c.database, s.words...))
		for i, result := range searched {
			when := []string{"at once", "after retries", "after closing"}[i]
			t.Logf("%s: searched %d bytes for %d words of %d sessions, between %d others",
				when, result.Searched, len(s.words), len(s.sessions), len(others))
			for _, word := range s.words {
				if result.Texts[word] {
					t.Errorf("%s: %s is still stored", when, s.placeOf(word))
				}
			}
		}
	})
}

// placeOf describes a word in an error.
func (s *subjects) placeOf(word string) string {
	places := []string{"name", "address", "external id", "label", "answer", "redirect URL"}
	for i, p := range s.people {
		if at := slices.Index(p.words(), word); at >= 0 {
			return fmt.Sprintf("%s of the candidate who was %s", places[at], s.statuses[i])
		}
	}
	return "the word of another candidate"
}
