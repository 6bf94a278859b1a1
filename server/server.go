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
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
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
	eventTypes map[store.EventType]gen.EventTypeDescription
	limits     limiters
	stages     *lru.Cache[string, json.RawMessage] // of published assessments, by id
	draining   atomic.Bool
	covered    map[string]string // the methods of the paths that coverParameters knows
}

// New builds the server. It fails when openapi.yaml and the code disagree, for
// instance over an operation that names neither roles nor scopes.
func New(opts Options) (*Server, error) {
	s := &Server{opts: opts, store: opts.Store, tokens: newTokens(opts.Store.Keys(), opts.Store.Now), echo: echo.New(), covered: map[string]string{}}
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
	var err error
	if s.stages, err = lru.New[string, json.RawMessage](publicStagesCacheSize); err != nil {
		return nil, err
	}
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
	gen.RegisterHandlersWithOptions(e, gen.NewStrictHandler(s, nil), gen.RegisterHandlersOptions{OperationMiddlewares: guards})
	s.registerOperational()
	s.endParameters()
	s.coverParameters()
	return s, nil
}

// endParameters keeps a parameter at the end of a route from taking what
// follows a slash as well, which Echo's router does where no route goes on.
func (s *Server) endParameters() {
	routes := s.echo.Routes()
	for _, route := range routes {
		goesOn := slices.ContainsFunc(routes, func(other *echo.Route) bool { return strings.HasPrefix(other.Path, route.Path+"/") })
		if strings.HasPrefix(path.Base(route.Path), ":") && !goesOn {
			s.echo.RouteNotFound(route.Path+"/*", func(echo.Context) error { return echo.ErrNotFound })
		}
	}
}

// coverParameters keeps a parameter from taking a name that a route beside it
// has: the name then has its own methods only.
func (s *Server) coverParameters() {
	methods := map[string][]string{} // by path
	for _, route := range s.echo.Routes() {
		methods[route.Path] = append(methods[route.Path], route.Method)
	}
	for named, own := range methods {
		for other, theirs := range methods {
			if path.Dir(named) != path.Dir(other) || !strings.HasPrefix(path.Base(other), ":") || strings.HasPrefix(path.Base(named), ":") {
				continue
			}
			allowed := strings.Join(append([]string{http.MethodOptions}, own...), ", ")
			s.covered[named] = allowed
			s.echo.OPTIONS(named, func(c echo.Context) error {
				c.Response().Header().Set(echo.HeaderAllow, allowed)
				return c.NoContent(http.StatusNoContent)
			})
			for _, method := range theirs {
				if !slices.Contains(own, method) && method != echo.RouteNotFound {
					s.echo.Add(method, named, func(echo.Context) error { return echo.ErrMethodNotAllowed })
				}
			}
		}
	}
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
