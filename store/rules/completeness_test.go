package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// faultLines returns a line with pointer and code for each fault, in order.
func faultLines(faults []Fault) []string {
	lines := make([]string, len(faults))
	for i, fault := range faults {
		lines[i] = fault.Pointer + " " + fault.Code
	}
	return lines
}

// compareFaults compares faults with lines, and checks that each has a detail of at
// most 500 bytes.
func compareFaults(t *testing.T, faults []Fault, want []string) {
	t.Helper()
	if got := faultLines(faults); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, fault := range faults {
		if fault.Detail == "" || len(fault.Detail) > 500 {
			t.Errorf("%s: detail %q", fault.Pointer, fault.Detail)
		}
	}
}

// CheckDefinition must report what prevents saving a draft. An incomplete draft can
// be saved.
func TestCheckDefinition(t *testing.T) {
	t.Parallel()
	questions := func(n int) []Question { return make([]Question, n) }
	for _, row := range []struct {
		name   string
		change func(d *Definition)
		want   []string
	}{
		{"complete", func(*Definition) {}, nil},
		{"empty", func(d *Definition) { d.Stages = nil }, nil},
		{"blank fields", func(d *Definition) { *d = Definition{Stages: []Stage{{}, {Questions: questions(2)}}} },
			nil},
		{"missing ids", func(d *Definition) {
			d.Stages[0].ID, d.Stages[1].ID = "", ""
			d.Stages[0].Questions[0].ID, d.Stages[1].Questions[1].ID = "", ""
		}, nil},
		{"stage id twice", func(d *Definition) { d.Stages[1].ID = "stg_1" }, []string{"/stages/1/id duplicate"}},
		{"question id twice in a stage", func(d *Definition) { d.Stages[0].Questions[1].ID = "qst_1" },
			[]string{"/stages/0/questions/1/id duplicate"}},
		{"question id twice in two stages", func(d *Definition) { d.Stages[1].Questions[0].ID = "qst_2" },
			[]string{"/stages/1/questions/0/id duplicate"}},
		{"option id twice", func(d *Definition) { d.Stages[0].Questions[1].Options[2].ID = "a" },
			[]string{"/stages/0/questions/1/options/2/id duplicate"}},
		{"option id three times", func(d *Definition) {
			d.Stages[0].Questions[0].Options[1].ID, d.Stages[0].Questions[0].Options[2].ID = "a", "a"
		}, []string{"/stages/0/questions/0/options/1/id duplicate", "/stages/0/questions/0/options/2/id duplicate"}},
		{"option ids are case-sensitive", func(d *Definition) { d.Stages[0].Questions[0].Options[1].ID = "A" }, nil},
		{"500 questions", func(d *Definition) { d.Stages[1].Questions = questions(498) }, nil},
		{"501 questions", func(d *Definition) { d.Stages[1].Questions = questions(499) }, []string{"/stages too_many_items"}},
		{"several faults", func(d *Definition) {
			d.Stages[1].ID = "stg_1"
			d.Stages[0].Questions[0].Options[1].ID = "a"
			d.Stages[1].Questions[0].ID = "qst_1"
		}, []string{
			"/stages/0/questions/0/options/1/id duplicate", "/stages/1/id duplicate", "/stages/1/questions/0/id duplicate",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := pharmacist()
			row.change(&d)
			compareFaults(t, CheckDefinition(d), row.want)
		})
	}
}

// MissingForPublish must report what prevents publishing.
func TestMissingForPublish(t *testing.T) {
	t.Parallel()
	question := func(stage, question int) func(d *Definition) *Question {
		return func(d *Definition) *Question { return &d.Stages[stage].Questions[question] }
	}
	single, multiple, numeric, text := question(0, 0), question(0, 1), question(1, 0), question(1, 1)
	for _, row := range []struct {
		name   string
		change func(d *Definition)
		want   []string
	}{
		{"complete", func(*Definition) {}, nil},
		{"no stages", func(d *Definition) { d.Stages = nil }, []string{"/stages too_few_items"}},
		{"blank stage title", func(d *Definition) { d.Stages[1].Title = " \t\u00a0" }, []string{"/stages/1/title required"}},
		{"stage without questions", func(d *Definition) { d.Stages[0].Questions = nil },
			[]string{"/stages/0/questions too_few_items"}},
		{"gate without points", func(d *Definition) { single(d).Points, multiple(d).Points = 0, 0 },
			[]string{"/stages/0/gate too_small"}},
		{"no points, no gate", func(d *Definition) { numeric(d).Points = 0 }, nil},
		{"no points at all", func(d *Definition) {
			d.Stages[0].Gate = nil
			single(d).Points, multiple(d).Points, numeric(d).Points = 0, 0, 0
		}, []string{"/stages too_small"}},
		{"one question without points", func(d *Definition) {
			d.Stages = d.Stages[1:]
			d.Stages[0].Questions = d.Stages[0].Questions[1:]
		}, []string{"/stages too_small"}},
		{"gate with half a point", func(d *Definition) { single(d).Points, multiple(d).Points = 0.5, 0 }, nil},
		{"blank prompt", func(d *Definition) { numeric(d).Prompt = "\n" }, []string{"/stages/1/questions/0/prompt required"}},
		{"unknown type", func(d *Definition) { numeric(d).Type = "ESSAY" },
			[]string{"/stages/1/questions/0/type invalid_value"}},
		{"one option", func(d *Definition) { single(d).Options = single(d).Options[1:2] },
			[]string{"/stages/0/questions/0/options too_few_items"}},
		{"two options", func(d *Definition) { single(d).Options = single(d).Options[:2] }, nil},
		{"one option of a multiple choice", func(d *Definition) {
			multiple(d).Options, multiple(d).CorrectOptionIDs = choices(1), []string{"a"}
		}, []string{"/stages/0/questions/1/options too_few_items"}},
		{"blank option text", func(d *Definition) { multiple(d).Options[2].Text = "  " },
			[]string{"/stages/0/questions/1/options/2/text required"}},
		{"options that look the same", func(d *Definition) {
			single(d).Options[1].Text, single(d).Options[2].Text = single(d).Options[0].Text+"\u200b ", "Option  a"
		}, []string{"/stages/0/questions/0/options/1/text duplicate", "/stages/0/questions/0/options/2/text duplicate"}},
		{"options that differ in a mark", func(d *Definition) { single(d).Options[1].Text = "Option a." }, nil},
		{"accepted answers that are equal", func(d *Definition) { text(d).AcceptedAnswers = []string{"x", "X", "x "} }, nil},
		{"invisible texts", func(d *Definition) {
			d.Stages[0].Title, single(d).Prompt, multiple(d).Options[1].Text = "\u200b", "\u3000", "\u2800"
			text(d).AcceptedAnswers = []string{"\u3164"}
		}, []string{
			"/stages/0/title required", "/stages/0/questions/0/prompt required", "/stages/0/questions/1/options/1/text required",
			"/stages/1/questions/1/acceptedAnswers/0 required",
		}},
		{"no correct option", func(d *Definition) { single(d).CorrectOptionID = nil },
			[]string{"/stages/0/questions/0/correctOptionId required"}},
		{"unknown correct option", func(d *Definition) { single(d).CorrectOptionID = new("B") },
			[]string{"/stages/0/questions/0/correctOptionId invalid_value"}},
		{"no correct options", func(d *Definition) { multiple(d).CorrectOptionIDs = []string{} },
			[]string{"/stages/0/questions/1/correctOptionIds too_few_items"}},
		{"unknown and repeated correct options",
			func(d *Definition) { multiple(d).CorrectOptionIDs = []string{"a", "z", "a"} },
			[]string{"/stages/0/questions/1/correctOptionIds/1 invalid_value",
				"/stages/0/questions/1/correctOptionIds/2 duplicate"}},
		{"no number", func(d *Definition) { numeric(d).Answer = nil }, []string{"/stages/1/questions/0/answer required"}},
		{"no accepted answers", func(d *Definition) { text(d).AcceptedAnswers = nil },
			[]string{"/stages/1/questions/1/acceptedAnswers too_few_items"}},
		{"blank accepted answer", func(d *Definition) { text(d).AcceptedAnswers = []string{"x", " "} },
			[]string{"/stages/1/questions/1/acceptedAnswers/1 required"}},
		{"several faults", func(d *Definition) {
			d.Stages[0].Title = ""
			single(d).Prompt, single(d).Options, single(d).CorrectOptionID = "", nil, nil
			d.Stages[1].Questions = nil
		}, []string{
			"/stages/0/title required", "/stages/0/questions/0/prompt required", "/stages/0/questions/0/options too_few_items",
			"/stages/0/questions/0/correctOptionId required", "/stages/1/questions too_few_items",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := pharmacist()
			row.change(&d)
			compareFaults(t, MissingForPublish("Night-shift pharmacist", d), row.want)
			compareFaults(t, MissingForPublish(" \n", d), append([]string{"/title required"}, row.want...))
		})
	}
}

// MissingForPublish must return the first 1000 faults at most.
func TestMissingForPublishIsBounded(t *testing.T) {
	t.Parallel()
	var d Definition
	for range 50 {
		d.Stages = append(d.Stages,
			Stage{Title: "x", Questions: []Question{{Type: SingleChoice, Options: make([]Option, 20)}}})
	}
	faults := MissingForPublish("x", d)
	if len(faults) != 1000 || faults[0].Pointer != "/stages" {
		t.Errorf("%d faults, the first at %q, want 1000 from /stages on", len(faults), faults[0].Pointer)
	}
}

// If MissingForPublish and CheckDefinition accept a definition, then every question
// must have a correct answer that ValidAnswer accepts. Otherwise no candidate could
// reach all points.
func TestCompleteDefinitionsCanBeAnswered(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	complete, faulty := 0, 0
	for range 3000 {
		d := randomDefinition(r)
		if r.IntN(2) == 0 {
			addFault(r, &d)
		}
		if len(MissingForPublish("x", d))+len(CheckDefinition(d)) > 0 {
			faulty++
			continue
		}
		complete++
		for _, stage := range d.Stages {
			for _, question := range stage.Questions {
				answer := correctAnswer(question)
				if fault := ValidAnswer(question, answer); fault != nil {
					t.Fatalf("%+v: %+v", question, *fault)
				}
				if _, correct := gradeQuestion(question, &answer); !correct {
					t.Fatalf("the correct answer to %+v is graded as wrong", question)
				}
			}
		}
	}
	if complete < 1000 || faulty < 200 {
		t.Errorf("%d complete and %d faulty definitions, want at least 1000 and 200", complete, faulty)
	}
}

// addFault makes a definition incomplete or inconsistent, in most cases.
func addFault(r *rand.Rand, d *Definition) {
	stage := &d.Stages[r.IntN(len(d.Stages))]
	question := &stage.Questions[r.IntN(len(stage.Questions))]
	switch r.IntN(6) {
	case 0:
		question.CorrectOptionID = new("zz")
	case 1:
		question.CorrectOptionIDs = append(question.CorrectOptionIDs, fmt.Sprint(r.IntN(3)))
	case 2:
		question.Options = append(question.Options, Option{ID: "a", Text: "again"})
	case 3:
		question.AcceptedAnswers = []string{" "}
	case 4:
		question.Answer = nil
	case 5:
		question.CorrectOptionIDs, question.CorrectOptionID = nil, nil
	}
}
