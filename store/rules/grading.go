package rules

import (
	"cmp"
	"math"
	"slices"
)

// Mark is the grade that one of several people has given to an answer.
type Mark struct {
	Points   float64
	Criteria []CriterionMark // in the order of the rubric; empty without one
}

// CriterionMark are the points for one criterion of a rubric.
type CriterionMark struct {
	ID     string
	Points float64
}

// MarksNeeded returns how many people must grade an answer that has the marks so far: graders, or three if the first
// two marks differ by more than maxDifferencePercent of the points.
func MarksNeeded(marks []Mark, graders int, points, maxDifferencePercent float64) int {
	if graders < 2 || len(marks) < 2 {
		return graders
	}
	difference := math.Abs(marks[0].Points - marks[1].Points)
	if RoundPoints(difference) > RoundPoints(points*maxDifferencePercent/100) {
		return graders + 1
	}
	return graders
}

// FinalMark returns the grade that follows from all marks of an answer: the only one, the mean of two, or the one in
// the middle of three.
func FinalMark(marks []Mark) Mark {
	if len(marks) == 2 {
		return meanMark(marks[0], marks[1])
	}
	byPoints := slices.Clone(marks)
	slices.SortStableFunc(byPoints, func(a, b Mark) int { return cmp.Compare(a.Points, b.Points) })
	return byPoints[len(byPoints)/2]
}

// meanMark returns the mean of each criterion, and their sum, so that the points of a rubric stay consistent.
func meanMark(a, b Mark) Mark {
	mean := Mark{Points: (a.Points + b.Points) / 2}
	if len(a.Criteria) != len(b.Criteria) || len(a.Criteria) == 0 {
		return mean
	}
	mean.Points = 0
	for i, criterion := range a.Criteria {
		points := (criterion.Points + b.Criteria[i].Points) / 2
		mean.Criteria = append(mean.Criteria, CriterionMark{ID: criterion.ID, Points: points})
		mean.Points += points
	}
	return mean
}
