package pages

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"assay/store"
)

// logoPath is followed by the hash of an image.
const logoPath = "/logos/"

// LogoURL returns the address of an organization's logo, or nil without one.
func LogoURL(baseURL string, organization store.Organization) *string {
	if organization.LogoHash == nil {
		return nil
	}
	return new(baseURL + logoPath + *organization.LogoHash)
}

// logo serves an image to everybody. Its address is its hash, so that it can be
// cached forever.
func (s *site) logo(c echo.Context) error {
	image, err := s.store.UnscopedLogo(c.Request().Context(), c.Param("hash"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, "image/png", image)
}
