package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// CreateReviewComment implements POST /v1/candidate-sessions/{id}/review/comments.
func (s *Server) CreateReviewComment(
	ctx context.Context, request gen.CreateReviewCommentRequestObject,
) (gen.CreateReviewCommentResponseObject, error) {
	comment, err := s.store.CreateReviewComment(ctx, scopeOf(ctx), request.ID, request.Body.Text)
	if err != nil {
		return nil, err
	}
	return gen.CreateReviewComment201JSONResponse{
		Headers: gen.CreateReviewComment201ResponseHeaders{Location: commentPath(request.ID, comment)},
		Body:    gen.ReviewCommentData{Data: apiReviewComment(comment)},
	}, nil
}

// CreatePublicReviewComment implements POST /v1/public/candidate-sessions/{id}/review/comments.
func (s *Server) CreatePublicReviewComment(
	ctx context.Context, request gen.CreatePublicReviewCommentRequestObject,
) (gen.CreatePublicReviewCommentResponseObject, error) {
	comment, err := s.store.CreatePublicReviewComment(ctx, scopeOf(ctx), request.ID, request.Body.Text)
	if err != nil {
		return nil, err
	}
	return gen.CreatePublicReviewComment201JSONResponse{
		Headers: gen.CreatePublicReviewComment201ResponseHeaders{Location: commentPath(request.ID, comment)},
		Body:    gen.ReviewCommentData{Data: apiReviewComment(comment)},
	}, nil
}

// UpdateReviewComment implements PATCH /v1/candidate-sessions/{id}/review/comments/{commentId}.
func (s *Server) UpdateReviewComment(
	ctx context.Context, request gen.UpdateReviewCommentRequestObject,
) (gen.UpdateReviewCommentResponseObject, error) {
	comment, err := s.store.UpdateReviewComment(ctx, scopeOf(ctx), request.ID, request.CommentID, request.Body.Text)
	if err != nil {
		return nil, err
	}
	return gen.UpdateReviewComment200JSONResponse{Body: gen.ReviewCommentData{Data: apiReviewComment(comment)}}, nil
}

// DeleteReviewComment implements DELETE /v1/candidate-sessions/{id}/review/comments/{commentId}.
func (s *Server) DeleteReviewComment(
	ctx context.Context, request gen.DeleteReviewCommentRequestObject,
) (gen.DeleteReviewCommentResponseObject, error) {
	if err := s.store.DeleteReviewComment(ctx, scopeOf(ctx), request.ID, request.CommentID); err != nil {
		return nil, err
	}
	return gen.DeleteReviewComment204Response{}, nil
}

func commentPath(sessionID string, comment store.ReviewComment) string {
	return "/v1/candidate-sessions/" + sessionID + "/review/comments/" + comment.ID
}

func apiReviewComment(comment store.ReviewComment) gen.ReviewComment {
	return gen.ReviewComment{
		ID: comment.ID, Text: comment.Text, CreatedBy: apiReviewAuthor(comment.ReviewAuthor),
		CreatedAt: timestamp(comment.CreatedAt), EditedAt: timeOrNull(comment.EditedAt),
	}
}
