// Package request is the path of every request: ids and log lines, credentials, limits, validation against the
// contract, strict JSON, idempotency, compression, and the responses to errors. It knows the operations of the
// contract, and no tag: the handlers and the pages are above it.
package request

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"go.opentelemetry.io/otel/trace"

	"assay/gen"
	"assay/store"
)

// Options configure a Path. server.Options documents the fields.
type Options struct {
	Store          *store.Store
	BaseURL        string
	Now            func() time.Time
	Log            *slog.Logger
	Metrics        *Metrics
	Tracer         trace.Tracer
	RateLimits     RateLimits
	TrustedProxies []netip.Prefix
	CORSOrigins    []string
	AnswersHost    func(host string) bool
	// NoCORS are the addresses that are not for pages of other origins.
	NoCORS []string
}

// Path is the path of every request, from its id to its handler. It has the routes.
type Path struct {
	opts       Options
	store      *store.Store
	tokens     *tokens
	echo       *echo.Echo
	operations map[string]*Operation // of openapi.yaml, by operationId
	limits     limiters
	files      filePlaces
	draining   atomic.Bool
	readiness  readiness
	host       hostWarning
	literals   func() map[string]string // the Allow header of each path without a parameter

	gzipWriters sync.Pool // of *gzip.Writer, for compress
}

// New returns a path without routes. It fails if an operation of openapi.yaml lacks what the path must know of it,
// for example if it names neither roles nor scopes.
func New(opts Options) (*Path, error) {
	p := &Path{
		opts: opts, store: opts.Store, tokens: newTokens(opts.Store.Keys(), opts.Store.Now), echo: echo.New(),
		operations: map[string]*Operation{}, files: filePlaces{of: map[string]int{}},
	}
	e := p.echo
	p.literals = sync.OnceValue(func() map[string]string { return allowedMethods(p.Routes()) })
	p.host.host = baseHost(opts.BaseURL)
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = p.writeError
	e.JSONSerializer = checkedJSON{}
	e.IPExtractor = clientIP(opts.TrustedProxies)
	e.Use(omitBody, p.compress, p.observe, p.recoverPanics, p.checkAnswered)
	// CORS comes before exactRoute, because it answers the preflight requests.
	if len(opts.CORSOrigins) > 0 {
		exposed, err := responseHeaders()
		if err != nil {
			return nil, err
		}
		e.Use(middleware.CORSWithConfig(middleware.CORSConfig{
			Skipper: func(c echo.Context) bool { return slices.Contains(opts.NoCORS, c.Request().URL.Path) },
			// Not AllowOrigins, which interprets * and ? as patterns.
			AllowOriginFunc: func(origin string) (bool, error) { return slices.Contains(opts.CORSOrigins, origin), nil },
			AllowHeaders: []string{
				echo.HeaderAuthorization, echo.HeaderContentType, "Idempotency-Key", "If-Match", "If-None-Match",
			},
			AllowMethods:  []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
			ExposeHeaders: exposed,
			MaxAge:        3600,
		}))
	}
	e.Use(p.limitUnknown, p.exactRoute)

	var err error
	if p.limits, err = newLimiters(opts.RateLimits, opts.Store.Now); err != nil {
		return nil, err
	}
	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", p.ready)
	operations, err := newOperations()
	for i := range operations {
		p.operations[operations[i].id] = &operations[i]
	}
	return p, err
}

// Operations adds the routes of all operations of openapi.yaml, each with its checks.
func (p *Path) Operations(handlers gen.StrictServerInterface) {
	guards := make(map[string][]echo.MiddlewareFunc, len(p.operations))
	for id, operation := range p.operations {
		guards[id] = []echo.MiddlewareFunc{p.guard(operation)}
	}
	gen.RegisterHandlersWithOptions(headRoutes{p.echo}, gen.NewStrictHandler(handlers, nil),
		gen.RegisterHandlersOptions{OperationMiddlewares: guards})
}

// Add adds a route that is no operation of openapi.yaml, and has no limit of its own.
func (p *Path) Add(handler echo.HandlerFunc, path string, methods ...string) {
	p.echo.Match(methods, path, handler)
}

// Page adds a public page.
func (p *Path) Page(path string, handler echo.HandlerFunc) {
	p.Add(p.countPage(handler), path, http.MethodGet, http.MethodHead)
}

// Form adds the address that the form of a public page is sent to.
func (p *Path) Form(path string, handler echo.HandlerFunc) {
	p.Add(p.countPage(handler), path, http.MethodPost)
}

// countPage applies the limit of public pages. A page can be two thousand times as
// long as the request for it. The limit is separate, so that reading pages does not
// use up the limit of anonymous requests.
func (p *Path) countPage(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := takeAll(c.Response().Header(), counted{p.limits.pages, networkOf(c)}); err != nil {
			return err
		}
		return page(c)
	}
}

// Routes returns all routes.
func (p *Path) Routes() []*echo.Route { return p.echo.Routes() }

// ServeHTTP implements http.Handler.
func (p *Path) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.echo.ServeHTTP(w, r) }

// Drain turns readiness off and asks clients to close their connections, so that
// the shutdown that follows interrupts none.
func (p *Path) Drain() { p.draining.Store(true) }

// exactRoute rejects two kinds of requests that Echo's router passes to an operation.
// The first has more segments than the route, because a parameter at the end of a
// route also matches slashes. Only an asterisk matches any number of segments.
// The second is for a literal path, with a method that only the route with a parameter
// has: GET /v1/public/candidate-sessions/bulk would otherwise retrieve a session with the
// id "bulk".
func (p *Path) exactRoute(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		requested, route := echo.GetPath(c.Request()), c.Path()
		if !strings.HasSuffix(route, "*") && strings.Count(requested, "/") != strings.Count(route, "/") {
			return echo.ErrNotFound
		}
		if allowed, isLiteral := p.literals()[requested]; isLiteral && route != requested {
			c.Response().Header().Set(echo.HeaderAllow, allowed)
			return echo.ErrMethodNotAllowed
		}
		return next(c)
	}
}

// allowedMethods returns the Allow header of each route without a parameter.
func allowedMethods(routes []*echo.Route) map[string]string {
	allowed := map[string]string{}
	for _, route := range routes {
		if strings.Contains(route.Path, ":") {
			continue
		}
		if allowed[route.Path] == "" {
			allowed[route.Path] = http.MethodOptions
		}
		allowed[route.Path] += ", " + route.Method
	}
	return allowed
}
