package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing/fstest"

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

	forUpdate      string // locks the rows read until the transaction ends
	forNoKeyUpdate string // locks like forUpdate, but lets rows be added that refer to those read
	forShare       string // keeps the rows read from being changed meanwhile
	skipLocked     string // locks like forUpdate, passing over rows that others hold
	writesInCTE    bool   // whether one statement may write to several tables

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

// codeReadOnly is how PostgreSQL refuses a write on a standby, or where an
// operator has forbidden it.
const codeReadOnly = "25006"

// IsUnavailable reports whether err says that the database cannot be reached or
// takes no writes for now, so that the same request may succeed later.
func IsUnavailable(err error) bool {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		switch postgres.Code.Class() {
		case "08", "53", "57": // connection, resources, operator intervention
			return true
		}
		// The last are conflicts that did not end by trying again, or that a standby's recovery has won.
		return postgres.Code == codeReadOnly || postgres.Code == "40001" || postgres.Code == "40P01"
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
