package store_test

import (
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// An erasure finds the deliveries of a session's events by an index, and not among all that
// wait in the queue.
func TestErasedDeliveriesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		s := storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		explain, scan := explainSQLite, "SCAN webhook_queue"
		if database == "postgres" {
			explain, scan = explainPostgres, "Seq Scan on webhook_queue"
			fillQueue(t, pool)
			for _, statement := range []string{`SET session_replication_role = replica`, `
				INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
				SELECT 'evt_' || n, 'org_1', 'candidate.invited', 'ses_' || n % 5, '{}', now()
				FROM generate_series(1, 50000) n`,
				`ANALYZE events`} {
				if _, err := pool.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, statement := range []string{
			`UPDATE webhook_queue SET lease = '' WHERE ` + s.OfEvents(),
			`SELECT delivery_id FROM webhook_queue WHERE ` + s.OfEvents(),
		} {
			plan := strings.Join(explain(t, pool, statement), "\n")
			if !strings.Contains(plan, "webhook_queue") || strings.Contains(plan, scan) {
				t.Errorf("%s\nin\n%s", plan, statement)
			}
		}
	})
}

// An erasure finds the words of its session by an index, and not among all of the organization.
func TestErasedWordsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		explain := explainSQLite
		if database == "postgres" {
			explain = explainPostgres
			for _, statement := range []string{`
				INSERT INTO candidate_session_words (organization_id, word, session_id)
				SELECT 'org_1', 'word' || n, 'ses_' || n FROM generate_series(1, 20000) n`,
				`ANALYZE candidate_session_words`} {
				if _, err := pool.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		plan := strings.Join(explain(t, pool, store.DeleteWords), "\n")
		if !strings.Contains(plan, "candidate_session_words_session_word") {
			t.Error(plan)
		}
	})
}
