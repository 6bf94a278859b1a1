package store_test

import (
	"strings"
	"testing"

	"assay/store"
)

// The overview reads suspected keys from their index, also where an organization has many.
func TestSuspectedKeysPlans(t *testing.T) {
	eachPlanner(t, []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 10) n`, `
		INSERT INTO assessments (id, organization_id, title, status, invite_expiry_days, stage_count, question_count,
			max_points, definition, created_at, updated_at)
		SELECT 'asm_' || n, 'org_' || n % 10 + 1, 'x', 'PUBLISHED', 14, 0, 0, 0, '{}', now(), now()
		FROM generate_series(1, 1000) n`, `
		INSERT INTO suspected_keys (organization_id, assessment_id, question_id, suspicion, found_at)
		SELECT a.organization_id, a.id, 'qst_' || n, 'x', now() FROM assessments a, generate_series(1, 10) n`,
		`ANALYZE organizations, assessments, suspected_keys`,
	}, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for statement, index := range map[string]string{
			`SELECT suspicion FROM suspected_keys WHERE organization_id = ? AND found_at > ?
				ORDER BY found_at DESC, assessment_id DESC, question_id DESC LIMIT ?`: "suspected_keys_found",
			`SELECT suspicion FROM suspected_keys WHERE organization_id = ? AND assessment_id = ?`: "suspected_keys",
		} {
			got := plan(statement)
			if !strings.Contains(got, index) || scans(got, "suspected_keys") || strings.Contains(got, "TEMP B-TREE") ||
				strings.Contains(got, "Sort") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
