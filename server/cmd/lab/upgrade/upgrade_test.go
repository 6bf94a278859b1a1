package upgrade

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/server/cmd/lab/rig"
)

// Each part of a schema that an upgrade could miss must be seen, and what the fill leaves must not.
func TestSameSchema(t *testing.T) {
	t.Parallel()
	const base = `
		CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN);
		CREATE TABLE schema_support (version BIGINT, oldest BIGINT);
		CREATE TABLE notes (id TEXT PRIMARY KEY, n INTEGER NOT NULL CHECK (n > 0));
		CREATE INDEX notes_n ON notes (n);`
	const fill = `CREATE TABLE scale_notes (id TEXT PRIMARY KEY);`
	changes := map[string][]string{
		"sqlite": {
			`ALTER TABLE notes ADD COLUMN more TEXT`, `DROP INDEX notes_n`, `CREATE TABLE others (id TEXT)`,
			`CREATE TRIGGER changed AFTER INSERT ON notes BEGIN SELECT 1; END`,
		},
		"postgres": {
			`ALTER TABLE notes ADD COLUMN more TEXT`, `DROP INDEX notes_n`, `CREATE TABLE others (id TEXT)`,
			`ALTER TABLE notes ALTER COLUMN n DROP NOT NULL`, `ALTER TABLE notes DROP CONSTRAINT notes_n_check`,
			`ALTER TABLE notes ALTER COLUMN n SET DEFAULT 7`, `ALTER TABLE notes ALTER COLUMN n TYPE BIGINT`,
			`ALTER TABLE notes ALTER COLUMN n SET (n_distinct = 7)`, `INSERT INTO goose_db_version VALUES (7, TRUE)`,
			`CREATE FUNCTION one() RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'`,
			`UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'notes_n'::regclass`,
			`ALTER TABLE notes SET (fillfactor = 70)`,
		},
	}
	for kind, changes := range changes {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir, err := rig.MakeDir("", "assay-schema-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			fresh := newDatabase(t, filepath.Join(dir, "fresh"), kind, base)
			for i, change := range append([]string{`SELECT 1`}, changes...) {
				other := fresh.named(t, kind, filepath.Join(dir, "other"), i, base+fill+change)
				err := sameSchema(t.Context(), fresh.Database, other, "afterwards")
				if differs := err != nil; differs != (i > 0) || differs && !strings.Contains(err.Error(), "afterwards") {
					t.Errorf("%s: %v", change, err)
				}
			}
		})
	}
}

// testDatabase is a database of a kind, beside which others can be made.
type testDatabase struct{ *rig.Database }

func newDatabase(t *testing.T, dir, kind, statements string) testDatabase {
	t.Helper()
	db, err := rig.NewDatabase(context.Background(), dir, kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	run(t, db, statements)
	return testDatabase{db}
}

// named is another database with statements: another file, or another database of the cluster.
func (d testDatabase) named(t *testing.T, kind, dir string, number int, statements string) *rig.Database {
	t.Helper()
	name := "other_" + string(rune('a'+number))
	if kind == "sqlite" {
		return newDatabase(t, filepath.Join(dir, name), kind, statements).Database
	}
	run(t, d.Database, `CREATE DATABASE `+name)
	other := *d.Database
	other.URL = strings.Replace(d.URL, "/postgres?", "/"+name+"?", 1)
	run(t, &other, statements)
	return &other
}

func run(t *testing.T, db *rig.Database, statements string) {
	t.Helper()
	pool, err := db.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	if _, err := pool.ExecContext(context.Background(), statements); err != nil {
		t.Fatalf("%v in %s", err, statements)
	}
}

// The log of a migration names the slowest one.
func TestSlowest(t *testing.T) {
	t.Parallel()
	const log = `{"time":"2026-11-27T10:00:00Z","level":"INFO","msg":"applying a migration","migration":"00001_a.sql"}
{"time":"2026-11-27T10:00:02Z","level":"INFO","msg":"applied a migration","migration":"00001_a.sql"}
{"time":"2026-11-27T10:00:02Z","level":"INFO","msg":"applying a migration","migration":"00002_b.sql"}
not JSON
{"time":"2026-11-27T10:00:07Z","level":"INFO","msg":"a migration runs","migration":"00002_b.sql"}
{"time":"2026-11-27T10:00:09Z","level":"INFO","msg":"applied a migration","migration":"00002_b.sql"}
`
	if got := slowest(log); got != "00002_b, 7.00 s" {
		t.Errorf("the slowest migration is %q", got)
	}
	if got := slowest(""); got != "none" {
		t.Errorf("without migrations: %q", got)
	}
}
