package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
)

// Snapshot runs fn in one transaction that only reads, and sees the database as it was at the first statement, however
// long fn takes. It has the database's default planner, and no bounds but those of ctx. It does not run again.
func (d *DB) Snapshot(ctx context.Context, fn func(Conn) error) (err error) {
	pool, err := d.snapshotPool(d)
	if err != nil {
		return err
	}
	defer func() {
		if pool != d.reader {
			err = errors.Join(err, pool.Close())
		}
	}()
	opened, err := pool.BeginTxx(ctx, d.snapshotOptions)
	if err != nil {
		return d.note(err)
	}
	tx := &transaction{Tx: opened, deadline: time.Time{}}
	if d.snapshotSettings != "" {
		if _, err := tx.ExecContext(ctx, d.snapshotSettings); err != nil {
			return errors.Join(d.note(err), rollback(tx))
		}
	}
	return errors.Join(fn(Conn{db: d, pool: pool, tx: tx}), rollback(tx))
}

// snapshotPool of PostgreSQL is a pool of its own, so that a snapshot takes no connection from requests.
func (e *postgresEngine) snapshotPool(*DB) (*sqlx.DB, error) { return e.open(migrationSession, 1) }

// snapshotPool implements engine.
func (sqliteEngine) snapshotPool(db *DB) (*sqlx.DB, error) { return db.reader, nil }

// postgresSnapshot makes all statements of a transaction see the same rows.
var postgresSnapshot = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}

// sqliteSnapshot begins without the right to write, and so without a wait for writers.
var sqliteSnapshot = &sql.TxOptions{ReadOnly: true}
