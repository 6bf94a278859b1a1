package db

import "context"

// claimStatement is one statement for all endpoints, each with its own limit, so
// that the backlog of one endpoint cannot fill a claim.
const claimStatement = `
	WITH capacity AS (
		SELECT value->>'e' AS webhook_id, CAST(value->>'n' AS INTEGER) AS free, CAST(value->>'r' AS BIGINT) AS after_run_at,
			value->>'d' AS after_id
		FROM jsonb_array_elements(CAST(? AS JSONB))),
	picked AS (
		SELECT d.delivery_id, d.run_at FROM capacity c CROSS JOIN LATERAL (
			SELECT q.delivery_id, q.run_at FROM webhook_queue q
			WHERE q.webhook_id = c.webhook_id AND q.run_at <= ? AND (q.run_at, q.delivery_id) > (c.after_run_at, c.after_id)
			ORDER BY q.run_at, q.delivery_id LIMIT c.free FOR UPDATE SKIP LOCKED) d)
	UPDATE webhook_queue q SET run_at = ?, lease = ? FROM picked p WHERE q.delivery_id = p.delivery_id
	RETURNING q.delivery_id, q.webhook_id, q.event_id, q.event_type, q.attempt, p.run_at AS due_at, q.created_at`

// Claim implements engine.
func (e *postgresEngine) Claim(
	ctx context.Context, db *DB, capacities []Capacity, lease Lease,
) (claimed []Claimed, err error) {
	rows, err := encoded(capacities)
	if err != nil {
		return nil, err
	}
	err = db.Dispatcher().List(ctx, &claimed, claimStatement,
		rows, lease.Now.UnixMicro(), lease.End.UnixMicro(), lease.Token)
	return claimed, err
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

// Settle implements engine.
func (e *postgresEngine) Settle(ctx context.Context, db *DB, settlements []Settlement) (settled []int, err error) {
	rows, err := encoded(settlements)
	if err != nil {
		return nil, err
	}
	err = db.Dispatcher().List(ctx, &settled, settleStatement, rows)
	return settled, err
}
