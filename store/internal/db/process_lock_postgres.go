package db

import (
	"context"
	"errors"
)

// LocksProcesses implements engine.
func (e *postgresEngine) LocksProcesses() bool { return !e.transactionPooling }

// LockProcess implements engine. It is an advisory lock of a connection of its own. The server frees it as soon as the
// process or the connection ends.
func (e *postgresEngine) LockProcess(ctx context.Context, key int64, _ func() error) (_ *ProcessLock, err error) {
	lock := &ProcessLock{primary: e.primary, generation: e.primary.generation.Load()}
	if lock.pool, err = e.open(settings, 1); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	if lock.conn, err = lock.pool.Conn(ctx); err != nil {
		return nil, err
	}
	var locked bool
	if err := lock.conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, key).Scan(&locked); err != nil {
		return nil, err
	}
	if !locked { // by another process, or the server has not noticed the end of the last connection
		return nil, ErrLocked
	}
	return lock, nil
}
