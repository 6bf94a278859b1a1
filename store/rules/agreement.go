package rules

import "math"

// minCompared is from how many answers kappa is computed. With fewer, one answer changes it too much.
const minCompared = 10

// Agreement sums up pairs of grades, so that it can be added to others. A database can compute its sums.
type Agreement struct {
	Answers       int     // pairs
	Equal         int     // pairs with equal points
	Difference    float64 // sum of the differences
	Square        float64 // sum of the squares of the differences
	First, Second float64 // sums of the points
	FirstSquare   float64 // sums of the squares of the points
	SecondSquare  float64
}

// Plus returns the agreement about both sets of answers.
func (a Agreement) Plus(b Agreement) Agreement {
	return Agreement{
		Answers: a.Answers + b.Answers, Equal: a.Equal + b.Equal,
		Difference: a.Difference + b.Difference, Square: a.Square + b.Square,
		First: a.First + b.First, Second: a.Second + b.Second,
		FirstSquare: a.FirstSquare + b.FirstSquare, SecondSquare: a.SecondSquare + b.SecondSquare,
	}
}

// Swapped returns the agreement with the first and the second grader exchanged.
func (a Agreement) Swapped() Agreement {
	a.First, a.Second = a.Second, a.First
	a.FirstSquare, a.SecondSquare = a.SecondSquare, a.FirstSquare
	return a
}

// Shares returns the agreement with all points in shares of maxPoints, so that questions with different points can be
// added.
func (a Agreement) Shares(maxPoints float64) Agreement {
	if maxPoints <= 0 {
		return Agreement{Answers: a.Answers, Equal: a.Equal}
	}
	a.Difference /= maxPoints
	a.First, a.Second = a.First/maxPoints, a.Second/maxPoints
	square := maxPoints * maxPoints
	a.Square, a.FirstSquare, a.SecondSquare = a.Square/square, a.FirstSquare/square, a.SecondSquare/square
	return a
}

// EqualShare is the share of answers with equal points, in percent with two decimals.
func (a Agreement) EqualShare() float64 {
	if a.Answers == 0 {
		return 0
	}
	return roundAgreement(100 * float64(a.Equal) / float64(a.Answers))
}

// MeanDifferencePercent is the mean difference in percent of the points, with two decimals. The agreement is in Shares.
func (a Agreement) MeanDifferencePercent() float64 {
	if a.Answers == 0 {
		return 0
	}
	return roundAgreement(100 * a.Difference / float64(a.Answers))
}

// Kappa is Cohen's weighted kappa (Cohen 1968) with quadratic weights, with two decimals. It is nil with fewer than ten
// answers, and where chance alone gives no difference, because each grader has given the same points to all answers.
//
// With quadratic weights, it is one minus the mean square of the observed differences, over the mean square of the
// differences between any grade of the one and any grade of the other grader. Both follow from sums, and the points
// need no categories.
func (a Agreement) Kappa() *float64 {
	if a.Answers < minCompared {
		return nil
	}
	kappa := a.kappa()
	if math.IsNaN(kappa) {
		return nil
	}
	return new(roundAgreement(kappa))
}

// noDifference is below the square of any difference of two grades in shares, and above the error of the sums.
const noDifference = 1e-9

func (a Agreement) kappa() float64 {
	n := float64(a.Answers)
	expected := (a.FirstSquare+a.SecondSquare)/n - 2*(a.First/n)*(a.Second/n)
	if expected < noDifference {
		return math.NaN()
	}
	return 1 - a.Square/n/expected
}

func roundAgreement(value float64) float64 { return math.Round(value*100) / 100 }
