// Package server is HTTP in, HTTP out: it checks credentials and requests
// against openapi.yaml, calls the store once per operation and maps what comes
// back. It decides nothing. There is one file of handlers per tag of
// openapi.yaml; a handler has its operation's name.
package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"assay/gen"
	"assay/store"
)

var _ gen.StrictServerInterface = (*Server)(nil)

// Options are what a Server is made with.
type Options struct {
	Store *store.Store
	// BaseURL is the service's address without a trailing slash, for the links in responses.
	BaseURL string
	// Now is the clock that requests are timed with; the rules of time go by the store's.
	Now func() time.Time
	// Log receives one line per request, and the cause of every 5xx.
	Log *slog.Logger
	// Metrics counts requests; nil counts none.
	Metrics *Metrics
	// Ping sends a test event and returns what came back; see webhooks.Pinger.
	Ping func(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error)
	// RateLimits bound requests on this replica; the zero value does not.
	RateLimits RateLimits
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins whose pages may call the API; none by default.
	CORSOrigins []string
}

// Server answers the API and its operational endpoints.
type Server struct {
	opts       Options
	store      *store.Store
	tokens     *tokens
	echo       *echo.Echo
	eventTypes []gen.EventTypeDescription
	limits     limiters
	stages     *lru.Cache[string, json.RawMessage] // of published assessments, by id
	draining   atomic.Bool
	literals   map[string]string // the Allow header of each path without a parameter
}

// New builds the server. It fails when openapi.yaml and the code disagree, for
// instance over an operation that names neither roles nor scopes.
func New(opts Options) (*Server, error) {
	s := &Server{opts: opts, store: opts.Store, tokens: newTokens(opts.Store.Keys(), opts.Store.Now), echo: echo.New()}
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.writeError
	e.IPExtractor = clientIP(opts.TrustedProxies)
	e.Use(s.observe, s.recoverPanics)
	if len(opts.CORSOrigins) > 0 {
		e.Use(middleware.CORSWithConfig(middleware.CORSConfig{
			// Not AllowOrigins, which takes * and ? for patterns.
			AllowOriginFunc: func(origin string) (bool, error) { return slices.Contains(opts.CORSOrigins, origin), nil },
			AllowHeaders:    []string{echo.HeaderAuthorization, echo.HeaderContentType, "Idempotency-Key"},
			AllowMethods:    []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
			ExposeHeaders: []string{
				echo.HeaderXRequestID, echo.HeaderLocation, "Link", echo.HeaderRetryAfter, "RateLimit", "RateLimit-Policy", "Idempotency-Replayed",
			},
			MaxAge: 3600,
		}))
	}
	e.Use(s.exactRoute)

	var err error
	if s.stages, err = lru.New[string, json.RawMessage](publicStagesCacheSize); err != nil {
		return nil, err
	}
	if s.limits, err = newLimiters(opts.RateLimits, opts.Store.Now); err != nil {
		return nil, err
	}
	if s.eventTypes, err = eventTypeCatalogue(); err != nil {
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
	gen.RegisterHandlersWithOptions(e, gen.NewStrictHandler(s, nil), gen.RegisterHandlersOptions{OperationMiddlewares: guards})
	s.registerOperational()
	s.literals = allowedMethods(e.Routes())
	return s, nil
}

// exactRoute rejects two requests that Echo's router passes to an operation: one
// with more segments than the route, because a parameter at its end also takes
// slashes, and one for a literal path with a method of the parameter beside it.
// GET /v1/public/candidate-sessions/bulk, for example, is not the session "bulk".
func (s *Server) exactRoute(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		requested := echo.GetPath(c.Request())
		if strings.Count(requested, "/") != strings.Count(c.Path(), "/") {
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

// Drain turns readiness off and asks clients to close their connections, so
// that a shutdown that follows cuts none off.
func (s *Server) Drain() { s.draining.Store(true) }

// clientIP finds the address that a request came from: that of the peer, or,
// where the peer is a trusted proxy, the last in X-Forwarded-For that is no
// trusted proxy's. What stands before it anybody may have written.
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
				break // what the proxies' own notes end with
			}
			addr = before
		}
		return addr.String()
	}
}

// parseHop reads an address, with the port that some proxies write or without.
func parseHop(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	withPort, err := netip.ParseAddrPort(text)
	addr := withPort.Addr()
	if err != nil {
		addr, err = netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	}
	return addr.Unmap().WithZone(""), err
}
