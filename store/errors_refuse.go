package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assay/store/rules"
)

// with returns a copy of the refusal that names the faulty fields.
func (e *Error) with(fields ...rules.Fault) *Error {
	named := *e
	named.Fields = fields
	return &named
}

// about returns a copy of the refusal whose text ends with the id of a resource.
func (e *Error) about(id string) *Error {
	named := *e
	named.Detail += ": " + id + "."
	named.ResourceID = id
	return &named
}

// since returns a copy of the refusal whose text ends with the time since when it has applied.
func (e *Error) since(at time.Time) *Error {
	named := *e
	named.Detail += ". The answers came in at " + WireTime(at) + "."
	return &named
}

// after returns a copy of the refusal of a request that can succeed after the wait.
func (e *Error) after(wait time.Duration) *Error {
	named := *e
	named.RetryAfter = max(wait, time.Second)
	return &named
}

// refused returns the refusal for a code of package rules, or nil for "".
func refused(code string) error {
	switch code {
	case "":
		return nil
	case rules.AssessmentNotDraft:
		return errAssessmentNotDraft
	case rules.AssessmentNotPublished:
		return errAssessmentNotPublished
	case rules.AssessmentNotOpen:
		return errAssessmentNotOpen
	case rules.AssessmentClosed:
		return errAssessmentClosed
	case rules.SessionNotInProgress:
		return errSessionNotInProgress
	case rules.SessionNotInvited:
		return errSessionNotInvited
	case rules.InviteExpired:
		return errInviteExpired
	case rules.SessionClosed:
		return errSessionClosed
	case rules.SessionNotFinished:
		return errSessionNotFinished
	case rules.SessionNotInReview:
		return errSessionNotInReview
	}
	return fmt.Errorf("store: package rules returned the unknown code %q", code)
}

// orRefuse returns missing when a query found no row, and err otherwise.
func orRefuse(err error, missing *Error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return err
}

// isNotFound reports whether err is a missing row or the refusal made from it.
func isNotFound(err error) bool {
	var refusal *Error
	return errors.Is(err, sql.ErrNoRows) || (errors.As(err, &refusal) && refusal.Kind == NotFound)
}
