package store_test

import (
	"regexp"
	"testing"

	"assay/store"
)

// What a limited caller does not see costs no more than the rows that a page may examine: the events of one part of the
// log, and the sessions of the assessments that the caller sees.
func TestLimitedCallersReadBoundedParts(t *testing.T) {
	t.Parallel()
	fill := []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 1) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || lpad(n::text, 6, '0'), CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END,
			'candidate.' || n % 7, 'ses_' || n / 4, '{}', now() FROM generate_series(1, 20000) n`, `ANALYZE events`}
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		seen := `(` + s.IsOneOf("subject_id") + ` OR ` + s.IsOneOf(`(SELECT s.assessment_id FROM candidate_sessions s
			WHERE s.organization_id = e.organization_id AND s.id = e.subject_id)`) + `)`
		for _, statement := range []string{
			`SELECT id, body FROM events e WHERE organization_id = ? AND id >= ? AND ` + seen + ` ORDER BY id DESC LIMIT ?`,
			`SELECT id, body FROM events e WHERE organization_id = ? AND id > ? AND id < ? AND id <= ? AND ` + seen +
				` ORDER BY id LIMIT ?`,
		} {
			got := plan(statement)
			ofLog := regexp.MustCompile(`SEARCH e USING INDEX events_organization|organization_id|Subplans Removed`)
			ofSession := regexp.MustCompile(`Subplans Removed|SEARCH s USING |using (candidate_sessions_pkey|sessions_by_id)`)
			if !ofLog.MatchString(got) || !ofSession.MatchString(got) || scans(got, "events_rest") ||
				scans(got, "candidate_sessions") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
