package store

import (
	"context"
	"time"
)

// finishedEmail is the content of FINISHED.
func (s *Store) finishedEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// accountEmail is the content of the emails about accounts.
func (s *Store) accountEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// webhookEmail is the content of WEBHOOK_DISABLED.
func (s *Store) webhookEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// memberEmailSettled follows the outcome of an email to a member, in its transaction. While
// the email will be tried again, status is QUEUED.
func (c conn) memberEmailSettled(ctx context.Context, e Email, status EmailStatus, now time.Time) error {
	return nil // TODO
}
