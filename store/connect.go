package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

// maxConnections bounds the pool on PostgreSQL; a request holds a connection
// only while it runs statements, so this is far above what two cores can use.
const (
	maxConnections       = 20
	dispatchConnections  = 6
	sqliteReadConnection = 4
)

// connection is an opened database.
type connection struct {
	writer, reader *sqlx.DB
	// dispatch is the dispatcher's own pool, so that claiming neither waits for
	// requests nor shares their plans.
	dispatch *sqlx.DB
	dialect  dialect
	url      string   // for the listener
	primary  *primary // of all PostgreSQL connections
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

// abandon makes closing quick, and possible while the server does not answer:
// it is not told of each statement on each connection that ends anyway.
func (c connection) abandon() {
	if c.primary != nil {
		c.primary.generation.Add(1)
	}
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
	if !query.Has("connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		query.Set("connect_timeout", strconv.Itoa(int(connectTimeout/time.Second)))
	}
	parsed.RawQuery = query.Encode()
	c := connection{url: parsed.String(), primary: newPrimary(), dialect: dialect{
		name: "postgres", bind: sqlx.DOLLAR,
		forUpdate: " FOR UPDATE", forNoKeyUpdate: " FOR NO KEY UPDATE", forShare: " FOR SHARE", skipLocked: " FOR UPDATE SKIP LOCKED",
		writesInCTE: true, textOf: "#>> '{}'", jsonRows: "jsonb_array_elements(CAST(? AS JSONB)) AS r(value)",
	}}
	if c.writer, err = c.openPostgres(c.url, maxConnections); err != nil {
		return connection{}, err
	}
	c.reader = c.writer
	// The queue is small one moment and large the next, and statistics are always
	// of another: only index plans are right at both.
	for _, setting := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan"} {
		query.Set(setting, "off")
	}
	parsed.RawQuery = query.Encode()
	if c.dispatch, err = c.openPostgres(parsed.String(), dispatchConnections); err != nil {
		return connection{}, errors.Join(err, c.writer.Close())
	}
	return c, nil
}

func (c connection) openPostgres(databaseURL string, connections int) (*sqlx.DB, error) {
	connector, err := newPostgres(databaseURL, c.primary)
	if err != nil {
		return nil, err
	}
	pool := sqlx.NewDb(sql.OpenDB(connector), "postgres")
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// sqlitePragmas: WAL lets readers go on beside the one writer, FULL makes an
// acknowledged commit survive a power cut, secure_delete overwrites what is erased.
const sqlitePragmas = "_pragma=busy_timeout(" + sqliteBusyTimeout + ")&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_time_integer_format=unix_micro&_txlock=immediate"

const sqliteBusyTimeout = "10000" // milliseconds

func connectSQLite(file string) (connection, error) {
	// The path is made a URI's, so that a question mark in it is not taken for the options.
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	writer, err := openSQLite(dsn)
	if err != nil {
		return connection{}, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := openSQLite(dsn + "&_pragma=query_only(1)")
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
	db, err := openSQLite("file::memory:?" + sqlitePragmas)
	if err != nil {
		return connection{}, err
	}
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(0)
	return connection{writer: db, reader: db, dispatch: db, dialect: sqliteDialect("")}, nil
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
