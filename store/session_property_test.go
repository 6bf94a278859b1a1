package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/storetest"
)

// Whatever happens to sessions, in whatever order and at whatever moment, two
// replicas on one database do what the model says. `go test -run
// SessionsFollowTheirModel ./store -rapid.checks=5000` looks longer; what a
// failure prints names the flag that repeats it.
func TestSessionsFollowTheirModel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		address := storetest.URL(t, database)
		replicas := []*store.Store{storetest.OpenURL(t, address, clock.Now), storetest.OpenURL(t, address, clock.Now)}
		rapid.Check(t, func(rt *rapid.T) {
			x := &sessionTest{ctx: t.Context(), replicas: replicas, clock: clock}
			x.begin(rt)
			rt.Repeat(map[string]func(*rapid.T){
				"":                  x.compare,
				"invite":            x.invite,
				"start":             x.start,
				"answer a question": x.answer,
				"work":              x.work,
				"submit the stage":  x.submitCurrent,
				"submit any stage":  x.submitAny,
				"look":              x.look,
				"cancel":            x.cancel,
				"resend":            x.resend,
				"use a dead link":   x.useDeadLink,
				"wait for deadline": x.waitForDeadline,
				"wait":              x.wait,
				"sweep":             x.sweep,
				"archive":           x.archive,
			})
			x.end(rt)
		})
	})
}

// sessionTest is one drawn case: the store on one side, the model on the other.
type sessionTest struct {
	ctx         context.Context
	replicas    []*store.Store
	clock       *storetest.Clock
	scope       store.Scope
	assessments []*modelAssessment
	sessions    []*modelSession
	events      []string // every event that there must be, once
	swept       bool     // no deadline is yet to be applied
}

var (
	// The fraction of a millisecond must not count.
	sessionTestStart = time.Date(2026, 11, 20, 10, 0, 0, 123_456_789, time.UTC)
	sessionTestOwner atomic.Int64
)

// begin makes an organization with assessments, an endpoint for every event,
// and a first session.
func (x *sessionTest) begin(t *rapid.T) {
	x.end(t) // what an earlier case left behind, because it failed
	x.setClock(sessionTestStart)
	s := x.replicas[0]
	signedIn, err := s.Register(x.ctx, store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Password: "a long and good pass phrase",
		Email: fmt.Sprintf("model%d@example.com", sessionTestOwner.Add(1)),
	})
	must(t, err)
	x.scope = store.Scope{OrganizationID: signedIn.Organization.ID, UserID: signedIn.User.ID, Role: store.Owner}
	_, err = s.CreateWebhook(x.ctx, x.scope, store.NewWebhook{URL: "https://receiver.example/assay", Events: []string{
		"candidate.invited", "candidate.completed", "candidate.disqualified", "assessment.published",
	}})
	must(t, err)
	for range rapid.IntRange(1, 2).Draw(t, "assessments") {
		in, model := drawAssessment(t)
		stored, err := s.CreateAssessment(x.ctx, x.scope, in)
		must(t, err)
		_, err = s.PublishAssessment(x.ctx, x.scope, stored.ID)
		must(t, err)
		model.takeIDs(stored)
		x.assessments = append(x.assessments, model)
		x.events = append(x.events, eventLine(x.now(), "assessment.published", model.id, "PUBLISHED", moment(x.now())))
	}
	x.inviteAs(t, x.assessments[0], "ada@example.com", "", nil, 0)
}

// end lets all the time pass that any limit gives, so that nothing is due in
// this database before the next case begins.
func (x *sessionTest) end(t *rapid.T) {
	x.setClock(sessionTestStart.AddDate(200, 0, 0))
	if x.sessions == nil {
		for swept := 1; swept > 0; {
			var err error
			swept, err = x.replicas[0].UnscopedSweep(x.ctx)
			must(t, err)
		}
		return
	}
	x.sweep(t)
	x.compare(t)
}

func (x *sessionTest) setClock(to time.Time) { x.clock.Advance(to.Sub(x.clock.Now())) }

// now is what the contract can write of the clock's time.
func (x *sessionTest) now() time.Time { return x.clock.Now().UTC().Truncate(time.Millisecond) }

func (x *sessionTest) replica(t *rapid.T) *store.Store {
	return x.replicas[rapid.IntRange(0, len(x.replicas)-1).Draw(t, "replica")]
}

func (x *sessionTest) session(t *rapid.T) *modelSession {
	return x.sessions[rapid.IntRange(0, len(x.sessions)-1).Draw(t, "session")]
}

// become makes next the state of a session; finishing emits one event.
func (x *sessionTest) become(session *modelSession, next modelSession) {
	if next.finished() && !session.finished() {
		x.events = append(x.events, next.event("candidate."+strings.ToLower(next.status), x.now()))
	}
	*session = next
}

func (x *sessionTest) invite(t *rapid.T) {
	assessment := x.assessments[rapid.IntRange(0, len(x.assessments)-1).Draw(t, "assessment")]
	email := rapid.SampledFrom([]string{"ada@example.com", "Ada@Example.COM", "grace@example.com"}).Draw(t, "email")
	if rapid.Bool().Draw(t, "again") {
		before := x.session(t)
		assessment, email = before.assessment, strings.ToUpper(before.email)
	}
	onExisting := rapid.SampledFrom([]store.OnExisting{"", store.ReturnExisting, store.RefuseExisting, store.NewAttempt}).Draw(t, "onExisting")
	var expires *time.Time
	if within := rapid.SampledFrom([]string{"", "1h", "8784h", "0s", "-1ms", "8784h0.001s"}).Draw(t, "expires"); within != "" {
		d, err := time.ParseDuration(within)
		must(t, err)
		expires = new(x.now().Add(d))
	}
	x.inviteAs(t, assessment, email, onExisting, expires, rapid.SampledFrom([]int{0, 1, 33, 50, 400}).Draw(t, "extra"))
}

// inviteAs always goes to one replica: which of two sessions is the newer, when
// two replicas made them within one millisecond, nobody says.
func (x *sessionTest) inviteAs(
	t *rapid.T, assessment *modelAssessment, email string, onExisting store.OnExisting, expires *time.Time, extra int,
) {
	now, s := x.now(), x.replicas[0]
	invited, err := s.CreateCandidateSession(x.ctx, x.scope, store.Invite{
		AssessmentID: assessment.id, CandidateName: "A candidate", CandidateEmail: email,
		ExpiresAt: expires, ExtraTimePercent: extra, OnExisting: onExisting,
	})
	stored, created := invited.Session, invited.Created
	attempt, existing := 1, (*modelSession)(nil)
	for _, other := range x.sessions {
		if other.assessment == assessment && strings.EqualFold(other.email, email) {
			attempt++
			if other.settled(now).live() {
				existing = other
			}
		}
	}
	if onExisting == store.NewAttempt {
		existing = nil
	}
	const year = 366 * 24 * time.Hour
	switch {
	case expires != nil && (!expires.After(now) || expires.After(now.Add(year))):
		refused(t, err, "invalid_request")
	case assessment.archived:
		refused(t, err, "assessment_not_published")
	case existing != nil && onExisting == store.RefuseExisting:
		refused(t, err, "candidate_already_invited")
	case existing != nil:
		must(t, err)
		if created || stored.ID != existing.id {
			t.Fatalf("invited: %s, created %t, want the existing %s", stored.ID, created, existing.id)
		}
	default:
		must(t, err)
		if !created {
			t.Fatalf("invited: the existing %s, want a new session", stored.ID)
		}
		session := &modelSession{
			assessment: assessment, id: stored.ID, email: email, attempt: attempt, links: []string{linkOf(t, s, stored)}, extra: extra,
			status: "INVITED", invited: now, updated: now, expires: now.AddDate(0, 0, assessment.expiryDays),
			stage: -1, score: -1, answers: map[string]modelAnswer{},
		}
		if expires != nil {
			session.expires = *expires
		}
		x.sessions = append(x.sessions, session)
		x.events = append(x.events, session.event("candidate.invited", now))
		x.same(t, s, stored, *session)
	}
}

func (x *sessionTest) cancel(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	stored, err := s.CancelCandidateSession(x.ctx, x.scope, session.id)
	next := session.settled(x.now())
	if !next.live() {
		refused(t, err, "session_closed")
		return
	}
	must(t, err)
	next.cancel(x.now())
	x.become(session, next)
	x.same(t, s, stored, next)
}

func (x *sessionTest) resend(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	stored, err := s.ResendCandidateSession(x.ctx, x.scope, session.id)
	next := session.settled(x.now())
	switch {
	case next.status != "INVITED" && next.status != "EXPIRED":
		refused(t, err, "session_not_invited")
		return
	case next.status == "EXPIRED" && next.assessment.archived:
		refused(t, err, "assessment_not_published")
		return
	}
	must(t, err)
	next.resend(x.now())
	link := linkOf(t, s, stored)
	if slices.Contains(next.links, link) {
		t.Fatalf("%s was sent an old link again", session.id)
	}
	next.links = append(next.links, link)
	x.become(session, next)
	x.events = append(x.events, next.event("candidate.invited", x.now()))
	x.same(t, s, stored, next)
}

// waitForDeadline sets the clock to a deadline, or as near to it as can be.
func (x *sessionTest) waitForDeadline(t *rapid.T) {
	var ahead []time.Time
	for _, session := range x.sessions {
		if due := session.settled(x.now()).due(); !due.IsZero() {
			ahead = append(ahead, due)
		}
	}
	if len(ahead) == 0 {
		x.wait(t)
		return
	}
	slices.SortFunc(ahead, time.Time.Compare)
	due := ahead[rapid.IntRange(0, len(ahead)-1).Draw(t, "deadline")]
	x.setClock(due.Add(rapid.SampledFrom([]time.Duration{0, -1, 1, time.Millisecond}).Draw(t, "beside")))
}

func (x *sessionTest) wait(t *rapid.T) {
	const day = 24 * time.Hour
	x.clock.Advance(rapid.SampledFrom([]time.Duration{time.Millisecond, 999 * time.Millisecond, 40 * time.Second, 5 * time.Minute, 2 * day, 400 * day}).Draw(t, "for"))
}

func (x *sessionTest) sweep(t *rapid.T) {
	overdue := 0
	for _, session := range x.sessions {
		if session.overdue(x.now()) {
			overdue++
		}
	}
	swept, err := x.replica(t).UnscopedSweep(x.ctx)
	must(t, err)
	if swept != overdue {
		t.Fatalf("the sweep changed %d sessions, want %d", swept, overdue)
	}
	x.swept = true
}

// archive happens to an assessment at most once, and rarely: nothing much
// happens afterwards.
func (x *sessionTest) archive(t *rapid.T) {
	assessment := x.assessments[rapid.IntRange(0, len(x.assessments)-1).Draw(t, "assessment")]
	if rapid.IntRange(0, 3).Draw(t, "really") < 3 {
		return
	}
	_, err := x.replica(t).ArchiveAssessment(x.ctx, x.scope, assessment.id)
	must(t, err)
	assessment.archived = true
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("failed: %v", err)
	}
}

// kinds are the statuses of the refusals that a session knows.
var kinds = map[string]store.Kind{
	"unauthenticated": store.Unauthenticated, "not_found": store.NotFound, "invalid_request": store.Invalid,
	"session_not_in_progress": store.Conflict, "session_not_invited": store.Conflict, "session_closed": store.Conflict,
	"stage_closed": store.Conflict, "candidate_already_invited": store.Conflict, "assessment_not_published": store.Conflict,
	"invite_expired": store.Gone, "result_not_ready": store.Conflict,
}

// refused fails the test unless err is a refusal with one of the codes.
func refused(t *rapid.T, err error, codes ...string) {
	t.Helper()
	var refusal *store.Error
	if !errors.As(err, &refusal) || !slices.Contains(codes, refusal.Code) || kinds[refusal.Code] != refusal.Kind {
		t.Fatalf("refused with %v, want %v", err, codes)
	}
}
