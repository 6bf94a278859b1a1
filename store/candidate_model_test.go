package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
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
// replicas on one database do what the model says. RAPID_CHECKS=5000 in the
// environment looks longer; what a failure prints names the flag that repeats it.
func TestSessionsFollowTheirModel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		address := storetest.URL(t, database)
		replicas := []*store.Store{storetest.OpenURL(t, address, clock.Now), storetest.OpenURL(t, address, clock.Now)}
		rapid.Check(t, func(rt *rapid.T) {
			defer storetest.ForgetDeadlines(t, address) // or the sweeps of the next case would find more than its own
			x := &sessionTest{ctx: t.Context(), replicas: replicas, clock: clock}
			x.begin(rt)
			rt.Repeat(map[string]func(*rapid.T){"": x.compare, "step": x.step})
			x.setClock(sessionTestStart.AddDate(200, 0, 0))
			x.sweep(rt)
			x.compare(rt)
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
	last        *modelSession // what the step before was about
	events      []string      // every event that there must be, once
	swept       bool          // no deadline is yet to be applied
}

// step does one of the things that can happen; the number is how often.
func (x *sessionTest) step(t *rapid.T) {
	steps := map[string]func(*rapid.T){}
	var names []string
	for _, one := range []struct {
		name  string
		times int
		do    func(*rapid.T)
	}{
		{"look", 1, x.look}, {"work", 8, x.work}, {"start", 1, x.start}, {"answer a question", 2, x.answer},
		{"submit the stage", 1, x.submitCurrent}, {"submit any stage", 3, x.submitAny}, {"invite", 3, x.invite},
		{"resend", 2, x.resend}, {"use a dead link", 1, x.useDeadLink}, {"wait for a deadline", 6, x.waitForDeadline},
		{"wait", 1, x.wait}, {"sweep", 1, x.sweep}, {"cancel", 1, x.cancel}, {"archive", 1, x.archive},
	} {
		steps[one.name] = one.do
		names = append(names, slices.Repeat([]string{one.name}, one.times)...)
	}
	steps[evenly(names...).Draw(t, "what happens")](t)
}

var (
	// The fraction of a millisecond must not count.
	sessionTestStart = time.Date(2026, 11, 20, 10, 0, 0, 123_456_789, time.UTC)
	sessionTestOwner atomic.Int64
)

// begin makes an organization with assessments, an endpoint for every event,
// and a first session.
func (x *sessionTest) begin(t *rapid.T) {
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
	for range evenly(1, 2).Draw(t, "assessments") {
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

func (x *sessionTest) setClock(to time.Time) { x.clock.Advance(to.Sub(x.clock.Now())) }

// now is what the contract can write of the clock's time.
func (x *sessionTest) now() time.Time { return x.clock.Now().UTC().Truncate(time.Millisecond) }

func (x *sessionTest) replica(t *rapid.T) *store.Store {
	return x.replicas[place(t, "replica", x.replicas)]
}

// session is mostly one that is not over yet, and often the one that the step
// before was about: much happens only to a session that goes far.
func (x *sessionTest) session(t *rapid.T) *modelSession {
	var goingOn []*modelSession
	for _, session := range x.sessions {
		if session.live() {
			goingOn = append(goingOn, session)
		}
	}
	if len(goingOn) == 0 || evenly("going on", "going on", "going on", "any").Draw(t, "session") == "any" {
		goingOn = x.sessions
	}
	if x.last == nil || !slices.Contains(goingOn, x.last) || rapid.Bool().Draw(t, "another") {
		x.last = goingOn[place(t, "session", goingOn)]
	}
	return x.last
}

// become makes next the state of a session; finishing emits one event.
func (x *sessionTest) become(session *modelSession, next modelSession) {
	if next.finished() && !session.finished() {
		x.events = append(x.events, next.event("candidate."+strings.ToLower(next.status), x.now()))
	}
	*session = next
}

func (x *sessionTest) invite(t *rapid.T) {
	assessment := x.assessments[place(t, "assessment", x.assessments)]
	email := evenly("ada@example.com", "Ada@Example.COM", "grace@example.com").Draw(t, "email")
	if evenly("again", "again", "again", "anybody").Draw(t, "who") == "again" {
		before := x.session(t)
		assessment, email = before.assessment, strings.ToUpper(before.email)
	}
	onExisting := evenly("", store.ReturnExisting, store.RefuseExisting, store.NewAttempt).Draw(t, "onExisting")
	var expires *time.Time
	if within := evenly("", "", "", "", "1h", "8784h", "0s", "8784h0.001s").Draw(t, "expires"); within != "" {
		d, err := time.ParseDuration(within)
		must(t, err)
		expires = new(x.now().Add(d))
	}
	x.inviteAs(t, assessment, email, onExisting, expires, evenly(0, 1, 33, 400).Draw(t, "extra"))
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
			assessment: assessment, id: stored.ID, email: email, attempt: attempt, links: []string{linkOf(t, s, stored)},
			extra:  extra,
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
	x.useDead(t, session, len(session.links)-1)
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
	x.useDead(t, session, len(session.links)-2)
}

// waitForDeadline sets the clock to a deadline, or as near to it as can be.
func (x *sessionTest) waitForDeadline(t *rapid.T) {
	due := x.session(t).settled(x.now()).due()
	if due.IsZero() {
		x.wait(t)
		return
	}
	x.setClock(due.Add(evenly(0, -1, 1, time.Millisecond).Draw(t, "beside")))
}

func (x *sessionTest) wait(t *rapid.T) {
	const day = 24 * time.Hour
	x.clock.Advance(evenly(
		time.Millisecond, 999*time.Millisecond, 40*time.Second, 40*time.Second, 40*time.Second, 5*time.Minute, 2*day, 400*day,
	).Draw(t, "for"))
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

func (x *sessionTest) archive(t *rapid.T) {
	assessment := x.assessments[place(t, "assessment", x.assessments)]
	_, err := x.replica(t).ArchiveAssessment(x.ctx, x.scope, assessment.id)
	must(t, err)
	assessment.archived = true
}

// evenly draws each of the choices as often as the others, where rapid's own
// generators prefer the first.
func evenly[T any](choices ...T) *rapid.Generator[T] {
	return rapid.Custom(func(t *rapid.T) T {
		drawn := 0
		for range max(bits.Len(uint(len(choices)-1)), 1) { // a generator has to draw something
			drawn *= 2
			if rapid.Bool().Draw(t, "bit") {
				drawn++
			}
		}
		return choices[drawn%len(choices)]
	})
}

// place draws one of the places in list.
func place[T any](t *rapid.T, label string, list []T) int {
	t.Helper()
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	return evenly(places...).Draw(t, label)
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
	"stage_closed": store.Conflict, "candidate_already_invited": store.Conflict,
	"assessment_not_published": store.Conflict,
	"invite_expired":           store.Gone, "result_not_ready": store.Conflict,
}

// refused fails the test unless err is a refusal with one of the codes.
func refused(t *rapid.T, err error, codes ...string) {
	t.Helper()
	var refusal *store.Error
	if !errors.As(err, &refusal) || !slices.Contains(codes, refusal.Code) || kinds[refusal.Code] != refusal.Kind {
		t.Fatalf("refused with %v, want %v", err, codes)
	}
}
