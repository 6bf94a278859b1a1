// Package pages has the public pages: the documentation, the error pages, registration, results, unsubscribing, the
// pages with browser code, and the dashboard's sign-in at SessionPath.
package pages

import (
	"context"
	"log/slog"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/openid"
	"assay/server/request"
	"assay/store"
)

// Options configure the pages. server.Options documents the fields.
type Options struct {
	Path           *request.Path
	Store          *store.Store
	BaseURL        string
	FrameAncestors []string
	DemoMail       func() []DemoEmail
	DemoSignIn     func(ctx context.Context, scope store.Scope) (store.SignedIn, error)
	Providers      *openid.Client
	Log            *slog.Logger
}

// site has the handlers of the pages.
type site struct {
	opts  Options
	path  *request.Path
	store *store.Store
}

// Register adds all pages to the path.
func Register(opts Options) error {
	s := &site{opts: opts, path: opts.Path, store: opts.Store}
	s.path.Page("/openapi.yaml", compressed("application/yaml", gen.Document))
	s.path.Page("/openapi.json", compressed(echo.MIMEApplicationJSON, gen.DocumentJSON))
	s.path.Page("/openapi-3.1.json", compressed(echo.MIMEApplicationJSON, gen.DocumentJSON31))
	s.path.Page(logoPath+":hash", s.logo)
	s.registerMedia()
	s.registerErrorPages()
	s.registerDocs()
	s.registerDemoMail()
	for _, register := range []func() error{
		s.registerUnsubscribe, s.registerRegistration, s.registerResultPage, s.registerWeb, s.registerAppSession,
	} {
		if err := register(); err != nil {
			return err
		}
	}
	return nil
}
