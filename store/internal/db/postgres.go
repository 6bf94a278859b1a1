package db

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

const (
	// maxConnections bounds the pool of the requests. A request holds a connection
	// only while it runs statements: two cores never use this many at once.
	maxConnections        = 20
	dispatcherConnections = 6

	// insertsAtOnce bounds the statements that insert rows of one group. With more, each has
	// fewer rows. While one row waits for another transaction, the other rows continue.
	insertsAtOnce = 2
)

// settings apply to every connection. They permit index plans only: in a new database the
// tables have no statistics, the queue of deliveries grows and shrinks faster than
// PostgreSQL updates them, and only index plans are fast at every size. PostgreSQL compiles
// a statement when its estimated cost is high, which takes 124 of the 127 ms of a claim at
// a large backlog; every statement here is too short to gain from it, or from parallel
// workers, which take longer to start, and a core from the others. With a plan for the
// values of one execution, it can choose another index of the same order: of the primary
// key, for example, in which rows that a list selects can be far apart.
const settings = `SET jit = off; SET max_parallel_workers_per_gather = 0; SET plan_cache_mode = force_generic_plan; ` +
	`SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off`

// defaultPlanner undoes settings, and the operator's settings of the role: a statement that reads many rows needs
// the plans that they forbid. It names values, because behind a pooler the role has the settings.
const defaultPlanner = `SET enable_seqscan = on; SET enable_hashjoin = on; SET enable_mergejoin = on; ` +
	`SET enable_bitmapscan = on; SET plan_cache_mode = force_custom_plan; SET jit = off`

// migrationSession are the settings of the connection that migrates. Building an index can take longer than an
// operator's limits for statements. If the process is killed, the server notices it within seconds, and not at the end
// of the statement, for which the next process would have to wait; PostgreSQL before 14 cannot.
const migrationSession = defaultPlanner + noLimits + `; SELECT set_config(name, '2s', FALSE) FROM pg_settings ` +
	`WHERE name = 'client_connection_check_interval' AND version() LIKE '%linux%'`

// noLimits undoes an operator's limits for statements and transactions.
const noLimits = `; SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0`

// lockTimeout bounds how long a statement waits for the lock of a table. Every later statement on the table waits
// behind it.
const lockTimeout = "500ms"

// localSettings are settings for one transaction.
func localSettings(settings string) string { return strings.ReplaceAll(settings, "SET ", "SET LOCAL ") }

func newPostgresEngine(databaseURL, application string, transactionPooling bool) (*postgresEngine, error) {
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		return nil, errors.New("the database URL cannot be parsed") // the parse error would quote the password
	}
	query := parsed.Query()
	verifies := false
	if query.Get("sslmode") == "" && os.Getenv("PGSSLMODE") == "" {
		verifies = !isLocal(parsed, query)
		query.Set("sslmode", map[bool]string{true: "verify-full", false: "prefer"}[verifies])
	}
	if !query.Has("connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		query.Set("connect_timeout", strconv.Itoa(int(connectTimeout/time.Second)))
	}
	if application != "" && !query.Has("application_name") && !query.Has("fallback_application_name") &&
		os.Getenv("PGAPPNAME") == "" {
		query.Set("application_name", application)
	}
	if transactionPooling {
		// A query with parameters is then one message, which cannot be split between connections.
		query.Set("binary_parameters", "yes")
	}
	parsed.RawQuery = query.Encode()

	return &postgresEngine{
		url: parsed.String(), primary: newPrimary(), verifies: verifies, transactionPooling: transactionPooling,
		inserts: NewTogetherByKey[*Row](insertsAtOnce),
	}, nil
}

// CheckURL returns an error if the parameters of a PostgreSQL URL are wrong. The error does not contain a password.
func CheckURL(databaseURL string) error {
	if !strings.HasPrefix(databaseURL, "postgres") {
		return nil
	}
	engine, err := newPostgresEngine(databaseURL, "", false)
	if err != nil {
		return err
	}
	_, err = pq.NewConfig(engine.url)
	return err
}

func openPostgres(databaseURL, application string, transactionPooling bool) (pools, Dialect, error) {
	engine, err := newPostgresEngine(databaseURL, application, transactionPooling)
	if err != nil {
		return pools{}, Dialect{}, err
	}
	requests, err := engine.open(settings, maxConnections)
	if err != nil {
		return pools{}, Dialect{}, err
	}
	dispatcher, err := engine.open(settings, dispatcherConnections)
	if err != nil {
		return pools{}, Dialect{}, errors.Join(err, requests.Close())
	}
	return pools{writer: requests, reader: requests, dispatcher: dispatcher, dispatcherReader: dispatcher}, Dialect{
		goose: "postgres", bind: sqlx.DOLLAR,
		ForUpdate: " FOR UPDATE", ForNoKeyUpdate: " FOR NO KEY UPDATE", ForShare: " FOR SHARE",
		SkipLocked: " FOR UPDATE SKIP LOCKED",
		HasLateral: true, RewritesIndexes: true, PlannedAlone: " OFFSET 0",
		TextOf: "#>> '{}'", JSONRows: "jsonb_array_elements(CAST(? AS JSONB)) AS r(value)",
		Bytewise: ` COLLATE "C"`,
		engine:   engine, unprepared: transactionPooling,
		snapshotSettings: localSettings(defaultPlanner + noLimits), snapshotOptions: postgresSnapshot,
		localSettings:     map[bool]string{true: localSettings(settings)}[transactionPooling],
		manyRows:          localSettings(defaultPlanner),
		migrationSettings: localSettings(defaultPlanner) + `; SET LOCAL lock_timeout = '` + lockTimeout + `'`,
	}, nil
}

// isLocal reports whether all hosts of the URL are this machine, where the
// connection cannot be intercepted. Connections to other hosts carry a password and
// candidates' data, so the certificate is verified by default.
func isLocal(database *url.URL, query url.Values) bool {
	hosts := cmp.Or(query.Get("host"), database.Host, os.Getenv("PGHOST"), "localhost")
	for host := range strings.SplitSeq(hosts, ",") {
		if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") { // a socket
			continue
		}
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if host != "localhost" && (err != nil || !addr.IsLoopback()) {
			return false
		}
	}
	return true
}

// errUnverified is what an operator can do if the default, verify-full, fails.
const errUnverified = "%w (without sslmode in the database URL the server's certificate is verified: " +
	"name its authority with sslrootcert=FILE, or choose another mode, such as sslmode=disable in a private network)"

// postgresEngine is the engine of PostgreSQL.
type postgresEngine struct {
	url      string
	primary  *primary // of the connections of all pools
	verifies bool     // sslmode is verify-full by default

	transactionPooling bool // see Options

	inserts *TogetherByKey[*Row]
}

func (e *postgresEngine) open(settings string, connections int) (*sqlx.DB, error) {
	if e.transactionPooling {
		settings = ""
	}
	config, err := pq.NewConfig(e.url)
	if err != nil {
		return nil, err
	}
	pool := sqlx.NewDb(sql.OpenDB(&connector{
		config: config, settings: settings, primary: e.primary, verifies: e.verifies,
	}), "postgres")
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

func (e *postgresEngine) abandon() { e.primary.generation.Add(1) }

// migrationLock is the advisory lock of the process that migrates.
const migrationLock = 0x6173736179 // "assay"

const migrationLockPause = 100 * time.Millisecond

// lockMigrations polls, with a lock of the session, or with one of a transaction if
// sessions are shared. A statement that waits in the database has a snapshot until it
// ends, for which CREATE INDEX CONCURRENTLY in the process that migrates would wait. A
// transaction has none between its statements, if they have no parameters: those keep
// their portal, and its snapshot.
func (e *postgresEngine) lockMigrations(ctx context.Context, db *DB) (unlock func() error, err error) {
	held, err := db.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var on interface {
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	} = held
	query, abandon := fmt.Sprintf(`SELECT pg_try_advisory_lock(%d)`, migrationLock), held.Close
	unlock = func() error {
		_, err := held.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, int64(migrationLock))
		return errors.Join(err, held.Close())
	}
	if e.transactionPooling {
		tx, err := held.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			return nil, errors.Join(err, held.Close())
		}
		unlock = func() error { return errors.Join(tx.Rollback(), held.Close()) }
		on, query, abandon = tx, fmt.Sprintf(`SELECT pg_try_advisory_xact_lock(%d)`, migrationLock), unlock
	}
	for locked := false; !locked; {
		if err := on.QueryRowContext(ctx, query).Scan(&locked); err != nil {
			return nil, errors.Join(err, abandon())
		}
		if !locked {
			select {
			case <-ctx.Done():
				return nil, errors.Join(ctx.Err(), abandon())
			case <-time.After(migrationLockPause):
			}
		}
	}
	return unlock, nil
}

// migrationPool implements engine.
func (e *postgresEngine) migrationPool(*DB) (*sqlx.DB, error) { return e.open(migrationSession, 1) }

// indexProgress implements engine.
func (e *postgresEngine) indexProgress(ctx context.Context, db *DB) string {
	var progress string
	err := db.Read().Get(ctx, &progress, `
		SELECT p.relid::regclass::text || ', ' || p.phase
			|| COALESCE(', ' || 100 * p.blocks_done / NULLIF(p.blocks_total, 0) || ' %', '')
		FROM pg_stat_progress_create_index p WHERE p.datname = current_database() LIMIT 1`)
	if err != nil { // there is none, or the server is older than 12
		return ""
	}
	return progress
}

func (e *postgresEngine) translate(migrations fs.FS) (fs.FS, error) {
	return translated{migrations, func(content string) string { return sqliteOnly.ReplaceAllString(content, "") }}, nil
}

// Lock implements engine.
func (e *postgresEngine) Lock(ctx context.Context, c Conn, lock int64) error {
	_, err := c.Exec(ctx, `SELECT pg_advisory_xact_lock(?)`, lock)
	return err
}

// LockShared implements engine.
func (e *postgresEngine) LockShared(ctx context.Context, c Conn, lock int64) error {
	_, err := c.Exec(ctx, `SELECT pg_advisory_xact_lock_shared(?)`, lock)
	return err
}

// TryLock implements engine.
func (e *postgresEngine) TryLock(ctx context.Context, c Conn, lock int64) (locked bool, err error) {
	err = c.Get(ctx, &locked, `SELECT pg_try_advisory_xact_lock(?)`, lock)
	return locked, err
}

// MakeDays implements engine.
func (e *postgresEngine) MakeDays(ctx context.Context, db *DB, table string, days []Day) error {
	for _, day := range days {
		name := table + "_" + day.Start.Format(dayFormat)
		var exists bool
		if err := db.Read().Get(ctx, &exists, `SELECT to_regclass(?) IS NOT NULL`, name); err != nil {
			return err
		}
		if exists {
			continue
		}
		err := e.untilLocked(ctx, db, fmt.Sprintf(
			`CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')`,
			name, table, day.FirstID, day.EndID))
		if err != nil && !isPresent(err) {
			return err
		}
	}
	return e.setEstimates(ctx, db, table)
}

// isPresent reports whether a partition need not be made: another replica has
// just made it, or rows of its day are in the default partition already, where
// they are purged.
func isPresent(err error) bool {
	var postgres *pq.Error
	return errors.As(err, &postgres) && (postgres.Code == "42P07" || postgres.Code == "23514")
}

// DropDays implements engine.
func (e *postgresEngine) DropDays(
	ctx context.Context, db *DB, table string, before time.Time,
) (remaining string, err error) {
	remaining = table + "_rest" // the default partition
	var names []string
	if err := db.ReadMany().List(ctx, &names, `
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(?)`,
		table); err != nil {
		return remaining, err
	}
	slices.Sort(names)
	for _, name := range names { // oldest first
		start, err := time.Parse(dayFormat, strings.TrimPrefix(name, table+"_"))
		if err != nil || start.AddDate(0, 0, 1).After(before) { // the default partition has no day
			continue
		}
		if err := db.Write(ctx, func(c Conn) error {
			if _, err := c.tx.ExecContext(ctx, `SET LOCAL lock_timeout = '`+lockTimeout+`'`); err != nil {
				return err
			}
			// Another replica can drop it, too. Without this lock, which DROP TABLE takes later, PostgreSQL can find its name,
			// but not its parent any more.
			if _, err := c.tx.ExecContext(ctx, `LOCK TABLE ONLY `+table+` IN ACCESS EXCLUSIVE MODE`); err != nil {
				return err
			}
			_, err := c.tx.ExecContext(ctx, `DROP TABLE IF EXISTS `+name)
			return err
		}); err != nil {
			return remaining, err
		}
	}
	return remaining, nil
}

// EmptyLog has nothing to do: the write-ahead log cannot be read through the
// service, and the operator's archive of it has its own retention.
func (e *postgresEngine) EmptyLog(context.Context, *DB) (bool, error) { return true, nil }

// Vacuum leaves the work to autovacuum.
func (e *postgresEngine) Vacuum(context.Context, *DB, int64) (bool, error) { return false, nil }

// probeSpace writes a table, thorough or not at all: a new table always takes space of the disk, and costs as much as
// hundreds of rows. PostgreSQL itself ends if its log has no space.
func (e *postgresEngine) probeSpace(ctx context.Context, db *DB, thorough bool) error {
	if !thorough {
		return nil
	}
	err := db.Write(ctx, func(c Conn) error {
		_, err := c.tx.ExecContext(ctx, `CREATE UNLOGGED TABLE `+probeTable()+` AS
			SELECT repeat('-', 1000) AS filler FROM generate_series(1, `+strconv.Itoa(probeBytes/1000)+`)`)
		if err == nil {
			err = errProbed
		}
		return err
	})
	if ConditionOf(err) == "" { // probed, or the role may not create tables
		return nil
	}
	return err
}

// errProbed rolls a transaction back that was only to find out whether it could be written.
var errProbed = errors.New("db: probed")

// probeTable returns a name that no other process uses.
func probeTable() string { return "assay_probe_" + strings.ToLower(rand.Text()) }
