package scale

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/oklog/ulid/v2"
	"modernc.org/sqlite"

	"assay/server/cmd/lab/rig"
)

// database is one connection for filling: the settings below hold for it alone.
// Both kinds have these functions, so that they share the statements:
//
//	scale_ulid(ms, n)  a ULID of that millisecond, unique by n
//	scale_time(ms)     what a time column holds
//	scale_bytes(text)  what a binary column holds
type database struct {
	*sqlx.DB
	kind string
}

// registerFunctions gives all SQLite connections of this process the functions.
var registerFunctions = sync.OnceValue(func() error {
	register := func(name string, inputs int32, function func([]driver.Value) driver.Value) error {
		return sqlite.RegisterDeterministicScalarFunction(name, inputs,
			func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) { return function(args), nil })
	}
	return errors.Join(
		register("scale_time", 1, func(args []driver.Value) driver.Value { return args[0].(int64) * 1000 }),
		register("scale_bytes", 1, func(args []driver.Value) driver.Value { return []byte(args[0].(string)) }),
		register("scale_ulid", 2, func(args []driver.Value) driver.Value {
			return makeULID(args[0].(int64), args[1].(int64))
		}),
	)
})

func open(ctx context.Context, on *rig.Database) (*database, error) {
	settings := postgresSettings
	if on.Kind == "sqlite" {
		settings = sqliteSettings
		if err := registerFunctions(); err != nil {
			return nil, err
		}
	}
	pool, err := on.Open()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	db := &database{sqlx.NewDb(pool, on.Kind), on.Kind}
	for _, setting := range settings {
		if err := db.exec(ctx, setting); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// sqliteSettings give up all safety for speed: a file that was not filled to the
// end is removed.
var sqliteSettings = []string{
	`PRAGMA synchronous = OFF`, `PRAGMA cache_size = -400000`, `PRAGMA busy_timeout = 10000`,
}

// postgresSettings need a superuser: without it PostgreSQL would check the
// foreign keys of each row.
var postgresSettings = []string{
	`SET session_replication_role = replica`, `SET synchronous_commit = off`, `SET jit = off`,
	`SET maintenance_work_mem = '512MB'`, `SET work_mem = '64MB'`,
	`CREATE OR REPLACE FUNCTION scale_time(ms BIGINT) RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE
		AS 'SELECT to_timestamp(ms / 1000.0)'`,
	`CREATE OR REPLACE FUNCTION scale_bytes(t TEXT) RETURNS BYTEA LANGUAGE sql IMMUTABLE
		AS $$SELECT convert_to(t, 'UTF8')$$`,
	`CREATE OR REPLACE FUNCTION scale_ulid(ms BIGINT, n BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$SELECT ` +
		postgresULIDTime() + ` || lpad(to_hex(n), 16, '0')$$`,
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// postgresULIDTime writes ms as ten digits of Crockford's alphabet. The sixteen
// that follow are hexadecimal, which is a part of that alphabet.
func postgresULIDTime() string {
	var digits []string
	for shift := 45; shift >= 0; shift -= 5 {
		digits = append(digits, fmt.Sprintf("substr('%s', (ms >> %d & 31)::int + 1, 1)", crockford, shift))
	}
	return strings.Join(digits, " || ")
}

func makeULID(ms, n int64) string {
	const digits = "0123456789abcdef"
	var id [26]byte
	for i := 9; i >= 0; i, ms = i-1, ms>>5 {
		id[i] = crockford[ms&31]
	}
	for i := 25; i >= 10; i, n = i-1, n>>4 {
		id[i] = digits[n&15]
	}
	return string(id[:])
}

func (db *database) exec(ctx context.Context, statement string, args ...any) error {
	if _, err := db.ExecContext(ctx, db.Rebind(statement), args...); err != nil {
		return fmt.Errorf("%w in: %s", err, statement)
	}
	return nil
}

// makePartitions makes the partitions of the days that are filled, as
// store/retention.go has made them in production.
func (db *database) makePartitions(ctx context.Context, from, to time.Time) error {
	if db.kind == "sqlite" {
		return nil
	}
	for table, prefix := range map[string]string{
		"events": "evt_", "webhook_deliveries": "dlv_", "webhook_attempts": "dlv_",
	} {
		boundary := func(day time.Time) string {
			var id ulid.ULID
			_ = id.SetTime(ulid.Timestamp(day)) // fails in the year 10889
			return prefix + strings.ToLower(id.String())
		}
		for day := from.Truncate(24 * time.Hour); !day.After(to); day = day.AddDate(0, 0, 1) {
			if err := db.exec(ctx, fmt.Sprintf(
				`CREATE TABLE IF NOT EXISTS %s_%s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')`,
				table, day.Format("20060102"), table, boundary(day), boundary(day.AddDate(0, 0, 1)))); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropIndexes drops the indexes of a table, primary keys excepted, and returns
// the statements that make them again: filling first takes half the time.
func (db *database) dropIndexes(ctx context.Context, table string) (remake []string, err error) {
	query := `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`
	if db.kind == "postgres" {
		query = `SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS sql FROM pg_indexes
			WHERE schemaname = 'public' AND tablename = ? AND indexname NOT LIKE '%_pkey'`
	}
	var indexes []struct{ Name, SQL string }
	if err := db.SelectContext(ctx, &indexes, db.Rebind(query), table); err != nil {
		return nil, err
	}
	for _, index := range indexes {
		if err := db.exec(ctx, `DROP INDEX `+index.Name); err != nil {
			return nil, err
		}
		remake = append(remake, index.SQL)
	}
	return remake, nil
}
