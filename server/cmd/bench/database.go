package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/lib/pq"  // the driver
	_ "modernc.org/sqlite" // the driver
)

// database is one that the benchmark made for itself.
type database struct {
	kind  string // "sqlite" or "postgres"
	url   string // as ASSAY_DATABASE_URL takes it
	dir   string // the server's data folder
	about string // what is printed of it
	admin *sql.DB
	name  string // of the PostgreSQL database
}

// newDatabase makes an empty database: a SQLite file in a folder of its own, or
// a database in the cluster of testURL.
func newDatabase(ctx context.Context, kind, dir, testURL string) (*database, error) {
	db := &database{kind: kind, dir: filepath.Join(dir, kind)}
	if err := os.Mkdir(db.dir, 0o700); err != nil {
		return nil, err
	}
	if kind == "sqlite" {
		db.url = "sqlite:" + filepath.Join(db.dir, "assay.db")
		return db, db.describeSQLite(ctx)
	}
	admin, err := sql.Open("postgres", testURL)
	if err != nil {
		return nil, errors.New("TEST_DATABASE_URL is wrong") // the driver's error could quote the password
	}
	db.admin = admin
	if err := db.createPostgres(ctx, testURL); err != nil {
		return nil, errors.Join(err, admin.Close())
	}
	return db, nil
}

func (db *database) describeSQLite(ctx context.Context) error {
	memory, err := sql.Open("sqlite", "file::memory:")
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }()
	var version string
	err = memory.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&version)
	db.about = fmt.Sprintf("SQLite %s, WAL, synchronous=FULL, in %s", version, filepath.Dir(filepath.Dir(db.dir)))
	return err
}

// createPostgres prints a warning with the facts when the cluster does not sync
// what it writes: figures of writes mean little then.
func (db *database) createPostgres(ctx context.Context, testURL string) error {
	var version, fsync, commit string
	for setting, value := range map[string]*string{"server_version": &version, "fsync": &fsync, "synchronous_commit": &commit} {
		if err := db.admin.QueryRowContext(ctx, `SELECT current_setting($1)`, setting).Scan(value); err != nil {
			return fmt.Errorf("TEST_DATABASE_URL: %w", err)
		}
	}
	db.about = fmt.Sprintf("PostgreSQL %s, fsync=%s, synchronous_commit=%s", version, fsync, commit)
	if fsync != "on" || commit == "off" {
		db.about += " (NOT DURABLE: writes look faster than they are)"
	}
	parsed, err := url.Parse(testURL)
	if err != nil {
		return errors.New("TEST_DATABASE_URL is not a URL")
	}
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	db.name = "assay_bench_" + hex.EncodeToString(random)
	parsed.Path = "/" + db.name
	db.url = parsed.String()
	_, err = db.admin.ExecContext(ctx, `CREATE DATABASE `+db.name)
	return err
}

// remove drops the database, also when the run was interrupted. SQLite's file
// goes with its folder.
func (db *database) remove() error {
	if db.admin == nil {
		return nil
	}
	_, err := db.admin.ExecContext(context.Background(), `DROP DATABASE IF EXISTS `+db.name+` WITH (FORCE)`)
	return errors.Join(err, db.admin.Close())
}

// analyze gives PostgreSQL's planner the statistics that autovacuum gives it
// sooner or later, so that they do not come in the middle of a measurement.
func (db *database) analyze(ctx context.Context) error {
	if db.admin == nil {
		return nil
	}
	own, err := sql.Open("postgres", db.url)
	if err != nil {
		return err
	}
	_, err = own.ExecContext(ctx, `ANALYZE`)
	return errors.Join(err, own.Close())
}

// sqlitePragmas are those of store/dialect.go: the baseline has to keep the same promises.
const sqlitePragmas = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=foreign_keys(1)&_time_integer_format=unix_micro&_txlock=immediate"

// openPools opens the pools that the store would open, of the same sizes: one
// for PostgreSQL; one connection that writes and four that read for SQLite.
func openPools(databaseURL string) (writer, reader *sql.DB, err error) {
	file, isSQLite := strings.CutPrefix(databaseURL, "sqlite:")
	if !isSQLite {
		db, err := sql.Open("postgres", databaseURL)
		if err != nil {
			return nil, nil, err
		}
		db.SetMaxOpenConns(20)
		db.SetMaxIdleConns(20)
		return db, db, nil
	}
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + sqlitePragmas
	if writer, err = sql.Open("sqlite", dsn); err != nil {
		return nil, nil, err
	}
	writer.SetMaxOpenConns(1)
	if reader, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		return nil, nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(4)
	reader.SetMaxIdleConns(4)
	return writer, reader, nil
}
