package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

var errRefused = errors.New("refused by the test")

// clock is a clock that advances only when a test calls advance.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// wordTables creates the tables words and links. The foreign key of links is checked
// at the commit.
func wordTables(t *testing.T, d *DB) {
	t.Helper()
	execute(t, d, `CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL)`)
	execute(t, d, `CREATE TABLE links (word INTEGER NOT NULL REFERENCES words (id) DEFERRABLE INITIALLY DEFERRED)`)
	execute(t, d, `INSERT INTO words VALUES (1, ''), (2, '')`)
}

func words(t *testing.T, d *DB) (list []string) {
	t.Helper()
	if err := d.Read().List(t.Context(), &list, `SELECT word FROM words ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	return list
}

func hasCode(err error, code pqerror.Code) bool {
	var failure *pq.Error
	return errors.As(err, &failure) && failure.Code == code
}

func setWord(ctx context.Context, c Conn, id int, word string) error {
	_, err := c.Exec(ctx, `UPDATE words SET word = ? WHERE id = ?`, word, id)
	return err
}

// A committed transaction must run its AfterCommit functions once and in order. A
// failed transaction must change nothing and run none of them.
func TestWriteCommitsOrChangesNothing(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		when := &clock{now: time.Now()}
		d := openAt(t, databaseURL, when.Now)
		wordTables(t, d)
		for _, row := range []struct {
			name      string
			then      func(ctx context.Context, c Conn) error // runs after the transaction has written a word
			committed bool
			err       error // nil if any error is expected
		}{
			{"succeeds", func(context.Context, Conn) error { return nil }, true, nil},
			{"is refused", func(context.Context, Conn) error { return errRefused }, false, errRefused},
			{"commits and refuses", func(context.Context, Conn) error { return CommitThenRefuse(errRefused) }, true, errRefused},
			{"fails in a statement", func(ctx context.Context, c Conn) error {
				_, err := c.Exec(ctx, `INSERT INTO words VALUES (1, 'again')`)
				return err
			}, false, nil},
			{"fails at the commit", func(ctx context.Context, c Conn) error {
				_, err := c.Exec(ctx, `INSERT INTO links VALUES (99)`)
				return err
			}, false, nil},
			{"takes half of the time", func(context.Context, Conn) error {
				when.advance(MaxWriteTime / 2)
				return nil
			}, true, nil},
			{"takes too long", func(context.Context, Conn) error {
				when.advance(MaxWriteTime/2 + time.Millisecond)
				return nil
			}, false, ErrWriteTooLong},
			{"commits and refuses, too late", func(context.Context, Conn) error {
				when.advance(MaxWriteTime/2 + time.Millisecond)
				return CommitThenRefuse(errRefused)
			}, false, ErrWriteTooLong},
		} {
			t.Run(row.name, func(t *testing.T) { // not parallel, because the rows share a clock
				runs, after := 0, []int(nil)
				before := words(t, d)
				err := d.Write(t.Context(), func(c Conn) error {
					runs++
					c.AfterCommit(func() { after = append(after, 1) })
					c.AfterCommit(func() { after = append(after, 2) })
					if err := setWord(t.Context(), c, 1, row.name); err != nil {
						return err
					}
					return row.then(t.Context(), c)
				})
				switch {
				case runs != 1:
					t.Errorf("the closure ran %d times, want 1", runs)
				case row.err != nil && !errors.Is(err, row.err), row.err == nil && (err == nil) != row.committed:
					t.Errorf("the error is %v, want %v", err, row.err)
				case errors.As(err, new(commitThenRefuse)):
					t.Errorf("the caller receives %T, which only Write may see", err)
				}
				wantWords, wantAfter := before, []int(nil)
				if row.committed {
					wantWords, wantAfter = []string{row.name, ""}, []int{1, 2}
				}
				if got := words(t, d); !slices.Equal(got, wantWords) {
					t.Errorf("the words are %q, want %q", got, wantWords)
				}
				if !slices.Equal(after, wantAfter) {
					t.Errorf("AfterCommit ran %v, want %v", after, wantAfter)
				}
			})
		}
		if n := count(t, d, `SELECT COUNT(*) FROM links`); n != 0 {
			t.Errorf("%d rows are stored by a transaction that failed at its commit", n)
		}
	})
}

// The transaction of a cancelled request must be rolled back with the error
// context.Canceled.
func TestWriteOfACancelledRequest(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openURL(t, databaseURL)
		wordTables(t, d)
		ctx, cancel := context.WithCancel(t.Context())
		err := d.Write(ctx, func(c Conn) error {
			c.AfterCommit(func() { t.Error("AfterCommit runs after a cancelled transaction") })
			err := setWord(ctx, c, 1, "cancelled")
			cancel()
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want context.Canceled", err)
		}
		if got := words(t, d); got[0] != "" {
			t.Errorf("the word is %q, want the one before the transaction", got[0])
		}
	})
}

// attempts counts the runs of a closure and the runs that were committed.
type attempts struct{ ran, committed int }

func (a *attempts) run(c Conn) {
	a.ran++
	c.AfterCommit(func() { a.committed++ })
}

// A transaction with a snapshot reads a row, another transaction changes the row, and
// the first one also tries to change it. PostgreSQL aborts the first one with 40001,
// and Write must run it again.
func TestWriteRunsAgainAfterASerializationFailure(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	wordTables(t, d)
	var made attempts
	var failures []error
	err := d.Write(t.Context(), func(c Conn) error {
		made.run(c)
		if _, err := c.tx.ExecContext(t.Context(), `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
			return err
		}
		var read string
		if err := c.Get(t.Context(), &read, `SELECT word FROM words WHERE id = 1`); err != nil {
			return err
		}
		if made.ran <= 2 {
			if err := d.Write(t.Context(), func(c Conn) error { return setWord(t.Context(), c, 1, "other") }); err != nil {
				t.Error(err)
			}
		}
		err := setWord(t.Context(), c, 1, read+" first")
		failures = append(failures, err)
		return err
	})
	if err != nil || made != (attempts{3, 1}) {
		t.Errorf("%+v, error %v", made, err)
	}
	for _, failure := range failures[:len(failures)-1] {
		if !hasCode(failure, "40001") {
			t.Errorf("a run fails with %v, want 40001", failure)
		}
	}
	if got := words(t, d); got[0] != "other first" {
		t.Errorf("the word is %q, want %q, which the last run must read", got[0], "other first")
	}
}

// Two transactions take two locks in different order. PostgreSQL aborts one of them
// with 40P01. Write must run it again, so that both are committed.
//
// The aborted transaction takes its locks again only after the other one has
// committed. Otherwise it could take its first lock before the other one does, which
// would be another deadlock.
func TestWriteRunsAgainAfterADeadlock(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	wordTables(t, d)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var both, running sync.WaitGroup // both: until each holds its first lock
	both.Add(2)
	ended := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	var made [2]attempts
	var deadlocks [2]int
	for i, order := range [][]int{{1, 2}, {2, 1}} {
		running.Go(func() {
			defer close(ended[i])
			meet := sync.OnceFunc(func() {
				both.Done()
				both.Wait()
			})
			word := []string{"a", "b"}[i]
			err := d.Write(ctx, func(c Conn) error {
				made[i].run(c)
				if made[i].ran > 1 {
					select {
					case <-ended[1-i]:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				if err := setWord(ctx, c, order[0], word); err != nil {
					return err
				}
				meet()
				err := setWord(ctx, c, order[1], word)
				if hasCode(err, "40P01") {
					deadlocks[i]++
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if made[0].committed != 1 || made[1].committed != 1 || deadlocks[0]+deadlocks[1] != 1 ||
		made[0].ran != 1+deadlocks[0] || made[1].ran != 1+deadlocks[1] {
		t.Errorf("%+v and %v deadlocks, want both committed once, and one run again after one deadlock", made, deadlocks)
	}
	if got := words(t, d); got[0] != got[1] {
		t.Errorf("the words are %q, want both from the transaction that was committed last", got)
	}
}

// A conflict that occurs in every run must be returned after maxWriteAttempts.
func TestWriteGivesUpOnARepeatedConflict(t *testing.T) {
	t.Parallel()
	d := openURL(t, postgresURL(t))
	wordTables(t, d)
	var made attempts
	err := d.Write(t.Context(), func(c Conn) error {
		made.run(c)
		if err := setWord(t.Context(), c, 1, "kept"); err != nil {
			return err
		}
		_, err := c.tx.ExecContext(t.Context(), `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`)
		return err
	})
	if made != (attempts{maxWriteAttempts, 0}) || !hasCode(err, "40001") || !IsUnavailable(err) {
		t.Errorf("%+v, error %v", made, err)
	}
	if got := words(t, d); got[0] != "" {
		t.Errorf("the word is %q, want the one before the transaction", got[0])
	}
}

// A statement that a transaction ran must be prepared for later transactions, which
// then need fewer round trips.
func TestWritePreparesStatementsForLater(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openURL(t, databaseURL)
		wordTables(t, d)
		const query = `SELECT word FROM words WHERE id = ? AND id > 0`
		for range 2 {
			err := d.Write(t.Context(), func(c Conn) error {
				var word string
				if err := c.Get(t.Context(), &word, query, 1); err != nil {
					return err
				}
				if err := c.Get(t.Context(), &word, query, 3); !errors.Is(err, sql.ErrNoRows) {
					t.Errorf("a missing row returns %v, want sql.ErrNoRows", err)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, prepared := d.statements.Load(statementKey{d.writer, query}); !prepared {
				t.Error("the statement is not prepared")
			}
		}
	})
}

// Outside a transaction, AfterCommit must run the function immediately.
func TestAfterCommitOutsideATransaction(t *testing.T) {
	t.Parallel()
	d := openURL(t, "sqlite::memory:")
	ran := false
	d.Autocommit().AfterCommit(func() { ran = true })
	if !ran {
		t.Error("the function did not run")
	}
}
