package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/internal/db"
)

// Emails are limited where they are sent, and not where they are queued: a change never fails because of its email, an
// email that was cancelled costs nothing, and only here is the address known. The counts are rows of rate_windows, for
// all processes together, and the purge of those removes them. An email is counted once, however often it is tried.
//
// Emails about accounts have shares of their own, so that no flood of other emails keeps a person from a new password.

// EmailReason says to programs why an email was not sent.
type EmailReason string

// The reasons. An email without one has failed for another cause, which its failure describes.
const (
	EmailRecipientLimit   EmailReason = "recipient_limit"   // the mailbox has had as many as it may get
	EmailDailyQuota       EmailReason = "daily_quota"       // of the organization
	EmailSuppressed       EmailReason = "suppressed"        // the person has asked for no emails of the organization
	EmailRecipientRefused EmailReason = "recipient_refused" // by a mail server, for good, now or before
)

// Sentence is the reason for a person to read.
func (r EmailReason) Sentence() string {
	switch r {
	case EmailRecipientLimit:
		return "This address has received as many emails in 24 hours as it can. Send the email again later."
	case EmailDailyQuota:
		return "Your organization has sent as many emails in 24 hours as its quota permits. Send the email again later."
	case EmailSuppressed:
		return "This person has asked for no more emails from your organization."
	case EmailRecipientRefused:
		return "A mail server has refused this address for good, so the email was not tried."
	}
	return ""
}

// emailDay is the time in which emails are counted. It begins with the first one.
const emailDay = 24 * time.Hour

// newOrganizationAge is how long an organization has the lower quota where any client can register one.
const newOrganizationAge = 30 * 24 * time.Hour

const emailQuotaName = "email-organization"

// isNew reports whether a stranger may have registered the organization to send emails.
func (s *Store) isNew(o Organization) bool {
	return s.opts.Registration == RegistrationOpen && s.Now().Before(o.CreatedAt.Add(newOrganizationAge))
}

// EmailQuota is how many emails an organization can send in a day now; 0 for no limit.
func (s *Store) EmailQuota(o Organization) int64 {
	quota := s.opts.Quotas.Emails
	if first := s.opts.Quotas.NewEmails; first > 0 && s.isNew(o) && (quota == 0 || first < quota) {
		return first
	}
	return quota
}

// emailLimit is a limit with what it counts for.
type emailLimit struct {
	RateLimit
	who string
}

// emailLimits are the limits that count an email. Their order is the same for all emails, so that two transactions do
// not wait for each other.
func (s *Store) emailLimits(e Email, content *EmailContent) []emailLimit {
	limits, address := s.opts.SignInLimits, hashAccount(content.ToAddress)
	mailbox := e.OrganizationID + ":" + address
	most := int(s.EmailQuota(content.Organization))
	quota := emailLimit{RateLimit{Name: emailQuotaName, Requests: most, Window: emailDay}, e.OrganizationID}
	switch e.Kind {
	case EmailConfirmation:
		return nil // confirmationEmails bounds them where they are queued
	case EmailPasswordReset:
		return []emailLimit{{limits.EmailReset, address}}
	case EmailPasswordChanged, EmailSecondFactorAdded, EmailSecondFactorRemoved, EmailRecoveryCodeUsed,
		EmailRefreshTokenReused, EmailRoleChanged, EmailDeletionScheduled:
		return []emailLimit{{limits.EmailMember, "account:" + mailbox}}
	case EmailFinished, EmailWaiting, EmailWebhookDisabled, EmailTextTest:
		return []emailLimit{{limits.EmailMember, mailbox}, quota}
	}
	all := []emailLimit{{limits.EmailRecipient, mailbox}}
	// New organizations and the rest have a share each, so that strangers cannot use up the one of known organizations.
	switch {
	case e.Kind == EmailRegistration || s.isNew(content.Organization):
		all = append(all, emailLimit{limits.EmailAddress, "new:" + address})
	case s.opts.Registration == RegistrationOpen:
		all = append(all, emailLimit{limits.EmailAddress, address})
	}
	return append(all, quota)
}

// UnscopedAdmitEmail counts a claimed email that is about to be sent. It returns "" if it can be sent, or why not.
func (s *Store) UnscopedAdmitEmail(ctx context.Context, e Email, content *EmailContent) (EmailReason, error) {
	if reason, err := s.suppression(ctx, e, content.ToAddress); err != nil || reason != "" {
		return reason, err
	}
	err := s.db.WriteDispatcher(ctx, func(connection db.Conn) error {
		c := conn{connection, s}
		first, err := c.Exec(ctx, `
			UPDATE emails SET counted_at = ? WHERE id = ? AND lease = ? AND status = 'QUEUED' AND counted_at IS NULL`,
			s.Now(), e.ID, e.Lease)
		if err != nil || first == 0 {
			return err
		}
		for _, limit := range s.emailLimits(e, content) {
			if err := c.count(ctx, limit.RateLimit, limit.who); err != nil {
				return err // nothing of this email is counted
			}
		}
		return nil
	})
	var limited *Limited
	switch {
	case !errors.As(err, &limited):
		return "", err
	case limited.Limit.Name == emailQuotaName:
		return EmailDailyQuota, nil
	}
	return EmailRecipientLimit, nil
}

// sentEmails is how many emails an organization has sent in its day.
func (c conn) sentEmails(ctx context.Context, organizationID string) (int64, error) {
	var sent int64
	err := c.Get(ctx, &sent, `SELECT requests FROM rate_windows WHERE bucket = ? AND ends_at > ?`,
		emailQuotaName+":"+organizationID, c.store.Now())
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return sent, err
}
