package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"assay/gen"
)

// readyTimeout bounds how long /readyz waits for the database.
const readyTimeout = 2 * time.Second

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

// ready responds with 200 if the database is reachable and migrated, and the
// server is not shutting down. It asks the database, so each network has a limit.
// /healthz has none: it costs less than counting.
func (s *Server) ready(c echo.Context) error {
	if err := takeAll(c.Response().Header(), counted{s.limits.probes, networkOf(c)}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTimeout)
	defer cancel()
	err := errors.New("shutting down")
	if !s.draining.Load() {
		err = s.store.Ready(ctx)
	}
	if err != nil {
		s.opts.Log.WarnContext(ctx, "not ready", "error", err)
		return &fault{
			status: http.StatusServiceUnavailable, code: gen.ErrorCodeUnavailable, detail: "The service is not ready.",
		}
	}
	return c.String(http.StatusOK, "ready\n")
}
