package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveCutScore implements GET /v1/assessments/{id}/cut-score.
func (s *Server) RetrieveCutScore(
	ctx context.Context, request gen.RetrieveCutScoreRequestObject,
) (gen.RetrieveCutScoreResponseObject, error) {
	cut, err := s.store.RetrieveCutScore(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCutScore200JSONResponse{Body: gen.CutScoreSummaryData{Data: gen.CutScoreSummary{
		CutScore: cut.Value, StandardError: decimals(cut.StandardError, 2), PassingScore: cut.PassingScore,
		Judges: each(cut.Judges, func(judge store.CutScoreJudge) gen.CutScoreJudge {
			return gen.CutScoreJudge{
				UserID: judge.UserID, Name: judge.Name, RatedCount: judge.RatedCount, CutScore: judge.CutScore,
				UpdatedAt: timestamp(judge.UpdatedAt),
			}
		}),
		Questions: each(cut.Questions, func(question store.CutScoreQuestion) gen.CutScoreQuestion {
			return gen.CutScoreQuestion{
				QuestionID: question.QuestionID, Count: question.Count, Mean: decimals(question.Mean, 2),
				StandardDeviation: decimals(question.StandardDeviation, 2), Difficulty: decimals(question.Difficulty, 2),
			}
		}),
		AtCutScore: apiConsistency(cut.AtCutScore), AtPassingScore: apiConsistency(cut.AtPassingScore),
	}}}, nil
}

func apiConsistency(at *store.ClassificationConsistency) *gen.ClassificationConsistency {
	if at == nil {
		return nil
	}
	return &gen.ClassificationConsistency{
		Score: at.Score, Agreement: *decimals(&at.Agreement, 4), Kappa: decimals(at.Kappa, 4), PassRate: at.PassRate,
	}
}

// RetrieveCutScoreRatings implements GET /v1/assessments/{id}/cut-score/ratings.
func (s *Server) RetrieveCutScoreRatings(
	ctx context.Context, request gen.RetrieveCutScoreRatingsRequestObject,
) (gen.RetrieveCutScoreRatingsResponseObject, error) {
	ratings, err := s.store.RetrieveCutScoreRatings(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveCutScoreRatings200JSONResponse{Body: apiCutScoreRatings(ratings)}, nil
}

// ReplaceCutScoreRatings implements PUT /v1/assessments/{id}/cut-score/ratings.
func (s *Server) ReplaceCutScoreRatings(
	ctx context.Context, request gen.ReplaceCutScoreRatingsRequestObject,
) (gen.ReplaceCutScoreRatingsResponseObject, error) {
	ratings, err := s.store.ReplaceCutScoreRatings(ctx, scopeOf(ctx), request.ID,
		each(request.Body.Ratings, func(rating gen.CutScoreRatingInput) store.CutScoreRating {
			return store.CutScoreRating{QuestionID: rating.QuestionID, Percent: rating.Percent}
		}))
	if err != nil {
		return nil, err
	}
	return gen.ReplaceCutScoreRatings200JSONResponse{Body: apiCutScoreRatings(ratings)}, nil
}

// DeleteCutScoreRatings implements DELETE /v1/assessments/{id}/cut-score/ratings.
func (s *Server) DeleteCutScoreRatings(
	ctx context.Context, request gen.DeleteCutScoreRatingsRequestObject,
) (gen.DeleteCutScoreRatingsResponseObject, error) {
	if err := s.store.DeleteCutScoreRatings(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteCutScoreRatings204Response{}, nil
}

func apiCutScoreRatings(ratings store.CutScoreRatings) gen.CutScoreRatingsData {
	return gen.CutScoreRatingsData{Data: gen.CutScoreRatings{
		Ratings: each(ratings.Ratings, func(rating store.CutScoreRating) gen.CutScoreRating {
			return gen.CutScoreRating{QuestionID: rating.QuestionID, Percent: rating.Percent}
		}),
		CutScore: ratings.CutScore, UpdatedAt: timeOrNull(ratings.UpdatedAt),
	}}
}
