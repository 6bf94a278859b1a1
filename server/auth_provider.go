package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// StartProviderSignIn implements POST /v1/auth/sign-in-provider.
func (s *Server) StartProviderSignIn(
	ctx context.Context, request gen.StartProviderSignInRequestObject,
) (gen.StartProviderSignInResponseObject, error) {
	address, err := s.store.StartProviderSignIn(ctx, scopeOf(ctx), request.Body.Email)
	if err != nil {
		return nil, err
	}
	return gen.StartProviderSignIn200JSONResponse{
		Body: gen.ProviderStartData{Data: gen.ProviderStart{StartURL: address}},
	}, nil
}

// RetrieveSignInProvider implements GET /v1/organization/sign-in-provider.
func (s *Server) RetrieveSignInProvider(
	ctx context.Context, _ gen.RetrieveSignInProviderRequestObject,
) (gen.RetrieveSignInProviderResponseObject, error) {
	provider, err := s.store.RetrieveSignInProvider(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveSignInProvider200JSONResponse{
		Body: gen.SignInProviderData{Data: s.apiProvider(ctx, provider)},
	}, nil
}

// ReplaceSignInProvider implements PUT /v1/organization/sign-in-provider.
func (s *Server) ReplaceSignInProvider(
	ctx context.Context, request gen.ReplaceSignInProviderRequestObject,
) (gen.ReplaceSignInProviderResponseObject, error) {
	in := request.Body
	settings := store.ProviderSettings{
		Issuer: in.Issuer, ClientID: in.ClientID, ClientSecret: in.ClientSecret, Scopes: in.Scopes,
		Required: in.Required != nil && *in.Required, CreateMembers: in.CreateMembers != nil && *in.CreateMembers, DefaultRole: store.Member,
	}
	if in.DefaultRole != nil {
		settings.DefaultRole = store.Role(*in.DefaultRole)
	}
	if claim, err := in.RoleClaim.Get(); err == nil {
		settings.RoleClaim = &claim
	}
	for _, mapping := range in.Roles {
		settings.Roles = append(settings.Roles, store.ProviderRole{Value: mapping.Value, Role: store.Role(mapping.Role)})
	}
	provider, err := s.store.ReplaceSignInProvider(ctx, scopeOf(ctx), settings)
	if err != nil {
		return nil, err
	}
	return gen.ReplaceSignInProvider200JSONResponse{
		Body: gen.SignInProviderData{Data: s.apiProvider(ctx, provider)},
	}, nil
}

// DeleteSignInProvider implements DELETE /v1/organization/sign-in-provider.
func (s *Server) DeleteSignInProvider(
	ctx context.Context, _ gen.DeleteSignInProviderRequestObject,
) (gen.DeleteSignInProviderResponseObject, error) {
	if err := s.store.DeleteSignInProvider(ctx, scopeOf(ctx)); err != nil {
		return nil, err
	}
	return gen.DeleteSignInProvider204Response{}, nil
}

// CreateSignInRecoveryCodes implements POST /v1/organization/sign-in-recovery-codes.
func (s *Server) CreateSignInRecoveryCodes(
	ctx context.Context, _ gen.CreateSignInRecoveryCodesRequestObject,
) (gen.CreateSignInRecoveryCodesResponseObject, error) {
	codes, err := s.store.CreateSignInRecoveryCodes(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.CreateSignInRecoveryCodes200JSONResponse{
		Body: gen.RecoveryCodesData{Data: gen.RecoveryCodes{Codes: codes}},
	}, nil
}

// ListSignInDomains implements GET /v1/organization/domains.
func (s *Server) ListSignInDomains(
	ctx context.Context, _ gen.ListSignInDomainsRequestObject,
) (gen.ListSignInDomainsResponseObject, error) {
	domains, err := s.store.ListSignInDomains(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.ListSignInDomains200JSONResponse{Body: gen.SignInDomainCatalogue{Data: each(domains, apiDomain)}}, nil
}

// CreateSignInDomain implements POST /v1/organization/domains.
func (s *Server) CreateSignInDomain(
	ctx context.Context, request gen.CreateSignInDomainRequestObject,
) (gen.CreateSignInDomainResponseObject, error) {
	domain, err := s.store.CreateSignInDomain(ctx, scopeOf(ctx), request.Body.Domain)
	if err != nil {
		return nil, err
	}
	return gen.CreateSignInDomain200JSONResponse{Body: gen.SignInDomainData{Data: apiDomain(domain)}}, nil
}

// DeleteSignInDomain implements DELETE /v1/organization/domains/{id}.
func (s *Server) DeleteSignInDomain(
	ctx context.Context, request gen.DeleteSignInDomainRequestObject,
) (gen.DeleteSignInDomainResponseObject, error) {
	if err := s.store.DeleteSignInDomain(ctx, scopeOf(ctx), request.ID); err != nil {
		return nil, err
	}
	return gen.DeleteSignInDomain204Response{}, nil
}

// VerifySignInDomain implements POST /v1/organization/domains/{id}/verify.
func (s *Server) VerifySignInDomain(
	ctx context.Context, request gen.VerifySignInDomainRequestObject,
) (gen.VerifySignInDomainResponseObject, error) {
	domain, err := s.store.VerifySignInDomain(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return gen.VerifySignInDomain200JSONResponse{Body: gen.SignInDomainData{Data: apiDomain(domain)}}, nil
}

func (s *Server) apiProvider(ctx context.Context, provider store.SignInProvider) gen.SignInProvider {
	out := gen.SignInProvider{
		Scopes: provider.Scopes(), Required: provider.Required, CreateMembers: provider.CreateMembers,
		DefaultRole: gen.ProviderRole(provider.DefaultRole), RoleClaim: provider.RoleClaim,
		Roles: each(provider.Roles, func(mapping store.ProviderRole) gen.ProviderRoleMapping {
			return gen.ProviderRoleMapping{Value: mapping.Value, Role: gen.ProviderRole(mapping.Role)}
		}),
		CallbackURL: s.store.ProviderCallbackURL(), StartURL: s.store.ProviderStartURL(scopeOf(ctx).OrganizationID),
		RecoveryCodesLeft: provider.RecoveryLeft, LastSucceededAt: timeOrNull(provider.LastSucceededAt),
	}
	if provider.ID != "" {
		out.Issuer, out.ClientID = &provider.Issuer, &provider.ClientID
	}
	return out
}

func apiDomain(domain store.SignInDomain) gen.SignInDomain {
	state := gen.DomainStatePENDING
	if domain.VerifiedAt != nil {
		state = gen.DomainStateVERIFIED
	}
	return gen.SignInDomain{
		ID: domain.ID, Domain: domain.Domain, State: state, TxtName: domain.Domain, TxtValue: domain.TXT,
		VerifiedAt: timeOrNull(domain.VerifiedAt), CreatedAt: store.WireTime(domain.CreatedAt.Time),
	}
}
