package store_test

import (
	"regexp"
	"testing"

	"assay/store"
)

// A row of an organization is found by its id, and not among all rows of the organization, also when most
// organizations have only one.
func TestRowsOfAnOrganizationAreFoundByID(t *testing.T) {
	t.Parallel()
	byID := regexp.MustCompile(`\(id=\?\)|Index Cond: .*\bid = \$2`)
	eachPlanner(t, []string{`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 1000) n`, `
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, created_at, updated_at)
		SELECT 'usr_' || n, 'org_' || n, 'x', n, n, '', 'OWNER', now(), now() FROM generate_series(1, 1000) n`, `
		INSERT INTO api_keys (id, organization_id, name, key_hash, prefix, last4, scopes, created_by, created_at)
		SELECT 'key_' || n, 'org_' || n, 'x', decode(md5(n::text), 'hex'), '', '', '', 'usr_' || n, now()
		FROM generate_series(1, 1000) n`, `
		INSERT INTO assessments (id, organization_id, title, status, invite_expiry_days, stage_count, question_count,
			max_points, definition, created_at, updated_at)
		SELECT 'asm_' || n, 'org_' || n, 'x', 'DRAFT', 14, 0, 0, 0, '{}', now(), now()
		FROM generate_series(1, 1000) n`,
		`ANALYZE organizations, users, api_keys, assessments`,
	}, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT title FROM assessments WHERE organization_id = ? AND id = ?`,
			`SELECT title FROM assessments WHERE organization_id = ? AND id = ? AND status = 'PUBLISHED'`,
			`SELECT name FROM users WHERE organization_id = ? AND id = ? AND removed_at IS NULL`,
			`SELECT name FROM api_keys WHERE organization_id = ? AND id = ? AND revoked_at IS NULL`,
		} {
			if got := plan(statement); !byID.MatchString(got) {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
