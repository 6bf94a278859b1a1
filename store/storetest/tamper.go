package storetest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store"
)

// SetRole gives a person another role, which no operation does. A store that
// has seen the person goes on believing the old one for a second of its clock.
func SetRole(t testing.TB, databaseURL, userID string, role store.Role) {
	t.Helper()
	tamper(t, databaseURL, `UPDATE users SET role = ? WHERE id = ?`, role, userID)
}

// SetScopes gives an API key scopes that it could not be created with, such as
// none. It is late to be seen in the same way as SetRole.
func SetScopes(t testing.TB, databaseURL, keyID string, scopes ...string) {
	t.Helper()
	tamper(t, databaseURL, `UPDATE api_keys SET scopes = ? WHERE id = ?`, strings.Join(scopes, " "), keyID)
}

// ForgetDeadlines makes nothing due any more: no sweep will find what is there.
func ForgetDeadlines(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `UPDATE candidate_sessions SET due_at = NULL WHERE due_at IS NOT NULL`)
}

// tamper changes one row of a database that URL made, behind the back of the
// stores that are open on it.
func tamper(t testing.TB, databaseURL, query string, args ...any) {
	t.Helper()
	if rows := execute(t, databaseURL, query, args...); rows != 1 {
		t.Fatalf("%s: %d rows, want 1", query, rows)
	}
}

// execute returns how many rows it changed.
func execute(t testing.TB, databaseURL, query string, args ...any) int64 {
	t.Helper()
	driver, source := "postgres", databaseURL
	if file, lite := strings.CutPrefix(databaseURL, "sqlite:"); lite {
		driver, source = "sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	result, err := db.ExecContext(context.Background(), db.Rebind(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := result.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
