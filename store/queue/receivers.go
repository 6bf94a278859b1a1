package queue

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Receiver is an endpoint to which an event was sent.
type Receiver struct {
	EventID   string
	WebhookID string
	At        time.Time // of the outcome, or of the event while the endpoint has not accepted it
}

// Receivers returns the endpoints to which the events were sent, also without success, because a receiver can have
// read what it has not accepted.
func (q *Queue) Receivers(ctx context.Context, c db.Conn, eventIDs []string) ([]Receiver, error) {
	events, err := encoded(eventIDs)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		EventID   string `db:"event_id"`
		WebhookID string `db:"webhook_id"`
		At        int64  `db:"at"`
	}
	ofEvents := q.DB.IsOneOf("event_id")
	if err := c.List(ctx, &rows, `
		SELECT event_id, webhook_id, completed_at AS at FROM webhook_deliveries WHERE `+ofEvents+` AND attempt > 0
		UNION ALL SELECT event_id, webhook_id, created_at AS at FROM webhook_queue WHERE `+ofEvents+` AND attempt > 0`,
		events, events); err != nil {
		return nil, err
	}
	receivers := make([]Receiver, len(rows))
	for i, row := range rows {
		receivers[i] = Receiver{row.EventID, row.WebhookID, time.UnixMicro(row.At).UTC()}
	}
	return receivers, nil
}
