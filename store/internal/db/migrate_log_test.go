package db

import (
	"bytes"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// The log names each migration of a database that is in use, says how far it is, and how long it took. A new database
// has one line for all of them.
func TestMigrationsAreLogged(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		var log bytes.Buffer
		d := openURL(t, databaseURL)
		d.log = slog.New(slog.NewTextHandler(&log, nil))
		migrateNotes(t, d)
		if strings.Contains(log.String(), "00001_notes") || !strings.Contains(log.String(), "migrations=1 schema=00001") {
			t.Errorf("the log of a new database is\n%s", &log)
		}

		log.Reset()
		files := maps.Clone(notesMigration)
		files["00002_more.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE more (\n    id TEXT\n);\n")}
		files["00003_index.sql"] = &fstest.MapFile{Data: []byte(notesIndex)}
		if err := d.Migrate(t.Context(), files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		want := []string{
			`msg="applying a migration" migration=00002_more.sql number=1 of=2 statements=1`,
			`msg="applied a migration" migration=00002_more.sql number=1 of=2 duration=`,
			`msg="applying a migration" migration=00003_index.sql number=2 of=2 statements=3`,
			`msg="applied a migration" migration=00003_index.sql number=2 of=2 duration=`,
			`msg="the database is migrated" migrations=2 schema=00003 duration=`,
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		for i, part := range want {
			if i >= len(lines) || !strings.Contains(lines[i], part) {
				t.Fatalf("line %d of the log is not %s:\n%s", i+1, part, &log)
			}
		}

		log.Reset()
		all, err := d.migrations(files)
		if err != nil {
			t.Fatal(err)
		}
		run := &migrationRun{migration: all[2], db: d, log: d.log}
		run.statement.Store(3)
		run.rows.Store(5000)
		run.all.Store(20000)
		run.logProgress(t.Context(), time.Now())
		for _, part := range []string{"level=INFO", "statement=3 statements=3", "notes_text", "rows=5000 rowsTotal=20000"} {
			if !strings.Contains(log.String(), part) {
				t.Errorf("the progress lacks %s: %s", part, &log)
			}
		}
		log.Reset()
		run.lockMisses.Store(4)
		run.logProgress(t.Context(), time.Now())
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "lockAttempts=4") {
			t.Errorf("a wait for a lock is logged as %s", &log)
		}
	})
}
