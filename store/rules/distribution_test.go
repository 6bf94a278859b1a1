package rules

import (
	"math"
	"testing"
)

func TestDistribution(t *testing.T) {
	t.Parallel()
	if d := NewDistribution(nil); d != (Distribution{}) {
		t.Errorf("without scores: %+v", d)
	}
	d := NewDistribution([]ScoreCount{{0, 1}, {4.99, 1}, {5, 2}, {50, 1}, {99.99, 1}, {100, 2}})
	bins := [ScoreBins]int64{0: 2, 1: 2, 10: 1, 19: 3}
	if d.Count != 8 || d.Bins != bins {
		t.Errorf("%d scores in %v, want 8 in %v", d.Count, d.Bins, bins)
	}
	wantFigures(t, "distribution", figures{
		"mean": {d.Mean, 45.62}, "lower": {d.Lower, 5}, "median": {d.Median, 27.5}, "upper": {d.Upper, 99.99},
		"sd": {d.StandardDeviation, 47.691868}, "skewness": {d.Skewness, 0.214622},
	})
	one, same := NewDistribution([]ScoreCount{{50, 1}}), NewDistribution([]ScoreCount{{50, 7}})
	if one.StandardDeviation != nil || one.Skewness != nil || *one.Median != 50 || *same.StandardDeviation != 0 ||
		same.Skewness != nil {
		t.Errorf("one score: %+v, the same scores: %+v", one, same)
	}
}

// figures are computed and expected figures by name.
type figures map[string]struct {
	got  *float64
	want float64
}

// wantFigures compares figures with four decimals. An expected NaN means that there is none.
func wantFigures(t *testing.T, of string, figures figures) {
	t.Helper()
	for name, figure := range figures {
		switch {
		case figure.got == nil != math.IsNaN(figure.want):
			t.Errorf("%s, %s: %v, want %v", of, name, figure.got, figure.want)
		case figure.got != nil && math.Abs(*figure.got-figure.want) > 1e-4:
			t.Errorf("%s, %s: %v, want %v", of, name, *figure.got, figure.want)
		}
	}
}

func TestPassingBand(t *testing.T) {
	t.Parallel()
	scores := []ScoreCount{{0, 1}, {62.49, 1}, {62.5, 2}, {70, 4}, {77.5, 8}, {77.51, 16}, {100, 32}}
	for _, row := range []struct {
		passing, standardError float64
		want                   PassingBand
	}{
		{70, 7.5, PassingBand{62.5, 77.5, 14}},
		{70, 7.501, PassingBand{62.5, 77.5, 14}},
		{70, 0, PassingBand{70, 70, 4}},
		{5, 10, PassingBand{0, 15, 1}},
		{95, 20, PassingBand{75, 100, 56}},
	} {
		if got := NewPassingBand(scores, row.passing, row.standardError); got != row.want {
			t.Errorf("%v around %v: %+v, want %+v", row.standardError, row.passing, got, row.want)
		}
	}
}
