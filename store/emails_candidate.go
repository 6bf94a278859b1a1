package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
)

// invitesSent says which invites are sent by email.
type invitesSent int

const (
	never     invitesSent = iota
	byDefault             // if the organization has set it
	always
)

// sendsInvite returns what the sendEmail of a request means. Refusals: email_not_configured, email_not_confirmed.
func (c conn) sendsInvite(ctx context.Context, scope Scope, sendEmail *bool) (invitesSent, error) {
	asked := sendEmail != nil && *sendEmail
	switch {
	case !c.store.opts.SendsEmail && asked:
		return never, errEmailNotConfigured
	case !c.store.opts.SendsEmail || sendEmail != nil && !asked:
		return never, nil
	case asked:
		return always, c.requireProved(ctx, scope)
	}
	err := c.requireProved(ctx, scope)
	if !errors.Is(err, errEmailNotConfirmed) {
		return byDefault, err
	}
	var wanted bool
	if err := c.Get(ctx, &wanted, `SELECT send_invite_email FROM organizations WHERE id = ?`,
		scope.OrganizationID); err != nil || !wanted {
		return never, err
	}
	return never, errEmailNotConfirmed
}

// inviteEmail is the statement that queues the email with a new invite, a dependent of
// InsertRow.
func (s *Store) inviteEmail(sends invitesSent, scope Scope, sessionID string, now time.Time) db.Insert {
	email := s.insertEmail(newEmail{
		kind: EmailInvite, organizationID: scope.OrganizationID, sessionID: &sessionID,
	}, now)
	if sends == byDefault {
		email.Select += ` FROM (SELECT 1 FROM organizations WHERE id = ? AND send_invite_email) o`
		email.Args = append(email.Args, scope.OrganizationID)
	}
	return email
}

// candidateEmail is the content of INVITE and REMINDER, or nil if the email is not needed
// any more: the session is no longer INVITED, it can no longer be started, the candidate
// wants no reminders, or the lease has ended, for example because the invite was renewed.
func (s *Store) candidateEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	c, now := s.read(), s.Now()
	var session CandidateSession
	err := c.Row(ctx, session.columns(), sessionColumns+`
		WHERE organization_id = ? AND id = ? AND status = 'INVITED' AND expires_at > ? AND NOT test
			AND (? OR NOT reminders_off) AND EXISTS (SELECT 1 FROM emails e WHERE e.id = ? AND e.lease = ?)`,
		scope.OrganizationID, *e.SessionID, now, e.Kind == EmailInvite, e.ID, e.Lease)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, err
	}
	span := session.Span()
	if span.Never(now) != "" {
		return nil, nil //nolint:nilnil // see above
	}
	assessment, err := c.content(ctx, scope, session.AssessmentID)
	if err != nil {
		return nil, err
	}
	if e.Kind == EmailReminder {
		if due, err := c.reminderDue(ctx, session, assessment, e, now); err != nil || !due {
			return nil, err
		}
	}
	organization, err := c.organization(ctx, scope)
	if err != nil {
		return nil, err
	}

	own, err := c.ownTexts(ctx, scope, session.AssessmentID, e.Kind)
	if err != nil {
		return nil, err
	}
	content := &EmailContent{
		ID: e.ID, Kind: e.Kind, ToName: session.CandidateName, ToAddress: session.CandidateEmail,
		Organization: organization, Locale: value(firstOf(assessment.Locale, organization.Locale)),
		TimeZone: value(organization.TimeZone), Own: own, Invite: s.inviteContent(session, assessment, span),
	}
	content.withStop(s)
	if e.Kind == EmailReminder {
		content.UnsubscribeURL = s.unsubscribeURL(session.ID)
	}
	return content, nil
}

func (s *Store) inviteContent(session CandidateSession, a *Assessment, span rules.StartSpan) *InviteContent {
	invite := &InviteContent{
		AssessmentTitle: a.Title, InviteURL: value(s.InviteURL(session)), ExpiresAt: *span.Until,
		Unlimited: isUnlimited(a), StageCount: a.StageCount, QuestionCount: a.QuestionCount,
	}
	if span.Refusal(s.Now()) == rules.AssessmentNotOpen {
		invite.OpensAt = span.From
	}
	if minutes := totalMinutes(a); minutes != nil {
		extended := time.Duration(*minutes*(100+session.ExtraTimePercent)) * time.Minute / 100
		invite.TimeLimit = &extended
	}
	if a.InviteMessage != nil {
		invite.MessageHTML = *s.InviteHTML(a)
		invite.MessageText = s.markdown.Text(*a.InviteMessage)
	}
	return invite
}

// totalMinutes is the time limit of a whole assessment, as the candidate page states it:
// all stages together can have less time than the session, which also contains the breaks.
func totalMinutes(a *Assessment) *int {
	sum := 0
	for _, stage := range a.Definition.Stages {
		if stage.TimeLimitMinutes == nil {
			return a.TimeLimitMinutes
		}
		sum += *stage.TimeLimitMinutes
	}
	if a.TimeLimitMinutes != nil {
		sum = min(sum, *a.TimeLimitMinutes)
	}
	return &sum
}

// isUnlimited reports whether neither the assessment nor a stage has a time limit.
func isUnlimited(a *Assessment) bool {
	for _, stage := range a.Definition.Stages {
		if stage.TimeLimitMinutes != nil {
			return false
		}
	}
	return a.TimeLimitMinutes == nil
}

// candidateEmailSettled follows the outcome of an email to a candidate, in its transaction: it
// updates the session, and queues the next reminder. While the email will be tried again,
// status is QUEUED.
func (c conn) candidateEmailSettled(
	ctx context.Context, e Email, status EmailStatus, failure *string, reason *EmailReason, now time.Time,
) error {
	if e.Kind == EmailInvite {
		shown := status
		var sentAt *time.Time
		switch status {
		case EmailCancelled:
			shown, failure = EmailNone, nil
		case EmailSent:
			sentAt, failure = &now, nil
		case EmailNone, EmailQueued, EmailFailed:
		}
		if _, err := c.Exec(ctx, `
			UPDATE candidate_sessions SET email_status = ?, email_sent_at = ?, email_failure = ?, email_reason = ?,
				updated_at = ?
			WHERE organization_id = ? AND id = ?`,
			shown, sentAt, failure, reason, now, e.OrganizationID, *e.SessionID); err != nil {
			return err
		}
	}
	if status == EmailQueued {
		return nil
	}
	return c.scheduleReminder(ctx, e.OrganizationID, *e.SessionID, now)
}

// eraseEmails removes the queued emails of a session. An attempt in progress is not recorded,
// because its row is gone. The failures can contain the address.
func (c conn) eraseEmails(ctx context.Context, scope Scope, id string, _ time.Time) error {
	if _, err := c.Exec(ctx, `
		DELETE FROM emails WHERE organization_id = ? AND session_id = ? AND status = 'QUEUED'`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		UPDATE emails SET failure = NULL WHERE organization_id = ? AND session_id = ? AND failure IS NOT NULL`,
		scope.OrganizationID, id)
	return err
}

// emailTimeline are the entries of a session's emails in its timeline. A reminder that is
// only scheduled is not shown, nor is an email that was cancelled. reviewEmailTimeline shows
// those about decisions.
func (c conn) emailTimeline(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	var rows []struct {
		Kind      EmailKind   `db:"kind"`
		Status    EmailStatus `db:"status"`
		CreatedAt Time        `db:"created_at"`
		EndedAt   *Time       `db:"ended_at"`
		Failure   *string     `db:"failure"`
		Reason    *string     `db:"reason"`
	}
	if err := c.List(ctx, &rows, `
		SELECT kind, status, created_at, ended_at, failure, reason FROM emails
		WHERE organization_id = ? AND session_id = ? AND status <> 'CANCELLED' AND kind <> 'DECISION'
			AND NOT (kind = 'REMINDER' AND status = 'QUEUED' AND attempt = 0 AND (run_at > ? OR subject_id IS NOT NULL))
		ORDER BY id DESC LIMIT ?`,
		scope.OrganizationID, id, c.store.Now(), maxTimeline); err != nil {
		return nil, err
	}
	entries := make([]TimelineEntry, 0, len(rows))
	for _, row := range slices.Backward(rows) {
		entry := TimelineEntry{At: row.CreatedAt.Time, Type: TimelineEmailQueued, Actor: ActorService, Email: &row.Kind}
		if row.EndedAt != nil {
			entry.At, entry.Type = row.EndedAt.Time, TimelineEmailSent
		}
		if row.Status == EmailFailed {
			entry.Type = TimelineEmailFailed
		}
		if entry.Type != TimelineEmailSent {
			entry.Failure, entry.FailureCode = row.Failure, row.Reason
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
