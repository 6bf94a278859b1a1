package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// ListMemberships implements GET /v1/me/memberships.
func (s *Server) ListMemberships(
	ctx context.Context, request gen.ListMembershipsRequestObject,
) (gen.ListMembershipsResponseObject, error) {
	found, more, err := s.store.ListMemberships(ctx, scopeOf(ctx), page(request.Params.Limit, request.Params.After))
	if err != nil {
		return nil, err
	}
	next := nextLink(ctx, s.opts.BaseURL, found, more, func(m store.Membership) string { return m.ID })
	return gen.ListMemberships200JSONResponse{
		Headers: gen.ListMemberships200ResponseHeaders{Link: next},
		Body:    gen.MembershipList{Data: each(found, apiMembership)},
	}, nil
}

// SwitchOrganization implements POST /v1/me/organization.
func (s *Server) SwitchOrganization(
	ctx context.Context, request gen.SwitchOrganizationRequestObject,
) (gen.SwitchOrganizationResponseObject, error) {
	generation, err := s.path.GenerationOf(ctx, request.Body.RefreshToken)
	if err != nil {
		return nil, err
	}
	signedIn, err := s.store.SwitchOrganization(ctx, scopeOf(ctx), request.Body.OrganizationID,
		store.TokenUse{Generation: generation})
	if err != nil {
		return nil, err
	}
	return gen.SwitchOrganization200JSONResponse{Body: s.loginData(signedIn)}, nil
}

func apiMembership(m store.Membership) gen.Membership {
	return gen.Membership{
		ID: m.ID, Role: gen.Role(m.Role), Current: m.Current, JoinedAt: timestamp(m.CreatedAt),
		Organization: gen.MembershipOrganization{ID: m.OrganizationID, Name: m.OrganizationName},
	}
}
