package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// ReviewEmailInput is an email to each candidate of a request, unless one about this state was sent or is planned.
type ReviewEmailInput struct {
	ReviewEmailWords
	Delay time.Duration
}

// ReviewEmail is the email about a change of the state.
type ReviewEmail struct {
	ID       string      `db:"id"`
	BatchID  string      `db:"batch_id"`
	ChangeID string      `db:"change_id"`
	Status   EmailStatus `db:"status"`
	Subject  string      `db:"subject"` // with placeholders; "" after an erasure
	SendAt   Time        `db:"send_at"`
	EndedAt  *Time       `db:"ended_at"` // nil also for one that an erasure has removed
	Failure  *string     `db:"failure"`  // of the latest attempt
	Reason   *string     `db:"reason"`   // an EmailReason, of FAILED

	CancelledType *ActorType `db:"cancelled_type"` // nil unless a person or an API key cancelled it
	CancelledBy   *string    `db:"cancelled_by"`
	CancelledName *string    `db:"cancelled_name"`
}

// plannedEmails are the emails of one request. They share a batch.
type plannedEmails struct {
	words   ReviewEmailWords
	batchID string
	sendAt  time.Time
	stored  bool // the batch, in the present transaction
}

// again are the planned emails for a new transaction, which has not stored their batch.
func (p *plannedEmails) again() *plannedEmails {
	if p == nil {
		return nil
	}
	again := *p
	return &again
}

// planEmails returns nil without an email. Refusals: invalid_request, email_not_configured, email_not_confirmed.
func (s *Store) planEmails(ctx context.Context, scope Scope, in *ReviewEmailInput) (*plannedEmails, error) {
	if in == nil {
		return nil, nil //nolint:nilnil // see above
	}
	if err := in.check("/email"); err != nil {
		return nil, err
	}
	if !s.opts.SendsEmail {
		return nil, errEmailNotConfigured
	}
	if err := s.read().requireProved(ctx, scope); err != nil {
		return nil, err
	}
	return &plannedEmails{words: in.ReviewEmailWords, batchID: s.NewID("reb"), sendAt: s.Now().Add(in.Delay)}, nil
}

// needsEmail reports whether a candidate who is in the state already gets an email, because there was none about it, or
// it was cancelled or failed. So a repeated request sends nothing twice.
func (c conn) needsEmail(
	ctx context.Context, scope Scope, session CandidateSession, planned *plannedEmails,
) (bool, error) {
	if planned == nil || session.Test {
		return false, nil
	}
	email, err := c.newestReviewEmail(ctx, scope, session.ID)
	return err == nil && (email == nil || email.Status == EmailCancelled || email.Status == EmailFailed), err
}

// queueReviewEmail queues the email about a new change of a locked session. Test sessions get none.
func (c conn) queueReviewEmail(
	ctx context.Context, session CandidateSession, changeID string, planned *plannedEmails,
) error {
	if planned == nil || session.Test {
		return nil
	}
	if !planned.stored {
		// Several transactions of one request store the same batch.
		if _, err := c.Exec(ctx, `
			INSERT INTO review_email_batches (id, organization_id, subject, text, send_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			planned.batchID, session.OrganizationID, planned.words.Subject, planned.words.Text, planned.sendAt); err != nil {
			return err
		}
		planned.stored = true
	}
	id := c.store.NewID("eml")
	if _, err := c.Exec(ctx, `
		INSERT INTO review_emails (id, organization_id, batch_id, session_id, change_id) VALUES (?, ?, ?, ?, ?)`,
		id, session.OrganizationID, planned.batchID, session.ID, changeID); err != nil {
		return err
	}
	return c.queueEmail(ctx, newEmail{
		id: id, kind: EmailDecision, organizationID: session.OrganizationID, sessionID: &session.ID, runAt: planned.sendAt,
	})
}

// reviewEmailQuery selects emails about changes of states. Without a row of emails, an erasure has removed the email.
const reviewEmailQuery = `
	SELECT a.id, a.batch_id, a.change_id, COALESCE(e.status, 'CANCELLED') AS status, b.subject, b.send_at, e.ended_at,
		e.failure, e.reason, a.cancelled_type, a.actor_id AS cancelled_by, ` + actorName + ` AS cancelled_name
	FROM (
		SELECT m.id, m.organization_id, m.batch_id, m.change_id, m.cancelled_type, m.cancelled_by AS actor_id
		FROM review_emails m WHERE m.organization_id = ? AND m.session_id = ? ORDER BY m.id DESC LIMIT ?) a
	JOIN review_email_batches b ON b.id = a.batch_id LEFT JOIN emails e ON e.id = a.id
	ORDER BY a.id DESC`

// newestReviewEmail returns the email about the newest change of a session, or nil if that change has none.
func (c conn) newestReviewEmail(ctx context.Context, scope Scope, sessionID string) (*ReviewEmail, error) {
	var found []ReviewEmail
	if err := c.List(ctx, &found, reviewEmailQuery, scope.OrganizationID, sessionID, 1); err != nil || len(found) == 0 {
		return nil, err
	}
	newest, err := c.newestChange(ctx, scope, sessionID)
	if err != nil || found[0].ChangeID != newest {
		return nil, err
	}
	return &found[0], nil
}

// newestChange returns the id of the newest change of a session's state, or "" without one.
func (c conn) newestChange(ctx context.Context, scope Scope, sessionID string) (string, error) {
	var id string
	err := c.Get(ctx, &id, `
		SELECT id FROM review_changes WHERE organization_id = ? AND session_id = ? ORDER BY id DESC LIMIT 1`,
		scope.OrganizationID, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

// addReviewEmails adds the emails to the changes of a session.
func (c conn) addReviewEmails(ctx context.Context, scope Scope, sessionID string, changes []ReviewChange) error {
	if len(changes) == 0 {
		return nil
	}
	var found []ReviewEmail
	err := c.List(ctx, &found, reviewEmailQuery, scope.OrganizationID, sessionID, maxReviewChanges)
	for i := range found {
		at := slices.IndexFunc(changes, func(change ReviewChange) bool { return change.ID == found[i].ChangeID })
		if at >= 0 {
			changes[at].Email = &found[i]
		}
	}
	return err
}

// reviewEmailTimeline are the entries of the emails about decisions in the timeline of a session.
func (c conn) reviewEmailTimeline(ctx context.Context, scope Scope, sessionID string) ([]TimelineEntry, error) {
	changes, err := c.reviewChanges(ctx, scope, sessionID)
	if err != nil {
		return nil, err
	}
	if err := c.addReviewEmails(ctx, scope, sessionID, changes); err != nil {
		return nil, err
	}
	var entries []TimelineEntry
	for _, change := range slices.Backward(changes) {
		email := change.Email
		if email == nil || email.Status == EmailCancelled && email.EndedAt == nil {
			continue
		}
		entry := TimelineEntry{
			Type: TimelineEmailQueued, Email: new(EmailDecision), At: change.CreatedAt.Time, Failure: email.Failure,
			FailureCode: email.Reason,
			Actor:       change.Type, ActorID: &change.ActorID, ActorName: change.Name,
		}
		switch email.Status {
		case EmailQueued:
			entry.SendAt = &email.SendAt.Time
		case EmailSent:
			entry.Type, entry.Failure = TimelineEmailSent, nil
		case EmailFailed:
			entry.Type = TimelineEmailFailed
		case EmailCancelled:
			entry.Type, entry.Failure = TimelineEmailEnded, nil
		case EmailNone:
		}
		if email.EndedAt != nil {
			entry.At, entry.Actor, entry.ActorID, entry.ActorName = email.EndedAt.Time, ActorService, nil, nil
		}
		if email.CancelledType != nil {
			entry.Actor, entry.ActorID, entry.ActorName = *email.CancelledType, email.CancelledBy, email.CancelledName
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// eraseReviewEmails removes the words of the organization, unless they are also for a candidate who is not erased. A
// queued email is removed with the other emails of the session.
func (c conn) eraseReviewEmails(ctx context.Context, scope Scope, sessionID string) error {
	_, err := c.Exec(ctx, `
		UPDATE review_email_batches SET subject = '', text = ''
		WHERE organization_id = ? AND id IN (
				SELECT m.batch_id FROM review_emails m WHERE m.organization_id = ? AND m.session_id = ?)
			AND NOT EXISTS (
				SELECT 1 FROM review_emails o JOIN candidate_sessions s ON s.id = o.session_id
				WHERE o.organization_id = review_email_batches.organization_id AND o.batch_id = review_email_batches.id
					AND o.session_id <> ? AND s.erased_at IS NULL)`,
		scope.OrganizationID, scope.OrganizationID, sessionID, sessionID)
	return err
}
