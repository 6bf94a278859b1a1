package store

import (
	"context"
	"encoding/json"
)

// EmailsCancelled counts what became of emails about decisions.
type EmailsCancelled struct {
	Cancelled int // also before, and by an erasure
	Sent      int // also one that a worker sends now
	Failed    int
}

// CancelReviewEmails cancels the emails of a batch that are not sent, and returns what became of each. Refusal:
// not_found.
func (s *Store) CancelReviewEmails(ctx context.Context, scope Scope, batchID string) (EmailsCancelled, error) {
	var outcome EmailsCancelled
	err := s.write(ctx, func(c conn) error {
		var found string
		if err := c.Get(ctx, &found, `SELECT id FROM review_email_batches WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, batchID); err != nil {
			return orRefuse(err, errNoReviewEmails)
		}
		// Sessions are locked first, as in every other transaction that changes a session and its emails.
		where := &filter{args: []any{scope.OrganizationID, scope.OrganizationID, batchID}}
		c.onlySeen(where, scope, "s.assessment_id")
		var sessions []string
		if err := c.List(ctx, &sessions, `
			SELECT s.id FROM candidate_sessions s WHERE s.organization_id = ? AND s.id IN (
				SELECT m.session_id FROM review_emails m WHERE m.organization_id = ? AND m.batch_id = ?)`+where.sql.String()+`
			ORDER BY s.id`+c.store.db.ForNoKeyUpdate, where.args...); err != nil {
			return err
		}
		if scope.IsLimited() && len(sessions) == 0 {
			return errNoReviewEmails
		}
		locked, err := json.Marshal(sessions)
		if err != nil {
			return err
		}
		var ids []string
		if err := c.List(ctx, &ids, `
			SELECT m.id FROM review_emails m WHERE m.organization_id = ? AND m.batch_id = ? AND `+
			c.store.db.IsOneOf("m.session_id")+` ORDER BY m.session_id`,
			scope.OrganizationID, batchID, string(locked)); err != nil {
			return err
		}
		outcome, err = c.cancelReviewEmails(ctx, scope, ids)
		return err
	})
	return outcome, err
}

// CancelPublicReviewEmails is CancelReviewEmails.
func (s *Store) CancelPublicReviewEmails(ctx context.Context, scope Scope, batchID string) (EmailsCancelled, error) {
	return s.CancelReviewEmails(ctx, scope, batchID)
}

// CancelReviewEmail cancels the email about the newest change of a session, and returns what became of it. Refusal:
// not_found.
func (s *Store) CancelReviewEmail(ctx context.Context, scope Scope, sessionID string) (EmailsCancelled, error) {
	var outcome EmailsCancelled
	err := s.write(ctx, func(c conn) error {
		if _, err := c.lockSession(ctx, scope, sessionID); err != nil {
			return err
		}
		email, err := c.newestReviewEmail(ctx, scope, sessionID)
		if err != nil || email == nil {
			return err
		}
		outcome, err = c.cancelReviewEmails(ctx, scope, []string{email.ID})
		return err
	})
	return outcome, err
}

// CancelPublicReviewEmail is CancelReviewEmail.
func (s *Store) CancelPublicReviewEmail(ctx context.Context, scope Scope, sessionID string) (EmailsCancelled, error) {
	return s.CancelReviewEmail(ctx, scope, sessionID)
}

// cancelWaiting cancels the email about the newest change of a locked session, which another change follows.
func (c conn) cancelWaiting(ctx context.Context, scope Scope, sessionID string) error {
	email, err := c.newestReviewEmail(ctx, scope, sessionID)
	if err != nil || email == nil || email.Status != EmailQueued {
		return err
	}
	_, err = c.cancelReviewEmail(ctx, scope, email.ID)
	return err
}

// cancelReviewEmails cancels emails to candidates whose sessions are locked, and returns what became of them.
func (c conn) cancelReviewEmails(ctx context.Context, scope Scope, ids []string) (EmailsCancelled, error) {
	var outcome EmailsCancelled
	for _, id := range ids {
		sessionID, err := c.cancelReviewEmail(ctx, scope, id)
		if err != nil {
			return outcome, err
		}
		if sessionID != "" {
			outcome.Cancelled++
			if err := c.audit(ctx, scope, AuditReviewEmailCancelled, sessionID); err != nil {
				return outcome, err
			}
			if err := c.touchSession(ctx, CandidateSession{OrganizationID: scope.OrganizationID, ID: sessionID},
				c.store.Now()); err != nil {
				return outcome, err
			}
			continue
		}
		status := EmailCancelled
		if err := c.Get(ctx, &status, `
			SELECT COALESCE((SELECT e.status FROM emails e WHERE e.id = m.id), 'CANCELLED') FROM review_emails m
			WHERE m.organization_id = ? AND m.id = ?`, scope.OrganizationID, id); err != nil {
			return outcome, err
		}
		switch status {
		case EmailCancelled:
			outcome.Cancelled++
		case EmailFailed:
			outcome.Failed++
		case EmailNone, EmailQueued, EmailSent:
			outcome.Sent++
		}
	}
	return outcome, nil
}

// cancelReviewEmail cancels an email unless it is sent, or a worker is sending it. It returns the session, or "" if it
// has not cancelled the email.
func (c conn) cancelReviewEmail(ctx context.Context, scope Scope, id string) (sessionID string, err error) {
	cancelled, err := c.Exec(ctx, `
		UPDATE emails SET status = 'CANCELLED', ready = FALSE, ended_at = ?
		WHERE id = ? AND organization_id = ? AND status = 'QUEUED' AND lease = ''`,
		c.store.Now(), id, scope.OrganizationID)
	if err != nil || cancelled == 0 {
		return "", err
	}
	author := scope.author()
	err = c.Get(ctx, &sessionID, `
		UPDATE review_emails SET cancelled_type = ?, cancelled_by = ? WHERE organization_id = ? AND id = ?
		RETURNING session_id`, author.Type, author.ActorID, scope.OrganizationID, id)
	return sessionID, err
}
