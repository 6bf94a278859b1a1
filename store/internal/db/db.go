// Package db is the base of package store: connections to PostgreSQL and
// SQLite, what the two databases do differently, migrations, and transactions.
// It knows no scopes, and no tables except those that record migrations.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// Options configure a DB.
type Options struct {
	// URL is postgres://… for PostgreSQL, sqlite:PATH for a file, or
	// sqlite::memory: for a database that ends with the DB.
	URL string
	// ReadURL is postgres://… of a streaming standby for Stale, or empty.
	ReadURL string
	// Application is the application_name of connections to PostgreSQL, unless the URL or PGAPPNAME has one.
	Application string
	// TransactionPooling is for PostgreSQL behind a pooler that gives each transaction any
	// of its connections, such as PgBouncer with pool_mode=transaction. It needs nothing
	// that outlasts a transaction: no prepared statements, settings, or session locks, and
	// no LISTEN.
	TransactionPooling bool
	// Release is the name of this release, for ErrNewerSchema.
	Release string
	// Estimates are estimates of the tables, for PostgreSQL.
	Estimates Estimates
	// Now is the clock.
	Now func() time.Time
	// Log receives what no caller can act on, such as a statement that could not be cached.
	Log *slog.Logger
}

// DB is an opened database. It is safe for concurrent use.
type DB struct {
	Dialect
	pools
	release    string
	estimates  Estimates
	now        func() time.Time
	log        *slog.Logger
	statements sync.Map                 // of statementKey to *sqlx.Stmt
	groups     *Together[*groupedWrite] // nil on PostgreSQL
	replica    *replica                 // nil without a ReadURL
	writes     openWrites
	health     *health
}

// pools are the connection pools of one database. On SQLite the dispatcher
// shares the only connection that writes.
type pools struct {
	writer, reader *sqlx.DB
	// dispatcher is a pool of its own, so that claiming deliveries neither waits
	// for requests nor shares their query plans.
	dispatcher, dispatcherReader *sqlx.DB
}

// Open connects to the database. It does not migrate.
func Open(ctx context.Context, opts Options) (*DB, error) {
	db := &DB{
		release: opts.Release, estimates: opts.Estimates, now: opts.Now, log: opts.Log, health: newHealth(),
	}
	var err error
	switch {
	case strings.HasPrefix(opts.URL, "postgres://"), strings.HasPrefix(opts.URL, "postgresql://"):
		db.pools, db.Dialect, err = openPostgres(opts.URL, opts.Application, opts.TransactionPooling)
	case opts.URL == "sqlite::memory:":
		db.pools, db.Dialect, err = openMemory()
	case strings.HasPrefix(opts.URL, "sqlite:"):
		db.pools, db.Dialect, err = openSQLite(strings.TrimPrefix(opts.URL, "sqlite:"), opts.Log)
	default:
		return nil, errors.New("the database URL is neither postgres://… nor sqlite:PATH")
	}
	if err != nil {
		return nil, err
	}
	if db.goose == "sqlite3" {
		db.groups = NewTogether[*groupedWrite](1)
	}
	if err := db.connect(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to the database: %w", err), db.Close())
	}
	if opts.ReadURL != "" {
		if err := db.openReplica(opts.ReadURL, opts.Application, opts.TransactionPooling); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// connect opens the first connection.
func (d *DB) connect(ctx context.Context) error {
	err := d.writer.PingContext(ctx)
	if d.groups == nil {
		return err
	}
	if err == nil {
		// A copy by VACUUM INTO has no write-ahead log. SQLite creates it with the first statement that reads the file.
		// Without one, a probe would report that the log was deleted.
		var tables int
		err = d.writer.GetContext(ctx, &tables, `SELECT COUNT(*) FROM sqlite_schema`)
	}
	return unusable(err)
}

// Close closes every connection. The wait for a server that does not answer is
// bounded.
func (d *DB) Close() error {
	d.abandon()
	d.statements.Range(func(_, stmt any) bool {
		_ = stmt.(*sqlx.Stmt).Close()
		return true
	})
	closed := map[*sqlx.DB]bool{}
	var failures error
	if d.replica != nil {
		failures = d.replica.close()
	}
	for _, pool := range []*sqlx.DB{d.writer, d.reader, d.dispatcher, d.dispatcherReader} {
		if !closed[pool] {
			closed[pool] = true
			failures = errors.Join(failures, pool.Close())
		}
	}
	return failures
}

// Read returns a Conn for statements that change nothing.
func (d *DB) Read() Conn { return Conn{db: d, pool: d.reader} }

// ReadMany is Read for statements that can read a large part of a table, with the database's default planner. Rows does
// not work on it, because each statement has a transaction of its own. A statement that follows an index to a LIMIT
// belongs to Read, whose plans do not depend on statistics.
func (d *DB) ReadMany() Conn {
	if d.manyRows == "" {
		return d.Read()
	}
	return Conn{db: d, through: func(ctx context.Context, statement func(Conn) error) error {
		return d.Write(ctx, func(c Conn) error {
			if _, err := c.tx.ExecContext(ctx, d.manyRows); err != nil {
				return err
			}
			return statement(c)
		})
	}}
}

// Autocommit returns a Conn that commits each statement on its own. On SQLite, Row
// shares the commit with others (see WriteGrouped); Exec does not, because ATTACH and
// DETACH, for example, need to be outside a transaction.
func (d *DB) Autocommit() Conn { return Conn{db: d, pool: d.writer, grouped: d.groups != nil} }

// Dispatcher is Autocommit on the dispatcher's pool.
func (d *DB) Dispatcher() Conn {
	if d.localSettings != "" {
		return Conn{db: d, through: d.WriteDispatcher}
	}
	return Conn{db: d, pool: d.dispatcher}
}

// DispatcherRead is Read on the dispatcher's pool.
func (d *DB) DispatcherRead() Conn {
	if d.localSettings != "" {
		return Conn{db: d, through: d.WriteDispatcher}
	}
	return Conn{db: d, pool: d.dispatcherReader}
}
