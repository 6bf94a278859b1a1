package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pharmacist is a complete definition with a question of each type; tests break it.
func pharmacist() Definition {
	return Definition{Stages: []Stage{
		{ID: "stg_1", Title: "Storage", Gate: &Gate{Required: true, MinScore: 50}, Questions: []Question{
			{ID: "qst_1", Type: SingleChoice, Prompt: "How long?", Points: 1, Options: choices(3), CorrectOptionID: new("b")},
			{ID: "qst_2", Type: MultipleChoice, Prompt: "Which?", Points: 2, Options: choices(3), CorrectOptionIDs: []string{"a", "c"}},
		}},
		{ID: "stg_2", Title: "Dosage", Questions: []Question{
			{ID: "qst_3", Type: Numeric, Prompt: "How many?", Points: 1, Answer: new(0.0)},
			{ID: "qst_4", Type: ShortText, Prompt: "What?", Points: 0, AcceptedAnswers: []string{"laminar flow"}},
		}},
	}}
}

// faultLines has a line "pointer code" per fault, in order.
func faultLines(faults []Fault) []string {
	lines := make([]string, len(faults))
	for i, fault := range faults {
		lines[i] = fault.Pointer + " " + fault.Code
	}
	return lines
}

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
		{"blank is for publishing", func(d *Definition) { *d = Definition{Stages: []Stage{{}, {Questions: questions(2)}}} }, nil},
		{"ids not given yet", func(d *Definition) {
			d.Stages[0].ID, d.Stages[1].ID = "", ""
			d.Stages[0].Questions[0].ID, d.Stages[1].Questions[1].ID = "", ""
		}, nil},
		{"stage id twice", func(d *Definition) { d.Stages[1].ID = "stg_1" }, []string{"/stages/1/id duplicate"}},
		{"question id twice in a stage", func(d *Definition) { d.Stages[0].Questions[1].ID = "qst_1" },
			[]string{"/stages/0/questions/1/id duplicate"}},
		{"question id twice over stages", func(d *Definition) { d.Stages[1].Questions[0].ID = "qst_2" },
			[]string{"/stages/1/questions/0/id duplicate"}},
		{"option id twice", func(d *Definition) { d.Stages[0].Questions[1].Options[2].ID = "a" },
			[]string{"/stages/0/questions/1/options/2/id duplicate"}},
		{"option id three times", func(d *Definition) {
			d.Stages[0].Questions[0].Options[1].ID, d.Stages[0].Questions[0].Options[2].ID = "a", "a"
		}, []string{"/stages/0/questions/0/options/1/id duplicate", "/stages/0/questions/0/options/2/id duplicate"}},
		{"option ids have a case", func(d *Definition) { d.Stages[0].Questions[0].Options[1].ID = "A" }, nil},
		{"500 questions", func(d *Definition) { d.Stages[1].Questions = questions(498) }, nil},
		{"501 questions", func(d *Definition) { d.Stages[1].Questions = questions(499) }, []string{"/stages too_many_items"}},
		{"all at once", func(d *Definition) {
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

func TestIncomplete(t *testing.T) {
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
		{"stage title", func(d *Definition) { d.Stages[1].Title = " \t\u00a0" }, []string{"/stages/1/title required"}},
		{"stage without questions", func(d *Definition) { d.Stages[0].Questions = nil }, []string{"/stages/0/questions too_few_items"}},
		{"gate without points", func(d *Definition) { single(d).Points, multiple(d).Points = 0, 0 }, []string{"/stages/0/gate too_small"}},
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
		{"prompt", func(d *Definition) { numeric(d).Prompt = "\n" }, []string{"/stages/1/questions/0/prompt required"}},
		{"unknown type", func(d *Definition) { numeric(d).Type = "ESSAY" }, []string{"/stages/1/questions/0/type invalid_value"}},
		{"one option", func(d *Definition) { single(d).Options = single(d).Options[1:2] }, []string{"/stages/0/questions/0/options too_few_items"}},
		{"two options", func(d *Definition) { single(d).Options = single(d).Options[:2] }, nil},
		{"one option of a multiple choice", func(d *Definition) {
			multiple(d).Options, multiple(d).CorrectOptionIDs = choices(1), []string{"a"}
		}, []string{"/stages/0/questions/1/options too_few_items"}},
		{"option text", func(d *Definition) { multiple(d).Options[2].Text = "  " }, []string{"/stages/0/questions/1/options/2/text required"}},
		{"option text twice", func(d *Definition) { single(d).Options[1].Text = single(d).Options[0].Text }, nil},
		{"no correct option", func(d *Definition) { single(d).CorrectOptionID = nil }, []string{"/stages/0/questions/0/correctOptionId required"}},
		{"unknown correct option", func(d *Definition) { single(d).CorrectOptionID = new("B") },
			[]string{"/stages/0/questions/0/correctOptionId invalid_value"}},
		{"no correct options", func(d *Definition) { multiple(d).CorrectOptionIDs = []string{} },
			[]string{"/stages/0/questions/1/correctOptionIds too_few_items"}},
		{"unknown and repeated correct options", func(d *Definition) { multiple(d).CorrectOptionIDs = []string{"a", "z", "a"} },
			[]string{"/stages/0/questions/1/correctOptionIds/1 invalid_value", "/stages/0/questions/1/correctOptionIds/2 duplicate"}},
		{"no number", func(d *Definition) { numeric(d).Answer = nil }, []string{"/stages/1/questions/0/answer required"}},
		{"no accepted answers", func(d *Definition) { text(d).AcceptedAnswers = nil },
			[]string{"/stages/1/questions/1/acceptedAnswers too_few_items"}},
		{"blank accepted answer", func(d *Definition) { text(d).AcceptedAnswers = []string{"x", " "} },
			[]string{"/stages/1/questions/1/acceptedAnswers/1 required"}},
		{"all at once", func(d *Definition) {
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

// A problem document holds at most 1000 faults; the first ones are listed.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var d Definition
	for range 50 {
		d.Stages = append(d.Stages, Stage{Title: "x", Questions: []Question{{Type: SingleChoice, Options: make([]Option, 20)}}})
	}
	faults := MissingForPublish("x", d)
	if len(faults) != 1000 || faults[0].Pointer != "/stages" {
		t.Errorf("%d faults, the first at %q", len(faults), faults[0].Pointer)
	}
}

// What incomplete lets through can be taken: every question has a right answer,
// and that answer is a valid one.
func TestCompleteDefinitionsCanBeAnswered(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	complete, broken := 0, 0
	for range 3000 {
		d := randomDefinition(r)
		if r.IntN(2) == 0 {
			breakSomething(r, &d)
		}
		if len(MissingForPublish("x", d))+len(CheckDefinition(d)) > 0 {
			broken++
			continue
		}
		complete++
		for _, stage := range d.Stages {
			for _, question := range stage.Questions {
				answer := rightAnswer(question)
				if fault := ValidAnswer(question, answer); fault != nil {
					t.Fatalf("%+v: %+v", question, *fault)
				}
				if _, correct := gradeQuestion(question, &answer); !correct {
					t.Fatalf("the right answer to %+v is wrong", question)
				}
			}
		}
	}
	if complete < 1000 || broken < 200 {
		t.Errorf("%d complete and %d broken definitions prove little", complete, broken)
	}
}

func breakSomething(r *rand.Rand, d *Definition) {
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

// seededRand is a source of its own for one test; the seed shows when it fails.
func seededRand(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("rand.NewPCG(%d, 0)", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomDefinition is complete: 1 to 4 stages, some with limits and gates.
func randomDefinition(r *rand.Rand) Definition {
	var d Definition
	for i := range 1 + r.IntN(4) {
		d.Stages = append(d.Stages, randomStage(r, fmt.Sprintf("stg_%d", i)))
	}
	return d
}

func randomStage(r *rand.Rand, id string) Stage {
	stage := Stage{ID: id, Title: "Stage " + id}
	if r.IntN(2) == 0 {
		stage.TimeLimitMinutes = new(1 + r.IntN(30))
	}
	if r.IntN(2) == 0 {
		stage.Gate = &Gate{Required: r.IntN(2) == 0, MinScore: float64(r.IntN(10001)) / 100}
	}
	for i := range 1 + r.IntN(5) {
		stage.Questions = append(stage.Questions, randomQuestion(r, fmt.Sprintf("%s_%d", id, i)))
	}
	return stage
}

func randomQuestion(r *rand.Rand, id string) Question {
	points := []float64{0.1, 0.2, 0.25, 0.7, 1, 1, 2, 3, 10, 1000}
	q := Question{ID: id, Prompt: "?", Points: points[r.IntN(len(points))]}
	switch r.IntN(4) {
	case 0:
		q.Type, q.Options = SingleChoice, choices(2+r.IntN(5))
		q.CorrectOptionID = &q.Options[r.IntN(len(q.Options))].ID
	case 1:
		q.Type, q.Options, q.PartialCredit = MultipleChoice, choices(2+r.IntN(19)), r.IntN(3) > 0
		for _, i := range r.Perm(len(q.Options))[:1+r.IntN(len(q.Options))] {
			q.CorrectOptionIDs = append(q.CorrectOptionIDs, q.Options[i].ID)
		}
	case 2:
		q.Type, q.Answer, q.Tolerance = Numeric, new(r.NormFloat64()*1000), float64(r.IntN(3))/10
	case 3:
		q.Type, q.AcceptedAnswers, q.CaseSensitive = ShortText, []string{"Laminar flow", "hood"}, r.IntN(2) == 0
	}
	return q
}

func rightAnswer(q Question) Answer {
	switch q.Type {
	case SingleChoice:
		return Answer{OptionID: q.CorrectOptionID}
	case MultipleChoice:
		return Answer{OptionIDs: q.CorrectOptionIDs}
	case Numeric:
		return Answer{Number: q.Answer}
	default:
		return Answer{Text: &q.AcceptedAnswers[0]}
	}
}

func randomAnswer(r *rand.Rand, q Question) Answer {
	if r.IntN(3) == 0 {
		return rightAnswer(q)
	}
	switch q.Type {
	case SingleChoice:
		return Answer{OptionID: &q.Options[r.IntN(len(q.Options))].ID}
	case MultipleChoice:
		chosen := []string{}
		for _, option := range q.Options {
			if r.IntN(2) == 0 {
				chosen = append(chosen, option.ID)
			}
		}
		return Answer{OptionIDs: chosen}
	case Numeric:
		return Answer{Number: new(*q.Answer + r.NormFloat64())}
	default:
		return Answer{Text: new("hoods")}
	}
}
