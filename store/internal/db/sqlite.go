package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

const sqliteReaders = 4 // connections

// sqlitePragmas: with WAL, readers continue beside the one writer; with FULL, an
// acknowledged commit survives a power cut; secure_delete overwrites what is deleted;
// the log shrinks to journal_size_limit, which is sqliteLogLimit, after a long read;
// with _txlock=immediate, a transaction waits for the right to write when it begins.
const sqlitePragmas = "_pragma=busy_timeout(" + sqliteBusyTimeout +
	")&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=journal_size_limit(16777216)" +
	"&_time_integer_format=unix_micro&_txlock=immediate"

const sqliteBusyTimeout = "10000" // milliseconds

// sqliteLogLimit is in bytes. SQLite copies the log at 4 MB; it is only larger while a read or a write is long.
const sqliteLogLimit = 16 << 20

// sqliteTempMemory keeps in memory the pages that a savepoint would restore. Otherwise
// SQLite writes them to a file, for each write of a group.
const sqliteTempMemory = "&_pragma=temp_store(MEMORY)"

// useTempFiles is for work whose temporary data can be as large as the database. It returns
// the function that ends it.
func useTempFiles(ctx context.Context, writer *sqlx.DB) (inMemory func() error, err error) {
	inMemory = func() error {
		_, err := writer.ExecContext(context.WithoutCancel(ctx), `PRAGMA temp_store = MEMORY`)
		return err
	}
	_, err = writer.ExecContext(ctx, `PRAGMA temp_store = FILE`)
	return inMemory, err
}

func openSQLite(file string, log *slog.Logger) (pools, Dialect, error) {
	if err := checkHeader(file); err != nil {
		return pools{}, Dialect{}, err
	}
	if err := keepPrivate(file, log); err != nil {
		return pools{}, Dialect{}, err
	}
	// Escaped, so that a question mark in the path does not begin the options.
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	writer, err := openSQLitePool(dsn+sqliteTempMemory, 1)
	if err != nil {
		return pools{}, Dialect{}, err
	}
	reader, err := openSQLitePool(dsn+"&_pragma=query_only(1)", sqliteReaders)
	if err != nil {
		return pools{}, Dialect{}, errors.Join(err, writer.Close())
	}
	opened, err := os.Stat(file)
	if err != nil {
		return pools{}, Dialect{}, errors.Join(err, writer.Close(), reader.Close())
	}
	return pools{writer: writer, reader: reader, dispatcher: writer, dispatcherReader: reader},
		sqliteDialect(file, opened), nil
}

// keepPrivate makes the database file, and what SQLite has put beside it, readable and
// writable only for their owner, whatever the umask and the folder are. SQLite gives
// new files beside the database its mode.
func keepPrivate(file string, log *slog.Logger) error {
	created, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, privateMode)
	if err != nil {
		return err
	}
	if err := created.Close(); err != nil {
		return err
	}
	for _, name := range []string{file, file + "-wal", file + "-shm", file + ".lock", file + processLockSuffix} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
			continue // Windows has no such modes
		}
		log.Warn("others could read a file of the database; it is now for its owner only",
			"file", name, "mode", info.Mode().Perm().String())
		if err := os.Chmod(name, privateMode); err != nil {
			return fmt.Errorf("others can read a file of the database: %w", err)
		}
	}
	return nil
}

const privateMode = 0o600

// openMemory keeps the database in its only connection.
func openMemory() (pools, Dialect, error) {
	only, err := openSQLitePool("file::memory:?"+sqlitePragmas, 1)
	return pools{writer: only, reader: only, dispatcher: only, dispatcherReader: only}, sqliteDialect("", nil), err
}

// openSQLitePool replaces SQLite's lower, which changes only A to Z, by one
// that changes every letter, as PostgreSQL's does.
func openSQLitePool(dsn string, connections int) (*sqlx.DB, error) {
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
	pool := sqlx.NewDb(sql.OpenDB(opener), "sqlite")
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// sqliteOpener is a driver.Connector.
type sqliteOpener struct {
	driver *sqlite.Driver
	dsn    string
}

// Connect opens one connection.
func (o sqliteOpener) Connect(context.Context) (driver.Conn, error) { return o.driver.Open(o.dsn) }

// Driver returns the driver of the connections.
func (o sqliteOpener) Driver() driver.Driver { return o.driver }

func sqliteDialect(file string, opened fs.FileInfo) Dialect {
	return Dialect{
		goose: "sqlite3", bind: sqlx.QUESTION,
		// jsonb_each returns rows in the form that ->> reads; json_each returns text, which each ->> would parse.
		JSONRows: "jsonb_each(?) AS r", namesIndexes: true,
		snapshotOptions: sqliteSnapshot,
		engine:          sqliteEngine{file, opened},
	}
}

// sqliteEngine is the engine of SQLite. One process serves from a file. Another,
// such as assay reencrypt, can write to it meanwhile, and wakes no dispatcher.
type sqliteEngine struct {
	file   string      // "" in memory
	opened fs.FileInfo // of the file when it was opened
}

func (sqliteEngine) abandon() {}

func (e sqliteEngine) lockMigrations(ctx context.Context, db *DB) (unlock func() error, err error) {
	if e.file == "" {
		return func() error { return nil }, nil
	}
	lock := flock.New(e.file + ".lock")
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return nil, err
	}
	inMemory, err := useTempFiles(ctx, db.writer)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return func() error { return errors.Join(inMemory(), lock.Unlock()) }, nil
}

// sqliteTypes replaces PostgreSQL's words in the migrations by SQLite's. Every
// migration is one transaction here: nobody writes meanwhile, a failed one leaves nothing,
// and none has to be repeatable.
var sqliteTypes = strings.NewReplacer(
	"-- +goose NO TRANSACTION\n", "",
	" CONCURRENTLY", "",
	"ADD COLUMN IF NOT EXISTS", "ADD COLUMN",
	" ON ONLY ", " ON ",
	` COLLATE "C"`, "",
	"TIMESTAMPTZ", "INTEGER",
	"BIGINT", "INTEGER",
	"DOUBLE PRECISION", "REAL",
	"BYTEA", "BLOB",
	"BOOLEAN", "INTEGER",
	"\n) PARTITION BY RANGE (id);", "\n) STRICT;",
	"\n) PARTITION BY RANGE (delivery_id);", "\n) STRICT;",
	"\n) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, "+
		"autovacuum_vacuum_cost_delay = 0);", "\n) STRICT;",
	"\n);", "\n) STRICT;",
)

func (sqliteEngine) translate(migrations fs.FS) (fs.FS, error) {
	return translated{migrations, func(content string) string {
		return sqliteTypes.Replace(postgresOnly.ReplaceAllString(content, ""))
	}}, nil
}

// migrationPool is the writer: SQLite has no settings for requests.
func (sqliteEngine) migrationPool(db *DB) (*sqlx.DB, error) { return db.writer, nil }

func (sqliteEngine) finishIndexes(context.Context, *DB, *sqlx.DB) error { return nil }

func (sqliteEngine) indexProgress(context.Context, *DB) string { return "" }

// Lock has nothing to wait for: the transaction is the only one that writes.
func (sqliteEngine) Lock(context.Context, Conn, int64) error { return nil }

// LockShared implements engine.
func (sqliteEngine) LockShared(context.Context, Conn, int64) error { return nil }

// TryLock always succeeds: the transaction is the only one that writes.
func (sqliteEngine) TryLock(context.Context, Conn, int64) (bool, error) { return true, nil }

// InsertRow implements engine.
func (e sqliteEngine) InsertRow(ctx context.Context, c Conn, row *Row) (err error) {
	if !c.InTransaction() {
		return c.db.WriteGrouped(ctx, func(ctx context.Context, c Conn) error { return e.InsertRow(ctx, c, row) })
	}
	if err := c.Row(ctx, row.Returned, row.Text(), row.Args...); err != nil {
		return err
	}
	for _, dependent := range row.Dependents {
		if row.Dependent, err = c.Exec(ctx, dependent.Text(), dependent.Args...); err != nil {
			return err
		}
	}
	return nil
}

// InsertRows inserts none: a statement of SQLite writes to one table.
func (sqliteEngine) InsertRows(context.Context, Conn, []*Row) error { return nil }

// MakeDays does nothing: SQLite has no partitions.
func (sqliteEngine) MakeDays(context.Context, *DB, string, []Day) error { return nil }

// DropDays implements engine.
func (sqliteEngine) DropDays(_ context.Context, _ *DB, table string, _ time.Time) (string, error) {
	return table, nil
}

// Notify implements engine.
func (sqliteEngine) Notify(context.Context, *DB, string) error { return nil }

// Listen implements engine.
func (sqliteEngine) Listen(ctx context.Context, _ *DB, _ string, _ func()) { <-ctx.Done() }

// HearsOthers implements engine.
func (sqliteEngine) HearsOthers() bool { return false }

const (
	checkpointAttempts = 10
	checkpointPause    = 100 * time.Millisecond
	checkpointTimeout  = "100" // milliseconds to wait for readers, during which nobody can write
)

// EmptyLog copies the log's pages into the database file and truncates the log.
// A reader can prevent that for as long as it reads.
func (e sqliteEngine) EmptyLog(ctx context.Context, db *DB) (emptied bool, err error) {
	if e.file == "" {
		return true, nil
	}
	for range checkpointAttempts {
		if emptied, err := checkpoint(ctx, db.writer); err != nil || emptied {
			return emptied, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(checkpointPause):
		}
	}
	return false, nil
}

func checkpoint(ctx context.Context, writer *sqlx.DB) (emptied bool, err error) {
	held, err := writer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = held.Close() }()
	if _, err := held.ExecContext(ctx, `PRAGMA busy_timeout = `+checkpointTimeout); err != nil {
		return false, err
	}
	defer func() {
		_, restored := held.ExecContext(context.WithoutCancel(ctx), `PRAGMA busy_timeout = `+sqliteBusyTimeout)
		err = errors.Join(err, restored)
	}()
	var busy, pages, moved int
	err = held.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	return busy == 0, err
}

// Vacuum implements engine.
func (e sqliteEngine) Vacuum(ctx context.Context, db *DB, maxBytes int64) (done bool, err error) {
	var size int64
	if err := db.writer.GetContext(ctx, &size,
		`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`); err != nil {
		return false, err
	}
	if e.file == "" || size > maxBytes {
		return false, nil
	}
	inMemory, err := useTempFiles(ctx, db.writer)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, inMemory()) }()
	if _, err := db.writer.ExecContext(ctx, `VACUUM`); err != nil {
		return false, fmt.Errorf("vacuum: %w", err)
	}
	return true, nil
}
