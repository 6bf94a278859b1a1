package rules

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// action is a request of the candidate.
type action struct {
	verb  string // start, save, or submit
	stage int
}

// take performs the actions of the candidate and of the sweeper in the order of
// their times. Deadlines are applied at the times in sweeps and before each
// action. An action on a stage that is not the current one has no effect.
func take(
	d Definition, answers map[string]Answer, p Progress, actions map[time.Time]action, sweeps []time.Time,
) Progress {
	times := slices.Clone(sweeps)
	for at := range actions {
		times = append(times, at)
	}
	slices.SortFunc(times, time.Time.Compare)
	for _, now := range times {
		p.Expire(Scoring{Definition: d, Answers: answers, PassingScore: new(50.0)}, now)
		requested, ok := actions[now]
		if !ok || p.Current() != requested.stage {
			continue
		}
		switch requested.verb {
		case "start":
			p.StartStage(Scoring{Definition: d, Answers: answers, PassingScore: new(50.0)}, now)
		case "submit":
			p.Submit(Scoring{Definition: d, Answers: answers, PassingScore: new(50.0)}, now)
		case "save":
			if !p.Ready() {
				p.Touch(now)
			}
		}
	}
	return p
}

// A session must have the same progress whether its deadlines are applied once, at
// the end, or at many times in between.
func TestProgressDoesNotDependOnSweeps(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	seen, reasons := map[SessionStatus]int{}, map[CloseReason]int{}
	for range 3000 {
		d, answers := randomDefinition(r), map[string]Answer{}
		for _, stage := range d.Stages {
			for _, question := range stage.Questions {
				answers[question.ID] = randomAnswer(r, question)
			}
		}

		var limit *int
		if r.IntN(2) == 0 {
			limit = new(1 + r.IntN(60))
		}
		grace := time.Duration(r.IntN(3)) * 20 * time.Second
		start := StartProgress(d, Limits{Minutes: limit, ExtraTimePercent: r.IntN(101), Grace: grace}, minute(0))
		before := summary(start)

		// The requests of one session are minutes apart, or days, so that some sessions are abandoned.
		scale := []float64{1, 1, 2000}[r.IntN(3)]
		actions, sweeps := map[time.Time]action{}, []time.Time(nil)
		for range r.IntN(12) {
			verb := []string{"start", "submit", "submit", "save"}[r.IntN(4)]
			actions[minute(scale*float64(r.IntN(320))/4)] = action{verb, r.IntN(len(d.Stages))}
		}
		for range r.IntN(40) {
			sweeps = append(sweeps, minute(scale*r.Float64()*300))
		}
		end := minute(scale * 300)
		once := take(d, answers, start, actions, []time.Time{end})
		often := take(d, answers, start, actions, append(sweeps, end))

		if !reflect.DeepEqual(once, often) {
			t.Fatalf("with one sweep\n%s\nwith many sweeps\n%s", summary(once), summary(often))
		}
		if after := summary(start); after != before {
			t.Fatalf("taking a copy of the session changed the original from\n%s\nto\n%s", before, after)
		}
		checkProgress(t, r, d, answers, often)
		seen[often.Status]++
		if often.CloseReason != nil {
			reasons[*often.CloseReason]++
		}
	}
	for _, status := range []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified} {
		if seen[status] < 100 {
			t.Errorf("only %d of 3000 sessions have the status %s at the end, want at least 100", seen[status], status)
		}
	}
	for _, reason := range []CloseReason{ClosedSubmitted, ClosedTimeExpired, ClosedStageGate, ClosedAbandoned} {
		if reasons[reason] < 100 {
			t.Errorf("only %d of 3000 sessions ended with %s, want at least 100", reasons[reason], reason)
		}
	}
}

// checkProgress checks the invariants of a started session.
func checkProgress(t *testing.T, r *rand.Rand, d Definition, answers map[string]Answer, p Progress) {
	t.Helper()
	if !slices.Contains(sessionMoves[SessionInProgress][verbTimeout].to, p.Status) {
		t.Fatalf("status %s is not a result of a timeout in sessionMoves", p.Status)
	}
	finished := p.Status != SessionInProgress
	if finished != (p.ClosedAt != nil) || finished != (p.CloseReason != nil) || finished != (p.Score != nil) ||
		finished != (p.Points != nil) || finished != (p.Passed != nil) {
		t.Fatalf("the fields of a finished session are set only in part:\n%s", summary(p))
	}

	started, sum := minute(0), 0.0
	for i, stage := range p.Stages {
		if stage.Status == StageNotReached || stage.Status == StageReady {
			if stage.StartedAt != nil || stage.ClosedAt != nil || stage.Score != nil {
				t.Fatalf("stage %d has not started, but has a time or a score:\n%s", i, summary(p))
			}
			if stage.Status == StageReady && (p.Current() != i || d.Stages[i].TimeLimitMinutes == nil) {
				t.Fatalf("stage %d must not be ready:\n%s", i, summary(p))
			}
			continue
		}
		waits := i > 0 && d.Stages[i].TimeLimitMinutes != nil
		if stage.StartedAt.Before(started) || !waits && !stage.StartedAt.Equal(started) {
			t.Fatalf("stage %d does not start when the previous one closes:\n%s", i, summary(p))
		}
		if due := stage.DeadlineAt; due != nil &&
			(p.DeadlineAt != nil && due.After(*p.DeadlineAt) || stage.ClosedAt != nil && stage.ClosedAt.After(*due)) {
			t.Fatalf("stage %d ends after a deadline:\n%s", i, summary(p))
		}
		if stage.ClosedAt == nil {
			if p.Current() != i {
				t.Fatalf("stage %d is open, but the current stage is %d", i, p.Current())
			}
			break
		}
		started, sum = *stage.ClosedAt, sum+*stage.Points
		if *stage.Score < 0 || *stage.Score > 100 || stage.ClosedAt.Before(*stage.StartedAt) {
			t.Fatalf("stage %d has an invalid score or closes before it starts:\n%s", i, summary(p))
		}
	}
	if !finished {
		return
	}
	waited := p.Stages[len(p.Stages)-1].ClosedAt == nil // the session can end after the last stage that closed
	if p.ClosedAt.Before(started) || !waited && !p.ClosedAt.Equal(started) || *p.Points != sum || *p.Score < 0 ||
		*p.Score > 100 {
		t.Fatalf("the time, points, or score of the session do not match its stages:\n%s", summary(p))
	}
	if *p.Passed != (p.Status == SessionCompleted && *p.Score >= 50) {
		t.Fatalf("the value of passed is wrong:\n%s", summary(p))
	}

	// No later event changes a finished session.
	later := p
	later.Submit(Scoring{Definition: d, Answers: answers, PassingScore: new(0.0)}, minute(1000*r.Float64()))
	later.Expire(Scoring{Definition: d, Answers: answers, PassingScore: new(0.0)}, minute(1000))
	if !reflect.DeepEqual(later, p) {
		t.Fatalf("the finished session\n%s\nhas changed to\n%s", summary(p), summary(later))
	}
}
