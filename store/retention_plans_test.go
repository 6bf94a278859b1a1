package store_test

import (
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store"
	"assay/store/storetest"
)

// A batch of rows that are cancelled or deleted is found by an index. PostgreSQL otherwise reads the whole table again
// for each batch.
func TestBatchesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		explain, scans := explainSQLite, []string{"SCAN webhook_queue", "SCAN audit_log"}
		if database == "postgres" {
			fillQueue(t, pool)
			for _, statement := range []string{`
				INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id,
					created_at, changes)
				SELECT 'aud_' || n, 'org_1', 'SIGNED_IN', 'USER', 'usr_1', 'usr_1', '', '', now(), repeat('x', 400)
				FROM generate_series(1, 50000) n`, `ANALYZE audit_log`} {
				if _, err := pool.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			explain, scans = explainPostgres, []string{"Seq Scan on webhook_queue", "Seq Scan on audit_log"}
		}
		for _, statement := range store.Batches() {
			plan := strings.Join(explain(t, pool, statement), "\n")
			for _, scan := range scans {
				if strings.Contains(plan, scan) {
					t.Errorf("%s\nin\n%s", plan, statement)
				}
			}
		}
	})
}

// fillQueue adds so many queued deliveries that PostgreSQL prefers an index wherever one fits.
func fillQueue(t *testing.T, pool *sqlx.DB) {
	t.Helper()
	for _, statement := range []string{`
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
			created_at)
		SELECT 'dlv_' || n, 'org_1', 'whk_' || n % 3, 'evt_' || n, 'candidate.invited', n, '', 0, n
		FROM generate_series(1, 50000) n`, `ANALYZE webhook_queue`} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
