package store_test

import (
	"regexp"
	"strings"
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

// The rows of a small organization are found by an index that begins with it, also when PostgreSQL's statistics know
// only the large one. So are those of a small assessment, and of an endpoint with few deliveries.
func TestRowsOfASmallOrganizationAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := append(queuedDeliveriesOf(1), `SET session_replication_role = replica`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			progress, passed, created_at, updated_at)
		SELECT 'ses_' || n, 'org_1', 'asm_1', '', '', n, n, '{}', 'COMPLETED', 1, 1, 0, now(), now(), '{}', true, now(), now()
		FROM generate_series(1, 20000) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || n, 'org_1', 'candidate.invited', n, '{}', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO webhook_deliveries
			(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || n, 'org_1', 'whk_1', 'evt_' || n, 'candidate.invited', 'SUCCEEDED', 1, 0, 0
		FROM generate_series(1, 20000) n`, `
		INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at)
		SELECT 'aud_' || n, 'org_1', 'SIGNED_IN', 'USER', 'usr_1', 'usr_1', '', '', now() FROM generate_series(1, 20000) n`,
		`ANALYZE candidate_sessions, events, webhook_deliveries, audit_log`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for statement, column := range map[string]string{
			`SELECT body FROM events WHERE organization_id = ? ORDER BY id DESC LIMIT ?`:              "organization_id",
			`SELECT body FROM events WHERE organization_id = ? AND type = ? ORDER BY id DESC LIMIT ?`: "type",

			`SELECT result FROM candidate_sessions WHERE organization_id = ? ORDER BY id DESC LIMIT ?`: "organization_id",
			`SELECT result FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ?
				ORDER BY id DESC LIMIT ?`: "assessment_id",
			`SELECT status FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ? AND id > ?
				ORDER BY id LIMIT ?`: "assessment_id",
			`SELECT result FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ? AND id >= ? AND id <= ?
				AND status || '' IN ('COMPLETED', 'DISQUALIFIED') AND NOT test AND result IS NOT NULL ORDER BY id`: "assessment_id",
			`SELECT progress FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ? AND id < ?
				AND status IN ('COMPLETED', 'DISQUALIFIED') AND NOT test AND erased_at IS NULL
				ORDER BY id DESC LIMIT ?`: "assessment_id",
			`SELECT id FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ? AND id > ?
				AND status IN ('COMPLETED', 'DISQUALIFIED', 'IN_REVIEW') ORDER BY id LIMIT ?`: "assessment_id",
			`SELECT result FROM candidate_sessions WHERE organization_id = ? AND status = ? ORDER BY id DESC LIMIT ?`: "status",
			`SELECT result FROM candidate_sessions WHERE organization_id = ? AND passed = ? ORDER BY id DESC LIMIT ?`: "passed",

			`SELECT created_at FROM webhook_deliveries WHERE organization_id = ? ORDER BY id DESC LIMIT ?`: "organization_id",
			`SELECT created_at FROM webhook_deliveries WHERE organization_id = ? AND event_type = ?
				ORDER BY id DESC LIMIT ?`: "event_type",
			`SELECT created_at FROM webhook_deliveries WHERE webhook_id = ? AND organization_id || '' = ?
				ORDER BY id DESC LIMIT ?`: "webhook_id",
			`SELECT run_at FROM webhook_queue WHERE organization_id = ? ORDER BY delivery_id DESC LIMIT ?`: "organization_id",

			`SELECT ip FROM audit_log WHERE organization_id = ? ORDER BY id DESC LIMIT ?`:                     "organization_id",
			`SELECT ip FROM audit_log WHERE organization_id = ? AND action = ? ORDER BY id DESC LIMIT ?`:      "action",
			`SELECT ip FROM audit_log WHERE organization_id = ? AND actor_id = ? ORDER BY id DESC LIMIT ?`:    "actor_id",
			`SELECT ip FROM audit_log WHERE organization_id = ? AND resource_id = ? ORDER BY id DESC LIMIT ?`: "resource_id",
		} {
			found := regexp.MustCompile(`[( ]` + column + `=\?|Index Cond: .*\b` + column + ` = \$`)
			if got := plan(statement); !found.MatchString(got) || strings.Contains(got, "_rest_pkey") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// What people have done before is found by their addresses, also in an organization with many sessions, and the copies
// of an assessment by the original.
func TestHistoryIsFoundByIndex(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`SET session_replication_role = replica`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			progress, created_at, updated_at)
		SELECT 'ses_' || n, 'org_1', 'asm_1', '', '', n, n, '{}', 'COMPLETED', 1, 1, 0, now(), now(), '{}', now(), now()
		FROM generate_series(1, 20000) n`, `
		INSERT INTO assessments (id, organization_id, title, status, invite_expiry_days, stage_count, question_count,
			max_points, definition, created_at, updated_at, origin_id)
		SELECT 'asm_' || n, 'org_1', 'x', 'DRAFT', 14, 0, 0, 0, '{}', now(), now(), 'asm_' || n % 100
		FROM generate_series(1, 1000) n`, `
		INSERT INTO reviews (session_id, organization_id, state_id)
		SELECT 'ses_' || n, 'org_1', 'rejected' FROM generate_series(1, 20000) n`,
		`ANALYZE candidate_sessions, assessments, reviews`,
	}, func(t *testing.T, s *store.Store, plan func(string) string) {
		if got := plan(s.OfPeople()); !strings.Contains(got, "candidate_sessions_email") ||
			scans(got, "candidate_sessions") || scans(got, "r") { // r is the alias of reviews
			t.Error(got)
		}
		got := plan(`SELECT id FROM assessments WHERE organization_id = ? AND origin_id = ?`)
		if !strings.Contains(got, "assessments_origin") {
			t.Error(got)
		}
	})
}
