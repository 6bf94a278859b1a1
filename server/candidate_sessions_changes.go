package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// UpdateCandidateSession implements PATCH /v1/candidate-sessions/{id}.
func (s *Server) UpdateCandidateSession(
	ctx context.Context, request gen.UpdateCandidateSessionRequestObject,
) (gen.UpdateCandidateSessionResponseObject, error) {
	session, err := s.store.UpdateCandidateSession(ctx, scopeOf(ctx), request.ID, store.SessionChange{
		ExpiresAt: instant(request.Body.ExpiresAt), ExtraTimePercent: request.Body.ExtraTimePercent,
		Note: change(request.Body.Note),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}

// ExtendCandidateSession implements POST /v1/candidate-sessions/{id}/extend.
func (s *Server) ExtendCandidateSession(
	ctx context.Context, request gen.ExtendCandidateSessionRequestObject,
) (gen.ExtendCandidateSessionResponseObject, error) {
	session, err := s.store.ExtendCandidateSession(ctx, scopeOf(ctx), request.ID, store.Extension{
		Minutes: request.Body.Minutes, Reason: request.Body.Reason,
	})
	if err != nil {
		return nil, err
	}
	return gen.ExtendCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}
