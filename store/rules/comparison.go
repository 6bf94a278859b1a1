package rules

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

// PassCount is how many of the finished sessions of a group passed.
type PassCount struct{ Passed, Count int64 }

// Rate is the pass rate in percent. It is nil without sessions.
func (p PassCount) Rate() *float64 { panic("not written") }

// Interval is that of Rate, in percent (Wilson 1927). It is nil without sessions.
func (p PassCount) Interval() *Interval { panic("not written") }

// ImpactRatio is the pass rate of a group divided by a higher one.
type ImpactRatio struct {
	Value    *float64
	Interval *Interval
	Finding  ImpactFinding
}

// NewImpactRatio compares a group with the group of the highest rate.
func NewImpactRatio(group, highest PassCount) ImpactRatio { panic("not written") }

// ScoreDifference is the mean of the first scores less that of the second ones.
type ScoreDifference struct {
	Value      float64 // percentage points
	Interval   *Interval
	EffectSize *float64 // Cohen's d
}

// NewScoreDifference compares two distributions. It is nil if one has no scores.
func NewScoreDifference(first, second Distribution) *ScoreDifference { panic("not written") }
