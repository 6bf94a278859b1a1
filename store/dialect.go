package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
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

	forUpdate  string // locks the rows read until the transaction ends
	forShare   string // keeps the rows read from being changed meanwhile
	skipLocked string // locks like forUpdate, passing over rows that others hold
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
	sqliteReadConnection = 4
)

func connect(databaseURL string) (writer, reader *sqlx.DB, d dialect, err error) {
	switch {
	case strings.HasPrefix(databaseURL, "postgres://"), strings.HasPrefix(databaseURL, "postgresql://"):
		return connectPostgres(databaseURL)
	case databaseURL == "sqlite::memory:":
		return connectMemory()
	case strings.HasPrefix(databaseURL, "sqlite:"):
		return connectSQLite(strings.TrimPrefix(databaseURL, "sqlite:"))
	default:
		return nil, nil, d, errors.New("the database URL begins with neither postgres: nor sqlite")
	}
}

func connectPostgres(databaseURL string) (writer, reader *sqlx.DB, d dialect, err error) {
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		return nil, nil, d, errors.New("the database URL cannot be parsed") // the parse error would quote the password
	}
	query := parsed.Query()
	if query.Get("sslmode") == "" {
		// lib/pq's own default refuses a server without TLS, such as one on this machine.
		query.Set("sslmode", "prefer")
	}
	parsed.RawQuery = query.Encode()
	db, err := sqlx.Open("postgres", parsed.String())
	if err != nil {
		return nil, nil, d, err
	}
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	d = dialect{
		name: "postgres", bind: sqlx.DOLLAR,
		forUpdate: " FOR UPDATE", forShare: " FOR SHARE", skipLocked: " FOR UPDATE SKIP LOCKED",
	}
	return db, db, d, nil
}

// sqlitePragmas: WAL lets readers go on beside the one writer, FULL makes an
// acknowledged commit survive a power cut.
const sqlitePragmas = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_time_integer_format=unix_micro&_txlock=immediate"

func connectSQLite(file string) (writer, reader *sqlx.DB, d dialect, err error) {
	// The path is made a URI's, so that a question mark in it is not taken for the options.
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	if writer, err = openSQLite(dsn); err != nil {
		return nil, nil, d, err
	}
	writer.SetMaxOpenConns(1)
	if reader, err = openSQLite(dsn + "&_pragma=query_only(1)"); err != nil {
		return nil, nil, d, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(sqliteReadConnection)
	reader.SetMaxIdleConns(sqliteReadConnection)
	return writer, reader, dialect{name: "sqlite3", bind: sqlx.QUESTION, path: file}, nil
}

// connectMemory keeps the database in its one connection.
func connectMemory() (writer, reader *sqlx.DB, d dialect, err error) {
	db, err := openSQLite("file::memory:?" + sqlitePragmas)
	if err != nil {
		return nil, nil, d, err
	}
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(0)
	return db, db, dialect{name: "sqlite3", bind: sqlx.QUESTION}, nil
}

// openSQLite opens a pool whose connections know more letters than SQLite's own
// lower, which leaves all but A to Z as they are and PostgreSQL's does not.
func openSQLite(dsn string) (*sqlx.DB, error) {
	opener := sqliteOpener{&sqlite.Driver{}, dsn}
	err := opener.driver.RegisterDeterministicScalarFunction("lower", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return strings.ToLower(text), nil
			}
			return args[0], nil
		})
	if err != nil {
		return nil, err
	}
	return sqlx.NewDb(sql.OpenDB(opener), "sqlite"), nil
}

// sqliteOpener is a driver.Connector.
type sqliteOpener struct {
	driver *sqlite.Driver
	dsn    string
}

// Connect opens one connection.
func (o sqliteOpener) Connect(context.Context) (driver.Conn, error) { return o.driver.Open(o.dsn) }

// Driver is what the connections come from.
func (o sqliteOpener) Driver() driver.Driver { return o.driver }

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
	"DOUBLE PRECISION", "REAL",
	"BYTEA", "BLOB",
	"BOOLEAN", "INTEGER",
	"\n);", "\n) STRICT;",
)

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
		translated[path.Base(name)] = &fstest.MapFile{Data: []byte(sqliteTypes.Replace(string(content)))}
	}
	return translated, nil
}
