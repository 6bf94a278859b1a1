package server

import (
	"context"
	"strings"

	"assay/gen"
	"assay/store"
)

// RetrieveGradingQueue implements GET /v1/grading.
func (s *Server) RetrieveGradingQueue(
	ctx context.Context, request gen.RetrieveGradingQueueRequestObject,
) (gen.RetrieveGradingQueueResponseObject, error) {
	queue, err := s.store.RetrieveGradingQueue(ctx, scopeOf(ctx), request.Params.AssessmentID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveGradingQueue200JSONResponse{Body: gen.GradingQueueData{Data: gen.GradingQueue{
		Questions: each(queue.Questions, apiQueuedQuestion), HasMore: queue.HasMore,
	}}}, nil
}

func apiQueuedQuestion(q store.GradingQueueQuestion) gen.GradingQueueQuestion {
	return gen.GradingQueueQuestion{
		AssessmentID: q.AssessmentID, AssessmentTitle: q.Assessment.Title, QuestionID: q.QuestionID,
		Prompt: q.Question.Prompt, Points: q.Question.Points, Waiting: q.Waiting, Claimed: q.Claimed, Mine: q.Mine,
		Open: q.Open, Done: q.Done, OldestSince: timestamp(q.Oldest), DueAt: store.WireTime(q.DueAt),
	}
}

// ClaimAnswer implements POST /v1/grading/claims.
func (s *Server) ClaimAnswer(
	ctx context.Context, request gen.ClaimAnswerRequestObject,
) (gen.ClaimAnswerResponseObject, error) {
	claimed, err := s.store.ClaimAnswer(ctx, scopeOf(ctx), store.ClaimInput{
		AssessmentID: request.Body.AssessmentID, QuestionID: request.Body.QuestionID,
	})
	if err != nil {
		return nil, err
	}
	return gen.ClaimAnswer200JSONResponse{Body: s.gradingTurn(claimed)}, nil
}

// SaveClaimDraft implements PUT /v1/grading/claims/{id}/draft.
func (s *Server) SaveClaimDraft(
	ctx context.Context, request gen.SaveClaimDraftRequestObject,
) (gen.SaveClaimDraftResponseObject, error) {
	claimed, err := s.store.SaveClaimDraft(ctx, scopeOf(ctx), request.ID, store.GradingDraft{
		Points: request.Body.Points, Rubric: each(request.Body.Rubric, storeCriterionPoints), Comment: request.Body.Comment,
	})
	if err != nil {
		return nil, err
	}
	return gen.SaveClaimDraft200JSONResponse{Body: s.gradingTurn(claimed)}, nil
}

// GradeClaim implements POST /v1/grading/claims/{id}/grade.
func (s *Server) GradeClaim(
	ctx context.Context, request gen.GradeClaimRequestObject,
) (gen.GradeClaimResponseObject, error) {
	next, err := s.store.GradeClaim(ctx, scopeOf(ctx), request.ID, store.GradingDraft{
		Points: &request.Body.Points, Rubric: each(request.Body.Rubric, storeCriterionPoints),
		Comment: given(request.Body.Comment),
	}, orDefault(request.Body.ClaimNext, true))
	if err != nil {
		return nil, err
	}
	return gen.GradeClaim200JSONResponse{Body: s.gradingTurn(next)}, nil
}

// ReleaseClaim implements POST /v1/grading/claims/{id}/release.
func (s *Server) ReleaseClaim(
	ctx context.Context, request gen.ReleaseClaimRequestObject,
) (gen.ReleaseClaimResponseObject, error) {
	if err := s.store.ReleaseClaim(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.ReleaseClaim204Response{}, nil
}

// UndoClaim implements POST /v1/grading/claims/{id}/undo.
func (s *Server) UndoClaim(
	ctx context.Context, request gen.UndoClaimRequestObject,
) (gen.UndoClaimResponseObject, error) {
	claimed, err := s.store.UndoClaim(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.UndoClaim200JSONResponse{Body: s.gradingTurn(claimed)}, nil
}

func (s *Server) gradingTurn(claimed *store.ClaimedAnswer) gen.GradingTurnData {
	if claimed == nil {
		return gen.GradingTurnData{}
	}
	t := s.textsOf(claimed.Assessment)
	shown := &gen.GradingClaim{
		ID: claimed.ID, AssessmentID: claimed.AssessmentID, AssessmentTitle: claimed.Assessment.Title,
		Question: t.question(claimed.Order, claimed.Question), Text: claimed.Text,
		WordCount: len(strings.Fields(claimed.Text)),
		Since:     store.WireTime(claimed.Since), LeasedUntil: store.WireTime(claimed.LeasedUntil),
	}
	if claimed.SavedAt != nil {
		shown.Draft = &gen.GradingDraft{
			Points: claimed.Points, Rubric: each(claimed.Rubric(), apiCriterionPoints), Comment: claimed.Comment,
			SavedAt: timestamp(*claimed.SavedAt),
		}
	}
	if session := claimed.Candidate; session != nil {
		shown.Candidate = &gen.GradingCandidate{
			SessionID: session.ID, Name: session.CandidateName, Email: session.CandidateEmail,
		}
	}
	return gen.GradingTurnData{Data: gen.GradingTurn{Claim: shown}}
}

func storeCriterionPoints(c gen.CriterionPointsInput) store.CriterionPoints {
	return store.CriterionPoints{ID: c.ID, Points: c.Points}
}

func apiCriterionPoints(c store.CriterionPoints) gen.CriterionPoints {
	return gen.CriterionPoints{ID: c.ID, Points: c.Points}
}

// RetrieveGradingAgreement implements GET /v1/assessments/{id}/grading-agreement.
func (s *Server) RetrieveGradingAgreement(
	ctx context.Context, request gen.RetrieveGradingAgreementRequestObject,
) (gen.RetrieveGradingAgreementResponseObject, error) {
	agreement, err := s.store.RetrieveGradingAgreement(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveGradingAgreement200JSONResponse{Body: gen.GradingAgreementData{Data: gen.GradingAgreement{
		Questions: each(agreement.Questions, apiQuestionAgreement), Pairs: each(agreement.Pairs, apiPairAgreement),
	}}}, nil
}

func apiQuestionAgreement(q store.QuestionAgreement) gen.QuestionAgreement {
	return gen.QuestionAgreement{
		QuestionID: q.QuestionID, Answers: q.Answers, EqualShare: q.EqualShare(),
		MeanDifferencePercent: q.MeanDifferencePercent(), Kappa: q.Kappa(),
	}
}

func apiPairAgreement(p store.PairAgreement) gen.PairAgreement {
	return gen.PairAgreement{
		Graders: each(p.Graders[:], func(g store.Grader) gen.DecisionAuthor {
			return gen.DecisionAuthor{ID: g.ID, Name: g.Name}
		}),
		Answers: p.Answers, EqualShare: p.EqualShare(), MeanDifferencePercent: p.MeanDifferencePercent(), Kappa: p.Kappa(),
	}
}

func gradingChange(in *gen.GradingRulesInput) store.GradingChange {
	if in == nil {
		return store.GradingChange{}
	}
	return store.GradingChange(*in)
}
