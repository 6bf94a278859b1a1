package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/store/internal/db"
)

// replayed returns the ids of the events of a replay, oldest first, and whether there are more than limit.
func (c conn) replayed(
	ctx context.Context, scope Scope, webhookID string, in Replay, limit int64,
) (ids []string, hasMore bool, err error) {
	endpoint, err := c.enabledWebhook(ctx, scope, webhookID)
	if err != nil || limit <= 0 {
		return nil, false, err
	}
	switch in.Status {
	case "":
		ids, hasMore, err = c.eventsOf(ctx, scope, endpoint, in)
	case DeliverySucceeded:
		ids, hasMore, err = c.arrived(ctx, scope, endpoint, in, int(limit))
	case DeliveryPending, DeliveryFailed, DeliveryCancelled:
		ids, hasMore, err = c.notArrived(ctx, scope, endpoint, in, int(limit))
	}
	if err == nil && in.Status != "" && hasMore && len(ids) <= int(limit) {
		ids, hasMore, err = c.ofFewEvents(ctx, scope, endpoint, in, ids)
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
	var chosen []*filter
	for _, kind := range w.replayedTypes(in) {
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

// replayedTypes returns the types of the events of a replay.
func (w WebhookEndpoint) replayedTypes(in Replay) []string {
	kinds := slices.DeleteFunc(w.Events(), func(kind string) bool {
		return in.EventType != "" && kind != string(in.EventType)
	})
	if len(kinds) == 0 {
		kinds = []string{""} // which no event has
	}
	return kinds
}
