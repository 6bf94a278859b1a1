package store

import (
	"context"
	"time"
)

// FailedSignIn is a sign-in at an address that no account has. The address is not
// stored: it can be a person's address with a typing error, or a password.
type FailedSignIn struct {
	At        Time   `db:"created_at"`
	IP        string `db:"ip"`
	RequestID string `db:"request_id"`
}

// UnscopedFailedSignIns returns the failed sign-ins at unknown accounts since the time,
// newest first. They are in no organization's audit log.
func (s *Store) UnscopedFailedSignIns(ctx context.Context, since time.Time, limit int) ([]FailedSignIn, error) {
	var failed []FailedSignIn
	err := s.read().List(ctx, &failed, `
		SELECT created_at, ip, request_id FROM audit_log
		WHERE organization_id = '' AND action = 'SIGN_IN_FAILED' AND id >= ? ORDER BY id DESC LIMIT ?`,
		keptAudit.boundary(since), limit)
	return failed, err
}

// operatorRetention is how long entries of no organization are kept.
const operatorRetention = 30 * 24 * time.Hour

// purgeOperatorEntries removes old entries of no organization.
func (s *Store) purgeOperatorEntries(ctx context.Context) error {
	return s.purgeBatches(ctx, `
		DELETE FROM audit_log WHERE organization_id = '' AND id IN (SELECT id FROM audit_log
			WHERE organization_id = '' AND id < ? ORDER BY id`+oneBatch, keptAudit.boundary(s.Now().Add(-operatorRetention)))
}
