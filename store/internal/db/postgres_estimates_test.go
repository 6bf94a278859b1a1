package db

import (
	"testing"

	"assay/store/migrations"
)

// Estimates are set for tables and partitions, also for a partition that the previous
// version has made and that has rows, and for columns with another estimate or with other options.
func TestEstimates(t *testing.T) {
	t.Parallel()
	const many = 200
	estimates := Estimates{
		"events": {"organization_id": many, "type": 7}, "webhook_queue": {"organization_id": many, "webhook_id": many},
	}
	d := migratedPostgres(t, estimates)
	const set = `SELECT COUNT(*) FROM pg_attribute, pg_options_to_table(attoptions)
		WHERE attrelid = to_regclass(?) AND option_name = 'n_distinct'`
	for table, columns := range estimates {
		if got := count(t, d, set, table); !isPartitioned(table) && got != len(columns) {
			t.Errorf("%s has %d estimates, want %d", table, got, len(columns))
		}
		if got := count(t, d, set, table+"_rest"); isPartitioned(table) && got != len(columns) {
			t.Errorf("%s_rest has %d estimates, want %d", table, got, len(columns))
		}
	}

	execute(t, d, `CREATE TABLE events_20300101 PARTITION OF events FOR VALUES FROM ('evt_1') TO ('evt_2')`)
	execute(t, d, `INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_1' || n, 'org_1', 'candidate.invited', n, '', now() FROM generate_series(1, 10) n`)
	execute(t, d, `ANALYZE events_20300101`)
	execute(t, d, `ALTER TABLE events_20300101 ALTER COLUMN organization_id SET (n_distinct_inherited = 3),
		ALTER COLUMN type SET (n_distinct = 3, n_distinct_inherited = 3)`)
	const expected = `SELECT n_distinct FROM pg_stats WHERE tablename = 'events_20300101' AND attname = 'organization_id'`
	if before := count(t, d, expected); before != 1 {
		t.Fatalf("the partition has statistics of %d organizations, want those of its rows", before)
	}
	if err := d.Migrate(t.Context(), migrations.Files, nothingAfter); err != nil {
		t.Fatal(err)
	}
	if after := count(t, d, expected); after != many {
		t.Errorf("%d organizations are expected in the partition, want %d", after, many)
	}
	const ofType = `SELECT n_distinct FROM pg_stats WHERE tablename = 'events_20300101' AND attname = 'type'`
	if got, want := count(t, d, ofType), estimates["events"]["type"]; got != want {
		t.Errorf("%d types are expected in the partition, want %d", got, want)
	}
	for range 2 { // the second time, nothing is left to do
		if err := d.MakeDays(t.Context(), d, "events", []Day{{FirstID: "evt_3", EndID: "evt_4"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(t, d, set, "events_00010101"); got != len(estimates["events"]) {
		t.Errorf("a new partition has %d estimates, want %d", got, len(estimates["events"]))
	}
}

func isPartitioned(table string) bool { return table == "events" }
