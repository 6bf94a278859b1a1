package rules

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// minute is a moment of a test: so many minutes after its session's start.
func minute(m float64) time.Time {
	return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC).Add(time.Duration(m * float64(time.Minute)))
}

// stageOf has one question of one point, with the id of the stage; an answer
// "a" is right.
func stageOf(id string, limit int, gate *Gate) Stage {
	stage := Stage{ID: id, Title: id, Gate: gate, Questions: []Question{
		{ID: id, Type: SingleChoice, Prompt: "?", Points: 1, Options: choices(2), CorrectOptionID: new("a")},
	}}
	if limit > 0 {
		stage.TimeLimitMinutes = &limit
	}
	return stage
}

// summary has a line for the session and one per stage, times in minutes.
func summary(p Progress) string {
	at := func(moment *time.Time) string {
		if moment == nil {
			return "-"
		}
		return fmt.Sprint(moment.Sub(minute(0)).Minutes())
	}
	number := func(n *float64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	truth := func(b *bool) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprint(*b)
	}
	reason := "-"
	if p.CloseReason != nil {
		reason = string(*p.CloseReason)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s closed=%s points=%s score=%s passed=%s", p.Status, reason, at(p.ClosedAt), number(p.Points), number(p.Score), truth(p.Passed))
	for _, s := range p.Stages {
		fmt.Fprintf(&out, "\n%s %s %s..%s due=%s score=%s gate=%s", s.StageID, s.Status, at(s.StartedAt), at(s.ClosedAt), at(s.DeadlineAt), number(s.Score), truth(s.GatePassed))
	}
	return out.String()
}

func TestProgress(t *testing.T) {
	t.Parallel()
	required, reported := &Gate{Required: true, MinScore: 60}, &Gate{MinScore: 60}
	type event struct {
		verb string // submit or expire
		at   float64
	}
	for _, row := range []struct {
		name    string
		limit   int // of the session; 0 is none
		extra   int
		stages  []Stage
		right   string // stages answered rightly
		passing *float64
		events  []event
		want    []string
	}{
		{"started without limits", 0, 0, []Stage{stageOf("s1", 0, nil), stageOf("s2", 0, nil)}, "", nil, nil, []string{
			"IN_PROGRESS - closed=- points=- score=- passed=-",
			"s1 IN_PROGRESS 0..- due=- score=- gate=-",
			"s2 NOT_REACHED -..- due=- score=- gate=-",
		}},
		{"nothing is due without limits", 0, 0, []Stage{stageOf("s1", 0, nil)}, "", nil, []event{{"expire", 1e6}}, []string{
			"IN_PROGRESS - closed=- points=- score=- passed=-",
			"s1 IN_PROGRESS 0..- due=- score=- gate=-",
		}},
		{"submitted to the end", 60, 0, []Stage{stageOf("s1", 10, required), stageOf("s2", 0, reported), stageOf("s3", 90, nil)}, "s1 s3", new(66.67),
			[]event{{"submit", 5}, {"submit", 20}, {"submit", 30}}, []string{
				"COMPLETED SUBMITTED closed=30 points=2 score=66.67 passed=true",
				"s1 PASSED 0..5 due=10 score=100 gate=true",
				"s2 FAILED 5..20 due=60 score=0 gate=false",
				"s3 COMPLETED 20..30 due=60 score=100 gate=-",
			}},
		{"below the passing score", 0, 0, []Stage{stageOf("s1", 0, nil), stageOf("s2", 0, nil), stageOf("s3", 0, nil)}, "s1 s3", new(66.68),
			[]event{{"submit", 1}, {"submit", 2}, {"submit", 3}}, []string{
				"COMPLETED SUBMITTED closed=3 points=2 score=66.67 passed=false",
				"s1 COMPLETED 0..1 due=- score=100 gate=-",
				"s2 COMPLETED 1..2 due=- score=0 gate=-",
				"s3 COMPLETED 2..3 due=- score=100 gate=-",
			}},
		{"disqualified; later answers do not count", 0, 0, []Stage{stageOf("s1", 0, nil), stageOf("s2", 0, required), stageOf("s3", 0, nil)}, "s1 s3", new(0.0),
			[]event{{"submit", 1}, {"submit", 2}, {"submit", 3}, {"expire", 4}}, []string{
				"DISQUALIFIED STAGE_GATE closed=2 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..1 due=- score=100 gate=-",
				"s2 FAILED 1..2 due=- score=0 gate=false",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			}},
		{"disqualified by the last stage", 0, 0, []Stage{stageOf("s1", 0, required)}, "", nil, []event{{"submit", 1}}, []string{
			"DISQUALIFIED STAGE_GATE closed=1 points=0 score=0 passed=-",
			"s1 FAILED 0..1 due=- score=0 gate=false",
		}},
		{"a stage's limit opens the next at its deadline", 60, 0, []Stage{stageOf("s1", 10, required), stageOf("s2", 20, nil)}, "s1", nil,
			[]event{{"expire", 29}}, []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 PASSED 0..10 due=10 score=100 gate=true",
				"s2 IN_PROGRESS 10..- due=30 score=- gate=-",
			}},
		{"limits cascade", 60, 0, []Stage{stageOf("s1", 10, nil), stageOf("s2", 20, reported), stageOf("s3", 5, nil)}, "s2", new(30.0),
			[]event{{"expire", 1e6}}, []string{
				"COMPLETED TIME_EXPIRED closed=35 points=1 score=33.33 passed=true",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 PASSED 10..30 due=30 score=100 gate=true",
				"s3 COMPLETED 30..35 due=35 score=0 gate=-",
			}},
		{"a gate ends the cascade", 60, 0, []Stage{stageOf("s1", 10, nil), stageOf("s2", 20, required), stageOf("s3", 5, nil)}, "s1 s3", new(0.0),
			[]event{{"expire", 1e6}}, []string{
				"DISQUALIFIED STAGE_GATE closed=30 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 FAILED 10..30 due=30 score=0 gate=false",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			}},
		{"the session's deadline cuts a stage short", 15, 0, []Stage{stageOf("s1", 10, nil), stageOf("s2", 20, required), stageOf("s3", 5, nil)}, "s2 s3", new(50.0),
			[]event{{"expire", 1e6}}, []string{
				"COMPLETED TIME_EXPIRED closed=15 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 PASSED 10..15 due=15 score=100 gate=true",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			}},
		{"a required gate applies at the session's deadline", 15, 0, []Stage{stageOf("s1", 0, required), stageOf("s2", 0, nil)}, "s2", nil,
			[]event{{"expire", 15}}, []string{
				"DISQUALIFIED STAGE_GATE closed=15 points=0 score=0 passed=-",
				"s1 FAILED 0..15 due=15 score=0 gate=false",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			}},
		{"both deadlines at once are the session's", 10, 0, []Stage{stageOf("s1", 10, nil), stageOf("s2", 5, nil)}, "s1 s2", nil,
			[]event{{"expire", 12}}, []string{
				"COMPLETED TIME_EXPIRED closed=10 points=1 score=50 passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			}},
		{"just before a deadline", 0, 0, []Stage{stageOf("s1", 10, nil)}, "s1", nil, []event{{"expire", 9.999}, {"submit", 9.9995}}, []string{
			"COMPLETED SUBMITTED closed=9.9995 points=1 score=100 passed=-",
			"s1 COMPLETED 0..9.9995 due=10 score=100 gate=-",
		}},
		{"a submission at the deadline is none", 0, 0, []Stage{stageOf("s1", 10, nil)}, "s1", nil, []event{{"submit", 10}}, []string{
			"COMPLETED TIME_EXPIRED closed=10 points=1 score=100 passed=-",
			"s1 COMPLETED 0..10 due=10 score=100 gate=-",
		}},
		{"a late submission leaves the next stage open", 0, 0, []Stage{stageOf("s1", 10, nil), stageOf("s2", 10, nil)}, "s1", nil, []event{{"submit", 11}}, []string{
			"IN_PROGRESS - closed=- points=- score=- passed=-",
			"s1 COMPLETED 0..10 due=10 score=100 gate=-",
			"s2 IN_PROGRESS 10..- due=20 score=- gate=-",
		}},
		{"extra time lengthens every limit", 33, 10, []Stage{stageOf("s1", 5, nil), stageOf("s2", 10, nil), stageOf("s3", 90, nil)}, "", nil,
			[]event{{"submit", 1}, {"expire", 12}}, []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..1 due=5.5 score=0 gate=-",
				"s2 COMPLETED 1..12 due=12 score=0 gate=-",
				"s3 IN_PROGRESS 12..- due=36.3 score=- gate=-",
			}},
		{"a clock behind gives no negative duration", 0, 0, []Stage{stageOf("s1", 0, nil), stageOf("s2", 0, nil)}, "s1 s2", nil,
			[]event{{"submit", 5}, {"submit", 4}}, []string{
				"COMPLETED SUBMITTED closed=5 points=2 score=100 passed=-",
				"s1 COMPLETED 0..5 due=- score=100 gate=-",
				"s2 COMPLETED 5..5 due=- score=100 gate=-",
			}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := Definition{Stages: row.stages}
			answers := map[string]Answer{}
			for _, id := range strings.Fields(row.right) {
				answers[id] = Answer{OptionID: new("a")}
			}
			var limit *int
			if row.limit > 0 {
				limit = &row.limit
			}
			p := StartProgress(d, limit, row.extra, minute(0))
			for _, event := range row.events {
				if event.verb == "submit" {
					p.Submit(d, answers, row.passing, minute(event.at))
				} else {
					p.Expire(d, answers, row.passing, minute(event.at))
				}
			}
			if got, want := summary(p), strings.Join(row.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Points are summed unrounded: three thirds of a point are a point.
func TestProgressDoesNotAddRoundedPoints(t *testing.T) {
	t.Parallel()
	var d Definition
	answers := map[string]Answer{}
	for _, id := range []string{"s1", "s2", "s3"} {
		d.Stages = append(d.Stages, Stage{ID: id, Questions: []Question{{
			ID: id, Type: MultipleChoice, Points: 1, PartialCredit: true, Options: choices(3), CorrectOptionIDs: []string{"a", "b", "c"},
		}}})
		answers[id] = Answer{OptionIDs: []string{"a"}}
	}
	p := StartProgress(d, nil, 0, minute(0))
	for m := range 3 {
		p.Submit(d, answers, new(33.33), minute(float64(m)))
	}
	if *p.Score != 33.33 || !*p.Passed || RoundPoints(*p.Points) != 1 {
		t.Errorf("score %v, passed %v, points %v", *p.Score, *p.Passed, *p.Points)
	}
}

func TestDeadlineLosesNothing(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		minutes, extra int
		want           time.Duration
	}{
		{45, 0, 45 * time.Minute}, {1, 1, 60600 * time.Millisecond}, {7, 33, 558600 * time.Millisecond}, {10080, 400, 50400 * time.Minute},
	} {
		if got := deadline(minute(0), &row.minutes, row.extra).Sub(minute(0)); got != row.want {
			t.Errorf("%d minutes and %d %% are %v, want %v", row.minutes, row.extra, got, row.want)
		}
	}
	if got := deadline(minute(0), nil, 25); got != nil {
		t.Errorf("no limit gives %v", got)
	}
}

func TestDueAtAndCurrent(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{stageOf("s1", 10, nil), stageOf("s2", 0, nil)}}
	p := StartProgress(d, nil, 0, minute(0))
	if due := p.DueAt(); due == nil || !due.Equal(minute(10)) || p.Current() != 0 {
		t.Errorf("started: due %v, current %d", due, p.Current())
	}
	cancelled := p
	cancelled.Status = SessionCancelled
	if cancelled.DueAt() != nil || cancelled.Current() != -1 {
		t.Error("a cancelled session still has a stage and a deadline")
	}
	p.Submit(d, nil, nil, minute(1))
	if due := p.DueAt(); due != nil || p.Current() != 1 {
		t.Errorf("second stage: due %v, current %d", due, p.Current())
	}
	p.Submit(d, nil, nil, minute(2))
	if p.DueAt() != nil || p.Current() != -1 {
		t.Error("a completed session still has a stage or a deadline")
	}
}

// take drives a session as its candidate and a sweeper would: each submission
// names its stage and comes after the deadlines before it were applied.
func take(d Definition, answers map[string]Answer, p Progress, submissions map[time.Time]int, looks []time.Time) Progress {
	moments := slices.Clone(looks)
	for at := range submissions {
		moments = append(moments, at)
	}
	slices.SortFunc(moments, time.Time.Compare)
	for _, now := range moments {
		p.Expire(d, answers, new(50.0), now)
		if stage, ok := submissions[now]; ok && p.Current() == stage {
			p.Submit(d, answers, new(50.0), now)
		}
	}
	return p
}

func TestProgressDoesNotDependOnWhoLooks(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	seen := map[SessionStatus]int{}
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
		start := StartProgress(d, limit, r.IntN(101), minute(0))
		before := summary(start)

		submissions, looks := map[time.Time]int{}, []time.Time(nil)
		for range r.IntN(5) {
			submissions[minute(float64(r.IntN(80)))] = r.IntN(len(d.Stages))
		}
		for range r.IntN(40) {
			looks = append(looks, minute(r.Float64()*300))
		}
		end := minute(300)
		seldom := take(d, answers, start, submissions, []time.Time{end})
		often := take(d, answers, start, submissions, append(looks, end))

		if !reflect.DeepEqual(seldom, often) {
			t.Fatalf("seldom\n%s\noften\n%s", summary(seldom), summary(often))
		}
		if after := summary(start); after != before {
			t.Fatalf("a copy was changed from\n%s\nto\n%s", before, after)
		}
		checkProgress(t, r, d, answers, often)
		seen[often.Status]++
	}
	for _, status := range []SessionStatus{SessionInProgress, SessionCompleted, SessionDisqualified} {
		if seen[status] < 100 {
			t.Errorf("only %d of 3000 sessions ended %s: the test proves little", seen[status], status)
		}
	}
}

// checkProgress holds what must be true of every session that was started.
func checkProgress(t *testing.T, r *rand.Rand, d Definition, answers map[string]Answer, p Progress) {
	t.Helper()
	if !slices.Contains(sessionMoves[SessionInProgress][verbTimeout].to, p.Status) {
		t.Fatalf("status %s is not in the table", p.Status)
	}
	over := p.Status != SessionInProgress
	if over != (p.ClosedAt != nil) || over != (p.CloseReason != nil) || over != (p.Score != nil) || over != (p.Points != nil) || over != (p.Passed != nil) {
		t.Fatalf("half closed:\n%s", summary(p))
	}
	started, sum := minute(0), 0.0
	for i, stage := range p.Stages {
		if stage.Status == StageNotReached {
			if stage.StartedAt != nil || stage.ClosedAt != nil || stage.Score != nil {
				t.Fatalf("stage %d was not reached, but began:\n%s", i, summary(p))
			}
			continue
		}
		if !stage.StartedAt.Equal(started) {
			t.Fatalf("stage %d leaves a gap:\n%s", i, summary(p))
		}
		if due := stage.DeadlineAt; due != nil && (p.DeadlineAt != nil && due.After(*p.DeadlineAt) || stage.ClosedAt != nil && stage.ClosedAt.After(*due)) {
			t.Fatalf("stage %d outlives a deadline:\n%s", i, summary(p))
		}
		if stage.ClosedAt == nil {
			if p.Current() != i {
				t.Fatalf("stage %d is open, current is %d", i, p.Current())
			}
			break
		}
		started, sum = *stage.ClosedAt, sum+*stage.Points
		if *stage.Score < 0 || *stage.Score > 100 || stage.ClosedAt.Before(*stage.StartedAt) {
			t.Fatalf("stage %d:\n%s", i, summary(p))
		}
	}
	if !over {
		return
	}
	if !p.ClosedAt.Equal(started) || *p.Points != sum || *p.Score < 0 || *p.Score > 100 {
		t.Fatalf("the stages do not add up:\n%s", summary(p))
	}
	if *p.Passed != (p.Status == SessionCompleted && *p.Score >= 50) {
		t.Fatalf("passed is wrong:\n%s", summary(p))
	}

	// What is over stays: no later event changes it.
	later := p
	later.Submit(d, answers, new(0.0), minute(1000*r.Float64()))
	later.Expire(d, answers, new(0.0), minute(1000))
	if !reflect.DeepEqual(later, p) {
		t.Fatalf("closed\n%s\nthen changed to\n%s", summary(p), summary(later))
	}
}
