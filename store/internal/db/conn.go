package db

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// Conn runs statements, either on a pool or inside a transaction. Each distinct
// statement is prepared once per connection: lib/pq needs two round trips for a
// statement that is not prepared. Placeholders are question marks.
type Conn struct {
	db   *DB
	pool *sqlx.DB
	tx   *transaction // nil outside a transaction
	// grouped is true outside a transaction where Row shares its commit with others.
	grouped bool
	// through runs each statement on other Conns: in a transaction of its own, or on the
	// primary if it fails on the replica. It is nil where statements run at once.
	through func(ctx context.Context, statement func(Conn) error) error
}

// transaction is the state of one attempt to run a transaction.
type transaction struct {
	*sqlx.Tx
	deadline    time.Time
	afterCommit []func()
	unprepared  []string // statements that the pool has not prepared; see prepareLater
}

type statementKey struct {
	pool  *sqlx.DB
	query string
}

// AfterCommit runs fn once the transaction has committed, and never when it
// fails. Effects outside the database belong here, because a transaction may run
// more than once. Outside a transaction fn runs at once.
func (c Conn) AfterCommit(fn func()) {
	if c.tx == nil {
		fn()
		return
	}
	c.tx.afterCommit = append(c.tx.afterCommit, fn)
}

// InTransaction reports whether the statements of c share a transaction.
func (c Conn) InTransaction() bool { return c.tx != nil }

// Get scans the only row of query into dest; sql.ErrNoRows when there is none.
func (c Conn) Get(ctx context.Context, dest any, query string, args ...any) error {
	if c.through != nil {
		return c.through(ctx, func(c Conn) error { return c.Get(ctx, dest, query, args...) })
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	return c.db.note(stmt.GetContext(ctx, dest, args...))
}

// Row is Get into a list of destinations, one for each column.
func (c Conn) Row(ctx context.Context, dest []any, query string, args ...any) error {
	if c.grouped {
		return c.db.WriteGrouped(ctx, func(ctx context.Context, c Conn) error { return c.Row(ctx, dest, query, args...) })
	}
	if c.through != nil {
		return c.through(ctx, func(c Conn) error { return c.Row(ctx, dest, query, args...) })
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	return c.db.note(stmt.QueryRowContext(ctx, args...).Scan(dest...))
}

// List scans all rows of query into dest, a pointer to a slice, whose content it replaces.
func (c Conn) List(ctx context.Context, dest any, query string, args ...any) error {
	if c.through != nil {
		return c.through(ctx, func(c Conn) error { return c.List(ctx, dest, query, args...) })
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	return c.db.note(stmt.SelectContext(ctx, dest, args...))
}

// Rows is List for a caller that scans and closes the rows itself.
func (c Conn) Rows(ctx context.Context, query string, args ...any) (rows *Rows, err error) {
	if c.through != nil {
		err = c.through(ctx, func(c Conn) (err error) {
			rows, err = c.Rows(ctx, query, args...)
			return err
		})
		return rows, err
	}
	ctx, cancel := c.bounded(ctx)
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	opened, err := stmt.QueryContext(ctx, args...) //nolint:rowserrcheck // the caller scans them
	if err != nil {
		return nil, c.db.note(err)
	}
	return &Rows{opened, c.db, cancel}, nil
}

// Rows are the rows of a query with its deadline.
type Rows struct {
	*sql.Rows
	db     *DB
	cancel context.CancelFunc
}

// Err returns the error that ended the rows, or nil.
func (r *Rows) Err() error { return r.db.note(r.Rows.Err()) }

// Close ends the query and releases its deadline.
func (r *Rows) Close() error {
	defer r.cancel()
	return r.Rows.Close()
}

// Exec returns the number of rows that query changed.
func (c Conn) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	if c.through != nil {
		err = c.through(ctx, func(c Conn) (err error) {
			changed, err = c.Exec(ctx, query, args...)
			return err
		})
		return changed, err
	}
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, c.db.note(err)
	}
	return result.RowsAffected()
}

// runner runs one query with arguments.
type runner interface {
	GetContext(ctx context.Context, dest any, args ...any) error
	SelectContext(ctx context.Context, dest any, args ...any) error
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
}

func (c Conn) statement(ctx context.Context, query string) (runner, error) {
	if lost := c.db.health.lost.Load(); lost != nil {
		return nil, *lost
	}
	prepared, err := c.prepared(ctx, query)
	return prepared, c.db.note(err)
}

func (c Conn) prepared(ctx context.Context, query string) (runner, error) {
	if c.db.unprepared {
		if c.tx != nil {
			return unprepared{c.tx, c.db.text(query)}, nil
		}
		return unprepared{c.pool, c.db.text(query)}, nil
	}
	prepared, ok := c.db.statements.Load(statementKey{c.pool, query})
	switch {
	case c.tx == nil && ok:
		return prepared.(*sqlx.Stmt), nil
	case c.tx == nil:
		return c.db.prepare(ctx, c.pool, query)
	case ok:
		return c.tx.StmtxContext(ctx, prepared.(*sqlx.Stmt)), nil
	default:
		// The transaction may hold the pool's only connection, and preparing on the pool would then wait forever.
		c.tx.unprepared = append(c.tx.unprepared, query)
		return c.tx.PreparexContext(ctx, c.db.text(query))
	}
}

// unprepared is a runner that prepares nothing. PgBouncer in transaction mode gives each
// transaction any of its connections, which do not have each other's statements.
type unprepared struct {
	on interface {
		sqlx.QueryerContext
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	}
	query string
}

// GetContext implements runner.
func (u unprepared) GetContext(ctx context.Context, dest any, args ...any) error {
	return sqlx.GetContext(ctx, u.on, dest, u.query, args...)
}

// SelectContext implements runner.
func (u unprepared) SelectContext(ctx context.Context, dest any, args ...any) error {
	return sqlx.SelectContext(ctx, u.on, dest, u.query, args...)
}

// QueryContext implements runner.
func (u unprepared) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return u.on.QueryContext(ctx, u.query, args...)
}

// QueryRowContext implements runner.
func (u unprepared) QueryRowContext(ctx context.Context, args ...any) *sql.Row {
	return u.on.QueryRowContext(ctx, u.query, args...)
}

// ExecContext implements runner.
func (u unprepared) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return u.on.ExecContext(ctx, u.query, args...)
}

var plannedOnce = strings.NewReplacer("LIMIT ?", "LIMIT ? + 0", "LIKE ?", "LIKE ? || ''")

// text is a statement in the form of the database. SQLite plans a statement again each
// time that a parameter is bound which is a whole LIMIT or pattern, and not if it is a
// part of an expression.
func (d *DB) text(query string) string {
	if d.bind == sqlx.QUESTION {
		return plannedOnce.Replace(query)
	}
	return sqlx.Rebind(d.bind, query)
}

func (d *DB) prepare(ctx context.Context, pool *sqlx.DB, query string) (*sqlx.Stmt, error) {
	stmt, err := pool.PreparexContext(ctx, d.text(query))
	if err != nil {
		return nil, err
	}
	cached, raced := d.statements.LoadOrStore(statementKey{pool, query}, stmt)
	if raced {
		_ = stmt.Close()
	}
	return cached.(*sqlx.Stmt), nil
}

// bounded adds a deadline: for a single statement that of the function bounded, and
// in a transaction that of the transaction, if it has one.
func (c Conn) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.tx == nil {
		return bounded(ctx)
	}
	if c.tx.deadline.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, c.tx.deadline)
}
