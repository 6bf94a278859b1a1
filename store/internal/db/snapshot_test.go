package db

import (
	"errors"
	"testing"
)

// A snapshot sees nothing that is written after its first statement, and cannot write itself.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openURL(t, databaseURL)
		execute(t, d, `CREATE TABLE notes (n INTEGER NOT NULL)`)
		execute(t, d, `INSERT INTO notes VALUES (1)`)
		seen := func(c Conn) (n int) {
			if err := c.Get(t.Context(), &n, `SELECT COUNT(*) FROM notes`); err != nil {
				t.Error(err)
			}
			return n
		}
		failed := errors.New("failed")
		err := d.Snapshot(t.Context(), func(c Conn) error {
			if n := seen(c); n != 1 {
				t.Errorf("%d rows, want 1", n)
			}
			execute(t, d, `INSERT INTO notes VALUES (2)`)
			if n := seen(c); n != 1 {
				t.Errorf("after a write of another connection: %d rows, want 1", n)
			}
			if _, err := c.Exec(t.Context(), `INSERT INTO notes VALUES (3)`); err == nil {
				t.Error("a snapshot writes")
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("the error is %v", err)
		}
		if err := d.Snapshot(t.Context(), func(c Conn) error {
			if n := seen(c); n != 2 {
				t.Errorf("the next one sees %d rows, want 2", n)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}
