package rules

// ReliabilityFinding says what the interval of alpha permits to say.
type ReliabilityFinding string

// The findings about reliability.
const (
	ReliabilityLow        ReliabilityFinding = "LOW"
	ReliabilityAcceptable ReliabilityFinding = "ACCEPTABLE"
	ReliabilityHigh       ReliabilityFinding = "HIGH"
	ReliabilityUncertain  ReliabilityFinding = "UNCERTAIN"
	FewResults            ReliabilityFinding = "TOO_FEW_RESULTS"
	FewQuestions          ReliabilityFinding = "TOO_FEW_QUESTIONS"
	NoVariance            ReliabilityFinding = "NO_VARIANCE"
	DrawnQuestions        ReliabilityFinding = "DRAWN_QUESTIONS"
)

// Reliability is the internal consistency of the scores of completed sessions.
type Reliability struct {
	Alpha         *float64
	Interval      *Interval
	StandardError *float64 // of measurement, in percentage points of the score
	Questions     int
	Count         int64 // completed sessions
	Finding       ReliabilityFinding
	ResultsNeeded *int
}

// Reliability is that of the whole assessment.
func (s Statistics) Reliability(d Definition) Reliability { panic("not written") }

// StageReliability is that of the stage at position i, in completed sessions that reached it.
func (s Statistics) StageReliability(d Definition, i int) Reliability { panic("not written") }

// AlphaWithout is alpha of the whole assessment without the question at position j of stage i.
func (s Statistics) AlphaWithout(d Definition, i, j int) *float64 { panic("not written") }

// PassingBand are the scores that the measurement cannot tell apart from the passing score.
type PassingBand struct {
	From, To float64
	Count    int64
}

// NewPassingBand counts the scores in the band.
func NewPassingBand(scores []ScoreCount, passing, standardError float64) PassingBand {
	panic("not written")
}
