package rules

import (
	"math"
	"testing"
)

func TestImpactRatioFindings(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		group, highest PassCount
		value          float64
		hasInterval    bool
		want           ImpactFinding
	}{
		"the ratio of 0.75 can be chance":   {PassCount{47, 88}, PassCount{70, 98}, 0.7477, true, ImpactUncertain},
		"below":                             {PassCount{12, 40}, PassCount{45, 60}, 0.4, true, BelowFourFifths},
		"not below":                         {PassCount{480, 500}, PassCount{490, 500}, 0.9796, true, NotBelowFourFifths},
		"nine candidates":                   {PassCount{1, 9}, PassCount{45, 60}, 0.1481, false, ImpactFewResults},
		"nine with the highest rate":        {PassCount{12, 40}, PassCount{9, 9}, 0.3, false, ImpactFewResults},
		"no candidates":                     {PassCount{}, PassCount{45, 60}, math.NaN(), false, ImpactFewResults},
		"the same rate":                     {PassCount{45, 60}, PassCount{45, 60}, 1, true, NotBelowFourFifths},
		"nobody of the group passed":        {PassCount{0, 40}, PassCount{45, 60}, 0, false, BelowFourFifths},
		"nobody of ten passed, and few did": {PassCount{0, 10}, PassCount{2, 20}, 0, false, ImpactUncertain},
		"nobody passed":                     {PassCount{0, 10}, PassCount{0, 12}, math.NaN(), false, ImpactUncertain},
		"everybody passed of a few":         {PassCount{10, 10}, PassCount{11, 11}, 1, true, ImpactUncertain},
		"everybody passed of many":          {PassCount{900, 900}, PassCount{1000, 1000}, 1, true, NotBelowFourFifths},
	} {
		got := NewImpactRatio(row.group, row.highest)
		wantFigures(t, name, figures{"ratio": {got.Value, row.value}})
		if got.Finding != row.want || (got.Interval != nil) != row.hasInterval {
			t.Errorf("%s: %s with the interval %v, want %s", name, got.Finding, got.Interval, row.want)
		}
	}
	if p := (PassCount{}); p.Rate() != nil || p.Interval() != nil {
		t.Error("there is a rate without sessions")
	}
}

func TestScoreDifferenceOfFewScores(t *testing.T) {
	t.Parallel()
	of := func(scores ...ScoreCount) Distribution { return NewDistribution(scores) }
	for name, row := range map[string]struct {
		first, second   Distribution
		value, effect   float64 // NaN if there is none
		hasInterval, is bool
	}{
		"no scores":       {of(), of(ScoreCount{50, 3}), 0, 0, false, false},
		"one on a side":   {of(ScoreCount{50, 1}), of(ScoreCount{40, 1}), 10, math.NaN(), false, true},
		"nine on a side":  {of(ScoreCount{50, 9}), of(ScoreCount{40, 5}, ScoreCount{60, 5}), 0, 0, false, true},
		"ten on a side":   {of(ScoreCount{50, 10}), of(ScoreCount{40, 5}, ScoreCount{60, 5}), 0, 0, true, true},
		"all are equal":   {of(ScoreCount{50, 10}), of(ScoreCount{40, 10}), 10, math.NaN(), true, true},
		"one and a third": {of(ScoreCount{0, 2}, ScoreCount{1, 1}), of(ScoreCount{0, 1}), 1.0 / 3, 0.57735, false, true},
	} {
		got := NewScoreDifference(row.first, row.second)
		if (got != nil) != row.is {
			t.Errorf("%s: %v", name, got)
		}
		if got == nil {
			continue
		}
		wantFigures(t, name, figures{"difference": {&got.Value, row.value}, "effect": {got.EffectSize, row.effect}})
		if (got.Interval != nil) != row.hasInterval {
			t.Errorf("%s: the interval is %v", name, got.Interval)
		}
	}
}

func TestSpeedFindings(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		outOfTime, finished int64
		isLimited           bool
		want                SpeedFinding
	}{
		"no limit":        {0, 100, false, NoTimeLimit},
		"no sessions":     {0, 0, true, SpeedFewResults},
		"nine sessions":   {9, 9, true, SpeedFewResults},
		"nobody of ten":   {0, 10, true, SpeedUncertain},
		"nobody of 20":    {0, 20, true, EnoughTime},
		"9 of 201":        {9, 201, true, EnoughTime},
		"20 of 100":       {20, 100, true, SpeedUncertain},
		"30 of 100":       {30, 100, true, TooLittleTime},
		"everybody of 10": {10, 10, true, TooLittleTime},
	} {
		got := Statistics{Version: StatisticsVersion, OutOfTime: row.outOfTime}.Speed(row.finished, row.isLimited)
		if got.Finding != row.want || got.OutOfTime != row.outOfTime || (got.Rate != nil) != (row.finished > 0) ||
			(got.Interval != nil) != (row.finished > 0) {
			t.Errorf("%s: %+v, want %s", name, got, row.want)
		}
	}
	if old := (Statistics{}).Speed(500, true); old.Finding != SpeedFewResults || old.Rate != nil {
		t.Errorf("statistics without these figures: %+v", old)
	}
}
