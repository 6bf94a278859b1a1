package store_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// A re-encryption also encrypts the callback keys of connections, and names those that it cannot decrypt.
func TestReencryptIntegrations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x, old := newSecretsTest(t, database)
		x.create(old)
		for _, partner := range store.Partners() {
			_, err := old.ConnectIntegration(t.Context(), x.scope, partner, "a key of "+string(partner))
			x.must(err)
		}
		lost, err := x.open(otherMaster).UnscopedReencrypt(t.Context())
		x.must(err)
		id := x.scope.OrganizationID + "/ashby"
		if lost.Changed != 0 || len(lost.Lost) != 4 || !slices.Contains(lost.Lost, id) {
			t.Errorf("%d changed and %v lost", lost.Changed, lost.Lost)
		}
		current := x.open(newMaster, oldMaster)
		x.reencrypt(current, 4, 4)
		x.reencrypt(x.open(newMaster), 0, 4)
	})
}

// Each statement that reads the tables of applicant tracking systems uses an index.
func TestIntegrationsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	var statements []string
	for _, table := range []string{"integration_orders", "integration_callbacks", "integration_exchanges"} {
		statements = append(statements, statementsOn(t, table)...)
	}
	// The statement about a person's data is assembled from parts: see TestDataOfAPersonAreFoundByIndex.
	statements = slices.DeleteFunc(statements, func(statement string) bool {
		return strings.Contains(statement, "'INTEGRATION' AS kind")
	})
	if len(statements) < 10 {
		t.Fatalf("the source has %d statements, which cannot be all", len(statements))
	}
	scan := regexp.MustCompile(`^SCAN (integration_\w+|o|q|b|c)\b`)
	storetest.Each(t, func(t *testing.T, database string) {
		address := storetest.URL(t, database)
		storetest.OpenURL(t, address, storetest.NewClock().Now)
		pool := openPool(t, address)
		if database == "sqlite" {
			for _, statement := range statements {
				for _, step := range explainSQLite(t, pool, statement) {
					if scan.MatchString(step) && !strings.Contains(step, "USING") {
						t.Errorf("%s\nin\n%s", step, statement)
					}
				}
			}
			return
		}
		for _, fill := range []string{`
			INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
			SELECT 'org_' || n, 'x', 14, now(), now() FROM generate_series(0, 9) n`, `
			INSERT INTO integration_exchanges (id, organization_id, partner, direction, method, address, session_id, created_at)
			SELECT 'exc_' || n, 'org_' || n % 10, 'ashby', 'SENT', 'POST', 'x', 'ses_' || n, now() + n * interval '1 s'
			FROM generate_series(1, 20000) n`, `
			INSERT INTO integration_callbacks (order_id, event_id, organization_id, run_at, lease, attempt, created_at)
			SELECT 'ord_' || n, 'evt_' || n, 'org_' || n % 10, now() + n * interval '1 s', '', 0, now()
			FROM generate_series(1, 20000) n`,
			`ANALYZE integration_exchanges, integration_callbacks`,
		} {
			if _, err := pool.Exec(fill); err != nil {
				t.Fatal(err)
			}
		}
		for _, statement := range statements {
			for _, step := range explainPostgres(t, pool, statement) {
				if strings.Contains(step, "Seq Scan on integration_exchanges") ||
					strings.Contains(step, "Seq Scan on integration_callbacks") {
					t.Errorf("%s\nin\n%s", step, statement)
				}
			}
		}
	})
}
