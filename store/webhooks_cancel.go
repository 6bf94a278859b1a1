package store

import (
	"context"
	"errors"
	"time"

	"assay/store/internal/db"
	"assay/store/queue"
)

// cancelForReplay finishes what an endpoint that is enabled again still has to cancel of the replayed period, so that a
// replay of what was cancelled has it: at most the maxReplay oldest events. more reports whether there can be others.
func (s *Store) cancelForReplay(ctx context.Context, scope Scope, webhookID string, in Replay) (more bool, err error) {
	if in.Status != DeliveryCancelled {
		return false, nil
	}
	endpoint, err := s.read().webhook(ctx, scope, webhookID)
	if err != nil || !endpoint.Enabled || endpoint.CancelledBefore == nil {
		return false, err
	}
	return s.queue.CancelPeriod(ctx, webhookID, time.UnixMicro(*endpoint.CancelledBefore), queue.Period{
		Since: in.Since, Until: in.Until, EventType: string(in.EventType),
	}, maxReplay)
}

// UnscopedCancelDisabled cancels, in short transactions, what is still queued for disabled and deleted endpoints, and
// for enabled ones from before they were disabled.
func (s *Store) UnscopedCancelDisabled(ctx context.Context) error {
	var endpoints []struct {
		ID      string `db:"id"`
		Enabled bool   `db:"enabled"`
		Before  *int64 `db:"cancelled_before"`
	}
	if err := s.read().List(ctx, &endpoints, `
		SELECT h.id, h.enabled, h.cancelled_before FROM webhook_endpoints h
		WHERE h.enabled AND h.cancelled_before IS NOT NULL
			OR NOT h.enabled AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.webhook_id = h.id)`); err != nil {
		return err
	}
	var failed error
	for _, endpoint := range endpoints {
		now := s.Now()
		before := now
		if endpoint.Enabled {
			before = time.UnixMicro(*endpoint.Before)
		}
		found, err := s.queue.CancelAll(ctx, endpoint.ID, before)
		// Until this time has passed, a transaction can still queue a delivery with an earlier time.
		if err == nil && endpoint.Enabled && !found && now.After(before.Add(queue.Latest)) {
			err = s.forgetCancelled(ctx, endpoint.ID, *endpoint.Before)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// forgetCancelled notes that all deliveries that were created before a time have been cancelled. While parts of replays
// wait, the time stays, because it says which of them to cancel.
func (s *Store) forgetCancelled(ctx context.Context, webhookID string, before int64) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET cancelled_before = NULL WHERE id = ? AND enabled AND cancelled_before = ?
				AND NOT EXISTS (SELECT 1 FROM webhook_replays r WHERE r.webhook_id = webhook_endpoints.id)`, webhookID, before)
		return err
	})
}

// enableWebhook enables or disables an endpoint. Nothing that was queued before it was disabled is sent. The previous
// binary disables without writing cancelled_before, so nothing that is older than MaxWriteTime is sent either.
func (c conn) enableWebhook(ctx context.Context, scope Scope, id string, enabled bool) error {
	now := c.store.Now().UnixMicro()
	if !enabled {
		_, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET enabled = ?, disabled_reason = 'MANUAL', cancelled_before = ?
			WHERE organization_id = ? AND id = ? AND enabled`, false, now, scope.OrganizationID, id)
		return err
	}
	older := now - db.MaxWriteTime.Microseconds()
	_, err := c.Exec(ctx, `
		UPDATE webhook_endpoints SET enabled = ?, disabled_reason = NULL, consecutive_failures = 0, failed_deliveries = 0,
			failing_since = NULL, cancelled_before = CASE
				WHEN cancelled_before > ? THEN ? -- by a clock that is ahead
				WHEN cancelled_before > ? THEN cancelled_before ELSE ? END
		WHERE organization_id = ? AND id = ? AND NOT enabled`, true, now, now, older, older, scope.OrganizationID, id)
	return err
}
