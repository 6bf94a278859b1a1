package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/internal/db"
)

// These are the operations on the queue for the worker that sends email. An email that can be
// claimed is ready. An email that is claimed or due later is not ready: UnscopedReadyEmails
// makes it ready when its lease ends or its time has come. Only the holder of the lease can
// settle an email.
//
// Lanes take turns: each claim takes the oldest email of the next lane. An organization with
// a long queue therefore delays another one's email by at most one email.

// readyBatch is the number of emails that one transaction makes ready.
const readyBatch = 500

// UnscopedReadyEmails makes scheduled emails that are due ready to be claimed, and those
// whose lease has ended. It returns how many: readyBatch means that more can be due.
func (s *Store) UnscopedReadyEmails(ctx context.Context) (int64, error) {
	now := s.Now()
	return s.db.Dispatcher().Exec(ctx, `
		UPDATE emails SET ready = TRUE, lease = '' WHERE status = 'QUEUED' AND NOT ready AND run_at <= ? AND id IN (
			SELECT id FROM emails WHERE status = 'QUEUED' AND NOT ready AND run_at <= ?
			ORDER BY run_at`+atMost(readyBatch)+s.db.SkipLocked+`)`, now, now)
}

// UnscopedClaimEmail leases one ready email: the oldest of the first lane after the given
// one, or else of the first lane. It returns nil if no email is ready.
//
// A claim counts as an attempt, because nobody knows what a worker that was killed has sent.
func (s *Store) UnscopedClaimEmail(ctx context.Context, afterLane, lease string, leaseEnd time.Time) (*Email, error) {
	var claimed Email
	claim := func(afterLane string) error {
		return s.db.Dispatcher().Get(ctx, &claimed, `
			UPDATE emails SET ready = FALSE, run_at = ?, lease = ?, attempt = attempt + 1
			WHERE status = 'QUEUED' AND id = (
				SELECT id FROM emails WHERE ready AND lane > ? ORDER BY lane, id LIMIT 1`+s.db.SkipLocked+`)
			RETURNING id, organization_id, kind, session_id, user_id, subject_id, lane, attempt - 1 AS attempt, run_at,
				created_at, lease`, leaseEnd, lease, afterLane)
	}

	err := claim(afterLane)
	if errors.Is(err, sql.ErrNoRows) && afterLane != "" {
		err = claim("")
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // an empty queue is not an error
	}
	if err != nil {
		return nil, err
	}
	return &claimed, nil
}

// UnscopedGiveBackEmail ends the lease of an email that was not sent. Its claim does not count.
func (s *Store) UnscopedGiveBackEmail(ctx context.Context, e Email) error {
	_, err := s.db.Dispatcher().Exec(ctx, `
		UPDATE emails SET ready = TRUE, run_at = ?, lease = '', attempt = attempt - 1
		WHERE id = ? AND lease = ? AND status = 'QUEUED'`, s.Now(), e.ID, e.Lease)
	return err
}

// EmailOutcome is the result of one attempt.
type EmailOutcome struct {
	Email   Email
	Status  EmailStatus // QUEUED when it is tried again
	Failure string      // for the organization to read: no secret, no name of the mail server
	Reason  EmailReason // of FAILED; "" for another cause
	// Address is the recipient that a mail server has refused for good now; "" otherwise.
	Address string
	RetryAt time.Time // of QUEUED
}

// UnscopedSettleEmail writes an outcome if the email still has this lease. It does not if the
// lease has ended and the email is ready or claimed again, or if the email was cancelled or
// erased. It reports whether it wrote the outcome.
func (s *Store) UnscopedSettleEmail(ctx context.Context, outcome EmailOutcome) (settled bool, err error) {
	err = s.db.WriteDispatcher(ctx, func(connection db.Conn) error {
		settled, err = conn{connection, s}.settleEmail(ctx, outcome)
		return err
	})
	return settled, err
}

func (c conn) settleEmail(ctx context.Context, outcome EmailOutcome) (bool, error) {
	now, e := c.store.Now(), outcome.Email
	if e.SessionID != nil { // first, as in every other transaction that changes a session and its emails
		if err := c.holdSession(ctx, e.OrganizationID, *e.SessionID); err != nil {
			return false, err
		}
	}
	var failure *string
	if outcome.Failure != "" && e.Kind != EmailRegistration { // nobody reads it there, and it can contain the address
		failure = &outcome.Failure
	}
	var reason *EmailReason
	if outcome.Reason != "" {
		reason = &outcome.Reason
	}
	runAt, endedAt := now, &now
	if outcome.Status == EmailQueued {
		runAt, endedAt = outcome.RetryAt, nil
	}
	settled, err := c.Exec(ctx, `
		UPDATE emails SET status = ?, failure = ?, reason = ?, ready = FALSE, run_at = ?, lease = '', ended_at = ?
		WHERE id = ? AND lease = ? AND status = 'QUEUED'`, outcome.Status, failure, reason, runAt, endedAt, e.ID, e.Lease)
	if err != nil || settled == 0 {
		return false, err
	}
	if err := c.suppressRefused(ctx, e, outcome.Address, now); err != nil {
		return false, err
	}
	switch e.Kind {
	case EmailInvite, EmailReminder:
		err = c.candidateEmailSettled(ctx, e, outcome.Status, failure, reason, now)
	case EmailReopened, EmailGatePassed, EmailResultCorrected, EmailDecision: // only the timeline and the review show them
	case EmailRegistration:
	default:
		err = c.memberEmailSettled(ctx, e, outcome.Status, now)
	}
	return err == nil, err
}

// holdSession keeps the row of a session unchanged until the transaction ends, if it exists.
func (c conn) holdSession(ctx context.Context, organizationID, id string) error {
	var found []string
	return c.List(ctx, &found, `SELECT id FROM candidate_sessions WHERE organization_id = ? AND id = ?`+
		c.store.db.ForNoKeyUpdate, organizationID, id)
}

// EmailQueue describes the queue for metrics.
type EmailQueue struct {
	// Queued is the number of emails that are due, claimed, or tried again later. It does not
	// include emails that are scheduled for later and were not tried yet.
	Queued    int64
	OldestDue *time.Time // when the email that has waited longest was due; nil without a due one
}

// UnscopedEmailQueue measures the queue.
func (s *Store) UnscopedEmailQueue(ctx context.Context) (EmailQueue, error) {
	now := s.Now()
	var queued int64
	var oldest *Time
	err := s.db.DispatcherRead().Row(ctx, []any{&queued, &oldest}, `
		SELECT CAST(SUM(found) AS BIGINT), MIN(oldest) FROM (
			SELECT COUNT(*) AS found, MIN(run_at) AS oldest FROM emails WHERE ready
			UNION ALL
			SELECT COUNT(*), MIN(run_at) FROM emails WHERE status = 'QUEUED' AND ready = FALSE AND run_at <= ?
			UNION ALL
			SELECT COUNT(*), NULL FROM emails
			WHERE status = 'QUEUED' AND attempt > 0 AND run_at > ?) measured`, now, now) // these are not ready
	return EmailQueue{Queued: queued, OldestDue: timePtr(oldest)}, err
}
