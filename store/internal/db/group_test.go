package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
)

// member is one write of a group, and what became of it.
type member struct {
	then         func(ctx context.Context, c Conn, run int) error // runs after the write has set its word
	txs          []*sqlx.Tx                                       // one per run
	committed    int
	err          error
	panicked     any
	cancelsFirst bool // its request ends while it waits
}

// runTogether runs the members as one group: they wait while another transaction has the connection.
func runTogether(t *testing.T, d *DB, members ...*member) {
	t.Helper()
	for i := range members {
		execute(t, d, `INSERT INTO words VALUES (?, '')`, 10+i)
	}
	var running sync.WaitGroup
	err := d.Write(t.Context(), func(Conn) error {
		for i, m := range members {
			ctx, cancel := context.WithCancel(t.Context())
			running.Go(func() {
				defer cancel()
				defer func() { m.panicked = recover() }()
				m.err = d.WriteGrouped(ctx, func(ctx context.Context, c Conn) error {
					m.txs = append(m.txs, c.tx.Tx)
					c.AfterCommit(func() { m.committed++ })
					if err := setWord(ctx, c, 10+i, fmt.Sprint("member ", i)); err != nil {
						return err
					}
					return m.then(ctx, c, len(m.txs))
				})
			})
			// The first one leads the group, and so its order is known, when it has the turn.
			waits := func() bool { return d.groups.length() > i && len(d.groups.turn) == 1 }
			for deadline := time.Now().Add(10 * time.Second); !waits(); runtime.Gosched() {
				if time.Now().After(deadline) {
					return errors.New("a write does not wait for the group")
				}
			}
			if m.cancelsFirst {
				cancel()
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	running.Wait()
}

func (t *Together[T]) length() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}

func succeeds(context.Context, Conn, int) error { return nil }

func groupTables(t *testing.T) *DB {
	t.Helper()
	d := openURL(t, sqliteURL(t))
	wordTables(t, d)
	return d
}

// checkMember checks how often a member ran and committed.
func checkMember(t *testing.T, name string, m *member, runs, committed int) {
	t.Helper()
	if len(m.txs) != runs || m.committed != committed {
		t.Errorf("%s: %d runs and %d commits, want %d and %d", name, len(m.txs), m.committed, runs, committed)
	}
}

// A write that fails or panics must leave the other writes of its transaction.
func TestAFailedWriteLeavesItsGroup(t *testing.T) {
	t.Parallel()
	d := groupTables(t)
	first, last := &member{then: succeeds}, &member{then: succeeds}
	refused := &member{then: func(context.Context, Conn, int) error { return errRefused }}
	broken := &member{then: func(ctx context.Context, c Conn, _ int) error {
		_, err := c.Exec(ctx, `INSERT INTO words VALUES (1, 'again')`)
		return err
	}}
	committed := &member{then: func(context.Context, Conn, int) error { return CommitThenRefuse(errRefused) }}
	panics := &member{then: func(context.Context, Conn, int) error { panic("in a write") }}
	runTogether(t, d, first, refused, broken, committed, panics, last)

	checkMember(t, "first", first, 1, 1)
	checkMember(t, "refused", refused, 1, 0)
	checkMember(t, "broken", broken, 1, 0)
	checkMember(t, "committed and refused", committed, 1, 1)
	checkMember(t, "panics", panics, 1, 0)
	checkMember(t, "last", last, 1, 1)
	if first.txs[0] != last.txs[0] {
		t.Error("the writes did not share a transaction")
	}
	if first.err != nil || last.err != nil || !errors.Is(refused.err, errRefused) || broken.err == nil ||
		!errors.Is(committed.err, errRefused) || panics.panicked != "in a write" {
		t.Errorf("the errors are %v, %v, %v, %v, %v, and the panic %v",
			first.err, refused.err, broken.err, committed.err, last.err, panics.panicked)
	}
	want := []string{"", "", "member 0", "", "", "member 3", "", "member 5"}
	if got := words(t, d); !slices.Equal(got, want) {
		t.Errorf("the words are %q, want %q", got, want)
	}
}

// When an error ends the transaction, as a full disk does, each write must run again alone.
func TestAGroupWhoseTransactionEndsRunsAgainAlone(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(ctx context.Context, c Conn) error{
		"in a statement": func(ctx context.Context, c Conn) error {
			_, err := c.tx.ExecContext(ctx, `ROLLBACK`) // what SQLite does by itself on SQLITE_FULL
			return errors.Join(errRefused, err)
		},
		"at the commit": func(ctx context.Context, c Conn) error {
			_, err := c.Exec(ctx, `INSERT INTO links VALUES (99)`)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := groupTables(t)
			first, last := &member{then: succeeds}, &member{then: succeeds}
			ends := &member{then: func(ctx context.Context, c Conn, run int) error {
				if run == 1 {
					return end(ctx, c)
				}
				return nil
			}}
			runTogether(t, d, first, ends, last)
			checkMember(t, "first", first, 2, 1)
			checkMember(t, "ends the transaction", ends, 2, 1)
			if last.committed != 1 || first.err != nil || ends.err != nil || last.err != nil {
				t.Errorf("%d commits of the last; errors %v, %v, %v", last.committed, first.err, ends.err, last.err)
			}
			if first.txs[1] == ends.txs[1] {
				t.Error("the second runs share a transaction")
			}
			if got, want := words(t, d), []string{"", "", "member 0", "member 1", "member 2"}; !slices.Equal(got, want) {
				t.Errorf("the words are %q, want %q", got, want)
			}
		})
	}
}

// The end of a request must withdraw its write while it waits, and must not disturb
// the others. A write that has begun must be committed.
func TestTheEndOfARequestDoesNotDisturbItsGroup(t *testing.T) {
	t.Parallel()
	d := groupTables(t)
	leader, last := &member{then: succeeds}, &member{then: succeeds}
	withdrawn := &member{then: succeeds, cancelsFirst: true}
	runTogether(t, d, leader, withdrawn, last)
	checkMember(t, "leader", leader, 1, 1)
	checkMember(t, "last", last, 1, 1)
	// Its caller may not have noticed the end before the group took the write.
	if withdrawn.committed == 0 && !errors.Is(withdrawn.err, context.Canceled) {
		t.Errorf("the withdrawn write returns %v", withdrawn.err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	err := d.WriteGrouped(ctx, func(ctx context.Context, c Conn) error {
		cancel()
		return setWord(ctx, c, 1, "kept")
	})
	if got := words(t, d); err != nil || got[0] != "kept" {
		t.Errorf("the write of a request that ended meanwhile: %v, words %q", err, got)
	}
}
