package mail

import (
	"context"
	"errors"
	"time"

	"assay/store"
)

// backoff are the waits after failed attempts.
var backoff = [...]time.Duration{
	time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour,
}

const maxAttempts = len(backoff) + 1

// resetLifetime is how long after the request the worker tries to send a link to reset a
// password. A person does not wait longer for it.
const resetLifetime = 30 * time.Minute

func tooLate(email store.Email, at time.Time) bool {
	return email.Kind == store.EmailPasswordReset && at.Sub(email.CreatedAt.Time) > resetLifetime
}

// publicInternal is what an organization reads about an error in Assay.
const publicInternal = "The email could not be written."

// outcome decides what becomes of an email after an attempt.
func (w *Worker) outcome(ctx context.Context, email store.Email, err error) store.EmailOutcome {
	out := store.EmailOutcome{Email: email}
	var failure *Failure
	var kept *withheld
	switch {
	case err == nil:
		w.pause = 0
		out.Status = store.EmailSent
		return out
	case errors.Is(err, errNotNeeded):
		out.Status = store.EmailCancelled
		return out
	case errors.Is(err, errTooMany):
		out.Status, out.Failure = store.EmailFailed, "The email could not be sent in time."
	case errors.As(err, &kept):
		out.Status, out.Failure, out.Reason = store.EmailFailed, kept.reason.Sentence(), kept.reason
	case errors.As(err, &failure):
		out.Failure = failure.Public()
		if failure.refused != "" {
			out.Reason, out.Address = store.EmailRecipientRefused, failure.refused
		}
		w.note(ctx, email, failure)
	default:
		out.Failure = publicInternal
		w.metrics.attemptsFailed.WithLabelValues(reasonOf(err)).Inc()
		w.opts.Log.ErrorContext(ctx, "email not written", "email", email.ID, "kind", email.Kind, "error", err)
	}
	if out.Status == store.EmailFailed {
		return out
	}

	out.Status = store.EmailFailed
	if (failure == nil || !failure.Final) && email.Attempt < len(backoff) {
		out.RetryAt = w.store.Now().Add(backoff[email.Attempt])
		if !tooLate(email, out.RetryAt) {
			out.Status = store.EmailQueued
		}
	}
	return out
}

// reasonOf is the reason of a failed attempt in the metrics.
func reasonOf(err error) string {
	var failure *Failure
	var kept *withheld
	switch {
	case errors.As(err, &kept):
		return string(kept.reason)
	case errors.As(err, &failure):
		return failure.Reason()
	case errors.Is(err, errTooMany):
		return "late"
	}
	return "internal"
}

// note counts and logs a failed attempt, and sets the pause. What a server says about a
// recipient or a message can contain the address, so the log has only the code.
func (w *Worker) note(ctx context.Context, email store.Email, failure *Failure) {
	w.metrics.attemptsFailed.WithLabelValues(failure.Reason()).Inc()
	attributes := []any{"email", email.ID, "kind", email.Kind, "attempt", email.Attempt + 1, "stage", failure.Stage}
	if failure.Code > 0 {
		attributes = append(attributes, "code", failure.Code)
	}
	switch {
	case failure.BeforeEmail(), failure.Code == 0 && !failure.Final: // of the connection
		w.pause = w.nextPause()
		attributes = append(attributes, "error", failure.Err)
	default: // the server works
		w.pause = 0
	}
	w.opts.Log.WarnContext(ctx, "email not sent", attributes...)
}
