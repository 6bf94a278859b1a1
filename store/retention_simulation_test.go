package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// Two years of an organization, day by day: sessions end in each way, people change states, set and release holds, and
// change retentions. After each day, everything whose time has passed is erased, and nothing else.
func TestTwoYearsOfRetention(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x := newYears(t, database)
		for day := range 730 {
			x.day = day
			x.clock.Advance(time.Duration(18*60+x.random.IntN(12*60)) * time.Minute)
			x.candidates()
			x.people()
			if _, err := x.store.UnscopedSweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			for more := true; more; {
				var err error
				if more, err = x.store.UnscopedEraseRetained(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			x.compare()
			if t.Failed() {
				return
			}
		}
		x.check()
	})
}

// years is the simulation, and a model of it that shares no code with the store.
type years struct {
	t           *testing.T
	store       *store.Store
	scope       store.Scope
	clock       *storetest.Clock
	random      *rand.Rand
	day         int
	assessments []string // the last one needs grades
	sessions    []*keptModel
	rules       map[string]ruleModel // by assessment, or ""
	holds       []holdModel
	erasures    map[string]int // of each kind of session
}

type keptModel struct {
	id, assessment, status string
	started                bool
	expires, ended         time.Time
	state                  string
	since                  time.Time
	erased                 bool
}

type ruleModel struct {
	months, notStarted int // 0 for none
	states             map[string]int
	removed            bool
	appliesFrom        time.Time
}

type holdModel struct{ id, assessment, session string }

func newYears(t *testing.T, database string) *years {
	t.Helper()
	x := &years{
		t: t, clock: storetest.NewClock(), random: rand.New(rand.NewPCG(3, 5)), rules: map[string]ruleModel{},
		erasures: map[string]int{},
	}
	x.store = storetest.Open(t, database, x.clock.Now)
	var first string
	x.scope, first = published(t, x.store)
	x.assessments = []string{first}
	two := 2.0
	for i := range 4 {
		question := rules.Question{Type: rules.Numeric, Prompt: "How many?", Points: 1, Answer: &two}
		if i == 3 {
			question = rules.Question{Type: rules.FreeText, Prompt: "Why?", Points: 1, MaxWords: new(100)}
		}
		made, err := x.store.CreateAssessment(t.Context(), x.scope, store.NewAssessment{
			Title: fmt.Sprint("Knots ", i), Definition: rules.Definition{Stages: []rules.Stage{{
				Title: "One", Questions: []rules.Question{question},
			}}},
		})
		if err == nil {
			_, err = x.store.PublishAssessment(t.Context(), x.scope, made.ID)
		}
		x.must(err)
		x.assessments = append(x.assessments, made.ID)
	}
	return x
}

func (x *years) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatalf("day %d: %v", x.day, err)
	}
}

func (x *years) now() time.Time { return x.store.Now() }

// chance is true with a probability of one in n.
func (x *years) chance(n int) bool { return x.random.IntN(n) == 0 }

// candidates invites two people, and lets some of the sessions end.
func (x *years) candidates() {
	for range 2 {
		assessment := x.assessments[x.random.IntN(len(x.assessments))]
		session, err := inviteTo(x.t.Context(), x.store, x.scope, assessment, fmt.Sprintf("c%d@example.com", len(x.sessions)))
		x.must(err)
		s := &keptModel{
			id: session.ID, assessment: assessment, status: "INVITED", expires: session.ExpiresAt.Time, state: "new",
		}
		x.sessions = append(x.sessions, s)
		if x.chance(3) {
			continue // it expires
		}
		if x.chance(4) {
			x.cancel(s)
			continue
		}
		x.take(s, session)
	}
	for _, s := range x.sessions {
		if s.status == "INVITED" && !x.now().Before(s.expires) {
			s.status, s.ended = "EXPIRED", s.expires
		}
	}
	if s := x.any(); !s.erased && (s.status == "IN_PROGRESS" || s.status == "IN_REVIEW") {
		x.cancel(s)
	}
}

// cancel cancels a session that has not ended meanwhile.
func (x *years) cancel(s *keptModel) {
	_, err := x.store.UnscopedSweep(x.t.Context())
	x.must(err)
	if x.refresh(s); !s.ended.IsZero() && s.status != "IN_REVIEW" {
		return
	}
	_, err = x.store.CancelCandidateSession(x.t.Context(), x.scope, s.id)
	x.must(err)
	s.status, s.ended = "CANCELLED", x.now()
}

// refresh reads whether the service has ended an abandoned session.
func (x *years) refresh(s *keptModel) {
	found, err := x.store.RetrieveCandidateSession(x.t.Context(), x.scope, s.id)
	x.must(err)
	if found.Status == "COMPLETED" {
		s.status, s.ended = "COMPLETED", found.CompletedAt.Time
	}
}

// take starts a session, and submits most.
func (x *years) take(s *keptModel, session store.CandidateSession) {
	ctx := x.t.Context()
	_, token, _ := strings.Cut(*x.store.InviteURL(session), "#")
	scope, err := x.store.UnscopedCandidate(ctx, token)
	x.must(err)
	taking, err := x.store.StartTaking(ctx, scope, false, "")
	x.must(err)
	s.started, s.status = true, "IN_PROGRESS"
	if x.chance(6) {
		return
	}
	x.clock.Advance(time.Duration(x.random.IntN(3600)) * time.Second)
	stage := taking.Assessment.Definition.Stages[0]
	answer := rules.Answer{Text: new("Because.")}
	if s.assessment != x.assessments[len(x.assessments)-1] {
		answer = rules.Answer{Number: new(2.0)}
	}
	_, err = x.store.SaveAnswer(ctx, scope, stage.Questions[0].ID, answer)
	x.must(err)
	_, err = x.store.SubmitStage(ctx, scope, store.StageAnswers{StageID: stage.ID})
	x.must(err)
	s.status, s.ended = "COMPLETED", x.now()
	if answer.Text != nil {
		s.status = "IN_REVIEW"
	}
}

// any returns any session.
func (x *years) any() *keptModel { return x.sessions[x.random.IntN(len(x.sessions))] }

// people changes states, retentions, and holds.
func (x *years) people() {
	ctx := x.t.Context()
	for range 2 {
		s := x.any()
		state := []string{"new", "shortlisted", "rejected", "hired"}[x.random.IntN(4)]
		if s.erased || s.state == state {
			continue
		}
		_, err := x.store.ChangeReviewState(ctx, x.scope, s.id, store.StateChange{StateID: state})
		x.must(err)
		s.state, s.since = state, x.now()
	}
	if x.day == 0 || x.chance(40) {
		x.changeRule()
	}
	if x.chance(8) {
		x.setHold()
	}
	if len(x.holds) > 0 && x.chance(10) {
		i := x.random.IntN(len(x.holds))
		x.must(x.store.DeleteLegalHold(ctx, x.scope, x.holds[i].id))
		x.holds = slices.Delete(x.holds, i, i+1)
	}
}

func (x *years) setHold() {
	s := x.any()
	made := holdModel{session: s.id}
	if x.chance(4) {
		made = holdModel{assessment: s.assessment}
	}
	var err error
	if made.id, err = setHold(x.t.Context(), x.store, x.scope, made.assessment, made.session); s.erased && made.session != "" {
		wantOutcome(x.t, "a hold on an erased session", err, "session_erased")
		return
	}
	x.must(err)
	x.holds = append(x.holds, made)
}

// changeRule changes the retention of the organization, or that of an assessment.
func (x *years) changeRule() {
	ctx, assessment := x.t.Context(), ""
	if x.day > 0 && !x.chance(3) {
		assessment = x.assessments[x.random.IntN(len(x.assessments))]
	}
	rule, in := ruleModel{states: map[string]int{}, appliesFrom: x.now().Add(24 * time.Hour)}, rules.Retention{}
	if assessment != "" && x.chance(3) {
		x.must(x.store.DeleteAssessmentRetention(ctx, x.scope, assessment))
		if own, exists := x.rules[assessment]; exists && !own.removed {
			rule.removed = true
			x.rules[assessment] = rule
		}
		return
	}
	longest := 12
	if !x.chance(5) {
		rule.months = 1 + x.random.IntN(12)
		longest, in.Months = rule.months, &rule.months
	}
	if x.chance(2) {
		rule.notStarted = 1 + x.random.IntN(longest)
		in.NotStartedMonths = &rule.notStarted
	}
	for _, state := range []string{"rejected", "hired"} {
		if x.chance(2) {
			rule.states[state] = 1 + x.random.IntN(longest)
			in.States = append(in.States, rules.StateRetention{StateID: state, Months: rule.states[state]})
		}
	}
	var err error
	var stored store.Retention
	if assessment == "" {
		stored, err = x.store.ReplaceRetention(ctx, x.scope, in)
	} else {
		stored, err = x.store.ReplaceAssessmentRetention(ctx, x.scope, assessment, in)
	}
	x.must(err)
	if before, exists := x.rules[assessment]; exists && !before.removed && before.same(rule) {
		return // no change
	}
	limits := rule.months > 0 || rule.notStarted > 0 || len(rule.states) > 0
	if limits != (stored.AppliesFrom != nil) || limits && !stored.AppliesFrom.Equal(rule.appliesFrom) {
		x.t.Errorf("the retention applies from %v, want %v", stored.AppliesFrom, rule.appliesFrom)
	}
	x.rules[assessment] = rule
}

func (r ruleModel) same(other ruleModel) bool {
	return r.months == other.months && r.notStarted == other.notStarted && maps.Equal(r.states, other.states)
}

// end is when a session must not be kept any longer, and what says so; "" if nothing does.
func (x *years) end(s *keptModel) (at time.Time, kind string) {
	rule, from := x.rules[""], x.rules[""].appliesFrom
	if own, exists := x.rules[s.assessment]; exists {
		if !own.removed {
			rule, from = own, own.appliesFrom
		} else if own.appliesFrom.After(from) {
			from = own.appliesFrom
		}
	}
	if s.ended.IsZero() {
		return at, ""
	}
	months := rule.months
	kind = s.status
	if !s.started && rule.notStarted > 0 {
		months = rule.notStarted
		kind = "not started"
	}
	if months > 0 {
		at = monthsLater(s.ended, months)
	}
	if inState := rule.states[s.state]; inState > 0 {
		counted := s.ended
		if s.since.After(counted) {
			counted = s.since
		}
		if later := monthsLater(counted, inState); at.IsZero() || later.Before(at) {
			at, kind = later, s.state
		}
	}
	if at.IsZero() {
		return at, ""
	}
	if at.Before(from) {
		at = from
	}
	return at, kind
}

func monthsLater(from time.Time, months int) time.Time {
	later := from.AddDate(0, months, 0)
	if later.Day() != from.Day() { // it has run into the next month
		later = later.AddDate(0, 0, -later.Day())
	}
	return later
}

func (x *years) held(s *keptModel) bool {
	return slices.ContainsFunc(x.holds, func(h holdModel) bool { return h.session == s.id || h.assessment == s.assessment })
}

// compare checks that the store has erased what it must erase, and nothing that it must keep.
func (x *years) compare() {
	erased := x.store.ErasedSessions(x.t, x.scope)
	for _, s := range x.sessions {
		if s.erased {
			continue
		}
		if s.status == "IN_PROGRESS" {
			x.refresh(s)
		}
		end, kind := x.end(s)
		switch held := x.held(s); {
		case erased[s.id] && (held || kind == "" || x.now().Before(end)):
			x.t.Errorf("day %d: %+v is erased at %s, held: %v, end: %s %q", x.day, s, x.now(), held, end, kind)
		case !erased[s.id] && !held && kind != "" && !x.now().Before(end.Add(24*time.Hour)):
			x.t.Errorf("day %d: %+v is kept at %s, end: %s %q", x.day, s, x.now(), end, kind)
		case erased[s.id]:
			s.erased = true
			x.erasures[kind]++
		}
	}
}

// check checks that the two years had everything, and that an erased session has nothing of its candidate.
func (x *years) check() {
	for _, kind := range []string{"COMPLETED", "CANCELLED", "EXPIRED", "IN_REVIEW", "not started", "rejected", "hired"} {
		if x.erasures[kind] == 0 {
			x.t.Errorf("nothing was erased as %s: %v", kind, x.erasures)
		}
	}
	for _, s := range x.sessions {
		found, err := x.store.RetrieveCandidateSession(x.t.Context(), x.scope, s.id)
		x.must(err)
		if s.erased != (found.CandidateName == "erased") || s.erased && found.Status == "IN_REVIEW" {
			x.t.Errorf("%+v has the name %s and the status %s", s, found.CandidateName, found.Status)
		}
	}
	entries, _, err := x.store.ListAuditLog(x.t.Context(), x.scope,
		store.AuditFilter{Action: store.AuditCandidateDataErased}, store.Page{Limit: 1})
	x.must(err)
	if len(entries) != 1 || entries[0].ActorType != store.ActorRetention || entries[0].ActorID != nil {
		x.t.Errorf("the audit log has %+v", entries)
	}
	x.t.Logf("%d sessions, erased: %v", len(x.sessions), x.erasures)
}
