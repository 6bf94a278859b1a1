package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListCandidateSessionChanges implements GET /v1/candidate-sessions/changes.
func (s *Server) ListCandidateSessionChanges(
	ctx context.Context, request gen.ListCandidateSessionChangesRequestObject,
) (gen.ListCandidateSessionChangesResponseObject, error) {
	page := changesPage(request.Params.Limit, request.Params.Cursor)
	changes, err := s.store.ListCandidateSessionChanges(ctx, scopeOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListCandidateSessionChanges200JSONResponse{
		Body: s.sessionChanges(ctx, changes),
	}, nil
}

// ListPublicCandidateSessionChanges implements GET /v1/public/candidate-sessions/changes.
func (s *Server) ListPublicCandidateSessionChanges(
	ctx context.Context, request gen.ListPublicCandidateSessionChangesRequestObject,
) (gen.ListPublicCandidateSessionChangesResponseObject, error) {
	page := changesPage(request.Params.Limit, request.Params.Cursor)
	changes, err := s.store.ListPublicCandidateSessionChanges(ctx, scopeOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListPublicCandidateSessionChanges200JSONResponse{
		Body: s.sessionChanges(ctx, changes),
	}, nil
}

func (s *Server) sessionChanges(
	ctx context.Context, changes store.Changes[store.CandidateSession],
) gen.CandidateSessionChangesData {
	return gen.CandidateSessionChangesData{Data: gen.CandidateSessionChanges{
		Items: each(changes.Items, func(session store.CandidateSession) gen.CandidateSession {
			return s.apiSession(ctx, session)
		}),
		Cursor: changes.Cursor, HasMore: changes.More,
	}}
}
