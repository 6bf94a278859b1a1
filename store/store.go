// Package store holds Assay's rows, the SQL that reads and writes them, and the
// rules that decide. It knows no HTTP. Its one type is Store; there is one file
// per tag of openapi.yaml, and the method that serves an operation has the
// operation's name.
//
// Each exported method is one transaction. A method takes the caller's Scope
// straight after the context and sees that organization only; the few that
// cross organizations begin with Unscoped.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/store/keys"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jmoiron/sqlx"
)

// Options are what a Store is opened with.
type Options struct {
	// DatabaseURL is postgres://… for PostgreSQL, sqlite:PATH for a file, or
	// sqlite::memory: for a database that is gone when the store is closed.
	DatabaseURL string
	// Keys derive invite tokens; see Keys.
	Keys *keys.Ring
	// BaseURL is the service's address without a trailing slash, for the links
	// that events and sessions carry.
	BaseURL string
	// AllowInsecureWebhooks permits http and private addresses; for development only.
	AllowInsecureWebhooks bool
	// Now is the clock. All rules of time go by it.
	Now func() time.Time
	// Passwords is the cost of a password hash; the zero value means DefaultPasswordCost.
	Passwords PasswordCost
	// SignInLimits bound sign-ins and registrations; the zero value does not.
	SignInLimits SignInLimits
	// Log receives what no caller can be told, such as a sweep that failed.
	Log *slog.Logger
}

// Store is the database of the service. It is safe for concurrent use.
type Store struct {
	connection
	opts Options
	ids  idSource

	statements  sync.Map // of statementKey to *sqlx.Stmt
	definitions *lru.Cache[string, *Assessment]
	credentials *credentialCache
	passwords   *passwordHasher
	wake        *wake
	running     sync.Map // of ticket.lock to true: the requests with a key that run here
	horizon     *horizon
	replica     string // this process, among those that share the database
	unscrubbed  atomic.Bool
}

// definitionCacheSize bounds the parsed assessments that are kept: at the
// largest definition accepted (1 MiB) it is about half a gigabyte, at a usual
// one (50 KiB) about 25 MiB.
const definitionCacheSize = 256

// Open connects to the database. It does not migrate: see Migrate.
func Open(ctx context.Context, opts Options) (*Store, error) {
	connected, err := connect(opts.DatabaseURL)
	if err != nil {
		return nil, err
	}
	definitions, err := lru.New[string, *Assessment](definitionCacheSize)
	if err != nil {
		return nil, err
	}
	credentials, err := newCredentialCache()
	if err != nil {
		return nil, err
	}
	passwords, err := newPasswordHasher(opts.Passwords)
	if err != nil {
		return nil, err
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s := &Store{
		connection: connected, opts: opts,
		definitions: definitions, credentials: credentials, passwords: passwords,
	}
	s.wake, s.horizon, s.replica = newWake(s), newHorizon(), s.NewID("rpl")
	if err := s.writer.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to the database: %w", err), s.Close())
	}
	return s, nil
}

// Close ends every connection.
func (s *Store) Close() error {
	s.wake.close()
	s.abandon()
	s.statements.Range(func(_, stmt any) bool {
		_ = stmt.(*sqlx.Stmt).Close()
		return true
	})
	return s.close()
}

// Keys are the keys that the store was opened with.
func (s *Store) Keys() *keys.Ring { return s.opts.Keys }

// Now is the store's clock in UTC, in the milliseconds that the wire carries.
func (s *Store) Now() time.Time { return s.opts.Now().UTC().Truncate(time.Millisecond) }

// Ready reports whether the database answers and is migrated.
func (s *Store) Ready(ctx context.Context) error {
	pending, err := s.PendingMigrations(ctx)
	if err != nil {
		return err
	}
	if pending > 0 {
		return fmt.Errorf("%d migrations are pending", pending)
	}
	return nil
}

// conn runs statements, either on a pool or inside a transaction. Each distinct
// statement is prepared once per connection: without that lib/pq spends two
// round trips on it.
type conn struct {
	store  *Store
	pool   *sqlx.DB
	tx     *sqlx.Tx
	until  time.Time // the transaction's deadline
	queued *bool     // whether the transaction queued deliveries
	fresh  *[]string // statements that the transaction met first, to be prepared on the pool after it
}

type statementKey struct {
	pool  *sqlx.DB
	query string
}

func (s *Store) read() conn { return conn{store: s, pool: s.reader} }

func (c conn) statement(ctx context.Context, query string) (*sqlx.Stmt, error) {
	prepared, ok := c.store.statements.Load(statementKey{c.pool, query})
	switch {
	case c.tx == nil && ok:
		return prepared.(*sqlx.Stmt), nil
	case c.tx == nil:
		return c.store.prepare(ctx, c.pool, query)
	case ok:
		return c.tx.StmtxContext(ctx, prepared.(*sqlx.Stmt)), nil
	default:
		// Preparing on the pool here would wait forever where it has one connection, and that is ours.
		*c.fresh = append(*c.fresh, query)
		return c.tx.PreparexContext(ctx, sqlx.Rebind(c.store.dialect.bind, query))
	}
}

// bounded is for one statement: a transaction's statements share its deadline.
func (c conn) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.tx == nil {
		return bounded(ctx)
	}
	return context.WithDeadline(ctx, c.until)
}

func (s *Store) prepare(ctx context.Context, pool *sqlx.DB, query string) (*sqlx.Stmt, error) {
	stmt, err := pool.PreparexContext(ctx, sqlx.Rebind(s.dialect.bind, query))
	if err != nil {
		return nil, err
	}
	kept, raced := s.statements.LoadOrStore(statementKey{pool, query}, stmt)
	if raced {
		_ = stmt.Close()
	}
	return kept.(*sqlx.Stmt), nil
}

// get scans the one row of query into dest; sql.ErrNoRows when there is none.
func (c conn) get(ctx context.Context, dest any, query string, args ...any) error {
	ctx, end := c.bounded(ctx)
	defer end()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	return stmt.GetContext(ctx, dest, args...)
}

// list scans all rows of query into dest, a pointer to a slice.
func (c conn) list(ctx context.Context, dest any, query string, args ...any) error {
	ctx, end := c.bounded(ctx)
	defer end()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return err
	}
	return stmt.SelectContext(ctx, dest, args...)
}

// rows is list for a caller that scans by itself, and closes them.
func (c conn) rows(ctx context.Context, query string, args ...any) (_ *boundedRows, err error) {
	ctx, end := c.bounded(ctx)
	defer func() {
		if err != nil {
			end()
		}
	}()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args...) //nolint:rowserrcheck // by whoever scans them
	if err != nil {
		return nil, err
	}
	return &boundedRows{rows, end}, nil
}

// boundedRows end their bound when they are closed.
type boundedRows struct {
	*sql.Rows
	end context.CancelFunc
}

// Close ends the query.
func (r *boundedRows) Close() error {
	defer r.end()
	return r.Rows.Close()
}

// exec returns how many rows query touched.
func (c conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	ctx, end := c.bounded(ctx)
	defer end()
	stmt, err := c.statement(ctx, query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// keep marks a refusal that is to be answered while what the transaction did
// before it is committed, such as a deadline that was found to have passed.
type keep struct{ refusal error }

func (k keep) Error() string { return k.refusal.Error() }

// write runs fn in one transaction and commits unless fn fails. A transaction
// that the database aborted for a conflict with another is run again.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	return s.writeOn(ctx, s.writer, fn)
}

func (s *Store) writeOn(ctx context.Context, pool *sqlx.DB, fn func(conn) error) (err error) {
	end := s.horizon.begin(s.opts.Now())
	defer func() { end(s.opts.Now(), err) }()
	for attempt := 1; ; attempt++ {
		err := s.writeOnce(ctx, pool, fn)
		if err == nil || attempt == maxWriteAttempts || !s.dialect.isRetryable(err) {
			return err
		}
	}
}

const maxWriteAttempts = 4

func (s *Store) writeOnce(ctx context.Context, pool *sqlx.DB, fn func(conn) error) (err error) {
	ctx, end := bounded(ctx)
	defer end()
	defer func() {
		if errors.Is(err, sql.ErrTxDone) { // because ctx ended, which is what the caller can do something about
			err = errors.Join(err, ctx.Err())
		}
	}()
	began := s.opts.Now()
	tx, err := pool.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	finished := false
	defer func() {
		if !finished {
			err = errors.Join(err, ignoreDone(tx.Rollback()))
		}
	}()
	var fresh []string
	queued := false
	until, _ := ctx.Deadline()
	fnErr := fn(conn{store: s, pool: pool, tx: tx, until: until, queued: &queued, fresh: &fresh})
	var kept keep
	if fnErr != nil && !errors.As(fnErr, &kept) {
		return fnErr
	}
	if s.opts.Now().Sub(began) > maxWriteTime/2 {
		return errWriteTooLong
	}
	finished = true
	if err := tx.Commit(); err != nil {
		return err
	}
	if queued {
		s.wake.kick()
	}
	for _, query := range fresh {
		// What is committed stays so: a statement that is not kept now is prepared again at its next use.
		if _, err := s.prepare(ctx, pool, query); err != nil {
			s.opts.Log.DebugContext(ctx, "statement not kept", "error", err)
		}
	}
	if fnErr != nil {
		return kept.refusal
	}
	return nil
}

// ignoreDone drops what a rollback says when the context or the connection
// ended the transaction before it.
func ignoreDone(err error) error {
	if err == nil || errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return fmt.Errorf("rollback: %w", err)
}

// Page asks for one page of a list.
type Page struct {
	Limit int
	After string // id of the last item of the page before; "" for the first page
}

// cut takes the item off that only tells that there are more.
func cut[T any](rows []T, limit int) ([]T, bool) {
	if len(rows) > limit {
		return rows[:limit], true
	}
	return rows, false
}

// filter is the WHERE clause of a list with optional conditions. Conditions are
// literals of the calling method; values only ever travel as arguments.
type filter struct {
	sql  strings.Builder
	args []any
}

func filterOf(scope Scope, page Page) *filter {
	f := &filter{args: []any{scope.OrganizationID}}
	f.sql.WriteString(" WHERE organization_id = ?")
	if page.After != "" {
		f.and("id < ?", page.After)
	}
	return f
}

func (f *filter) and(condition string, value any) {
	f.sql.WriteString(" AND " + condition)
	f.args = append(f.args, value)
}

// newestFirst completes a SELECT with the filter, in the order of every list,
// asking for one row more than the page holds.
func (f *filter) newestFirst(selected string, page Page) (query string, args []any) {
	return selected + f.sql.String() + " ORDER BY id DESC LIMIT ?", append(f.args, page.Limit+1)
}

// escapeLike makes the text stand for itself in a LIKE pattern with '\' as escape.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
