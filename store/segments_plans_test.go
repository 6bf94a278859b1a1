package store_test

import (
	"strings"
	"testing"

	"assay/store"
)

// The worker finds incomplete segments and documents without a version by their indexes, among many complete ones, and
// the segments of an assessment among those of others.
func TestSegmentPlans(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`SET session_replication_role = replica`, `
		INSERT INTO segments (id, organization_id, assessment_id, name, document, completed, disqualified, position,
			complete, created_at)
		SELECT 'seg_' || n, 'org_' || n % 10, 'asm_' || n % 2000, 'x', '{}', 0, 0, '', n % 1000 > 0, now()
		FROM generate_series(1, 20000) n`, `
		INSERT INTO assessment_statistics (assessment_id, organization_id, session_counts, document, computed_at)
		SELECT 'asm_' || n, 'org_' || n % 10, '{}', CASE WHEN n % 1000 > 0 THEN '{"version":1}' ELSE '{}' END, now()
		FROM generate_series(1, 20000) n`,
		`ANALYZE segments, assessment_statistics`,
	}, func(t *testing.T, s *store.Store, plan func(string) string) {
		for statement, index := range map[string]string{
			s.NextToBackfill(): "assessment_statistics_earlier",
			`SELECT document FROM segments WHERE organization_id = ? AND NOT complete
				ORDER BY id LIMIT 1`: "segments_incomplete",
			`SELECT document FROM segments WHERE organization_id = ? AND assessment_id = ?
				ORDER BY id LIMIT 11`: "segments_of_assessment",
		} {
			got := plan(statement)
			if !strings.Contains(got, index) || scans(got, "segments") || scans(got, "assessment_statistics") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
