package db

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jmoiron/sqlx"
)

// plannerSeen creates a table of the settings that each kind of statement of a migration has seen.
var plannerSeen = fstest.MapFS{
	"00001_seen.sql": {Data: []byte(`-- +goose Up
CREATE TABLE seen (id TEXT PRIMARY KEY, setting TEXT NOT NULL, value TEXT NOT NULL);
` + noteSettings("in one transaction"))},
	"00002_alone.sql": {Data: []byte(`-- +goose NO TRANSACTION
-- +goose Up
` + noteSettings("one by one") + `
-- +batch seen
INSERT INTO seen SELECT 'in a batch: ' || name, name, setting FROM pg_settings
    WHERE name LIKE 'enable\_%' AND ? < ? ON CONFLICT DO NOTHING;
-- +goose StatementBegin
DO $$ BEGIN
    ` + noteSettings("with transactions of its own") + `
    COMMIT;
END $$;
-- +goose StatementEnd
`)},
}

func noteSettings(kind string) string {
	return `INSERT INTO seen SELECT '` + kind + `: ' || name, name, setting FROM pg_settings ` +
		`WHERE name LIKE 'enable\_%' OR name = 'plan_cache_mode';`
}

// The settings that serve requests forbid plans without an index. A statement of a migration that reads a large table
// needs these plans: with the settings of requests, one took 141 s for 60,000 sessions instead of 0.1 s.
func TestMigrationsRunWithTheDefaultPlanner(t *testing.T) {
	t.Parallel()
	for _, transactionPooling := range []bool{false, true} {
		t.Run(fmt.Sprintf("pooling=%t", transactionPooling), func(t *testing.T) {
			t.Parallel()
			databaseURL := postgresURL(t)
			d := openPooling(t, databaseURL, transactionPooling)
			parsed, err := url.Parse(databaseURL)
			if err != nil {
				t.Fatal(err)
			}
			// An operator behind a pooler gives the role the settings of requests.
			for _, setting := range []string{
				"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan",
			} {
				execute(t, d, `ALTER DATABASE `+parsed.Path[1:]+` SET `+setting+` = off`)
			}
			execute(t, d, `ALTER DATABASE `+parsed.Path[1:]+` SET plan_cache_mode = force_generic_plan`)

			later := openPooling(t, databaseURL, transactionPooling)
			if err := later.Migrate(t.Context(), plannerSeen, nothingAfter); err != nil {
				t.Fatal(err)
			}
			var forbidden []string
			if err := d.Read().List(t.Context(), &forbidden, `
				SELECT id || ' ' || value FROM seen WHERE setting IN ('enable_seqscan', 'enable_hashjoin', 'enable_mergejoin',
					'enable_bitmapscan') AND value <> 'on' OR setting = 'plan_cache_mode' AND value = 'force_generic_plan'`,
			); err != nil {
				t.Fatal(err)
			}
			for _, setting := range forbidden {
				// PostgreSQL has no setting for several transactions that a pooler would not give to other clients, too. No
				// migration has such a statement: see TestStatementsWithTransactionsOfTheirOwn.
				if !transactionPooling || len(setting) < 29 || setting[:28] != "with transactions of its own" {
					t.Errorf("a migration runs %s", setting)
				}
			}
			if kinds := count(t, d, `SELECT COUNT(DISTINCT split_part(id, ':', 1)) FROM seen`); kinds != 4 {
				t.Errorf("%d kinds of statements were seen, want 4", kinds)
			}
		})
	}
}

// A statement that reads many rows outside a migration has the same planner, and leaves no settings behind.
func TestReadManyHasTheDefaultPlanner(t *testing.T) {
	t.Parallel()
	databaseURL := postgresURL(t)
	for _, transactionPooling := range []bool{false, true} {
		d := openPooling(t, databaseURL, transactionPooling)
		before, during := plannerOf(t, d.Read()), plannerOf(t, d.ReadMany())
		if want := "on on on on force_custom_plan"; during != want {
			t.Errorf("pooling=%t: ReadMany has %s, want %s", transactionPooling, during, want)
		}
		if after := plannerOf(t, d.Read()); after != before || !transactionPooling && after == during {
			t.Errorf("pooling=%t: Read has %s after ReadMany, and %s before", transactionPooling, after, before)
		}
	}
}

func plannerOf(t *testing.T, c Conn) (planner string) {
	t.Helper()
	if err := c.Get(t.Context(), &planner, `SELECT concat_ws(' ', current_setting('enable_seqscan'),
		current_setting('enable_hashjoin'), current_setting('enable_mergejoin'), current_setting('enable_bitmapscan'),
		current_setting('plan_cache_mode'))`); err != nil {
		t.Fatal(err)
	}
	return planner
}

func openPooling(t *testing.T, databaseURL string, transactionPooling bool) *DB {
	t.Helper()
	d, err := Open(t.Context(), Options{
		URL: databaseURL, TransactionPooling: transactionPooling, Now: time.Now, Log: discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// While a migration waits for the lock of a table, others write to it: everybody who comes later would wait behind it.
func TestMigrationsWaitBrieflyForLocks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"in a transaction": "-- +goose Up\nALTER TABLE notes ADD COLUMN more TEXT;\n",
		"one by one":       "-- +goose NO TRANSACTION\n-- +goose Up\nALTER TABLE notes ADD COLUMN IF NOT EXISTS more TEXT;\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databaseURL := postgresURL(t)
			d := openURL(t, databaseURL)
			migrateNotes(t, d)
			reads, err := d.writer.Beginx() // such as a backup
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = reads.Rollback() }()
			if _, err := reads.Exec(`SELECT * FROM notes`); err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{"00001_notes.sql": notesMigration["00001_notes.sql"], "00002_more.sql": {Data: []byte(change)}}
			var migrated error
			var migrating sync.WaitGroup
			migrating.Go(func() { migrated = openURL(t, databaseURL).Migrate(t.Context(), files, nothingAfter) })
			waitForLock(t, d)

			longest := time.Duration(0)
			for began := time.Now(); time.Since(began) < 3*longestWait; {
				wrote := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 3*longestWait)
				_, err := d.writer.ExecContext(ctx, `INSERT INTO notes (text) VALUES ('beside')`)
				longest = max(longest, time.Since(wrote))
				if cancel(); err != nil {
					t.Error(err)
				}
			}
			if longest > longestWait {
				t.Errorf("a write waited %s behind the migration, more than %s", longest, longestWait)
			}
			if err := reads.Rollback(); err != nil {
				t.Fatal(err)
			}
			if migrating.Wait(); migrated != nil {
				t.Fatal(migrated)
			}
			execute(t, d, `INSERT INTO notes (text, more) VALUES ('after', 'more')`)
		})
	}
}

// longestWait is the budget of a lock on a busy table.
const longestWait = time.Second

// waitForLock returns when a session waits for a lock.
func waitForLock(t *testing.T, d *DB) {
	t.Helper()
	for t.Context().Err() == nil && count(t, d, `
		SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
	}
}

// A batched statement reaches each row in one of its ranges.
func TestBatchesChangeEachRowOnce(t *testing.T) {
	t.Parallel()
	const rows = 2*migrationBatch + 17
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openURL(t, databaseURL)
		files := fstest.MapFS{"00001_counted.sql": {Data: []byte(
			"-- +goose Up\nCREATE TABLE counted (\n    id TEXT NOT NULL PRIMARY KEY, n INTEGER NOT NULL\n);\n")}}
		if err := d.Migrate(t.Context(), files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		execute(t, d, sqlx.Rebind(d.bind, `
			WITH RECURSIVE numbers (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM numbers WHERE k < ?)
			INSERT INTO counted SELECT 'id_' || (100000 + k), 0 FROM numbers`), rows)
		files["00002_count.sql"] = &fstest.MapFile{Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\n" +
			"-- +batch counted\nUPDATE counted SET n = n + 1 WHERE id > ? AND id <= ?;\n")}
		if err := d.Migrate(t.Context(), files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		if once := count(t, d, `SELECT COUNT(*) FROM counted WHERE n = 1`); once != rows {
			t.Errorf("%d of %d rows were changed once", once, rows)
		}
	})
}

// A migration that was interrupted continues behind the statements that it has completed, with the DROP INDEX of the
// index that was being built. If another release has other statements, it begins again.
func TestMigrationsContinueWhereTheyWereInterrupted(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	migrateNotes(t, d)
	execute(t, d, `CREATE TABLE runs (n INTEGER)`)
	const first, rest = "-- +goose NO TRANSACTION\n-- +goose Up\nINSERT INTO runs VALUES (1);\n",
		"DROP INDEX CONCURRENTLY IF EXISTS notes_text;\nCREATE UNIQUE INDEX CONCURRENTLY notes_text ON notes (text);\n"
	migrate := func(content string) error {
		return d.Migrate(t.Context(), fstest.MapFS{
			"00001_notes.sql": notesMigration["00001_notes.sql"], "00002_index.sql": {Data: []byte(content)},
		}, nothingAfter)
	}
	execute(t, d, `INSERT INTO notes VALUES ('one')`) // the second row with this text
	for range 2 {
		if err := migrate(first + rest); err == nil {
			t.Fatal("a unique index has been built on duplicates")
		}
	}
	if runs := count(t, d, `SELECT COUNT(*) FROM runs`); runs != 1 {
		t.Errorf("the first statement ran %d times, want 1", runs)
	}
	if err := migrate(first + "SELECT 1;\n" + rest); err == nil {
		t.Fatal("a unique index has been built on duplicates")
	}
	if runs := count(t, d, `SELECT COUNT(*) FROM runs`); runs != 2 {
		t.Errorf("the first statement of another release ran %d times, want 1", runs-1)
	}
	execute(t, d, `DELETE FROM notes`)
	if err := migrate(first + "SELECT 1;\n" + rest); err != nil {
		t.Fatal(err)
	}
	if left := count(t, d, `SELECT COUNT(*) FROM migration_progress`); left != 0 {
		t.Errorf("%d rows of progress are left", left)
	}
}
