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

// The data SAT12 of the R package mirt: 600 students, 32 questions about science (Wood and others 2003). The figures
// are those of R: table(), tapply(rest, choice, mean), and cor(choice == option, rest). The sixth key is right,
// although 58 percent choose a distractor and 16 percent the key. The last key is probably wrong, as mirt says.
func TestSuspicionsOfSAT12(t *testing.T) {
	t.Parallel()
	options := []Option{{ID: "1"}, {ID: "2"}, {ID: "3"}, {ID: "4"}, {ID: "5"}}
	for _, row := range []struct {
		name            string
		key             int
		chosen          []int64 // the others gave no answer
		rest            []float64
		mean, squares   float64 // of rest
		discriminations []float64
		stronger        []int // the options that stronger candidates choose
		want            []Suspicion
	}{
		{"question 6", 1, []int64{96, 349, 64, 26, 65},
			[]float64{21.9895833333, 17.3123209169, 17.890625, 18.9230769231, 15.9230769231},
			18.0416666666667, 14459.9583333333,
			[]float64{0.350978432183, -0.175186813652, -0.0106315470565, 0.0382121023239, -0.150424562554}, nil, nil},
		{"question 32", 5, []int64{75, 110, 266, 45, 97},
			[]float64{17.52, 16.1727272727, 19.1804511278, 16.9555555556, 18.4639175258}, 18.04, 15135.04,
			[]float64{-0.0391325512131, -0.176152939736, 0.202641365174, -0.0614824141736, 0.0370652629089}, []int{3},
			[]Suspicion{OtherOptionPreferred}},
	} {
		question := Question{ID: "q", Type: SingleChoice, Points: 1, Options: options,
			CorrectOptionID: new(options[row.key-1].ID)}
		tally := QuestionTally{Chosen: row.chosen, Choosers: row.chosen}
		for k, rest := range row.rest {
			tally.Answered += row.chosen[k]
			tally.Rest = append(tally.Rest, rest/32)
		}
		tally.Pairs = Pairs{N: 600, MeanY: row.mean / 32, YY: row.squares / 32 / 32}
		tally = tally.keyed(1, row.key-1)
		for k, want := range row.discriminations {
			if got := tally.OptionDiscrimination(k); math.Abs(*got-want) > 1e-9 {
				t.Errorf("%s, option %d: %v, want %v", row.name, k+1, *got, want)
			}
			findings := OptionFindings(question, tally, k, nil)
			if slices.Contains(findings, ChosenByStronger) != slices.Contains(row.stronger, k+1) {
				t.Errorf("%s, option %d: %v", row.name, k+1, findings)
			}
		}
		if got := Suspicions(question, tally, nil); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// picked is how many candidates chose an option, and the mean of their points for all other questions.
type picked struct {
	count int64
	rest  float64
}

// answersOf returns a question that everybody answered and whose first option is the key. within is the variance of the
// points for all other questions among candidates who chose the same option.
func answersOf(points, within float64, options ...picked) QuestionTally {
	var t QuestionTally
	var rest Moments
	for _, option := range options {
		for range option.count {
			rest.count(option.rest, 1)
		}
		t.Answered += option.count
		t.Chosen, t.Choosers = append(t.Chosen, option.count), append(t.Choosers, option.count)
		t.Rest = append(t.Rest, option.rest)
	}
	t.Pairs = Pairs{N: rest.N, MeanY: rest.Mean, YY: rest.Squares + within*float64(rest.N)}
	return t.keyed(points, 0)
}

// keyed returns the tally after other options became right.
func (t QuestionTally) keyed(points float64, right ...int) QuestionTally {
	n, sum := 0.0, 0.0
	for _, option := range right {
		n, sum = n+float64(t.Choosers[option]), sum+float64(t.Choosers[option])*(t.Rest[option]-t.Pairs.MeanY)
	}
	t.Points, t.Pairs.MeanX = n*points, n/float64(t.Pairs.N)
	t.Pairs.XX, t.Pairs.XY = n*(1-t.Pairs.MeanX), sum
	return t
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
		{"more choose another option than the key", choice,
			answersOf(2, 0.02, picked{5, 0.5}, picked{18, 0.5}, picked{4, 0.5}), nil, nil},
		{"most choose another option, and those who choose the key are not stronger", choice,
			answersOf(2, 0.02, picked{5, 0.45}, picked{18, 0.51}, picked{4, 0.5}), nil, []Suspicion{OtherOptionPreferred}},
		{"the same in 19 results", choice,
			answersOf(2, 0.02, picked{2, 0.45}, picked{15, 0.51}, picked{2, 0.5}), nil, nil},
		{"most choose another option, and those who choose the key are a little stronger", choice,
			answersOf(2, 0.02, picked{5, 0.52}, picked{18, 0.51}, picked{4, 0.3}), nil, nil},
		{"the stronger choose another option", choice, answersOf(2, 0.02, picked{5, 0.4}, picked{18, 0.6}, picked{4, 0.4}),
			nil, []Suspicion{OtherOptionPreferred}},
		{"the stronger choose another option, which most do not", choice,
			answersOf(2, 0.02, picked{15, 0.4}, picked{8, 0.62}, picked{4, 0.4}), nil,
			[]Suspicion{OtherOptionPreferred, WeakerDoBetter}},
		{"the strongest choose the key, the stronger another option", choice,
			answersOf(2, 0.02, picked{7, 0.7}, picked{10, 0.55}, picked{10, 0.3}), nil, nil},
		{"only four choose the other option", choice, answersOf(2, 0.02, picked{23, 0.4}, picked{4, 0.7}, picked{0, 0}), nil,
			[]Suspicion{WeakerDoBetter}},
		{"the key was replaced", choice, answersOf(2, 0.02, picked{5, 0.4}, picked{18, 0.6}, picked{4, 0.4}).keyed(2, 1),
			correction(ReplaceKey, keyB), nil},
		{"another key is right, too", choice,
			answersOf(2, 0.02, picked{5, 0.4}, picked{18, 0.6}, picked{4, 0.4}).keyed(2, 0, 1),
			correction(AcceptAlso, keyB), nil},
		{"few are right, but these are the stronger ones", choice,
			answersOf(2, 0.02, picked{12, 0.8}, picked{50, 0.4}, picked{88, 0.4}), nil, nil},
		{"few are right, by chance", choice,
			answersOf(2, 0.02, picked{12, 0.4}, picked{50, 0.4}, picked{88, 0.4}), nil, []Suspicion{HardlyAnybodyRight}},
		{"excluded", number, QuestionTally{Answered: 27}, correction(Exclude, nil), nil},
		{"full points", number, QuestionTally{Answered: 27, Points: 81}, correction(FullPoints, nil), nil},
		{"a correction of another question", number, QuestionTally{Answered: 27},
			[]Correction{{QuestionID: "other", Action: Exclude}}, []Suspicion{HardlyAnybodyRight}},
		{"few answers", choice, answersOf(2, 0.02, picked{0, 0}, picked{4, 0.6}, picked{0, 0}), nil, nil},
		{"no points", Question{ID: "q", Type: Numeric, Answer: new(1.0)}, QuestionTally{Answered: 99}, nil, nil},
	} {
		if got := Suspicions(row.question, row.tally, row.corrections); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
