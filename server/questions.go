package server

import (
	"fmt"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// storeDefinition maps the stages of a request. Validation has already checked
// the discriminator of each question. The store rejects more than rules.MaxQuestions
// questions, so it maps only one more than these.
func storeDefinition(stages []gen.StageInput) (rules.Definition, error) {
	definition := rules.Definition{Stages: make([]rules.Stage, 0, len(stages))}
	left := rules.MaxQuestions + 1
	for _, in := range stages {
		in.Questions = in.Questions[:min(len(in.Questions), left)]
		left -= len(in.Questions)
		stage := rules.Stage{
			ID: orZero(in.ID), Title: in.Title, Description: given(in.Description), TimeLimitMinutes: given(in.TimeLimitMinutes),
			Questions: make([]rules.Question, 0, len(in.Questions)),
		}
		if gate := given(in.Gate); gate != nil {
			stage.Gate = &rules.Gate{
				Required: gate.Required, MinScore: gate.MinScore, OnFail: rules.OnFail(orZero(gate.OnFail)),
			}
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
			AcceptedAnswers: q.AcceptedAnswers, CaseSensitive: orZero(q.CaseSensitive), ExactMatch: q.ExactMatch,
		}, nil
	case gen.FreeTextQuestionInput:
		return rules.Question{
			ID: orZero(q.ID), Type: rules.FreeText, Prompt: q.Prompt, Points: q.Points, Explanation: given(q.Explanation),
			MaxWords: given(q.MaxWords), Rubric: each(q.Rubric, storeCriterion),
		}, nil
	}
	return rules.Question{}, fmt.Errorf("a question is of the unknown variant %T", value)
}

func storeOption(o gen.OptionInput) rules.Option { return rules.Option{ID: o.ID, Text: o.Text} }

func storeCriterion(c gen.CriterionInput) rules.Criterion {
	return rules.Criterion{ID: c.ID, Title: c.Title, Points: c.Points, Description: given(c.Description)}
}

func apiCriterion(c rules.Criterion) gen.Criterion {
	return gen.Criterion{ID: c.ID, Title: c.Title, Points: c.Points, Description: c.Description}
}

// texts returns the Markdown of one assessment as HTML.
type texts struct {
	store      *store.Store
	assessment *store.Assessment
}

func (s *Server) textsOf(a *store.Assessment) texts { return texts{s.store, a} }

func (t texts) html(source string) string { return t.store.HTML(t.assessment, source) }

func (t texts) htmlOrNull(source *string) *string {
	if source == nil {
		return nil
	}
	return new(t.html(*source))
}

// messageOrNull is the message in the email with the invite.
func (t texts) messageOrNull() *string {
	if t.assessment.InviteMessage == nil {
		return nil
	}
	return new(t.store.MessageHTML(t.assessment))
}

// stages maps the stages with their answer keys, which only the organization's
// members may see.
func (t texts) stages() []gen.Stage {
	stages := make([]gen.Stage, 0, len(t.assessment.Definition.Stages))
	for i, stage := range t.assessment.Definition.Stages {
		questions := make([]gen.Question, 0, len(stage.Questions))
		for j, question := range stage.Questions {
			questions = append(questions, t.question(j+1, question))
		}
		stages = append(stages, gen.Stage{
			ID: stage.ID, Order: i + 1, Title: stage.Title,
			Description: stage.Description, DescriptionHTML: t.htmlOrNull(stage.Description),
			TimeLimitMinutes: stage.TimeLimitMinutes, Gate: apiGate(stage.Gate), Questions: questions,
		})
	}
	return stages
}

// question maps the fields of the question's type. The others stay null.
func (t texts) question(order int, q rules.Question) gen.Question {
	mapped := gen.Question{
		ID: q.ID, Order: order, Type: string(q.Type), Prompt: q.Prompt, PromptHTML: t.html(q.Prompt), Points: q.Points,
		Explanation: q.Explanation, ExplanationHTML: t.htmlOrNull(q.Explanation),
		Options: t.options(q),
	}
	switch q.Type {
	case rules.SingleChoice:
		mapped.CorrectOptionID = q.CorrectOptionID
	case rules.MultipleChoice:
		mapped.CorrectOptionIds = new(append([]string{}, q.CorrectOptionIDs...))
		mapped.PartialCredit = new(q.PartialCredit)
	case rules.Numeric:
		mapped.Answer = q.Answer
		mapped.Tolerance = new(q.Tolerance)
	case rules.ShortText:
		mapped.AcceptedAnswers = new(append([]string{}, q.AcceptedAnswers...))
		mapped.CaseSensitive = new(q.CaseSensitive)
		mapped.ExactMatch = new(q.TextMatching() == rules.MatchExact)
	case rules.FreeText:
		mapped.MaxWords = q.MaxWords
		mapped.Rubric = new(each(q.Rubric, apiCriterion))
	}
	return mapped
}

func (t texts) option(o rules.Option) gen.QuestionOption {
	return gen.QuestionOption{ID: o.ID, Text: o.Text, TextHTML: t.html(o.Text)}
}

func apiGate(gate *rules.Gate) *gen.Gate {
	if gate == nil {
		return nil
	}
	return new(gen.Gate{Required: gate.Required, MinScore: gate.MinScore, OnFail: gen.OnFail(gate.WhenFailed())})
}

// publicStages maps the stages without their answer keys.
func (t texts) publicStages() []gen.PublicStage {
	stages := make([]gen.PublicStage, 0, len(t.assessment.Definition.Stages))
	for i, stage := range t.assessment.Definition.Stages {
		questions := make([]gen.PublicQuestion, 0, len(stage.Questions))
		for j, q := range stage.Questions {
			questions = append(questions, gen.PublicQuestion{
				ID: q.ID, Order: j + 1, Type: gen.QuestionType(q.Type), Prompt: q.Prompt, PromptHTML: t.html(q.Prompt),
				Points: q.Points, Options: t.options(q),
			})
		}
		stages = append(stages, gen.PublicStage{
			ID: stage.ID, Order: i + 1, Title: stage.Title,
			Description: stage.Description, DescriptionHTML: t.htmlOrNull(stage.Description),
			TimeLimitMinutes: stage.TimeLimitMinutes, Gate: apiGate(stage.Gate), Questions: questions,
		})
	}
	return stages
}

// options is null for a question without options.
func (t texts) options(q rules.Question) *[]gen.QuestionOption {
	if !q.HasOptions() {
		return nil
	}
	return new(each(q.Options, t.option))
}

func apiAnswer(answer *rules.Answer) *gen.Answer {
	if answer == nil {
		return nil
	}
	mapped := gen.Answer{OptionID: answer.OptionID, Number: answer.Number, Text: answer.Text}
	if answer.OptionIDs != nil {
		mapped.OptionIds = &answer.OptionIDs
	}
	return new(mapped)
}

func storeAnswer(answer gen.AnswerInput) rules.Answer {
	return rules.Answer{
		OptionID: answer.OptionID, OptionIDs: orZero(answer.OptionIds), Number: answer.Number, Text: answer.Text,
	}
}
