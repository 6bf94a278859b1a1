package store

import (
	"context"
	"net/url"
	"time"

	"assay/store/internal/db"
	"assay/store/keys"
)

// EmailKind is what an email is about.
type EmailKind string

// The kinds of email.
const (
	EmailInvite              EmailKind = "INVITE"                // to the candidate of a session
	EmailReminder            EmailKind = "REMINDER"              // to the candidate of a session
	EmailReopened            EmailKind = "REOPENED"              // to the candidate of a session that goes on
	EmailGatePassed          EmailKind = "GATE_PASSED"           // to the candidate of a session in review that goes on
	EmailResultCorrected     EmailKind = "RESULT_CORRECTED"      // to the candidate of a finished session
	EmailDecision            EmailKind = "DECISION"              // to a candidate whose state was changed
	EmailRegistration        EmailKind = "REGISTRATION"          // to a person who wants to become a candidate
	EmailTextTest            EmailKind = "TEXT_TEST"             // to a member: what a candidate would get
	EmailFinished            EmailKind = "FINISHED"              // to a member: candidates have finished
	EmailWaiting             EmailKind = "WAITING"               // to a member: grades or decisions are overdue
	EmailInvitation          EmailKind = "INVITATION"            // to an invited person
	EmailConfirmation        EmailKind = "EMAIL_CONFIRMATION"    // to a member whose address is not proved
	EmailPasswordReset       EmailKind = "PASSWORD_RESET"        // to a member
	EmailPasswordChanged     EmailKind = "PASSWORD_CHANGED"      // to a member
	EmailSecondFactorAdded   EmailKind = "SECOND_FACTOR_ADDED"   // to a member
	EmailSecondFactorRemoved EmailKind = "SECOND_FACTOR_REMOVED" // to a member
	EmailRecoveryCodeUsed    EmailKind = "RECOVERY_CODE_USED"    // to a member
	EmailRefreshTokenReused  EmailKind = "REFRESH_TOKEN_REUSED"  // to a member
	EmailRoleChanged         EmailKind = "ROLE_CHANGED"          // to a member
	EmailDeletionScheduled   EmailKind = "DELETION_SCHEDULED"    // to an OWNER: the organization will be deleted
	// EmailSignInRecoveryCodeUsed reports to each OWNER that a recovery code of the organization was used.
	EmailSignInRecoveryCodeUsed EmailKind = "SIGN_IN_RECOVERY_CODE_USED"
	EmailWebhookDisabled        EmailKind = "WEBHOOK_DISABLED" // to an OWNER or ADMIN
)

// EmailStatus is the state of an email.
type EmailStatus string

// The states of an email. A CANCELLED email was no longer needed. It was not sent, unless a
// worker was sending it when it was cancelled. A session without an email has the state NONE.
const (
	EmailNone      EmailStatus = "NONE"
	EmailQueued    EmailStatus = "QUEUED"
	EmailSent      EmailStatus = "SENT"
	EmailFailed    EmailStatus = "FAILED"
	EmailCancelled EmailStatus = "CANCELLED"
)

// Email is a queued email. It contains only references: the worker reads the rest when
// it sends the email.
type Email struct {
	ID             string    `db:"id"`
	OrganizationID string    `db:"organization_id"`
	Kind           EmailKind `db:"kind"`
	SessionID      *string   `db:"session_id"` // of emails to candidates
	UserID         *string   `db:"user_id"`    // of emails to members; nil for an unknown address
	SubjectID      *string   `db:"subject_id"` // see newEmail
	Lane           string    `db:"lane"`
	Attempt        int       `db:"attempt"` // attempts made before this one
	RunAt          Time      `db:"run_at"`
	CreatedAt      Time      `db:"created_at"`
	Lease          string    `db:"lease"`
}

// newEmail is an email to queue.
type newEmail struct {
	id             string // "": a new one
	kind           EmailKind
	organizationID string
	sessionID      *string
	userID         *string
	// subjectID is the audit entry of INVITATION, PASSWORD_CHANGED, REFRESH_TOKEN_REUSED,
	// ROLE_CHANGED, DELETION_SCHEDULED, and of those about second factors, and the endpoint of WEBHOOK_DISABLED. For
	// PASSWORD_RESET, it is the id of the row of password_resets that is written when the email is sent. For REMINDER,
	// it is the assessment whose window has changed, see checkReminders; nil for one that is sent anyway.
	// For RESULT_CORRECTED, it is the number of the revision before the correction. For REGISTRATION,
	// it is the row of registrations. For TEXT_TEST, it is the kind, the language, and the assessment of the words.
	subjectID *string
	runAt     time.Time // zero: now
}

// insertEmail is the statement that queues an email.
func (s *Store) insertEmail(e newEmail, now time.Time) db.Insert {
	ready := !e.runAt.After(now)
	if ready {
		e.runAt = now
	}
	if e.id == "" {
		e.id = s.NewID("eml")
	}
	return db.Insert{
		Into: `INSERT INTO emails (id, organization_id, kind, session_id, user_id, subject_id, status, lane, ready, run_at,
			lease, attempt, created_at)`,
		Select: `SELECT ?, ?, ?, ?, ?, ?, 'QUEUED', ?, ?, ?, '', 0, ?`,
		Args: []any{
			e.id, e.organizationID, e.kind, e.sessionID, e.userID, e.subjectID, e.lane(), ready, e.runAt, now,
		},
	}
}

// lane is the queue in which the email waits. Lanes take turns. Emails about accounts have
// a lane of their own, so that a password reset does not wait for a thousand invites.
func (e newEmail) lane() string {
	switch e.kind {
	case EmailInvite, EmailReminder, EmailReopened, EmailGatePassed, EmailResultCorrected, EmailDecision,
		EmailRegistration, EmailFinished, EmailWaiting, EmailWebhookDisabled:
		return e.organizationID
	}
	return e.organizationID + "/accounts"
}

// queueEmail queues an email in the transaction of its cause. Without a mail server it
// does nothing.
func (c conn) queueEmail(ctx context.Context, e newEmail) error {
	if !c.store.opts.SendsEmail {
		return nil
	}
	row := c.store.insertEmail(e, c.store.Now())
	_, err := c.Exec(ctx, row.Text(), row.Args...)
	c.AfterCommit(c.store.wakeEmail)
	return err
}

// SendsEmail reports whether the service can send email.
func (s *Store) SendsEmail() bool { return s.opts.SendsEmail }

func (s *Store) wakeEmail() {
	select {
	case s.emailWake <- struct{}{}:
	default: // one wake-up waits already
	}
}

// EmailWake receives a value when this process has queued an email.
func (s *Store) EmailWake() <-chan struct{} { return s.emailWake }

// unsubscribeAllURL returns the link that ends all emails of an organization to candidates at an address. The page has
// the language of the email.
func (s *Store) unsubscribeAllURL(organizationID, address, locale string) string {
	link := s.unsubscribeURL(organizationID + allSeparator + hashAccount(address))
	if locale == "" {
		return link
	}
	return link + "&lang=" + url.QueryEscape(locale)
}

// UnsubscribePath is the page on which a person ends the emails of one kind. The token is in
// the query and not in the fragment, because mail programs send the request (RFC 8058).
const UnsubscribePath = "/unsubscribe"

// unsubscribeURL returns the link that ends the reminders to the candidate of a session, or
// the emails to a member about finished candidates. The id is that of the session or the member.
// See unsubscribeAllURL for other ids.
func (s *Store) unsubscribeURL(id string) string {
	return s.opts.BaseURL + UnsubscribePath + "?token=" + s.opts.Keys.LinkToken(keys.PurposeUnsubscribe, id)
}
