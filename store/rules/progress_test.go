package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// minute returns the time that is m minutes after the start of the session.
func minute(m float64) time.Time {
	return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC).Add(time.Duration(m * float64(time.Minute)))
}

// stage returns a stage with one question of one point. The question has the
// id of the stage, and its correct answer is "a".
func stage(id string, limit int, gate *Gate) Stage {
	stage := Stage{ID: id, Title: id, Gate: gate, Questions: []Question{
		{ID: id, Type: SingleChoice, Prompt: "?", Points: 1, Options: choices(2), CorrectOptionID: new("a")},
	}}
	if limit > 0 {
		stage.TimeLimitMinutes = &limit
	}
	return stage
}

// summary writes one line for the session and one for each stage. Times are in
// minutes after the start.
func summary(p Progress) string {
	minutes := func(at *time.Time) string {
		if at == nil {
			return "-"
		}
		return fmt.Sprint(at.Sub(minute(0)).Minutes())
	}
	number := func(n *float64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	boolean := func(b *bool) string {
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
	fmt.Fprintf(&out, "%s %s closed=%s points=%s score=%s passed=%s", p.Status, reason,
		minutes(p.ClosedAt), number(p.Points), number(p.Score), boolean(p.Passed))
	for _, s := range p.Stages {
		fmt.Fprintf(&out, "\n%s %s %s..%s due=%s score=%s gate=%s", s.StageID, s.Status,
			minutes(s.StartedAt), minutes(s.ClosedAt), minutes(s.DeadlineAt), number(s.Score), boolean(s.GatePassed))
	}
	return out.String()
}

// progressRow submits stages and applies deadlines, and compares the session with the
// lines that summary returns for it. The grace period is half a minute.
type progressRow struct {
	name    string
	limit   int // minutes for the session; 0 is no limit
	extra   int // extra time in percent
	stages  []Stage
	correct string // ids of the stages that are answered correctly
	passing *float64
	events  []event
	want    []string
}

type event struct {
	verb string  // submit, start, save, extend (by 10 minutes), or expire
	at   float64 // minutes after the start
}

func testProgress(t *testing.T, rows []progressRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := row.run()
			if got, want := summary(p), strings.Join(row.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func (row progressRow) run() Progress {
	d := Definition{Stages: row.stages}
	answers := map[string]Answer{}
	for _, id := range strings.Fields(row.correct) {
		answers[id] = Answer{OptionID: new("a")}
	}
	var limit *int
	if row.limit > 0 {
		limit = &row.limit
	}
	p := StartProgress(d, Limits{Minutes: limit, ExtraTimePercent: row.extra, Grace: 30 * time.Second}, minute(0))
	for _, event := range row.events {
		switch now := minute(event.at); event.verb {
		case "submit":
			p.Submit(Scoring{Definition: d, Answers: answers, PassingScore: row.passing}, now)
		case "start":
			p.StartStage(Scoring{Definition: d, Answers: answers, PassingScore: row.passing}, now)
		case "save":
			p.Touch(now)
		case "extend":
			p.Expire(Scoring{Definition: d, Answers: answers, PassingScore: row.passing}, now)
			p.Extend(10)
		default:
			p.Expire(Scoring{Definition: d, Answers: answers, PassingScore: row.passing}, now)
		}
	}
	return p
}

func TestProgress(t *testing.T) {
	t.Parallel()
	required, reported := &Gate{Required: true, MinScore: 60}, &Gate{MinScore: 60}
	testProgress(t, []progressRow{
		{
			name:   "started without limits",
			stages: []Stage{stage("s1", 0, nil), stage("s2", 0, nil)},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 IN_PROGRESS 0..- due=- score=- gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:  "all stages are submitted",
			limit: 60, correct: "s1 s3", passing: new(66.67),
			stages: []Stage{stage("s1", 10, required), stage("s2", 0, reported), stage("s3", 90, nil)},
			events: []event{{"submit", 5}, {"submit", 20}, {"start", 25}, {"submit", 30}},
			want: []string{
				"COMPLETED SUBMITTED closed=30 points=2 score=66.67 passed=true",
				"s1 PASSED 0..5 due=10 score=100 gate=true",
				"s2 FAILED 5..20 due=60 score=0 gate=false",
				"s3 COMPLETED 25..30 due=60 score=100 gate=-",
			},
		},
		{
			name:    "below the passing score",
			correct: "s1 s3", passing: new(66.68),
			stages: []Stage{stage("s1", 0, nil), stage("s2", 0, nil), stage("s3", 0, nil)},
			events: []event{{"submit", 1}, {"submit", 2}, {"submit", 3}},
			want: []string{
				"COMPLETED SUBMITTED closed=3 points=2 score=66.67 passed=false",
				"s1 COMPLETED 0..1 due=- score=100 gate=-",
				"s2 COMPLETED 1..2 due=- score=0 gate=-",
				"s3 COMPLETED 2..3 due=- score=100 gate=-",
			},
		},
		{
			name:    "points of later stages do not count after a disqualification",
			correct: "s1 s3", passing: new(0.0),
			stages: []Stage{stage("s1", 0, nil), stage("s2", 0, required), stage("s3", 0, nil)},
			events: []event{{"submit", 1}, {"submit", 2}, {"submit", 3}, {"expire", 4}},
			want: []string{
				"DISQUALIFIED STAGE_GATE closed=2 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..1 due=- score=100 gate=-",
				"s2 FAILED 1..2 due=- score=0 gate=false",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "the gate of the last stage disqualifies",
			stages: []Stage{stage("s1", 0, required)},
			events: []event{{"submit", 1}},
			want: []string{
				"DISQUALIFIED STAGE_GATE closed=1 points=0 score=0 passed=-",
				"s1 FAILED 0..1 due=- score=0 gate=false",
			},
		},
		{
			name:  "a required gate fails after a deadline",
			limit: 60, correct: "s1 s3", passing: new(0.0),
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, required), stage("s3", 5, nil)},
			events: []event{{"expire", 11}, {"start", 15}, {"expire", 1e6}},
			want: []string{
				"DISQUALIFIED STAGE_GATE closed=35 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 FAILED 15..35 due=35 score=0 gate=false",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:  "the session's deadline is before the stage's",
			limit: 15, correct: "s2 s3", passing: new(50.0),
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, required), stage("s3", 5, nil)},
			events: []event{{"expire", 11}, {"start", 12}, {"expire", 1e6}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=15 points=1 score=33.33 passed=false",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 PASSED 12..15 due=15 score=100 gate=true",
				"s3 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:  "a required gate applies at the session's deadline",
			limit: 15, correct: "s2",
			stages: []Stage{stage("s1", 0, required), stage("s2", 0, nil)},
			events: []event{{"expire", 15.499}, {"expire", 15.5}},
			want: []string{
				"DISQUALIFIED STAGE_GATE closed=15 points=0 score=0 passed=-",
				"s1 FAILED 0..15 due=15 score=0 gate=false",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:  "the session's deadline applies when both are equal",
			limit: 10, correct: "s1 s2",
			stages: []Stage{stage("s1", 10, nil), stage("s2", 5, nil)},
			events: []event{{"expire", 12}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=10 points=1 score=50 passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:    "a submission just before a deadline counts",
			correct: "s1",
			stages:  []Stage{stage("s1", 10, nil)},
			events:  []event{{"expire", 9.999}, {"submit", 9.9995}},
			want: []string{
				"COMPLETED SUBMITTED closed=9.9995 points=1 score=100 passed=-",
				"s1 COMPLETED 0..9.9995 due=10 score=100 gate=-",
			},
		},
		{
			name:    "a submission in the grace period closes at the deadline",
			correct: "s1",
			stages:  []Stage{stage("s1", 10, nil)},
			events:  []event{{"expire", 10.499}, {"submit", 10.4999}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=10 points=1 score=100 passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
			},
		},
		{
			name:   "a submission in the grace period of the session ends it",
			limit:  10,
			stages: []Stage{stage("s1", 0, nil), stage("s2", 0, nil)},
			events: []event{{"submit", 10}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=10 points=0 score=0 passed=-",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "after a submission in the grace period, the next stage starts at the deadline",
			stages: []Stage{stage("s1", 10, nil), stage("s2", 0, nil)},
			events: []event{{"submit", 10.25}, {"submit", 10.1}},
			want: []string{
				"COMPLETED SUBMITTED closed=10.1 points=0 score=0 passed=-",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 COMPLETED 10..10.1 due=- score=0 gate=-",
			},
		},
		{
			name:    "a submission after the grace period is too late",
			correct: "s1",
			stages:  []Stage{stage("s1", 10, nil)},
			events:  []event{{"submit", 10.5}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=10 points=1 score=100 passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
			},
		},
		{
			name:    "a late submission does not submit the next stage",
			correct: "s1",
			stages:  []Stage{stage("s1", 10, nil), stage("s2", 0, nil)},
			events:  []event{{"submit", 11}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 IN_PROGRESS 10..- due=- score=- gate=-",
			},
		},
		{
			name:  "extra time extends every limit",
			limit: 33, extra: 10,
			stages: []Stage{stage("s1", 5, nil), stage("s2", 10, nil), stage("s3", 90, nil)},
			events: []event{{"submit", 1}, {"start", 1}, {"expire", 12.5}, {"start", 13}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..1 due=5.5 score=0 gate=-",
				"s2 COMPLETED 1..12 due=12 score=0 gate=-",
				"s3 IN_PROGRESS 13..- due=36.3 score=- gate=-",
			},
		},
		{
			name:    "a clock that goes back gives no negative duration",
			correct: "s1 s2",
			stages:  []Stage{stage("s1", 0, nil), stage("s2", 0, nil), stage("s3", 3, nil)},
			events:  []event{{"submit", 5}, {"submit", 4}, {"start", 3}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..5 due=- score=100 gate=-",
				"s2 COMPLETED 5..5 due=- score=100 gate=-",
				"s3 IN_PROGRESS 5..- due=8 score=- gate=-",
			},
		},
	})
}

// Points must be rounded after they are summed, not before: three thirds of a point
// are one point.
func TestProgressSumsUnroundedPoints(t *testing.T) {
	t.Parallel()
	var d Definition
	answers := map[string]Answer{}
	for _, id := range []string{"s1", "s2", "s3"} {
		d.Stages = append(d.Stages, Stage{ID: id, Questions: []Question{{
			ID: id, Type: MultipleChoice, Points: 1, PartialCredit: true, Options: choices(3),
			CorrectOptionIDs: []string{"a", "b", "c"},
		}}})
		answers[id] = Answer{OptionIDs: []string{"a"}}
	}
	p := StartProgress(d, Limits{}, minute(0))
	for m := range 3 {
		p.Submit(Scoring{Definition: d, Answers: answers, PassingScore: new(33.33)}, minute(float64(m)))
	}
	if *p.Score != 33.33 || !*p.Passed || RoundPoints(*p.Points) != 1 {
		t.Errorf("score %v, passed %v, points %v", *p.Score, *p.Passed, *p.Points)
	}
}

// Extra time must be exact to the millisecond.
func TestDeadlineWithExtraTimeIsExact(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		minutes, extra int
		want           time.Duration
	}{
		{45, 0, 45 * time.Minute}, {1, 1, 60600 * time.Millisecond}, {7, 33, 558600 * time.Millisecond},
		{10080, 400, 50400 * time.Minute},
	} {
		if got := deadline(minute(0), &row.minutes, row.extra).Sub(minute(0)); got != row.want {
			t.Errorf("%d minutes with %d %% extra time are %v, want %v", row.minutes, row.extra, got, row.want)
		}
	}
	if got := deadline(minute(0), nil, 25); got != nil {
		t.Errorf("without a limit the deadline is %v, want none", got)
	}
}

func TestDueAtAndCurrent(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{stage("s1", 10, nil), stage("s2", 0, nil)}}
	p := StartProgress(d, Limits{}, minute(0))
	if due := p.DueAt(); due == nil || !due.Equal(minute(10)) || p.Current() != 0 {
		t.Errorf("first stage: due %v, current %d", due, p.Current())
	}
	p.Grace = time.Minute
	if due := p.DueAt(); due == nil || !due.Equal(minute(11)) {
		t.Errorf("first stage with a grace period: due %v", due)
	}

	cancelled := p
	cancelled.Status = SessionCancelled
	if cancelled.DueAt() != nil || cancelled.Current() != -1 {
		t.Error("a cancelled session still has a stage and a deadline")
	}

	p.Submit(Scoring{Definition: d}, minute(1))
	if due := p.DueAt(); due == nil || !due.Equal(minute(1).Add(AbandonedAfter)) || p.Current() != 1 {
		t.Errorf("second stage: due %v, current %d", due, p.Current())
	}

	p.Submit(Scoring{Definition: d}, minute(2))
	if p.DueAt() != nil || p.Current() != -1 {
		t.Error("a completed session still has a stage or a deadline")
	}
}
