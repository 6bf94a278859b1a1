package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListReviewStates implements GET /v1/review-states.
func (s *Server) ListReviewStates(
	ctx context.Context, _ gen.ListReviewStatesRequestObject,
) (gen.ListReviewStatesResponseObject, error) {
	list, err := s.store.ListReviewStates(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListReviewStates200JSONResponse{Body: apiReviewStates(list)}, nil
}

// ListPublicReviewStates implements GET /v1/public/review-states.
func (s *Server) ListPublicReviewStates(
	ctx context.Context, _ gen.ListPublicReviewStatesRequestObject,
) (gen.ListPublicReviewStatesResponseObject, error) {
	list, err := s.store.ListPublicReviewStates(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListPublicReviewStates200JSONResponse{Body: apiReviewStates(list)}, nil
}

// ReplaceReviewStates implements PUT /v1/review-states.
func (s *Server) ReplaceReviewStates(
	ctx context.Context, request gen.ReplaceReviewStatesRequestObject,
) (gen.ReplaceReviewStatesResponseObject, error) {
	list, err := s.store.ReplaceReviewStates(ctx, scopeOf(ctx), store.ReviewStatesChange{
		Version: request.Body.Version,
		States: each(request.Body.States, func(state gen.ReviewStateInput) store.ReviewState {
			return store.ReviewState{ID: orZero(state.ID), Name: state.Name, Archived: orZero(state.Archived)}
		}),
	})
	if err != nil {
		return nil, err
	}
	return gen.ReplaceReviewStates200JSONResponse{Body: apiReviewStates(list)}, nil
}

// RetrieveReview implements GET /v1/candidate-sessions/{id}/review.
func (s *Server) RetrieveReview(
	ctx context.Context, request gen.RetrieveReviewRequestObject,
) (gen.RetrieveReviewResponseObject, error) {
	review, err := s.store.RetrieveReview(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveReview200JSONResponse{Body: apiReview(review)}, nil
}

// RetrievePublicReview implements GET /v1/public/candidate-sessions/{id}/review.
func (s *Server) RetrievePublicReview(
	ctx context.Context, request gen.RetrievePublicReviewRequestObject,
) (gen.RetrievePublicReviewResponseObject, error) {
	review, err := s.store.RetrievePublicReview(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicReview200JSONResponse{Body: apiReview(review)}, nil
}

// ChangeReviewState implements PUT /v1/candidate-sessions/{id}/review/state.
func (s *Server) ChangeReviewState(
	ctx context.Context, request gen.ChangeReviewStateRequestObject,
) (gen.ChangeReviewStateResponseObject, error) {
	review, err := s.store.ChangeReviewState(ctx, scopeOf(ctx), request.ID, storeStateChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ChangeReviewState200JSONResponse{Body: apiReview(review)}, nil
}

// ChangePublicReviewState implements PUT /v1/public/candidate-sessions/{id}/review/state.
func (s *Server) ChangePublicReviewState(
	ctx context.Context, request gen.ChangePublicReviewStateRequestObject,
) (gen.ChangePublicReviewStateResponseObject, error) {
	review, err := s.store.ChangePublicReviewState(ctx, scopeOf(ctx), request.ID, storeStateChange(request.Body))
	if err != nil {
		return nil, err
	}
	return gen.ChangePublicReviewState200JSONResponse{Body: apiReview(review)}, nil
}

func storeStateChange(body *gen.ReviewStatePut) store.StateChange {
	return store.StateChange{
		StateID: body.StateID, From: body.From, Reason: body.Reason, Email: storeReviewEmail(body.Email),
	}
}

func apiReviewStates(list store.ReviewStates) gen.ReviewStatesData {
	return gen.ReviewStatesData{Data: gen.ReviewStates{Version: list.Version, States: each(list.States, apiReviewState)}}
}

func apiReviewState(state store.ReviewState) gen.ReviewState {
	return gen.ReviewState{ID: state.ID, Name: state.Name, Archived: state.Archived}
}

func apiReview(review store.Review) gen.ReviewData {
	return gen.ReviewData{Data: gen.Review{
		SessionID: review.SessionID, State: apiReviewState(review.State), Tags: review.Tags, Rating: review.Rating,
		Ratings: each(review.Ratings, apiReviewRating),
		Changes: each(review.Changes, func(change store.ReviewChange) gen.ReviewChange {
			return gen.ReviewChange{
				ID: change.ID, From: gen.ReviewStateRef{ID: change.FromID, Name: change.FromName},
				To: gen.ReviewStateRef{ID: change.ToID, Name: change.ToName}, Reason: change.Reason,
				CreatedBy: apiReviewAuthor(change.ReviewAuthor), CreatedAt: timestamp(change.CreatedAt),
				Email: apiReviewEmail(change.Email),
			}
		}),
		Comments: each(review.Comments, apiReviewComment),
	}}
}

func apiReviewAuthor(author store.ReviewAuthor) gen.ReviewAuthor {
	return gen.ReviewAuthor{Type: string(author.Type), ID: author.ActorID, Name: author.Name}
}
