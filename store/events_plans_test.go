package store_test

import (
	"regexp"
	"strings"
	"testing"

	"assay/store"
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
	// Those of a large and of a small organization.
	fill := []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 1) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || lpad(n::text, 6, '0'), CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END,
			'candidate.' || n % 7, 'ses_' || n / 4, '{}', now() FROM generate_series(1, 20000) n`, `ANALYZE events`}
	found := regexp.MustCompile(`^SEARCH events USING INDEX events_subject_newest|subject_id|Subplans Removed`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range statements {
			if got := plan(statement); !found.MatchString(got) || scans(got, "events_rest") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// A list of some types reads the beginning of each type in the index by type, whatever else the organization has.
func TestEventsOfTypesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 1) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || lpad(n::text, 6, '0'), CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END,
			'candidate.' || n % 7, 'ses_' || n / 4, '{}', now() FROM generate_series(1, 20000) n`, `ANALYZE events`}
	// PostgreSQL merges what it reads from each partition, in the order of the index.
	ranges := regexp.MustCompile(`USING INDEX events_type \(organization_id=\? AND type=\?|Merge Append`)
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for _, order := range []string{" ORDER BY id LIMIT ?", " ORDER BY id DESC LIMIT ?"} {
			for _, further := range []string{"", " AND id > ?", " AND id >= ? AND created_at >= ? AND id < ?"} {
				one := s.EventsOfType(` WHERE organization_id = ?`+further, order)
				statement := `SELECT id, type, body FROM (` + one + ` UNION ALL ` + one + `) AS found` + order
				got := plan(statement)
				if !ranges.MatchString(got) || strings.Contains(got, "Sort  (") || scans(got, "events_rest") {
					t.Errorf("%s\nin\n%s", got, statement)
				}
			}
		}
	})
}
