package request

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// Fault is a refusal in the form that writeError sends. This package returns it
// for a rejected credential or an invalid request. faultOf converts other errors.
type Fault struct {
	Status int
	Code   gen.ErrorCode
	Detail string
	Fields []gen.FieldError
	about  string           // the resource that the refusal is about, or ""
	retry  time.Duration    // of a 429
	policy *store.RateLimit // of a 429 that the store decided
	ended  *gen.EndedInvite // of a 401 for an invite token that was valid once
	// earlier is of a 409 for a person who has attempted the assessment before.
	earlier *gen.EarlierAttempt
	// challenge is of a 401 for a sign-in that needs the second factor.
	challenge *gen.SecondFactorChallenge
}

func (f *Fault) Error() string { return f.Code + ": " + f.Detail }

// ProblemJSON is the media type of a problem document (RFC 9457, section 6.1).
const ProblemJSON = "application/problem+json"

// RetryAfterSeconds is the Retry-After header of a 503.
const RetryAfterSeconds = 5

// statusOf is the only place where a kind of refusal becomes a status.
var statusOf = map[store.Kind]int{
	store.Invalid:         http.StatusBadRequest,
	store.Unauthenticated: http.StatusUnauthorized,
	store.Forbidden:       http.StatusForbidden,
	store.NotFound:        http.StatusNotFound,
	store.Conflict:        http.StatusConflict,
	store.Gone:            http.StatusGone,
	store.Changed:         http.StatusPreconditionFailed,
	store.Unprocessable:   http.StatusUnprocessableEntity,
	store.TooMany:         http.StatusTooManyRequests,
	store.Unavailable:     http.StatusServiceUnavailable,
}

// faultOf maps any error to the refusal that the client gets. internal reports
// whether the service caused the error, which must then be logged.
func faultOf(err error) (f *Fault, internal bool) {
	var refusal *store.Error
	var limited *store.Limited
	var echoError *echo.HTTPError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &f):
		return f, false
	case errors.As(err, &refusal):
		return &Fault{
			Status: statusOf[refusal.Kind], Code: refusal.Code, Detail: refusal.Detail,
			Fields: fieldErrors(refusal, ""), about: refusal.ResourceID,
			retry: refusal.RetryAfter, ended: endedInvite(refusal.Ended), earlier: earlierAttempt(refusal.Earlier),
			challenge: challengeOf(refusal.Challenge),
		}, false
	case errors.As(err, &limited):
		f = rateLimited(limited.RetryAfter)
		f.policy = &limited.Limit
		return f, false
	case errors.As(err, &mistyped):
		// The schema accepts 3.0 as an integer and encoding/json does not.
		return invalidRequest(bodyError(dotsToPointer(mistyped.Field), gen.FieldErrorCodeInvalidType,
			"must be written without a fraction or an exponent")), false
	case errors.As(err, &echoError):
		return echoFault(echoError)
	case store.IsUnavailable(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		// When a client disconnects, its request is cancelled. That is no error of the service.
		return unavailableFault(), !errors.Is(err, context.Canceled)
	default:
		return internalFault(), true
	}
}

// faultOf is the function faultOf, except that an unexpected error of a service that is not ready is a consequence of
// that.
func (p *Path) faultOf(err error) (f *Fault, internal bool) {
	f, internal = faultOf(err)
	if f.Status == http.StatusInternalServerError && p.readiness.unavailable() {
		return unavailableFault(), internal
	}
	return f, internal
}

func challengeOf(challenge *store.Challenge) *gen.SecondFactorChallenge {
	if challenge == nil {
		return nil
	}
	return &gen.SecondFactorChallenge{
		Challenge: challenge.Token, Methods: challenge.Methods, ExpiresAt: store.WireTime(challenge.ExpiresAt),
	}
}

func endedInvite(ended *store.EndedInvite) *gen.EndedInvite {
	if ended == nil {
		return nil
	}
	return &gen.EndedInvite{Reason: string(ended.Reason), Organization: gen.EndedInviteOrganization{
		Name: ended.Organization, SupportEmail: ended.SupportEmail, Locale: ended.Locale,
	}}
}

// earlierAttempt is the attempt for which an invite was refused. It has no score, because an API key that may invite
// cannot always read results.
func earlierAttempt(history *store.History) *gen.EarlierAttempt {
	if history == nil {
		return nil
	}
	latest := history.Latest
	var possibleAt *string
	if history.PossibleAt != nil {
		possibleAt = new(store.WireTime(*history.PossibleAt))
	}
	return &gen.EarlierAttempt{
		SessionID: latest.SessionID, AssessmentID: latest.AssessmentID, Status: gen.SessionStatus(latest.Status),
		InvitedAt: store.WireTime(latest.InvitedAt.Time), StartedAt: optionalTime(latest.StartedAt),
		EndedAt: optionalTime(latest.EndedAt), Repeat: string(history.Repeat), RepeatPossibleAt: possibleAt,
	}
}

func optionalTime(t *store.Time) *string {
	if t == nil {
		return nil
	}
	return new(store.WireTime(t.Time))
}

// fieldErrors returns the field errors of a refusal. The refusal's pointers start
// at the part of the body that the pointer at names.
func fieldErrors(refusal *store.Error, at string) []gen.FieldError {
	var fields []gen.FieldError
	for _, field := range refusal.Fields {
		if field.Pointer != "" && field.Pointer[0] != '/' {
			fields = append(fields, queryError(field.Pointer, field.Code, field.Detail))
			continue
		}
		fields = append(fields, bodyError(at+field.Pointer, field.Code, field.Detail))
	}
	return fields
}

func internalFault() *Fault {
	return &Fault{
		Status: http.StatusInternalServerError, Code: gen.ErrorCodeInternal,
		Detail: "The service failed to process the request.",
	}
}

func unavailableFault() *Fault {
	return &Fault{
		Status: http.StatusServiceUnavailable, Code: gen.ErrorCodeUnavailable,
		Detail: "The service is temporarily unavailable.",
	}
}

// ErrNothingHere is the refusal of an address that does not exist.
var ErrNothingHere = &Fault{
	Status: http.StatusNotFound, Code: gen.ErrorCodeNotFound, Detail: "There is nothing at this address.",
}

// echoFault maps the errors of the router and of the generated binding.
func echoFault(err *echo.HTTPError) (f *Fault, internal bool) {
	switch err.Code {
	case http.StatusNotFound:
		return ErrNothingHere, false
	case http.StatusMethodNotAllowed:
		return &Fault{
			Status: err.Code, Code: gen.ErrorCodeMethodNotAllowed, Detail: "This address does not support this method.",
		}, false
	case http.StatusBadRequest:
		return &Fault{Status: err.Code, Code: gen.ErrorCodeInvalidRequest, Detail: "The request is invalid."}, false
	default:
		return internalFault(), true
	}
}

// writeError responds with a problem document (RFC 9457). It is the only place
// where an error becomes a response, except those of applicant tracking systems.
func (p *Path) writeError(err error, c echo.Context) {
	ctx := c.Request().Context()
	f, internal := p.faultOf(err)
	p.refused(c, f, err, internal)
	if c.Response().Committed {
		return
	}

	var about *string
	if f.about != "" {
		about = &f.about
	}
	document := gen.Problem{
		Type: p.opts.BaseURL + "/errors/" + f.Code, Title: http.StatusText(f.Status), Status: f.Status,
		Detail: f.Detail, Code: f.Code, RequestID: dataOf(ctx).id, ResourceID: about, Errors: f.Fields,
		EndedInvite: f.ended, EarlierAttempt: f.earlier, SecondFactor: f.challenge,
	}
	if document.Errors == nil {
		document.Errors = []gen.FieldError{}
	}

	body, err := json.Marshal(document)
	if err == nil {
		err = c.Blob(f.Status, ProblemJSON, body)
	}
	if err != nil {
		p.opts.Log.LogAttrs(ctx, slog.LevelDebug, "problem not written",
			slog.String("requestId", dataOf(ctx).id), slog.String("error", err.Error()))
	}
}

// Refuse logs the error of a refusal if the service caused it, and sets the headers of the response. The caller writes
// the response, in a form that is not of openapi.yaml.
func (p *Path) Refuse(c echo.Context, err error) *Fault {
	f, internal := p.faultOf(err)
	p.refused(c, f, err, internal)
	return f
}

// refused logs the error of a refusal if the service caused it, and sets the headers of the response.
func (p *Path) refused(c echo.Context, f *Fault, err error, internal bool) {
	ctx := c.Request().Context()
	var network net.Error
	if c.Response().Committed && errors.As(err, &network) {
		internal = false // the client has closed the connection
	}
	if f.Status == http.StatusServiceUnavailable && errors.Is(ctx.Err(), context.Canceled) {
		internal = false // the same; a database can report it with an error of its own
	}

	if internal {
		p.opts.Log.LogAttrs(ctx, slog.LevelError, "request failed",
			slog.String("requestId", dataOf(ctx).id), slog.String("route", c.Path()), slog.String("error", err.Error()))
	}
	if c.Response().Committed {
		return
	}

	header := c.Response().Header()
	switch f.Status {
	case http.StatusUnauthorized:
		header.Set(echo.HeaderWWWAuthenticate, cmp.Or(dataOf(ctx).challenge, challenge(c.Path(), f.Code)))
	case http.StatusForbidden:
		info := dataOf(ctx)
		p.store.RecordRefusal(info.scope, info.operation)
	case http.StatusTooManyRequests:
		header.Set(echo.HeaderRetryAfter, strconv.Itoa(wholeSeconds(f.retry)))
		if f.policy != nil {
			header.Set("RateLimit-Policy", policyField(f.policy.Name, f.policy.Requests, f.policy.Window))
			header.Set("RateLimit", limitField(f.policy.Name, 0, f.retry))
		}
	case http.StatusServiceUnavailable:
		header.Set(echo.HeaderRetryAfter, strconv.Itoa(RetryAfterSeconds))
	}
}

// challenge is the WWW-Authenticate header of a 401 (RFC 6750, section 3). The
// header is mandatory, so API keys have a scheme although none is registered.
func challenge(route string, code gen.ErrorCode) string {
	if strings.HasPrefix(route, "/v1/public/") {
		return `ApiKey realm="assay", header="X-API-Key"`
	}
	if code == gen.ErrorCodeTokenExpired {
		return `Bearer realm="assay", error="invalid_token", error_description="The token has expired"`
	}
	return `Bearer realm="assay"`
}

func invalidRequest(fields ...gen.FieldError) *Fault {
	return &Fault{
		Status: http.StatusBadRequest, Code: gen.ErrorCodeInvalidRequest, Detail: "The request is invalid.",
		Fields: fields[:min(len(fields), maxFieldErrors)],
	}
}

func bodyError(pointer string, code gen.FieldErrorCode, detail string) gen.FieldError {
	return gen.FieldError{In: gen.FieldErrorInBody, Pointer: pointer, Code: code, Detail: detail}
}

// Invalid is the refusal of a body with an error in one field that its schema cannot express.
func Invalid(pointer string, code gen.FieldErrorCode, detail string) error {
	return invalidRequest(bodyError(pointer, code, detail))
}

// InvalidQuery is the refusal of a query.
func InvalidQuery(name string, code gen.FieldErrorCode, detail string) error {
	return invalidRequest(queryError(name, code, detail))
}
