package rules

import "math"

// ImpactFinding says how a pass rate compares with a higher one.
type ImpactFinding string

// The findings about pass rates.
const (
	BelowFourFifths    ImpactFinding = "BELOW_FOUR_FIFTHS"
	NotBelowFourFifths ImpactFinding = "NOT_BELOW_FOUR_FIFTHS"
	ImpactUncertain    ImpactFinding = "UNCERTAIN"
	ImpactFewResults   ImpactFinding = "TOO_FEW_RESULTS"
	HighestRate        ImpactFinding = "HIGHEST"
)

// fourFifths is the ratio of pass rates below which the Uniform Guidelines see adverse impact (29 CFR 1607.4 D).
const fourFifths = 0.8

// PassCount is how many of the finished sessions of a group passed.
type PassCount struct{ Passed, Count int64 }

// Rate is the pass rate in percent. It is nil without sessions.
func (p PassCount) Rate() *float64 {
	if p.Count == 0 {
		return nil
	}
	return new(100 * p.share())
}

func (p PassCount) share() float64 { return float64(p.Passed) / float64(p.Count) }

// Interval is that of Rate, in percent (Wilson 1927). It is nil without sessions.
func (p PassCount) Interval() *Interval {
	if p.Count == 0 {
		return nil
	}
	interval := wilson(float64(p.Passed), float64(p.Count))
	return &Interval{100 * max(0, interval.From), 100 * min(1, interval.To)}
}

// ImpactRatio is the pass rate of a group divided by a higher one.
type ImpactRatio struct {
	Value    *float64
	Interval *Interval
	Finding  ImpactFinding
}

// NewImpactRatio compares a group with one that has a rate which is at least as high.
func NewImpactRatio(group, highest PassCount) ImpactRatio {
	r := ImpactRatio{Finding: ImpactFewResults}
	if highest.Passed > 0 && group.Count > 0 {
		r.Value = new(group.share() / highest.share())
	}
	if min(group.Count, highest.Count) < enoughResults {
		return r
	}
	bounds := wilsonRatio(group, highest)
	if group.Passed > 0 && highest.Passed > 0 {
		bounds = katz(group, highest)
		r.Interval = &bounds
	}
	r.Finding = ImpactUncertain
	switch {
	case bounds.To < fourFifths:
		r.Finding = BelowFourFifths
	case bounds.From >= fourFifths:
		r.Finding = NotBelowFourFifths
	}
	return r
}

// katz is the interval of a ratio of shares (Katz, Baptista, Azen, and Pike 1978). If all of both groups passed, it has
// no width, and wilsonRatio takes its place.
func katz(a, b PassCount) Interval {
	variance := 1/float64(a.Passed) - 1/float64(a.Count) + 1/float64(b.Passed) - 1/float64(b.Count)
	if variance <= 0 {
		return wilsonRatio(a, b)
	}
	ratio, factor := a.share()/b.share(), math.Exp(z95*math.Sqrt(variance))
	return Interval{ratio / factor, ratio * factor}
}

// wilsonRatio is a wide interval of a ratio of shares. One of them can be 0.
func wilsonRatio(a, b PassCount) Interval {
	of, by := a.Interval(), b.Interval()
	if by.From <= 0 {
		return Interval{0, math.Inf(1)}
	}
	return Interval{of.From / by.To, of.To / by.From}
}

// ScoreDifference is the mean of the first scores less that of the second ones.
type ScoreDifference struct {
	Value      float64 // percentage points
	Interval   *Interval
	EffectSize *float64 // Cohen's d
}

// NewScoreDifference compares two distributions. It is nil if one has no scores. The interval is that of Welch (1947)
// with the normal distribution, and nil below enoughResults scores on a side.
func NewScoreDifference(first, second Distribution) *ScoreDifference {
	if first.Count == 0 || second.Count == 0 {
		return nil
	}
	d := &ScoreDifference{Value: first.mean - second.mean}
	if first.Count >= enoughResults && second.Count >= enoughResults {
		distance := z95 * math.Sqrt(first.variance()/float64(first.Count)+second.variance()/float64(second.Count))
		d.Interval = &Interval{d.Value - distance, d.Value + distance}
	}
	n, m := float64(first.Count-1), float64(second.Count-1)
	if squares := n*first.variance() + m*second.variance(); !same(first.Count+second.Count, squares) {
		d.EffectSize = new(d.Value / math.Sqrt(squares/(n+m)))
	}
	return d
}

func (d Distribution) variance() float64 {
	if d.StandardDeviation == nil {
		return 0
	}
	return *d.StandardDeviation * *d.StandardDeviation
}
