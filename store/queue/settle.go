package queue

import (
	"context"
	"time"

	"assay/store/internal/db"
)

// Outcome is the result of one job's attempt.
type Outcome struct {
	Job     Job
	Attempt Attempt
	Status  Status    // SUCCEEDED, FAILED, or PENDING when it is tried again
	RetryAt time.Time // of a PENDING delivery
}

// settlement is an outcome in the form that the statements read. Times are microseconds since 1970.
type settlement struct {
	Position     int            `json:"p"` // in the batch, from 0
	DeliveryID   string         `json:"i"`
	Lease        string         `json:"l"`
	Number       int            `json:"n"`
	StartedAt    int64          `json:"s"`
	DurationMS   int64          `json:"m"`
	StatusCode   *int           `json:"c"`
	Reason       *FailureReason `json:"f"`
	ResponseBody string         `json:"b"`
	Status       Status         `json:"t"`
	RetryAt      int64          `json:"r"`
	EndedAt      int64          `json:"e"`
}

// Settle writes the outcomes of a batch of jobs: each attempt, and the end of its delivery or the time of the next
// attempt. It writes nothing for a delivery whose lease has passed to another claim. It returns, for each outcome,
// whether it was written. A batch can contain two outcomes of one delivery. The lease of one of them has ended.
func (q *Queue) Settle(ctx context.Context, outcomes []Outcome) (written []bool, err error) {
	settlements, now := make([]settlement, len(outcomes)), q.Now().UnixMicro()
	for i, o := range outcomes {
		settlements[i] = settlement{
			Position: i, DeliveryID: o.Job.DeliveryID, Lease: o.Job.Lease,
			Number: o.Attempt.Number, StartedAt: o.Attempt.StartedAt.UnixMicro(), DurationMS: o.Attempt.DurationMS,
			StatusCode: o.Attempt.StatusCode, Reason: o.Attempt.FailureReason, ResponseBody: o.Attempt.ResponseBody,
			Status: o.Status, RetryAt: o.RetryAt.UnixMicro(), EndedAt: now,
		}
	}
	rows, err := encoded(settlements)
	if err != nil {
		return nil, err
	}
	var settled []int
	if q.DB.HasLateral {
		err = q.DB.Dispatcher().List(ctx, &settled, settleStatement, rows)
	} else {
		settled, err = q.settleEach(ctx, settlements, rows)
	}
	written = make([]bool, len(outcomes))
	for _, position := range settled {
		written[position] = true
	}
	return written, err
}

// settleStatement settles in one round trip and reads the rows once. Nobody else
// can change the rows that it locks before it ends, so that its parts agree on
// which leases still hold.
const settleStatement = `
	WITH settled AS MATERIALIZED (
		SELECT s.*, q.organization_id, q.webhook_id, q.event_id, q.event_type, q.created_at
		FROM json_to_recordset(CAST(? AS JSON))
			AS s (p INTEGER, i TEXT, l TEXT, n INTEGER, s BIGINT, m INTEGER, c INTEGER, f TEXT, b TEXT, t TEXT, r BIGINT,
				e BIGINT)
		JOIN webhook_queue q ON q.delivery_id = s.i AND q.lease = s.l ORDER BY q.delivery_id FOR UPDATE OF q),
	attempted AS (
		INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, failure_reason,
			response_body)
		SELECT i, n, s, m, c, f, b FROM settled),
	ended AS (
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at,
			completed_at)
		SELECT i, organization_id, webhook_id, event_id, event_type, t, n, created_at, e FROM settled WHERE t <> 'PENDING'),
	removed AS (
		DELETE FROM webhook_queue q USING settled s WHERE q.delivery_id = s.i AND s.t <> 'PENDING'),
	retried AS (
		UPDATE webhook_queue q SET run_at = s.r, lease = '', attempt = s.n FROM settled s WHERE q.delivery_id = s.i
			AND s.t = 'PENDING')
	SELECT p FROM settled`

// settleEach is settleStatement in separate statements, because SQLite writes to one table in each. They share the rows
// as JSONB, so that SQLite parses the text once.
func (q *Queue) settleEach(ctx context.Context, settlements []settlement, text string) (settled []int, err error) {
	err = q.DB.WriteDispatcher(ctx, func(c db.Conn) error {
		settled = nil
		var rows []byte
		if err := c.Get(ctx, &rows, `SELECT jsonb(?)`, text); err != nil {
			return err
		}
		if err := c.List(ctx, &settled, `
			SELECT value->>'p' FROM jsonb_each(?) r JOIN webhook_queue q ON q.delivery_id = value->>'i'
				AND q.lease = value->>'l'`, rows); err != nil {
			return err
		}
		if len(settled) == 0 {
			return nil
		}
		if len(settled) < len(settlements) {
			written := make([]settlement, len(settled))
			for i, position := range settled {
				written[i] = settlements[position]
			}
			text, err := encoded(written)
			if err != nil {
				return err
			}
			if err := c.Get(ctx, &rows, `SELECT jsonb(?)`, text); err != nil {
				return err
			}
		}
		for _, statement := range settleStatements {
			if _, err := c.Exec(ctx, statement, rows); err != nil {
				return err
			}
		}
		return nil
	})
	return settled, err
}

var settleStatements = []string{
	`INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, failure_reason,
		response_body)
	SELECT value->>'i', value->>'n', value->>'s', value->>'m', value->>'c', value->>'f', value->>'b'
	FROM jsonb_each(?)`,
	`INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at,
		completed_at)
	SELECT q.delivery_id, q.organization_id, q.webhook_id, q.event_id, q.event_type, value->>'t', value->>'n',
		q.created_at, value->>'e'
	FROM jsonb_each(?) r JOIN webhook_queue q ON q.delivery_id = value->>'i' WHERE value->>'t' <> 'PENDING'`,
	`DELETE FROM webhook_queue WHERE delivery_id IN (
		SELECT value->>'i' FROM jsonb_each(?) WHERE value->>'t' <> 'PENDING')`,
	`UPDATE webhook_queue SET run_at = s.retry_at, lease = '', attempt = s.number
	FROM (SELECT value->>'i' AS id, value->>'n' AS number, value->>'r' AS retry_at FROM jsonb_each(?)
		WHERE value->>'t' = 'PENDING') s
	WHERE webhook_queue.delivery_id = s.id`,
}
