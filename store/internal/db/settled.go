package db

import (
	"context"
	"sync"
	"time"
)

// clockStep is how far the clock of PostgreSQL's server can be set back, for example by a failover.
const clockStep = time.Second

// Settled says up to where changes are complete. A row that becomes visible after Settled has returned was written at
// Before or later, by the clock of the database, and its transaction began at most Age before the call.
type Settled struct {
	Before time.Time
	Age    time.Duration
}

// Settled must be called before the statement that reads the rows: what commits between them is not before the
// boundary.
//
// A time that a trigger takes from the database's clock is not earlier than the start of its transaction. So nothing
// that is written with such a time before the start of the oldest open transaction can still be invisible, however
// long transactions, commits, and connections stall, and whatever the clocks of the replicas say.
func (d *DB) Settled(ctx context.Context) (Settled, error) {
	own := d.writes.age(d.now())
	settled, err := d.settled(ctx, d)
	settled.Age = max(settled.Age, own)
	return settled, err
}

// openWrites are the open transactions of this process, with their beginnings by its own clock.
type openWrites struct {
	mu    sync.Mutex
	began map[*time.Time]struct{}
}

// add registers a transaction until the returned function is called.
func (w *openWrites) add(began time.Time) (ended func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began == nil {
		w.began = map[*time.Time]struct{}{}
	}
	w.began[&began] = struct{}{}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.began, &began)
	}
}

// age is the age of the oldest open transaction, or 0.
func (w *openWrites) age(now time.Time) (oldest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for began := range w.began {
		oldest = max(oldest, now.Sub(*began))
	}
	return oldest
}

// settled implements engine. A transaction that has written has an id (backend_xid), which it keeps until its
// rows are visible, also while its COMMIT waits for a standby. One that gets its id later writes later. The
// query takes its own time first, and of each backend the start of the transaction before its id.
//
// A standby does not know the transactions of its primary.
func (e *postgresEngine) settled(ctx context.Context, db *DB) (Settled, error) {
	var found struct {
		Before  time.Time `db:"before"`
		Age     float64   `db:"age"` // seconds
		Standby bool      `db:"standby"`
	}
	err := db.Read().Get(ctx, &found, `
		SELECT LEAST(now, oldest) AS before, CAST(COALESCE(EXTRACT(EPOCH FROM now - oldest), 0) AS DOUBLE PRECISION) AS age,
			standby
		FROM (SELECT statement_timestamp() AS now, pg_is_in_recovery() AS standby, (
			SELECT MIN(xact_start) FROM pg_stat_get_activity(NULL) WHERE backend_xid IS NOT NULL
				AND datid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS oldest) x`)
	if err == nil && found.Standby {
		err = errStandby
	}
	return Settled{
		Before: found.Before.Add(-clockStep), Age: max(0, time.Duration(found.Age*float64(time.Second))),
	}, err
}

// settled implements engine. One transaction writes at a time, and takes its times meanwhile: rows become visible in
// the order of their times.
func (sqliteEngine) settled(context.Context, *DB) (Settled, error) {
	return Settled{Before: endOfTime}, nil
}

var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
