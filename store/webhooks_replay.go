package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"assay/store/internal/db"
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

	// A replay of one status reads replayExamined deliveries at a time, and at most maxReplayExamined.
	replayExamined, maxReplayExamined = 2_500, 100_000
)

// ReplayWebhook queues the events of a time span again, oldest first. It stores which events these are, and queues
// the first of them. UnscopedQueueReplays queues the others, so that no request waits for thousands of rows. If the
// quota of deliveries has room for fewer, it takes fewer. Refusals: not_found, webhook_disabled, invalid_request,
// delivery_quota_exceeded.
func (s *Store) ReplayWebhook(ctx context.Context, scope Scope, webhookID string, in Replay) (Replayed, error) {
	if !in.Until.After(in.Since) {
		return Replayed{}, errEmptyReplaySpan
	}
	if in.DryRun {
		ids, hasMore, err := s.read().replayed(ctx, scope, webhookID, in, maxReplay)
		return Replayed{len(ids), hasMore}, err
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
		replayed = Replayed{len(ids), hasMore}
		for part := range slices.Chunk(ids, replayPart) {
			if err := c.storeReplay(ctx, scope, webhookID, part); err != nil {
				return err
			}
		}
		c.queued(scope.OrganizationID, int64(len(ids)))
		return c.audit(ctx, scope, AuditWebhookReplayed, webhookID, valueOf("queued", len(ids)))
	})
	if err == nil {
		_, _ = s.queueReplay(ctx, ` WHERE webhook_id = ?`, webhookID) // or else UnscopedQueueReplays does
	}
	return replayed, err
}

// storeReplay stores a part of a replay.
func (c conn) storeReplay(ctx context.Context, scope Scope, webhookID string, eventIDs []string) error {
	encoded, err := json.Marshal(eventIDs)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO webhook_replays (id, organization_id, webhook_id, event_ids, event_count) VALUES (?, ?, ?, ?, ?)`,
		c.store.NewID("rpl"), scope.OrganizationID, webhookID, string(encoded), len(eventIDs))
	return err
}

// UnscopedQueueReplays queues what is left of all replays, in short transactions.
func (s *Store) UnscopedQueueReplays(ctx context.Context) error { return s.queueReplays(ctx, "") }

func (s *Store) queueReplays(ctx context.Context, which string, args ...any) error {
	for {
		if more, err := s.queueReplay(ctx, which, args...); err != nil || !more {
			return err
		}
	}
}

// queueReplay queues the oldest part that which selects. more reports whether there can be others. The events are
// locked as in RedeliverDelivery; an event that has been purged is left out.
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
		now := s.Now().UnixMicro()
		if _, err := c.Exec(ctx, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT `+deliveryID+`, w.organization_id, CAST(? AS TEXT), w.id, w.type, ?, '', 0, ?
			FROM (SELECT chosen.organization_id, chosen.id, chosen.type, ROW_NUMBER() OVER (ORDER BY chosen.id) AS n
				FROM (SELECT events.organization_id, events.id, events.type
					FROM `+s.db.RowsByID("events", "events_organization")+`
					ORDER BY events.id`+s.db.ForShareOf("events")+`) chosen) w`,
			s.NewID("dlv"), part.WebhookID, now, now, part.EventIDs, part.OrganizationID); err != nil {
			return err
		}
		c.AfterCommit(s.wake.send)
		_, err = c.Exec(ctx, `DELETE FROM webhook_replays WHERE id = ?`, part.ID)
		return err
	})
	return more, err
}

// replayed returns the ids of the events of a replay, oldest first, and whether there are more than limit.
func (c conn) replayed(
	ctx context.Context, scope Scope, webhookID string, in Replay, limit int64,
) (ids []string, hasMore bool, err error) {
	endpoint, err := c.enabledWebhook(ctx, scope, webhookID)
	if err != nil || limit <= 0 {
		return nil, false, err
	}
	ids, hasMore, err = c.eventsOf(ctx, scope, endpoint, in)
	switch {
	case err != nil || in.Status == "":
	case hasMore:
		return c.replayedByStatus(ctx, scope, endpoint, in, limit)
	default:
		ids, err = c.replayable(ctx, scope, endpoint, in, ids)
	}
	if len(ids) > int(limit) {
		ids, hasMore = ids[:limit], true
	}
	return ids, hasMore, err
}

// eventsOf returns the ids of at most maxReplay events of the period, oldest first.
func (c conn) eventsOf(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay,
) (ids []string, hasMore bool, err error) {
	var queries []string
	var args []any
	for _, where := range endpoint.replayedEvents(scope, in) {
		// With a limit of its own, PostgreSQL reads the partitions in their order. It would sort all events of the span.
		queries = append(queries, `SELECT id FROM (SELECT id FROM events`+where.sql.String()+` ORDER BY id LIMIT ?) one`)
		args = append(append(args, where.args...), maxReplay+1)
	}
	// One row, because both drivers need longer for 10,000 rows.
	var joined string
	if err = c.Get(ctx, &joined, `SELECT COALESCE(string_agg(id, ' '), '') FROM (`+strings.Join(queries, ` UNION ALL `)+
		` ORDER BY id LIMIT ?) e`, append(args, maxReplay+1)...); err != nil {
		return nil, false, err
	}
	ids = strings.Fields(joined)
	slices.Sort(ids)
	ids, hasMore = cut(ids, maxReplay)
	return ids, hasMore, nil
}

// replayedEvents selects the events of a replay. The index of the types has all that the queries need, except near
// the ends of the span: an id is made up to MaxWriteTime before or after the time in created_at.
func (w WebhookEndpoint) replayedEvents(scope Scope, in Replay) []*filter {
	kinds := slices.DeleteFunc(w.Events(), func(kind string) bool {
		return in.EventType != "" && kind != string(in.EventType)
	})
	if len(kinds) == 0 {
		kinds = []string{""} // which no event has
	}
	var chosen []*filter
	for _, kind := range kinds {
		between := func(since, until time.Time) *filter {
			where := filterOf(scope, Page{})
			where.and("type = ?", kind)
			where.and("id >= ? AND id < ?", keptEvents.boundary(since), keptEvents.boundary(until))
			chosen = append(chosen, where)
			return where
		}
		const near = db.MaxWriteTime
		first, last := in.Since.Add(near), in.Until.Add(-near)
		ends := [][2]time.Time{{in.Since.Add(-near), first}, {last, in.Until.Add(near)}}
		if first.After(last) {
			ends = [][2]time.Time{{in.Since.Add(-near), in.Until.Add(near)}}
		} else {
			between(first, last)
		}
		for _, end := range ends {
			between(end[0], end[1]).and("created_at >= ? AND created_at < ?", in.Since.UTC(), in.Until.UTC())
		}
	}
	return chosen
}

// replayedByStatus is replayed for a period with many events, few of which may be selected. It begins with the
// endpoint's deliveries that ended with the status, in their order, and examines at most maxReplayExamined of these.
func (c conn) replayedByStatus(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay, limit int64,
) (ids []string, hasMore bool, err error) {
	first, last := keptEvents.boundary(in.Since.Add(-db.MaxWriteTime)), keptEvents.boundary(in.Until.Add(db.MaxWriteTime))
	position, known := endedDeliveries.boundary(in.Since.Add(-db.MaxWriteTime)), map[string]bool{}
	where := &filter{args: []any{endpoint.ID, position}}
	where.sql.WriteString(" WHERE webhook_id = ? AND id > ?")
	if in.Status != DeliverySucceeded { // nearly all are SUCCEEDED, and have no index of their own
		where.and("status <> 'SUCCEEDED' AND status = ?", in.Status)
	}
	for range maxReplayExamined / replayExamined {
		var part struct {
			EventIDs string `db:"event_ids"`
			Position string `db:"position"`
			Count    int    `db:"count"`
		}
		if err := c.Get(ctx, &part, `
			SELECT COALESCE(string_agg(CASE WHEN event_id >= ? AND event_id < ? AND status = ? THEN event_id END, ' '), '')
				AS event_ids, COALESCE(MAX(id), '') AS position, COUNT(*) AS count
			FROM (SELECT id, event_id, status FROM webhook_deliveries`+where.sql.String()+` ORDER BY id LIMIT ?) examined`,
			slices.Concat([]any{first, last, in.Status}, where.args, []any{replayExamined})...); err != nil {
			return nil, false, err
		}
		var others []string
		for _, id := range strings.Fields(part.EventIDs) {
			if !known[id] {
				known[id] = true
				others = append(others, id)
			}
		}
		found, err := c.replayable(ctx, scope, endpoint, in, others)
		if err != nil {
			return nil, false, err
		}
		ids = append(ids, found...)
		ended := part.Count < replayExamined
		if where.args[1] = part.Position; ended || len(ids) > int(limit) {
			ids, hasMore = cut(ids, int(limit))
			slices.Sort(ids)
			return ids, hasMore, nil
		}
	}
	slices.Sort(ids)
	return ids, true, nil
}

// replayable returns those of the events with the ids that a replay of one status sends, oldest first.
func (c conn) replayable(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay, eventIDs []string,
) (ids []string, err error) {
	slices.Sort(eventIDs)
	for part := range slices.Chunk(eventIDs, replayExamined) {
		selected, err := c.endedWith(ctx, endpoint, in.Status, part)
		if err != nil {
			return nil, err
		}
		encoded, err := json.Marshal(selected)
		if err != nil {
			return nil, err
		}
		where := &filter{args: []any{string(encoded), scope.OrganizationID, in.Since.UTC(), in.Until.UTC()}}
		where.sql.WriteString(" WHERE created_at >= ? AND created_at < ?")
		where.and("? LIKE '% ' || type || ' %'", " "+endpoint.EventList+" ")
		if in.EventType != "" {
			where.and("type = ?", in.EventType)
		}
		var joined string
		if err := c.Get(ctx, &joined, `SELECT COALESCE(string_agg(id, ' '), '') FROM (SELECT events.id FROM `+
			c.store.db.RowsByID("events", "events_organization")+where.sql.String()+` ORDER BY id) e`,
			where.args...); err != nil {
			return nil, err
		}
		ids = append(ids, strings.Fields(joined)...)
	}
	return ids, nil
}

// endedWith returns those of the events, which are in the order of their ids, of which a delivery to the endpoint ended
// with the status. With FAILED and CANCELLED, these have not arrived since.
func (c conn) endedWith(
	ctx context.Context, endpoint WebhookEndpoint, status DeliveryStatus, eventIDs []string,
) ([]string, error) {
	encoded, err := json.Marshal(eventIDs)
	if err != nil {
		return nil, err
	}
	first, err := keptEvents.madeAt(eventIDs[0]) // and no delivery was queued before its event
	if err != nil {
		return nil, err
	}
	var joined string
	err = c.Get(ctx, &joined, `
		SELECT COALESCE(string_agg(event_id, ' '), '') FROM (
			SELECT event_id FROM webhook_deliveries`+c.store.db.IndexedBy("webhook_deliveries_event_newest")+`
			WHERE `+c.store.db.IsOneOf("event_id")+` AND id >= ? AND webhook_id || '' = ?
			GROUP BY event_id
			HAVING MIN(CASE status WHEN 'SUCCEEDED' THEN 0 WHEN ? THEN 1 ELSE 2 END) = ?) e`,
		string(encoded), endedDeliveries.boundary(first.Add(-db.MaxWriteTime)), endpoint.ID,
		status, map[bool]int{false: 1, true: 0}[status == DeliverySucceeded])
	return strings.Fields(joined), err
}
