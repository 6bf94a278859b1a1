package store

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

// atOnce runs a statement on several connections, which are opened where there
// are none, and returns the errors.
func atOnce(t *testing.T, pool *sqlx.DB, connections int, query string) error {
	t.Helper()
	var running sync.WaitGroup
	errs := make([]error, connections)
	for i := range errs {
		running.Go(func() { _, errs[i] = pool.ExecContext(t.Context(), query) })
	}
	running.Wait()
	return errors.Join(errs...)
}

// behindProxy is a pool on the store's database, through a proxy.
func behindProxy(t *testing.T, s *Store) (*proxy.Proxy, connection) {
	t.Helper()
	p, err := proxy.New(t.Context(), s.url)
	if err != nil {
		t.Fatal(err)
	}
	c, err := connectPostgres(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(c.close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return p, c
}

// setReadOnly decides what new sessions are; those that are there stay as they were.
func setReadOnly(t *testing.T, s *Store, on bool) {
	t.Helper()
	parsed, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	planExec(t, s, fmt.Sprintf(`ALTER DATABASE %s SET default_transaction_read_only = %t`, parsed.Path[1:], on))
}

const openConnections = 4

// A session keeps the server's mode for its life, as one keeps its server when
// an address leads elsewhere: only a new one finds what can be written to.
func TestReadOnlyServerIsLeft(t *testing.T) {
	t.Parallel()
	s := planStore(t)
	planExec(t, s, `CREATE TABLE kept (n INT)`)
	writes := map[string]func(pool *sqlx.DB) error{
		"at once": func(pool *sqlx.DB) error {
			_, err := pool.ExecContext(t.Context(), `INSERT INTO kept VALUES (1)`)
			return err
		},
		"prepared": func(pool *sqlx.DB) error {
			_, err := conn{store: s, pool: pool}.exec(t.Context(), `INSERT INTO kept VALUES (?)`, 1)
			return err
		},
		"in a transaction": func(pool *sqlx.DB) error {
			return s.writeOn(t.Context(), pool, func(c conn) error {
				_, err := c.exec(t.Context(), `INSERT INTO kept VALUES (?)`, 1)
				return err
			})
		},
	}
	for name, write := range writes {
		for _, which := range []string{"requests", "dispatcher"} {
			c, err := connectPostgres(s.url)
			if err != nil {
				t.Fatal(err)
			}
			pool := map[string]*sqlx.DB{"requests": c.writer, "dispatcher": c.dispatch}[which]
			setReadOnly(t, s, true)
			if err := atOnce(t, pool, openConnections, `SELECT pg_sleep(0.1)`); err != nil {
				t.Fatal(err)
			}
			var refused *pq.Error
			if err := write(pool); !errors.As(err, &refused) || refused.Code != codeReadOnly || !IsUnavailable(err) {
				t.Errorf("%s, %s: the write is not refused as it should: %v", name, which, err)
			}
			setReadOnly(t, s, false)
			if err := atOnce(t, pool, openConnections, `INSERT INTO kept VALUES (2)`); err != nil {
				t.Errorf("%s, %s: still on the server that takes no writes: %v", name, which, err)
			}
			if err := c.close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// However many writes are refused, connections are dropped once in a while, and
// once more after the last refusal.
func TestLeavingTakesItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPrimary()
		for range 10 {
			p.leave(p.generation.Load())
		}
		if got := p.generation.Load(); got != 1 {
			t.Errorf("at first %d generations have ended", got)
		}
		for want := range 3 { // after the second nobody was refused any more
			if got := p.generation.Load(); got != int64(min(want+1, 2)) {
				t.Errorf("%d generations have ended after %d intervals", got, want)
			}
			time.Sleep(leaveInterval)
			synctest.Wait()
		}
		p.leave(0)
		if got := p.generation.Load(); got != 2 {
			t.Errorf("a connection of long ago ended generation %d", got)
		}
	})
}

func TestListenerLeavesReadOnlyServer(t *testing.T) {
	t.Parallel()
	s := planStore(t)
	listening, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Listen(listening) }()
	backend := func(other int) (pid int) {
		for deadline := time.After(20 * time.Second); pid == 0 || pid == other; {
			select {
			case <-deadline:
				t.Fatalf("the listener's backend is %d, before it was %d", pid, other)
			case <-time.After(10 * time.Millisecond):
			}
			if err := s.writer.GetContext(t.Context(), &pid, `SELECT COALESCE(MAX(pid), 0) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE 'LISTEN%'`); err != nil {
				t.Fatal(err)
			}
		}
		return pid
	}
	first := backend(0)
	s.primary.leave(s.primary.generation.Load())
	backend(first)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A server that is there and says nothing is waited for until the deadline and
// grace, by whoever has a connection and by whoever wants one.
func TestSilentServerIsCutOff(t *testing.T) {
	t.Parallel()
	s := planStore(t)
	p, c := behindProxy(t, s)
	if err := atOnce(t, c.writer, openConnections, `SELECT pg_sleep(0.1)`); err != nil {
		t.Fatal(err)
	}
	p.Silence(true)
	const wait = 300 * time.Millisecond
	var asking sync.WaitGroup
	for range maxConnections + openConnections {
		asking.Go(func() {
			ctx, end := context.WithTimeout(t.Context(), wait)
			defer end()
			began := time.Now()
			err := s.writeOn(ctx, c.writer, func(c conn) error {
				_, err := c.exec(ctx, `UPDATE organizations SET name = ?`, "x")
				return err
			})
			if took := time.Since(began); !IsUnavailable(err) || took > wait+2*grace {
				t.Errorf("after %s: %v", took, err)
			}
		})
	}
	asking.Wait()
	p.Silence(false)
	if err := atOnce(t, c.writer, openConnections, `UPDATE organizations SET name = name`); err != nil {
		t.Errorf("once it answers: %v", err)
	}
}

// The listener is dialling a silent server, and statements are prepared on
// connections to it, when the process is to end.
func TestEndBesideSilentServer(t *testing.T) {
	t.Parallel()
	p, _ := behindProxy(t, planStore(t))
	behind, err := Open(t.Context(), Options{DatabaseURL: p.URL(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for range openConnections {
		asking.Go(func() {
			if _, err := (conn{store: behind, pool: behind.writer}).exec(t.Context(), `SELECT pg_sleep(0.1)`); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	p.Silence(true)
	listening, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- behind.Listen(listening) }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
	}
	began := time.Now()
	if err := behind.Close(); err != nil || time.Since(began) > 2*grace {
		t.Errorf("closed after %s: %v", time.Since(began), err)
	}
}

func TestNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	s := planStore(t)
	planExec(t, s, `CREATE TABLE sent (n INT)`)
	p, c := behindProxy(t, s)
	insert := conn{store: s, pool: c.writer}
	for range 2 { // so that the statement is prepared
		if _, err := insert.exec(t.Context(), `INSERT INTO sent VALUES (?)`, 1); err != nil {
			t.Fatal(err)
		}
	}
	p.CutAtAnswer()
	if _, err := insert.exec(t.Context(), `INSERT INTO sent VALUES (?)`, 2); !IsUnavailable(err) {
		t.Errorf("a statement without an answer: %v", err)
	}
	var times int
	if err := s.writer.GetContext(t.Context(), &times, `SELECT COUNT(*) FROM sent WHERE n = 2`); err != nil || times != 1 {
		t.Errorf("it was done %d times, %v", times, err)
	}
}

// Connections that ended while nobody used them are noticed before anything is
// sent on them, be there many.
func TestEndedConnectionsAreNotUsed(t *testing.T) {
	t.Parallel()
	s := planStore(t)
	p, c := behindProxy(t, s)
	for end, cut := range map[string]func() error{
		"by the network": func() error { p.Cut(); return nil },
		"by the server": func() error {
			_, err := s.writer.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = 'behind'`)
			return err
		},
	} {
		if err := atOnce(t, c.writer, openConnections, `SELECT set_config('application_name', 'behind', false), pg_sleep(0.1)`); err != nil {
			t.Fatal(err)
		}
		if err := cut(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // until the end is here
		for range openConnections {
			if _, err := c.writer.ExecContext(t.Context(), `UPDATE organizations SET name = name`); err != nil {
				t.Errorf("ended %s: %v", end, err)
			}
		}
	}
}

// What waits for a lock, or for SQLite's one connection, waits within a bound.
func TestWaitingForOthersIsBounded(t *testing.T) {
	t.Parallel()
	lite, err := Open(t.Context(), Options{DatabaseURL: "sqlite::memory:", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lite.Close() })
	planExec(t, lite, `CREATE TABLE organizations (name TEXT)`)
	postgres := planStore(t)
	for _, s := range []*Store{lite, postgres} {
		const update = `UPDATE organizations SET name = ?`
		err := s.write(t.Context(), func(c conn) error {
			if _, err := c.exec(t.Context(), update, "first"); err != nil {
				return err
			}
			waiting, end := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer end()
			second := s.write(waiting, func(c conn) error {
				_, err := c.exec(t.Context(), update, "second")
				return err
			})
			if !IsUnavailable(second) {
				t.Errorf("%s: %v", s.dialect.name, second)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: whoever was first: %v", s.dialect.name, err)
		}
	}
}
