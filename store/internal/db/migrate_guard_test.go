package db

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"assay/store/migrations"
)

var discard = slog.New(slog.DiscardHandler)

// newerFiles are migrations with the table of supported releases. The newest one supports oldest.
func newerFiles(version, oldest int64) fstest.MapFS {
	files := fstest.MapFS{
		"00001_notes.sql": notesMigration["00001_notes.sql"],
		"00002_support.sql": {Data: []byte("-- +oldest 1\n-- +goose Up\nCREATE TABLE schema_support (\n" +
			"    version BIGINT PRIMARY KEY, oldest BIGINT NOT NULL, release TEXT NOT NULL\n);\n")},
	}
	for v := int64(3); v <= version; v++ {
		files[fmt.Sprintf("%05d_more.sql", v)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"-- +oldest %d\n-- +goose Up\nCREATE TABLE more_%d (\n    text TEXT\n);\n", min(oldest, v), v)}
	}
	return files
}

// A binary uses the database of a newer release if this supports it, and otherwise says why not.
func TestNewerSchema(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		for _, test := range []struct {
			version, oldest int64
			refused         bool
		}{
			{3, 2, false}, // the next release
			{4, 3, true},  // the one after it
		} {
			newer := openRelease(t, databaseURL, "v9.1.0")
			if err := newer.Migrate(t.Context(), newerFiles(test.version, test.oldest), nothingAfter); err != nil {
				t.Fatal(err)
			}
			older, known := openRelease(t, databaseURL, "v9.0.0"), newerFiles(2, 1)
			pending, err := older.PendingMigrations(t.Context(), known)
			if err != nil || pending != 0 {
				t.Fatalf("%d migrations are pending: %v", pending, err)
			}
			for what, err := range map[string]error{
				"Migrate":   older.Migrate(t.Context(), known, nothingAfter),
				"Supported": older.Supported(t.Context(), known),
			} {
				if refused := errors.Is(err, ErrNewerSchema); refused != test.refused || (err != nil && !refused) {
					t.Errorf("%s with schema %d, which supports %d: %v", what, test.version, test.oldest, err)
					continue
				}
				for _, part := range []string{"v9.0.0", "00002", "v9.1.0", "00004", "00003"} {
					if test.refused && !strings.Contains(err.Error(), part) {
						t.Errorf("the error of %s does not name %s: %v", what, part, err)
					}
				}
			}
		}
	})
}

// A migration that is missing below the newest one is pending, and a newer one does not replace it.
func TestPendingMigrationsBesideNewerOnes(t *testing.T) {
	t.Parallel()
	d := openURL(t, sqliteURL(t))
	files := newerFiles(4, 1)
	without := maps.Clone(files)
	delete(without, "00003_more.sql")
	if err := d.Migrate(t.Context(), without, nothingAfter); err != nil {
		t.Fatal(err)
	}
	known := newerFiles(3, 1)
	if pending, err := d.PendingMigrations(t.Context(), known); err != nil || pending != 1 {
		t.Errorf("%d migrations are pending, want 1: %v", pending, err)
	}
}

func openRelease(t *testing.T, databaseURL, release string) *DB {
	t.Helper()
	d, err := Open(t.Context(), Options{URL: databaseURL, Release: release, Now: time.Now, Log: discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// firstWithSupport is the first migration that says which binaries it supports.
const firstWithSupport = 44

// Each migration says which binaries it supports, and none supports only itself: while it is applied, the previous
// release serves.
func TestMigrationsSayWhichBinariesTheySupport(t *testing.T) {
	t.Parallel()
	d := openURL(t, sqliteURL(t))
	all, err := d.migrations(migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.version >= firstWithSupport && (m.oldest == 0 || m.oldest >= m.version) {
			t.Errorf(`%s needs a line "-- +oldest NUMBER": the newest schema of the previous release`, m.name)
		}
	}
}

// PostgreSQL keeps the settings of a pooler's role in a statement that has transactions of its own, so that it can read
// whole tables again and again: a batched statement replaces it.
func TestStatementsWithTransactionsOfTheirOwn(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	// The statements of these two follow an index.
	old := []string{"00007_statistics.sql", "00010_quotas.sql"}
	for _, name := range names {
		content, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := parseMigration(name, string(content))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.statements {
			if strings.Contains(s.text, "COMMIT;") && !strings.Contains(strings.Join(old, " "), name) {
				t.Errorf("%s has transactions of its own; use -- +batch: %s", name, s.title())
			}
		}
	}
}
