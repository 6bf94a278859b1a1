package rules

import (
	"math"
	"slices"
	"testing"
)

// paired returns n pairs whose correlation is r.
func paired(n int64, r float64) Pairs { return Pairs{N: n, XX: 1, YY: 1, XY: r} }

func TestIntervals(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ want, got float64 }{
		{0, wilson(0, 27).From},
		{0.1246, wilson(0, 27).To},
		{0.3731, wilson(15, 27).From},
		{0.7241, wilson(15, 27).To},
		// The figure that blamed a good question: the interval contains 0, and 0.3.
		{-0.4384, paired(27, -0.07).Interval().From},
		{0.3185, paired(27, -0.07).Interval().To},
	} {
		if math.Abs(row.got-row.want) > 1e-4 {
			t.Errorf("the bound is %v, want %v", row.got, row.want)
		}
	}
	if paired(4, -1).Interval() != nil || (Pairs{N: 30, XX: 1}).Interval() != nil {
		t.Error("there is an interval without enough pairs or without a correlation")
	}
}

func TestSuspicions(t *testing.T) {
	t.Parallel()
	number := Question{ID: "q", Type: Numeric, Points: 3, Answer: new(60.0)}
	choice := Question{ID: "q", Type: SingleChoice, Points: 2, CorrectOptionID: new("a"),
		Options: []Option{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	keyB := &AnswerKey{CorrectOptionID: new("b")}
	correction := func(action CorrectionAction, key *AnswerKey) []Correction {
		return []Correction{{QuestionID: "q", Action: action, Key: key, Policy: NeverLower}}
	}
	for _, row := range []struct {
		name        string
		question    Question
		tally       QuestionTally
		corrections []Correction
		want        []Suspicion
	}{
		{"0 of 27 know the number", number, QuestionTally{Answered: 27}, nil, []Suspicion{HardlyAnybodyRight}},
		{"0 of 20 can be chance", number, QuestionTally{Answered: 20}, nil, nil},
		{"2 of 27 can be a difficult question", number, QuestionTally{Answered: 27, Points: 6}, nil, nil},
		{"2 of 60", number, QuestionTally{Answered: 60, Points: 6}, nil, []Suspicion{HardlyAnybodyRight}},
		{"a correlation of -0.07 in 27 results", number,
			QuestionTally{Answered: 27, Points: 45, Pairs: paired(27, -0.07)}, nil, nil},
		{"a correlation of -0.5 in 27 results", number,
			QuestionTally{Answered: 27, Points: 45, Pairs: paired(27, -0.5)}, nil, []Suspicion{WeakerDoBetter}},
		{"a correlation of -0.5 in 10 results", number,
			QuestionTally{Answered: 10, Points: 15, Pairs: paired(10, -0.5)}, nil, nil},
		{"18 choose another option, 5 the key", choice,
			QuestionTally{Answered: 27, Points: 10, Chosen: []int64{5, 18, 4}}, nil, []Suspicion{OtherOptionPreferred}},
		{"15 choose another option, 10 the key", choice,
			QuestionTally{Answered: 27, Points: 20, Chosen: []int64{10, 15, 2}}, nil, nil},
		{"the key was replaced", choice, QuestionTally{Answered: 27, Points: 36, Chosen: []int64{5, 18, 4}},
			correction(ReplaceKey, keyB), nil},
		{"another key is right, too", choice, QuestionTally{Answered: 27, Points: 46, Chosen: []int64{5, 18, 4}},
			correction(AcceptAlso, keyB), nil},
		{"excluded", number, QuestionTally{Answered: 27}, correction(Exclude, nil), nil},
		{"full points", number, QuestionTally{Answered: 27, Points: 81}, correction(FullPoints, nil), nil},
		{"a correction of another question", number, QuestionTally{Answered: 27},
			[]Correction{{QuestionID: "other", Action: Exclude}}, []Suspicion{HardlyAnybodyRight}},
		{"few answers", choice, QuestionTally{Answered: 4, Chosen: []int64{0, 4, 0}}, nil, nil},
		{"no points", Question{ID: "q", Type: Numeric, Answer: new(1.0)}, QuestionTally{Answered: 99}, nil, nil},
	} {
		if got := Suspicions(row.question, row.tally, row.corrections); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
