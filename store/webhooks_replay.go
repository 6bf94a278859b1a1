package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Replay is the input of ReplayWebhook. An empty field does not narrow it.
type Replay struct {
	Since, Until time.Time // Until is exclusive
	EventType    EventType
	Status       DeliveryStatus // not PENDING
	DryRun       bool           // queues nothing
}

// Replayed is the outcome of ReplayWebhook.
type Replayed struct {
	Count   int  // deliveries that were queued, or that would be
	HasMore bool // more events match than one call replays
}

const (
	// maxReplay bounds the deliveries of one call.
	maxReplay = 10_000

	// replayPart bounds the deliveries that one transaction queues. On SQLite it holds the only writer for about 3 ms.
	replayPart = 200
)

// ReplayWebhook queues the events of a time span again, oldest first. It stores which events these are, and queues
// the first of them. UnscopedQueueReplays queues the others, so that no request waits for thousands of rows. If the
// quota of deliveries has room for fewer, it takes fewer. Refusals: not_found, webhook_disabled, invalid_request,
// delivery_quota_exceeded.
func (s *Store) ReplayWebhook(ctx context.Context, scope Scope, webhookID string, in Replay) (Replayed, error) {
	if !in.Until.After(in.Since) {
		return Replayed{}, errEmptyReplaySpan
	}
	unfinished, err := s.cancelForReplay(ctx, scope, webhookID, in)
	if err != nil {
		return Replayed{}, err
	}
	if in.DryRun {
		ids, hasMore, err := s.read().replayed(ctx, scope, webhookID, in, maxReplay)
		return Replayed{len(ids), hasMore || unfinished}, err
	}
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return Replayed{}, err
	}
	var replayed Replayed
	err = once(ctx, s, scope, &replayed, func(c conn) error {
		room := s.room(used)
		ids, hasMore, err := c.replayed(ctx, scope, webhookID, in, min(maxReplay, room.queue))
		if err != nil {
			return err
		}
		if full := room.forDeliveries(); full != nil {
			return full
		}
		replayed = Replayed{len(ids), hasMore || unfinished}
		if err := c.storeReplay(ctx, scope, webhookID, ids); err != nil {
			return err
		}
		c.queued(scope.OrganizationID, int64(len(ids)))
		return c.audit(ctx, scope, AuditWebhookReplayed, webhookID, valueOf("queued", len(ids)))
	})
	if err == nil {
		_, _ = s.queueReplay(ctx, ` WHERE webhook_id = ?`, webhookID) // or else UnscopedQueueReplays does
	}
	return replayed, err
}

// storeReplay stores the parts of a replay.
func (c conn) storeReplay(ctx context.Context, scope Scope, webhookID string, eventIDs []string) error {
	type part struct {
		ID       string   `json:"id"`
		EventIDs []string `json:"events"`
		Count    int      `json:"count"`
	}
	var parts []part
	for ids := range slices.Chunk(eventIDs, replayPart) {
		parts = append(parts, part{c.store.NewID("rpl"), ids, len(ids)})
	}
	encoded, err := json.Marshal(parts)
	if err != nil || len(parts) == 0 {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO webhook_replays (id, organization_id, webhook_id, event_ids, event_count)
		SELECT value->>'id', ?, ?, value->>'events', CAST(value->>'count' AS INTEGER) FROM `+c.store.db.JSONRows,
		scope.OrganizationID, webhookID, string(encoded))
	return err
}

// UnscopedQueueReplays queues what is left of all replays, in short transactions.
func (s *Store) UnscopedQueueReplays(ctx context.Context) error {
	for {
		if more, err := s.queueReplay(ctx, ""); err != nil || !more {
			return err
		}
	}
}

// queueReplay queues the oldest part that which selects. more reports whether there can be others. The events are
// locked as in RedeliverDelivery; an event that has been purged is left out. If the endpoint has been disabled since
// the replay, the deliveries are cancelled, also if it is enabled again.
func (s *Store) queueReplay(ctx context.Context, which string, args ...any) (more bool, err error) {
	err = s.write(ctx, func(c conn) error {
		// Another process can have queued the part while this one waited for it. So the parts are counted first.
		if err := c.Get(ctx, &more, `SELECT EXISTS (SELECT 1 FROM webhook_replays`+which+`)`, args...); err != nil || !more {
			return err
		}
		var parts []struct {
			ID             string `db:"id"`
			OrganizationID string `db:"organization_id"`
			WebhookID      string `db:"webhook_id"`
			EventIDs       string `db:"event_ids"`
		}
		err := c.List(ctx, &parts, `SELECT id, organization_id, webhook_id, event_ids FROM webhook_replays`+which+
			` ORDER BY id LIMIT 1`+s.db.ForUpdate, args...)
		if err != nil || len(parts) == 0 {
			return err
		}
		part := parts[0]
		var eventIDs []string
		if err := json.Unmarshal([]byte(part.EventIDs), &eventIDs); err != nil {
			return err
		}
		now := s.Now().UnixMicro()
		var fresh []string
		if err := c.List(ctx, &fresh, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT `+deliveryID+`, w.organization_id, CAST(? AS TEXT), w.id, w.type, ?, '', 0, ?
			FROM (SELECT chosen.organization_id, chosen.id, chosen.type, ROW_NUMBER() OVER (ORDER BY chosen.id) AS n
				FROM (SELECT events.organization_id, events.id, events.type
					FROM `+s.db.RowsByID("events", "events_organization")+`
					ORDER BY events.id`+s.db.ForShareOf("events")+`) chosen) w
			RETURNING delivery_id`,
			s.newIDAgain(slices.Max(eventIDs)), part.WebhookID, now, now, part.EventIDs, part.OrganizationID); err != nil {
			return err
		}
		var cancelled bool
		if err := c.Get(ctx, &cancelled, `SELECT NOT enabled OR COALESCE(cancelled_before > ?, false)
			FROM webhook_endpoints WHERE id = ?`, madeAt(part.ID).UnixMicro(), part.WebhookID); err != nil {
			return err
		}
		if cancelled {
			err = c.cancelQueued(ctx, fresh)
		} else {
			c.AfterCommit(s.wake.send)
		}
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `DELETE FROM webhook_replays WHERE id = ?`, part.ID)
		return err
	})
	return more, err
}
