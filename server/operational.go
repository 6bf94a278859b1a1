package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"assay/gen"
)

// registerOperational adds the endpoints that are not part of the contract.
func (s *Server) registerOperational() error {
	s.echo.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	s.echo.GET("/readyz", s.ready)
	s.page("/openapi.yaml", compressed("application/yaml", gen.Document))
	s.page("/openapi.json", compressed(echo.MIMEApplicationJSON, gen.DocumentJSON))
	s.page("/openapi-3.1.json", compressed(echo.MIMEApplicationJSON, gen.DocumentJSON31))
	s.page(logoPath+":hash", s.logo)
	s.registerErrorPages()
	s.registerDocs()
	s.registerDemoMail()
	if err := s.registerUnsubscribe(); err != nil {
		return err
	}
	if err := s.registerRegistration(); err != nil {
		return err
	}
	if err := s.registerResultPage(); err != nil {
		return err
	}
	return s.registerWeb()
}

// page adds a public page.
func (s *Server) page(path string, handler echo.HandlerFunc) {
	s.echo.Match([]string{http.MethodGet, http.MethodHead}, path, s.countPage(handler))
}

// countPage applies the limit of public pages. A page can be two thousand times as
// long as the request for it. The limit is separate, so that reading pages does not
// use up the limit of anonymous requests.
func (s *Server) countPage(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := takeAll(c.Response().Header(), counted{s.limits.pages, networkOf(c)}); err != nil {
			return err
		}
		return page(c)
	}
}
