package store_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store/storetest"
)

// The events of one session are found by their index, and not among all events of the
// organization. With a range of times, SQLite reads the organization's events of that time.
func TestEventsOfAResourceAreFoundByIndex(t *testing.T) {
	t.Parallel()
	const listed = `SELECT id, body FROM events WHERE organization_id = ? AND subject_id = ?`
	statements := []string{
		listed + ` ORDER BY id DESC LIMIT ?`,
		listed + ` AND id < ? ORDER BY id DESC LIMIT ?`,
		listed + ` AND type = ? ORDER BY id DESC LIMIT ?`,
		listed + ` AND id >= ? AND created_at >= ? ORDER BY id DESC LIMIT ?`,
	}
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		explain, expected := explainSQLite, regexp.MustCompile(`^SEARCH events USING INDEX events_subject_newest`)
		if database == "postgres" {
			fillEvents(t, pool)
			explain, expected = explainPostgres, regexp.MustCompile(`subject_id|Subplans Removed`)
		}
		for _, statement := range statements {
			steps := explain(t, pool, statement)
			plan := strings.Join(steps, "\n")
			if !expected.MatchString(plan) || strings.Contains(plan, "Seq Scan on events_rest") {
				t.Errorf("%s\nin\n%s", plan, statement)
			}
		}
	})
}

// fillEvents adds events of a large and of a small organization.
func fillEvents(t *testing.T, pool *sqlx.DB) {
	t.Helper()
	for _, statement := range []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 1) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || lpad(n::text, 6, '0'), CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END,
			'candidate.' || n % 7, 'ses_' || n / 4, '{}', now() FROM generate_series(1, 20000) n`, `ANALYZE events`} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
