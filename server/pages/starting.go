package pages

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/oklog/ulid/v2"

	"assay/gen"
	"assay/server/request"
)

// Starting answers requests while the service starts, before it has a database: /healthz with 200, so that nobody ends
// a long migration, and everything else with 503. No request has any effect.
type Starting struct {
	// BaseURL is as in Options.
	BaseURL string
	// Now is the clock of the responses.
	Now func() time.Time
	// Log receives one line per request.
	Log *slog.Logger
}

const (
	// failoverRequest is a header by which nginx asks for failoverResponse. .deploy/nginx.conf sets it.
	failoverRequest = "X-Assay-Failover"
	// failoverResponse makes nginx send the request to another replica, from a location of that name. That is safe for
	// each method, because this replica has done nothing. nginx alone cannot know that, and repeats no POST after a 503.
	failoverResponse = "X-Accel-Redirect"
	failoverLocation = "@another_replica"
)

// maxStartingBody is above the largest body that the service accepts.
const maxStartingBody = 2 << 20

// ServeHTTP implements http.Handler.
func (s Starting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/healthz" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		w.Header().Set(echo.HeaderContentType, echo.MIMETextPlainCharsetUTF8)
		_, _ = io.WriteString(w, "ok\n") // the client may have gone
		return
	}
	// A response before the end of the body can be lost, because the connection is then reset.
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxStartingBody))

	now := s.Now()
	id := "req_" + strings.ToLower(ulid.MustNew(ulid.Timestamp(now), rand.Reader).String())
	const status = http.StatusServiceUnavailable
	header := w.Header()
	request.SetSecurity(header, s.BaseURL)
	header.Set(echo.HeaderXRequestID, id)
	header.Set(echo.HeaderRetryAfter, strconv.Itoa(request.RetryAfterSeconds))
	if r.Header.Get(failoverRequest) != "" {
		header.Set(failoverResponse, failoverLocation)
	}
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get(echo.HeaderAccept), echo.MIMETextHTML) {
		// A person who opens a page gets one that tries again, instead of JSON.
		header.Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
		header.Set(echo.HeaderContentSecurityPolicy, pagePolicy)
		w.WriteHeader(status)
		_ = pages.ExecuteTemplate(w, "starting.html", nil) // the client may have gone
	} else {
		const code = gen.ErrorCodeUnavailable
		header.Set(echo.HeaderContentType, request.ProblemJSON)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(gen.Problem{ // the client may have gone
			Type: s.BaseURL + "/errors/" + code, Title: http.StatusText(status), Status: status,
			Detail: "The service is starting.", Code: code, RequestID: id, Errors: []gen.FieldError{},
		})
	}
	s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request while the service starts",
		slog.String("requestId", id), slog.String("method", request.KnownMethod(r.Method)), slog.Int("status", status))
}
