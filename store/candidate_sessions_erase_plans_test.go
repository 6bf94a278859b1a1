package store_test

import (
	"strings"
	"testing"

	"assay/store"
)

// An erasure finds the deliveries of a session's events by an index, and not among all that
// wait in the queue.
func TestErasedDeliveriesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	fill := append(queuedDeliveries(), `SET session_replication_role = replica`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || n, 'org_1', 'candidate.invited', 'ses_' || n % 5, '{}', now()
		FROM generate_series(1, 50000) n`, `ANALYZE events`)
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for _, statement := range []string{
			`UPDATE webhook_queue SET lease = '' WHERE ` + s.OfEvents(),
			`SELECT delivery_id FROM webhook_queue WHERE ` + s.OfEvents(),
		} {
			if got := plan(statement); !strings.Contains(got, "webhook_queue") || scans(got, "webhook_queue") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}

// An erasure finds the words of its session by an index, and not among all of the organization.
func TestErasedWordsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`
		INSERT INTO candidate_session_words (organization_id, word, session_id)
		SELECT 'org_1', 'word' || n, 'ses_' || n FROM generate_series(1, 20000) n`, `ANALYZE candidate_session_words`,
	}, func(t *testing.T, _ *store.Store, plan func(string) string) {
		if got := plan(store.DeleteWords); !strings.Contains(got, "candidate_session_words_session_word") {
			t.Error(got)
		}
	})
}

// The journal of erasures is compared with the database by ids: a start of the service must not read all sessions.
func TestErasuresAreFoundByIndex(t *testing.T) {
	t.Parallel()
	eachPlanner(t, []string{`SET session_replication_role = replica`, `
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(1, 20000) n`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			progress, passed, created_at, updated_at)
		SELECT 'ses_' || n, 'org_1', 'asm_1', '', '', n, n, '{}', 'COMPLETED', 1, 1, 0, now(), now(), '{}', true, now(), now()
		FROM generate_series(1, 20000) n`, `
		INSERT INTO pending_erasures (id, organization_id, kind, erased_at, created_at)
		SELECT 'ses_' || n, 'org_1', 'session', now(), now() FROM generate_series(1, 20000) n`,
		`ANALYZE organizations, candidate_sessions, pending_erasures`,
	}, func(t *testing.T, s *store.Store, plan func(string) string) {
		for _, statement := range append(s.ToEraseAgain(), `DELETE FROM pending_erasures WHERE `+s.IsOneOf("id")) {
			got := plan(statement)
			if scans(got, "organizations") || scans(got, "candidate_sessions") || scans(got, "pending_erasures") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
		for _, statement := range []string{store.OldestErasures, `SELECT MIN(created_at) FROM pending_erasures`} {
			if got := plan(statement); !strings.Contains(got, "pending_erasures_oldest") {
				t.Errorf("%s\nin\n%s", got, statement)
			}
		}
	})
}
