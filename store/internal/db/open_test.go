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

func TestOpenRejectsWrongURLsWithoutQuotingThem(t *testing.T) {
	t.Parallel()
	for _, databaseURL := range []string{
		"", "assay.db", "mysql://u:topsecret@localhost/a", "postgres//u:topsecret@localhost/a",
		"postgres://u:topsecret@local host/a", "postgres://u:topsecret@%zz/a",
		"postgres://u:topsecret@127.0.0.1:1/a?sslmode=disable", "sqlite:" + filepath.Join(t.TempDir(), "missing", "a.db"),
	} {
		d, err := Open(t.Context(), Options{URL: databaseURL, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			t.Errorf("%s is opened", databaseURL)
			_ = d.Close()
		} else if strings.Contains(err.Error(), "topsecret") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

// notesMigration makes one table.
var notesMigration = fstest.MapFS{
	"00001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (\n    text TEXT NOT NULL\n);\n")},
}

func nothingAfter(context.Context) error { return nil }

// migrateNotes makes the table and adds one row.
func migrateNotes(t *testing.T, d *DB) {
	t.Helper()
	if err := d.Migrate(t.Context(), notesMigration, nothingAfter); err != nil {
		t.Fatal(err)
	}
	execute(t, d, `INSERT INTO notes VALUES ('one')`)
}

// Characters that mean something in a URL mean nothing in a path.
func TestSQLitePathIsTakenAsItIs(t *testing.T) {
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
				t.Errorf("the second opening of the file sees %d rows", n)
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

// In memory, each DB is a database of its own, which its only connection keeps.
func TestSQLiteInMemory(t *testing.T) {
	t.Parallel()
	for range 2 {
		d := openURL(t, "sqlite::memory:")
		migrateNotes(t, d)
		if n := count(t, d, `SELECT COUNT(*) FROM notes`); n != 1 {
			t.Errorf("%d rows, want the one of this database", n)
		}
		if pending, err := d.PendingMigrations(t.Context(), notesMigration); err != nil || pending != 0 {
			t.Errorf("%d migrations are pending: %v", pending, err)
		}
	}
}
