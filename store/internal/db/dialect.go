package db

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Dialect holds the differences between PostgreSQL and SQLite that statements
// meet. A statement is one text for both databases. Where it cannot be, a fragment
// of this struct completes it, or a method of engine takes its place. Of the values
// that statements return, only instants have two forms: see store.Time.
type Dialect struct {
	goose string // the database's name for goose
	bind  int    // sqlx bind type

	unprepared    bool   // see Options.TransactionPooling
	localSettings string // SET statements for each transaction of the dispatcher
	// manyRows are SET statements for each transaction of ReadMany.
	manyRows string
	// migrationSettings are SET statements for each transaction of a migration.
	migrationSettings string
	// snapshotSettings are SET statements for the transaction of Snapshot, and snapshotOptions begin it.
	snapshotSettings string
	snapshotOptions  *sql.TxOptions

	// These follow a SELECT. On SQLite, which has one writer at a time, they are empty.
	ForUpdate      string // locks the rows until the transaction ends
	ForNoKeyUpdate string // ForUpdate that still permits new rows which refer to these
	ForShare       string // keeps the rows unchanged until the transaction ends
	SkipLocked     string // ForUpdate that skips the rows that others have locked

	HasLateral bool // a subquery of FROM can be LATERAL

	// RewritesIndexes reports whether an update of an indexed column writes the row's entries in all indexes.
	RewritesIndexes bool

	// PlannedAlone ends a subquery that is planned without the conditions of the query around
	// it. SQLite joins a subquery of FROM, but takes the index that the subquery names.
	PlannedAlone string

	namesIndexes bool // see IndexedBy

	// Bytewise follows a text of ORDER BY that has no collation of its own, and orders it by its bytes.
	Bytewise string

	TextOf   string // follows a JSON string value and makes it text
	JSONRows string // a table with the column value, from the JSON array that is the argument

	engine
}

// engine is what the two databases do in different ways.
type engine interface {
	// lockMigrations waits until no other process migrates.
	lockMigrations(ctx context.Context, db *DB) (unlock func() error, err error)
	// translate returns the migrations in the database's own types.
	translate(migrations fs.FS) (fs.FS, error)
	// migrationPool opens the pool on which migrations run: the default planner's, or the writer.
	migrationPool(db *DB) (*sqlx.DB, error)
	// snapshotPool opens the pool on which Snapshot runs, or returns the pool of readers.
	snapshotPool(db *DB) (*sqlx.DB, error)
	// finishIndexes builds the indexes that migrations have only declared.
	finishIndexes(ctx context.Context, db *DB, pool *sqlx.DB) error
	// indexProgress says how far the database is with building an index, or is "".
	indexProgress(ctx context.Context, db *DB) string
	// abandon makes the statements close without a message to the server, which
	// may not answer.
	abandon()

	// Lock waits for a lock that other processes see, and holds it until the transaction ends.
	Lock(ctx context.Context, c Conn, lock int64) error
	// LockShared is Lock that any number of transactions can hold together, but not beside Lock.
	LockShared(ctx context.Context, c Conn, lock int64) error
	// TryLock takes a lock that other processes see, until the transaction ends.
	TryLock(ctx context.Context, c Conn, lock int64) (locked bool, err error)
	// InsertRow inserts a row, scans what its statement returns, and then inserts the rows
	// that depend on it. When the statement inserts nothing, InsertRow inserts nothing and
	// returns sql.ErrNoRows. Outside a transaction, it inserts all rows or none.
	InsertRow(ctx context.Context, c Conn, row *Row) error
	// InsertRows inserts rows of one group in a transaction with one statement, where that
	// is faster, and sets Inserted. InsertRow takes the other rows.
	InsertRows(ctx context.Context, c Conn, rows []*Row) error

	// MakeDays creates the partitions of a table for the days.
	MakeDays(ctx context.Context, db *DB, table string, days []Day) error
	// DropDays removes the days of a table that end before the time, and returns
	// the name of the table in which older rows can remain.
	DropDays(ctx context.Context, db *DB, table string, before time.Time) (remaining string, err error)

	// LocksProcesses reports whether LockProcess works.
	LocksProcesses() bool
	// LockProcess takes a lock that ends with this process; ErrLocked if another connection has it. If others cannot see
	// whether it is free, and no other process has a lock, it runs alone before it returns.
	LockProcess(ctx context.Context, key int64, alone func() error) (*ProcessLock, error)

	// Notify wakes the processes that listen to the channel.
	Notify(ctx context.Context, db *DB, channel string) error
	// Listen calls heard for each Notify of another process, until ctx ends.
	Listen(ctx context.Context, db *DB, channel string, heard func())
	// HearsOthers reports whether Listen can hear other processes.
	HearsOthers() bool

	// settled implements DB.Settled for the transactions of all processes.
	settled(ctx context.Context, db *DB) (Settled, error)

	// probeSpace returns an error if new data has no space. It is thorough if a write has found none before.
	probeSpace(ctx context.Context, db *DB, thorough bool) error

	// EmptyLog removes earlier versions of changed pages from the write-ahead
	// log, and reports whether all are gone.
	EmptyLog(ctx context.Context, db *DB) (emptied bool, err error)
	// Vacuum rewrites the database file without the free space in which deleted
	// rows can remain, when the file has at most maxBytes, and reports whether it
	// did. It blocks all writes.
	Vacuum(ctx context.Context, db *DB, maxBytes int64) (done bool, err error)
}

// Kind is the name of the database: postgres or sqlite.
func (d Dialect) Kind() string {
	if d.bind == sqlx.DOLLAR {
		return "postgres"
	}
	return "sqlite"
}

// RowsByID is a FROM item with the rows of a table whose ids are in the JSON array that is the first argument, and
// whose organization_id is the second. Each row is looked up by these in the index. With IN, PostgreSQL can read all
// rows of the organization, or compare each of them with each id.
func (d Dialect) RowsByID(table, index string) string {
	if d.HasLateral {
		return `jsonb_array_elements_text(CAST(? AS JSONB)) AS r(chosen)
			CROSS JOIN LATERAL (SELECT * FROM ` + table + ` WHERE id = r.chosen AND organization_id = ? OFFSET 0) AS ` +
			table
	}
	return `(SELECT value AS chosen FROM json_each(?)) r CROSS JOIN ` + table + d.IndexedBy(index) +
		` ON ` + table + `.id = r.chosen AND ` + table + `.organization_id = ?`
}

// NewestOfKeys is a FROM item with the newest rows, by id, of a table whose column is in the JSON array that is
// the first argument, and whose organization_id is the second: of each value, at most that many. The index has
// organization_id, the column, and id.
func (d Dialect) NewestOfKeys(table, column, index string, most int) string {
	limit := strconv.Itoa(most)
	if d.HasLateral {
		return `jsonb_array_elements_text(CAST(? AS JSONB)) AS r(chosen)
			CROSS JOIN LATERAL (SELECT * FROM ` + table + ` WHERE organization_id = ? AND ` + column + ` = r.chosen
				ORDER BY id DESC LIMIT ` + limit + `) AS ` + table
	}
	return `(SELECT k.value AS chosen, o.organization FROM json_each(?) k CROSS JOIN (SELECT ? AS organization) o) r
		CROSS JOIN ` + table + d.IndexedBy(index) + ` ON ` + table + `.organization_id = r.organization
			AND ` + table + `.` + column + ` = r.chosen
			AND ` + table + `.id >= COALESCE((SELECT older.id FROM ` + table + ` older` + d.IndexedBy(index) + `
				WHERE older.organization_id = r.organization AND older.` + column + ` = r.chosen
				ORDER BY older.id DESC LIMIT 1 OFFSET ` + strconv.Itoa(most-1) + `), '')`
}

// IsOneOf is the condition that a column of an index has a value that is in the JSON array that is its argument. With
// IN, PostgreSQL can read the whole table.
func (d Dialect) IsOneOf(column string) string {
	if d.HasLateral {
		return column + ` = ANY(ARRAY(SELECT jsonb_array_elements_text(CAST(? AS JSONB))))`
	}
	return column + ` IN (SELECT value FROM json_each(?))`
}

// IndexedBy follows a table, and names the index that the query uses. SQLite has no statistics by which it could
// choose one, and prefers indexes with more columns. On PostgreSQL it is empty.
func (d Dialect) IndexedBy(index string) string {
	if !d.namesIndexes {
		return ""
	}
	return " INDEXED BY " + index
}

// ForShareOf is ForShare for the rows of one table of a join.
func (d Dialect) ForShareOf(table string) string {
	if d.ForShare == "" {
		return ""
	}
	return d.ForShare + " OF " + table
}

// ForShareSkipLocked is ForShareOf without the rows that others have locked.
func (d Dialect) ForShareSkipLocked(table string) string {
	if d.ForShare == "" {
		return ""
	}
	return d.ForShareOf(table) + " SKIP LOCKED"
}

// IsUnique reports whether err is the violation of the named unique index over
// the given columns (table.column, in the index's order).
func IsUnique(err error, index string, columns ...string) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		return postgres.Code == "23505" && postgres.Constraint == index
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlitelib.SQLITE_CONSTRAINT_UNIQUE &&
			strings.Contains(lite.Error(), strings.Join(columns, ", "))
	}
	return false
}

// IsForeignKey reports whether err is the violation of a foreign key. SQLite does not name it.
func IsForeignKey(err error, constraint string) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		return postgres.Code == "23503" && postgres.Constraint == constraint
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code() == sqlitelib.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsRetryable reports whether the database aborted the transaction because of a
// conflict with another one, so that the whole of it can run again.
func IsRetryable(err error) bool {
	var postgres *pq.Error
	return errors.As(err, &postgres) && (postgres.Code == "40001" || postgres.Code == "40P01")
}

// isLockConflict reports whether a statement has not got a lock in time, or had to leave it to another one.
func isLockConflict(err error) bool {
	var postgres *pq.Error
	return errors.As(err, &postgres) && (postgres.Code == codeLockTimeout || postgres.Code == codeDeadlock)
}

const (
	codeLockTimeout = "55P03"
	codeDeadlock    = "40P01"
)

// codeReadOnly is PostgreSQL's error for a write on a standby, or where an
// operator has forbidden writes.
const codeReadOnly = "25006"

// errStandby means that the server cannot say which transactions are open.
var errStandby = errors.New("db: the server is a standby")

// IsUnavailable reports whether err says that the database cannot be reached or
// accepts no writes at present, so that the same request may succeed later.
func IsUnavailable(err error) bool {
	// IsRetryable: a conflict that remains after the retries, or a standby's recovery.
	return ConditionOf(err) != "" || IsRetryable(err) || errors.Is(err, errStandby)
}

// codeCanceled is PostgreSQL's error for a statement whose context has ended.
const codeCanceled = "57014"

// TookTooLong reports whether err says that a transaction was rolled back because its time was over.
func TookTooLong(err error) bool {
	var postgres *pq.Error
	return errors.Is(err, ErrWriteTooLong) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &postgres) && postgres.Code == codeCanceled
}

// IsConstraint reports whether err is the violation of a constraint.
func IsConstraint(err error) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		return strings.HasPrefix(string(postgres.Code), "23")
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlitelib.SQLITE_CONSTRAINT
}
