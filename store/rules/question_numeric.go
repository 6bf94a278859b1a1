package rules

import (
	"math"
	"strconv"
)

type numeric struct{}

func (numeric) hasOptions() bool           { return false }
func (numeric) fields() (string, []string) { return "number", []string{"answer", "tolerance"} }
func (numeric) needsGrader() bool          { return false }

func (numeric) checkKey(f *fieldFaults, at string, q Question) {
	if q.Answer == nil {
		f.add(at+"/answer", "required", "must be given")
	}
}

func (numeric) checkAnswer(_ Question, a Answer) *Fault {
	if !finite(*a.Number) {
		return answerFault("/number", "invalid_value", "must be a finite number")
	}
	return nil
}

func (numeric) grade(q Question, a Answer) (float64, bool) {
	return allPoints(q, a.Number != nil && q.Answer != nil && withinTolerance(*a.Number, *q.Answer, q.Tolerance))
}

// withinTolerance includes the limit itself. Decimal fractions are not exact in
// binary (1.1 - 1.0 > 0.1). The limit is therefore widened by 2^-50 of the larger
// number: more than the error of the two roundings and the subtraction, and too
// little to make two whole numbers below 10^15 equal.
func withinTolerance(given, answer, tolerance float64) bool {
	for _, value := range []float64{given, answer, tolerance} {
		if !finite(value) {
			return false
		}
	}
	slack := 0x1p-50 * max(math.Abs(given), math.Abs(answer))
	return math.Abs(given-answer) <= tolerance+slack
}

func finite(number float64) bool { return !math.IsNaN(number) && !math.IsInf(number, 0) }

func (numeric) form(_ Question, a Answer) string { return strconv.FormatFloat(*a.Number, 'g', -1, 64) }

func (numeric) prefersOther(Question, QuestionTally, keys) bool { return false }
