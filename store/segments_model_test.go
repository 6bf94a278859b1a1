package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// Sessions end, are corrected, reopened, and erased, and a release that knows no segments folds some of them, while
// segments are created and filled, in any order. In the end, each document of statistics is that of its sessions.
func TestSegmentsContainEachSessionOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		for seed := range uint64(4) {
			x := newSegmentTest(t, database, seed)
			for range 160 {
				x.step()
			}
			x.compare()
		}
	})
}

// segmentTest is one case. The model knows only which results an erasure has changed after they were counted.
type segmentTest struct {
	t          *testing.T
	store      *store.Store
	address    string
	pool       *sqlx.DB
	clock      *storetest.Clock
	random     *rand.Rand
	scope      store.Scope
	assessment *store.Assessment
	candidates []store.CandidateSession
	erased     map[string]erasedSession

	hasEarlierRelease bool // also folds, so that everything is counted anew many times
}

// erasedSession is a session whose answers are erased. Each document that contained the session keeps its answers.
type erasedSession struct {
	counted countedSession
	in      map[string]bool // ids of the parts, and "" for the statistics of the assessment
}

// countedSession is what a document contains of a session.
type countedSession struct {
	ID       string              `db:"id"`
	Attempt  int                 `db:"attempt"`
	Status   rules.SessionStatus `db:"status"`
	Result   *string             `db:"result"`
	Language *string             `db:"language"`
	Seconds  *string             `db:"seconds"`
}

func newSegmentTest(t *testing.T, database string, seed uint64) *segmentTest {
	t.Helper()
	x := &segmentTest{
		t: t, clock: storetest.NewClock(), address: storetest.URL(t, database), random: rand.New(rand.NewPCG(seed, 41)),
		erased: map[string]erasedSession{}, hasEarlierRelease: seed%2 == 1,
	}
	x.store, x.pool = storetest.OpenURL(t, x.address, x.clock.Now), openPool(t, x.address)
	x.store.SetMaxBackfilled(3)
	x.scope, _ = published(t, x.store)
	choices := []rules.Option{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}, {ID: "c", Text: "C"}}
	question := func(prompt string, points float64) rules.Question {
		return rules.Question{
			Type: rules.SingleChoice, Prompt: prompt, Points: points, Options: choices, CorrectOptionID: new("a"),
		}
	}
	made, err := x.store.CreateAssessment(t.Context(), x.scope, store.NewAssessment{
		Title: "Knots", PassingScore: new(50.0), Definition: rules.Definition{Stages: []rules.Stage{
			{
				Title: "One", Gate: &rules.Gate{Required: true, MinScore: 30, OnFail: rules.OnFailDisqualify},
				Questions: []rules.Question{question("1", 1), question("2", 2)},
			},
			{Title: "Two", Questions: []rules.Question{question("3", 1.5), question("4", 1)}},
		}},
	})
	x.must(err)
	x.assessment, err = x.store.PublishAssessment(t.Context(), x.scope, made.ID)
	x.must(err)
	return x
}

func (x *segmentTest) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *segmentTest) exec(statement string, args ...any) {
	x.t.Helper()
	_, err := x.pool.ExecContext(x.t.Context(), x.pool.Rebind(statement), args...)
	x.must(err)
}

func (x *segmentTest) step() {
	x.clock.Advance(time.Duration(x.random.IntN(600)) * time.Second)
	switch n := x.random.IntN(20); n {
	case 0, 1, 2, 3, 4:
		x.invite()
		x.take(x.candidates[len(x.candidates)-1])
	case 5:
		x.invite()
	case 6:
		x.correct()
	case 7, 8:
		_, _, err := x.store.UnscopedApplyCorrections(x.t.Context())
		x.must(err)
	case 9:
		x.reopen()
	case 10:
		x.take(x.any())
	case 11, 12:
		x.erase()
	case 13:
		x.fold()
	case 14:
		if x.hasEarlierRelease {
			x.foldByEarlierRelease()
		}
	case 15:
		x.segment()
	default:
		x.backfill()
	}
}

func (x *segmentTest) any() store.CandidateSession {
	if len(x.candidates) == 0 {
		x.invite()
	}
	return x.candidates[x.random.IntN(len(x.candidates))]
}

func (x *segmentTest) invite() {
	invited, err := x.store.CreateCandidateSession(x.t.Context(), x.scope, store.Invite{
		AssessmentID: x.assessment.ID, CandidateName: "C", AllowRepeat: true,
		CandidateEmail: fmt.Sprintf("c%d@example.com", x.random.IntN(30)),
		Metadata:       map[string]string{"source": string("ab"[x.random.IntN(2)])},
	})
	if err == nil { // the person has no other live session
		x.candidates = append(x.candidates, invited.Session)
	}
}

// take continues a session, if it can be continued, usually to its end.
func (x *segmentTest) take(session store.CandidateSession) {
	ctx := x.t.Context()
	_, token, _ := strings.Cut(*x.store.InviteURL(session), "#")
	scope, err := x.store.UnscopedCandidate(ctx, token)
	if err != nil { // it is erased
		return
	}
	if _, err := x.store.StartTaking(ctx, scope, false, ""); err != nil {
		return
	}
	first := x.assessment.Definition.Stages[0].Questions[0].ID
	_ = x.store.RecordActivity(ctx, scope, store.Activity{
		Language: new([]string{"de", "en"}[x.random.IntN(2)]),
	})
	x.clock.Advance(time.Duration(x.random.IntN(90)) * time.Second)
	_ = x.store.RecordActivity(ctx, scope, store.Activity{
		Questions: []store.QuestionTime{{QuestionID: first, Seconds: x.random.IntN(90)}},
	})
	for _, stage := range x.assessment.Definition.Stages {
		for _, question := range stage.Questions {
			if i := x.random.IntN(6); i < 5 {
				_, _ = x.store.SaveAnswer(ctx, scope, question.ID, rules.Answer{OptionID: new(string("aaabc"[i]))})
			}
		}
		if x.random.IntN(12) > 0 {
			_, _ = x.store.SubmitStage(ctx, scope, store.StageAnswers{StageID: stage.ID})
		}
	}
}

func (x *segmentTest) correct() {
	stage := x.assessment.Definition.Stages[1]
	key := string("abc"[x.random.IntN(3)])
	_, err := x.store.CreateAssessmentCorrection(x.t.Context(), x.scope, x.assessment.ID, store.CorrectionInput{
		QuestionID: stage.Questions[x.random.IntN(2)].ID, Action: rules.ReplaceKey, Reason: "r",
		Key: &rules.AnswerKey{CorrectOptionID: &key},
	})
	x.must(err)
}

func (x *segmentTest) reopen() {
	session := x.any()
	_, _ = x.store.ReopenCandidateSession(x.t.Context(), x.scope, session.ID, store.Reopening{Minutes: 60, Reason: "r"})
}

func (x *segmentTest) fold() {
	_, err := x.store.UnscopedFoldStatistics(x.t.Context())
	x.must(err)
}

// backfill makes one step. The first step after a fold by an earlier release counts everything anew.
func (x *segmentTest) backfill() (more bool) {
	var versions int
	x.must(x.pool.Get(&versions, `
		SELECT COUNT(*) FROM assessment_statistics WHERE substr(document, 1, 11) <> '{"version":'`))
	more, err := x.store.UnscopedBackfillSegments(x.t.Context())
	x.must(err)
	if versions > 0 {
		for _, session := range x.erased {
			clear(session.in)
		}
	}
	return more
}

// foldByEarlierRelease folds as a release does that knows no segments, and drops the version.
func (x *segmentTest) foldByEarlierRelease() {
	var before []struct {
		ID           string `db:"id"`
		Document     string `db:"document"`
		Completed    int    `db:"completed"`
		Disqualified int    `db:"disqualified"`
	}
	x.must(x.pool.Select(&before, `SELECT id, document, completed, disqualified FROM segments`))
	documents := func() (all []string) {
		x.must(x.pool.Select(&all, x.pool.Rebind(
			`SELECT document FROM assessment_statistics WHERE assessment_id = ?`), x.assessment.ID))
		return all
	}
	earlier := documents()
	x.fold()
	if later := documents(); len(later) == 0 || slices.Equal(earlier, later) {
		return // it has counted no result, and so keeps the document
	}
	storetest.DropSums(x.t, x.address, x.assessment.ID)
	for _, row := range before {
		x.exec(`UPDATE segments SET document = ?, completed = ?, disqualified = ? WHERE id = ?`, row.Document, row.Completed,
			row.Disqualified, row.ID)
	}
}

func (x *segmentTest) segment() {
	since, until := x.clock.Now().Add(-time.Hour), x.clock.Now().Add(time.Hour)
	filter := []store.SegmentFilter{
		{CompletedSince: &since}, {CompletedUntil: &until}, {CompletedSince: &since, CompletedUntil: &until},
		{Metadata: map[string]string{"source": "a"}}, {Language: new("DE")}, {Attempt: new(1)}, {Attempt: new(2)},
		{Language: new("en"), Metadata: map[string]string{"source": "b"}},
	}[x.random.IntN(8)]
	_, err := x.store.CreateSegment(x.t.Context(), x.scope, x.assessment.ID, store.NewSegment{Name: "n", Filter: filter})
	if err != nil {
		segments, err := x.store.ListSegments(x.t.Context(), x.scope, x.assessment.ID)
		x.must(err)
		x.must(x.store.DeleteSegment(x.t.Context(), x.scope, x.assessment.ID, segments[x.random.IntN(10)].ID))
	}
}

// sessions returns what a document without erased sessions contains.
func (x *segmentTest) sessions() (rows []countedSession) {
	x.must(x.pool.Select(&rows, x.pool.Rebind(`
		SELECT s.id, s.attempt, s.status, s.result, v.language, v.seconds FROM candidate_sessions s
		LEFT JOIN session_activity v ON v.session_id = s.id AND v.counted
		WHERE s.assessment_id = ? ORDER BY s.id`), x.assessment.ID))
	return rows
}

func (x *segmentTest) erase() {
	session := x.any()
	// Erasures of sessions that wait for the fold with another result are rare.
	var waiting []string
	x.must(x.pool.Select(&waiting, `
		SELECT session_id FROM statistics_queue WHERE counted = 'COMPLETED' ORDER BY session_id`))
	if len(waiting) > 0 && x.random.IntN(4) > 0 {
		session.ID = waiting[x.random.IntN(len(waiting))]
	}
	if _, known := x.erased[session.ID]; known {
		return
	}
	var parts []struct {
		ID       string  `db:"id"`
		Filter   *string `db:"filter"`
		Position string  `db:"position"`
		Complete bool    `db:"complete"`
	}
	x.must(x.pool.Select(&parts, `SELECT id, filter, position, complete FROM segments`))
	erased := erasedSession{in: map[string]bool{"": true}}
	for _, part := range parts {
		contains := part.Complete || session.ID <= part.Position
		if part.Filter == nil {
			part.ID = "" // it replaces the statistics of the assessment
		}
		erased.in[part.ID] = contains
	}
	// An erasure folds the session, which keeps its times.
	x.exec(`UPDATE session_activity SET counted = TRUE WHERE session_id IN (SELECT q.session_id FROM statistics_queue q
		JOIN candidate_sessions s ON s.id = q.session_id WHERE s.result IS NOT NULL
		AND (q.counted IS NULL OR q.counted NOT IN ('COMPLETED', 'DISQUALIFIED'))) AND session_id = ?`, session.ID)
	for _, row := range x.sessions() {
		if row.ID == session.ID {
			erased.counted = row
		}
	}
	x.must(x.store.EraseCandidateData(x.t.Context(), x.scope, session.ID))
	x.erased[session.ID] = erased
}
