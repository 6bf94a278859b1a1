package rules

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// decision is an input that a person adds. Exactly one of its parts is set.
type decision struct {
	questionID string
	points     float64
	ruling     *Ruling
	correction *Correction
}

// added returns the scoring with one more input.
func (d decision) added(s Scoring, now time.Time) Scoring {
	switch {
	case d.ruling != nil:
		ruling := *d.ruling
		ruling.At = now
		s.Rulings = append(slices.Clone(s.Rulings), ruling)
	case d.correction != nil:
		s.Corrections = append(slices.Clone(s.Corrections), *d.correction)
	default:
		s.Grades = maps.Clone(s.Grades)
		s.Grades[d.questionID] = Grade{Points: &d.points}
	}
	return s
}

// randomReviewed returns a definition in which people grade some answers and decide some gates.
func randomReviewed(r *rand.Rand) Definition {
	d := randomDefinition(r)
	for i := range d.Stages {
		if gate := d.Stages[i].Gate; gate != nil && r.IntN(2) == 0 {
			gate.Required, gate.OnFail = true, OnFailReview
		}
		for j, q := range d.Stages[i].Questions {
			if r.IntN(3) == 0 {
				d.Stages[i].Questions[j] = essay(q.ID, q.Points)
			}
		}
	}
	return d
}

func randomDecision(r *rand.Rand, d Definition) decision {
	stage := d.Stages[r.IntN(len(d.Stages))]
	q := stage.Questions[r.IntN(len(stage.Questions))]
	switch {
	case r.IntN(3) == 0:
		return decision{ruling: &Ruling{StageID: stage.ID, Pass: r.IntN(3) > 0}}
	case r.IntN(20) == 0:
		action := []CorrectionAction{FullPoints, Exclude}[r.IntN(2)]
		policy := []CorrectionPolicy{Exact, NeverLower}[r.IntN(2)]
		return decision{correction: &Correction{QuestionID: q.ID, Action: action, Policy: policy}}
	}
	return decision{questionID: q.ID, points: q.Points * float64(r.IntN(5)) / 4}
}

// reviewed is a session with reviews.
type reviewed struct {
	progress Progress
	scoring  Scoring
	moves    map[string]int // moves of Decide from IN_REVIEW
}

// takeReviewed is take with decisions.
func takeReviewed(
	t *testing.T, s Scoring, p Progress, actions map[time.Time]action, decisions map[time.Time]decision,
	sweeps []time.Time,
) reviewed {
	t.Helper()
	times := slices.Concat(sweeps, slices.Collect(maps.Keys(actions)), slices.Collect(maps.Keys(decisions)))
	slices.SortFunc(times, time.Time.Compare)
	moves := map[string]int{}
	for _, now := range slices.CompactFunc(times, time.Time.Equal) {
		p.Expire(s, now)
		if requested, ok := actions[now]; ok && (p.Current() == requested.stage || p.Status == SessionInReview) {
			before := p
			switch requested.verb {
			case "start":
				p.StartStage(s, now)
			case "submit":
				p.Submit(s, now)
			}
			if before.Status == SessionInReview && !reflect.DeepEqual(before, p) {
				t.Fatalf("a candidate's %s changes a session in review:\n%s", requested.verb, summary(p))
			}
		}
		decided, ok := decisions[now]
		if !ok {
			continue
		}
		s = decided.added(s, now)
		before := p
		changed := p.Decide(s, now)
		if changed == reflect.DeepEqual(before, p) {
			t.Fatalf("Decide returns %t from\n%s\nto\n%s", changed, summary(before), summary(p))
		}
		p.Rescore(s)
		if before.Status == SessionInReview {
			moves[string(p.Status)]++
			checkLeft(t, before, p, now)
		}
	}
	return reviewed{p, s, moves}
}

// checkLeft checks the times of a session whose review may have ended.
func checkLeft(t *testing.T, before, after Progress, now time.Time) {
	t.Helper()
	since := before.Review.Since
	switch after.Status {
	case SessionInProgress:
		if before.DeadlineAt != nil && !after.DeadlineAt.Equal(before.DeadlineAt.Add(now.Sub(since))) {
			t.Fatalf("a review from %v to %v moves the deadline from %v to %v", since, now, before.DeadlineAt, after.DeadlineAt)
		}
	case SessionCompleted, SessionDisqualified:
		if !after.ClosedAt.Equal(since) || !after.DecidedAt.Equal(now) {
			t.Fatalf("a review from %v to %v ends with %v and %v", since, now, after.ClosedAt, after.DecidedAt)
		}
	default:
		if !after.Review.Since.Equal(since) || after.ClosedAt != nil {
			t.Fatalf("a review since %v is since %v", since, after.Review.Since)
		}
	}
}

// A session must have the same progress whether its deadlines are applied once or often, and
// its result must be the one that its inputs give from scratch, in whichever order they came.
func TestReviewsAreAFunctionOfTheirInputs(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	seen := map[string]int{}
	for range 3000 {
		d := randomReviewed(r)
		s := Scoring{Definition: d, Answers: map[string]Answer{}, Grades: map[string]Grade{}, PassingScore: new(50.0)}
		for _, stage := range d.Stages {
			for _, question := range stage.Questions {
				if s.Answers[question.ID] = randomAnswer(r, question); question.Type == FreeText && r.IntN(5) == 0 {
					s.Answers[question.ID] = Answer{Text: new(" ")}
				}
			}
		}
		var limit *int
		if r.IntN(2) == 0 {
			limit = new(1 + r.IntN(60))
		}
		start := StartProgress(d, Limits{Minutes: limit, Grace: time.Duration(r.IntN(3)) * 20 * time.Second}, minute(0))
		scale := []float64{1, 1, 1, 2000}[r.IntN(4)]
		actions, decisions, sweeps := map[time.Time]action{}, map[time.Time]decision{}, []time.Time(nil)
		for range r.IntN(25) {
			verb := []string{"start", "submit", "submit"}[r.IntN(3)]
			actions[minute(scale*float64(r.IntN(640))/8)] = action{verb, r.IntN(len(d.Stages))}
		}
		for range r.IntN(30) {
			decisions[minute(scale*float64(r.IntN(1000))/8)] = randomDecision(r, d)
		}
		for range r.IntN(40) {
			sweeps = append(sweeps, minute(scale*r.Float64()*300))
		}
		end := minute(scale * 300)
		once := takeReviewed(t, s, start, actions, decisions, []time.Time{end})
		often := takeReviewed(t, s, start, actions, decisions, append(sweeps, end))

		if !reflect.DeepEqual(once.progress, often.progress) {
			t.Fatalf("with one sweep\n%s\nwith many sweeps\n%s", summary(once.progress), summary(often.progress))
		}
		checkReviewed(t, once.scoring, once.progress)
		checkReviewEnds(t, once.scoring, once.progress)
		seen["now "+string(once.progress.Status)]++
		for move, n := range once.moves {
			seen["to "+move] += n
		}
		if review := once.progress.Review; review != nil && review.StageID != "" {
			seen["held at a stage"]++
		}
		if once.progress.DecidedBy(once.scoring) == DecidedByPerson {
			seen["by a person"]++
		}
	}
	for _, path := range []string{"now IN_REVIEW", "now IN_PROGRESS", "now COMPLETED", "now DISQUALIFIED", "to IN_REVIEW",
		"to IN_PROGRESS", "to COMPLETED", "to DISQUALIFIED", "held at a stage", "by a person"} {
		if seen[path] < 100 {
			t.Errorf("only %d of 3000 sessions take the path %q, want at least 100", seen[path], path)
		}
	}
}

// checkReviewed checks the invariants of a session, and computes its scores from scratch.
func checkReviewed(t *testing.T, s Scoring, p Progress) {
	t.Helper()
	finished, inReview := p.Status == SessionCompleted || p.Status == SessionDisqualified, p.Status == SessionInReview
	if finished != (p.ClosedAt != nil) || finished != (p.Score != nil) || finished != (p.CloseReason != nil) ||
		finished != (p.Passed != nil) || inReview != (p.Review != nil) {
		t.Fatalf("the fields of the status are set only in part:\n%s", summary(p))
	}
	stageID, pending := p.Waits(s)
	if inReview && (p.Current() >= 0 || p.DueAt() != nil || stageID == "" && len(pending) == 0 ||
		p.Review.StageID == "" && (p.Review.End == nil || len(pending) == 0)) {
		t.Fatalf("the session in review has a clock, or waits for nothing: %+v\n%s", *p.Review, summary(p))
	}
	if p.Status == SessionCompleted && len(p.pending(s)) > 0 {
		t.Fatalf("the session has ended, and %v need grades:\n%s", p.pending(s), summary(p))
	}
	sum := 0.0
	for i, stage := range p.Stages {
		if stage.ClosedAt == nil {
			continue
		}
		points := 0.0
		for _, score := range s.Stage(i).Questions {
			grade, graded := s.Grades[score.QuestionID]
			if score.ScoredBy == ByPerson && (!graded || score.Points != *grade.Points) {
				t.Fatalf("%+v does not have the points of its grade %+v", score, grade)
			}
			points += score.Points
		}
		sum += points
		waits := !finished && (len(s.Pending(i)) > 0 || stageID == stage.StageID)
		if waits != (stage.Status == StageInReview) || stage.Points != nil && *stage.Points != points ||
			(stage.Points == nil) != (!finished && len(s.Pending(i)) > 0) {
			t.Fatalf("stage %d of %v points: %+v\n%s", i, points, stage, summary(p))
		}
	}
	if finished && (*p.Points != sum || *p.Score != cappedPercent(sum, s.maxPoints())) {
		t.Fatalf("the session has %v points, want %v", *p.Points, sum)
	}
}

// checkReviewEnds lets a person decide about everything that a session in review waits for.
func checkReviewEnds(t *testing.T, s Scoring, p Progress) {
	t.Helper()
	now := minute(1e6)
	for p.Status == SessionInReview {
		before := p
		stageID, pending := p.Waits(s)
		if stageID != "" {
			s = decision{ruling: &Ruling{StageID: stageID, Pass: true}}.added(s, now)
		}
		for _, id := range pending {
			question, _, _ := s.Definition.QuestionByID(id)
			s = decision{questionID: id, points: question.Points}.added(s, now)
		}
		if !p.Decide(s, now) {
			t.Fatalf("all decisions change nothing:\n%s", summary(p))
		}
		if before.Review.End != nil && p.Status == SessionInProgress {
			t.Fatalf("the session continues after its end:\n%s", summary(p))
		}
		checkReviewed(t, s, p)
	}
}
