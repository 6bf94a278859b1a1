package server

import (
	"context"
	"io"

	"assay/gen"
)

// ReplaceOrganizationLogo implements PUT /v1/organization/logo.
func (s *Server) ReplaceOrganizationLogo(
	ctx context.Context, request gen.ReplaceOrganizationLogoRequestObject,
) (gen.ReplaceOrganizationLogoResponseObject, error) {
	content, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	organization, err := s.store.ReplaceOrganizationLogo(ctx, scopeOf(ctx), content)
	if err != nil {
		return nil, err
	}
	return gen.ReplaceOrganizationLogo200JSONResponse{
		Body: gen.OrganizationData{Data: s.apiOrganization(organization)},
	}, nil
}

// DeleteOrganizationLogo implements DELETE /v1/organization/logo.
func (s *Server) DeleteOrganizationLogo(
	ctx context.Context, _ gen.DeleteOrganizationLogoRequestObject,
) (gen.DeleteOrganizationLogoResponseObject, error) {
	if err := s.store.DeleteOrganizationLogo(ctx, scopeOf(ctx)); err != nil {
		return nil, err
	}
	return gen.DeleteOrganizationLogo204Response{}, nil
}
