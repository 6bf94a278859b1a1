package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveOpenDecision implements GET /v1/candidate-sessions/{id}/open-decision.
func (s *Server) RetrieveOpenDecision(
	ctx context.Context, request gen.RetrieveOpenDecisionRequestObject,
) (gen.RetrieveOpenDecisionResponseObject, error) {
	decision, err := s.store.RetrieveOpenDecision(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return storedDocument{decision, request.Params.IfNoneMatch}, nil
}

// RuleCandidateSession implements POST /v1/candidate-sessions/{id}/rulings.
func (s *Server) RuleCandidateSession(
	ctx context.Context, request gen.RuleCandidateSessionRequestObject,
) (gen.RuleCandidateSessionResponseObject, error) {
	session, err := s.store.RuleCandidateSession(ctx, scopeOf(ctx), request.ID, store.RulingInput{
		StageID: request.Body.StageID, Pass: request.Body.Decision == gen.GateRulingCreateDecisionPASS, Reason: request.Body.Reason,
	})
	if err != nil {
		return nil, err
	}
	return gen.RuleCandidateSession200JSONResponse{Body: s.sessionData(ctx, session)}, nil
}
