package server

import (
	"context"
	"strconv"

	"assay/gen"
	"assay/store"
)

// ListResultRevisions implements GET /v1/candidate-sessions/{id}/result/revisions.
func (s *Server) ListResultRevisions(
	ctx context.Context, request gen.ListResultRevisionsRequestObject,
) (gen.ListResultRevisionsResponseObject, error) {
	revisions, err := s.store.ListResultRevisions(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.ListResultRevisions200JSONResponse{Body: gen.ResultRevisionCatalogue{
		Data: each(revisions, apiRevision),
	}}, nil
}

// RetrieveResultRevision implements GET /v1/candidate-sessions/{id}/result/revisions/{revision}.
func (s *Server) RetrieveResultRevision(
	ctx context.Context, request gen.RetrieveResultRevisionRequestObject,
) (gen.RetrieveResultRevisionResponseObject, error) {
	revision, err := strconv.Atoi(request.Revision)
	if err != nil {
		revision = 0 // there is none, as for a number that does not exist
	}
	result, err := s.store.RetrieveResultRevision(ctx, scopeOf(ctx), request.ID, revision)
	if err != nil {
		return nil, err
	}
	return storedDocument{result, request.Params.IfNoneMatch}, nil
}

func apiRevision(r store.ResultRevision) gen.ResultRevision {
	shown := gen.ResultRevision{
		Revision: r.Revision, Score: r.Result.Score, Points: r.Result.Points, MaxPoints: r.Result.MaxPoints,
		Passed: r.Result.Passed, Status: gen.SessionStatus(r.Result.Status), DecidedBy: gen.DecidedBy(r.Result.DecidedBy),
		Corrections: each(r.Result.Corrections, func(cause store.ResultCause) gen.ResultCause {
			return gen.ResultCause{
				Cause: string(cause.Cause), ID: cause.ID, QuestionID: cause.QuestionID, At: cause.WireAt(),
			}
		}),
	}
	if r.ReplacedAt != nil {
		at := store.WireTime(*r.ReplacedAt)
		shown.ReplacedAt = &at
	}
	return shown
}
