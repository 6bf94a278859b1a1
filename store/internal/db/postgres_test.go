package db

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// sessionSettings has the process id and the settings of a PostgreSQL session.
type sessionSettings struct {
	PID        int    `db:"pid"`
	JIT        string `db:"jit"`
	Workers    int    `db:"workers"`
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
				current_setting('max_parallel_workers_per_gather') AS workers,
				current_setting('enable_hashjoin') AS hashjoin, current_setting('enable_mergejoin') AS mergejoin,
				current_setting('enable_bitmapscan') AS bitmapscan`); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// JIT and parallel workers must be off on every connection, which must use index plans only. Both must also hold for
// connections that replace dropped ones.
func TestSettingsOfEveryConnection(t *testing.T) {
	t.Parallel()
	databaseURL, admin := notesTable(t)
	setDefault(t, admin, databaseURL, "jit", "on") // PostgreSQL's default, which the cluster of the tests may change
	d := openURL(t, databaseURL)
	for name, pool := range map[string]*sqlx.DB{"requests": d.writer, "dispatcher": d.dispatcher} {
		want := sessionSettings{JIT: "off", SeqScan: "off", HashJoin: "off", MergeJoin: "off", BitmapScan: "off"}
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

// The certificate of every other machine is verified, unless sslmode or PGSSLMODE says
// otherwise. The error says how to change that.
func TestSSLModeByDefault(t *testing.T) {
	for _, name := range []string{"PGSSLMODE", "PGHOST"} {
		t.Setenv(name, "") // restores it after the test
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	check := func(databaseURL string, want pq.SSLMode) {
		t.Helper()
		pools, dialect, err := openPostgres(databaseURL, "", false)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = pools.writer.Close(), pools.dispatcher.Close() }()
		engine := dialect.engine.(*postgresEngine)
		config, err := pq.NewConfig(engine.url)
		if err != nil {
			t.Fatal(err)
		}
		if config.SSLMode != want {
			t.Errorf("%s: sslmode is %s, want %s", databaseURL, config.SSLMode, want)
		}
	}
	for databaseURL, want := range map[string]pq.SSLMode{
		"postgres://u:p@localhost/a": pq.SSLModePrefer, "postgres://u:p@127.0.0.1:5432/a": pq.SSLModePrefer,
		"postgres://u:p@[::1]:5432/a": pq.SSLModePrefer, "postgres:///a": pq.SSLModePrefer,
		"postgres://u@/a?host=/run/postgresql":        pq.SSLModeDisable, // lib/pq: a socket has no TLS
		"postgres://u:p@localhost:1,127.0.0.2:2/a":    pq.SSLModePrefer,
		"postgres://u:p@db.example/a":                 pq.SSLModeVerifyFull,
		"postgres://u:p@10.0.0.7:5432/a":              pq.SSLModeVerifyFull,
		"postgres://u:p@localhost:1,db.example:2/a":   pq.SSLModeVerifyFull,
		"postgres://u:p@localhost/a?host=db.example":  pq.SSLModeVerifyFull,
		"postgres://u:p@localhost.example/a":          pq.SSLModeVerifyFull,
		"postgres://u:p@db.example/a?sslmode=disable": pq.SSLModeDisable,
		"postgres://u:p@db.example/a?sslmode=require": pq.SSLModeRequire,
	} {
		check(databaseURL, want)
	}
	t.Setenv("PGHOST", "db.example")
	check("postgres:///a", pq.SSLModeVerifyFull)
	t.Setenv("PGSSLMODE", "require")
	check("postgres://u:p@db.example/a", pq.SSLModeRequire)
}

// A server without TLS, or with a certificate of an unknown authority, is rejected with
// an error that names the setting.
func TestErrorOfVerificationNamesTheSetting(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(client, make([]byte, 8)) // the request for TLS
			_, _ = client.Write([]byte("N"))
			_ = client.Close()
		}
	}()
	config, err := pq.NewConfig("postgres://u:p@" + listener.Addr().String() + "/a?sslmode=verify-full")
	if err != nil {
		t.Fatal(err)
	}
	for _, byDefault := range []bool{true, false} {
		_, err = (&connector{config: config, primary: newPrimary(), verifies: byDefault}).Connect(t.Context())
		if err == nil || strings.Contains(err.Error(), "sslmode=disable") != byDefault {
			t.Errorf("verify-full by default %v: %v", byDefault, err)
		}
	}
}
