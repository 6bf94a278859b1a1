package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	// MaxWriteTime bounds the time from the beginning of a write to its commit,
	// and so how much later than its timestamps a row can become visible.
	MaxWriteTime = 10 * time.Second

	maxWriteAttempts = 4
)

// ErrWriteTooLong means that a transaction was rolled back because it took so
// long that its commit might have come after MaxWriteTime.
var ErrWriteTooLong = errors.New("db: the transaction took too long")

// CommitThenRefuse wraps the error of a transaction that Write commits
// nevertheless: the caller receives err, and what the transaction wrote stays. For
// example, an answer that arrives after a deadline is refused, and the deadline
// stays applied.
func CommitThenRefuse(err error) error { return commitThenRefuse{err} }

type commitThenRefuse struct{ error }

func (c commitThenRefuse) Unwrap() error { return c.error }

// Write runs fn in one transaction, and commits it when fn returns nil or the
// result of CommitThenRefuse. If the database aborts the transaction because of a
// conflict with another one, fn runs again. fn must therefore assign its results
// anew on every run, and have no effect outside the database; such effects go to
// Conn.AfterCommit.
func (d *DB) Write(ctx context.Context, fn func(Conn) error) error {
	return d.write(ctx, d.writer, fn)
}

// WriteDispatcher is Write on the dispatcher's pool.
func (d *DB) WriteDispatcher(ctx context.Context, fn func(Conn) error) error {
	return d.write(ctx, d.dispatcher, fn)
}

func (d *DB) write(ctx context.Context, pool *sqlx.DB, fn func(Conn) error) error {
	return retry(func() error { return d.writeOnce(ctx, pool, fn) })
}

// retry runs a transaction, and runs it again when the database aborts it because
// of a conflict with another one.
func retry(transaction func() error) error {
	for attempt := 1; ; attempt++ {
		err := transaction()
		if err == nil || attempt == maxWriteAttempts || !IsRetryable(err) {
			return err
		}
	}
}

func (d *DB) writeOnce(ctx context.Context, pool *sqlx.DB, fn func(Conn) error) (err error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	defer func() {
		if errors.Is(err, sql.ErrTxDone) { // the cause is the end of ctx, which the caller looks for
			err = errors.Join(err, ctx.Err())
		}
	}()
	began := d.now()
	defer d.writes.add(began)()
	opened, err := pool.BeginTxx(ctx, nil)
	if err != nil {
		return d.note(err)
	}
	tx := &transaction{Tx: opened}
	tx.deadline, _ = ctx.Deadline()

	if d.localSettings != "" && pool == d.dispatcher {
		if _, err := tx.ExecContext(ctx, d.localSettings); err != nil {
			return errors.Join(err, rollback(tx))
		}
	}
	refusal := fn(Conn{db: d, pool: pool, tx: tx})
	var commit commitThenRefuse
	switch {
	case refusal != nil && !errors.As(refusal, &commit):
		return errors.Join(refusal, rollback(tx))
	case d.now().Sub(began) > MaxWriteTime/2: // leaves as much for the commit
		return errors.Join(ErrWriteTooLong, rollback(tx))
	}
	if err := tx.Commit(); err != nil {
		return d.note(err)
	}

	for _, fn := range tx.afterCommit {
		fn()
	}
	d.prepareLater(ctx, pool, tx.unprepared)
	return commit.error
}

// prepareLater caches the statements that a transaction ran first. A failure
// means only that they are prepared again at their next use.
func (d *DB) prepareLater(ctx context.Context, pool *sqlx.DB, queries []string) {
	for _, query := range queries {
		if _, err := d.prepare(ctx, pool, query); err != nil {
			d.log.DebugContext(ctx, "statement not cached", "error", err)
		}
	}
}

// rollback ignores a transaction that its context or its connection has ended already.
func rollback(tx *transaction) error {
	err := tx.Rollback()
	if err == nil || errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return fmt.Errorf("rollback: %w", err)
}
