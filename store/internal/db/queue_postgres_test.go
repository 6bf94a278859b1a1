package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"assay/store/migrations"
)

// queueEndpoints is the number of endpoints to which the queue's rows belong.
const queueEndpoints = 10

// queueDatabase creates a migrated PostgreSQL database with endpoints.
func queueDatabase(t *testing.T) *DB {
	t.Helper()
	d := openURL(t, postgresURL(t))
	if err := d.Migrate(t.Context(), migrations.Files, nothingAfter); err != nil {
		t.Fatal(err)
	}
	execute(t, d, `
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		VALUES ('org_1', 'O', 7, now(), now())`)
	execute(t, d, `
		INSERT INTO webhook_endpoints (id, organization_id, url, events, enabled, secret, secret_hint, created_at, updated_at)
		SELECT 'whk_' || g, 'org_1', 'https://hooks.example.com', 'candidate.invited', true, '', '', 0, 0
		FROM generate_series(0, $1 - 1) g`, queueEndpoints)
	return d
}

// fillQueue adds deliveries. Each is due 100 µs after the previous one, as in a burst.
func fillQueue(t *testing.T, d *DB, deliveries int) {
	t.Helper()
	execute(t, d, `
		INSERT INTO webhook_queue
			(delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt, created_at)
		SELECT 'dlv_' || lpad(g::text, 26, '0'), 'org_1', 'whk_' || g % $1, 'evt_1', 'candidate.invited',
			g::bigint * 100, '', 0, 0
		FROM generate_series(0, $2::int - 1) g`, queueEndpoints, deliveries)
}

// The claim must read the queue through its index, with any statistics: current,
// outdated, or missing.
func TestClaimUsesItsIndex(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		prepare func(t *testing.T, d *DB)
	}{
		{"empty, never analyzed", func(*testing.T, *DB) {}},
		{"empty, analyzed", func(t *testing.T, d *DB) { execute(t, d, `ANALYZE`) }},
		{"full, analyzed", func(t *testing.T, d *DB) { fillQueue(t, d, 50_000); execute(t, d, `ANALYZE`) }},
		{"full, analyzed when empty", func(t *testing.T, d *DB) { execute(t, d, `VACUUM ANALYZE`); fillQueue(t, d, 50_000) }},
		{"full, never analyzed", func(t *testing.T, d *DB) { fillQueue(t, d, 50_000) }},
		{"emptied, analyzed when full", func(t *testing.T, d *DB) {
			fillQueue(t, d, 50_000)
			execute(t, d, `ANALYZE`)
			execute(t, d, `DELETE FROM webhook_queue`)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := queueDatabase(t)
			row.prepare(t, d)
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				scans := scansOf(explainClaim(t, d.dispatcher, `EXPLAIN (FORMAT JSON)`, `SET LOCAL plan_cache_mode = `+mode))
				if !slices.ContainsFunc(scans, usesDueIndex) {
					t.Errorf("%s: the claim does not use webhook_queue_due: %v", mode, scans)
				}
				if slices.ContainsFunc(scans, readsWholeQueue) {
					t.Errorf("%s reads the whole queue: %v", mode, scans)
				}
			}
		})
	}
}

func usesDueIndex(scan string) bool {
	return scan == "Index Scan using webhook_queue_due" || scan == "Index Only Scan using webhook_queue_due"
}

func readsWholeQueue(scan string) bool {
	return strings.Contains(scan, "Seq Scan") || strings.Contains(scan, "Bitmap")
}

// PostgreSQL must not compile the claim (JIT). With a large backlog its cost estimate
// is high, and compiling would take most of the time of the claim.
func TestClaimIsNotCompiled(t *testing.T) {
	t.Parallel()
	d := queueDatabase(t)
	// Filling the queue is faster without this index, which the claim does not use.
	execute(t, d, `DROP INDEX webhook_queue_event_newest`)
	fillQueue(t, d, 300_000)
	execute(t, d, `ANALYZE webhook_queue`)
	const explain, anyCost = `EXPLAIN (ANALYZE, FORMAT JSON)`, `SET LOCAL jit_above_cost = 0`
	if isCompiled(explainClaim(t, d.dispatcher, explain, anyCost)) {
		t.Error("PostgreSQL compiles the claim")
	}
	// With JIT on, the plan must show the compilation. Otherwise the check above proves
	// nothing.
	compiles := isCompiled(explainClaim(t, d.dispatcher, explain, anyCost, `SET LOCAL jit = on`))
	if canCompile := canCompile(t, d.dispatcher); compiles != canCompile {
		t.Errorf("with jit on, the claim is compiled: %v, and PostgreSQL can compile: %v", compiles, canCompile)
	}
}

// canCompile reports whether the server has PostgreSQL's JIT compiler, which is a
// separate package.
func canCompile(t *testing.T, pool *sqlx.DB) (available bool) {
	t.Helper()
	tx, err := pool.BeginTxx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SET LOCAL jit = on`); err != nil {
		t.Fatal(err)
	}
	if err := tx.GetContext(t.Context(), &available, `SELECT pg_jit_available()`); err != nil {
		t.Fatal(err)
	}
	return available
}

// isCompiled reports whether a plan has a section on compilation (JIT).
func isCompiled(plan any) bool {
	section, compiled := plan.([]any)[0].(map[string]any)["JIT"]
	return compiled && section != nil
}

// explainClaim returns the plan of the claim after SET LOCAL statements. The claim is
// a prepared statement, as in the dispatcher.
func explainClaim(t *testing.T, pool *sqlx.DB, explain string, settings ...string) (plan any) {
	t.Helper()
	ctx := context.Background()
	conn, err := pool.Connx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTxx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // also what EXPLAIN ANALYZE has claimed
	for _, statement := range append(settings, `PREPARE claim AS `+sqlx.Rebind(sqlx.DOLLAR, claimStatement)) {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { _, _ = conn.ExecContext(ctx, `DEALLOCATE claim`) }()
	capacities := make([]Capacity, queueEndpoints)
	for i := range capacities {
		capacities[i] = Capacity{WebhookID: fmt.Sprintf("whk_%d", i), Free: 64}
	}
	argument, err := encoded(capacities)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	if err := tx.GetContext(ctx, &text, fmt.Sprintf(explain+` EXECUTE claim('%s', %d, %d, 'lease')`,
		argument, int64(1)<<60, int64(1)<<61)); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

// scansOf lists the scans of the queue in a plan.
func scansOf(node any) (scans []string) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			scans = append(scans, scansOf(child)...)
		}
	case map[string]any:
		kind, _ := node["Node Type"].(string)
		if index, ok := node["Index Name"].(string); ok {
			scans = append(scans, kind+" using "+index)
		} else if node["Relation Name"] == "webhook_queue" && kind != "ModifyTable" {
			scans = append(scans, kind)
		}
		for _, child := range node {
			scans = append(scans, scansOf(child)...)
		}
	}
	return scans
}
