package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListReviewTags implements GET /v1/review-tags.
func (s *Server) ListReviewTags(
	ctx context.Context, _ gen.ListReviewTagsRequestObject,
) (gen.ListReviewTagsResponseObject, error) {
	tags, err := s.store.ListReviewTags(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListReviewTags200JSONResponse{Body: apiReviewTags(tags)}, nil
}

// ListPublicReviewTags implements GET /v1/public/review-tags.
func (s *Server) ListPublicReviewTags(
	ctx context.Context, _ gen.ListPublicReviewTagsRequestObject,
) (gen.ListPublicReviewTagsResponseObject, error) {
	tags, err := s.store.ListPublicReviewTags(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListPublicReviewTags200JSONResponse{Body: apiReviewTags(tags)}, nil
}

// ChangeReviewTags implements PATCH /v1/candidate-sessions/{id}/review/tags.
func (s *Server) ChangeReviewTags(
	ctx context.Context, request gen.ChangeReviewTagsRequestObject,
) (gen.ChangeReviewTagsResponseObject, error) {
	review, err := s.store.ChangeReviewTags(ctx, scopeOf(ctx), request.ID, storeTagsChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ChangeReviewTags200JSONResponse{Body: apiReview(review)}, nil
}

// ChangePublicReviewTags implements PATCH /v1/public/candidate-sessions/{id}/review/tags.
func (s *Server) ChangePublicReviewTags(
	ctx context.Context, request gen.ChangePublicReviewTagsRequestObject,
) (gen.ChangePublicReviewTagsResponseObject, error) {
	review, err := s.store.ChangePublicReviewTags(ctx, scopeOf(ctx), request.ID, storeTagsChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ChangePublicReviewTags200JSONResponse{Body: apiReview(review)}, nil
}

func storeTagsChange(body *gen.ReviewTagsPatch) store.TagsChange {
	return store.TagsChange{Add: body.Add, Remove: body.Remove}
}

func apiReviewTags(tags []store.ReviewTag) gen.ReviewTagCatalogue {
	return gen.ReviewTagCatalogue{Data: each(tags, func(tag store.ReviewTag) gen.ReviewTag {
		return gen.ReviewTag{Name: tag.Name, Count: tag.Count}
	})}
}
