package server

import (
	"context"

	"assay/gen"
)

// SendEmailConfirmation implements POST /v1/me/email-confirmation.
func (s *Server) SendEmailConfirmation(
	ctx context.Context, _ gen.SendEmailConfirmationRequestObject,
) (gen.SendEmailConfirmationResponseObject, error) {
	if err := s.store.SendEmailConfirmation(ctx, scopeOf(ctx)); err != nil {
		return nil, err
	}
	return gen.SendEmailConfirmation202Response{}, nil
}

// ConfirmEmail implements PUT /v1/me/email-confirmation.
func (s *Server) ConfirmEmail(
	ctx context.Context, request gen.ConfirmEmailRequestObject,
) (gen.ConfirmEmailResponseObject, error) {
	if err := s.store.ConfirmEmail(ctx, scopeOf(ctx), request.Body.Token); err != nil {
		return nil, err
	}
	return gen.ConfirmEmail204Response{}, nil
}
