package store_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/store"
)

// A batch of rows that are cancelled or deleted is found by an index. PostgreSQL otherwise reads the whole table again
// for each batch.
func TestBatchesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := append(queuedDeliveries(), `
		INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at,
			changes)
		SELECT 'aud_' || n, 'org_1', 'SIGNED_IN', 'USER', 'usr_1', 'usr_1', '', '', now(), repeat('x', 400)
		FROM generate_series(1, 50000) n`, `ANALYZE audit_log`)
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for _, statement := range s.Batches() {
			if got := plan(statement); scans(got, "webhook_queue") || scans(got, "q") || scans(got, "audit_log") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// queuedDeliveries are the statements that queue deliveries on PostgreSQL, for three endpoints.
func queuedDeliveries() []string { return queuedDeliveriesOf(3) }

func queuedDeliveriesOf(endpoints int) []string {
	return []string{`
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
			created_at)
		SELECT 'dlv_' || n, 'org_1', 'whk_' || n % ` + strconv.Itoa(endpoints) + ` + 1, 'evt_' || n, 'candidate.invited',
			n, '', 0, n FROM generate_series(1, 50000) n`, `ANALYZE webhook_queue`}
}

// What a retention erases is found by its time, and not among all sessions of the assessment.
func TestRetainedSessionsAreFoundByTime(t *testing.T) {
	t.Parallel()
	fill := []string{
		`SET session_replication_role = replica`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, invited_at, expires_at, started_at,
			completed_at, created_at, updated_at, extra_time_percent, progress)
		SELECT 'ses_' || n, 'org_1', 'asm_' || n % 2, '', 'C', 'c@example.com', 'c' || n, '{}', 'COMPLETED', 1, 1, now(),
			now(), now(), now() - n * interval '1 minute', now(), now(), 0, '{}' FROM generate_series(1, 50000) n`, `
		INSERT INTO reviews (session_id, organization_id, assessment_id, state_id, since)
		SELECT 'ses_' || n, 'org_1', 'asm_' || n % 2, 'rejected', now() - n * interval '1 minute'
		FROM generate_series(1, 50000) n`, `
		INSERT INTO review_changes (id, organization_id, session_id, from_id, from_name, to_id, to_name, actor_type,
			actor_id, created_at)
		SELECT 'rch_' || n, 'org_1', 'ses_' || n, 'new', 'New', 'rejected', 'Rejected', 'USER', 'usr_1', now()
		FROM generate_series(1, 50000) n`, `
		INSERT INTO legal_holds (id, organization_id, assessment_id, session_id, reason, created_by_id, created_by_name,
			created_at)
		SELECT 'hld_' || n, 'org_1', 'asm_' || n % 2, 'ses_' || n, 'R', 'usr_1', 'A', now()
		FROM generate_series(1, 1000) n`,
		`ANALYZE candidate_sessions, reviews, review_changes, legal_holds`,
	}
	byTime := map[string]*regexp.Regexp{
		"sessions_by_end": regexp.MustCompile(`<expr><\?|Index Cond: .*COALESCE\(.*<= \$`),
		// SQLite and PostgreSQL read all of an index that has only the rows in question.
		"reviews_incomplete": regexp.MustCompile(`(SCAN reviews USING|Index Scan using) .*reviews_incomplete`),
		"reviews_by_since":   regexp.MustCompile(`since<\?|Index Cond: .*since <= \$`),
	}
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for statement, index := range s.RetentionStatements() {
			got := plan(statement)
			joins := strings.Contains(statement, "JOIN candidate_sessions") // by their ids: the service forbids other plans
			if !byTime[index].MatchString(got) || !strings.Contains(got, index) || scans(got, "review_changes") ||
				scans(got, "legal_holds") || scans(got, "candidate_sessions") && !joins {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// Holds are found by what they protect, and those of an organization by their ids.
func TestLegalHoldsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := []string{`SET session_replication_role = replica`, `
		INSERT INTO legal_holds (id, organization_id, assessment_id, session_id, reason, created_by_id, created_by_name,
			created_at)
		SELECT 'hld_' || n, 'org_' || n % 100, 'asm_' || n % 1000, 'ses_' || n, 'R', 'usr_1', 'A', now()
		FROM generate_series(1, 50000) n`, `ANALYZE legal_holds`}
	byIndex := regexp.MustCompile(`legal_holds_(held|newest)|USING (COVERING )?INDEX legal_holds|legal_holds_pkey`)
	eachPlanner(t, fill, func(t *testing.T, _ *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`SELECT EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = ? AND assessment_id = ? AND session_id IS NULL
				AND released_at IS NULL)`,
			`SELECT EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = ? AND assessment_id = ? AND session_id = ?
				AND released_at IS NULL)`,
			`SELECT DISTINCT assessment_id FROM legal_holds
				WHERE organization_id = ? AND session_id IS NULL AND released_at IS NULL`,
			`SELECT COUNT(*) FROM legal_holds WHERE organization_id = ? AND released_at IS NULL`,
			`SELECT id FROM legal_holds WHERE organization_id = ? AND id < ? AND released_at IS NULL ORDER BY id DESC LIMIT ?`,
		} {
			if got := plan(statement); !byIndex.MatchString(got) || scans(got, "legal_holds") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
