package queue

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Insert is the statement that queues the deliveries of an event, in the transaction that stores it: one to each
// endpoint of the organization that receives its type.
func (q *Queue) Insert(organizationID, eventID, eventType string, at time.Time) db.Insert {
	return db.Insert{
		Into: `INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease,
			attempt, created_at)`,
		Select: selectDeliveries,
		Args: []any{
			q.NewID("dlv", q.Now()), eventID, eventType, at.UnixMicro(), at.UnixMicro(), organizationID,
			"% " + eventType + " %",
		},
	}
}

const selectDeliveries = `
		SELECT ` + deliveryID + `, w.organization_id, w.id, ?, ?, ?, '', 0, ?
		FROM (SELECT organization_id, id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM webhook_endpoints
			WHERE organization_id = ? AND deleted_at IS NULL AND enabled AND ' ' || events || ' ' LIKE ?) w`

// deliveryID makes the ids of several deliveries in one statement. Its argument is
// one id. It replaces the last five characters by the row's number n in base 32: no
// statement inserts 33 million rows within its time. Other ids do not have the same
// beginning, because ids of one millisecond are far apart.
const deliveryID = `substr(?, 1, 25) ||
			substr(` + idAlphabet + `, CAST(w.n / 1048576 AS INTEGER) % 32 + 1, 1) ||
			substr(` + idAlphabet + `, CAST(w.n / 32768 AS INTEGER) % 32 + 1, 1) ||
			substr(` + idAlphabet + `, CAST(w.n / 1024 AS INTEGER) % 32 + 1, 1) ||
			substr(` + idAlphabet + `, CAST(w.n / 32 AS INTEGER) % 32 + 1, 1) ||
			substr(` + idAlphabet + `, CAST(w.n AS INTEGER) % 32 + 1, 1)`

const idAlphabet = `'0123456789abcdefghjkmnpqrstvwxyz'`

// Again queues an event once more, and returns the id of the delivery. It locks the event, so that an erasure finds
// every queued delivery of it. queued is 0 if the event has been purged.
func (q *Queue) Again(
	ctx context.Context, c db.Conn, organizationID, webhookID, eventID string,
) (id string, queued int64, err error) {
	id = q.newIDAgain(eventID)
	now := q.Now().UnixMicro()
	queued, err = c.Exec(ctx, `
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
			created_at)
		SELECT ?, organization_id, ?, id, type, ?, '', 0, ? FROM events WHERE organization_id = ? AND id = ?`+q.DB.ForShare,
		id, webhookID, now, now, organizationID, eventID)
	return id, queued, err
}

// newIDAgain makes the id of a delivery that sends an event again: it is never made in the same millisecond as that of
// the event, as the id of a first delivery is. Of several events, eventID is the newest.
func (q *Queue) newIDAgain(eventID string) string {
	at := q.Now()
	if after := q.MadeAt(eventID).Add(time.Millisecond); after.After(at) {
		at = after
	}
	return q.NewID("dlv", at)
}
