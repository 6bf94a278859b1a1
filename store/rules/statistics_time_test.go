package rules

import (
	"fmt"
	"reflect"
	"testing"
)

// In which stages the time of a session ended before all questions had an answer.
func TestOutOfTime(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{
		{ID: "a", TimeLimitMinutes: new(10), Questions: []Question{{ID: "a1"}, {ID: "a2"}}},
		{ID: "b", Questions: []Question{{ID: "b1"}}},
	}}
	answer := &Answer{Text: new("yes")}
	stage := func(id string, seconds int, answers ...*Answer) FinishedStage {
		s := FinishedStage{ID: id, Status: StageCompleted, Score: new(0.0), Duration: &seconds}
		for i, given := range answers {
			s.Questions = append(s.Questions, FinishedQuestion{ID: id + string(rune('1'+i)), Answer: given})
		}
		return s
	}
	notReached := FinishedStage{ID: "b", Status: StageNotReached, Questions: []FinishedQuestion{{ID: "b1"}}}
	full := stage("a", 600, answer, answer)
	late, early, openB := stage("a", 600, answer, nil), stage("a", 300, answer, nil), stage("b", 9, nil)
	for name, row := range map[string]struct {
		reason CloseReason
		stages []FinishedStage
		want   [3]int64 // in all, and by stage
	}{
		"submitted":                     {ClosedSubmitted, []FinishedStage{early, openB}, [3]int64{}},
		"the stage's limit":             {ClosedSubmitted, []FinishedStage{late, openB}, [3]int64{1, 1, 0}},
		"the limit with all answers":    {ClosedSubmitted, []FinishedStage{full, openB}, [3]int64{}},
		"a second before the limit":     {ClosedSubmitted, []FinishedStage{stage("a", 599, answer, nil), openB}, [3]int64{}},
		"the limit before a gate":       {ClosedStageGate, []FinishedStage{late, notReached}, [3]int64{1, 1, 0}},
		"the session's deadline":        {ClosedTimeExpired, []FinishedStage{early, openB}, [3]int64{1, 0, 1}},
		"both":                          {ClosedTimeExpired, []FinishedStage{late, openB}, [3]int64{1, 1, 1}},
		"the deadline with all answers": {ClosedTimeExpired, []FinishedStage{early, stage("b", 9, answer)}, [3]int64{}},
		"the deadline in the first one": {ClosedTimeExpired, []FinishedStage{early, notReached}, [3]int64{1, 1, 0}},
		"no answers":                    {ClosedTimeExpired, []FinishedStage{stage("a", 9, nil, nil), openB}, [3]int64{}},
		"abandoned":                     {ClosedAbandoned, []FinishedStage{early, notReached}, [3]int64{}},
	} {
		finished := Finished{Status: SessionCompleted, CloseReason: string(row.reason), Stages: row.stages}
		var s Statistics
		s.Add(d, finished)
		if got := [3]int64{s.OutOfTime, s.Stages[0].OutOfTime, s.Stages[1].OutOfTime}; got != row.want {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
		s.Remove(d, finished)
		if s.OutOfTime+s.Stages[0].OutOfTime+s.Stages[1].OutOfTime != 0 {
			t.Errorf("%s: something remains", name)
		}
	}
}

// Statistics that an earlier version began get none of the newer figures, which would be about a part of the sessions.
// Empty statistics get all.
func TestVersionOfStatistics(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	d := randomDefinition(r)
	sessions := []Finished{finish(r, d, randomAnswers(r, d)), finish(r, d, randomAnswers(r, d))}
	var old Statistics
	old.Add(d, sessions[0])
	old.Version = 0
	before := stored(t, old)
	old.Add(d, sessions[1])
	if old.Version != 0 || old.Totals != before.Totals || old.Percents != before.Percents ||
		old.OutOfTime != before.OutOfTime {
		t.Errorf("version %d: %+v, %+v", old.Version, old.Totals, old.Percents)
	}
	for i, stage := range old.Stages {
		if !reflect.DeepEqual(stage.Durations, before.Stages[i].Durations) || stage.Totals != before.Stages[i].Totals {
			t.Errorf("stage %d: %+v", i, stage.Totals)
		}
		for j, question := range stage.Questions {
			was := before.Stages[i].Questions[j]
			if fmt.Sprint(question.Choosers, question.Rest, question.Times) != fmt.Sprint(was.Choosers, was.Rest, was.Times) {
				t.Errorf("question %d of stage %d: %+v", j, i, question)
			}
		}
	}
	for _, finished := range sessions {
		old.Remove(d, finished)
	}
	old.Add(d, sessions[0])
	want := Statistics{}
	want.Add(d, sessions[0])
	if !reflect.DeepEqual(old, want) || want.Version != StatisticsVersion {
		t.Errorf("emptied statistics are %+v, want %+v", old, want)
	}
}
