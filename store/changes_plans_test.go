package store_test

import (
	"strings"
	"testing"

	"assay/store"
)

// A page of changes is a range of one index, also where one organization has nearly all rows.
func TestChangesPlans(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 1) n`, `
		INSERT INTO assessments (id, organization_id, title, status, invite_expiry_days, stage_count, question_count,
			max_points, definition, created_at, updated_at)
		SELECT 'asm_' || n, CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END, 'x', 'PUBLISHED', 14, 0, 0, 0, '{}', now(),
			now() FROM generate_series(1, 20000) n`, `
		INSERT INTO candidate_session_changes (organization, changed_at, session_id, noted_at)
		SELECT CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END, now(), 'ses_' || n, now() + n * interval '1 ms'
		FROM generate_series(1, 20000) n`,
		`
		INSERT INTO audit_log (id, organization_id, action, actor_type, resource_id, ip, request_id, created_at)
		SELECT 'aud_' || n, CASE WHEN n % 100 = 0 THEN 'org_1' ELSE 'org_0' END, 'SIGNED_IN', 'USER', 'usr_1', '', '', now()
			FROM generate_series(1, 20000) n`,
		`ANALYZE organizations, assessments, candidate_session_changes, audit_log`,
	}, func(t *testing.T, s *store.Store, plan func(string) string) {
		for _, statement := range s.Changes() {
			got := plan(statement)
			if !strings.Contains(got, "noted") || strings.Contains(got, "TEMP B-TREE") || strings.Contains(got, "Sort") ||
				!strings.Contains(got, "noted_at") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
			for _, table := range []string{"assessments", "candidate_sessions", "candidate_session_changes", "audit_log"} {
				if scans(got, table) {
					t.Errorf("%s is scanned: %s\nin\n%s", table, got, statement)
				}
			}
		}
	})
}
