package db

import (
	"context"
	"log/slog"
	"testing"
	"time"
)

// A read that fails on the replica is counted, and the figures say that the primary is read.
func TestStatsOfTheReplica(t *testing.T) {
	t.Parallel()
	databaseURL, _ := notesTable(t)
	d, err := Open(context.Background(), Options{
		URL: databaseURL, ReadURL: postgresURL(t), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	if stats := d.Stats(); stats.Replica == nil || stats.Replica.Usable || stats.Replica.Fallbacks != 0 ||
		len(stats.Pools) != 3 || stats.Pools[2].Name != "replica" || stats.Disk != nil {
		t.Errorf("before: %+v", stats)
	}

	d.replica.usable.Store(true)
	stale := d.Stale() // decides here, before the next comparison with the primary
	var notes int
	if err := stale.Get(t.Context(), &notes, `SELECT count(*) FROM notes`); err != nil || notes != 1 {
		t.Errorf("%d notes, %v", notes, err)
	}
	if stats := d.Stats(); stats.Replica.Usable || stats.Replica.Fallbacks != 1 {
		t.Errorf("after: %+v", stats.Replica)
	}
}
