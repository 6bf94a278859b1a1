package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// request is the server's own data of one request. observe creates it and guard
// completes it.
type request struct {
	id        string
	operation string // of openapi.yaml; "" before its route is matched
	scope     store.Scope
	resource  string // the path parameter id of an operation
	path      string
	rawQuery  string

	local        bool // the request comes from this machine; only of a registration, see auth_local.go
	compressible bool // the response may be compressed; see compress.go
	conditional  bool // the response can be 304; see documents.go

	work *work // nil before the credential is verified, and without a limit

	items      []any                    // of a body whose items fail one by one; see items.go
	wrongItems map[int][]gen.FieldError // the errors of each invalid item, by position
}

type requestKey struct{}

// requestOf returns the request that observe has put into the context.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// scopeOf returns the scope of the request's verified credential.
func scopeOf(ctx context.Context) store.Scope { return requestOf(ctx).scope }

// observe gives every request an id, a log line and a metric, and every response
// the common headers. It logs the route and never the path or the query, which
// can contain tokens.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		started := s.opts.Now()
		r := c.Request()
		info := &request{id: s.store.NewID("req"), path: r.URL.Path, rawQuery: r.URL.RawQuery}
		ctx, span := s.trace(context.WithValue(r.Context(), requestKey{}, info), c)
		c.SetRequest(r.WithContext(ctx))

		header := c.Response().Header()
		header.Set(echo.HeaderXRequestID, info.id)
		// The time of the request, not of the response: clients continue a list of changes from it.
		header.Set("Date", started.UTC().Format(http.TimeFormat))
		setSecurity(header, s.opts.BaseURL)
		c.Response().Before(func() { // as late as possible, because a drain can begin during the request
			if s.draining.Load() {
				header.Set("Connection", "close")
			}
		})
		if err := next(c); err != nil {
			c.Error(err)
		}

		s.checkHost(c.Request().Context(), r)
		elapsed := s.opts.Now().Sub(started)
		status := c.Response().Status
		if status == http.StatusServiceUnavailable && errors.Is(r.Context().Err(), context.Canceled) {
			status = statusClientClosed
		}
		s.opts.Metrics.observe(r.Method, c.Path(), status, elapsed)
		s.logRequest(ctx, c, info, status, elapsed)
		endSpan(span, info, status)
		return nil
	}
}

// statusClientClosed is what logs and metrics show, as those of nginx, for a client that
// has disconnected. It received no response, and the service has not failed.
const statusClientClosed = 499

// setSecurity sets the headers that keep a response from being cached, embedded, or
// interpreted as another type (OWASP REST Security Cheat Sheet, "Security Headers").
func setSecurity(header http.Header, baseURL string) {
	header.Set(echo.HeaderXContentTypeOptions, "nosniff")
	header.Set("Cache-Control", "no-store")
	header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	header.Set(echo.HeaderXFrameOptions, "DENY")
	header.Set(echo.HeaderReferrerPolicy, "no-referrer")
	if strings.HasPrefix(baseURL, "https://") {
		header.Set(echo.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}

// knownMethod keeps methods that a client invents out of logs and metric labels.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recoverPanics turns a panic into a 500 and logs its stack.
func (s *Server) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if recovered := recover(); recovered != nil {
				if recovered == http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
					panic(recovered)
				}
				err = fmt.Errorf("panic: %v\n%s", recovered, debug.Stack())
			}
		}()
		return next(c)
	}
}
