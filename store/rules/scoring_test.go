package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A question without a correct answer, and an answer of another type, earn no points.
func TestGradeQuestion(t *testing.T) {
	t.Parallel()
	single := Question{Type: SingleChoice, Points: 3, Options: choices(3), CorrectOptionID: new("b")}
	strict := Question{Type: MultipleChoice, Points: 6, Options: choices(5), CorrectOptionIDs: []string{"a", "b", "c"}}
	partial := strict
	partial.PartialCredit = true
	numeric := func(answer, tolerance float64) Question {
		return Question{Type: Numeric, Points: 2, Answer: &answer, Tolerance: tolerance}
	}
	text := func(caseSensitive bool, accepted ...string) Question {
		return Question{Type: ShortText, Points: 4, AcceptedAnswers: accepted, CaseSensitive: caseSensitive}
	}
	option := func(id string) *Answer { return &Answer{OptionID: &id} }
	options := func(ids ...string) *Answer { return &Answer{OptionIDs: ids} }
	number := func(n float64) *Answer { return &Answer{Number: &n} }
	words := func(s string) *Answer { return &Answer{Text: &s} }

	for _, row := range []struct {
		name     string
		question Question
		answer   *Answer
		points   float64
		correct  bool
	}{
		{"no answer", single, nil, 0, false},
		{"empty answer", single, &Answer{}, 0, false},
		{"single correct", single, option("b"), 3, true},
		{"single wrong", single, option("a"), 0, false},
		{"single: option ids are case-sensitive", single, option("B"), 0, false},
		{"single without a correct answer", Question{Type: SingleChoice, Points: 3}, option(""), 0, false},
		{"field of another type", single, options("b"), 0, false},
		{"unknown type", Question{Type: "ESSAY", Points: 3}, words("b"), 0, false},

		{"multiple exact", strict, options("a", "b", "c"), 6, true},
		{"multiple: in another order", strict, options("c", "a", "b"), 6, true},
		{"multiple: one missing", strict, options("a", "b"), 0, false},
		{"multiple: one too many", strict, options("a", "b", "c", "d"), 0, false},
		{"multiple: nothing chosen", strict, options(), 0, false},
		{"multiple without a correct answer", Question{Type: MultipleChoice, Points: 6, PartialCredit: true}, options(),
			0, false},
		{"partial exact", partial, options("b", "c", "a"), 6, true},
		{"partial: two of three", partial, options("a", "b"), 4, false},
		{"partial: a repeated choice counts once", partial, options("a", "a", "b"), 4, false},
		{"partial: a wrong choice subtracts a correct one", partial, options("a", "b", "c", "d"), 4, false},
		{"partial: two correct, one wrong", partial, options("a", "b", "e"), 2, false},
		{"partial: as many wrong as correct", partial, options("a", "d"), 0, false},
		{"partial: never below 0", partial, options("d", "e"), 0, false},

		{"numeric exact", numeric(42, 0), number(42), 2, true},
		{"numeric wrong", numeric(42, 0), number(42.001), 0, false},
		{"numeric: rounding error of a sum", numeric(0.3, 0), number(0.1 + 0.2), 2, true},
		{"numeric: upper limit", numeric(10.1, 0.1), number(10.2), 2, true},
		{"numeric: lower limit with a rounding error", numeric(1.1, 0.1), number(1.0), 2, true},
		{"numeric: below the lower limit", numeric(1.1, 0.1), number(0.9999999), 0, false},
		{"numeric: above the upper limit", numeric(1.1, 0.1), number(1.2000001), 0, false},
		{"numeric: zero", numeric(0, 0), number(1e-300), 0, false},
		{"numeric: minus zero", numeric(0, 0), number(math.Copysign(0, -1)), 2, true},
		{"numeric: wrong sign", numeric(5, 0), number(-5), 0, false},
		{"numeric: negative", numeric(-5, 0.5), number(-5.5), 2, true},
		{"numeric: large numbers that differ by 1", numeric(1e15, 0), number(1e15 - 1), 0, false},
		{"numeric: NaN", numeric(0, 1e15), number(math.NaN()), 0, false},
		{"numeric: infinite", numeric(0, 1e15), number(math.Inf(1)), 0, false},
		{"numeric: infinite correct answer", numeric(math.Inf(1), 0), number(math.Inf(1)), 0, false},
		{"numeric: infinite tolerance", numeric(0, math.Inf(1)), number(5), 0, false},
		{"numeric without a correct answer", Question{Type: Numeric, Points: 2}, number(0), 0, false},

		{"text exact", text(false, "laminar flow"), words("laminar flow"), 4, true},
		{"text: second accepted answer", text(false, "hood", "laminar flow"), words("laminar flow"), 4, true},
		{"text wrong", text(false, "laminar flow"), words("laminarflow"), 0, false},
		{"text: white space in the answer", text(false, "laminar flow"), words(" \tlaminar \u00a0\n flow\r\n"), 4, true},
		{"text: white space in the accepted answer", text(true, "  laminar   flow "), words("laminar flow"), 4, true},
		{"text: other case", text(false, "ÄTHER"), words("äther"), 4, true},
		{"text: kelvin sign equals k", text(false, "k"), words("\u212a"), 4, true},
		{"text: ß equals ss", text(false, "STRASSE"), words("straße"), 4, true},
		{"text: case-sensitive, wrong case", text(true, "pH"), words("PH"), 0, false},
		{"text: case-sensitive, correct case", text(true, "pH"), words(" pH"), 4, true},
		{"text: decomposed accent", text(true, "caf\u00e9"), words("cafe\u0301"), 4, true},
		{"text: invisible answer", text(false, "\u200b"), words("\u200b"), 0, false},
		{"text: blank answer", text(false, " "), words("  "), 0, false},
		{"text without a correct answer", text(false), words("x"), 0, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			points, correct := gradeQuestion(row.question, row.answer)
			if points != row.points || correct != row.correct {
				t.Errorf("got %v points, correct %v; want %v, %v", points, correct, row.points, row.correct)
			}
		})
	}
}

// Percent and RoundPoints round half up, as decimal numbers.
func TestPercentAndRoundPoints(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ points, max, want float64 }{
		{0, 0, 0}, {5, 0, 0}, {0, 7, 0}, {7, 7, 100}, {0.7, 0.7, 100}, {1, 3, 33.33}, {2, 3, 66.67}, {1, 8, 12.5},
		{1, 800, 0.13},   // 0.125: half up
		{3, 800, 0.38},   // 0.375: half up
		{1, 16000, 0.01}, // 0.00625
		{1, 25000, 0},    // 0.004
		{0.1 + 0.2, 0.3, 100},
	} {
		if got := Percent(row.points, row.max); got != row.want {
			t.Errorf("Percent(%v, %v) = %v, want %v", row.points, row.max, got, row.want)
		}
	}
	for _, row := range []struct{ in, want float64 }{
		{0, 0}, {1.005, 1.01}, {2.675, 2.68}, {1.0049999, 1}, {0.1 + 0.2, 0.3}, {2.0 / 3, 0.67}, {500000, 500000},
		{499999.995, 500000},
	} {
		if got := RoundPoints(row.in); got != row.want {
			t.Errorf("RoundPoints(%v) = %v, want %v", row.in, got, row.want)
		}
	}
}

// A required gate disqualifies below its minimum score. A gate that is not required
// only reports whether the stage passed.
func TestGates(t *testing.T) {
	t.Parallel()
	var none *Gate
	if passed := none.passed(0); passed != nil {
		t.Errorf("no gate: passed = %v, want nil", *passed)
	}
	if none.WhenFailed() != OnFailContinue {
		t.Error("no gate disqualifies")
	}
	disqualifies := func(g Gate, score float64) bool { return g.WhenFailed() == OnFailDisqualify && !*g.passed(score) }
	for _, row := range []struct {
		gate                 Gate
		score                float64
		passes, disqualified bool
	}{
		{Gate{Required: true, MinScore: 60}, 60, true, false},
		{Gate{Required: true, MinScore: 60}, 59.99, false, true},
		{Gate{Required: false, MinScore: 60}, 59.99, false, false},
		{Gate{Required: false, MinScore: 60}, 60.01, true, false},
		{Gate{Required: true, MinScore: 0}, 0, true, false},
		{Gate{Required: true, MinScore: 100}, Percent(0.1+0.2, 0.3), true, false},
		// 2/3 is less than 66.67 %, but gates compare the rounded score, which is 66.67.
		{Gate{Required: true, MinScore: 66.67}, Percent(2, 3), true, false},
	} {
		if passed := row.gate.passed(row.score); passed == nil || *passed != row.passes {
			t.Errorf("%+v: passed(%v) is not %v", row.gate, row.score, row.passes)
		}
		if got := disqualifies(row.gate, row.score); got != row.disqualified {
			t.Errorf("%+v: disqualifies at %v = %v, want %v", row.gate, row.score, got, row.disqualified)
		}
	}
}

// GradeStage must list all questions, answered or not, and ignore answers to questions
// of other stages.
func TestGradeStage(t *testing.T) {
	t.Parallel()
	stage := Stage{Questions: []Question{
		{ID: "q1", Type: SingleChoice, Points: 1, Options: choices(2), CorrectOptionID: new("a")},
		{ID: "q2", Type: MultipleChoice, Points: 1, Options: choices(3), CorrectOptionIDs: []string{"a", "b", "c"},
			PartialCredit: true},
		{ID: "q3", Type: ShortText, Points: 1, AcceptedAnswers: []string{"x"}},
		{ID: "q4", Type: MultipleChoice, Points: 1, Options: choices(2), CorrectOptionIDs: []string{"a"}},
	}}
	graded := gradeStage(stage, map[string]Answer{
		"q1": {OptionID: new("a")}, "q2": {OptionIDs: []string{"a"}}, "q4": {OptionIDs: []string{}},
		"other": {OptionID: new("a")},
	})
	if graded.Points != 1+1.0/3 || graded.MaxPoints != 4 || graded.Score != 33.33 {
		t.Errorf("got %v of %v points, score %v", graded.Points, graded.MaxPoints, graded.Score)
	}

	var lines []string
	for _, q := range graded.Questions {
		lines = append(lines,
			fmt.Sprintf("%s answered=%v points=%.4f correct=%v", q.QuestionID, q.Answer != nil, q.Points, q.Correct))
	}
	want := []string{
		"q1 answered=true points=1.0000 correct=true",
		"q2 answered=true points=0.3333 correct=false",
		"q3 answered=false points=0.0000 correct=false",
		"q4 answered=false points=0.0000 correct=false",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if got := *graded.Questions[0].Answer.OptionID; got != "a" {
		t.Errorf("the answer in the result is %q, want the saved one", got)
	}
}

// An answer must have exactly the field of the question's type, with a possible value.
func TestValidAnswer(t *testing.T) {
	t.Parallel()
	single := Question{Type: SingleChoice, Options: choices(2), CorrectOptionID: new("a")}
	multiple := Question{Type: MultipleChoice, Options: choices(3), CorrectOptionIDs: []string{"a"}}
	numeric := Question{Type: Numeric, Answer: new(1.0)}
	text := Question{Type: ShortText, AcceptedAnswers: []string{"x"}}
	for _, row := range []struct {
		name     string
		question Question
		answer   Answer
		want     string // pointer and code; empty when valid
	}{
		{"single", single, Answer{OptionID: new("b")}, ""},
		{"single unknown", single, Answer{OptionID: new("c")}, "/optionId invalid_value"},
		{"single missing", single, Answer{}, "/optionId required"},
		{"single with optionIds", single, Answer{OptionIDs: []string{"a"}}, "/optionIds unknown_field"},
		{"two fields", single, Answer{OptionID: new("a"), Text: new("a")}, "/text unknown_field"},
		{"multiple", multiple, Answer{OptionIDs: []string{"c", "a", "b"}}, ""},
		{"multiple with no option", multiple, Answer{OptionIDs: []string{}}, ""},
		{"multiple missing", multiple, Answer{}, "/optionIds required"},
		{"multiple with optionId", multiple, Answer{OptionID: new("a")}, "/optionId unknown_field"},
		{"multiple unknown", multiple, Answer{OptionIDs: []string{"a", "d"}}, "/optionIds/1 invalid_value"},
		{"multiple twice", multiple, Answer{OptionIDs: []string{"a", "b", "a"}}, "/optionIds/2 duplicate"},
		{"multiple too many", multiple, Answer{OptionIDs: []string{"a", "b", "c", "a"}}, "/optionIds invalid_value"},
		{"numeric", numeric, Answer{Number: new(-2.5)}, ""},
		{"numeric missing", numeric, Answer{}, "/number required"},
		{"numeric NaN", numeric, Answer{Number: new(math.NaN())}, "/number invalid_value"},
		{"numeric infinite", numeric, Answer{Number: new(math.Inf(-1))}, "/number invalid_value"},
		{"numeric with text", numeric, Answer{Text: new("1")}, "/text unknown_field"},
		{"text", text, Answer{Text: new("y")}, ""},
		{"empty text", text, Answer{Text: new("")}, ""},
		{"text of 2000 characters", text, Answer{Text: new(strings.Repeat("ß", 2000))}, ""},
		{"text of 2001 characters", text, Answer{Text: new(strings.Repeat("ß", 2001))}, "/text invalid_value"},
		{"text missing", text, Answer{}, "/text required"},
		{"text with number", text, Answer{Number: new(1.0)}, "/number unknown_field"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if fault := ValidAnswer(row.question, row.answer); fault != nil {
				got = fault.Pointer + " " + fault.Code
			}
			if got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// All correct answers must give 100. Making an answer better must never lower a score.
func TestScoresOfRandomAnswers(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 2000 {
		stage := randomStage(r, "s")
		answers, correct := map[string]Answer{}, map[string]Answer{}
		for _, question := range stage.Questions {
			correct[question.ID] = correctAnswer(question)
			if r.IntN(4) > 0 {
				answers[question.ID] = randomAnswer(r, question)
			}
		}
		for _, question := range stage.Questions {
			if fault := ValidAnswer(question, correct[question.ID]); fault != nil {
				t.Fatalf("the correct answer to %+v is refused: %+v", question, *fault)
			}
		}
		if full := gradeStage(stage, correct); full.Score != 100 || full.Points != full.MaxPoints {
			t.Fatalf("all correct answers give %v of %v points, score %v: %+v", full.Points, full.MaxPoints, full.Score, stage)
		}
		before := gradeStage(stage, answers)
		if before.Score < 0 || before.Score > 100 || before.Points < 0 {
			t.Fatalf("score %v, points %v: %+v", before.Score, before.Points, stage)
		}

		// The answers become correct one by one: no step lowers the score, and the last one gives 100.
		for _, question := range stage.Questions {
			if better, ok := improve(r, question, answers[question.ID]); ok {
				answers[question.ID] = better
				after := gradeStage(stage, answers)
				if after.Score < before.Score || after.Points < before.Points {
					t.Fatalf("a better choice lowers %v to %v: %+v", before, after, question)
				}
				before = after
			}
			answers[question.ID] = correct[question.ID]
			after := gradeStage(stage, answers)
			if after.Score < before.Score || after.Points < before.Points {
				t.Fatalf("a correct answer lowers %v to %v: %+v", before, after, question)
			}
			before = after
		}
		if before.Score != 100 {
			t.Fatalf("all correct answers give the score %v", before.Score)
		}
	}
}

// improve adds one correct option to the answer to a multiple choice, or removes a
// wrong one.
func improve(r *rand.Rand, q Question, a Answer) (Answer, bool) {
	if q.Type != MultipleChoice {
		return a, false
	}
	i := r.IntN(len(q.Options))
	id := q.Options[i].ID
	chosen, correct := slices.Contains(a.OptionIDs, id), slices.Contains(q.CorrectOptionIDs, id)
	if chosen == correct {
		return a, false
	}
	if correct {
		return Answer{OptionIDs: append(slices.Clone(a.OptionIDs), id)}, true
	}
	return Answer{OptionIDs: slices.DeleteFunc(slices.Clone(a.OptionIDs),
		func(other string) bool { return other == id })}, true
}

// gradeStage scores a stage with the saved answers, without corrections.
func gradeStage(stage Stage, answers map[string]Answer) StageScore {
	return Scoring{Definition: Definition{Stages: []Stage{stage}}, Answers: answers}.Stage(0)
}
