package rules

import (
	"testing"
	"time"
)

func twoStages(minutes int, gate *Gate) Definition {
	return Definition{Stages: []Stage{stage("s1", minutes, gate), stage("s2", minutes, nil)}}
}

func TestForgive(t *testing.T) {
	t.Parallel()
	const grace = 30 * time.Second
	for _, row := range []struct {
		name     string
		from, to float64 // minutes
		want     float64 // the deadline in minutes
	}{
		{"before", 2, 5, 10},
		{"ends more than the grace period before", 5, 9.4, 10},
		{"ends within the grace period before", 5, 9.6, 14.6},
		{"around", 9, 12, 13},
		{"begins at the deadline", 10, 12, 12},
		{"begins after the deadline", 10.1, 12, 10},
	} {
		d := twoStages(10, nil)
		p := StartProgress(d, Limits{Grace: grace}, minute(0))
		outages := []Outage{{From: minute(row.from), To: minute(row.to)}}
		changed := p.Forgive(outages)
		if got := *p.Stages[0].DeadlineAt; !got.Equal(minute(row.want)) || changed != (row.want != 10) {
			t.Errorf("%s: the deadline is %v, want %v", row.name, got, minute(row.want))
		}
		if p.Forgive(outages) {
			t.Errorf("%s: the outage counts twice", row.name)
		}
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	gate := &Gate{Required: true, MinScore: 60}
	wrong, right := Scoring{}, Scoring{Answers: map[string]Answer{"s1q1": {OptionID: new("a")}}}
	for _, row := range []struct {
		name    string
		d       Definition
		end     func(p *Progress, s Scoring)
		scoring Scoring
		at      int
		stage   StageStatus
	}{
		{"stopped by a gate", twoStages(0, gate), func(p *Progress, s Scoring) { p.Submit(s, minute(1)) },
			wrong, 0, StageInProgress},
		{"submitted by mistake", twoStages(0, nil), func(p *Progress, s Scoring) {
			p.Submit(s, minute(1))
			p.Submit(s, minute(2))
		}, right, 1, StageInProgress},
		{"closed by time", twoStages(10, nil), func(p *Progress, s Scoring) {
			p.Submit(s, minute(1))
			p.StartStage(s, minute(2))
			p.Expire(s, minute(100))
		}, right, 1, StageInProgress},
		{"reinstated by a correction", twoStages(10, gate), func(p *Progress, s Scoring) {
			p.Submit(s, minute(1))
			s.Corrections = []Correction{{QuestionID: s.Definition.Stages[0].Questions[0].ID, Action: FullPoints, Policy: Exact}}
			p.Rescore(s)
		}, wrong, 1, StageReady},
	} {
		s := row.scoring
		s.Definition = row.d
		p := StartProgress(row.d, Limits{}, minute(0))
		row.end(&p, s)
		if p.Status == SessionInProgress {
			t.Fatalf("%s: the session has not ended", row.name)
		}
		if got := p.ReopenAt(); got != row.at {
			t.Errorf("%s: continues at %d, want %d", row.name, got, row.at)
		}
		if p.CanReopen(len(row.d.Stages)) {
			t.Errorf("%s: can continue after the last stage", row.name)
		}
		p.Reopen(row.d, row.at, 5*time.Minute, minute(200))
		if p.Current() != row.at || p.Stages[row.at].Status != row.stage || p.Score != nil || p.ClosedAt != nil {
			t.Errorf("%s: %+v", row.name, p)
		}
		if due := p.Stages[row.at].DeadlineAt; row.stage == StageInProgress && !due.Equal(minute(205)) {
			t.Errorf("%s: the stage ends at %v", row.name, due)
		}
	}
}
