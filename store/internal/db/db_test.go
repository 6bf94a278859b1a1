package db

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// Open must reject invalid URLs and unreachable databases. The error must not contain
// the password of the URL.
func TestOpenRejectsURLsWithoutShowingPasswords(t *testing.T) {
	t.Parallel()
	for _, databaseURL := range []string{
		"", "assay.db", "mysql://u:topsecret@localhost/a", "postgres//u:topsecret@localhost/a",
		"postgres://u:topsecret@local host/a", "postgres://u:topsecret@%zz/a",
		"postgres://u:topsecret@127.0.0.1:1/a?sslmode=disable", "sqlite:" + filepath.Join(t.TempDir(), "missing", "a.db"),
	} {
		d, err := Open(t.Context(), Options{URL: databaseURL, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			t.Errorf("%s: opened, want an error", databaseURL)
			_ = d.Close()
		} else if strings.Contains(err.Error(), "topsecret") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

// notesMigration creates one table.
var notesMigration = fstest.MapFS{
	"00001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (\n    text TEXT NOT NULL\n);\n")},
}

func nothingAfter(context.Context) error { return nil }

// migrateNotes applies notesMigration and inserts one row.
func migrateNotes(t *testing.T, d *DB) {
	t.Helper()
	if err := d.Migrate(t.Context(), notesMigration, nothingAfter); err != nil {
		t.Fatal(err)
	}
	execute(t, d, `INSERT INTO notes VALUES ('one')`)
}

// The path of a SQLite database must be used as it is, even if it contains characters
// that have a meaning in URLs.
func TestSQLitePathIsUsedUnchanged(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"plain.db", "with space.db", "what?.db", "a?_pragma=query_only(1).db", "a#b.db", "100%.db", "a%20b.db",
		"ä😀.db", "a&b=c;d.db", "a'b\".db", "a:b.db", "file:x.db",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "in "+name)
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			databaseURL := "sqlite:" + filepath.Join(folder, name)
			first, second := openURL(t, databaseURL), openURL(t, databaseURL)
			migrateNotes(t, first)
			if n := count(t, second, `SELECT COUNT(*) FROM notes`); n != 1 {
				t.Errorf("a second connection to the file sees %d rows, want 1", n)
			}

			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, entry := range entries {
				found = found || entry.Name() == name
				if !strings.HasPrefix(entry.Name(), name) {
					t.Errorf("unexpected file %s", entry.Name())
				}
			}
			if !found {
				t.Errorf("no file of that name among %v", entries)
			}
		})
	}
}

// Each DB in memory must be a separate database, which exists as long as the DB is open.
func TestSQLiteInMemory(t *testing.T) {
	t.Parallel()
	for range 2 {
		d := openURL(t, "sqlite::memory:")
		migrateNotes(t, d)
		if n := count(t, d, `SELECT COUNT(*) FROM notes`); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
		if pending, err := d.PendingMigrations(t.Context(), notesMigration); err != nil || pending != 0 {
			t.Errorf("%d migrations are pending: %v", pending, err)
		}
	}
}
