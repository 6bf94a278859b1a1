package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// SuppressionReason says why an organization does not write to an address.
type SuppressionReason string

// The reasons. A person who has asked for no emails gets none to candidates. An address that a mail server has refused
// gets only emails about its account.
const (
	Unsubscribed     SuppressionReason = "UNSUBSCRIBED"
	RefusedRecipient SuppressionReason = "REFUSED"
)

// refusedLifetime is how long an address that a mail server has refused is not tried: mailboxes are created later, and
// servers have faults.
const refusedLifetime = 90 * 24 * time.Hour

// heedsRefusals reports whether emails of the kind are not sent to refused addresses. Those about accounts are tried
// anyway: nobody else could tell the person.
func heedsRefusals(kind EmailKind) bool {
	switch kind {
	case EmailConfirmation, EmailPasswordReset, EmailPasswordChanged, EmailSecondFactorAdded, EmailSecondFactorRemoved,
		EmailRecoveryCodeUsed, EmailRefreshTokenReused, EmailRoleChanged, EmailDeletionScheduled:
		return false
	}
	return true
}

// heedsRequests reports whether emails of the kind end when a person asks for no emails of the organization: those to
// candidates do.
func heedsRequests(kind EmailKind) bool {
	switch kind {
	case EmailInvite, EmailReminder, EmailReopened, EmailGatePassed, EmailResultCorrected, EmailDecision,
		EmailRegistration:
		return true
	}
	return false
}

// suppression returns why an email is not to be sent to its address, or "".
func (s *Store) suppression(ctx context.Context, e Email, address string) (EmailReason, error) {
	var reason SuppressionReason
	err := s.read().Get(ctx, &reason, `
		SELECT reason FROM email_suppressions
		WHERE organization_id = ? AND address_hash = ? AND (expires_at IS NULL OR expires_at > ?)`,
		e.OrganizationID, hashAccount(address), s.Now())
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err != nil:
		return "", err
	case reason == Unsubscribed && heedsRequests(e.Kind):
		return EmailSuppressed, nil
	case reason == RefusedRecipient && heedsRefusals(e.Kind):
		return EmailRecipientRefused, nil
	}
	return "", nil
}

// suppressRefused records that a mail server has refused an address for good. The wish of a person stays.
func (c conn) suppressRefused(ctx context.Context, e Email, address string, now time.Time) error {
	if address == "" || !heedsRefusals(e.Kind) {
		return nil
	}
	_, err := c.Exec(ctx, `
		INSERT INTO email_suppressions (organization_id, address_hash, reason, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, address_hash) DO UPDATE SET created_at = excluded.created_at,
			expires_at = excluded.expires_at WHERE email_suppressions.reason = 'REFUSED'`,
		e.OrganizationID, hashAccount(address), RefusedRecipient, now, now.Add(refusedLifetime))
	return err
}

// suppressUnsubscribed ends the emails of an organization to candidates at an address.
func (c conn) suppressUnsubscribed(ctx context.Context, scope Scope, hash string) error {
	_, err := c.Exec(ctx, `
		INSERT INTO email_suppressions (organization_id, address_hash, reason, created_at, expires_at)
		VALUES (?, ?, ?, ?, NULL)
		ON CONFLICT (organization_id, address_hash) DO UPDATE SET reason = excluded.reason,
			created_at = excluded.created_at, expires_at = NULL WHERE email_suppressions.reason <> 'UNSUBSCRIBED'`,
		scope.OrganizationID, hash, Unsubscribed, c.store.Now())
	return err
}

// resumeEmails ends the suppression that the person at an address has asked for.
func (c conn) resumeEmails(ctx context.Context, scope Scope, hash string) error {
	_, err := c.Exec(ctx, `
		DELETE FROM email_suppressions WHERE organization_id = ? AND address_hash = ? AND reason = 'UNSUBSCRIBED'`,
		scope.OrganizationID, hash)
	return err
}

// Suppression is an organization that does not write to an address.
type Suppression struct {
	OrganizationID   string            `db:"organization_id"`
	OrganizationName string            `db:"organization_name"`
	Reason           SuppressionReason `db:"reason"`
	CreatedAt        Time              `db:"created_at"`
	ExpiresAt        *Time             `db:"expires_at"` // nil for never
}

const maxSuppressions = 1000

// UnscopedSuppressions returns the organizations that do not write to an address, at most maxSuppressions.
func (s *Store) UnscopedSuppressions(ctx context.Context, address string) ([]Suppression, error) {
	var found []Suppression
	err := s.read().List(ctx, &found, `
		SELECT x.organization_id, COALESCE(o.name, '') AS organization_name, x.reason, x.created_at, x.expires_at
		FROM email_suppressions x LEFT JOIN organizations o ON o.id = x.organization_id
		WHERE x.address_hash = ? AND (x.expires_at IS NULL OR x.expires_at > ?)
		ORDER BY x.organization_id LIMIT ?`, hashAccount(address), s.Now(), maxSuppressions)
	return found, err
}

// UnscopedEndSuppression lets an organization write to an address again, and reports whether it did not.
func (s *Store) UnscopedEndSuppression(ctx context.Context, organizationID, address string) (bool, error) {
	ended, err := s.autocommit().Exec(ctx, `DELETE FROM email_suppressions WHERE organization_id = ? AND address_hash = ?`,
		organizationID, hashAccount(address))
	return ended > 0, err
}
