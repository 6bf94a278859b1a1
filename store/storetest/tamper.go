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

// Count asks a database that URL made for a number, such as of rows.
func Count(t testing.TB, databaseURL, query string) int {
	t.Helper()
	db := open(t, databaseURL)
	defer func() { _ = db.Close() }()
	var count int
	if err := db.GetContext(context.Background(), &count, query); err != nil {
		t.Fatal(err)
	}
	return count
}

// open connects to a database that URL made, beside the stores that are open on it.
func open(t testing.TB, databaseURL string) *sqlx.DB {
	t.Helper()
	driver, source := "postgres", databaseURL
	if file, lite := strings.CutPrefix(databaseURL, "sqlite:"); lite {
		driver, source = "sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// tamper changes one row of a database that URL made, behind the back of the
// stores that are open on it.
func tamper(t testing.TB, databaseURL, query string, args ...any) {
	t.Helper()
	db := open(t, databaseURL)
	defer func() { _ = db.Close() }()
	result, err := db.ExecContext(context.Background(), db.Rebind(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := result.RowsAffected(); err != nil || rows != 1 {
		t.Fatalf("%s: %d rows, want 1 (%v)", query, rows, err)
	}
}
