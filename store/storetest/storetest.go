// Package storetest gives each test a database of its own, migrated and empty,
// on SQLite and on PostgreSQL.
package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/lib/pq" // the driver

	"assay/store"
	"assay/store/keys"
	"assay/store/migrations"
)

// Databases are the kinds of database on which the tests run.
var Databases = []string{"sqlite", "postgres"}

// Secret is the master secret of test stores.
const Secret = "storetest-secret-storetest-secret"

// Each runs test on every kind of database, in parallel.
func Each(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	for _, database := range Databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			test(t, database)
		})
	}
}

// URL creates an empty, migrated database, and returns its URL. The database is removed
// after the test. The databaseURL of all other functions in this package is a result of URL.
func URL(t testing.TB, database string) string {
	t.Helper()
	if database == "sqlite" {
		return copyFile(t)
	}
	return clone(t)
}

// copyFile writes a copy of a migrated SQLite database.
func copyFile(t testing.TB) string {
	t.Helper()
	content, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder(t), "assay.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// migratedFile returns the content of an empty, migrated SQLite database.
var migratedFile = sync.OnceValues(func() (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "assay.db")
	if err := migrate(context.Background(), "sqlite:"+path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// migrate creates the tables of a new database.
func migrate(ctx context.Context, databaseURL string) error {
	keys, err := keys.New(Secret)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Options{DatabaseURL: databaseURL, Keys: keys, Now: time.Now})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// folder returns a new folder, in memory if the machine has /dev/shm, because there
// commits do not wait for a disk. No test depends on what remains after a power cut.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "assay-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Clock is a clock that advances only when a test calls Advance. The zero value shows
// the Unix epoch.
type Clock struct{ nanoseconds atomic.Int64 }

// NewClock returns a clock that shows the present, so that ids and times are realistic.
func NewClock() *Clock {
	c := &Clock{}
	c.nanoseconds.Store(time.Now().UnixNano())
	return c
}

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time { return time.Unix(0, c.nanoseconds.Load()) }

// Advance sets the clock forward.
func (c *Clock) Advance(d time.Duration) { c.nanoseconds.Add(int64(d)) }

// Open opens a store on a new, empty, migrated database. Password hashes are cheap.
func Open(t testing.TB, database string, now func() time.Time) *store.Store {
	t.Helper()
	return OpenURL(t, URL(t, database), now)
}

// OpenURL opens a store on the database, like another replica, and migrates the
// database. changes modify the options of the store.
func OpenURL(t testing.TB, databaseURL string, now func() time.Time, changes ...func(*store.Options)) *store.Store {
	t.Helper()
	keys, err := keys.New(Secret)
	if err != nil {
		t.Fatal(err)
	}
	opts := store.Options{
		DatabaseURL: databaseURL, Keys: keys, BaseURL: "https://assay.test", Now: now,
		Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	}
	for _, change := range changes {
		change(&opts)
	}
	s, err := store.Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// OpenSecret is OpenURL with the given master secret instead of Secret, and with
// previous ones.
func OpenSecret(
	t testing.TB, databaseURL string, now func() time.Time, master string, previous ...string,
) *store.Store {
	t.Helper()
	return OpenURL(t, databaseURL, now, Secrets(t, master, previous...))
}

// Secrets is the option of a store with the given master secret and previous ones.
func Secrets(t testing.TB, master string, previous ...string) func(*store.Options) {
	t.Helper()
	ring, err := keys.New(master, previous...)
	if err != nil {
		t.Fatal(err)
	}
	return func(opts *store.Options) { opts.Keys = ring }
}

var (
	template     sync.Once
	templateName string
	templateErr  error
	cloned       atomic.Int64
)

// clone copies the migrated template, which takes a tenth of the time of a migration.
func clone(t testing.TB) string {
	t.Helper()
	base := os.Getenv("TEST_DATABASE_URL")
	if base == "" {
		t.Fatal("TEST_DATABASE_URL is not set: run the tests with `make test`, which starts a PostgreSQL for them")
	}
	template.Do(func() { templateName, templateErr = makeTemplate(base) })
	if templateErr != nil {
		t.Fatal(templateErr)
	}

	admin, err := sql.Open("postgres", base)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("assay_test_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), cloned.Add(1))
	if _, err := admin.ExecContext(context.Background(), `CREATE DATABASE `+name+` TEMPLATE `+templateName); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(context.Background(), `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
		_ = admin.Close()
	})
	return onDatabase(base, name)
}

// makeTemplate creates and migrates the template, unless it exists. Its name has a
// fingerprint of the migrations, so that all test processes share one template.
func makeTemplate(base string) (string, error) {
	ctx := context.Background()
	fingerprint, err := migrationsFingerprint()
	if err != nil {
		return "", err
	}
	name := "assay_template_" + fingerprint
	admin, err := sql.Open("postgres", base)
	if err != nil {
		return "", err
	}
	defer func() { _ = admin.Close() }()
	held, err := admin.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = held.Close() }() // also releases the lock
	if _, err := held.ExecContext(ctx, `SELECT pg_advisory_lock(8317)`); err != nil {
		return "", err
	}

	var exists bool
	err = held.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
	if err != nil || exists {
		return name, err
	}

	// The rename at the end makes sure that a template which exists is complete.
	unfinished := name + "_unfinished"
	if _, err := held.ExecContext(ctx, `DROP DATABASE IF EXISTS `+unfinished); err != nil {
		return "", err
	}
	if _, err := held.ExecContext(ctx, `CREATE DATABASE `+unfinished); err != nil {
		return "", err
	}
	if err := migrate(ctx, onDatabase(base, unfinished)); err != nil {
		return "", err
	}
	_, err = held.ExecContext(ctx, `ALTER DATABASE `+unfinished+` RENAME TO `+name)
	return name, err
}

// migrationsFingerprint is a hash of all migrations.
func migrationsFingerprint() (string, error) {
	sum := sha256.New()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		content, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			return "", err
		}
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

func onDatabase(base, name string) string {
	parsed, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	parsed.Path = "/" + name
	return parsed.String()
}
