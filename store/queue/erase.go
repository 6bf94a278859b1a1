package queue

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Erase ends the leases of deliveries of events in flight, so that they are sent again as the events are now, and
// nothing of the running attempt is stored. It also erases the stored responses of receivers, which can repeat what
// they received. The update covers every queued delivery, not only deliveries with a lease: a claim that has not
// committed is not visible, and the update waits for it.
func (q *Queue) Erase(ctx context.Context, c db.Conn, eventIDs []string, now time.Time) error {
	events, err := encoded(eventIDs)
	if err != nil {
		return err
	}
	ofEvents := q.OfEvents()
	taken, err := c.Exec(ctx, `
		UPDATE webhook_queue SET run_at = CASE WHEN lease = '' THEN run_at ELSE ? END, lease = '' WHERE `+ofEvents,
		now.UnixMicro(), events)
	if err != nil {
		return err
	}
	if taken > 0 {
		c.AfterCommit(q.wake.send)
	}
	var deliveries []string
	if err := c.List(ctx, &deliveries, `SELECT id FROM webhook_deliveries WHERE `+ofEvents+`
		UNION ALL SELECT delivery_id FROM webhook_queue WHERE `+ofEvents, events, events); err != nil {
		return err
	}
	return eraseResponses(ctx, c, deliveries)
}

// OfEvents is the condition of the deliveries of events, a JSON array of ids.
func (q *Queue) OfEvents() string {
	return `event_id IN (SELECT value ` + q.DB.TextOf + ` FROM ` + q.DB.JSONRows + `)`
}

// eraseResponses has a statement for each delivery, because a session has few deliveries: for a
// list of ids, PostgreSQL can choose to scan the attempts of all organizations.
func eraseResponses(ctx context.Context, c db.Conn, deliveries []string) error {
	for _, id := range deliveries {
		if _, err := c.Exec(ctx, `
			UPDATE webhook_attempts SET response_body = '' WHERE delivery_id = ? AND response_body <> ''`, id); err != nil {
			return err
		}
	}
	return nil
}

// orphansAtOnce bounds one query of EraseOrphans.
const orphansAtOnce = 1000

// orphan is a delivery whose event has been purged.
type orphan struct {
	DeliveryID string `db:"delivery_id"`
	EventID    string `db:"event_id"`
}

// EraseOrphans erases the stored responses of an organization's deliveries whose events have been purged: nothing
// relates them to a subject. It reads them in the order of the indexes of event_id; the expression keeps PostgreSQL
// from the index of the organization. There are few: they were replayed or tried again shortly before the purge.
func (q *Queue) EraseOrphans(ctx context.Context, c db.Conn, organizationID string) error {
	var first *string
	if err := c.Get(ctx, &first, `SELECT MIN(id) FROM events`); err != nil {
		return err
	}
	kept := "f" // every evt_… is less
	if first != nil {
		kept = *first
	}
	for _, query := range []string{`
		SELECT id AS delivery_id, event_id FROM webhook_deliveries
		WHERE organization_id || '' = ? AND event_id < ? AND (event_id, id) > (?, ?) ORDER BY event_id, id LIMIT ?`, `
		SELECT delivery_id, event_id FROM webhook_queue
		WHERE organization_id || '' = ? AND event_id < ? AND (event_id, delivery_id) > (?, ?)
		ORDER BY event_id, delivery_id LIMIT ?`} {
		var last orphan
		for more := true; more; {
			var orphans []orphan
			if err := c.List(ctx, &orphans, query, organizationID, kept, last.EventID, last.DeliveryID,
				orphansAtOnce); err != nil {
				return err
			}
			var deliveries []string
			for _, last = range orphans {
				deliveries = append(deliveries, last.DeliveryID)
			}
			if err := eraseResponses(ctx, c, deliveries); err != nil {
				return err
			}
			more = len(orphans) == orphansAtOnce
		}
	}
	return nil
}

// DeleteAttempts deletes the attempts of deliveries.
func (q *Queue) DeleteAttempts(ctx context.Context, c db.Conn, deliveryIDs []string) error {
	ids, err := encoded(deliveryIDs)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `DELETE FROM webhook_attempts WHERE `+q.DB.IsOneOf("delivery_id"), ids)
	return err
}
