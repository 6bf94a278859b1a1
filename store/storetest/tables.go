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

// Schema returns the columns of all tables, without the partitions of others, with the types that the database knows.
func Schema(t testing.TB, databaseURL string) map[string]map[string]string {
	t.Helper()
	query := `
		SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
			AND c.relnamespace = CURRENT_SCHEMA()::regnamespace`
	if IsSQLite(databaseURL) {
		query = `SELECT m.name, i.name AS column, i.type FROM sqlite_master m JOIN pragma_table_xinfo(m.name) i
			WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	}
	var rows []struct{ Name, Column, Type string }
	if err := raw(t, databaseURL).SelectContext(context.Background(), &rows, query); err != nil {
		t.Fatal(err)
	}
	schema := map[string]map[string]string{}
	for _, row := range rows {
		if schema[row.Name] == nil {
			schema[row.Name] = map[string]string{}
		}
		schema[row.Name][row.Column] = row.Type
	}
	return schema
}
