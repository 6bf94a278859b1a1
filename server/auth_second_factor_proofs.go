package server

import (
	"context"

	"assay/gen"
	"assay/server/pages"
)

// CompleteSignIn implements POST /v1/auth/second-factor.
func (s *Server) CompleteSignIn(
	ctx context.Context, request gen.CompleteSignInRequestObject,
) (gen.CompleteSignInResponseObject, error) {
	signedIn, err := s.store.CompleteSignIn(ctx, scopeOf(ctx), request.Body.Challenge,
		pages.Proof(request.Body.Code, request.Body.Passkey))
	if err != nil {
		return nil, err
	}
	return gen.CompleteSignIn200JSONResponse{Body: s.loginData(signedIn)}, nil
}

// CreatePasskeyOptions implements POST /v1/auth/second-factor/passkey-options.
func (s *Server) CreatePasskeyOptions(
	ctx context.Context, request gen.CreatePasskeyOptionsRequestObject,
) (gen.CreatePasskeyOptionsResponseObject, error) {
	options, err := s.store.CreatePasskeyOptions(ctx, request.Body.Challenge)
	if err != nil {
		return nil, err
	}
	return gen.CreatePasskeyOptions200JSONResponse{
		Body: gen.PasskeyOptionsData{Data: gen.PasskeyOptions{PublicKey: options}},
	}, nil
}

// Reauthenticate implements POST /v1/me/reauthentication.
func (s *Server) Reauthenticate(
	ctx context.Context, request gen.ReauthenticateRequestObject,
) (gen.ReauthenticateResponseObject, error) {
	proof := pages.Proof(request.Body.Code, request.Body.Passkey)
	if err := s.store.Reauthenticate(ctx, scopeOf(ctx), proof); err != nil {
		return nil, err
	}
	return gen.Reauthenticate204Response{}, nil
}

// CreateReauthenticationOptions implements POST /v1/me/reauthentication/passkey-options.
func (s *Server) CreateReauthenticationOptions(
	ctx context.Context, _ gen.CreateReauthenticationOptionsRequestObject,
) (gen.CreateReauthenticationOptionsResponseObject, error) {
	options, err := s.store.CreateReauthenticationOptions(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CreateReauthenticationOptions200JSONResponse{
		Body: gen.PasskeyOptionsData{Data: gen.PasskeyOptions{PublicKey: options}},
	}, nil
}
