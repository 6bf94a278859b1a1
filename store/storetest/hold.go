package storetest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/jmoiron/sqlx"
)

// Hold blocks every request with an Idempotency-Key, in all stores of the database,
// until release is called. On PostgreSQL, a blocked request has already locked its
// key. On SQLite, Hold blocks all writes, so release must be called before their
// timeout.
func Hold(t testing.TB, databaseURL string) (release func()) {
	t.Helper()
	if IsSQLite(databaseURL) {
		return transaction(t, databaseURL)
	}
	return transaction(t, databaseURL, `LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE`)
}

// Change runs a statement in a transaction that stays open until commit is called.
func Change(t testing.TB, databaseURL, statement string) (commit func()) {
	t.Helper()
	return transaction(t, databaseURL, statement)
}

// HoldMigrations makes each process that opens the database wait for the migrations, until release is called.
func HoldMigrations(t testing.TB, databaseURL string) (release func()) {
	t.Helper()
	if !IsSQLite(databaseURL) {
		return transaction(t, databaseURL, `SELECT pg_advisory_xact_lock(x'6173736179'::bigint)`)
	}
	lock := flock.New(strings.TrimPrefix(databaseURL, "sqlite:") + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	}
}

// Empty removes everything from a PostgreSQL database.
func Empty(t testing.TB, databaseURL string) {
	t.Helper()
	run(t, databaseURL, `DROP SCHEMA public CASCADE`, `CREATE SCHEMA public`)
}

// HoldMigration makes a migration of the database wait, until release is called: the database loses its tables, and a
// transaction creates the first one again. Only PostgreSQL.
func HoldMigration(t testing.TB, databaseURL string) (release func()) {
	t.Helper()
	Empty(t, databaseURL)
	return transaction(t, databaseURL, `CREATE TABLE organizations (id TEXT)`)
}

// HoldNote changes the note of a session in a transaction that stays open until commit is called. On SQLite, nothing
// else can write meanwhile.
func HoldNote(t testing.TB, databaseURL, sessionID, note string, at time.Time) (commit func()) {
	t.Helper()
	updatedAt := fmt.Sprintf(`'%s'`, at.UTC().Format(time.RFC3339Nano))
	if IsSQLite(databaseURL) {
		updatedAt = strconv.FormatInt(at.UnixMicro(), 10)
	}
	return transaction(t, databaseURL, fmt.Sprintf(
		`UPDATE candidate_sessions SET note = '%s', updated_at = %s WHERE id = '%s'`,
		note, updatedAt, sessionID))
}

// transaction runs statements in a transaction that stays open until commit is called.
func transaction(t testing.TB, databaseURL string, statements ...string) (commit func()) {
	t.Helper()
	ctx := context.Background()
	held, err := raw(t, databaseURL).Connx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	begin := `BEGIN`
	if IsSQLite(databaseURL) {
		begin = `BEGIN IMMEDIATE`
	}
	for _, statement := range slices.Insert(statements, 0, begin) {
		if _, err := held.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	commit = sync.OnceFunc(func() {
		if _, err := held.ExecContext(ctx, `COMMIT`); err != nil {
			t.Error(err)
		}
		if err := held.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(commit)
	return commit
}

// AwaitLocks waits until count sessions of a PostgreSQL database wait for a lock.
func AwaitLocks(t testing.TB, databaseURL string, count int) {
	t.Helper()
	db := raw(t, databaseURL)
	for until := time.Now().Add(10 * time.Second); ; {
		var waiting int
		err := db.GetContext(context.Background(), &waiting, `
			SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
		if waiting == count {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%d sessions wait for a lock, want %d", waiting, count)
		}
	}
}

// Delay blocks every insert into a table of a PostgreSQL database until release is
// called.
func Delay(t testing.TB, databaseURL, table string) (release func()) {
	t.Helper()
	release = transaction(t, databaseURL, `SELECT pg_advisory_xact_lock(8318)`)
	run(t, databaseURL,
		`CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql
			AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(8318); RETURN NEW; END'`,
		`CREATE TRIGGER delayed BEFORE INSERT ON `+table+` FOR EACH ROW EXECUTE FUNCTION delay()`)
	return release
}

// RefuseCandidate makes every invite of the candidate fail with an unexpected
// database error, until end is called.
func RefuseCandidate(t testing.TB, databaseURL, email string) (end func()) {
	t.Helper()
	when := `CREATE TRIGGER refused BEFORE INSERT ON candidate_sessions FOR EACH ROW WHEN (NEW.candidate_email = '` +
		strings.ReplaceAll(email, `'`, `''`) + `')`
	if IsSQLite(databaseURL) {
		run(t, databaseURL, when+` BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`)
		return func() { run(t, databaseURL, `DROP TRIGGER refused`) }
	}
	run(t, databaseURL,
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused by a test''; END'`,
		when+` EXECUTE FUNCTION refuse()`)
	return func() { run(t, databaseURL, `DROP FUNCTION refuse CASCADE`) }
}

func run(t testing.TB, databaseURL string, statements ...string) {
	t.Helper()
	db := raw(t, databaseURL)
	for _, statement := range statements {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// Contents returns all values in the tables, as they are stored. Without tables it
// returns the values of all tables, and on SQLite also the bytes of its files.
func Contents(t testing.TB, databaseURL string, tables ...string) string {
	t.Helper()
	db := raw(t, databaseURL)
	var found strings.Builder
	if len(tables) == 0 {
		query := `SELECT name FROM sqlite_master WHERE type = 'table'`
		if db.DriverName() == "postgres" {
			query = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
		}
		if err := db.SelectContext(context.Background(), &tables, query); err != nil {
			t.Fatal(err)
		}
		if file, sqlite := strings.CutPrefix(databaseURL, "sqlite:"); sqlite {
			for _, name := range []string{file, file + "-wal", file + "-shm"} {
				content, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				found.Write(content)
			}
		}
	}
	slices.Sort(tables)
	for _, table := range tables {
		fmt.Fprintf(&found, "\n%s\n", table)
		for _, row := range rowsOf(t, db, table) {
			for _, value := range row {
				if text, ok := value.([]byte); ok {
					value = string(text)
				}
				fmt.Fprint(&found, value, "\t")
			}
			found.WriteString("\n")
		}
	}
	return found.String()
}

// Count returns the number of rows of a table.
func Count(t testing.TB, databaseURL, table string) int {
	t.Helper()
	return len(rowsOf(t, raw(t, databaseURL), table))
}

func rowsOf(t testing.TB, db *sqlx.DB, table string) (all [][]any) {
	t.Helper()
	rows, err := db.QueryxContext(context.Background(), `SELECT * FROM "`+table+`"`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row, err := rows.SliceScan()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Column returns the values in a column of a table, as they are stored.
func Column(t testing.TB, databaseURL, table, column string) (values []string) {
	t.Helper()
	if err := raw(t, databaseURL).SelectContext(context.Background(), &values,
		`SELECT `+column+` FROM "`+table+`"`); err != nil {
		t.Fatal(err)
	}
	return values
}

// IsSQLite reports whether the database is SQLite.
func IsSQLite(databaseURL string) bool { return strings.HasPrefix(databaseURL, "sqlite:") }

// RefuseSettling makes every change of an email to SENT fail, until end is called.
func RefuseSettling(t testing.TB, databaseURL string) (end func()) {
	t.Helper()
	when := `CREATE TRIGGER unsettled BEFORE UPDATE ON emails FOR EACH ROW WHEN (NEW.status = 'SENT')`
	if IsSQLite(databaseURL) {
		run(t, databaseURL, when+` BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`)
		return func() { run(t, databaseURL, `DROP TRIGGER unsettled`) }
	}
	run(t, databaseURL,
		`CREATE FUNCTION unsettled() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused by a test''; END'`,
		when+` EXECUTE FUNCTION unsettled()`)
	return func() { run(t, databaseURL, `DROP FUNCTION unsettled CASCADE`) }
}
