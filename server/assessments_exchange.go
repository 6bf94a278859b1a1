package server

import (
	"context"

	"assay/gen"
	"assay/server/exchange"
)

// ImportAssessment implements POST /v1/assessments/import.
func (s *Server) ImportAssessment(
	_ context.Context, _ gen.ImportAssessmentRequestObject,
) (gen.ImportAssessmentResponseObject, error) {
	return nil, exchange.ErrUnknownFormat
}

// ExportAssessment implements GET /v1/assessments/{id}/export.
func (s *Server) ExportAssessment(
	_ context.Context, _ gen.ExportAssessmentRequestObject,
) (gen.ExportAssessmentResponseObject, error) {
	return nil, exchange.ErrUnknownFormat
}

// ImportPublicAssessment implements POST /v1/public/assessments/import.
func (s *Server) ImportPublicAssessment(
	_ context.Context, _ gen.ImportPublicAssessmentRequestObject,
) (gen.ImportPublicAssessmentResponseObject, error) {
	return nil, exchange.ErrUnknownFormat
}

// ExportPublicAssessment implements GET /v1/public/assessments/{id}/export.
func (s *Server) ExportPublicAssessment(
	_ context.Context, _ gen.ExportPublicAssessmentRequestObject,
) (gen.ExportPublicAssessmentResponseObject, error) {
	return nil, exchange.ErrUnknownFormat
}
