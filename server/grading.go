package server

import (
	"context"
	"errors"

	"assay/gen"
)

// RetrieveGradingQueue implements its operation.
func (s *Server) RetrieveGradingQueue(
	_ context.Context, _ gen.RetrieveGradingQueueRequestObject,
) (gen.RetrieveGradingQueueResponseObject, error) {
	return nil, errors.New("TODO")
}

// ClaimAnswer implements its operation.
func (s *Server) ClaimAnswer(
	_ context.Context, _ gen.ClaimAnswerRequestObject,
) (gen.ClaimAnswerResponseObject, error) {
	return nil, errors.New("TODO")
}

// SaveClaimDraft implements its operation.
func (s *Server) SaveClaimDraft(
	_ context.Context, _ gen.SaveClaimDraftRequestObject,
) (gen.SaveClaimDraftResponseObject, error) {
	return nil, errors.New("TODO")
}

// GradeClaim implements its operation.
func (s *Server) GradeClaim(
	_ context.Context, _ gen.GradeClaimRequestObject,
) (gen.GradeClaimResponseObject, error) {
	return nil, errors.New("TODO")
}

// ReleaseClaim implements its operation.
func (s *Server) ReleaseClaim(
	_ context.Context, _ gen.ReleaseClaimRequestObject,
) (gen.ReleaseClaimResponseObject, error) {
	return nil, errors.New("TODO")
}

// UndoClaim implements its operation.
func (s *Server) UndoClaim(
	_ context.Context, _ gen.UndoClaimRequestObject,
) (gen.UndoClaimResponseObject, error) {
	return nil, errors.New("TODO")
}

// RetrieveGradingAgreement implements its operation.
func (s *Server) RetrieveGradingAgreement(
	_ context.Context, _ gen.RetrieveGradingAgreementRequestObject,
) (gen.RetrieveGradingAgreementResponseObject, error) {
	return nil, errors.New("TODO")
}
