package torture

import (
	"context"
	"time"

	"assay/server/cmd/lab/rig"
)

// leaseAge is far above the time that a living process needs for one email.
const leaseAge = 10 * time.Second

// endLeases ends the leases of killed processes until ctx ends. A lease is longer than a run,
// so the emails that these processes had claimed would otherwise not be sent again in it.
func endLeases(ctx context.Context, db *rig.Database) error {
	pool, err := db.Open()
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1)
	defer func() { _ = pool.Close() }()
	if db.Cluster == nil {
		if _, err := pool.ExecContext(ctx, `PRAGMA busy_timeout = 30000`); err != nil {
			return err
		}
	}

	seen := map[string]time.Time{} // by lease
	for rig.Pause(ctx, time.Second) {
		leases, err := db.Strings(ctx, `SELECT lease FROM emails WHERE status = 'QUEUED' AND lease <> ''`)
		if err != nil {
			continue // the database crashes, too
		}
		held := map[string]time.Time{}
		for _, lease := range leases {
			if held[lease] = seen[lease]; held[lease].IsZero() {
				held[lease] = time.Now()
			}
			if time.Since(held[lease]) > leaseAge {
				_, _ = pool.ExecContext(ctx, `UPDATE emails SET run_at = created_at WHERE lease = $1`, lease)
			}
		}
		seen = held
	}
	return nil
}
