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
				SELECT delivery_id, webhook_id, event_id, event_type, attempt, run_at AS due_at FROM webhook_queue
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
// SQLite writes to one table in each.
func (sqliteEngine) Settle(ctx context.Context, db *DB, settlements []Settlement) (settled []int, err error) {
	err = db.WriteDispatcher(ctx, func(c Conn) error {
		settled = nil
		rows, err := encoded(settlements)
		if err != nil {
			return err
		}
		if err := c.List(ctx, &settled, `
			SELECT value->>'p' FROM jsonb_each(?) r JOIN webhook_queue q ON q.delivery_id = value->>'i'
				AND q.lease = value->>'l'`, rows); err != nil {
			return err
		}
		return c.settle(ctx, settlements, settled)
	})
	return settled, err
}

// settle writes the settlements at the positions.
func (c Conn) settle(ctx context.Context, settlements []Settlement, positions []int) error {
	var all, ended, retried []Settlement
	for _, position := range positions {
		s := settlements[position]
		all = append(all, s)
		if s.Status == statusPending {
			retried = append(retried, s)
		} else {
			ended = append(ended, s)
		}
	}
	for _, part := range []struct {
		rows  []Settlement
		query string
	}{
		{all, `
			INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, failure_reason,
				response_body)
			SELECT value->>'i', value->>'n', value->>'s', value->>'m', value->>'c', value->>'f', value->>'b'
			FROM jsonb_each(?)`},
		{ended, `
			INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at,
				completed_at)
			SELECT q.delivery_id, q.organization_id, q.webhook_id, q.event_id, q.event_type, value->>'t', value->>'n',
				q.created_at, value->>'e'
			FROM jsonb_each(?) r JOIN webhook_queue q ON q.delivery_id = value->>'i'`},
		{ended, `DELETE FROM webhook_queue WHERE delivery_id IN (SELECT value->>'i' FROM jsonb_each(?))`},
		{retried, `
			UPDATE webhook_queue SET run_at = s.retry_at, lease = '', attempt = s.number
			FROM (SELECT value->>'i' AS id, value->>'n' AS number, value->>'r' AS retry_at FROM jsonb_each(?)) s
			WHERE webhook_queue.delivery_id = s.id`},
	} {
		if len(part.rows) == 0 {
			continue
		}
		rows, err := encoded(part.rows)
		if err != nil {
			return err
		}
		if _, err := c.Exec(ctx, part.query, rows); err != nil {
			return err
		}
	}
	return nil
}
