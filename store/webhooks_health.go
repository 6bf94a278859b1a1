package store

import (
	"context"
	"encoding/json"
	"time"
)

// cancelBatch bounds the deliveries that one transaction cancels.
const cancelBatch = 200

// ofDisabled chooses queued deliveries of an endpoint that is disabled or deleted.
const ofDisabled = `WHERE webhook_id = ?
	AND EXISTS (SELECT 1 FROM webhook_endpoints h WHERE h.id = webhook_queue.webhook_id AND NOT h.enabled)
	ORDER BY run_at, delivery_id`

// cancelPending cancels a batch of the deliveries of ofDisabled.
// more reports whether there can be others: UnscopedCancelDisabled cancels them, so that no
// request waits for a long queue.
func (s *Store) cancelPending(ctx context.Context, webhookID string) (more bool, err error) {
	return s.cancelChosen(ctx, ofDisabled, webhookID)
}

// cancelAllPending cancels all of them, in short transactions.
func (s *Store) cancelAllPending(ctx context.Context, webhookID string) error {
	for {
		if more, err := s.cancelPending(ctx, webhookID); err != nil || !more {
			return err
		}
	}
}

// ofOlderEvents chooses queued deliveries of events that are about to be purged.
const ofOlderEvents = `WHERE event_id < ? ORDER BY event_id, delivery_id`

// cancelOrphans cancels the deliveries of ofOlderEvents, in short transactions.
func (s *Store) cancelOrphans(ctx context.Context, firstKept string) error {
	for {
		more, err := s.cancelChosen(ctx, ofOlderEvents, firstKept)
		if err != nil || !more {
			return err
		}
	}
}

// cancelled selects the ids of a batch of deliveries.
func cancelled(which string) string {
	return `SELECT delivery_id FROM webhook_queue WHERE delivery_id IN (
		SELECT delivery_id FROM webhook_queue ` + which + atMost(cancelBatch) + `) ORDER BY delivery_id`
}

// cancelChosen cancels a batch of deliveries. which chooses them in the order of an index;
// they are locked in the order of their ids, as everywhere.
func (s *Store) cancelChosen(ctx context.Context, which, argument string) (more bool, err error) {
	err = s.write(ctx, func(c conn) error {
		var rows []string
		if err := c.List(ctx, &rows, cancelled(which)+s.db.ForUpdate, argument); err != nil || len(rows) == 0 {
			more = false
			return err
		}
		more = len(rows) == cancelBatch
		ids, err := json.Marshal(rows)
		if err != nil {
			return err
		}
		chosen := ` WHERE ` + s.db.IsOneOf("delivery_id")
		if _, err = c.Exec(ctx, `
			INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt,
				created_at, completed_at)
			SELECT delivery_id, organization_id, webhook_id, event_id, event_type, 'CANCELLED', attempt, created_at,
				CAST(? AS BIGINT)
			FROM webhook_queue`+chosen, s.Now().UnixMicro(), string(ids)); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `DELETE FROM webhook_queue`+chosen, string(ids))
		return err
	})
	return more, err
}

// UnscopedCancelDisabled cancels what is still queued for disabled and deleted endpoints, in
// short transactions: the rest of a long queue, and deliveries that were queued while the
// endpoint was being disabled.
func (s *Store) UnscopedCancelDisabled(ctx context.Context) error {
	var disabled []string
	if err := s.read().List(ctx, &disabled, `
		SELECT h.id FROM webhook_endpoints h
		WHERE NOT h.enabled AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.webhook_id = h.id)`); err != nil {
		return err
	}
	for _, id := range disabled {
		if err := s.cancelAllPending(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

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
		reason, since := DisabledFailing, s.Now().Add(-failingFor).UnixMicro()
		if seen.Gone {
			reason = DisabledGone
		}
		touched, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET enabled = ?, disabled_reason = ? WHERE id = ? AND enabled AND deleted_at IS NULL
				AND (? OR (failing_since <= ? AND failed_deliveries >= ?))`,
			false, reason, seen.WebhookID, seen.Gone, since, failingDeliveries)
		disabled = touched > 0
		if err != nil || !disabled {
			return err
		}
		return c.queueWebhookDisabled(ctx, seen.WebhookID)
	})
	if err != nil || !disabled {
		return err
	}
	_, err = s.cancelPending(ctx, seen.WebhookID)
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
