package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListQuestions implements GET /v1/questions.
func (s *Server) ListQuestions(
	ctx context.Context, request gen.ListQuestionsRequestObject,
) (gen.ListQuestionsResponseObject, error) {
	params := request.Params
	questions, next, err := s.store.ListQuestions(ctx, scopeOf(ctx), store.BankFilter{
		PromptContains: orZero(params.Q), Tags: params.Tag, Archived: orZero(params.Archived),
	}, page(params.Limit, params.After))
	if err != nil {
		return nil, err
	}
	return gen.ListQuestions200JSONResponse{
		Headers: gen.ListQuestions200ResponseHeaders{Link: linkAfter(ctx, s.opts.BaseURL, next)},
		Body:    gen.BankQuestionSummaryList{Data: each(questions, apiBankSummary)},
	}, nil
}

// CreateQuestion implements POST /v1/questions.
func (s *Server) CreateQuestion(
	ctx context.Context, request gen.CreateQuestionRequestObject,
) (gen.CreateQuestionResponseObject, error) {
	content, err := storeQuestion(request.Body.Question)
	if err != nil {
		return nil, err
	}
	question, err := s.store.CreateQuestion(ctx, scopeOf(ctx), store.NewBankQuestion{
		Content: content, Tags: request.Body.Tags,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateQuestion201JSONResponse{
		Headers: gen.CreateQuestion201ResponseHeaders{
			Location: "/v1/questions/" + question.ID, ETag: questionETag(question),
		},
		Body: s.bankQuestion(question),
	}, nil
}

// RetrieveQuestion implements GET /v1/questions/{id}.
func (s *Server) RetrieveQuestion(
	ctx context.Context, request gen.RetrieveQuestionRequestObject,
) (gen.RetrieveQuestionResponseObject, error) {
	question, err := s.store.RetrieveQuestion(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveQuestion200JSONResponse{
		Headers: gen.RetrieveQuestion200ResponseHeaders{ETag: questionETag(question)}, Body: s.bankQuestion(question),
	}, nil
}

// UpdateQuestion implements PATCH /v1/questions/{id}.
func (s *Server) UpdateQuestion(
	ctx context.Context, request gen.UpdateQuestionRequestObject,
) (gen.UpdateQuestionResponseObject, error) {
	change := store.BankQuestionChange{
		Tags: request.Body.Tags, Archived: request.Body.Archived, IfMatch: revisions(request.Params.IfMatch),
	}
	if request.Body.Question != nil {
		content, err := storeQuestion(*request.Body.Question)
		if err != nil {
			return nil, err
		}
		change.Content = &content
	}
	question, err := s.store.UpdateQuestion(ctx, scopeOf(ctx), request.ID, change)
	if err != nil {
		return nil, err
	}
	return gen.UpdateQuestion200JSONResponse{
		Headers: gen.UpdateQuestion200ResponseHeaders{ETag: questionETag(question)}, Body: s.bankQuestion(question),
	}, nil
}

// DeleteQuestion implements DELETE /v1/questions/{id}.
func (s *Server) DeleteQuestion(
	ctx context.Context, request gen.DeleteQuestionRequestObject,
) (gen.DeleteQuestionResponseObject, error) {
	if err := s.store.DeleteQuestion(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteQuestion204Response{}, nil
}

// ListQuestionVersions implements GET /v1/questions/{id}/versions.
func (s *Server) ListQuestionVersions(
	ctx context.Context, request gen.ListQuestionVersionsRequestObject,
) (gen.ListQuestionVersionsResponseObject, error) {
	versions, texts, err := s.store.ListQuestionVersions(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	t := s.textsOf(texts)
	return gen.ListQuestionVersions200JSONResponse{Body: gen.BankQuestionVersionCatalogue{
		Data: each(versions, func(version store.BankQuestionVersion) gen.BankQuestionVersion {
			return gen.BankQuestionVersion{
				Version: version.Version, Question: t.question(1, version.Content), CreatedAt: timestamp(version.CreatedAt),
			}
		}),
	}}, nil
}

// RetrieveQuestionStatistics implements GET /v1/questions/{id}/statistics.
func (s *Server) RetrieveQuestionStatistics(
	ctx context.Context, request gen.RetrieveQuestionStatisticsRequestObject,
) (gen.RetrieveQuestionStatisticsResponseObject, error) {
	statistics, err := s.store.RetrieveQuestionStatistics(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	all := apiBankUse(statistics.BankUse)
	return gen.RetrieveQuestionStatistics200JSONResponse{Body: gen.BankQuestionStatisticsData{
		Data: gen.BankQuestionStatistics{
			Exposures: all.Exposures, Answers: all.Answers, CorrectShare: all.CorrectShare, PointsShare: all.PointsShare,
			Assessments: each(statistics.Assessments, apiBankUse),
		},
	}}, nil
}

// ListQuestionTags implements GET /v1/question-tags.
func (s *Server) ListQuestionTags(
	ctx context.Context, _ gen.ListQuestionTagsRequestObject,
) (gen.ListQuestionTagsResponseObject, error) {
	tags, err := s.store.ListQuestionTags(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListQuestionTags200JSONResponse{Body: gen.QuestionTagCatalogue{
		Data: each(tags, func(tag store.QuestionTag) gen.QuestionTag {
			return gen.QuestionTag{Name: tag.Name, Count: tag.Count}
		}),
	}}, nil
}
