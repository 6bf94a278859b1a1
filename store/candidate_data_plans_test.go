package store_test

import (
	"regexp"
	"testing"

	"assay/store"
)

// What the organization has about a person is found by the address and by the sessions, and not among all rows of the
// organization.
func TestDataOfAPersonAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			progress, passed, created_at, updated_at)
		SELECT 'ses_' || n, 'org_1', 'asm_1', '', '', n, n, '{}', 'COMPLETED', 1, 1, 0, now(), now(), '{}', true, now(), now()
		FROM generate_series(1, 20000) n`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || n, 'org_1', 'candidate.invited', 'ses_' || n, '{}', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO webhook_deliveries
			(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || n, 'org_1', 'whk_1', 'evt_' || n, 'candidate.invited', 'SUCCEEDED', 1, 0, 0
		FROM generate_series(1, 20000) n`, `
		INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at)
		SELECT 'org_1', 'ses_' || n, 'qst_1', '{}', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO late_answers (organization_id, session_id, question_id, answer, arrived_at)
		SELECT 'org_1', 'ses_' || n, 'qst_1', '{}', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO grades (organization_id, session_id, question_id, version, reason, user_id, created_at)
		SELECT 'org_1', 'ses_' || n, 'qst_1', 1, '', 'usr_1', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO rulings (id, organization_id, session_id, stage_id, pass, reason, user_id, created_at)
		SELECT 'rul_' || n, 'org_1', 'ses_' || n, 'stg_1', true, '', 'usr_1', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO reopenings (id, organization_id, session_id, stage_id, minutes, reason, user_id, created_at)
		SELECT 'rop_' || n, 'org_1', 'ses_' || n, 'stg_1', 5, '', 'usr_1', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO candidate_session_extensions (id, organization_id, session_id, minutes, reason, user_id, created_at)
		SELECT 'ext_' || n, 'org_1', 'ses_' || n, 5, '', 'usr_1', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO candidate_session_devices (organization_id, session_id, browser, system, network, client_id, created_at)
		SELECT 'org_1', 'ses_' || n, '', '', '', '', now() FROM generate_series(1, 20000) n`, `
		INSERT INTO review_ratings (session_id, organization_id, actor_type, actor_id, rating, updated_at)
		SELECT 'ses_' || n, 'org_1', 'USER', 'usr_1', 4, now() FROM generate_series(1, 20000) n`, `
		INSERT INTO integration_orders (id, organization_id, partner, order_key, session_id, created_at)
		SELECT 'ord_' || n, 'org_1', 'ashby', n, 'ses_' || n, now() FROM generate_series(1, 20000) n`, `
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 20000) n`,
		`ANALYZE candidate_sessions, events, webhook_deliveries, answers, organizations, late_answers, grades, rulings,
			reopenings, candidate_session_extensions, candidate_session_devices, review_ratings, integration_orders`,
	}
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for table, statement := range s.DataStatements() {
			byIndex := regexp.MustCompile(
				`(session_id|subject_id|candidate_email_key|email_key|event_id)=\?|delete_at[<>]\?` +
					`|Index Cond: .*(session_id|subject_id|email_key|event_id|delete_at)\b`)
			full := table
			if table == "events" || table == "webhook_deliveries" { // the partitions of the days are empty
				full += "_rest"
			}
			if got := plan(statement); !byIndex.MatchString(got) || scans(got, full) {
				t.Errorf("%s: %s\nin\n%s", table, got, statement)
			}
		}
	})
}
