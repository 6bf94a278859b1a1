package rules

import "math"

// Points are computed and stored exactly, and RoundPoints rounds them only where
// they are shown: sums of rounded thirds would drift. Percent rounds scores
// (percentages) once, and every comparison uses the rounded value, so that a
// person who compares the numbers on the page reaches the same decision.

// StageScore is the outcome of one stage. Points are not rounded; Score is a
// percentage with two decimals.
type StageScore struct {
	Points    float64
	MaxPoints float64
	Score     float64
	Questions []QuestionScore
}

// QuestionScore is the outcome of one question. Answer is the scored answer, nil when
// the candidate saved none, cleared every choice, or left a free text blank. Points are not rounded. MaxPoints is 0
// when the question no longer counts.
type QuestionScore struct {
	QuestionID string
	Answer     *Answer
	Points     float64
	MaxPoints  float64
	Correct    bool
	ScoredBy   ScoredBy
}

// Percent is points as a percentage of max, 0 to 100 with two decimals, rounded
// half up. It is 0 when max is 0.
func Percent(points, max float64) float64 {
	if max <= 0 {
		return 0
	}
	return RoundPoints(points * 100 / max)
}

// RoundPoints rounds a number that is not negative to two decimals, half up. The
// factor raises a half that binary stores as slightly less (1.005); it is far
// smaller than the distance of any other sum of points from a half. The result
// is the float64 nearest to the decimal, and therefore equals its literal.
func RoundPoints(points float64) float64 {
	return math.Floor(points*100*(1+1e-13)+0.5) / 100
}

// passed reports whether a stage's rounded score passes the gate; nil without a
// gate. A score of exactly MinScore passes.
func (g *Gate) passed(score float64) *bool {
	if g == nil {
		return nil
	}
	return new(score >= g.MinScore)
}

// empty reports whether the answer has no content. A multiple choice without any
// chosen option is such an answer: it is stored, and shown as null.
func (a Answer) empty() bool {
	return a.OptionID == nil && len(a.OptionIDs) == 0 && a.Number == nil && a.Text == nil
}
