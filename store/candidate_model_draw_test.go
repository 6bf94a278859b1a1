package store_test

import (
	"fmt"
	"math/big"

	"assay/store/rules"

	"pgregory.net/rapid"

	"assay/store"
)

// drawAssessment draws an assessment and returns it in both forms. Ids are
// missing in the model until the store has given them: see takeIDs.
func drawAssessment(t *rapid.T) (store.NewAssessment, *modelAssessment) {
	model := &modelAssessment{
		minutes:    evenly(0, 1, 3, 60).Draw(t, "minutes"),
		expiryDays: evenly(1, 14, 365).Draw(t, "expiryDays"),
		passing:    -1,
	}
	in := store.NewAssessment{Title: "Drawn", InviteExpiryDays: &model.expiryDays, TimeLimitMinutes: limit(model.minutes)}
	for i := range evenly(1, 2, 3, 4).Draw(t, "stages") {
		stage, drawn := drawStage(t, i)
		in.Definition.Stages = append(in.Definition.Stages, stage)
		model.stages = append(model.stages, drawn)
	}
	switch evenly("none", "reachable", "half of it").Draw(t, "passingScore") {
	case "reachable":
		model.passing = drawMark(t, model.stages...)
	case "half of it":
		model.passing = drawMark(t, model.stages...) / 2
	}
	if model.passing >= 0 {
		in.PassingScore = new(float64(model.passing) / 100)
	}
	return in, model
}

func drawStage(t *rapid.T, i int) (rules.Stage, modelStage) {
	model := modelStage{minutes: evenly(0, 1, 2, 10).Draw(t, "stageMinutes")}
	stage := rules.Stage{Title: fmt.Sprintf("Stage %d", i+1), TimeLimitMinutes: limit(model.minutes)}
	for range evenly(1, 2, 3).Draw(t, "questions") {
		points := evenly[int64](100, 1, 10, 20, 70, 250, 333, 1000).Draw(t, "points")
		question, answers := questionOf(place(t, "sort", make([]int, questionSorts)))
		question.Points = float64(points) / 100
		stage.Questions = append(stage.Questions, question)
		model.questions = append(model.questions, modelQuestion{points: points, answers: answers})
	}
	switch gate := evenly("none", "required", "reported").Draw(t, "gate"); gate {
	case "required", "reported":
		model.gate = &modelGate{required: gate == "required", minScore: drawMark(t, model)}
		stage.Gate = &rules.Gate{Required: model.gate.required, MinScore: float64(model.gate.minScore) / 100}
	}
	return stage, model
}

// drawMark draws a score that answers can reach, or one beside it: marks that
// nobody meets exactly would not tell >= from >.
func drawMark(t *rapid.T, stages ...modelStage) int64 {
	sum := new(big.Rat)
	for _, stage := range stages {
		for _, question := range stage.questions {
			earned := question.answers[place(t, "markAnswer", question.answers)].earned
			sum.Add(sum, new(big.Rat).Mul(question.worth(), earned))
		}
	}
	beside := evenly[int64](0, -1, 1).Draw(t, "markBeside")
	return min(max(hundredths(sum, worthOf(stages...))+beside, 0), 10_000)
}

// takeIDs gives the model the ids of the stored assessment.
func (a *modelAssessment) takeIDs(stored *store.Assessment) {
	a.id = stored.ID
	for i, stage := range stored.Definition.Stages {
		a.stages[i].id = stage.ID
		for j, question := range stage.Questions {
			a.stages[i].questions[j].id = question.ID
		}
	}
}

const questionSorts = 6

// questionOf is a question of each sort, without points, and what its answers
// earn. The first answer is right.
func questionOf(sort int) (rules.Question, []modelAnswer) {
	options := func(ids ...string) (list []rules.Option) {
		for _, id := range ids {
			list = append(list, rules.Option{ID: id, Text: "Option " + id})
		}
		return list
	}
	switch sort {
	case 0:
		return rules.Question{Type: rules.SingleChoice, Prompt: "One?", Options: options("a", "b", "c"),
				CorrectOptionID: new("b")},
			[]modelAnswer{chosen("b", 1), chosen("a", 0), chosen("c", 0)}
	case 1:
		return rules.Question{
				Type: rules.MultipleChoice, Prompt: "Which three?", PartialCredit: true,
				Options: options("a", "b", "c", "d", "e"), CorrectOptionIDs: []string{"a", "b", "c"},
			}, []modelAnswer{
				ticked(1, 1, "c", "a", "b"), ticked(2, 3, "a", "b"), ticked(1, 3, "c"), ticked(1, 3, "a", "d", "b"),
				ticked(1, 3, "a", "b", "c", "d", "e"), ticked(0, 1, "a", "d"), ticked(0, 1, "d", "e", "a"), ticked(0, 1),
			}
	case 2:
		return rules.Question{
				Type: rules.MultipleChoice, Prompt: "Which two?", Options: options("a", "b", "c"),
				CorrectOptionIDs: []string{"a", "b"},
			}, []modelAnswer{
				ticked(1, 1, "b", "a"), ticked(0, 1, "a"), ticked(0, 1, "a", "b", "c"), ticked(0, 1),
			}
	case 3:
		return rules.Question{Type: rules.Numeric, Prompt: "How much?", Answer: new(1.1), Tolerance: 0.1},
			[]modelAnswer{counted(1.0, 1), counted(1.2, 1), counted(1.21, 0), counted(-1.1, 0)}
	case 4:
		return rules.Question{Type: rules.ShortText, Prompt: "Which flow?",
				AcceptedAnswers: []string{"laminar", "laminar flow"}},
			[]modelAnswer{written(" Laminar\tFLOW ", 1), written("turbulent", 0), written("  ", 0)}
	default:
		return rules.Question{Type: rules.ShortText, Prompt: "Symbol?", AcceptedAnswers: []string{"pH"}, CaseSensitive: true},
			[]modelAnswer{written("pH", 1), written("PH", 0)}
	}
}

func chosen(option string, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{OptionID: &option}, big.NewRat(earned, 1)}
}

func ticked(earned, of int64, options ...string) modelAnswer {
	return modelAnswer{rules.Answer{OptionIDs: append([]string{}, options...)}, big.NewRat(earned, of)}
}

func counted(number float64, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{Number: &number}, big.NewRat(earned, 1)}
}

func written(text string, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{Text: &text}, big.NewRat(earned, 1)}
}

// impossibleAnswers answer none of the questions above.
var impossibleAnswers = []rules.Answer{
	{}, {OptionID: new("z")}, {OptionIDs: []string{"a", "a"}}, {OptionID: new("a"), Number: new(1.0)},
}

func limit(minutes int) *int {
	if minutes == 0 {
		return nil
	}
	return &minutes
}
