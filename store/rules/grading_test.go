package rules

import (
	"reflect"
	"testing"
)

func marks(points ...float64) []Mark {
	all := make([]Mark, len(points))
	for i, p := range points {
		all[i] = Mark{Points: p}
	}
	return all
}

func TestMarksNeeded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		marks   []Mark
		graders int
		percent float64
		want    int
	}{
		{"one grader", marks(4), 1, 20, 1},
		{"first of two", marks(4), 2, 20, 2},
		{"two that agree", marks(4, 4), 2, 20, 2},
		{"exactly the permitted difference", marks(4, 3.2), 2, 20, 2},
		{"a little more", marks(4, 3.19), 2, 20, 3},
		{"in the other direction", marks(1, 3), 2, 20, 3},
		{"no difference permitted", marks(4, 3.99), 2, 0, 3},
		{"every difference permitted", marks(0, 4), 2, 100, 2},
		{"after the third", marks(0, 4, 2), 2, 20, 3},
		{"one grader, a second mark from before", marks(0, 4), 1, 20, 1},
	} {
		if got := MarksNeeded(test.marks, test.graders, 4, test.percent); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestFinalMark(t *testing.T) {
	t.Parallel()
	mark := func(points, a, b float64) Mark {
		return Mark{Points: points, Criteria: []CriterionMark{{"a", a}, {"b", b}}}
	}
	for _, test := range []struct {
		name  string
		marks []Mark
		want  Mark
	}{
		{"one", marks(3), Mark{Points: 3}},
		{"two", marks(3, 4), Mark{Points: 3.5}},
		{"two with a rubric", []Mark{mark(3, 1, 2), mark(2, 2, 0)}, mark(2.5, 1.5, 1)},
		{"three", []Mark{mark(0, 0, 0), mark(4, 2, 2), mark(3, 1, 2)}, mark(3, 1, 2)},
		{"three of which two are equal", marks(4, 0, 4), Mark{Points: 4}},
	} {
		if got := FinalMark(test.marks); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
