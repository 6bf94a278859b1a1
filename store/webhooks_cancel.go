package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// Disabling an endpoint cancels its queued deliveries: a batch at once, the others in the background, because there can
// be hundreds of thousands. If the endpoint is enabled meanwhile, its column cancelled_before says which are left.

const (
	// cancelBatch bounds the deliveries that one transaction cancels.
	cancelBatch = 200

	// ofDisabled chooses queued deliveries of an endpoint that is disabled or deleted, or was when they were queued,
	// after a position in its queue.
	ofDisabled = `SELECT q.delivery_id, q.run_at FROM webhook_queue q JOIN webhook_endpoints h ON h.id = q.webhook_id
		WHERE q.webhook_id = ? AND (NOT h.enabled OR q.created_at < h.cancelled_before)
			AND (q.run_at, q.delivery_id) > (?, ?)
		ORDER BY q.run_at, q.delivery_id`

	// ofOlderEvents chooses queued deliveries of events that are about to be purged.
	ofOlderEvents = `SELECT delivery_id FROM webhook_queue WHERE event_id < ? ORDER BY event_id, delivery_id`
)

// queued is the position of a delivery in the queue of its endpoint.
type queued struct {
	RunAt int64  `db:"run_at"`
	ID    string `db:"delivery_id"`
}

// cancelPending cancels a batch of the deliveries of ofDisabled, and returns the last one. more reports whether there
// can be others.
func (s *Store) cancelPending(ctx context.Context, webhookID string, after queued) (last queued, more bool, err error) {
	var rows []queued
	err = s.read().List(ctx, &rows, ofDisabled+atMost(cancelBatch), webhookID, after.RunAt, after.ID)
	if err != nil || len(rows) == 0 {
		return after, false, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	err = s.write(ctx, func(c conn) error { return c.cancelQueued(ctx, ids) })
	return rows[len(rows)-1], len(rows) == cancelBatch, err
}

// cancelAllPending cancels all of them, in short transactions. found reports whether there were any.
func (s *Store) cancelAllPending(ctx context.Context, webhookID string) (found bool, err error) {
	var last queued
	for more := true; more; {
		began := s.Now()
		if last, more, err = s.cancelPending(ctx, webhookID, last); err != nil {
			return true, err
		}
		found = found || last != queued{}
		if more {
			if err := s.pause(ctx, began); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}

// cancelForReplay cancels up to maxReplay deliveries that an endpoint, which is enabled again, still has to cancel, so that
// a replay of what was cancelled has them. more reports whether there can be others.
func (s *Store) cancelForReplay(ctx context.Context, scope Scope, webhookID string, in Replay) (more bool, err error) {
	if in.Status != DeliveryCancelled {
		return false, nil
	}
	endpoint, err := s.read().webhook(ctx, scope, webhookID)
	if err != nil || !endpoint.Enabled || endpoint.CancelledBefore == nil {
		return false, err
	}
	moreParts, more := true, true
	for n := 0; moreParts && n < maxReplay; n += replayPart {
		if moreParts, err = s.queueReplay(ctx, ofWebhook, webhookID); err != nil {
			return false, err
		}
	}
	var last queued
	for n := 0; more && n < maxReplay; n += cancelBatch {
		if last, more, err = s.cancelPending(ctx, webhookID, last); err != nil {
			return false, err
		}
	}
	return more || moreParts, nil
}

// cancelOrphans cancels the deliveries of ofOlderEvents, in short transactions.
func (s *Store) cancelOrphans(ctx context.Context, firstKept string) error {
	for {
		began := s.Now()
		var ids []string
		if err := s.read().List(ctx, &ids, ofOlderEvents+atMost(cancelBatch), firstKept); err != nil || len(ids) == 0 {
			return err
		}
		if err := s.write(ctx, func(c conn) error { return c.cancelQueued(ctx, ids) }); err != nil {
			return err
		}
		if err := s.pause(ctx, began); err != nil {
			return err
		}
	}
}

// cancelQueued cancels those of the deliveries that are still queued. It locks them in the order of their ids, as every
// other change does.
func (c conn) cancelQueued(ctx context.Context, ids []string) error {
	chosen := ` WHERE ` + c.store.db.IsOneOf("delivery_id")
	encoded, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	var left []string
	if err := c.List(ctx, &left, `SELECT delivery_id FROM webhook_queue`+chosen+` ORDER BY delivery_id`+
		c.store.db.ForUpdate, string(encoded)); err != nil || len(left) == 0 {
		return err
	}
	if encoded, err = json.Marshal(left); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt,
			created_at, completed_at)
		SELECT delivery_id, organization_id, webhook_id, event_id, event_type, 'CANCELLED', attempt, created_at,
			CAST(? AS BIGINT)
		FROM webhook_queue`+chosen, c.store.Now().UnixMicro(), string(encoded)); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `DELETE FROM webhook_queue`+chosen, string(encoded))
	return err
}

// UnscopedCancel cancels claimed deliveries that must not be sent.
func (s *Store) UnscopedCancel(ctx context.Context, jobs []Job) error {
	if len(jobs) == 0 {
		return nil
	}
	ids := make([]string, len(jobs))
	for i, job := range jobs {
		ids[i] = job.DeliveryID
	}
	return s.write(ctx, func(c conn) error { return c.cancelQueued(ctx, ids) })
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
	for _, endpoint := range endpoints {
		found, err := s.cancelAllPending(ctx, endpoint.ID)
		if err == nil && endpoint.Enabled && !found {
			err = s.forgetCancelled(ctx, endpoint.ID, *endpoint.Before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetCancelled ends the cancellation of deliveries that were created before a time, after a search has found none.
// A replay that was requested before that time can still queue some.
func (s *Store) forgetCancelled(ctx context.Context, webhookID string, before int64) error {
	if time.UnixMicro(before).After(s.Now().Add(-db.MaxWriteTime)) {
		return nil // a transaction can still be writing one
	}
	return s.write(ctx, func(c conn) error {
		_, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET cancelled_before = NULL WHERE id = ? AND enabled AND cancelled_before = ?
				AND NOT EXISTS (SELECT 1 FROM webhook_replays r WHERE r.webhook_id = webhook_endpoints.id)`, webhookID, before)
		return err
	})
}

// enableWebhook enables or disables an endpoint. Nothing that was queued before it was disabled is sent. The previous
// binary disables without writing cancelled_before, so nothing that was queued MaxWriteTime ago is sent either.
func (c conn) enableWebhook(ctx context.Context, scope Scope, id string, enabled bool) error {
	now := c.store.Now()
	if !enabled {
		_, err := c.Exec(ctx, `
			UPDATE webhook_endpoints SET enabled = ?, disabled_reason = 'MANUAL', cancelled_before = ?
			WHERE organization_id = ? AND id = ? AND enabled`, false, now.UnixMicro(), scope.OrganizationID, id)
		return err
	}
	before := now.Add(-db.MaxWriteTime).UnixMicro()
	_, err := c.Exec(ctx, `
		UPDATE webhook_endpoints SET enabled = ?, disabled_reason = NULL, consecutive_failures = 0, failed_deliveries = 0,
			failing_since = NULL, cancelled_before = CASE WHEN cancelled_before > ? THEN cancelled_before ELSE ? END
		WHERE organization_id = ? AND id = ? AND NOT enabled`, true, before, before, scope.OrganizationID, id)
	return err
}
