package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	// migrationReport is the interval at which the log says how far a migration is.
	migrationReport = 5 * time.Second

	// migrationBatch is the number of ids of one transaction of a batched statement.
	migrationBatch = 5000

	// A migration that did not get its lock tries again after a pause, which grows: others use the table meanwhile.
	firstLockPause = 100 * time.Millisecond
	maxLockPause   = 2 * time.Second
)

// migrationRun applies one migration.
type migrationRun struct {
	migration
	db    *DB
	pool  *sqlx.DB
	log   *slog.Logger
	level slog.Level // of the beginning and the end

	statement  atomic.Int64 // the number of the statement that runs
	rows, all  atomic.Int64 // ids of a batched statement that are done, and all of them
	lockMisses atomic.Int64
}

// apply runs the statements. PostgreSQL runs those of a migration without a transaction one by one. After a failure,
// the migration runs again from its first statement.
func (r *migrationRun) apply(ctx context.Context) error {
	began := r.db.now()
	r.log.Log(ctx, r.level, "applying a migration", "statements", len(r.statements))
	stop := r.report(ctx, began)
	defer stop()
	var err error
	if r.inTransaction {
		err = r.withRetries(ctx, func() error { return r.together(ctx) })
	} else {
		err = r.oneByOne(ctx)
	}
	if err != nil {
		return err
	}
	stop()
	r.log.Log(ctx, r.level, "applied a migration", "duration", r.db.now().Sub(began))
	return nil
}

// together runs all statements in one transaction.
func (r *migrationRun) together(ctx context.Context) error {
	return r.transaction(ctx, func(tx *sqlx.Tx) error {
		for i, s := range r.statements {
			r.statement.Store(int64(i + 1))
			if err := r.inside(ctx, tx, s); err != nil {
				return err
			}
		}
		return r.db.noteApplied(ctx, tx, r.migration)
	})
}

// inside runs a statement in a transaction that it shares with others.
func (r *migrationRun) inside(ctx context.Context, tx *sqlx.Tx, s migrationStatement) error {
	if s.batched == "" {
		_, err := tx.ExecContext(ctx, s.text)
		return s.explain(err)
	}
	return r.batches(ctx, s, func(step func(*sqlx.Tx) error) error { return step(tx) })
}

func (r *migrationRun) oneByOne(ctx context.Context) error {
	first, err := r.resume(ctx)
	if err != nil {
		return err
	}
	for i := first; i < len(r.statements); i++ {
		s := r.statements[i]
		r.statement.Store(int64(i + 1))
		switch {
		case s.batched != "":
			err = r.batches(ctx, s, func(step func(*sqlx.Tx) error) error {
				return r.withRetries(ctx, func() error { return r.transaction(ctx, step) })
			})
		case s.standsAlone():
			_, err = r.pool.ExecContext(ctx, s.text)
			if isLockConflict(err) {
				if err := r.pause(ctx, err, 0); err != nil {
					return err
				}
				i = r.startOf(i) - 1
				continue
			}
		default:
			err = r.withRetries(ctx, func() error {
				return r.transaction(ctx, func(tx *sqlx.Tx) error {
					_, err := tx.ExecContext(ctx, s.text)
					return err
				})
			})
		}
		if err != nil {
			return s.explain(err)
		}
		if err := r.noteProgress(ctx, i+1); err != nil {
			return err
		}
	}
	return r.withRetries(ctx, func() error {
		return r.transaction(ctx, func(tx *sqlx.Tx) error {
			if _, err := tx.ExecContext(ctx, `DELETE FROM migration_progress WHERE version = $1`, r.version); err != nil {
				return err
			}
			return r.db.noteApplied(ctx, tx, r.migration)
		})
	})
}

// resume returns the statement with which the migration begins: behind those that a process has completed that was
// killed afterwards. Without it, a process that is killed every minute would never build the indexes of a migration
// that takes longer. The runner owns the table, because the migrations that need it are older than a migration could
// be that makes it.
func (r *migrationRun) resume(ctx context.Context) (first int, err error) {
	if _, err := r.pool.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migration_progress (
		version BIGINT PRIMARY KEY, statements INTEGER NOT NULL, hash TEXT NOT NULL)`); err != nil {
		return 0, err
	}
	err = r.pool.QueryRowContext(ctx, `SELECT statements FROM migration_progress WHERE version = $1 AND hash = $2`,
		r.version, r.hash()).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return r.startOf(first), err
}

func (r *migrationRun) noteProgress(ctx context.Context, completed int) error {
	_, err := r.pool.ExecContext(ctx, `
		INSERT INTO migration_progress (version, statements, hash) VALUES ($1, $2, $3)
		ON CONFLICT (version) DO UPDATE SET statements = excluded.statements, hash = excluded.hash`,
		r.version, completed, r.hash())
	return err
}

// startOf is the statement from which an interrupted one runs again: the DROP INDEX before a CREATE INDEX, which drops
// the invalid index that a failed build leaves.
func (r *migrationRun) startOf(statement int) int {
	if statement > 0 && statement < len(r.statements) && buildsIndex.MatchString(r.statements[statement].text) {
		return statement - 1
	}
	return statement
}

var buildsIndex = regexp.MustCompile(`(?i)^CREATE (UNIQUE )?INDEX CONCURRENTLY\b`)

// hash differs if another release has other statements.
func (r *migrationRun) hash() string {
	all := sha256.New()
	for _, s := range r.statements {
		_, _ = fmt.Fprintln(all, s.batched, s.text)
	}
	return hex.EncodeToString(all.Sum(nil))
}

func (s migrationStatement) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w in: %s", err, s.title())
}

// batches runs a statement for each range of ids. run runs one step in a transaction.
func (r *migrationRun) batches(
	ctx context.Context, s migrationStatement, run func(step func(*sqlx.Tx) error) error,
) error {
	err := run(func(tx *sqlx.Tx) error {
		var all int64
		err := tx.GetContext(ctx, &all, `SELECT COUNT(*) FROM `+s.batched)
		r.rows.Store(0)
		r.all.Store(all)
		return err
	})
	bounds := sqlx.Rebind(r.db.bind, fmt.Sprintf(
		`SELECT COALESCE(MAX(id), ''), COUNT(*) FROM (SELECT id FROM %s WHERE id > ? ORDER BY id LIMIT %d) AS batch`,
		s.batched, migrationBatch))
	text := sqlx.Rebind(r.db.bind, s.text)
	for after, more := "", true; more && err == nil; {
		var last string
		var rows int64
		err = run(func(tx *sqlx.Tx) error {
			if err := tx.QueryRowContext(ctx, bounds, after).Scan(&last, &rows); err != nil || rows == 0 {
				return err
			}
			_, err := tx.ExecContext(ctx, text, after, last)
			return err
		})
		after, more = last, rows == migrationBatch
		r.rows.Add(rows)
	}
	r.all.Store(0)
	return err
}

// transaction runs fn in a transaction that waits only briefly for a lock, with the database's default planner.
func (r *migrationRun) transaction(ctx context.Context, fn func(*sqlx.Tx) error) error {
	tx, err := r.pool.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	if r.db.migrationSettings != "" {
		_, err = tx.ExecContext(ctx, r.db.migrationSettings)
	}
	if err == nil {
		err = fn(tx)
	}
	if err != nil {
		if ended := tx.Rollback(); !errors.Is(ended, sql.ErrTxDone) {
			err = errors.Join(err, ended)
		}
		return err
	}
	return tx.Commit()
}

// withRetries repeats what did not get a lock.
func (r *migrationRun) withRetries(ctx context.Context, run func() error) error {
	for attempt := 0; ; attempt++ {
		err := run()
		if !isLockConflict(err) {
			return err
		}
		if err := r.pause(ctx, err, attempt); err != nil {
			return err
		}
	}
}

func (r *migrationRun) pause(ctx context.Context, missed error, attempt int) error {
	r.lockMisses.Add(1)
	select {
	case <-ctx.Done():
		return errors.Join(ctx.Err(), missed)
	case <-time.After(min(maxLockPause, firstLockPause<<min(attempt, 10))):
		return nil
	}
}

// report logs how far the migration is, until stop is called.
func (r *migrationRun) report(ctx context.Context, began time.Time) (stop func()) {
	done := make(chan struct{})
	var reporting sync.WaitGroup
	reporting.Go(func() {
		ticker := time.NewTicker(migrationReport)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				r.logProgress(ctx, began)
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		reporting.Wait()
	})
}

func (r *migrationRun) logProgress(ctx context.Context, began time.Time) {
	number := int(r.statement.Load())
	duration := r.db.now().Sub(began).Round(time.Second)
	attrs := []any{"statement", number, "statements", len(r.statements), "duration", duration}
	if number > 0 {
		attrs = append(attrs, "text", r.statements[number-1].title())
	}
	if all := r.all.Load(); all > 0 {
		attrs = append(attrs, "rows", r.rows.Load(), "rowsTotal", all)
	}
	if progress := r.db.indexProgress(ctx, r.db); progress != "" {
		attrs = append(attrs, "index", progress)
	}
	if misses := r.lockMisses.Swap(0); misses > 0 {
		attrs = append(attrs, "lockAttempts", misses)
		r.log.WarnContext(ctx, "a migration waits for a lock: another session uses the table for a long time, "+
			"such as a backup or a query by hand", attrs...)
		return
	}
	r.log.InfoContext(ctx, "a migration runs", attrs...)
}
