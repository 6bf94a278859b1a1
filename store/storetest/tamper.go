package storetest

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
)

// SetScopes gives an API key scopes that it could not be created with, such as
// none. A store that has seen the key goes on believing the old ones for a
// second of its clock.
func SetScopes(t testing.TB, databaseURL, keyID string, scopes ...string) {
	t.Helper()
	tamper(t, databaseURL, `UPDATE api_keys SET scopes = ? WHERE id = ?`, strings.Join(scopes, " "), keyID)
}

// ClearDeadlines removes the deadlines of all sessions, so that no sweep finds them.
func ClearDeadlines(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `UPDATE candidate_sessions SET due_at = NULL WHERE due_at IS NOT NULL`)
}

// tamper changes one row of a database that URL made, behind the back of the
// stores that are open on it.
func tamper(t testing.TB, databaseURL, query string, args ...any) {
	t.Helper()
	result := execute(t, databaseURL, query, args...)
	if rows, err := result.RowsAffected(); err != nil || rows != 1 {
		t.Fatalf("%s: %d rows, want 1 (%v)", query, rows, err)
	}
}

func execute(t testing.TB, databaseURL, query string, args ...any) sql.Result {
	t.Helper()
	db := raw(t, databaseURL)
	defer func() { _ = db.Close() }() // some tests do this a thousand times
	result, err := db.ExecContext(context.Background(), db.Rebind(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Refuse makes the database refuse new rows in a table, until the function that
// it returns is called.
func Refuse(t testing.TB, databaseURL, table string) (end func()) {
	t.Helper()
	if strings.HasPrefix(databaseURL, "sqlite:") {
		execute(t, databaseURL,
			`CREATE TRIGGER refused BEFORE INSERT ON `+table+` BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`)
		return func() { execute(t, databaseURL, `DROP TRIGGER refused`) }
	}
	execute(t, databaseURL,
		`CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`)
	execute(t, databaseURL, `CREATE TRIGGER refused BEFORE INSERT ON `+table+` EXECUTE FUNCTION refuse()`)
	return func() { execute(t, databaseURL, `DROP FUNCTION refuse CASCADE`) }
}

// raw opens a database that URL made without a store. It is closed after the test.
func raw(t testing.TB, databaseURL string) *sqlx.DB {
	t.Helper()
	driver, source := "postgres", databaseURL
	if file, lite := strings.CutPrefix(databaseURL, "sqlite:"); lite {
		driver, source = "sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
