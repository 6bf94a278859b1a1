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
)

// Only the next reminder of a session is in the queue. It is queued when the email with the
// invite was sent, or when the previous reminder has ended. So a late email delays the next
// one, and a session whose invite was not sent gets none.

const (
	// lastReminder is how long before the expiry a candidate gets the last reminder.
	lastReminder = 24 * time.Hour

	// reminderPause is the shortest time between two emails to a candidate.
	reminderPause = 12 * time.Hour
)

// scheduleReminder queues the next reminder of a session whose invite was sent by email,
// unless an email is queued already.
func (c conn) scheduleReminder(ctx context.Context, organizationID, sessionID string, now time.Time) error {
	var session struct {
		InvitedAt Time  `db:"invited_at"`
		ExpiresAt Time  `db:"expires_at"`
		Hours     hours `db:"remind_after_hours"`
		EmailedAt *Time `db:"emailed_at"` // when the latest email was sent
	}
	err := c.Get(ctx, &session, `
		SELECT s.invited_at, s.expires_at, a.remind_after_hours, (
				SELECT e.ended_at FROM emails e
				WHERE e.organization_id = s.organization_id AND e.session_id = s.id AND e.status = 'SENT'
				ORDER BY e.id DESC LIMIT 1) AS emailed_at
		FROM candidate_sessions s JOIN assessments a ON a.id = s.assessment_id
		WHERE s.organization_id = ? AND s.id = ? AND s.status = 'INVITED' AND s.email_status = 'SENT'
			AND NOT s.reminders_off AND NOT EXISTS (
				SELECT 1 FROM emails q
				WHERE q.organization_id = s.organization_id AND q.session_id = s.id AND q.status = 'QUEUED')`,
		organizationID, sessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	earliest := now
	if session.EmailedAt != nil && session.EmailedAt.Add(reminderPause).After(now) {
		earliest = session.EmailedAt.Add(reminderPause)
	}
	at, ok := session.Hours.nextReminder(session.InvitedAt.Time, session.ExpiresAt.Time, earliest)
	if !ok || !at.After(now) {
		return nil
	}
	return c.queueEmail(ctx, newEmail{
		kind: EmailReminder, organizationID: organizationID, sessionID: &sessionID, runAt: at,
	})
}

// nextReminder returns the first time for a reminder that is not before earliest, or false.
func (h hours) nextReminder(invitedAt, expiresAt, earliest time.Time) (next time.Time, ok bool) {
	times := []time.Time{expiresAt.Add(-lastReminder)}
	for _, after := range h {
		times = append(times, invitedAt.Add(time.Duration(after)*time.Hour))
	}
	for _, at := range times {
		if !at.Before(earliest) && at.Before(expiresAt) && (!ok || at.Before(next)) {
			next, ok = at, true
		}
	}
	return next, ok
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
