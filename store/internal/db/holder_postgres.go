package db

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/jmoiron/sqlx"
)

// HolderKey is the number of the advisory lock of a holder, whose id is the number's
// 16 hexadecimal digits.
func HolderKey(holder string) (int64, error) {
	key, err := strconv.ParseUint(holder, 16, 64)
	return int64(key), err // the lock's bits, not a quantity
}

// abandonedHolders compares the registered holders with the locks that exist. An
// empty id says that this server is a standby: a process that is still connected to
// a former primary must not trust its lock there.
const abandonedHolders = `
	SELECT r.id FROM replicas r WHERE NOT EXISTS (
		SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND lpad(to_hex(CAST(l.classid AS BIGINT)), 8, '0') || lpad(to_hex(CAST(l.objid AS BIGINT)), 8, '0') = r.id)
	UNION ALL SELECT '' WHERE pg_is_in_recovery()`

// LocksHolders implements engine.
func (e *postgresEngine) LocksHolders() bool { return !e.transactionPooling }

// LockHolder implements engine. The lock belongs to a connection of its own. The server
// frees it as soon as the process or the connection ends.
func (e *postgresEngine) LockHolder(
	ctx context.Context, _ *DB, holder string, again bool, _ func() error,
) (_ HolderLock, err error) {
	key, err := HolderKey(holder)
	if err != nil {
		return nil, err
	}
	lock := &postgresHolder{id: holder, engine: e, generation: e.primary.generation.Load()}
	if lock.pool, err = e.open(settings, 1); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.end())
		}
	}()
	if lock.conn, err = lock.pool.Conn(ctx); err != nil {
		return nil, err
	}

	var locked bool
	if err := lock.conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, key).Scan(&locked); err != nil {
		return nil, err
	}
	if !locked { // another process ends the holder's leases, or the server has not noticed the end of the last connection
		return nil, errHolderLocked
	}
	// The lock comes first: a registered holder without a lock would be abandoned.
	query := `INSERT INTO replicas (id, seen_at) VALUES ($1, now())`
	if again {
		query = `UPDATE replicas SET seen_at = now() WHERE id = $1`
	}
	result, err := lock.conn.ExecContext(ctx, query, holder)
	if err != nil {
		return nil, err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return nil, errors.Join(ErrHolderGone, err)
	}
	return lock, nil
}

var errHolderLocked = errors.New("db: another connection has the holder's lock")

type postgresHolder struct {
	id         string
	engine     *postgresEngine
	generation int64 // of the primary
	pool       *sqlx.DB
	conn       *sql.Conn
}

var errFormerPrimary = errors.New("db: the lock is on a server that is no primary any more")

// Abandoned implements HolderLock.
func (l *postgresHolder) Abandoned(ctx context.Context) (holders []string, err error) {
	if l.generation != l.engine.primary.generation.Load() {
		return nil, errFormerPrimary
	}
	rows, err := l.conn.QueryContext(ctx, abandonedHolders)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var holder string
		if err := rows.Scan(&holder); err != nil {
			return nil, err
		}
		if holder == "" || holder == l.id {
			return nil, errFormerPrimary
		}
		holders = append(holders, holder)
	}
	return holders, rows.Err()
}

// Close implements HolderLock.
func (l *postgresHolder) Close(ctx context.Context, forget bool) error {
	var err error
	if forget {
		_, err = l.conn.ExecContext(ctx, `DELETE FROM replicas WHERE id = $1`, l.id)
	}
	return errors.Join(err, l.end())
}

func (l *postgresHolder) end() error {
	if l.conn != nil {
		_ = l.conn.Close() // fails when the connection is broken
	}
	return l.pool.Close()
}
