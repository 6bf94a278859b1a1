package store_test

import (
	"fmt"
	"math/big"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/rules"
)

// drawAssessment draws an assessment. It returns the request that creates it, and
// its model. The model has no ids until setIDs adds those of the stored assessment.
func drawAssessment(t *rapid.T) (store.NewAssessment, *modelAssessment) {
	model := &modelAssessment{
		minutes:    uniform(0, 1, 3, 60).Draw(t, "minutes"),
		expiryDays: uniform(1, 14, 365).Draw(t, "expiryDays"),
		passing:    -1,
	}
	in := store.NewAssessment{Title: "Drawn", InviteExpiryDays: &model.expiryDays, TimeLimitMinutes: limit(model.minutes)}

	for i := range uniform(1, 2, 3, 4).Draw(t, "stages") {
		stage, drawn := drawStage(t, i)
		in.Definition.Stages = append(in.Definition.Stages, stage)
		model.stages = append(model.stages, drawn)
	}

	switch uniform("none", "reachable", "half of it").Draw(t, "passingScore") {
	case "reachable":
		model.passing = drawThreshold(t, model.stages...)
	case "half of it":
		model.passing = drawThreshold(t, model.stages...) / 2
	}
	if model.passing >= 0 {
		in.PassingScore = new(float64(model.passing) / 100)
	}
	return in, model
}

func drawStage(t *rapid.T, i int) (rules.Stage, modelStage) {
	model := modelStage{minutes: uniform(0, 1, 2, 10).Draw(t, "stageMinutes")}
	stage := rules.Stage{Title: fmt.Sprintf("Stage %d", i+1), TimeLimitMinutes: limit(model.minutes)}
	for range uniform(1, 2, 3).Draw(t, "questions") {
		points := uniform[int64](100, 1, 10, 20, 70, 250, 333, 1000).Draw(t, "points")
		question, answers := questionOfKind(index(t, "kind", make([]int, questionKinds)))
		question.Points = float64(points) / 100
		stage.Questions = append(stage.Questions, question)
		model.questions = append(model.questions, modelQuestion{points: points, answers: answers})
	}
	if onFail := uniform("", rules.OnFailDisqualify, rules.OnFailContinue, rules.OnFailReview).Draw(t,
		"gate"); onFail != "" {
		model.gate = &modelGate{onFail: onFail, minScore: drawThreshold(t, model)}
		stage.Gate = &rules.Gate{
			Required: onFail == rules.OnFailDisqualify, MinScore: float64(model.gate.minScore) / 100, OnFail: onFail,
		}
	}
	return stage, model
}

// drawThreshold draws a score that some answers reach exactly, or a score that is
// 0.01 lower or higher. Thresholds that no answers reach exactly would not
// distinguish >= from >.
func drawThreshold(t *rapid.T, stages ...modelStage) int64 {
	sum := new(big.Rat)
	for _, stage := range stages {
		for _, question := range stage.questions {
			earned := question.answers[index(t, "thresholdAnswer", question.answers)].earned
			sum.Add(sum, new(big.Rat).Mul(question.maxPoints(), earned))
		}
	}
	difference := uniform[int64](0, -1, 1).Draw(t, "thresholdDifference")
	return min(max(scoreOf(sum, maxPoints(stages...))+difference, 0), 10_000)
}

// setIDs copies the ids of the stored assessment to the model.
func (a *modelAssessment) setIDs(stored *store.Assessment) {
	a.id = stored.ID
	for i, stage := range stored.Definition.Stages {
		a.stages[i].id = stage.ID
		for j, question := range stage.Questions {
			a.stages[i].questions[j].id = question.ID
		}
	}
}

const questionKinds = 7

// questionOfKind returns a question without points, and answers to it. The first
// answer is correct.
func questionOfKind(kind int) (rules.Question, []modelAnswer) {
	options := func(ids ...string) (list []rules.Option) {
		for _, id := range ids {
			list = append(list, rules.Option{ID: id, Text: "Option " + id})
		}
		return list
	}
	switch kind {
	case 0:
		return rules.Question{Type: rules.SingleChoice, Prompt: "One?", Options: options("a", "b", "c"),
				CorrectOptionID: new("b")},
			[]modelAnswer{singleAnswer("b", 1), singleAnswer("a", 0), singleAnswer("c", 0)}
	case 1:
		return rules.Question{
				Type: rules.MultipleChoice, Prompt: "Which three?", PartialCredit: true,
				Options: options("a", "b", "c", "d", "e"), CorrectOptionIDs: []string{"a", "b", "c"},
			}, []modelAnswer{
				multipleAnswer(1, 1, "c", "a", "b"), multipleAnswer(2, 3, "a", "b"), multipleAnswer(1, 3, "c"),
				multipleAnswer(1, 3, "a", "d", "b"), multipleAnswer(1, 3, "a", "b", "c", "d", "e"),
				multipleAnswer(0, 1, "a", "d"), multipleAnswer(0, 1, "d", "e", "a"), multipleAnswer(0, 1),
			}
	case 2:
		return rules.Question{
				Type: rules.MultipleChoice, Prompt: "Which two?", Options: options("a", "b", "c"),
				CorrectOptionIDs: []string{"a", "b"},
			}, []modelAnswer{
				multipleAnswer(1, 1, "b", "a"), multipleAnswer(0, 1, "a"),
				multipleAnswer(0, 1, "a", "b", "c"), multipleAnswer(0, 1),
			}
	case 3:
		return rules.Question{Type: rules.Numeric, Prompt: "How much?", Answer: new(1.1), Tolerance: 0.1},
			[]modelAnswer{
				numericAnswer(1.0, 1), numericAnswer(1.2, 1), numericAnswer(1.21, 0), numericAnswer(-1.1, 0),
			}
	case 4:
		return rules.Question{Type: rules.ShortText, Prompt: "Which flow?",
				AcceptedAnswers: []string{"laminar", "laminar flow"}},
			[]modelAnswer{textAnswer(" Laminar\tFLOW ", 1), textAnswer("turbulent", 0), textAnswer("  ", 0)}
	case 5:
		return rules.Question{Type: rules.FreeText, Prompt: "Why?", MaxWords: new(100)},
			[]modelAnswer{{rules.Answer{Text: new("Because of the flow")}, big.NewRat(1, 1), true},
				{rules.Answer{Text: new("No reason")}, big.NewRat(0, 1), true}, textAnswer(" \n", 0)}
	default:
		return rules.Question{Type: rules.ShortText, Prompt: "Symbol?", CaseSensitive: true,
				AcceptedAnswers: []string{"pH"}},
			[]modelAnswer{textAnswer("pH", 1), textAnswer("PH", 0)}
	}
}

func singleAnswer(option string, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{OptionID: &option}, big.NewRat(earned, 1), false}
}

func multipleAnswer(earned, of int64, options ...string) modelAnswer {
	return modelAnswer{rules.Answer{OptionIDs: append([]string{}, options...)}, big.NewRat(earned, of), false}
}

func numericAnswer(number float64, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{Number: &number}, big.NewRat(earned, 1), false}
}

func textAnswer(text string, earned int64) modelAnswer {
	return modelAnswer{rules.Answer{Text: &text}, big.NewRat(earned, 1), false}
}

// invalidAnswers are invalid for every question above.
var invalidAnswers = []rules.Answer{
	{}, {OptionID: new("z")}, {OptionIDs: []string{"a", "a"}}, {OptionID: new("a"), Number: new(1.0)},
}

// limit returns a time limit as requests contain it. 0 is no limit.
func limit(minutes int) *int {
	if minutes == 0 {
		return nil
	}
	return &minutes
}
