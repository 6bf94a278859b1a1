package db

import (
	"maps"
	"testing"
	"testing/fstest"
)

// notesIndex builds a unique index as a migration of a large table does.
const notesIndex = `-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE notes ADD COLUMN IF NOT EXISTS archived BOOLEAN NOT NULL DEFAULT FALSE;
DROP INDEX CONCURRENTLY IF EXISTS notes_text;
CREATE UNIQUE INDEX CONCURRENTLY notes_text ON notes (text) WHERE NOT archived;
`

// A build that fails leaves an invalid index on PostgreSQL, which serves no query. The
// next start must build it again.
func TestAnIndexWhoseBuildFailedIsBuiltAgain(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openURL(t, databaseURL)
		migrateNotes(t, d)
		execute(t, d, `INSERT INTO notes VALUES ('one')`) // the second row with this text
		files := maps.Clone(notesMigration)
		files["00002_index.sql"] = &fstest.MapFile{Data: []byte(notesIndex)}
		if err := d.Migrate(t.Context(), files, nothingAfter); err == nil {
			t.Fatal("a unique index has been built on duplicates")
		}

		execute(t, d, `DELETE FROM notes`)
		if err := d.Migrate(t.Context(), files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		execute(t, d, `INSERT INTO notes (text) VALUES ('two')`)
		if _, err := d.writer.ExecContext(t.Context(), `INSERT INTO notes (text) VALUES ('two')`); err == nil {
			t.Error("the index does not exist or is not unique")
		}
		if d.goose == "postgres" {
			if invalid := count(t, d, `SELECT COUNT(*) FROM pg_index WHERE NOT indisvalid`); invalid > 0 {
				t.Errorf("%d indexes are invalid", invalid)
			}
		}
	})
}

// A process that waits for the migrations must not stop the one that migrates: CREATE
// INDEX CONCURRENTLY waits for every statement that began before it.
func TestAnIndexIsBuiltWhileOthersWaitForTheMigrations(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		files := maps.Clone(notesMigration)
		files["00002_index.sql"] = &fstest.MapFile{Data: []byte(notesIndex)}
		errs := make(chan error)
		for range 4 {
			d := openURL(t, databaseURL)
			go func() { errs <- d.Migrate(t.Context(), files, nothingAfter) }()
		}
		for range 4 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	})
}
