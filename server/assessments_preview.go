package server

import (
	"context"

	"assay/gen"
)

// PreviewAssessment implements POST /v1/assessments/{id}/preview.
func (s *Server) PreviewAssessment(
	ctx context.Context, request gen.PreviewAssessmentRequestObject,
) (gen.PreviewAssessmentResponseObject, error) {
	session, err := s.store.PreviewAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.PreviewAssessment201JSONResponse{
		Headers: gen.PreviewAssessment201ResponseHeaders{Location: "/v1/candidate-sessions/" + session.ID},
		Body:    s.sessionData(ctx, session),
	}, nil
}
