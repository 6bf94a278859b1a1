package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/store/rules"
)

// Only the next reminder of a session is in the queue. It is queued when the email with the
// invite was sent, or when the previous reminder has ended. So a late email delays the next
// one, and a session whose invite was not sent gets none.

// reminderPause is the shortest time between two emails to a candidate.
const reminderPause = 12 * time.Hour

// scheduleReminder queues the next reminder of a session whose invite was sent by email,
// unless an email is queued already.
func (c conn) scheduleReminder(ctx context.Context, organizationID, sessionID string, now time.Time) error {
	var session struct {
		InvitedAt Time  `db:"invited_at"`
		ExpiresAt Time  `db:"expires_at"`
		OpensAt   *Time `db:"opens_at"`
		ClosesAt  *Time `db:"closes_at"`
		Hours     hours `db:"remind_after_hours"`
		EmailedAt *Time `db:"emailed_at"` // when the latest email was sent
	}
	err := c.Get(ctx, &session, `
		SELECT s.invited_at, s.expires_at, a.opens_at, a.closes_at, a.remind_after_hours, `+lastEmailOf+` AS emailed_at
		FROM candidate_sessions s JOIN assessments a ON a.id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? AND s.status = 'INVITED' AND s.email_status = 'SENT'
			AND NOT s.reminders_off AND NOT EXISTS (
				SELECT 1 FROM emails q
				WHERE q.organization_id = s.organization_id AND q.session_id = s.id AND q.status = 'QUEUED'
				AND q.kind <> 'DECISION')`,
		organizationID, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	invited := CandidateSession{
		Status: rules.SessionInvited, ExpiresAt: session.ExpiresAt, OpensAt: session.OpensAt, ClosesAt: session.ClosesAt,
	}
	at, ok := invited.Span().NextReminder(session.InvitedAt.Time, session.Hours,
		earliestReminder(session.EmailedAt, now))
	if !ok || !at.After(now) {
		return nil
	}
	return c.queueEmail(ctx, newEmail{
		kind: EmailReminder, organizationID: organizationID, sessionID: &sessionID, runAt: at,
	})
}

// lastEmailOf is when the latest email of the session s was sent.
const lastEmailOf = `(
				SELECT e.ended_at FROM emails e
				WHERE e.organization_id = s.organization_id AND e.session_id = s.id AND e.status = 'SENT'
				ORDER BY e.id DESC LIMIT 1)`

// earliestReminder is at least reminderPause after the latest email.
func earliestReminder(emailedAt *Time, earliest time.Time) time.Time {
	if emailedAt != nil && emailedAt.Add(reminderPause).After(earliest) {
		return emailedAt.Add(reminderPause)
	}
	return earliest
}

// reminderDue reports whether a claimed reminder is to be sent now. None is sent before the
// session can be started, and one of checkReminders only if a reminder is due.
func (c conn) reminderDue(
	ctx context.Context, session CandidateSession, a *Assessment, e Email, now time.Time,
) (bool, error) {
	span := session.Span()
	if e.SubjectID == nil || span.Refusal(now) != "" {
		return span.Refusal(now) == "", nil
	}
	var emailedAt *Time
	if err := c.Row(ctx, []any{&emailedAt}, `
		SELECT `+lastEmailOf+` FROM candidate_sessions s WHERE s.organization_id = ? AND s.id = ?`,
		session.OrganizationID, session.ID); err != nil {
		return false, err
	}
	at, ok := span.NextReminder(session.InvitedAt.Time, a.RemindAfterHours,
		earliestReminder(emailedAt, session.InvitedAt.Time))
	return ok && !at.After(now), nil
}

// checkReminders follows a change of the assessment's window. The next reminder of each
// session that waits for its start is due at once: candidateEmail cancels it if it is too
// early, and candidateEmailSettled queues it for the right time. The statements are as many
// for one session as for a hundred thousand. A reminder that was tried already stays.
func (c conn) checkReminders(ctx context.Context, scope Scope, assessmentID string) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	const waiting = `
		s.organization_id = ? AND s.assessment_id = ? AND s.status = 'INVITED' AND s.email_status = 'SENT'
			AND NOT s.reminders_off AND NOT s.test`
	now := c.store.Now()
	if _, err := c.Exec(ctx, `
		UPDATE emails SET run_at = ?, subject_id = ?
		WHERE organization_id = ? AND status = 'QUEUED' AND kind = 'REMINDER' AND attempt = 0 AND run_at > ?
			AND session_id IN (SELECT s.id FROM candidate_sessions s WHERE`+waiting+`)`,
		now, assessmentID, scope.OrganizationID, now, scope.OrganizationID, assessmentID); err != nil {
		return err
	}
	// The time in the id is the present, and the rest is that of the session's id, which is as random.
	const idTime = len("eml_") + 10
	email := newEmail{kind: EmailReminder, organizationID: scope.OrganizationID}
	_, err := c.Exec(ctx, fmt.Sprintf(`
		INSERT INTO emails (id, organization_id, kind, session_id, subject_id, status, lane, ready, run_at, lease, attempt,
			created_at)
		SELECT CAST(? AS TEXT) || substr(s.id, %d), s.organization_id, ?, s.id, s.assessment_id, 'QUEUED', ?, TRUE, ?, '',
			0, ?
		FROM candidate_sessions s WHERE`+waiting+` AND s.expires_at > ? AND NOT EXISTS (
			SELECT 1 FROM emails q
			WHERE q.organization_id = s.organization_id AND q.session_id = s.id AND q.status = 'QUEUED'
				AND q.kind <> 'DECISION')
		ON CONFLICT DO NOTHING`, idTime+1),
		c.store.NewID("eml")[:idTime], email.kind, email.lane(), now, now, scope.OrganizationID, assessmentID, now)
	c.AfterCommit(c.store.wakeEmail)
	return err
}

// rescheduleReminder follows a change of a locked session's expiry. A reminder that was tried
// or is due stays, and the next one is queued after it.
func (c conn) rescheduleReminder(ctx context.Context, session CandidateSession, now time.Time) error {
	if session.EmailStatus != EmailSent || !c.store.opts.SendsEmail {
		return nil
	}
	if _, err := c.Exec(ctx, `
		DELETE FROM emails WHERE organization_id = ? AND session_id = ? AND status = 'QUEUED' AND kind = 'REMINDER'
			AND attempt = 0 AND run_at > ?`, session.OrganizationID, session.ID, now); err != nil {
		return err
	}
	return c.scheduleReminder(ctx, session.OrganizationID, session.ID, now)
}

// hours is a list of numbers that is stored as JSON. nil is stored as NULL.
type hours []int

// newHours returns a list as it is stored: sorted, and without duplicates.
func newHours(list []int) hours {
	if list == nil {
		return nil
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// audited is what the audit log shows: the numbers, or nil for none.
func (h hours) audited() any {
	if len(h) == 0 {
		return nil
	}
	return strings.Trim(fmt.Sprint([]int(h)), "[]")
}

// Value implements driver.Valuer.
func (h hours) Value() (driver.Value, error) {
	if h == nil {
		return nil, nil //nolint:nilnil // NULL
	}
	encoded, err := json.Marshal([]int(h))
	return string(encoded), err
}

// Scan implements sql.Scanner.
func (h *hours) Scan(stored any) error {
	switch stored := stored.(type) {
	case string:
		return json.Unmarshal([]byte(stored), h)
	case []byte:
		return json.Unmarshal(stored, h)
	}
	return fmt.Errorf("store: hours are a %T", stored)
}
