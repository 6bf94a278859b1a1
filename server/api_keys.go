package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// CreateAPIKey implements POST /v1/api-keys.
func (s *Server) CreateAPIKey(
	ctx context.Context, request gen.CreateAPIKeyRequestObject,
) (gen.CreateAPIKeyResponseObject, error) {
	key, err := s.store.CreateAPIKey(ctx, scopeOf(ctx), store.NewAPIKey{
		Name: request.Body.Name, ExpiresAt: instant(given(request.Body.ExpiresAt)),
		Scopes: each(request.Body.Scopes, func(scope gen.APIKeyScopeInput) string { return string(scope) }),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateAPIKey201JSONResponse{
		Headers: gen.CreateAPIKey201ResponseHeaders{Location: "/v1/api-keys/" + key.ID},
		Body: gen.CreatedAPIKeyData{Data: gen.CreatedAPIKey{
			ID: key.ID, Name: key.Name, Key: key.Secret, Scopes: key.Scopes(), Prefix: key.Prefix, Last4: key.Last4,
			CreatedAt: timestamp(key.CreatedAt), ExpiresAt: timeOrNull(key.ExpiresAt),
		}},
	}, nil
}

// ListAPIKeys implements GET /v1/api-keys.
func (s *Server) ListAPIKeys(
	ctx context.Context, request gen.ListAPIKeysRequestObject,
) (gen.ListAPIKeysResponseObject, error) {
	keys, more, err := s.store.ListAPIKeys(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, keys, more, func(key store.APIKey) string { return key.ID })
	return gen.ListAPIKeys200JSONResponse{
		Headers: gen.ListAPIKeys200ResponseHeaders{Link: next}, Body: gen.APIKeyList{Data: each(keys, apiKey)},
	}, nil
}

// RetrieveAPIKey implements GET /v1/api-keys/{id}.
func (s *Server) RetrieveAPIKey(
	ctx context.Context, request gen.RetrieveAPIKeyRequestObject,
) (gen.RetrieveAPIKeyResponseObject, error) {
	key, err := s.store.RetrieveAPIKey(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetrieveAPIKey200JSONResponse{Body: gen.APIKeyData{Data: apiKey(key)}}, nil
}

// RetrievePublicMe implements GET /v1/public/me.
func (s *Server) RetrievePublicMe(
	ctx context.Context, _ gen.RetrievePublicMeRequestObject,
) (gen.RetrievePublicMeResponseObject, error) {
	me, err := s.store.RetrievePublicMe(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrievePublicMe200JSONResponse{
		Body: gen.PublicMeData{Data: gen.PublicMe{
			ID: me.ID, Name: me.Name, Scopes: me.Scopes(), Prefix: me.Prefix, Last4: me.Last4,
			CreatedAt: timestamp(me.CreatedAt), ExpiresAt: timeOrNull(me.ExpiresAt),
			Organization: gen.PublicOrganization{ID: me.OrganizationID, Name: me.OrganizationName},
		}},
	}, nil
}

// RevokeAPIKey implements DELETE /v1/api-keys/{id}.
func (s *Server) RevokeAPIKey(
	ctx context.Context, request gen.RevokeAPIKeyRequestObject,
) (gen.RevokeAPIKeyResponseObject, error) {
	if err := s.store.RevokeAPIKey(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.RevokeAPIKey204Response{}, nil
}

func apiKey(key store.APIKey) gen.APIKey {
	return gen.APIKey{
		ID: key.ID, Name: key.Name, Scopes: key.Scopes(), Prefix: key.Prefix, Last4: key.Last4,
		CreatedAt: timestamp(key.CreatedAt), ExpiresAt: timeOrNull(key.ExpiresAt),
		LastUsedAt: timeOrNull(key.LastUsedAt), RevokedAt: timeOrNull(key.RevokedAt),
	}
}
