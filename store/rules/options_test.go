package rules

import (
	"slices"
	"testing"
)

func TestOptionFindings(t *testing.T) {
	t.Parallel()
	q := Question{ID: "q", Type: SingleChoice, Points: 2, CorrectOptionID: new("a"),
		Options: []Option{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	correction := func(action CorrectionAction) []Correction {
		c := Correction{QuestionID: "q", Action: action, Policy: Exact}
		if action.NeedsKey() {
			c.Key = &AnswerKey{CorrectOptionID: new("b")}
		}
		return []Correction{c}
	}
	survey := q
	survey.Points = 0
	unused := answersOf(2, 0.02, picked{50, 0.6}, picked{30, 0.5}, picked{0, 0})
	stronger := answersOf(2, 0.02, picked{10, 0.5}, picked{12, 0.7}, picked{10, 0.4})
	for _, row := range []struct {
		name        string
		question    Question
		tally       QuestionTally
		option      int
		corrections []Correction
		want        []OptionFinding
	}{
		{"nobody of 80", q, unused, 2, nil, []OptionFinding{HardlyChosen}},
		{"nobody of 70 can be chance", q, answersOf(2, 0.02, picked{40, 0.6}, picked{30, 0.5}, picked{0, 0}), 2, nil, nil},
		{"1 of 120", q, answersOf(2, 0.02, picked{60, 0.6}, picked{59, 0.5}, picked{1, 0.3}), 2, nil,
			[]OptionFinding{HardlyChosen}},
		{"many", q, unused, 1, nil, nil},
		{"nobody chooses the key", q, answersOf(2, 0.02, picked{0, 0}, picked{50, 0.6}, picked{30, 0.5}), 0, nil, nil},
		{"the stronger ones", q, stronger, 1, nil, []OptionFinding{ChosenByStronger}},
		{"not the stronger ones", q, stronger, 2, nil, nil},
		{"the key is for the stronger ones", q, answersOf(2, 0.02, picked{12, 0.7}, picked{10, 0.5}), 0, nil, nil},
		{"only four", q, answersOf(2, 0.02, picked{18, 0.5}, picked{4, 0.9}, picked{10, 0.4}), 1, nil, nil},
		{"all but four", q, answersOf(2, 0.02, picked{4, 0.1}, picked{30, 0.6}, picked{0, 0}), 1, nil, nil},
		{"it is the key after a correction", q, stronger, 1, correction(ReplaceKey), nil},
		{"it is right, too", q, stronger, 1, correction(AcceptAlso), nil},
		{"excluded", q, stronger, 1, correction(Exclude), nil},
		{"full points", q, stronger, 1, correction(FullPoints), nil},
		{"no points", survey, stronger, 1, nil, nil},
		{"no answers", q, answersOf(2, 0.02, picked{}, picked{}, picked{}), 1, nil, nil},
	} {
		if got := OptionFindings(row.question, row.tally, row.option, row.corrections); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
	if r := unused.OptionDiscrimination(2); r != nil || unused.OptionInterval(2) != nil {
		t.Errorf("an option that nobody chose has the correlation %v", *r)
	}
	few := answersOf(2, 0.02, picked{2, 0.4}, picked{2, 0.6})
	if few.OptionDiscrimination(1) == nil || few.OptionInterval(1) != nil {
		t.Error("four results have no correlation, or an interval")
	}
}
