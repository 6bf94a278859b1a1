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

// Two replicas on one database must do what the model (modelSession) says, for
// any order of requests and at any time. The test draws random steps, performs
// each on the store and on the model, and compares both after each step.
// RAPID_CHECKS=5000 in the environment draws more cases. The message of a failure
// contains the flag that repeats it.
func TestCandidateSessionsMatchModel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		address := storetest.URL(t, database)
		grace := func(opts *store.Options) { opts.DeadlineGrace = modelGrace }
		replicas := []*store.Store{
			storetest.OpenURL(t, address, clock.Now, grace), storetest.OpenURL(t, address, clock.Now, grace),
		}
		rapid.Check(t, func(rt *rapid.T) {
			// Without this, the sweeps of the next case would find the sessions of this one.
			defer storetest.ClearDeadlines(t, address)

			x := &sessionTest{ctx: t.Context(), replicas: replicas, clock: clock}
			x.begin(rt)
			rt.Repeat(map[string]func(*rapid.T){"": x.compare, "step": x.step})
			x.setClock(sessionTestStart.AddDate(200, 0, 0))
			x.sweep(rt)
			x.compare(rt)
		})
	})
}

// sessionTest is one drawn case. It has the replicas of the store and the model.
type sessionTest struct {
	ctx         context.Context
	replicas    []*store.Store
	clock       *storetest.Clock
	scope       store.Scope
	assessments []*modelAssessment
	sessions    []*modelSession
	last        *modelSession // the session of the previous step
	events      []string      // the lines of all events so far
	swept       bool          // a sweep has just applied all passed deadlines
}

// step performs one of the steps, each as often as its weight says.
func (x *sessionTest) step(t *rapid.T) {
	steps := map[string]func(*rapid.T){}
	var names []string
	for _, one := range []struct {
		name   string
		weight int
		do     func(*rapid.T)
	}{
		{"read", 1, x.read}, {"work", 8, x.work}, {"start", 1, x.start}, {"answer a question", 2, x.answer},
		{"answer questions", 2, x.answerMany}, {"clear an answer", 1, x.clear}, {"start a stage", 2, x.startAnyStage},
		{"submit the current stage", 1, x.submitCurrent}, {"submit any stage", 3, x.submitAny}, {"invite", 3, x.invite},
		{"resend", 2, x.resend}, {"use an invalid link", 1, x.useInvalidLink},
		{"wait for a deadline", 6, x.waitForDeadline}, {"wait", 1, x.wait}, {"sweep", 1, x.sweep},
		{"cancel", 1, x.cancel}, {"archive", 1, x.archive}, {"grade", 3, x.grade}, {"rule", 2, x.rule},
	} {
		steps[one.name] = one.do
		names = append(names, slices.Repeat([]string{one.name}, one.weight)...)
	}
	steps[uniform(names...).Draw(t, "step")](t)
}

var (
	// The store must ignore the fraction of a millisecond.
	sessionTestStart = time.Date(2026, 11, 20, 10, 0, 0, 123_456_789, time.UTC)
	sessionTestOwner atomic.Int64
)

// begin creates an organization with assessments, an endpoint for every event
// type, and one session.
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
		"candidate.invited", "candidate.started", "candidate.completed", "candidate.disqualified", "candidate.expired",
		"candidate.cancelled", "assessment.published", "assessment.archived", "candidate.submitted", "candidate.review_requested",
	}})
	must(t, err)

	for range uniform(1, 2).Draw(t, "assessments") {
		in, model := drawAssessment(t)
		stored, err := s.CreateAssessment(x.ctx, x.scope, in)
		must(t, err)
		_, err = s.PublishAssessment(x.ctx, x.scope, stored.ID)
		must(t, err)
		model.setIDs(stored)
		x.assessments = append(x.assessments, model)
		x.events = append(x.events,
			eventLine(x.now(), "assessment.published", model.id, "PUBLISHED", formatTime(x.now())))
	}
	x.inviteTo(t, x.assessments[0], "ada@example.com", "", nil, 0)
}

func (x *sessionTest) setClock(to time.Time) { x.clock.Advance(to.Sub(x.clock.Now())) }

// now is the time of the clock in whole milliseconds, which is the API's precision.
func (x *sessionTest) now() time.Time { return x.clock.Now().UTC().Truncate(time.Millisecond) }

func (x *sessionTest) replica(t *rapid.T) *store.Store {
	return x.replicas[index(t, "replica", x.replicas)]
}

// session draws a session. It prefers live sessions and the session of the
// previous step, because many states occur only in a session with many steps.
func (x *sessionTest) session(t *rapid.T) *modelSession {
	var choices []*modelSession
	for _, session := range x.sessions {
		if session.live() {
			choices = append(choices, session)
		}
	}
	if len(choices) == 0 || uniform("live", "live", "live", "any").Draw(t, "session") == "any" {
		choices = x.sessions
	}
	if x.last == nil || !slices.Contains(choices, x.last) || rapid.Bool().Draw(t, "another") {
		x.last = choices[index(t, "session", choices)]
	}
	return x.last
}

// update sets the state of a model session. A session that starts or ends emits one event.
func (x *sessionTest) update(session *modelSession, next modelSession) {
	switch next.status {
	case "IN_REVIEW":
		x.events = append(x.events, next.reviewEvents(*session, x.now())...)
	case session.status, "INVITED":
	case "IN_PROGRESS":
		if session.status == "IN_REVIEW" {
			break
		}
		x.events = append(x.events, next.event("candidate.started", x.now()))
	default:
		x.events = append(x.events, next.event("candidate."+strings.ToLower(next.status), x.now()))
	}
	*session = next
}

// modelGrace is the grace period of the stores.
const modelGrace = 10 * time.Second

// waitForDeadline sets the clock to a deadline or the end of its grace period, 1 ns
// before or after it, or 1 ms after it.
func (x *sessionTest) waitForDeadline(t *rapid.T) {
	session := x.session(t).settled(x.now())
	due := session.due()
	if due.IsZero() {
		x.wait(t)
		return
	}
	if session.status == "IN_PROGRESS" && session.limit().After(x.clock.Now().Add(1)) && rapid.Bool().Draw(t, "visible") {
		due = session.limit()
	}
	x.setClock(due.Add(uniform(0, -1, 1, time.Millisecond).Draw(t, "difference")))
}

func (x *sessionTest) wait(t *rapid.T) {
	const day = 24 * time.Hour
	x.clock.Advance(uniform(
		time.Millisecond, 999*time.Millisecond, 40*time.Second, 40*time.Second, 40*time.Second, 5*time.Minute, 2*day,
		20*day, 20*day, 400*day,
	).Draw(t, "duration"))
}

func (x *sessionTest) sweep(t *rapid.T) {
	overdue := 0
	for _, session := range x.sessions {
		if session.lapses(x.now()) {
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
	assessment := x.assessments[index(t, "assessment", x.assessments)]
	_, err := x.replica(t).ArchiveAssessment(x.ctx, x.scope, assessment.id)
	must(t, err)
	if !assessment.archived {
		x.events = append(x.events,
			eventLine(x.now(), "assessment.archived", assessment.id, "ARCHIVED", formatTime(x.now())))
	}
	assessment.archived = true
}

// uniform draws each choice with about the same probability. The generators of
// rapid prefer the first choices.
func uniform[T any](choices ...T) *rapid.Generator[T] {
	return rapid.Custom(func(t *rapid.T) T {
		drawn := 0
		for range max(bits.Len(uint(len(choices)-1)), 1) { // a generator must draw at least once
			drawn *= 2
			if rapid.Bool().Draw(t, "bit") {
				drawn++
			}
		}
		return choices[drawn%len(choices)]
	})
}

// index draws an index into list.
func index[T any](t *rapid.T, label string, list []T) int {
	t.Helper()
	indexes := make([]int, len(list))
	for i := range indexes {
		indexes[i] = i
	}
	return uniform(indexes...).Draw(t, label)
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// refusalKinds has the kind of each refusal that the model expects.
var refusalKinds = map[string]store.Kind{
	"session_not_in_review": store.Conflict, "session_not_finished": store.Conflict, "answers_not_graded": store.Conflict,
	"result_in_review": store.Conflict,
	"unauthenticated":  store.Unauthenticated, "not_found": store.NotFound, "invalid_request": store.Invalid,
	"session_not_in_progress": store.Conflict, "session_not_invited": store.Conflict, "session_closed": store.Conflict,
	"stage_closed": store.Conflict, "stage_not_started": store.Conflict, "candidate_already_invited": store.Conflict,
	"assessment_not_published": store.Conflict,
	"invite_expired":           store.Gone, "result_not_ready": store.Conflict,
}

// wantRefusal checks that err is a refusal with one of the codes.
func wantRefusal(t *rapid.T, err error, codes ...string) {
	t.Helper()
	var refusal *store.Error
	if !errors.As(err, &refusal) || !slices.Contains(codes, refusal.Code) || refusalKinds[refusal.Code] != refusal.Kind {
		t.Fatalf("the error is %v, want a refusal with one of the codes %v", err, codes)
	}
}
