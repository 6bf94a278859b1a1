package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// RetrieveAssessmentRegistration implements GET /v1/assessments/{id}/registration.
func (s *Server) RetrieveAssessmentRegistration(
	ctx context.Context, request gen.RetrieveAssessmentRegistrationRequestObject,
) (gen.RetrieveAssessmentRegistrationResponseObject, error) {
	link, err := s.store.RetrieveAssessmentRegistration(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAssessmentRegistration200JSONResponse{Body: s.apiRegistration(link)}, nil
}

// ReplaceAssessmentRegistration implements PUT /v1/assessments/{id}/registration.
func (s *Server) ReplaceAssessmentRegistration(
	ctx context.Context, request gen.ReplaceAssessmentRegistrationRequestObject,
) (gen.ReplaceAssessmentRegistrationResponseObject, error) {
	in := request.Body
	link, err := s.store.ReplaceAssessmentRegistration(ctx, scopeOf(ctx), request.ID, store.RegistrationSettings{
		Limit: given(in.Limit), EndsAt: instant(given(in.EndsAt)), Introduction: given(in.Introduction),
		NameRequired: in.NameRequired == nil || *in.NameRequired, NewLink: in.NewLink != nil && *in.NewLink,
	})
	if err != nil {
		return nil, err
	}
	return gen.ReplaceAssessmentRegistration200JSONResponse{Body: s.apiRegistration(link)}, nil
}

// CloseAssessmentRegistration implements DELETE /v1/assessments/{id}/registration.
func (s *Server) CloseAssessmentRegistration(
	ctx context.Context, request gen.CloseAssessmentRegistrationRequestObject,
) (gen.CloseAssessmentRegistrationResponseObject, error) {
	if err := s.store.CloseAssessmentRegistration(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.CloseAssessmentRegistration204Response{}, nil
}

func (s *Server) apiRegistration(l store.RegistrationLink) gen.AssessmentRegistrationData {
	return gen.AssessmentRegistrationData{Data: gen.AssessmentRegistration{
		Open: l.IsOpen, URL: s.store.RegistrationURL(l), Limit: l.Limit, Used: l.Used, EndsAt: timeOrNull(l.EndsAt),
		NameRequired: l.NameRequired, Introduction: l.Introduction,
	}}
}
