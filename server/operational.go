package server

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// readyTimeout bounds how long /readyz waits for the database.
const readyTimeout = 2 * time.Second

// registerOperational adds what is outside /v1 and the contract.
func (s *Server) registerOperational() error {
	asJSON, err := gen.GetSpecJSON()
	if err != nil {
		return fmt.Errorf("read the embedded openapi.yaml: %w", err)
	}
	s.echo.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	s.echo.GET("/readyz", s.ready)
	s.echo.GET("/openapi.yaml", s.counted(func(c echo.Context) error { return c.Blob(http.StatusOK, "application/yaml", gen.Document) }))
	s.echo.GET("/openapi.json", s.counted(func(c echo.Context) error { return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, asJSON) }))
	s.echo.GET("/errors/:code", s.counted(explainError))
	return nil
}

// counted counts a page that is for everybody like an operation that takes no
// credential: the contract is two thousand times as long as the request for it.
func (s *Server) counted(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.limits.anonymous.take(c.Response().Header(), store.Origin{IP: c.RealIP()}.Network()); err != nil {
			return err
		}
		return page(c)
	}
}

// ready answers 200 when requests can be served: the database answers, is
// migrated, and the server is not shutting down.
func (s *Server) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTimeout)
	defer cancel()
	err := errors.New("shutting down")
	if !s.draining.Load() {
		err = s.store.Ready(ctx)
	}
	if err != nil {
		s.opts.Log.WarnContext(ctx, "not ready", "error", err)
		return &fault{status: http.StatusServiceUnavailable, code: gen.ErrorCodeUnavailable, detail: "The service is not ready."}
	}
	return c.String(http.StatusOK, "ready\n")
}

// errorPage is what a problem's type leads to.
var errorPage = template.Must(template.New("error").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{{.Code}} · Assay</title>
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{font-size:1.05em}</style>
<h1><code>{{.Code}}</code></h1><p>{{.Meaning}}</p><p><strong>What to do.</strong> {{.Remedy}}</p>
`))

func explainError(c echo.Context) error {
	code := c.Param("code")
	explained, known := errorPages[gen.ErrorCode(code)]
	if !known {
		return echo.ErrNotFound
	}
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	c.Response().WriteHeader(http.StatusOK)
	return errorPage.Execute(c.Response(), struct{ Code, Meaning, Remedy string }{code, explained.meaning, explained.remedy})
}

type explanation struct{ meaning, remedy string }

// errorPages explains every code of openapi.yaml's ErrorCode; a test compares them.
var errorPages = map[gen.ErrorCode]explanation{
	gen.ErrorCodeInvalidRequest: {"The request breaks the contract.", "Mend each field that errors names; openapi.yaml says what it accepts."},
	gen.ErrorCodeUnauthenticated: {
		"There was no credential, or it is wrong, revoked, or of a kind that this address does not take.",
		"Check that the header is the one that the operation asks for and that the credential is still valid.",
	},
	gen.ErrorCodeTokenExpired:       {"The access or refresh token has run out.", "Exchange the refresh token, or sign in again."},
	gen.ErrorCodeInvalidCredentials: {"The e-mail address or the password is wrong.", "Try again; nothing tells which of the two it is."},
	gen.ErrorCodeInsufficientScope:  {"The API key is valid, but lacks a scope.", "Create a key with the scope that detail names."},
	gen.ErrorCodeInsufficientRole:   {"The person is signed in, but their role does not allow this.", "Ask an OWNER or ADMIN of the organization."},
	gen.ErrorCodeNotFound:           {"There is no such thing in the organization of the credential.", "Check the id, and that the credential is of the right organization."},
	gen.ErrorCodeResultNotFound: {
		"The result token is forged, malformed or of another organization.", "Use the token of the redirect as it came, with a key of the same organization.",
	},
	gen.ErrorCodeMethodNotAllowed:   {"The address exists, but not for this method.", "The Allow header lists the methods it has."},
	gen.ErrorCodeEmailTaken:         {"There is an account with this e-mail address.", "Sign in instead, or use another address."},
	gen.ErrorCodeAssessmentNotDraft: {"Only a draft can be changed, deleted or published.", "Duplicate the assessment and change the copy."},
	gen.ErrorCodeAssessmentNotPublished: {
		"Candidates can be invited to a published assessment only, and only a published one can be archived.", "Publish it first, or choose another.",
	},
	gen.ErrorCodeCandidateAlreadyInvited: {
		"The candidate has a live session for the assessment, and onExisting was ERROR.", "Use that session, or invite with RETURN or NEW_ATTEMPT.",
	},
	gen.ErrorCodeSessionNotInProgress: {"The session has not been started, or is over.", "Start it first; after the end nothing can be changed."},
	gen.ErrorCodeSessionClosed:        {"The session is over.", "Invite the candidate again."},
	gen.ErrorCodeSessionNotInvited:    {"Only an open or expired invite can be renewed.", "Invite the candidate again."},
	gen.ErrorCodeStageClosed:          {"The stage of this question has been submitted, or its time was up.", "Go on with the current stage."},
	gen.ErrorCodeResultNotReady:       {"The session is not finished.", "Wait for candidate.completed or candidate.disqualified."},
	gen.ErrorCodeInviteExpired:        {"The invite has run out.", "Ask the organization to renew it."},
	gen.ErrorCodeResultTokenExpired: {
		"A result token lives 15 minutes.", "Mint another, or read the result by the session's id.",
	},
	gen.ErrorCodeWebhookDisabled: {"The webhook endpoint is disabled.", "Enable it, then replay what it missed."},
	gen.ErrorCodeLastOwner: {
		"The organization would be left without an OWNER who can sign in.", "Make another member an OWNER first; one who was only invited does not count.",
	},
	gen.ErrorCodeInvitationAccepted: {"The member has a password already.", "Nothing is left to renew; they can sign in."},
	gen.ErrorCodeInvitationExpired:  {"The invitation link is older than seven days.", "Ask an OWNER or ADMIN of the organization to renew it."},
	gen.ErrorCodeIdempotencyInProgress: {
		"A request with the same Idempotency-Key is still running.", "Send the same request again in a moment: it answers what the first one answered.",
	},
	gen.ErrorCodeIdempotencyKeyReused: {
		"The Idempotency-Key was used for another request within 24 hours, or what it answered has been erased since, or cannot be read any more.",
		"Use a new key for each new request, and the same key only to send the same request again.",
	},
	gen.ErrorCodeRateLimited: {
		"There were too many requests.", "Wait for the seconds that Retry-After gives; RateLimit-Policy tells the limits.",
	},
	gen.ErrorCodePayloadTooLarge:      {"The body is larger than the operation accepts.", "Send less; x-max-body-bytes in openapi.yaml is the limit."},
	gen.ErrorCodeUnsupportedMediaType: {"The body is not JSON.", "Send application/json in UTF-8, without a Content-Encoding."},
	gen.ErrorCodeAssessmentIncomplete: {"The draft cannot be published as it is.", "Mend each place that errors names, and publish again."},
	gen.ErrorCodeInternal:             {"Something went wrong on our side.", "Quote requestId to support."},
	gen.ErrorCodeUnavailable:          {"The service cannot answer for the moment.", "Try again after the seconds that Retry-After gives."},
}
