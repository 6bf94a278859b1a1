package db

import (
	"testing"

	"assay/store/migrations"
)

// invalidIndexes counts the indexes, and the partitions' indexes, that are not complete.
const invalidIndexes = `SELECT COUNT(*) FROM pg_index WHERE NOT indisvalid`

// A migration that failed while it built an index must succeed when it runs again,
// also when it has left an index that no table uses.
func TestIndexesOfPartitionedTablesAreFinished(t *testing.T) {
	t.Parallel()
	d := migratedPostgres(t, nil)
	if invalid := count(t, d, invalidIndexes); invalid != 0 {
		t.Fatalf("after the first migration, %d indexes are invalid", invalid)
	}

	const childrenOfType = `SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'events_type'::regclass`
	execute(t, d, `CREATE TABLE events_20300101 PARTITION OF events FOR VALUES FROM ('evt_1') TO ('evt_2')`)
	if children := count(t, d, childrenOfType); children != 2 {
		t.Errorf("the index has %d parts, want that of the default partition and that of the new one", children)
	}

	execute(t, d, `DROP INDEX events_type`)
	execute(t, d, `CREATE INDEX events_type ON ONLY events (organization_id, type, id)`)
	execute(t, d, `CREATE INDEX events_20300101_type ON events_20300101 (type)`)
	for range 2 { // the second time, nothing is left to do
		if err := d.Migrate(t.Context(), migrations.Files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		if invalid, children := count(t, d, invalidIndexes), count(t, d, childrenOfType); invalid != 0 || children != 2 {
			t.Errorf("%d indexes are invalid, and the index has %d parts, want 0 and 2", invalid, children)
		}
	}
	columns := count(t, d, `SELECT indnatts FROM pg_index WHERE indexrelid = 'events_20300101_type'::regclass`)
	if columns != 3 {
		t.Errorf("the index that the failed migration left has stayed: it has %d columns", columns)
	}
}
