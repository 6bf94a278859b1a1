package db

import (
	"testing"

	"github.com/jmoiron/sqlx"
)

// sessionSettings has the process id and the settings of a PostgreSQL session.
type sessionSettings struct {
	PID        int    `db:"pid"`
	JIT        string `db:"jit"`
	SeqScan    string `db:"seqscan"`
	HashJoin   string `db:"hashjoin"`
	MergeJoin  string `db:"mergejoin"`
	BitmapScan string `db:"bitmapscan"`
}

// settingsOf reads the settings of several connections of the pool. All of them are
// in use at the same time, so they are different connections.
func settingsOf(t *testing.T, pool *sqlx.DB) []sessionSettings {
	t.Helper()
	all := make([]sessionSettings, openConnections)
	for i := range all {
		held, err := pool.Connx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = held.Close() }()
		if err := held.GetContext(t.Context(), &all[i], `
			SELECT pg_backend_pid() AS pid, current_setting('jit') AS jit, current_setting('enable_seqscan') AS seqscan,
				current_setting('enable_hashjoin') AS hashjoin, current_setting('enable_mergejoin') AS mergejoin,
				current_setting('enable_bitmapscan') AS bitmapscan`); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// JIT must be off on every connection, and the dispatcher's connections must use index
// plans only. Both must also hold for connections that replace dropped ones.
func TestSettingsOfEveryConnection(t *testing.T) {
	t.Parallel()
	databaseURL, admin := notesTable(t)
	setDefault(t, admin, databaseURL, "jit", "on") // PostgreSQL's default, which the cluster of the tests may change
	d := openURL(t, databaseURL)
	for name, pool := range map[string]*sqlx.DB{"requests": d.writer, "dispatcher": d.dispatcher} {
		want := sessionSettings{JIT: "off", SeqScan: "on", HashJoin: "on", MergeJoin: "on", BitmapScan: "on"}
		if name == "dispatcher" {
			want = sessionSettings{JIT: "off", SeqScan: "off", HashJoin: "off", MergeJoin: "off", BitmapScan: "off"}
		}
		seen := map[int]bool{}
		for range 2 { // the first connections, then those that replace them
			for _, got := range settingsOf(t, pool) {
				if seen[got.PID] {
					t.Errorf("%s: session %d is used twice", name, got.PID)
				}
				seen[got.PID] = true
				want.PID = got.PID
				if got != want {
					t.Errorf("%s: %+v, want %+v", name, got, want)
				}
			}
			execute(t, admin, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		}
	}
}
