package rules

import (
	"slices"
	"strings"
	"testing"
)

func essay(id string, points float64) Question {
	return Question{ID: id, Type: FreeText, Prompt: "Why?", Points: points}
}

func TestFreeTextFaults(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name           string
		rubric         []Criterion
		saved, publish []string // pointers and codes
	}{
		{"no rubric", nil, nil, nil},
		{"complete", []Criterion{{ID: "a", Title: "A", Points: 1.3}, {ID: "b", Title: "B", Points: 0.7}}, nil, nil},
		{"thirds", []Criterion{{ID: "a", Title: "A", Points: 0.1}, {ID: "b", Title: "B", Points: 0.2},
			{ID: "c", Title: "C", Points: 1.7}}, nil, nil},
		{"repeated", []Criterion{{ID: "a", Title: "A", Points: 1}, {ID: "a", Title: "A", Points: 1}},
			[]string{"/stages/0/questions/0/rubric/1/id duplicate"}, nil},
		{"blank title", []Criterion{{ID: "a", Title: " ", Points: 2}}, nil,
			[]string{"/stages/0/questions/0/rubric/0/title required"}},
		{"other points", []Criterion{{ID: "a", Title: "A", Points: 1.99}}, nil,
			[]string{"/stages/0/questions/0/rubric invalid_value"}},
	} {
		q := essay("q", 2)
		q.Rubric = row.rubric
		d := Definition{Stages: []Stage{{ID: "s", Title: "S", Questions: []Question{q}}}}
		if got := pointersAndCodes(CheckDefinition(d)); !slices.Equal(got, row.saved) {
			t.Errorf("%s: the draft has %v, want %v", row.name, got, row.saved)
		}
		if got := pointersAndCodes(MissingForPublish("T", d)); !slices.Equal(got, row.publish) {
			t.Errorf("%s: publishing has %v, want %v", row.name, got, row.publish)
		}
	}
}

func pointersAndCodes(faults []Fault) []string {
	var list []string
	for _, fault := range faults {
		list = append(list, fault.Pointer+" "+fault.Code)
	}
	return list
}

// The limit counts characters, and differs from that of SHORT_TEXT.
func TestLimitsOfTexts(t *testing.T) {
	t.Parallel()
	short := Question{Type: ShortText, AcceptedAnswers: []string{"x"}}
	for _, row := range []struct {
		question Question
		length   int
		valid    bool
	}{
		{essay("q", 1), 20000, true}, {essay("q", 1), 20001, false}, {short, 2000, true}, {short, 2001, false},
	} {
		text := strings.Repeat("é", row.length)
		if fault := ValidAnswer(row.question, Answer{Text: &text}); (fault == nil) != row.valid {
			t.Errorf("%s with %d characters: %v", row.question.Type, row.length, fault)
		}
		if got := AnswerForm(row.question, Answer{Text: &text}); (got != "") != row.valid {
			t.Errorf("%s with %d characters has a form of %d", row.question.Type, row.length, len(got))
		}
	}
}

func TestFreeTextPoints(t *testing.T) {
	t.Parallel()
	text := func(s string) *Answer { return &Answer{Text: &s} }
	correction := func(action CorrectionAction, policy CorrectionPolicy) []Correction {
		return []Correction{{QuestionID: "q", Action: action, Policy: policy}}
	}
	for _, row := range []struct {
		name        string
		answer      *Answer
		grade       *Grade
		corrections []Correction
		points, max float64
		by          ScoredBy
		answered    bool
	}{
		{"not graded", text("x"), nil, nil, 0, 4, ByNobody, true},
		{"graded", text("x"), &Grade{Points: new(2.5)}, nil, 2.5, 4, ByPerson, true},
		{"graded with nothing", text("x"), &Grade{Points: new(0.0)}, nil, 0, 4, ByPerson, true},
		{"no answer", nil, nil, nil, 0, 4, ByKey, false},
		{"blank", text(" \n\u200b"), nil, nil, 0, 4, ByKey, false},
		{"a late answer counts", text(" "), &Grade{Answer: text("late")}, nil, 0, 4, ByNobody, true},
		{"a late answer is graded", nil, &Grade{Answer: text("late"), Points: new(3.0)}, nil, 3, 4, ByPerson, true},
		{"full points", text("x"), nil, correction(FullPoints, NeverLower), 4, 4, ByCorrection, true},
		{"full points after a grade", text("x"), &Grade{Points: new(1.0)}, correction(FullPoints, Exact), 4, 4, ByCorrection,
			true},
		{"excluded", text("x"), nil, correction(Exclude, NeverLower), 0, 0, ByExclusion, true},
		{"excluded after a grade", text("x"), &Grade{Points: new(1.0)}, correction(Exclude, Exact), 0, 0, ByExclusion, true},
		{"excluded after a grade, never lower", text("x"), &Grade{Points: new(1.0)}, correction(Exclude, NeverLower), 1, 0,
			ByExclusion, true},
	} {
		s := Scoring{Definition: Definition{Stages: []Stage{{ID: "s", Questions: []Question{essay("q", 4)}}}},
			Corrections: row.corrections}
		if row.answer != nil {
			s.Answers = map[string]Answer{"q": *row.answer}
		}
		if row.grade != nil {
			s.Grades = map[string]Grade{"q": *row.grade}
		}
		got := s.Stage(0).Questions[0]
		if got.Points != row.points || got.MaxPoints != row.max || got.ScoredBy != row.by ||
			(got.Answer != nil) != row.answered {
			t.Errorf("%s: %+v, want %v of %v by %s", row.name, got, row.points, row.max, row.by)
		}
		if pending := slices.Equal(s.Pending(0), []string{"q"}); pending != (row.by == ByNobody) {
			t.Errorf("%s: pending are %v", row.name, s.Pending(0))
		}
		if s.Unattended = true; s.Pending(0) != nil {
			t.Errorf("%s: a preview waits for %v", row.name, s.Pending(0))
		}
	}
	free := Scoring{Definition: Definition{Stages: []Stage{{Questions: []Question{essay("q", 0)}}}},
		Answers: map[string]Answer{"q": *text("x")}}
	if got := free.Pending(0); got != nil {
		t.Errorf("a question without points waits for a grade: %v", got)
	}
}

// A free text has no key that a correction could replace, or that could be wrong.
func TestFreeTextHasNoKey(t *testing.T) {
	t.Parallel()
	for action, want := range map[CorrectionAction][]string{
		ReplaceKey: {"/action invalid_value"}, AcceptAlso: {"/action invalid_value"}, FullPoints: nil, Exclude: nil,
	} {
		c := Correction{QuestionID: "q", Action: action, Policy: Exact}
		if action.NeedsKey() {
			c.Key = &AnswerKey{AcceptedAnswers: []string{"x"}}
		}
		if got := pointersAndCodes(CorrectionFaults(essay("q", 1), c)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", action, got, want)
		}
	}
	suspicious := QuestionTally{Answered: 1000}
	if got := Suspicions(essay("q", 1), suspicious, nil); len(got) > 0 {
		t.Errorf("the key of a free text is suspected: %v", got)
	}
	if got := Suspicions(Question{Type: Numeric, Points: 1}, suspicious, nil); len(got) == 0 {
		t.Error("the same figures do not suspect the key of a number")
	}
}
