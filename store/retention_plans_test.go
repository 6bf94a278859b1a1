package store_test

import (
	"strconv"
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
