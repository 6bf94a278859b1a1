// Package server is HTTP in, HTTP out: it checks credentials and requests
// against openapi.yaml, calls the store once per operation and maps the result.
// It decides nothing. The handlers of a tag of openapi.yaml are in the files
// that begin with the tag. A handler has the name of its operation.
package server

import (
	"context"
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

var _ gen.StrictServerInterface = (*Server)(nil)

// Options configure a Server.
type Options struct {
	Store *store.Store
	// BaseURL is the public address of the service, without a trailing slash, for the links in responses.
	BaseURL string
	// Now is the clock for the durations of requests. Deadlines and tokens use the store's clock.
	Now func() time.Time
	// Log receives one line per request, and the cause of every 5xx.
	Log *slog.Logger
	// Metrics counts requests. It may be nil.
	Metrics *Metrics
	// Tracer makes a span for each request. It is nil where traces are not exported.
	Tracer trace.Tracer
	// Ping sends a test event and returns its attempt; see webhooks.Pinger.
	Ping func(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error)
	// RateLimits bound requests on this replica. The zero value means no limits.
	RateLimits RateLimits
	// TrustedProxies are the networks whose X-Forwarded-For header is trusted.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins whose pages may call the API. The default is none.
	CORSOrigins []string
	// FrameAncestors are the origins whose pages may show the candidate page in a frame. The default is none.
	FrameAncestors []string
	// DemoMail returns the emails of the demo, newest first, for the pages below /demo/mail. It is nil in every
	// other service, which has no such pages.
	DemoMail func() []DemoEmail
	// AnswersHost reports whether requests for a host, with or without a port, are answered. It is nil in every service
	// but the demo, which needs no credential: a page whose name was rebound to this machine has another host.
	AnswersHost func(host string) bool
	// DemoSignIn signs the demo's owner in, for the page /demo/sign-in. It is nil in every other service.
	DemoSignIn func(ctx context.Context, scope store.Scope) (store.SignedIn, error)
}

// Server serves the API and its operational endpoints.
type Server struct {
	opts        Options
	store       *store.Store
	tokens      *tokens
	echo        *echo.Echo
	eventTypes  map[store.EventType]gen.EventTypeDescription
	limits      limiters
	assessments *store.ByteCache[assessmentVersion, *store.Document] // for API keys, without drafts
	draining    atomic.Bool
	readiness   readiness
	host        hostWarning
	literals    map[string]string // the Allow header of each path without a parameter

	gzipWriters sync.Pool // of *gzip.Writer, for compress
}

// New builds the server. It fails if openapi.yaml and the code disagree, for
// example if an operation names neither roles nor scopes.
func New(opts Options) (*Server, error) {
	s := &Server{opts: opts, store: opts.Store, tokens: newTokens(opts.Store.Keys(), opts.Store.Now), echo: echo.New()}

	e := s.echo
	s.host.host = baseHost(opts.BaseURL)
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.writeError
	e.JSONSerializer = checkedJSON{}
	e.IPExtractor = clientIP(opts.TrustedProxies)
	e.Use(omitBody, s.compress, s.observe, s.recoverPanics, s.checkAnswered)
	// CORS comes before exactRoute, because it answers the preflight requests.
	if len(opts.CORSOrigins) > 0 {
		exposed, err := responseHeaders()
		if err != nil {
			return nil, err
		}
		e.Use(middleware.CORSWithConfig(middleware.CORSConfig{
			Skipper: func(c echo.Context) bool { return c.Request().URL.Path == appSessionPath },
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
	e.Use(s.limitUnknown, s.exactRoute)

	var err error
	s.assessments = store.NewByteCache[assessmentVersion, *store.Document](publicDocumentsBytes)
	if s.limits, err = newLimiters(opts.RateLimits, opts.Store.Now); err != nil {
		return nil, err
	}
	if s.eventTypes, err = describeEventTypes(opts.Store.ListEventTypes()); err != nil {
		return nil, err
	}

	operations, err := newOperations()
	if err != nil {
		return nil, err
	}
	guards := make(map[string][]echo.MiddlewareFunc, len(operations))
	for _, operation := range operations {
		guards[operation.id] = []echo.MiddlewareFunc{s.guard(operation)}
	}
	gen.RegisterHandlersWithOptions(headRoutes{e}, gen.NewStrictHandler(s, nil), gen.RegisterHandlersOptions{
		OperationMiddlewares: guards,
	})
	if err := s.registerOperational(); err != nil {
		return nil, err
	}
	if err := s.registerAppSession(operations); err != nil {
		return nil, err
	}
	if err := s.registerPartners(operations); err != nil {
		return nil, err
	}

	// The last step, because it reads all routes.
	s.literals = allowedMethods(e.Routes())
	return s, nil
}

// exactRoute rejects two kinds of requests that Echo's router passes to an operation.
// The first has more segments than the route, because a parameter at the end of a
// route also matches slashes. appScreens is the only route that ends with an asterisk.
// The second is for a literal path, with a method that
// only the route with a parameter has: GET /v1/public/candidate-sessions/bulk would
// otherwise retrieve a session with the id "bulk".
func (s *Server) exactRoute(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		requested := echo.GetPath(c.Request())
		if c.Path() != appScreens && strings.Count(requested, "/") != strings.Count(c.Path(), "/") {
			return echo.ErrNotFound
		}
		if allowed, isLiteral := s.literals[requested]; isLiteral && c.Path() != requested {
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

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Drain turns readiness off and asks clients to close their connections, so that
// the shutdown that follows interrupts none.
func (s *Server) Drain() { s.draining.Store(true) }

// clientIP returns the address of a request's client. It is the peer's address
// or, if the peer is a trusted proxy, the last address in X-Forwarded-For that is
// not a trusted proxy's. Any client can forge the addresses before that one.
func clientIP(trusted []netip.Prefix) echo.IPExtractor {
	isTrusted := func(addr netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(network netip.Prefix) bool { return network.Contains(addr) })
	}
	return func(r *http.Request) string {
		addr, err := parseHop(r.RemoteAddr)
		if err != nil {
			return "" // a socket without addresses
		}
		if !isTrusted(addr) {
			return addr.String()
		}

		hops := strings.Split(strings.Join(r.Header.Values(echo.HeaderXForwardedFor), ","), ",")
		for i := len(hops) - 1; i >= 0 && isTrusted(addr); i-- {
			before, err := parseHop(hops[i])
			if err != nil {
				break // a trusted proxy writes addresses only, so this is the client's text
			}
			addr = before
		}
		return addr.String()
	}
}

// parseHop parses an address with or without a port, which some proxies add.
func parseHop(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	withPort, err := netip.ParseAddrPort(text)
	addr := withPort.Addr()
	if err != nil {
		addr, err = netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	}
	return addr.Unmap().WithZone(""), err
}
