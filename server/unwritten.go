package server

import (
	"context"

	"assay/gen"
)

func (s *Server) RetrieveRetention(
	context.Context, gen.RetrieveRetentionRequestObject,
) (gen.RetrieveRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ReplaceRetention(
	context.Context, gen.ReplaceRetentionRequestObject,
) (gen.ReplaceRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) PreviewRetention(
	context.Context, gen.PreviewRetentionRequestObject,
) (gen.PreviewRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) RetrieveAssessmentRetention(
	context.Context, gen.RetrieveAssessmentRetentionRequestObject,
) (gen.RetrieveAssessmentRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ReplaceAssessmentRetention(
	context.Context, gen.ReplaceAssessmentRetentionRequestObject,
) (gen.ReplaceAssessmentRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) DeleteAssessmentRetention(
	context.Context, gen.DeleteAssessmentRetentionRequestObject,
) (gen.DeleteAssessmentRetentionResponseObject, error) {
	panic("unwritten")
}

func (s *Server) ListLegalHolds(
	context.Context, gen.ListLegalHoldsRequestObject,
) (gen.ListLegalHoldsResponseObject, error) {
	panic("unwritten")
}

func (s *Server) CreateLegalHold(
	context.Context, gen.CreateLegalHoldRequestObject,
) (gen.CreateLegalHoldResponseObject, error) {
	panic("unwritten")
}

func (s *Server) RetrieveLegalHold(
	context.Context, gen.RetrieveLegalHoldRequestObject,
) (gen.RetrieveLegalHoldResponseObject, error) {
	panic("unwritten")
}

func (s *Server) DeleteLegalHold(
	context.Context, gen.DeleteLegalHoldRequestObject,
) (gen.DeleteLegalHoldResponseObject, error) {
	panic("unwritten")
}
