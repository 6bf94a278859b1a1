package storetest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"
)

// Hold keeps every request that has an Idempotency-Key from ending, on all
// stores of a database that URL made, until it is released. On PostgreSQL such
// a request has taken its key by then; on SQLite it waits for its turn to write,
// as all that writes does, and Hold has to be shorter than that is waited for.
func Hold(t testing.TB, databaseURL string) (release func()) {
	t.Helper()
	ctx := context.Background()
	db := raw(t, databaseURL)
	held, err := db.Connx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	begin := []string{`BEGIN IMMEDIATE`}
	if db.DriverName() == "postgres" {
		begin = []string{`BEGIN`, `LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE`}
	}
	for _, statement := range begin {
		if _, err := held.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	release = sync.OnceFunc(func() {
		if _, err := held.ExecContext(ctx, `ROLLBACK`); err != nil {
			t.Error(err)
		}
		if err := held.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(release)
	return release
}

// RefuseCandidate makes a database that URL made fail when the candidate is
// invited, with an error that no store expects, until lift is called.
func RefuseCandidate(t testing.TB, databaseURL, email string) (lift func()) {
	t.Helper()
	db := raw(t, databaseURL)
	when := `CREATE TRIGGER refused BEFORE INSERT ON candidate_sessions FOR EACH ROW WHEN (NEW.candidate_email = '` + strings.ReplaceAll(email, `'`, `''`) + `')`
	up, down := []string{when + ` BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`}, `DROP TRIGGER refused`
	if db.DriverName() == "postgres" {
		up = []string{
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused by a test''; END'`,
			when + ` EXECUTE FUNCTION refuse()`,
		}
		down = `DROP FUNCTION refuse CASCADE`
	}
	exec := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range up {
		exec(statement)
	}
	return func() { exec(down) }
}

// Contents is what the tables hold, every value as it is stored. With none
// named that is all of them, and on SQLite the bytes of its files as well.
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
		if file, lite := strings.CutPrefix(databaseURL, "sqlite:"); lite {
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
				if text, is := value.([]byte); is {
					value = string(text)
				}
				fmt.Fprint(&found, value, "\t")
			}
			found.WriteString("\n")
		}
	}
	return found.String()
}

// Count is how many rows a table has.
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

// Column is what a column of a table holds, as it is stored.
func Column(t testing.TB, databaseURL, table, column string) (values []string) {
	t.Helper()
	if err := raw(t, databaseURL).SelectContext(context.Background(), &values, `SELECT `+column+` FROM "`+table+`"`); err != nil {
		t.Fatal(err)
	}
	return values
}

// IsSQLite tells which kind of database URL made.
func IsSQLite(databaseURL string) bool { return strings.HasPrefix(databaseURL, "sqlite:") }
