package store

import (
	"context"
	"time"
)

// candidateEmail is the content of INVITE and REMINDER.
func (s *Store) candidateEmail(ctx context.Context, scope Scope, e Email) (*EmailContent, error) {
	return nil, nil // TODO
}

// candidateEmailSettled follows the outcome of an email to a candidate, in its transaction: it
// updates the session, and queues the next reminder. While the email will be tried again,
// status is QUEUED.
func (c conn) candidateEmailSettled(
	ctx context.Context, e Email, status EmailStatus, failure *string, now time.Time,
) error {
	return nil // TODO
}
