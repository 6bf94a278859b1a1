package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/gofrs/flock"
	"github.com/jmoiron/sqlx"
)

// ProcessLock is a lock that ends with the process, or with its connection to the database. It has a connection of its
// own on PostgreSQL, and a file on SQLite.
type ProcessLock struct {
	pool       *sqlx.DB
	conn       *sql.Conn
	primary    *primary
	generation int64 // of the primary
	file       *flock.Flock
}

var (
	// ErrLocked means that another connection has the lock.
	ErrLocked = errors.New("db: another connection has the lock")

	// ErrFormerPrimary means that a lock is on a server that is no primary any more.
	ErrFormerPrimary = errors.New("db: the lock is on a server that is no primary any more")
)

// IsSeen reports whether other processes see if the lock is free. Otherwise it has no connection.
func (l *ProcessLock) IsSeen() bool { return l.conn != nil }

// List scans the only column of a query on the lock's connection. An error means that the lock may be free.
func (l *ProcessLock) List(ctx context.Context, query string) (values []string, err error) {
	if l.generation != l.primary.generation.Load() {
		return nil, ErrFormerPrimary
	}
	rows, err := l.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// Exec runs a statement on the lock's connection, and returns the number of rows that it changed.
func (l *ProcessLock) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	result, err := l.conn.ExecContext(ctx, sqlx.Rebind(sqlx.DOLLAR, query), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Close ends the lock.
func (l *ProcessLock) Close() error {
	if l.conn != nil {
		_ = l.conn.Close() // fails when the connection is broken
	}
	var err error
	if l.pool != nil {
		err = l.pool.Close()
	}
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}
