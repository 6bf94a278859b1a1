package server

import (
	"context"
	"errors"

	"assay/gen"
)

// RetrieveOpenDecision implements GET /v1/candidate-sessions/{id}/open-decision.
func (s *Server) RetrieveOpenDecision(
	_ context.Context, _ gen.RetrieveOpenDecisionRequestObject,
) (gen.RetrieveOpenDecisionResponseObject, error) {
	return nil, errors.New("TODO")
}

// RuleCandidateSession implements POST /v1/candidate-sessions/{id}/rulings.
func (s *Server) RuleCandidateSession(
	_ context.Context, _ gen.RuleCandidateSessionRequestObject,
) (gen.RuleCandidateSessionResponseObject, error) {
	return nil, errors.New("TODO")
}
