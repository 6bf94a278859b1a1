package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assay/store/internal/db"
)

// A replay of one status reads the endpoint's deliveries in parts, in the order of an index, and at most maxWalked of
// them. The first part is small, because a query reads as many entries of the index as a part can have.
const firstPart, largestPart, maxWalked = 100, 2_500, 100_000

// maxArrived bounds the deliveries that are read to find out which failures of one part have arrived since. To look up
// these failures takes as long.
const maxArrived = 50_000

// sentAgain is true for a delivery that a replay or a redelivery has queued. The id of an event's first delivery is
// made in the same millisecond as that of the event, and queue.Again makes later ones. A first delivery for which it is
// true nevertheless costs an entry in an index, or a lookup.
const sentAgain = `substr(id, 5, 10) <> substr(event_id, 5, 10)`

// deliveryIndex is an index in whose order the deliveries of an endpoint are read.
type deliveryIndex struct {
	name    string
	columns []string // the endpoint is the first one
	where   string   // the condition of a partial index
	kind    string   // the event's type, or NULL when the delivery does not count
}

var (
	notSucceeded = deliveryIndex{
		"webhook_deliveries_not_succeeded", []string{"webhook_id", "status", "event_id"},
		`status <> 'SUCCEEDED'`, `event_type`,
	}
	succeededAgain = deliveryIndex{
		"webhook_deliveries_succeeded_again", []string{"webhook_id", "event_id"},
		`status = 'SUCCEEDED' AND ` + sentAgain, `event_type`,
	}
	allDeliveries = deliveryIndex{
		"webhook_deliveries_webhook", []string{"webhook_id", "id"},
		`TRUE`, `CASE status WHEN 'SUCCEEDED' THEN event_type END`,
	}
)

// deliveryWalk reads the deliveries of a replay's period.
type deliveryWalk struct {
	index       deliveryIndex
	values      []any  // of the index's columns, except the last one
	after, upTo string // of the last one
	kinds       string
	rows        int // that the next part can have
}

func (w WebhookEndpoint) walk(in Replay, index deliveryIndex, table keptTable, values ...any) deliveryWalk {
	return deliveryWalk{
		index:  index,
		values: append([]any{w.ID}, values...),
		after:  table.boundary(in.Since.Add(-db.MaxWriteTime)),
		upTo:   table.boundary(in.Until.Add(db.MaxWriteTime)),
		kinds:  " " + strings.Join(w.replayedTypes(in), " ") + " ",
		rows:   firstPart,
	}
}

// walkedPart is a part of the deliveries.
type walkedPart struct {
	After string
	UpTo  string `db:"up_to"`
	Count int    `db:"count"`
	First string `db:"first"` // the events of the first deliveries
	Again string `db:"again"` // the events that were sent again
	last  bool   // the walk ends with this part
}

// events returns the events of the part, oldest first, each once.
func (p walkedPart) events() []string {
	ids := strings.Fields(p.First + " " + p.Again)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// nextPart reads the next part. It is one row, because both drivers need longer for thousands.
func (c conn) nextPart(ctx context.Context, w *deliveryWalk) (walkedPart, error) {
	part := walkedPart{After: w.after}
	err := c.Get(ctx, &part, w.index.query(c.store.db.Dialect, w.rows), slices.Concat(
		[]any{w.kinds, w.kinds}, w.values, []any{w.after}, w.values, []any{w.upTo})...)
	part.last = part.Count < w.rows
	w.after, w.rows = part.UpTo, min(5*w.rows, largestPart)
	return part, err
}

// query reads a part of the index from a position on. Only the outer query knows the endpoint and where the walk ends:
// from a second bound, PostgreSQL expects so few rows that it reads all of the endpoint and sorts them. So the inner
// one can read entries of other organizations, which it drops, but never more than rows.
func (i deliveryIndex) query(d db.Dialect, rows int) string {
	const counts = `? LIKE '% ' || kind || ' %'`
	columns, last := strings.Join(i.columns, ", "), i.columns[len(i.columns)-1]
	return `
		SELECT COALESCE(string_agg(CASE WHEN ` + counts + ` AND NOT again THEN event END, ' '), '') AS first,
			COALESCE(string_agg(CASE WHEN ` + counts + ` AND again THEN event END, ' '), '') AS again,
			COALESCE(MAX(` + last + `), '') AS up_to, COUNT(*) AS count
		FROM (SELECT ` + columns + `, event_id AS event, ` + i.kind + ` AS kind, ` + sentAgain + ` AS again
			FROM webhook_deliveries` + d.IndexedBy(i.name) + `
			WHERE ` + i.where + ` AND (` + columns + `) > (?` + strings.Repeat(", ?", len(i.columns)-1) + `)
			ORDER BY ` + columns + atMost(rows) + `) part
		WHERE ` + strings.Join(i.columns[:len(i.columns)-1], " = ? AND ") + ` = ? AND ` + last + ` <= ?`
}

// arrived returns the events that were delivered to the endpoint, oldest first, and whether there are more.
func (c conn) arrived(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay, limit int,
) (ids []string, hasMore bool, err error) {
	ids, hasMore, err = c.eventsOfWalk(ctx, scope, in, endpoint.walk(in, allDeliveries, endedDeliveries), limit,
		func(part walkedPart) ([]string, error) {
			part.Again = "" // which are not in the order of the events
			return part.events(), nil
		})
	if err != nil {
		return nil, false, err
	}
	again, moreAgain, err := c.eventsOfWalk(ctx, scope, in, endpoint.walk(in, succeededAgain, keptEvents), limit,
		func(part walkedPart) ([]string, error) { return part.events(), nil })
	if hasMore { // what lies behind the first walk is not known
		last := ""
		if len(ids) > 0 {
			last = ids[len(ids)-1]
		}
		again = slices.DeleteFunc(again, func(id string) bool { return id > last })
	}
	ids = append(ids, again...)
	slices.Sort(ids)
	return slices.Compact(ids), hasMore || moreAgain, err
}

// notArrived returns the events with a delivery that ended with the status, and with none that succeeded, oldest
// first, and whether there are more.
func (c conn) notArrived(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay, limit int,
) (ids []string, hasMore bool, err error) {
	return c.eventsOfWalk(ctx, scope, in, endpoint.walk(in, notSucceeded, keptEvents, in.Status), limit,
		func(part walkedPart) ([]string, error) {
			arrived, err := c.arrivedOf(ctx, endpoint.walk(in, succeededAgain, keptEvents), part)
			return slices.DeleteFunc(part.events(), func(id string) bool { return arrived[id] }), err
		})
}

// eventsOfWalk returns the events that choose selects from the parts of a walk, at most one part more than limit.
func (c conn) eventsOfWalk(
	ctx context.Context, scope Scope, in Replay, w deliveryWalk, limit int, choose func(walkedPart) ([]string, error),
) (ids []string, hasMore bool, err error) {
	// Deliveries can outlive their event. Events are purged oldest first, so those before the oldest one are gone.
	var oldest string
	err = c.Get(ctx, &oldest, `SELECT id FROM events WHERE organization_id = ? ORDER BY id LIMIT 1`, scope.OrganizationID)
	if isNotFound(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	for walked := 0; walked < c.store.maxWalked; {
		part, err := c.nextPart(ctx, &w)
		if err != nil {
			return nil, false, err
		}
		found, err := choose(part)
		if err != nil {
			return nil, false, err
		}
		if found, err = c.ofPeriod(ctx, scope, in, oldest, found); err != nil {
			return nil, false, err
		}
		ids = append(ids, found...)
		if part.last || len(ids) > limit {
			return ids, len(ids) > limit, nil
		}
		walked += part.Count
	}
	return ids, true, nil
}

// arrivedOf returns the events in a part of the failures that were delivered since. later is the walk of
// the deliveries that were sent again and succeeded.
func (c conn) arrivedOf(ctx context.Context, later deliveryWalk, failures walkedPart) (map[string]bool, error) {
	arrived := make(map[string]bool)
	if failures.Count == 0 {
		return arrived, nil
	}
	later.after, later.upTo = failures.After, failures.UpTo
	complete := false
	for read := 0; read < maxArrived && !complete; {
		succeeded, err := c.nextPart(ctx, &later)
		if err != nil {
			return nil, err
		}
		for _, id := range succeeded.events() {
			arrived[id] = true
		}
		complete = succeeded.last
		read += succeeded.Count
	}
	// An event that was sent again and failed can have arrived with its first delivery.
	unknown := failures.events()
	if complete {
		first, again := failures, failures
		first.Again, again.First = "", ""
		failed := first.events()
		unknown = slices.DeleteFunc(again.events(), func(id string) bool {
			_, failedFirst := slices.BinarySearch(failed, id)
			return failedFirst || arrived[id]
		})
	}
	succeeded, err := c.endedWith(ctx, later.values[0], DeliverySucceeded, unknown)
	for _, id := range succeeded {
		arrived[id] = true
	}
	return arrived, err
}

// endedWith returns the events with a delivery to the endpoint that ended with the status. Both are oldest
// first. It looks up all deliveries of each event.
func (c conn) endedWith(
	ctx context.Context, webhookID any, status DeliveryStatus, eventIDs []string,
) (ids []string, err error) {
	for part := range slices.Chunk(eventIDs, largestPart) {
		encoded, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		var joined string
		if err = c.Get(ctx, &joined, `
			SELECT COALESCE(string_agg(event_id, ' '), '') FROM webhook_deliveries`+
			c.store.db.IndexedBy("webhook_deliveries_event_newest")+`
			WHERE `+c.store.db.IsOneOf("event_id")+` AND id >= ? AND webhook_id || '' = ? AND status || '' = ?`,
			string(encoded), endedDeliveries.boundary(madeAt(part[0]).Add(-db.MaxWriteTime)), webhookID,
			status); err != nil {
			return nil, err
		}
		ids = append(ids, strings.Fields(joined)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// ofFewEvents is for a replay that has more deliveries than a walk reads. It returns what the walk has found, unless
// the period has so few events of the replay's types that all of them can be looked up.
func (c conn) ofFewEvents(
	ctx context.Context, scope Scope, endpoint WebhookEndpoint, in Replay, walked []string,
) (ids []string, hasMore bool, err error) {
	all, more, err := c.eventsOf(ctx, scope, endpoint, in)
	if err != nil || more {
		return walked, true, err
	}
	ids, err = c.endedWith(ctx, endpoint.ID, in.Status, all)
	if err != nil || in.Status == DeliverySucceeded {
		return ids, false, err
	}
	arrived, err := c.endedWith(ctx, endpoint.ID, DeliverySucceeded, ids)
	return slices.DeleteFunc(ids, func(id string) bool {
		_, found := slices.BinarySearch(arrived, id)
		return found
	}), false, err
}

// ofPeriod returns the events that were made in the period and are still stored. Except near the ends of the
// period, their ids are enough.
func (c conn) ofPeriod(
	ctx context.Context, scope Scope, in Replay, oldest string, eventIDs []string,
) ([]string, error) {
	first, last := keptEvents.boundary(in.Since.Add(db.MaxWriteTime)), keptEvents.boundary(in.Until.Add(-db.MaxWriteTime))
	var certain, near []string
	for _, id := range eventIDs {
		switch {
		case id < oldest:
		case first <= id && id < last:
			certain = append(certain, id)
		default:
			near = append(near, id)
		}
	}
	if len(near) == 0 {
		return certain, nil
	}
	encoded, err := json.Marshal(near)
	if err != nil {
		return nil, err
	}
	var joined string
	err = c.Get(ctx, &joined, `
		SELECT COALESCE(string_agg(events.id, ' '), '') FROM `+c.store.db.RowsByID("events", "events_organization")+`
		WHERE created_at >= ? AND created_at < ?`,
		string(encoded), scope.OrganizationID, in.Since.UTC(), in.Until.UTC())
	certain = append(certain, strings.Fields(joined)...)
	slices.Sort(certain)
	return certain, err
}
