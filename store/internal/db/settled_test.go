package db

import (
	"testing"
	"time"
)

// The boundary stays before the oldest transaction of any process that has written, and goes on when it has ended.
func TestSettledWaitsForOpenWrites(t *testing.T) {
	t.Parallel()
	address := postgresURL(t)
	d, other := openURL(t, address), openURL(t, address)
	wordTables(t, d)
	settled := func() Settled {
		t.Helper()
		found, err := d.Settled(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	now := func() (at time.Time) {
		t.Helper()
		if err := d.Read().Get(t.Context(), &at, `SELECT clock_timestamp()`); err != nil {
			t.Fatal(err)
		}
		return at
	}

	read, err := other.writer.BeginTxx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.ExecContext(t.Context(), `SELECT word FROM words`); err != nil {
		t.Fatal(err)
	}
	before := now()
	if got := settled(); got.Before.Before(before.Add(-clockStep)) || got.Before.After(now().Add(-clockStep)) ||
		got.Age != 0 {
		t.Errorf("beside a transaction that reads: %s, age %s, at %s", got.Before, got.Age, now())
	}

	began := now()
	open, err := other.writer.BeginTxx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open.ExecContext(t.Context(), `UPDATE words SET word = 'held' WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	written := now()
	for range 3 {
		if got := settled(); got.Before.Before(began.Add(-clockStep)) || got.Before.After(written.Add(-clockStep)) ||
			got.Age <= 0 {
			t.Errorf("beside a transaction of %s that has written: %s, age %s", began, got.Before, got.Age)
		}
	}
	if err := open.Commit(); err != nil {
		t.Fatal(err)
	}
	committed := now()
	if got := settled(); got.Before.Before(committed.Add(-clockStep)) || got.Age != 0 {
		t.Errorf("after the commit at %s: %s, age %s", committed, got.Before, got.Age)
	}
	if err := read.Rollback(); err != nil {
		t.Fatal(err)
	}
}

// The age is also that of a transaction of this process, by its own clock, before the database knows it.
func TestSettledAge(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		when := &clock{now: time.Now()}
		d := openAt(t, databaseURL, when.Now)
		age := func() time.Duration {
			t.Helper()
			found, err := d.Settled(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return found.Age
		}
		if got := age(); got != 0 {
			t.Errorf("without a transaction, the age is %s", got)
		}
		if err := d.Write(t.Context(), func(Conn) error {
			when.advance(3 * time.Second)
			if got := age(); got != 3*time.Second {
				t.Errorf("in a transaction, the age is %s, want 3s", got)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := age(); got != 0 {
			t.Errorf("after the transaction, the age is %s", got)
		}
	})
}
