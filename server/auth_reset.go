package server

import (
	"context"

	"assay/gen"
)

// ForgotPassword implements POST /v1/auth/forgot-password.
func (s *Server) ForgotPassword(
	ctx context.Context, request gen.ForgotPasswordRequestObject,
) (gen.ForgotPasswordResponseObject, error) {
	if err := s.store.ForgotPassword(ctx, scopeOf(ctx), request.Body.Email); err != nil {
		return nil, err
	}
	return gen.ForgotPassword202Response{}, nil
}

// ResetPassword implements POST /v1/auth/reset-password.
func (s *Server) ResetPassword(
	ctx context.Context, request gen.ResetPasswordRequestObject,
) (gen.ResetPasswordResponseObject, error) {
	if _, err := s.store.ResetPassword(ctx, scopeOf(ctx), request.Body.Token, request.Body.Password); err != nil {
		return nil, err
	}
	return gen.ResetPassword204Response{}, nil
}
