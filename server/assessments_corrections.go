package server

import (
	"context"

	"assay/gen"
	"assay/store"
	"assay/store/rules"
)

// ListAssessmentCorrections implements GET /v1/assessments/{id}/corrections.
func (s *Server) ListAssessmentCorrections(
	ctx context.Context, request gen.ListAssessmentCorrectionsRequestObject,
) (gen.ListAssessmentCorrectionsResponseObject, error) {
	corrections, err := s.store.ListAssessmentCorrections(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListAssessmentCorrections200JSONResponse{Body: gen.AssessmentCorrectionCatalogue{
		Data: each(corrections, apiCorrection),
	}}, nil
}

// CreateAssessmentCorrection implements POST /v1/assessments/{id}/corrections.
func (s *Server) CreateAssessmentCorrection(
	ctx context.Context, request gen.CreateAssessmentCorrectionRequestObject,
) (gen.CreateAssessmentCorrectionResponseObject, error) {
	correction, err := s.store.CreateAssessmentCorrection(ctx, scopeOf(ctx), request.ID, storeCorrection(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateAssessmentCorrection201JSONResponse{
		Headers: gen.CreateAssessmentCorrection201ResponseHeaders{
			Location: "/v1/assessments/" + correction.AssessmentID + "/corrections/" + correction.ID,
		},
		Body: gen.AssessmentCorrectionData{Data: apiCorrection(correction)},
	}, nil
}

// PreviewAssessmentCorrection implements POST /v1/assessments/{id}/correction-preview.
func (s *Server) PreviewAssessmentCorrection(
	ctx context.Context, request gen.PreviewAssessmentCorrectionRequestObject,
) (gen.PreviewAssessmentCorrectionResponseObject, error) {
	effect, err := s.store.PreviewAssessmentCorrection(ctx, scopeOf(ctx), request.ID, storeCorrection(*request.Body))
	if err != nil {
		return nil, err
	}
	return gen.PreviewAssessmentCorrection200JSONResponse{Body: gen.CorrectionEffectData{Data: gen.CorrectionEffect{
		Examined: effect.Examined, Exact: effect.Exact, Changed: effect.Changed,
		ScoresBefore: effect.Before[:], ScoresAfter: effect.After[:],
		NowPass: apiCrossing(effect.NowPass), NoLongerPass: apiCrossing(effect.NoLongerPass),
		GatePasses: apiCrossing(effect.GatePasses), GateFails: apiCrossing(effect.GateFails),
	}}}, nil
}

// RetrieveAssessmentCorrection implements GET /v1/assessments/{id}/corrections/{correctionId}.
func (s *Server) RetrieveAssessmentCorrection(
	ctx context.Context, request gen.RetrieveAssessmentCorrectionRequestObject,
) (gen.RetrieveAssessmentCorrectionResponseObject, error) {
	correction, err := s.store.RetrieveAssessmentCorrection(ctx, scopeOf(ctx), request.ID, request.CorrectionID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentCorrection200JSONResponse{Body: gen.AssessmentCorrectionData{
		Data: apiCorrection(correction),
	}}, nil
}

// WithdrawAssessmentCorrection implements POST /v1/assessments/{id}/corrections/{correctionId}/withdraw.
func (s *Server) WithdrawAssessmentCorrection(
	ctx context.Context, request gen.WithdrawAssessmentCorrectionRequestObject,
) (gen.WithdrawAssessmentCorrectionResponseObject, error) {
	correction, err := s.store.WithdrawAssessmentCorrection(ctx, scopeOf(ctx), request.ID, request.CorrectionID,
		request.Body.Reason)
	if err != nil {
		return nil, err
	}
	return gen.WithdrawAssessmentCorrection200JSONResponse{Body: gen.AssessmentCorrectionData{
		Data: apiCorrection(correction),
	}}, nil
}

// ListAssessmentQuestionAnswers implements GET /v1/assessments/{id}/questions/{questionId}/answers.
func (s *Server) ListAssessmentQuestionAnswers(
	ctx context.Context, request gen.ListAssessmentQuestionAnswersRequestObject,
) (gen.ListAssessmentQuestionAnswersResponseObject, error) {
	given, err := s.store.ListAssessmentQuestionAnswers(ctx, scopeOf(ctx), request.ID, request.QuestionID)
	if err != nil {
		return nil, err
	}
	return gen.ListAssessmentQuestionAnswers200JSONResponse{Body: gen.QuestionAnswersData{Data: gen.QuestionAnswers{
		QuestionID: given.Question.ID, Type: gen.QuestionType(given.Question.Type),
		Examined: given.Examined, Exact: given.Exact,
		Answers: each(given.Answers, func(answer store.GivenAnswer) gen.QuestionAnswer {
			return gen.QuestionAnswer{
				Answer: gen.GivenAnswer(*apiAnswer(&answer.Answer)), Count: answer.Count,
				Points: answer.Points, Correct: answer.Correct,
			}
		}),
	}}}, nil
}

// storeCorrection maps the body of a correction. Validation has set the default of the policy.
func storeCorrection(in gen.AssessmentCorrectionCreate) store.CorrectionInput {
	correction := store.CorrectionInput{
		QuestionID: in.QuestionID, Action: rules.CorrectionAction(in.Action), Reason: in.Reason, Policy: rules.NeverLower,
	}
	if in.Policy != nil {
		correction.Policy = rules.CorrectionPolicy(*in.Policy)
	}
	if in.Key != nil {
		correction.Key = &rules.AnswerKey{
			CorrectOptionID: in.Key.CorrectOptionID, CorrectOptionIDs: in.Key.CorrectOptionIds,
			Answer: in.Key.Answer, Tolerance: orZero(in.Key.Tolerance), AcceptedAnswers: in.Key.AcceptedAnswers,
		}
	}
	return correction
}

func apiCorrection(c store.Correction) gen.AssessmentCorrection {
	shown := gen.AssessmentCorrection{
		ID: c.ID, AssessmentID: c.AssessmentID, QuestionID: c.QuestionID, Action: gen.CorrectionAction(c.Action),
		Policy: gen.CorrectionPolicy(c.Policy), Withdraws: c.Withdraws, WithdrawnBy: c.WithdrawnBy, Reason: c.Reason,
		CreatedBy: gen.DecisionAuthor{ID: c.UserID, Name: c.UserName}, CreatedAt: timestamp(c.CreatedAt),
		Total: c.Total, Done: c.Done, Changed: c.Changed, AppliedAt: timeOrNull(c.AppliedAt),
	}
	if key := c.Key(); key != nil {
		shown.Key = &gen.CorrectionKeyShown{
			CorrectOptionID: key.CorrectOptionID, CorrectOptionIds: key.CorrectOptionIDs, Answer: key.Answer,
			AcceptedAnswers: key.AcceptedAnswers,
		}
		if key.Answer != nil {
			shown.Key.Tolerance = &key.Tolerance
		}
	}
	return shown
}

func apiCrossing(crossing store.Crossing) gen.CorrectionCrossing {
	ids := crossing.IDs
	if ids == nil {
		ids = []string{}
	}
	return gen.CorrectionCrossing{Count: crossing.Count, SessionIds: ids}
}
