package request

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

// requestData is the path's own data of one request. observe creates it and guard
// completes it.
type requestData struct {
	id        string
	operation string // of openapi.yaml; "" before its route is matched
	scope     store.Scope
	resource  string // the path parameter id of an operation
	address   string // the path
	rawQuery  string
	http      *http.Request
	path      *Path

	challenge    string // the WWW-Authenticate header of a 401; "" for that of the route
	compressible bool   // the response may be compressed; see compress.go
	conditional  bool   // the response can be 304; see documents.go

	work *work // nil before the credential is verified, and without a limit

	items      []any                    // of a body whose items fail one by one; see items.go
	wrongItems map[int][]gen.FieldError // the errors of each invalid item, by position
}

type dataKey struct{}

// dataOf returns the data of the request that has this context.
func dataOf(ctx context.Context) *requestData {
	if d, ok := ctx.Value(dataKey{}).(*requestData); ok {
		return d
	}
	return &requestData{}
}

// ScopeOf returns the scope of the request's verified credential. Without one it has only the origin of the request.
func ScopeOf(ctx context.Context) store.Scope { return dataOf(ctx).scope }

// AddressOf returns the path and the query of the request, as the client has sent them.
func AddressOf(ctx context.Context) (path, rawQuery string) {
	d := dataOf(ctx)
	return d.address, d.rawQuery
}

// observe gives every request an id, a log line and a metric, and every response
// the common headers. It logs the route and never the path or the query, which
// can contain tokens.
func (p *Path) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		started := p.opts.Now()
		r := c.Request()
		info := &requestData{
			id: p.store.NewID("req"), address: r.URL.Path, rawQuery: r.URL.RawQuery, http: r, path: p,
		}
		info.scope.Origin = store.Origin{IP: c.RealIP(), RequestID: info.id, UserAgent: userAgent(r)}
		ctx, span := p.trace(context.WithValue(r.Context(), dataKey{}, info), c)
		c.SetRequest(r.WithContext(ctx))

		header := c.Response().Header()
		header.Set(echo.HeaderXRequestID, info.id)
		// The time of the request, not of the response: clients continue a list of changes from it.
		header.Set("Date", started.UTC().Format(http.TimeFormat))
		SetSecurity(header, p.opts.BaseURL)
		c.Response().Before(func() { // as late as possible, because a drain can begin during the request
			if p.draining.Load() {
				header.Set("Connection", "close")
			}
		})
		if err := next(c); err != nil {
			c.Error(err)
		}

		p.checkHost(c.Request().Context(), r)
		elapsed := p.opts.Now().Sub(started)
		status := c.Response().Status
		if status == http.StatusServiceUnavailable && errors.Is(r.Context().Err(), context.Canceled) {
			status = statusClientClosed
		}
		p.opts.Metrics.observe(r.Method, c.Path(), status, elapsed)
		p.logRequest(ctx, c, info, status, elapsed)
		endSpan(span, info, status)
		return nil
	}
}

// statusClientClosed is what logs and metrics show, as in nginx, for a client that
// has disconnected. It received no response, and the service has not failed.
const statusClientClosed = 499

// SetSecurity sets the headers that keep a response from being cached, embedded, or
// interpreted as another type (OWASP REST Security Cheat Sheet, "Security Headers").
func SetSecurity(header http.Header, baseURL string) {
	header.Set(echo.HeaderXContentTypeOptions, "nosniff")
	header.Set("Cache-Control", "no-store")
	header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	header.Set(echo.HeaderXFrameOptions, "DENY")
	header.Set(echo.HeaderReferrerPolicy, "no-referrer")
	if strings.HasPrefix(baseURL, "https://") {
		header.Set(echo.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}

// KnownMethod keeps methods that a client invents out of logs and metric labels.
func KnownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recoverPanics turns a panic into a 500 and logs its stack.
func (p *Path) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
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

// userAgent returns the start of the User-Agent header, which any client can set to anything.
func userAgent(r *http.Request) string {
	text := []rune(strings.ToValidUTF8(r.UserAgent(), "?"))
	return string(text[:min(len(text), store.MaxUserAgent)])
}
