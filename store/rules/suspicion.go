package rules

import "math"

// Suspicion is a reason why the key of a question is probably wrong.
type Suspicion string

// The suspicions, the most concrete first.
const (
	OtherOptionPreferred Suspicion = "OTHER_OPTION_PREFERRED" // candidates who are strong elsewhere choose a wrong option
	HardlyAnybodyRight   Suspicion = "HARDLY_ANYBODY_RIGHT"
	WeakerDoBetter       Suspicion = "WEAKER_DO_BETTER" // candidates who are weak elsewhere do better here
)

const (
	// z95 is the quantile of the normal distribution for intervals with a confidence of 95 percent.
	z95 = 1.959964

	// hardlyAnybody is a share of right answers that a question with a right key exceeds, also if candidates guess.
	hardlyAnybody = 0.15

	// enoughAnswers is the number of answers below which a question has no suspicion.
	enoughAnswers = 5
)

// Interval contains the true value with a confidence of 95 percent.
type Interval struct{ From, To float64 }

// wilson is the interval of a share, after `part` of `whole` was seen (Wilson's score interval).
func wilson(part, whole float64) Interval {
	share, z2 := part/whole, z95*z95
	center := share + z2/(2*whole)
	distance := z95 * math.Sqrt(share*(1-share)/whole+z2/(4*whole*whole))
	scale := 1 + z2/whole
	return Interval{(center - distance) / scale, (center + distance) / scale}
}

// Interval is that of Correlation (Fisher's z). It is nil if there is no correlation, and below five pairs.
func (p Pairs) Interval() *Interval {
	r := p.Correlation()
	if r == nil || p.N < enoughAnswers {
		return nil
	}
	// Few pairs can lie on a line by chance. That would be an interval without a width.
	z, distance := math.Atanh(min(max(*r, -0.99), 0.99)), z95/math.Sqrt(float64(p.N-3))
	return &Interval{math.Tanh(z - distance), math.Tanh(z + distance)}
}

// Suspicions returns why the key of a question is probably wrong. Each needs an interval that excludes
// the opposite, so that a good question is hardly ever blamed for the chance of a few results. A
// difficult question with a good distractor has few right answers, but these are from stronger candidates.
func Suspicions(q Question, t QuestionTally, corrections []Correction) []Suspicion {
	suspicions := []Suspicion{}
	k := keysOf(q, corrections)
	if q.NeedsGrader() || k.full || k.excluded || q.Points <= 0 || t.Answered < enoughAnswers {
		return suspicions
	}
	if kind, known := kinds[q.Type]; known && kind.prefersOther(q, t, k) {
		suspicions = append(suspicions, OtherOptionPreferred)
	}
	answered := float64(t.Answered)
	interval := t.Pairs.Interval()
	isForStronger := interval != nil && interval.From > 0
	if right := min(t.Points/q.Points, answered); wilson(max(right, 0), answered).To < hardlyAnybody && !isForStronger {
		suspicions = append(suspicions, HardlyAnybodyRight)
	}
	if interval != nil && interval.To < 0 {
		suspicions = append(suspicions, WeakerDoBetter)
	}
	return suspicions
}
