package storetest

import (
	"context"
	"net/url"
	"testing"
)

// RefuseWrites makes every write to a PostgreSQL database fail with the SQLSTATE, until end is called.
func RefuseWrites(t testing.TB, databaseURL, sqlState string) (end func()) {
	t.Helper()
	run(t, databaseURL,
		`CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql
			AS 'BEGIN RAISE EXCEPTION ''refused by a test'' USING ERRCODE = TG_ARGV[0]; END'`,
		`DO $$ DECLARE name TEXT; BEGIN
			FOR name IN SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
				AND c.relnamespace = 'public'::regnamespace
			LOOP EXECUTE format('CREATE TRIGGER write_refused BEFORE INSERT OR UPDATE OR DELETE ON %I
				FOR EACH STATEMENT EXECUTE FUNCTION refuse_write(%L)', name, '`+sqlState+`'); END LOOP;
		END $$`)
	return func() { run(t, databaseURL, `DROP FUNCTION refuse_write CASCADE`) }
}

// MakeReadOnly makes a PostgreSQL database read-only, for its present connections, too.
func MakeReadOnly(t testing.TB, databaseURL string) {
	t.Helper()
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	run(t, databaseURL,
		`ALTER DATABASE `+parsed.Path[1:]+` SET default_transaction_read_only = on`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}

// CountWrites counts the statements that write to a table from now on.
func CountWrites(t testing.TB, databaseURL, table string) (count func() int) {
	t.Helper()
	if IsSQLite(databaseURL) {
		run(t, databaseURL, `CREATE TABLE counted_writes (n INTEGER NOT NULL) STRICT`)
		for _, event := range []string{"INSERT", "UPDATE"} {
			run(t, databaseURL, `CREATE TRIGGER counted_`+event+` AFTER `+event+` ON `+table+`
				BEGIN INSERT INTO counted_writes VALUES (1); END`)
		}
	} else {
		run(t, databaseURL, `CREATE TABLE counted_writes (n INTEGER NOT NULL)`,
			`CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql
				AS 'BEGIN INSERT INTO counted_writes VALUES (1); RETURN NEW; END'`,
			`CREATE TRIGGER counted AFTER INSERT OR UPDATE ON `+table+` FOR EACH ROW EXECUTE FUNCTION count_write()`)
	}
	return func() (n int) {
		if err := raw(t, databaseURL).GetContext(context.Background(), &n,
			`SELECT COUNT(*) FROM counted_writes`); err != nil {
			t.Fatal(err)
		}
		return n
	}
}
