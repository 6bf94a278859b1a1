package server

import (
	"context"

	"assay/gen"
	"assay/store/rules"
)

// CheckAssessment implements POST /v1/assessments/{id}/check.
func (s *Server) CheckAssessment(
	ctx context.Context, request gen.CheckAssessmentRequestObject,
) (gen.CheckAssessmentResponseObject, error) {
	faults, err := s.store.CheckAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.CheckAssessment200JSONResponse{Body: gen.AssessmentCheckData{Data: gen.AssessmentCheck{
		Publishable: len(faults) == 0,
		Faults: each(faults, func(fault rules.Fault) gen.FieldError {
			return gen.FieldError{In: gen.FieldErrorInBody, Pointer: fault.Pointer, Code: fault.Code, Detail: fault.Detail}
		}),
	}}}, nil
}
