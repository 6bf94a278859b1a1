package db

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store/migrations"
)

var databasesCreated atomic.Int64

// postgresURL creates an empty PostgreSQL database for the test and returns its URL.
// Package storetest cannot be used here, because it imports this package.
func postgresURL(t *testing.T) string {
	t.Helper()
	ctx, base := context.Background(), os.Getenv("TEST_DATABASE_URL")
	if base == "" {
		t.Fatal("TEST_DATABASE_URL is not set: run the tests with `make test`, which starts a PostgreSQL for them")
	}
	admin, err := sqlx.Open("postgres", base)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("assay_db_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), databasesCreated.Add(1))
	if _, err := admin.ExecContext(ctx, `CREATE DATABASE `+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(ctx, `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
		_ = admin.Close()
	})
	parsed, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Path = "/" + name
	return parsed.String()
}

// sqliteURL returns the URL of a SQLite file that does not exist.
func sqliteURL(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "test.db")
}

// openURL opens a database and closes it after the test.
func openURL(t *testing.T, databaseURL string) *DB {
	t.Helper()
	return openAt(t, databaseURL, time.Now)
}

// openAt is openURL with the given clock.
func openAt(t *testing.T, databaseURL string, now func() time.Time) *DB {
	t.Helper()
	return openWith(t, Options{URL: databaseURL, Now: now})
}

// migratedPostgres opens a migrated PostgreSQL database with an organization.
func migratedPostgres(t *testing.T, estimates Estimates) *DB {
	t.Helper()
	d := openWith(t, Options{URL: postgresURL(t), Now: time.Now, Estimates: estimates})
	if err := d.Migrate(t.Context(), migrations.Files, nothingAfter); err != nil {
		t.Fatal(err)
	}
	execute(t, d, `
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		VALUES ('org_1', 'O', 7, now(), now())`)
	return d
}

func openWith(t *testing.T, opts Options) *DB {
	t.Helper()
	opts.Log = slog.New(slog.DiscardHandler)
	d, err := Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// eachDatabase runs the test with the URL of an empty database of each kind.
func eachDatabase(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	for name, newURL := range map[string]func(*testing.T) string{"sqlite": sqliteURL, "postgres": postgresURL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newURL(t))
		})
	}
}

// execute runs a statement. Its placeholders are those of the database ($1 or ?).
func execute(t *testing.T, d *DB, query string, args ...any) {
	t.Helper()
	if _, err := d.writer.ExecContext(context.Background(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// count returns the number that the query returns.
func count(t *testing.T, d *DB, query string, args ...any) (n int) {
	t.Helper()
	if err := d.Read().Get(context.Background(), &n, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}
