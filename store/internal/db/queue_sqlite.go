package db

import "context"

// Claim implements engine. SQLite has no LATERAL, and a statement for each endpoint
// costs no round trip. Nothing changes before the update, because the transaction is the
// only one that writes.
func (sqliteEngine) Claim(
	ctx context.Context, db *DB, capacities []Capacity, lease Lease,
) (claimed []Claimed, err error) {
	err = db.WriteDispatcher(ctx, func(c Conn) error {
		claimed = nil
		for _, capacity := range capacities {
			var picked []Claimed
			if err := c.List(ctx, &picked, `
				SELECT delivery_id, webhook_id, event_id, event_type, attempt, run_at AS due_at, created_at
				FROM webhook_queue
				WHERE webhook_id = ? AND run_at <= ? AND (run_at, delivery_id) > (?, ?) ORDER BY run_at, delivery_id LIMIT ?`,
				capacity.WebhookID, lease.Now.UnixMicro(), capacity.AfterRunAt, capacity.AfterID, capacity.Free); err != nil {
				return err
			}
			claimed = append(claimed, picked...)
		}
		if len(claimed) == 0 {
			return nil
		}
		ids := make([]string, len(claimed))
		for i := range claimed {
			ids[i] = claimed[i].DeliveryID
		}
		chosen, err := encoded(ids)
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `
			UPDATE webhook_queue SET run_at = ?, lease = ? WHERE delivery_id IN (SELECT value FROM jsonb_each(?))`,
			lease.End.UnixMicro(), lease.Token, chosen)
		return err
	})
	return claimed, err
}

// Settle implements engine: settleStatement in separate statements, because
// SQLite writes to one table in each. They share the rows as JSONB, so that SQLite
// parses the text once.
func (sqliteEngine) Settle(ctx context.Context, db *DB, settlements []Settlement) (settled []int, err error) {
	text, err := encoded(settlements)
	if err != nil {
		return nil, err
	}
	err = db.WriteDispatcher(ctx, func(c Conn) error {
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
			written := make([]Settlement, len(settled))
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
		return c.settle(ctx, rows)
	})
	return settled, err
}

// settle writes the settlements in rows.
func (c Conn) settle(ctx context.Context, rows []byte) error {
	for _, query := range []string{
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
	} {
		if _, err := c.Exec(ctx, query, rows); err != nil {
			return err
		}
	}
	return nil
}
