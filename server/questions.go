package server

import (
	"fmt"

	"github.com/oapi-codegen/nullable"

	"assay/gen"
	"assay/store/rules"
)

// storeDefinition maps the stages of a request. Validation has already checked
// the discriminator of each question.
func storeDefinition(stages []gen.StageInput) (rules.Definition, error) {
	definition := rules.Definition{Stages: make([]rules.Stage, 0, len(stages))}
	for _, in := range stages {
		stage := rules.Stage{
			ID: orZero(in.ID), Title: in.Title, Description: given(in.Description), TimeLimitMinutes: given(in.TimeLimitMinutes),
			Questions: make([]rules.Question, 0, len(in.Questions)),
		}
		if gate := given(in.Gate); gate != nil {
			stage.Gate = &rules.Gate{Required: gate.Required, MinScore: gate.MinScore}
		}
		for _, question := range in.Questions {
			mapped, err := storeQuestion(question)
			if err != nil {
				return rules.Definition{}, err
			}
			stage.Questions = append(stage.Questions, mapped)
		}
		definition.Stages = append(definition.Stages, stage)
	}
	return definition, nil
}

func storeQuestion(in gen.QuestionInput) (rules.Question, error) {
	value, err := in.ValueByDiscriminator()
	if err != nil {
		return rules.Question{}, err
	}
	switch q := value.(type) {
	case gen.SingleChoiceQuestionInput:
		return rules.Question{
			ID: orZero(q.ID), Type: rules.SingleChoice, Prompt: q.Prompt, Points: q.Points, Explanation: given(q.Explanation),
			Options: each(orZero(q.Options), storeOption), CorrectOptionID: given(q.CorrectOptionID),
		}, nil
	case gen.MultipleChoiceQuestionInput:
		return rules.Question{
			ID: orZero(q.ID), Type: rules.MultipleChoice, Prompt: q.Prompt, Points: q.Points, Explanation: given(q.Explanation),
			Options:          each(orZero(q.Options), storeOption),
			CorrectOptionIDs: q.CorrectOptionIds, PartialCredit: orZero(q.PartialCredit),
		}, nil
	case gen.NumericQuestionInput:
		return rules.Question{
			ID: orZero(q.ID), Type: rules.Numeric, Prompt: q.Prompt, Points: q.Points, Explanation: given(q.Explanation),
			Answer: given(q.Answer), Tolerance: orZero(q.Tolerance),
		}, nil
	case gen.ShortTextQuestionInput:
		return rules.Question{
			ID: orZero(q.ID), Type: rules.ShortText, Prompt: q.Prompt, Points: q.Points, Explanation: given(q.Explanation),
			AcceptedAnswers: q.AcceptedAnswers, CaseSensitive: orZero(q.CaseSensitive),
		}, nil
	}
	return rules.Question{}, fmt.Errorf("a question is of the unknown variant %T", value)
}

func storeOption(o gen.Option) rules.Option { return rules.Option{ID: o.ID, Text: o.Text} }

// apiStages maps a definition with its answer keys, which only the
// organization's members may see.
func apiStages(definition rules.Definition) ([]gen.Stage, error) {
	stages := make([]gen.Stage, 0, len(definition.Stages))
	for i, stage := range definition.Stages {
		questions := make([]gen.Question, 0, len(stage.Questions))
		for j, question := range stage.Questions {
			mapped, err := apiQuestion(j+1, question)
			if err != nil {
				return nil, err
			}
			questions = append(questions, mapped)
		}
		stages = append(stages, gen.Stage{
			ID: stage.ID, Order: i + 1, Title: stage.Title, Description: orNull(stage.Description),
			TimeLimitMinutes: orNull(stage.TimeLimitMinutes), Gate: apiGate(stage.Gate), Questions: questions,
		})
	}
	return stages, nil
}

func apiQuestion(order int, q rules.Question) (gen.Question, error) {
	var mapped gen.Question
	var err error
	switch q.Type {
	case rules.SingleChoice:
		err = mapped.FromSingleChoiceQuestion(gen.SingleChoiceQuestion{
			ID: q.ID, Order: order, Type: gen.SingleChoiceQuestionTypeSINGLECHOICE, Prompt: q.Prompt, Points: q.Points,
			Explanation: orNull(q.Explanation), Options: each(q.Options, apiOption), CorrectOptionID: orNull(q.CorrectOptionID),
		})
	case rules.MultipleChoice:
		err = mapped.FromMultipleChoiceQuestion(gen.MultipleChoiceQuestion{
			ID: q.ID, Order: order, Type: gen.MultipleChoiceQuestionTypeMULTIPLECHOICE, Prompt: q.Prompt, Points: q.Points,
			Explanation: orNull(q.Explanation), Options: each(q.Options, apiOption),
			CorrectOptionIds: append([]string{}, q.CorrectOptionIDs...), PartialCredit: q.PartialCredit,
		})
	case rules.Numeric:
		err = mapped.FromNumericQuestion(gen.NumericQuestion{
			ID: q.ID, Order: order, Type: gen.NumericQuestionTypeNUMERIC, Prompt: q.Prompt, Points: q.Points,
			Explanation: orNull(q.Explanation), Answer: orNull(q.Answer), Tolerance: q.Tolerance,
		})
	case rules.ShortText:
		err = mapped.FromShortTextQuestion(gen.ShortTextQuestion{
			ID: q.ID, Order: order, Type: gen.ShortTextQuestionTypeSHORTTEXT, Prompt: q.Prompt, Points: q.Points,
			Explanation:     orNull(q.Explanation),
			AcceptedAnswers: append([]string{}, q.AcceptedAnswers...), CaseSensitive: q.CaseSensitive,
		})
	}
	return mapped, err
}

func apiOption(o rules.Option) gen.Option { return gen.Option{ID: o.ID, Text: o.Text} }

func apiGate(gate *rules.Gate) nullable.Nullable[gen.Gate] {
	if gate == nil {
		return nullable.NewNullNullable[gen.Gate]()
	}
	return nullable.NewNullableWithValue(gen.Gate{Required: gate.Required, MinScore: gate.MinScore})
}

// apiPublicStages maps a definition without its answer keys.
func apiPublicStages(definition rules.Definition) []gen.PublicStage {
	stages := make([]gen.PublicStage, 0, len(definition.Stages))
	for i, stage := range definition.Stages {
		questions := make([]gen.PublicQuestion, 0, len(stage.Questions))
		for j, q := range stage.Questions {
			questions = append(questions, gen.PublicQuestion{
				ID: q.ID, Order: j + 1, Type: gen.QuestionType(q.Type), Prompt: q.Prompt, Points: q.Points, Options: apiOptions(q),
			})
		}
		stages = append(stages, gen.PublicStage{
			ID: stage.ID, Order: i + 1, Title: stage.Title, Description: orNull(stage.Description),
			TimeLimitMinutes: orNull(stage.TimeLimitMinutes), Gate: apiGate(stage.Gate), Questions: questions,
		})
	}
	return stages
}

// apiOptions is null for a question without options.
func apiOptions(q rules.Question) nullable.Nullable[[]gen.Option] {
	if q.Type != rules.SingleChoice && q.Type != rules.MultipleChoice {
		return nullable.NewNullNullable[[]gen.Option]()
	}
	return nullable.NewNullableWithValue(each(q.Options, apiOption))
}

func apiAnswer(answer *rules.Answer) nullable.Nullable[gen.Answer] {
	if answer == nil {
		return nullable.NewNullNullable[gen.Answer]()
	}
	mapped := gen.Answer{OptionID: answer.OptionID, Number: answer.Number, Text: answer.Text}
	if answer.OptionIDs != nil {
		mapped.OptionIds = &answer.OptionIDs
	}
	return nullable.NewNullableWithValue(mapped)
}

func storeAnswer(answer gen.Answer) rules.Answer {
	return rules.Answer{
		OptionID: answer.OptionID, OptionIDs: orZero(answer.OptionIds), Number: answer.Number, Text: answer.Text,
	}
}
