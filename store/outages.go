package store

import (
	"context"
	"time"

	"assay/store/rules"
)

const (
	// heartbeatInterval is how often the service records that a replica is ready.
	heartbeatInterval = 5 * time.Second

	// minOutage is the time without a heartbeat that counts as an outage. Shorter times are within
	// what a busy database and a restart take; the grace period covers them.
	minOutage = 15 * time.Second

	// outagesKept is how long outages are kept. A deadline is applied within seconds of the next start.
	outagesKept = 90 * 24 * time.Hour
)

// UnscopedHeartbeat records that a replica is ready. If none was for longer than minOutage, that
// time becomes an outage, which moves the deadlines that fell into it. Call it before the first
// request, and every few seconds. Any number of replicas can call it; one of them writes.
func (s *Store) UnscopedHeartbeat(ctx context.Context) error {
	return s.write(ctx, func(c conn) error {
		now := s.Now()
		if _, err := c.Exec(ctx, `INSERT INTO service_heartbeat (id, at) VALUES (1, ?) ON CONFLICT DO NOTHING`,
			now); err != nil {
			return err
		}
		var last Time
		if err := c.Get(ctx, &last, `SELECT at FROM service_heartbeat WHERE id = 1`+s.db.ForUpdate); err != nil {
			return err
		}
		silent := now.Sub(last.Time)
		if silent < heartbeatInterval/2 { // another replica has just written it, or its clock is ahead
			return nil
		}
		if silent > minOutage {
			s.opts.Log.WarnContext(ctx, "no replica was ready; deadlines in this time move by its length",
				"from", last.Time, "to", now)
			if _, err := c.Exec(ctx, `
				INSERT INTO service_outages (began_at, ended_at) VALUES (?, ?) ON CONFLICT DO NOTHING`,
				last.Time, now); err != nil {
				return err
			}
			if _, err := c.Exec(ctx, `DELETE FROM service_outages WHERE ended_at < ?`, now.Add(-outagesKept)); err != nil {
				return err
			}
		}
		_, err := c.Exec(ctx, `UPDATE service_heartbeat SET at = ? WHERE id = 1`, now)
		return err
	})
}

// outages are the outages that can concern a deadline which is due at the time, the earliest first.
func (c conn) outages(ctx context.Context, due time.Time) ([]rules.Outage, error) {
	var rows []struct {
		From Time `db:"began_at"`
		To   Time `db:"ended_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT began_at, ended_at FROM service_outages WHERE ended_at >= ? ORDER BY began_at LIMIT 100`,
		due.Add(-2*c.store.opts.DeadlineGrace)); err != nil {
		return nil, err
	}
	outages := make([]rules.Outage, 0, len(rows))
	for _, row := range rows {
		outages = append(outages, rules.Outage{From: row.From.Time, To: row.To.Time})
	}
	return outages, nil
}
