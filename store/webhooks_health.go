package store

import (
	"context"
	"time"

	"assay/store/queue"
)

// Health is what a dispatcher observed of one endpoint since its last report.
type Health = queue.Health

// An endpoint is disabled when it has failed for failingFor, and failingDeliveries
// deliveries have had no attempt left.
const (
	failingFor        = 5 * 24 * time.Hour
	failingDeliveries = 20
)

// UnscopedNoteHealth adds a report to an endpoint's health and statistics, and disables an endpoint
// that is gone or has failed for too long. It then cancels a batch of the endpoint's queued
// deliveries, in a further transaction.
func (s *Store) UnscopedNoteHealth(ctx context.Context, seen Health) error {
	disabled := false
	err := s.write(ctx, func(c conn) error {
		var lastSuccess, lastFailure *int64
		if seen.LastSuccessAt != nil {
			at := seen.LastSuccessAt.UnixMicro()
			lastSuccess = &at
		}
		if seen.LastFailureAt != nil {
			at := seen.LastFailureAt.UnixMicro()
			lastFailure = &at
		}
		if _, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET
				consecutive_failures = CASE WHEN ? THEN 0 ELSE consecutive_failures END + ?,
				failed_deliveries = CASE WHEN ? THEN 0 ELSE failed_deliveries END + ?,
				failing_since = CASE WHEN ? > 0 THEN COALESCE(CASE WHEN ? THEN NULL ELSE failing_since END, ?)
					WHEN ? THEN NULL ELSE failing_since END,
				last_success_at = COALESCE(?, last_success_at), last_failure_at = COALESCE(?, last_failure_at)
			WHERE id = ?`,
			lastSuccess != nil, seen.Failures, lastSuccess != nil, seen.FailedDeliveries,
			seen.Failures, lastSuccess != nil, lastFailure, lastSuccess != nil,
			lastSuccess, lastFailure, seen.WebhookID); err != nil {
			return err
		}
		if err := c.countAttempts(ctx, seen.WebhookID, seen.Attempts); err != nil {
			return err
		}
		reason, now := DisabledFailing, s.Now()
		if seen.Gone {
			reason = DisabledGone
		}
		touched, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET enabled = ?, disabled_reason = ?, cancelled_before = ?
			WHERE id = ? AND enabled AND deleted_at IS NULL AND (? OR (failing_since <= ? AND failed_deliveries >= ?))`,
			false, reason, now.UnixMicro(), seen.WebhookID, seen.Gone, now.Add(-failingFor).UnixMicro(), failingDeliveries)
		disabled = touched > 0
		if err != nil || !disabled {
			return err
		}
		return c.queueWebhookDisabled(ctx, seen.WebhookID)
	})
	if err != nil || !disabled {
		return err
	}
	return s.queue.CancelSome(ctx, seen.WebhookID)
}
