package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing/fstest"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// dialect is everything in which PostgreSQL and SQLite differ. Fragments are
// appended to statements that are otherwise the same text.
type dialect struct {
	name string // as goose spells it: "postgres" or "sqlite3"
	bind int    // sqlx bind type
	path string // SQLite's file, "" in memory

	forUpdate   string // locks the rows read until the transaction ends
	forShare    string // keeps the rows read from being changed meanwhile
	skipLocked  string // locks like forUpdate, passing over rows that others hold
	writesInCTE bool   // whether one statement may write to several tables

	textOf   string // follows a JSON value that is a string, and makes it text
	jsonRows string // makes a table with the column value of the JSON array that is the argument
}

// forShareOf is forShare for one of several tables.
func (d dialect) forShareOf(table string) string {
	if d.forShare == "" {
		return ""
	}
	return d.forShare + " OF " + table
}

var errTimeType = errors.New("store: a time column holds neither a timestamp nor an integer")

// maxConnections bounds the pool on PostgreSQL; a request holds a connection
// only while it runs statements, so this is far above what two cores can use.
const (
	maxConnections       = 20
	dispatchConnections  = 6
	sqliteReadConnection = 4
)

// forUpdateOf is forUpdate for one of several tables.
func (d dialect) forUpdateOf(table string) string {
	if d.forUpdate == "" {
		return ""
	}
	return d.forUpdate + " OF " + table
}

// connection is an opened database.
type connection struct {
	writer, reader *sqlx.DB
	// dispatch is the dispatcher's own pool, so that claiming neither waits for
	// requests nor shares their plans.
	dispatch *sqlx.DB
	dialect  dialect
	url      string // for the listener
}

// close ends every pool once.
func (c connection) close() error {
	err := c.writer.Close()
	if c.reader != c.writer {
		err = errors.Join(err, c.reader.Close())
	}
	if c.dispatch != c.writer {
		err = errors.Join(err, c.dispatch.Close())
	}
	return err
}

// dispatchReader is the pool that the dispatcher reads with.
func (c connection) dispatchReader() *sqlx.DB {
	if c.dispatch == c.writer {
		return c.reader
	}
	return c.dispatch
}

func connect(databaseURL string) (connection, error) {
	switch {
	case strings.HasPrefix(databaseURL, "postgres://"), strings.HasPrefix(databaseURL, "postgresql://"):
		return connectPostgres(databaseURL)
	case databaseURL == "sqlite::memory:":
		return connectMemory()
	case strings.HasPrefix(databaseURL, "sqlite:"):
		return connectSQLite(strings.TrimPrefix(databaseURL, "sqlite:"))
	default:
		return connection{}, errors.New("the database URL begins with neither postgres: nor sqlite")
	}
}

func connectPostgres(databaseURL string) (connection, error) {
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		return connection{}, errors.New("the database URL cannot be parsed") // the parse error would quote the password
	}
	query := parsed.Query()
	if query.Get("sslmode") == "" {
		// lib/pq's own default refuses a server without TLS, such as one on this machine.
		query.Set("sslmode", "prefer")
	}
	parsed.RawQuery = query.Encode()
	c := connection{url: parsed.String(), dialect: dialect{
		name: "postgres", bind: sqlx.DOLLAR,
		forUpdate: " FOR UPDATE", forShare: " FOR SHARE", skipLocked: " FOR UPDATE SKIP LOCKED",
		writesInCTE: true, textOf: "#>> '{}'", jsonRows: "jsonb_array_elements(CAST(? AS JSONB)) AS r(value)",
	}}
	if c.writer, err = sqlx.Open("postgres", c.url); err != nil {
		return connection{}, err
	}
	c.reader = c.writer
	// The queue is small one moment and large the next, and statistics are always
	// of another: only index plans are right at both.
	for _, setting := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan"} {
		query.Set(setting, "off")
	}
	parsed.RawQuery = query.Encode()
	if c.dispatch, err = sqlx.Open("postgres", parsed.String()); err != nil {
		return connection{}, errors.Join(err, c.writer.Close())
	}
	c.writer.SetMaxOpenConns(maxConnections)
	c.writer.SetMaxIdleConns(maxConnections)
	c.dispatch.SetMaxOpenConns(dispatchConnections)
	c.dispatch.SetMaxIdleConns(dispatchConnections)
	return c, nil
}

// sqlitePragmas: WAL lets readers go on beside the one writer, FULL makes an
// acknowledged commit survive a power cut.
const sqlitePragmas = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_time_integer_format=unix_micro&_txlock=immediate"

func connectSQLite(file string) (connection, error) {
	// The path is made a URI's, so that a question mark in it is not taken for the options.
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	writer, err := sqlx.Open("sqlite", dsn)
	if err != nil {
		return connection{}, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := sqlx.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		return connection{}, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(sqliteReadConnection)
	reader.SetMaxIdleConns(sqliteReadConnection)
	return connection{writer: writer, reader: reader, dispatch: writer, dialect: sqliteDialect(file)}, nil
}

func sqliteDialect(file string) dialect {
	return dialect{name: "sqlite3", bind: sqlx.QUESTION, path: file, jsonRows: "json_each(?) AS r"}
}

// connectMemory keeps the database in its one connection.
func connectMemory() (connection, error) {
	db, err := sqlx.Open("sqlite", "file::memory:?"+sqlitePragmas)
	if err != nil {
		return connection{}, err
	}
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(0)
	return connection{writer: db, reader: db, dispatch: db, dialect: sqliteDialect("")}, nil
}

// isUnique reports whether err is the violation of the named unique index over
// the given columns (table.column, in the index's order).
func (d dialect) isUnique(err error, index string, columns ...string) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		return postgres.Code == "23505" && postgres.Constraint == index
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlitelib.SQLITE_CONSTRAINT_UNIQUE && strings.Contains(lite.Error(), strings.Join(columns, ", "))
	}
	return false
}

// isRetryable reports whether the database gave the transaction up because of
// another one, so that it is to be run again as a whole.
func (d dialect) isRetryable(err error) bool {
	var postgres *pq.Error
	return errors.As(err, &postgres) && (postgres.Code == "40001" || postgres.Code == "40P01")
}

// isOccupied reports whether err says that rows of a new partition lie in the
// default one already.
func (d dialect) isOccupied(err error) bool {
	var postgres *pq.Error
	return errors.As(err, &postgres) && postgres.Code == "23514"
}

// IsUnavailable reports whether err says that the database cannot be reached or
// takes no writes for now, so that the same request may succeed later.
func IsUnavailable(err error) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		switch postgres.Code.Class() {
		case "08", "53", "57": // connection, resources, operator intervention
			return true
		}
		return postgres.Code == "25006" // a replica that was promoted away
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_READONLY:
			return true
		}
	}
	return isConnectionError(err)
}

// sqliteTypes are PostgreSQL's words in the migrations and SQLite's for them.
var sqliteTypes = strings.NewReplacer(
	` COLLATE "C"`, "",
	"TIMESTAMPTZ", "INTEGER",
	"BIGINT", "INTEGER",
	"DOUBLE PRECISION", "REAL",
	"BYTEA", "BLOB",
	"BOOLEAN", "INTEGER",
	"\n) PARTITION BY RANGE (id);", "\n) STRICT;",
	"\n) PARTITION BY RANGE (delivery_id);", "\n) STRICT;",
	"\n) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);",
	"\n) STRICT;",
	"\n);", "\n) STRICT;",
)

// postgresOnly are the blocks of a migration that SQLite has no counterpart of.
var postgresOnly = regexp.MustCompile(`(?s)-- \+only postgres\n.*?-- \+end\n`)

// translate returns the migrations in the dialect's words.
func (d dialect) translate(migrations fs.FS) (fs.FS, error) {
	if d.name == "postgres" {
		return migrations, nil
	}
	translated := fstest.MapFS{}
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		translated[path.Base(name)] = &fstest.MapFile{Data: []byte(sqliteTypes.Replace(postgresOnly.ReplaceAllString(string(content), "")))}
	}
	return translated, nil
}
