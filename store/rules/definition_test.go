package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// This file has the definitions and answers that the tests of this package use.

// pharmacist returns a complete definition with a question of each type.
func pharmacist() Definition {
	return Definition{Stages: []Stage{
		{ID: "stg_1", Title: "Storage", Gate: &Gate{Required: true, MinScore: 50}, Questions: []Question{
			{ID: "qst_1", Type: SingleChoice, Prompt: "How long?", Points: 1, Options: choices(3), CorrectOptionID: new("b")},
			{ID: "qst_2", Type: MultipleChoice, Prompt: "Which?", Points: 2, Options: choices(3),
				CorrectOptionIDs: []string{"a", "c"}},
		}},
		{ID: "stg_2", Title: "Dosage", Questions: []Question{
			{ID: "qst_3", Type: Numeric, Prompt: "How many?", Points: 1, Answer: new(0.0)},
			{ID: "qst_4", Type: ShortText, Prompt: "What?", Points: 0, AcceptedAnswers: []string{"laminar flow"}},
		}},
	}}
}

// choices returns n options with the ids a, b, c, …
func choices(n int) []Option {
	options := make([]Option, n)
	for i := range options {
		id := string(rune('a' + i))
		options[i] = Option{ID: id, Text: "Option " + id}
	}
	return options
}

// seededRand returns a random source and logs its seed, which a failed test prints.
func seededRand(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("rand.NewPCG(%d, 0)", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomDefinition returns a complete definition with 1 to 4 stages. Some stages have
// limits and gates.
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

func correctAnswer(q Question) Answer {
	switch q.Type {
	case SingleChoice:
		return Answer{OptionID: q.CorrectOptionID}
	case MultipleChoice:
		return Answer{OptionIDs: q.CorrectOptionIDs}
	case Numeric:
		return Answer{Number: q.Answer}
	case FreeText:
		return Answer{Text: new("Two lines of\nreasons.")}
	default:
		return Answer{Text: &q.AcceptedAnswers[0]}
	}
}

// randomAnswer returns a valid answer, in one of three cases the correct one.
func randomAnswer(r *rand.Rand, q Question) Answer {
	if r.IntN(3) == 0 {
		return correctAnswer(q)
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
