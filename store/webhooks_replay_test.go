package store_test

import (
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// deliveredAgain fills an organization with 6,000 events of one millisecond. A third of them failed and arrived later,
// many of these several times; a third arrived and failed when they were sent again; a third failed twice.
var deliveredAgain = []string{`
	INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at) VALUES ('org_1', 'O', 7, $1, $1)`, `
	INSERT INTO webhook_endpoints (id, organization_id, url, events, enabled, secret, secret_hint, created_at, updated_at)
	VALUES ('whk_1', 'org_1', 'https://hooks.example.com', 'candidate.invited', true, $1, '', 0, 0)`, `
	CREATE TABLE numbers AS
	WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
	SELECT n, '0' || CAST(100000000000000 + n AS TEXT) AS suffix, n % 3 AS kind FROM numbers`, `
	INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
	SELECT 'evt_' || substr($1, 5, 10) || suffix, 'org_1', 'candidate.invited', 'ses_1', '{}', $2 FROM numbers`, `
	INSERT INTO webhook_deliveries
		(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
	SELECT 'dlv_' || substr($1, 5, 10) || suffix, 'org_1', 'whk_1', 'evt_' || substr($1, 5, 10) || suffix,
		'candidate.invited', CASE kind WHEN 1 THEN 'SUCCEEDED' ELSE 'FAILED' END, 1, 0, 0 FROM numbers`, `
	INSERT INTO webhook_deliveries
		(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
	SELECT 'dlv_' || substr($2, 5, 10) || CAST(1000 + t.n AS TEXT) || substr(e.suffix, 5), 'org_1', 'whk_1',
		'evt_' || substr($1, 5, 10) || e.suffix,
		'candidate.invited', CASE e.kind WHEN 0 THEN 'SUCCEEDED' ELSE 'FAILED' END, 1, 0, 0
	FROM numbers e JOIN (SELECT n FROM numbers WHERE n <= 70) t
		ON t.n <= CASE WHEN e.n < 2500 AND e.kind = 0 THEN 70 ELSE 1 END`,
}

// Deliveries that were sent again are found however many there are.
func TestReplayOfManySentAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		s := storetest.OpenURL(t, address, time.Now)
		pool := openPool(t, address)
		now := time.Now().UTC()
		stored := any(now)
		if database == "sqlite" {
			stored = now.UnixMicro()
		}
		event := s.NewID("evt")
		time.Sleep(2 * time.Millisecond)
		again := s.NewID("dlv")
		for n, arguments := range [][]any{{stored}, {[]byte{}}, nil, {event, stored}, {event}, {event, again}} {
			if _, err := pool.ExecContext(t.Context(), deliveredAgain[n], arguments...); err != nil {
				t.Fatal(err)
			}
		}
		scope := store.Scope{OrganizationID: "org_1"}
		for _, maxWalked := range []int{100_000, 100} { // with the second, the events are looked up
			s.SetMaxWalked(maxWalked)
			for status, want := range map[store.DeliveryStatus]int{
				store.DeliveryFailed: 2000, store.DeliverySucceeded: 4000, store.DeliveryCancelled: 0,
			} {
				got, err := s.ReplayWebhook(t.Context(), scope, "whk_1", store.Replay{
					Since: now.Add(-time.Hour), Until: now.Add(time.Hour), Status: status, DryRun: true,
				})
				if err != nil || got.Count != want || got.HasMore {
					t.Errorf("%s of %d: %+v, %v, want %d", status, maxWalked, got, err, want)
				}
			}
		}
	})
}

// A replay of one status reads deliveries in the order of the index that has them, and sorts none.
func TestReplayOfAStatusFollowsAnIndex(t *testing.T) {
	t.Parallel()
	fill := []string{`
		INSERT INTO webhook_deliveries
			(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || n, 'org_1', 'whk_' || n % 3, 'evt_' || n - n % 10 / 9 * 200000, 'candidate.invited',
			CASE WHEN n % 2 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END, 1, 0, 0
		FROM generate_series(1000000000, 1000200000) n`,
		`ANALYZE webhook_deliveries`,
	}
	eachPlanner(t, fill, func(t *testing.T, s *store.Store, plan func(string) string) {
		for index, statement := range s.WalkedIndexes() {
			got := plan(statement)
			used := strings.Contains(got, " INDEX "+index+" (") ||
				strings.Contains(got, "rest_"+strings.TrimPrefix(index, "webhook_deliveries_"))
			if !used || strings.Contains(got, "Sort  (") || strings.Contains(got, "TEMP B-TREE") {
				t.Errorf("%s: %s", index, got)
			}
		}
	})
}
