package queue

import "context"

// Backlog describes the queue.
type Backlog struct {
	Pending   int64  `db:"pending"`    // up to MaxBacklog
	OldestDue *int64 `db:"oldest_due"` // microseconds since 1970; nil when no due delivery waits for a claim
}

// MaxBacklog bounds what one measurement counts, because a queue can hold millions.
const MaxBacklog = 100_000

// Backlog measures the queue for the metrics. The count reads the smallest index,
// and the oldest due delivery is the first one in the index of an endpoint.
func (q *Queue) Backlog(ctx context.Context) (Backlog, error) {
	var backlog Backlog
	if err := q.DB.Read().Get(ctx, &backlog.Pending,
		`SELECT COUNT(*) FROM (SELECT 1 FROM webhook_queue LIMIT ?) q`, MaxBacklog); err != nil {
		return backlog, err
	}
	err := q.DB.Read().Get(ctx, &backlog.OldestDue, waiting+`
		SELECT MIN((SELECT q.run_at FROM webhook_queue q WHERE q.webhook_id = w.webhook_id AND q.run_at <= ? AND q.lease = ''
			ORDER BY q.run_at LIMIT 1)) FROM waiting w`, q.Now().UnixMicro())
	return backlog, err
}
