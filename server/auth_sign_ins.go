package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListSignIns implements GET /v1/me/sign-ins.
func (s *Server) ListSignIns(
	ctx context.Context, request gen.ListSignInsRequestObject,
) (gen.ListSignInsResponseObject, error) {
	signIns, more, err := s.store.ListSignIns(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, signIns, more, func(signIn store.SignIn) string { return signIn.ID })
	return gen.ListSignIns200JSONResponse{
		Headers: gen.ListSignIns200ResponseHeaders{Link: next}, Body: gen.SignInList{Data: each(signIns, apiSignIn)},
	}, nil
}

// EndSignIns implements DELETE /v1/me/sign-ins.
func (s *Server) EndSignIns(
	ctx context.Context, _ gen.EndSignInsRequestObject,
) (gen.EndSignInsResponseObject, error) {
	if err := s.store.EndSignIns(ctx, scopeOf(ctx)); err != nil {
		return nil, err
	}
	return gen.EndSignIns204Response{}, nil
}

// EndSignIn implements DELETE /v1/me/sign-ins/{id}.
func (s *Server) EndSignIn(
	ctx context.Context, request gen.EndSignInRequestObject,
) (gen.EndSignInResponseObject, error) {
	if err := s.store.EndSignIn(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.EndSignIn204Response{}, nil
}

func apiSignIn(signIn store.SignIn) gen.SignIn {
	return gen.SignIn{
		ID: signIn.ID, Current: signIn.Current, IP: nullIfEmpty(signIn.IP), UserAgent: nullIfEmpty(signIn.UserAgent),
		CreatedAt: timestamp(signIn.CreatedAt), LastUsedAt: timestamp(signIn.LastUsedAt),
		ExpiresAt: timestamp(signIn.ExpiresAt),
	}
}
