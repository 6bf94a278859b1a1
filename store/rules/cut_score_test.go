package rules

import (
	"math"
	"testing"
)

func TestCutScoreOfAJudge(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{
		{Questions: []Question{{ID: "a", Points: 1}, {ID: "b", Points: 3}, {ID: "survey"}}},
		{Questions: []Question{{ID: "p1", Points: 2, PoolID: "pol"}, {ID: "p2", Points: 2, PoolID: "pol"}},
			Pools: []Pool{{ID: "pol", Count: 1, Points: 2}}},
	}}
	for name, row := range map[string]struct {
		judge Judge
		want  float64 // NaN if there is none
	}{
		"points weigh":                   {Judge{"a": 100, "b": 20, "p1": 0, "p2": 0}, 160.0 / 6},
		"a candidate gets one of a pool": {Judge{"a": 0, "b": 0, "p1": 100, "p2": 0}, 100.0 / 6},
		"all":                            {Judge{"a": 100, "b": 100, "p1": 100, "p2": 100, "survey": 0}, 100},
		"one is missing":                 {Judge{"a": 100, "b": 100, "p1": 100}, math.NaN()},
		"no ratings":                     {nil, math.NaN()},
	} {
		wantFigures(t, name, figures{"cut score": {row.judge.CutScore(d), row.want}})
	}
	survey := Definition{Stages: []Stage{{Questions: []Question{{ID: "survey"}}}}}
	if cut := (Judge{"survey": 10}).CutScore(survey); cut != nil {
		t.Errorf("an assessment without points has the cut score %v", *cut)
	}
}

func TestCutScoreOfJudges(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{{Questions: []Question{{ID: "q", Points: 2}}}}}
	for name, row := range map[string]struct {
		judges    []Judge
		cut, wide float64
	}{
		"nobody":               {nil, math.NaN(), math.NaN()},
		"one":                  {[]Judge{{"q": 60}}, 60, math.NaN()},
		"one is not finished":  {[]Judge{{"q": 60}, {"other": 10}}, 60, math.NaN()},
		"two":                  {[]Judge{{"q": 60}, {"q": 70}}, 65, 5},
		"two agree completely": {[]Judge{{"q": 60}, {"q": 60}}, 60, 0},
	} {
		got := NewCutScore(d, row.judges)
		wantFigures(t, name, figures{"cut score": {got.Value, row.cut}, "standard error": {got.StandardError, row.wide}})
	}
}

func TestConsistencyAtTheEnds(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		cut, mean, deviation, reliability float64
		agreement, kappa                  float64
	}{
		"all scores are the same": {50, 60, 0, 0.8, 1, math.NaN()},
		"everybody passes":        {0, 90, 5, 0.8, 1, math.NaN()},
		"nobody passes":           {100, 10, 5, 0.8, 1, math.NaN()},
		"a perfect test":          {50, 60, 10, 1, 1, 1},
		"more than perfect":       {50, 60, 10, 1.5, 1, 1},
		"a negative reliability":  {60, 60, 10, -2, 0.5, 0},
		"no reliability":          {60, 60, 10, 0, 0.5, 0},
	} {
		got := NewConsistency(row.cut, row.mean, row.deviation, row.reliability)
		wantFigures(t, name, figures{"agreement": {&got.Agreement, row.agreement}, "kappa": {got.Kappa, row.kappa}})
	}
}
