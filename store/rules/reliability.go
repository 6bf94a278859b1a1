package rules

import "math"

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
	Questions     int      // with points
	Count         int64    // completed sessions
	Finding       ReliabilityFinding
	ResultsNeeded *int
}

// consistency are the sums from which alpha is computed.
type consistency struct {
	questions int     // whose points differ
	within    float64 // the sum of squares of these, added up
	total     float64 // the sum of squares of their totals
}

// alpha is Cronbach's coefficient (1951), and KR-20 if each question gives all points or none. As in psych::alpha, a
// question with the same points for all does not count. It is nil below two questions, and if all totals are the same.
func (c consistency) alpha(n int64) *float64 {
	if c.questions < 2 || n < 2 || same(n, c.total) {
		return nil
	}
	k := float64(c.questions)
	return new(k / (k - 1) * (1 - c.within/c.total))
}

func (c *consistency) count(n int64, squares float64) {
	if !same(n, squares) {
		c.questions++
		c.within += squares
	}
}

// Reliability is that of the whole assessment. A question that a session did not reach counts as 0 points.
func (s Statistics) Reliability(d Definition) Reliability {
	return newReliability(s.consistency(d), d.Stages, s.Percents)
}

func (s Statistics) consistency(d Definition) consistency {
	c := consistency{total: s.Totals.Squares}
	for i := range d.Stages {
		for j := range d.Stages[i].Questions {
			squares, _ := s.overAll(i, j)
			c.count(s.Totals.N, squares)
		}
	}
	return c
}

// StageReliability is that of the stage at position i, in completed sessions that reached it.
func (s Statistics) StageReliability(d Definition, i int) Reliability {
	c := consistency{total: s.Stages[i].Totals.Squares}
	for j := range s.Stages[i].Questions {
		pairs := s.Stages[i].Questions[j].Pairs
		c.count(pairs.N, pairs.XX)
	}
	return newReliability(c, d.Stages[i:i+1], s.Stages[i].Percents)
}

// AlphaWithout is alpha of the whole assessment without the question at position j of stage i. It is nil below three
// questions.
func (s Statistics) AlphaWithout(d Definition, i, j int) *float64 {
	c := s.consistency(d)
	if _, isDrawn := extent(d.Stages); isDrawn || c.alpha(s.Totals.N) == nil {
		return nil
	}
	own, shared := s.overAll(i, j)
	if !same(s.Totals.N, own) {
		c.questions--
		c.within -= own
	}
	c.total = max(0, c.total+own-2*shared)
	return c.alpha(s.Totals.N)
}

// overAll returns the sum of squares of a question's points over all completed sessions, and the sum of products with
// the totals. Pairs contain the sessions that reached the question; in all others its points are 0.
func (s Statistics) overAll(i, j int) (squares, shared float64) {
	p := s.Stages[i].Questions[j].Pairs
	n, all := float64(p.N), float64(s.Totals.N)
	if all == 0 {
		return 0, 0
	}
	squares = p.XX + p.MeanX*p.MeanX*n*(all-n)/all
	shared = p.XX + p.XY + n*p.MeanX*(p.MeanX+p.MeanY-s.Totals.Mean)
	return squares, shared
}

// extent is the number of questions that give points, and whether some of them are drawn from a pool.
func extent(stages []Stage) (questions int, isDrawn bool) {
	for i := range stages {
		for j := range stages[i].Questions {
			if stages[i].Questions[j].Points > 0 {
				questions++
			}
			isDrawn = isDrawn || stages[i].Questions[j].PoolID != ""
		}
	}
	return questions, isDrawn
}

// newReliability computes the figures that follow from alpha. scores are from 0 to 1.
func newReliability(c consistency, stages []Stage, scores Moments) Reliability {
	r := Reliability{Count: scores.N}
	questions, isDrawn := extent(stages)
	r.Questions = questions
	if !isDrawn {
		r.Alpha = c.alpha(scores.N)
	}
	if r.Alpha != nil {
		unreliable := max(0, 1-*r.Alpha)
		r.StandardError = new(100 * *scores.StandardDeviation() * math.Sqrt(unreliable))
		r.Interval = alphaInterval(*r.Alpha, c.questions, scores.N)
		r.ResultsNeeded = new(resultsNeeded(*r.Alpha, c.questions))
	}
	switch {
	case isDrawn:
		r.Finding = DrawnQuestions
	case r.Questions < 2:
		r.Finding = FewQuestions
	case scores.N < enoughResults:
		r.Finding = FewResults
	case same(scores.N, c.total):
		r.Finding = NoVariance
	case r.Alpha == nil: // only one question tells candidates apart
		r.Finding = FewQuestions
	default:
		r.Finding = reliabilityFinding(*r.Interval)
	}
	return r
}

const (
	// enoughResults is the number of results below which a figure about an assessment has no interval and no finding.
	enoughResults = 10

	// acceptableAlpha and highAlpha are the borders for decisions about groups and about single persons (Nunnally 1978).
	acceptableAlpha = 0.7
	highAlpha       = 0.9
)

func reliabilityFinding(interval Interval) ReliabilityFinding {
	switch {
	case interval.To < acceptableAlpha:
		return ReliabilityLow
	case interval.From >= highAlpha:
		return ReliabilityHigh
	case interval.From >= acceptableAlpha && interval.To < highAlpha:
		return ReliabilityAcceptable
	}
	return ReliabilityUncertain
}

// alphaInterval is the interval of alpha, of k questions and n results (Bonett 2002). It is nil below enoughResults.
func alphaInterval(alpha float64, k int, n int64) *Interval {
	if n < enoughResults {
		return nil
	}
	distance := z95 * math.Sqrt(2*float64(k)/(float64(k-1)*float64(n-2)))
	rest := max(0, 1-alpha)
	return &Interval{1 - rest*math.Exp(distance), 1 - rest*math.Exp(-distance)}
}

// resultsNeeded is the number of results after which the interval of alpha is 0.1 wide: n = 8k/(k-1) (z/ln e)² + 2
// with e = (1 - lower) / (1 - upper) (Bonett 2002). The ends are those of alphaInterval, which are not equally far from
// alpha.
func resultsNeeded(alpha float64, k int) int {
	const width, most = 0.1, math.MaxInt32
	logE := 2 * math.Asinh(width/2/max(1-alpha, 1e-9))
	ratio := z95 / logE
	return int(min(math.Ceil(8*float64(k)/float64(k-1)*ratio*ratio+2), most))
}
