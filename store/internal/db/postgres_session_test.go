package db

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"assay/store/storetest/proxy"
)

// notesTable creates a PostgreSQL database with one table and one row.
func notesTable(t *testing.T) (databaseURL string, d *DB) {
	t.Helper()
	databaseURL = postgresURL(t)
	d = openURL(t, databaseURL)
	execute(t, d, `CREATE TABLE notes (text TEXT)`)
	execute(t, d, `INSERT INTO notes VALUES ('')`)
	return databaseURL, d
}

// throughProxy opens the database again, through a proxy.
func throughProxy(t *testing.T, databaseURL string) (*proxy.Proxy, *DB) {
	t.Helper()
	p, err := proxy.New(t.Context(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, openURL(t, p.URL())
}

const openConnections = 4

// atOnce runs a statement on several connections of the pool at the same time and
// returns the errors.
func atOnce(t *testing.T, pool *sqlx.DB, query string) error {
	t.Helper()
	var running sync.WaitGroup
	errs := make([]error, openConnections)
	for i := range errs {
		running.Go(func() { _, errs[i] = pool.ExecContext(t.Context(), query) })
	}
	running.Wait()
	return errors.Join(errs...)
}

// setDefault sets a parameter for new sessions. Existing sessions keep its value.
func setDefault(t *testing.T, d *DB, databaseURL, parameter, value string) {
	t.Helper()
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, d, fmt.Sprintf(`ALTER DATABASE %s SET %s = %s`, parsed.Path[1:], parameter, value))
}

// After a failover, existing connections still lead to the former primary, which is
// read-only. When a write is refused as read-only, the pool must drop all its
// connections, because only new ones can write. Here, a default parameter makes
// existing sessions read-only and new ones writable.
func TestReadOnlyConnectionsAreDropped(t *testing.T) {
	t.Parallel()
	const insert, readOnly = `INSERT INTO notes VALUES ('refused')`, "default_transaction_read_only"
	for name, write := range map[string]func(ctx context.Context, d *DB, pool *sqlx.DB) error{
		"not prepared": func(ctx context.Context, _ *DB, pool *sqlx.DB) error {
			_, err := pool.ExecContext(ctx, insert)
			return err
		},
		"prepared": func(ctx context.Context, d *DB, pool *sqlx.DB) error {
			_, err := Conn{db: d, pool: pool}.Exec(ctx, insert)
			return err
		},
		"in a transaction": func(ctx context.Context, d *DB, pool *sqlx.DB) error {
			return d.write(ctx, pool, func(c Conn) error {
				_, err := c.Exec(ctx, insert)
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databaseURL, admin := notesTable(t)
			for which, poolOf := range map[string]func(*DB) *sqlx.DB{
				"requests":   func(d *DB) *sqlx.DB { return d.writer },
				"dispatcher": func(d *DB) *sqlx.DB { return d.dispatcher },
			} {
				setDefault(t, admin, databaseURL, readOnly, "on")
				d := openURL(t, databaseURL)
				pool := poolOf(d)
				if err := atOnce(t, pool, `SELECT pg_sleep(0.1)`); err != nil {
					t.Fatal(err)
				}
				var refused *pq.Error
				err := write(t.Context(), d, pool)
				if !errors.As(err, &refused) || refused.Code != codeReadOnly || !IsUnavailable(err) {
					t.Errorf("%s: the write fails with %v, want a refusal as read-only that is unavailable", which, err)
				}

				setDefault(t, admin, databaseURL, readOnly, "off")
				if err := atOnce(t, pool, `INSERT INTO notes VALUES ('accepted')`); err != nil {
					t.Errorf("%s: connections to the read-only server are still used: %v", which, err)
				}
			}
			if n := count(t, admin, `SELECT COUNT(*) FROM notes WHERE text = 'refused'`); n != 0 {
				t.Errorf("%d refused writes are stored", n)
			}
		})
	}
}

// Connections must be dropped at most once per interval, however many writes are
// refused, and once more after the last refusal.
func TestReadOnlyConnectionsAreDroppedOncePerInterval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPrimary()
		for range 10 {
			p.leave(p.generation.Load())
		}
		if got := p.generation.Load(); got != 1 {
			t.Errorf("%d generations have ended in the first interval, want 1", got)
		}
		for intervals := range 3 { // no write is refused after the second interval
			if got := p.generation.Load(); got != int64(min(intervals+1, 2)) {
				t.Errorf("%d generations have ended after %d intervals, want %d", got, intervals, min(intervals+1, 2))
			}
			time.Sleep(leaveInterval)
			synctest.Wait()
		}
		p.leave(0)
		if got := p.generation.Load(); got != 2 {
			t.Errorf("a connection of an earlier generation ended generation %d", got)
		}
	})
}

// The listener's connection must be replaced too when a write is refused as read-only.
func TestListenerReconnectsAfterReadOnlyRefusal(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	listening, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		d.Listen(listening, d, "any", func() {})
		close(ended)
	}()
	// backend waits for a listener session whose process id is not other, and returns it.
	backend := func(other int) (pid int) {
		for deadline := time.After(20 * time.Second); pid == 0 || pid == other; {
			select {
			case <-deadline:
				t.Fatalf("the listener's session is %d, want one that is not %d", pid, other)
			case <-time.After(10 * time.Millisecond):
			}
			pid = count(t, d, `SELECT COALESCE(MAX(pid), 0) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
		}
		return pid
	}
	first := backend(0)
	primary := d.engine.(*postgresEngine).primary
	primary.leave(primary.generation.Load())
	backend(first)
	stop()
	awaitEnd(t, ended, "the listener")
}

func awaitEnd(t *testing.T, ended <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s does not end", what)
	}
}

// If the server does not answer, a request must end at its deadline plus grace,
// whether it has a connection or waits for one.
func TestRequestsToASilentServerEnd(t *testing.T) {
	t.Parallel()
	databaseURL, _ := notesTable(t)
	p, d := throughProxy(t, databaseURL)
	if err := atOnce(t, d.writer, `SELECT pg_sleep(0.1)`); err != nil {
		t.Fatal(err)
	}
	p.Silence(true)
	const wait = 300 * time.Millisecond
	var requests sync.WaitGroup
	for range maxConnections + openConnections {
		requests.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			defer cancel()
			began := time.Now()
			err := d.Write(ctx, func(c Conn) error {
				_, err := c.Exec(ctx, `UPDATE notes SET text = ?`, "x")
				return err
			})
			if took := time.Since(began); !IsUnavailable(err) || took > wait+2*grace {
				t.Errorf("the request ends after %s with the error %v", took, err)
			}
		})
	}
	requests.Wait()
	p.Silence(false)
	if err := atOnce(t, d.writer, `UPDATE notes SET text = text`); err != nil {
		t.Errorf("a statement fails after the server answers again: %v", err)
	}
}

// Close must return soon even if the server is silent while the listener connects and
// connections have prepared statements.
func TestCloseBesideSilentServer(t *testing.T) {
	t.Parallel()
	p, err := proxy.New(t.Context(), postgresURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	d, err := Open(t.Context(), Options{URL: p.URL(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var requests sync.WaitGroup
	for range openConnections {
		requests.Go(func() {
			if _, err := d.Autocommit().Exec(t.Context(), `SELECT pg_sleep(0.1)`); err != nil {
				t.Error(err)
			}
		})
	}
	requests.Wait()
	p.Silence(true)
	listening, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	ended := make(chan struct{})
	go func() {
		d.Listen(listening, d, "any", func() {})
		close(ended)
	}()
	awaitEnd(t, ended, "the listener")
	began := time.Now()
	if err := d.Close(); err != nil || time.Since(began) > 2*grace {
		t.Errorf("Close returns after %s with the error %v", time.Since(began), err)
	}
}

// A statement whose answer was lost must not be sent again, because the server may have
// run it. database/sql repeats a statement after driver.ErrBadConn.
func TestStatementsAreNotSentTwice(t *testing.T) {
	t.Parallel()
	databaseURL, direct := notesTable(t)
	p, d := throughProxy(t, databaseURL)
	const insert = `INSERT INTO notes VALUES (?)`
	for range 2 { // the second execution uses a prepared statement
		if _, err := d.Autocommit().Exec(t.Context(), insert, "answered"); err != nil {
			t.Fatal(err)
		}
	}
	p.CutAtAnswer()
	if _, err := d.Autocommit().Exec(t.Context(), insert, "unanswered"); !IsUnavailable(err) {
		t.Errorf("a statement without an answer fails with %v, want an unavailable error", err)
	}
	if n := count(t, direct, `SELECT COUNT(*) FROM notes WHERE text = 'unanswered'`); n != 1 {
		t.Errorf("the statement ran %d times, want 1", n)
	}
}

// A connection that was closed while it was idle must be detected before a statement is
// sent on it, even if all connections of the pool were closed.
func TestClosedConnectionsAreNotUsed(t *testing.T) {
	t.Parallel()
	databaseURL, direct := notesTable(t)
	p, d := throughProxy(t, databaseURL)
	for by, end := range map[string]func(){
		"the network": p.Cut,
		"the server": func() {
			execute(t, direct, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = 'behind'`)
		},
	} {
		if err := atOnce(t, d.writer, `SELECT set_config('application_name', 'behind', false), pg_sleep(0.1)`); err != nil {
			t.Fatal(err)
		}
		end()
		time.Sleep(100 * time.Millisecond) // until the closing has arrived
		for range openConnections {
			if _, err := d.writer.ExecContext(t.Context(), `UPDATE notes SET text = text`); err != nil {
				t.Errorf("closed by %s: %v", by, err)
			}
		}
	}
}

// A write must not wait longer than its deadline for a lock of another write. On
// SQLite it waits for the only connection that writes.
func TestWaitingForAnotherWriteIsBounded(t *testing.T) {
	t.Parallel()
	for name, databaseURL := range map[string]string{"sqlite": "sqlite::memory:", "postgres": postgresURL(t)} {
		d := openURL(t, databaseURL)
		execute(t, d, `CREATE TABLE notes (text TEXT)`)
		execute(t, d, `INSERT INTO notes VALUES ('')`)
		const update = `UPDATE notes SET text = ?`
		err := d.Write(t.Context(), func(c Conn) error {
			if _, err := c.Exec(t.Context(), update, "first"); err != nil {
				return err
			}
			waiting, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			second := d.Write(waiting, func(c Conn) error {
				_, err := c.Exec(waiting, update, "second")
				return err
			})
			if !IsUnavailable(second) {
				t.Errorf("%s: the second write fails with %v, want an unavailable error", name, second)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: the first write: %v", name, err)
		}
	}
}
