package server

import (
	"context"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
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

// logoPath is followed by the hash of an image.
const logoPath = "/logos/"

func (s *Server) logoURL(organization store.Organization) *string {
	if organization.LogoHash == nil {
		return nil
	}
	return new(s.opts.BaseURL + logoPath + *organization.LogoHash)
}

// logo serves an image to everybody. Its address is its hash, so that it can be
// cached forever.
func (s *Server) logo(c echo.Context) error {
	image, err := s.store.UnscopedLogo(c.Request().Context(), c.Param("hash"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, "image/png", image)
}
