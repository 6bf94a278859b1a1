package pages

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"assay/server/request"
	"assay/store"
)

// registerMedia adds the pictures in texts. They do not count for the limit of public pages: sixty candidates in one
// room load the same pictures in the same minute, and an address cannot be guessed.
func (s *site) registerMedia() {
	s.path.Add(s.media, store.MediaPath+":address", http.MethodGet, http.MethodHead)
}

// media serves a picture to everybody who knows its address. What is at an address never changes, so it can be cached
// forever.
func (s *site) media(c echo.Context) error {
	picture, err := s.store.UnscopedMedia(c.Request().Context(), c.Param("address"))
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	header.Set(echo.HeaderContentType, picture.ContentType)
	header.Set("ETag", `"`+picture.Hash+`"`)
	if request.NamesTag(c.Request().Header.Get("If-None-Match"), header.Get("ETag")) {
		return c.NoContent(http.StatusNotModified)
	}
	return whole(c, picture.ContentType, picture.Content)
}
