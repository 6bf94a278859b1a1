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
