package store

import (
	"context"
	"time"
)

// UnscopedReadyEmails makes scheduled emails that are due ready to be claimed, and those
// whose lease has ended. It returns how many.
func (s *Store) UnscopedReadyEmails(ctx context.Context) (int64, error) { return 0, nil } // TODO

// UnscopedClaimEmail leases one ready email: the oldest of the first lane after the given
// one, or else of the first lane. It returns nil if no email is ready.
func (s *Store) UnscopedClaimEmail(ctx context.Context, afterLane, lease string, leaseEnd time.Time) (*Email, error) {
	return nil, nil // TODO
}

// EmailOutcome is the result of one attempt.
type EmailOutcome struct {
	Email   Email
	Status  EmailStatus // QUEUED when it is tried again
	Failure string      // for the organization to read: no secret, no name of the mail server
	RetryAt time.Time   // of QUEUED
}

// UnscopedSettleEmail writes an outcome, unless the lease has ended and another worker has
// claimed the email, or an erasure has removed it. It reports whether it did.
func (s *Store) UnscopedSettleEmail(ctx context.Context, outcome EmailOutcome) (bool, error) {
	return false, nil // TODO
}

// EmailQueue describes the queue for metrics.
type EmailQueue struct {
	Queued    int64
	OldestDue *time.Time // when the email that has waited longest was due; nil without a due one
}

// UnscopedEmailQueue measures the queue.
func (s *Store) UnscopedEmailQueue(ctx context.Context) (EmailQueue, error) { return EmailQueue{}, nil } // TODO
