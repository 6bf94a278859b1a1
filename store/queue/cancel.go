package queue

import (
	"context"
	"slices"
	"strconv"
	"time"

	"assay/store/internal/db"
)

// Disabling an endpoint cancels its queued deliveries: a batch at once, the rest in the background, because there can
// be hundreds of thousands. If the endpoint is enabled meanwhile, its column cancelled_before says which are left.

const (
	// cancelBatch bounds the deliveries that one transaction cancels.
	cancelBatch = 200

	// ofOlderEvents selects queued deliveries of events that are about to be purged.
	ofOlderEvents = `SELECT delivery_id FROM webhook_queue WHERE event_id < ? ORDER BY event_id, delivery_id`

	// clockSkew is how much the clocks of replicas can differ.
	clockSkew = time.Second

	// Latest is how long a transaction can still queue a delivery with a time before it began.
	Latest = db.MaxWriteTime + clockSkew
)

// ofBatch ends a statement that selects a batch. It is a number, because PostgreSQL expects a tenth of the table from a
// placeholder.
var ofBatch = " LIMIT " + strconv.Itoa(cancelBatch)

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
	return toCancel(d, `q.delivery_id, q.run_at`) + ` AND (q.run_at, q.delivery_id) > (?, ?)` + inOrder + ofBatch
}

// Batches are the statements that choose a batch of queued deliveries to cancel, for tests of their plans.
func (q *Queue) Batches() []string {
	return []string{nextToCancel(q.DB.Dialect), ofOlderEvents + ofBatch}
}

// queuedBefore is above the ids of all deliveries that were created before a time.
func (q *Queue) queuedBefore(at time.Time) string { return q.FirstID("dlv", at.Add(Latest)) }

// queued is the position of a delivery in the queue of its endpoint.
type queued struct {
	RunAt int64  `db:"run_at"`
	ID    string `db:"delivery_id"`
}

// cancelPending cancels a batch of what toCancel selects, and returns the last one. before is the result of
// queuedBefore. more reports whether there can be others.
func (q *Queue) cancelPending(
	ctx context.Context, webhookID, before string, after queued,
) (last queued, more bool, err error) {
	var rows []queued
	if err = q.DB.Read().List(ctx, &rows, nextToCancel(q.DB.Dialect), webhookID, before, after.RunAt,
		after.ID); err != nil || len(rows) == 0 {
		return after, false, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	err = q.Write(ctx, func(c db.Conn) error { return q.cancel(ctx, c, ids) })
	return rows[len(rows)-1], len(rows) == cancelBatch, err
}

// CancelSome cancels the first batch of the deliveries of an endpoint that has just been disabled.
func (q *Queue) CancelSome(ctx context.Context, webhookID string) error {
	_, _, err := q.cancelPending(ctx, webhookID, q.queuedBefore(q.Now()), queued{})
	return err
}

// CancelAll cancels the deliveries of an endpoint that is disabled, or was disabled at a time, in short transactions.
// found reports whether there were any.
func (q *Queue) CancelAll(ctx context.Context, webhookID string, disabled time.Time) (found bool, err error) {
	before := q.queuedBefore(disabled)
	var last queued
	for more := true; more; {
		began := q.Now()
		if last, more, err = q.cancelPending(ctx, webhookID, before, last); err != nil {
			return true, err
		}
		found = found || last != queued{}
		if more {
			if err := q.Pause(ctx, began); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}

// Period selects deliveries of events of a time span.
type Period struct {
	Since, Until time.Time // Until is exclusive
	EventType    string    // "" for all
}

// CancelPeriod finishes what an endpoint that was disabled at a time, and is enabled again, still has to cancel of a
// period: at most the oldest events up to the limit. more reports whether there can be others.
func (q *Queue) CancelPeriod(
	ctx context.Context, webhookID string, disabled time.Time, in Period, limit int,
) (more bool, err error) {
	more = true
	for n := 0; more && n < limit; n += replayPart {
		if more, err = q.queueReplay(ctx, ` WHERE webhook_id = ? AND id < ?`, webhookID,
			q.FirstID("rpl", disabled)); err != nil {
			return false, err
		}
	}
	first, end := q.FirstID("evt", in.Since.Add(-db.MaxWriteTime)), q.FirstID("evt", in.Until.Add(db.MaxWriteTime))
	var ids []string
	if err := q.DB.Read().List(ctx, &ids, `
		SELECT delivery_id FROM (`+toCancel(q.DB.Dialect, `q.delivery_id, q.event_id, q.event_type`)+inOrder+
		q.DB.PlannedAlone+`) c
		WHERE event_id >= ? AND event_id < ? AND (event_type = ? OR ? = '') ORDER BY event_id LIMIT ?`,
		webhookID, q.queuedBefore(disabled), first, end, in.EventType, in.EventType, limit+1); err != nil {
		return false, err
	}
	if len(ids) > limit {
		ids, more = ids[:limit], true
	}
	for batch := range slices.Chunk(ids, cancelBatch) {
		if err := q.Write(ctx, func(c db.Conn) error { return q.cancel(ctx, c, batch) }); err != nil {
			return false, err
		}
	}
	return more, nil
}

// CancelOfOlderEvents cancels the deliveries of events with ids below firstKept, in short transactions.
func (q *Queue) CancelOfOlderEvents(ctx context.Context, firstKept string) error {
	for {
		began := q.Now()
		var ids []string
		if err := q.DB.Read().List(ctx, &ids, ofOlderEvents+ofBatch, firstKept); err != nil || len(ids) == 0 {
			return err
		}
		if err := q.Write(ctx, func(c db.Conn) error { return q.cancel(ctx, c, ids) }); err != nil {
			return err
		}
		if err := q.Pause(ctx, began); err != nil {
			return err
		}
	}
}

// cancel cancels the deliveries that are still queued. It locks them in the order of their ids, as
// Settle does, so that two changes of the same deliveries do not wait for each other.
func (q *Queue) cancel(ctx context.Context, c db.Conn, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	chosen := ` WHERE ` + q.DB.IsOneOf("delivery_id")
	wanted, err := encoded(ids)
	if err != nil {
		return err
	}
	var left []string
	if err := c.List(ctx, &left, `SELECT delivery_id FROM webhook_queue`+chosen+` ORDER BY delivery_id`+
		q.DB.ForUpdate, wanted); err != nil || len(left) == 0 {
		return err
	}
	locked, err := encoded(left)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt,
			created_at, completed_at)
		SELECT delivery_id, organization_id, webhook_id, event_id, event_type, 'CANCELLED', attempt, created_at,
			CAST(? AS BIGINT)
		FROM webhook_queue`+chosen, q.Now().UnixMicro(), locked); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `DELETE FROM webhook_queue`+chosen, locked)
	return err
}
