package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"assay/store/internal/db"
)

// Disabling an endpoint cancels its queued deliveries: a batch at once, the others in the background, because there can
// be hundreds of thousands. If the endpoint is enabled meanwhile, its column cancelled_before says which are left.

const (
	// cancelBatch bounds the deliveries that one transaction cancels.
	cancelBatch = 200

	// ofOlderEvents selects queued deliveries of events that are about to be purged.
	ofOlderEvents = `SELECT delivery_id FROM webhook_queue WHERE event_id < ? ORDER BY event_id, delivery_id`

	// clockSkew is how much the clocks of replicas can differ.
	clockSkew = time.Second
)

// toCancel selects columns of the queued deliveries of an endpoint that is disabled or deleted, or has been disabled
// since they were created. The bound on the id leaves out newer deliveries without reading their rows: the index has
// the ids.
func toCancel(d db.Dialect, columns string) string {
	return `SELECT ` + columns + ` FROM webhook_queue q` + d.IndexedBy("webhook_queue_due") + `
		JOIN webhook_endpoints h ON h.id = q.webhook_id
		WHERE q.webhook_id = ? AND q.delivery_id < ? AND (NOT h.enabled OR q.created_at < h.cancelled_before)`
}

// inOrder is the order of an endpoint's queue.
const inOrder = ` ORDER BY q.run_at, q.delivery_id`

// nextToCancel selects a batch of what toCancel selects, after a position in the queue.
func nextToCancel(d db.Dialect) string {
	return toCancel(d, `q.delivery_id, q.run_at`) + ` AND (q.run_at, q.delivery_id) > (?, ?)` + inOrder +
		atMost(cancelBatch)
}

// queuedBefore is above the ids of all deliveries that were created before a time.
func queuedBefore(at time.Time) string {
	return endedDeliveries.boundary(at.Add(db.MaxWriteTime + clockSkew))
}

var keptReplays = keptTable{"webhook_replays", "id", "rpl"}

// queued is the position of a delivery in the queue of its endpoint.
type queued struct {
	RunAt int64  `db:"run_at"`
	ID    string `db:"delivery_id"`
}

// cancelPending cancels a batch of what toCancel selects, and returns the last one. before is the result of
// queuedBefore. more reports whether there can be others.
func (s *Store) cancelPending(
	ctx context.Context, webhookID, before string, after queued,
) (last queued, more bool, err error) {
	var rows []queued
	if err = s.read().List(ctx, &rows, nextToCancel(s.db.Dialect), webhookID, before, after.RunAt,
		after.ID); err != nil || len(rows) == 0 {
		return after, false, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	err = s.write(ctx, func(c conn) error { return c.cancelQueued(ctx, ids) })
	return rows[len(rows)-1], len(rows) == cancelBatch, err
}

// cancelDisabled cancels the first batch of the deliveries of an endpoint that has just been disabled.
func (s *Store) cancelDisabled(ctx context.Context, webhookID string) error {
	_, _, err := s.cancelPending(ctx, webhookID, queuedBefore(s.Now()), queued{})
	return err
}

// cancelAllPending cancels all of them, in short transactions. found reports whether there were any.
func (s *Store) cancelAllPending(ctx context.Context, webhookID, before string) (found bool, err error) {
	var last queued
	for more := true; more; {
		began := s.Now()
		if last, more, err = s.cancelPending(ctx, webhookID, before, last); err != nil {
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
	disabled := time.UnixMicro(*endpoint.CancelledBefore)
	more = true
	for n := 0; more && n < maxReplay; n += replayPart {
		if more, err = s.queueReplay(ctx, ` WHERE webhook_id = ? AND id < ?`, webhookID,
			keptReplays.boundary(disabled)); err != nil {
			return false, err
		}
	}
	first := keptEvents.boundary(in.Since.Add(-db.MaxWriteTime))
	end := keptEvents.boundary(in.Until.Add(db.MaxWriteTime))
	var ids []string
	if err := s.read().List(ctx, &ids, `
		SELECT delivery_id FROM (`+toCancel(s.db.Dialect, `q.delivery_id, q.event_id, q.event_type`)+inOrder+
		s.db.PlannedAlone+`) c
		WHERE event_id >= ? AND event_id < ? AND (event_type = ? OR ? = '') ORDER BY event_id LIMIT ?`,
		webhookID, queuedBefore(disabled), first, end, string(in.EventType), string(in.EventType),
		maxReplay+1); err != nil {
		return false, err
	}
	ids, moreRows := cut(ids, maxReplay)
	for batch := range slices.Chunk(ids, cancelBatch) {
		if err := s.write(ctx, func(c conn) error { return c.cancelQueued(ctx, batch) }); err != nil {
			return false, err
		}
	}
	return more || moreRows, nil
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
	if len(ids) == 0 {
		return nil
	}
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
		found, err := s.cancelAllPending(ctx, endpoint.ID, queuedBefore(before))
		// Until this time has passed, a transaction can still queue a delivery with an earlier time.
		if err == nil && endpoint.Enabled && !found && now.After(before.Add(db.MaxWriteTime+clockSkew)) {
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
