package queue

import (
	"context"
	"encoding/json"
	"slices"

	"assay/store/internal/db"
)

// replayPart bounds the deliveries that one transaction queues. On SQLite it holds the only writer for about 3 ms.
const replayPart = 200

// StoreReplay stores which events a replay sends again to an endpoint, in parts. QueueReplays queues them.
func (q *Queue) StoreReplay(ctx context.Context, c db.Conn, organizationID, webhookID string, eventIDs []string) error {
	type part struct {
		ID       string   `json:"id"`
		EventIDs []string `json:"events"`
		Count    int      `json:"count"`
	}
	var parts []part
	for ids := range slices.Chunk(eventIDs, replayPart) {
		parts = append(parts, part{q.NewID("rpl", q.Now()), ids, len(ids)})
	}
	rows, err := encoded(parts)
	if err != nil || len(parts) == 0 {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO webhook_replays (id, organization_id, webhook_id, event_ids, event_count)
		SELECT value->>'id', ?, ?, value->>'events', CAST(value->>'count' AS INTEGER) FROM `+q.DB.JSONRows,
		organizationID, webhookID, rows)
	return err
}

// QueueReplays queues what is left of all replays, in short transactions.
func (q *Queue) QueueReplays(ctx context.Context) error {
	for {
		if more, err := q.queueReplay(ctx, ""); err != nil || !more {
			return err
		}
	}
}

// QueueReplayTo queues the oldest part of the replays to an endpoint.
func (q *Queue) QueueReplayTo(ctx context.Context, webhookID string) error {
	_, err := q.queueReplay(ctx, ` WHERE webhook_id = ?`, webhookID)
	return err
}

// queueReplay queues the oldest part that which selects. more reports whether there can be others. The events are
// locked as in Again; an event that has been purged is left out. If the endpoint has been disabled since
// the replay, the deliveries are cancelled, also if it is enabled again.
func (q *Queue) queueReplay(ctx context.Context, which string, args ...any) (more bool, err error) {
	err = q.Write(ctx, func(c db.Conn) error {
		var parts []struct {
			ID             string `db:"id"`
			OrganizationID string `db:"organization_id"`
			WebhookID      string `db:"webhook_id"`
			EventIDs       string `db:"event_ids"`
		}
		// If another process has queued the part that this one waited for, the database returns the next one.
		err := c.List(ctx, &parts, `SELECT id, organization_id, webhook_id, event_ids FROM webhook_replays`+which+
			` ORDER BY id LIMIT 1`+q.DB.ForUpdate, args...)
		if more = len(parts) > 0; err != nil || !more {
			return err
		}
		part := parts[0]
		var eventIDs []string
		if err := json.Unmarshal([]byte(part.EventIDs), &eventIDs); err != nil {
			return err
		}
		now := q.Now().UnixMicro()
		var fresh []string
		if err := c.List(ctx, &fresh, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT `+deliveryID+`, w.organization_id, CAST(? AS TEXT), w.id, w.type, ?, '', 0, ?
			FROM (SELECT chosen.organization_id, chosen.id, chosen.type, ROW_NUMBER() OVER (ORDER BY chosen.id) AS n
				FROM (SELECT events.organization_id, events.id, events.type
					FROM `+q.DB.RowsByID("events", "events_organization")+`
					ORDER BY events.id`+q.DB.ForShareOf("events")+`) chosen) w
			RETURNING delivery_id`,
			q.newIDAgain(slices.Max(eventIDs)), part.WebhookID, now, now, part.EventIDs, part.OrganizationID); err != nil {
			return err
		}
		var cancelled bool
		if err := c.Get(ctx, &cancelled, `SELECT NOT enabled OR COALESCE(cancelled_before > ?, false)
			FROM webhook_endpoints WHERE id = ?`, q.MadeAt(part.ID).UnixMicro(), part.WebhookID); err != nil {
			return err
		}
		if cancelled {
			err = q.cancel(ctx, c, fresh)
		} else {
			c.AfterCommit(q.wake.send)
		}
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `DELETE FROM webhook_replays WHERE id = ?`, part.ID)
		return err
	})
	return more, err
}
