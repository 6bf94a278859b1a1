package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ReplaceReviewRating implements PUT /v1/candidate-sessions/{id}/review/rating.
func (s *Server) ReplaceReviewRating(
	ctx context.Context, request gen.ReplaceReviewRatingRequestObject,
) (gen.ReplaceReviewRatingResponseObject, error) {
	review, err := s.store.ReplaceReviewRating(ctx, scopeOf(ctx), request.ID, request.Body.Rating)
	if err != nil {
		return nil, err
	}
	return gen.ReplaceReviewRating200JSONResponse{Body: apiReview(review)}, nil
}

// ReplacePublicReviewRating implements PUT /v1/public/candidate-sessions/{id}/review/rating.
func (s *Server) ReplacePublicReviewRating(
	ctx context.Context, request gen.ReplacePublicReviewRatingRequestObject,
) (gen.ReplacePublicReviewRatingResponseObject, error) {
	review, err := s.store.ReplacePublicReviewRating(ctx, scopeOf(ctx), request.ID, request.Body.Rating)
	if err != nil {
		return nil, err
	}
	return gen.ReplacePublicReviewRating200JSONResponse{Body: apiReview(review)}, nil
}

// DeleteReviewRating implements DELETE /v1/candidate-sessions/{id}/review/rating.
func (s *Server) DeleteReviewRating(
	ctx context.Context, request gen.DeleteReviewRatingRequestObject,
) (gen.DeleteReviewRatingResponseObject, error) {
	if err := s.store.DeleteReviewRating(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteReviewRating204Response{}, nil
}

// DeletePublicReviewRating implements DELETE /v1/public/candidate-sessions/{id}/review/rating.
func (s *Server) DeletePublicReviewRating(
	ctx context.Context, request gen.DeletePublicReviewRatingRequestObject,
) (gen.DeletePublicReviewRatingResponseObject, error) {
	if err := s.store.DeletePublicReviewRating(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeletePublicReviewRating204Response{}, nil
}

func apiReviewRating(rating store.ReviewRating) gen.ReviewRating {
	return gen.ReviewRating{
		Rating: rating.Rating, CreatedBy: apiReviewAuthor(rating.ReviewAuthor), UpdatedAt: timestamp(rating.UpdatedAt),
	}
}
