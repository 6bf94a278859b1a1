package store

import (
	"context"
	"time"
)

// Health is what a dispatcher observed of one endpoint since its last report.
type Health struct {
	WebhookID        string
	LastSuccessAt    *time.Time
	LastFailureAt    *time.Time
	Failures         int  // attempts since the last success or the last report
	FailedDeliveries int  // deliveries that had their last attempt in the same time
	Gone             bool // the endpoint answered 410
	Attempts         map[AttemptKey]AttemptCount
}

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
	err = s.cancelDisabled(ctx, seen.WebhookID)
	return err
}

// Backlog describes the queue.
type Backlog struct {
	Pending   int64  `db:"pending"`    // up to MaxBacklog
	OldestDue *int64 `db:"oldest_due"` // microseconds since 1970; nil when no due delivery waits for a claim
}

// MaxBacklog bounds what one measurement counts, because a queue can hold millions.
const MaxBacklog = 100_000

// UnscopedBacklog measures the queue for the metrics. The count reads the smallest index,
// and the oldest due delivery is the first one in the index of an endpoint.
func (s *Store) UnscopedBacklog(ctx context.Context) (Backlog, error) {
	var backlog Backlog
	if err := s.read().Get(ctx, &backlog.Pending,
		`SELECT COUNT(*) FROM (SELECT 1 FROM webhook_queue LIMIT ?) q`, MaxBacklog); err != nil {
		return backlog, err
	}
	err := s.read().Get(ctx, &backlog.OldestDue, `
		WITH RECURSIVE waiting (webhook_id) AS (
			SELECT (SELECT q.webhook_id FROM webhook_queue q ORDER BY q.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > w.webhook_id ORDER BY q.webhook_id LIMIT 1)
			FROM waiting w WHERE w.webhook_id IS NOT NULL)
		SELECT MIN((SELECT q.run_at FROM webhook_queue q WHERE q.webhook_id = w.webhook_id AND q.run_at <= ? AND q.lease = ''
			ORDER BY q.run_at LIMIT 1)) FROM waiting w`, s.Now().UnixMicro())
	return backlog, err
}
