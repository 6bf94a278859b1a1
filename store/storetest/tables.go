package storetest

import (
	"context"
	"strings"
	"testing"
)

// TablesWith returns the names of the tables that have a column, without the partitions of others.
func TablesWith(t testing.TB, databaseURL, column string) (names []string) {
	t.Helper()
	query := `
		SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = $1
			AND c.relnamespace = CURRENT_SCHEMA()::regnamespace ORDER BY 1`
	if IsSQLite(databaseURL) {
		query = `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) i ON i.name = ?
			WHERE m.type = 'table' ORDER BY 1`
	}
	if err := raw(t, databaseURL).SelectContext(context.Background(), &names, query, column); err != nil {
		t.Fatal(err)
	}
	return names
}

// CountWhere returns the number of rows of a table with a value in a column.
func CountWhere(t testing.TB, databaseURL, table, column, value string) (rows int) {
	t.Helper()
	db := raw(t, databaseURL)
	query := strings.NewReplacer("{table}", table, "{column}", column).
		Replace(`SELECT COUNT(*) FROM "{table}" WHERE "{column}" = ?`)
	if err := db.GetContext(context.Background(), &rows, db.Rebind(query), value); err != nil {
		t.Fatal(err)
	}
	return rows
}
