package request

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store"
)

// logRequest writes the line of a request: who did what to which resource, by ids only.
func (p *Path) logRequest(ctx context.Context, c echo.Context, info *requestData, status int, elapsed time.Duration) {
	level := slog.LevelInfo
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	r := c.Request()
	attributes := []slog.Attr{
		slog.String("requestId", info.id), slog.String("method", KnownMethod(r.Method)), slog.String("route", c.Path()),
		slog.Int("status", status), slog.Duration("duration", elapsed), slog.String("ip", c.RealIP()),
		slog.String("organization", info.scope.OrganizationID),
	}
	if kind, id := actorOf(info.scope); kind != "" {
		attributes = append(attributes, slog.String("actor", kind), slog.String("actorId", id))
	}
	if id := resourceOf(info, status, c.Response().Header()); id != "" {
		attributes = append(attributes, slog.String("resourceId", id))
	}
	p.opts.Log.LogAttrs(ctx, level, "request", attributes...)
}

// actorOf returns the kind and the id of the caller, both "" without a valid credential.
func actorOf(scope store.Scope) (kind, id string) {
	switch {
	case scope.UserID != "":
		return "user", scope.UserID
	case scope.APIKeyID != "":
		return "key", scope.APIKeyID
	case scope.SessionID != "":
		return "session", scope.SessionID
	}
	return "", ""
}

// idPattern matches an id of Assay. A client can put any text into a path, also an address or a token, and logs must
// not have it.
var idPattern = regexp.MustCompile(`^[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}$`)

// resourceOf returns the id of the resource in the path or, if the request has created one, in the Location.
func resourceOf(info *requestData, status int, header http.Header) string {
	id := info.resource
	if status == http.StatusCreated {
		location := header.Get(echo.HeaderLocation)
		id = location[strings.LastIndexByte(location, '/')+1:]
	}
	if !idPattern.MatchString(id) {
		return ""
	}
	return id
}
