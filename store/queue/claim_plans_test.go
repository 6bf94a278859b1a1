package queue_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/queue"
)

// The claim must read the queue through its index, with any statistics: current,
// outdated, or missing.
func TestClaimUsesItsIndex(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		prepare func(q drainQueue)
	}{
		{"empty, never analyzed", func(drainQueue) {}},
		{"empty, analyzed", func(q drainQueue) { q.execute(`ANALYZE`) }},
		{"full, analyzed", func(q drainQueue) { q.fill(0, 50_000); q.execute(`ANALYZE`) }},
		{"full, analyzed when empty", func(q drainQueue) { q.execute(`VACUUM ANALYZE`); q.fill(0, 50_000) }},
		{"full, never analyzed", func(q drainQueue) { q.fill(0, 50_000) }},
		{"emptied, analyzed when full", func(q drainQueue) {
			q.fill(0, 50_000)
			q.execute(`ANALYZE`)
			q.execute(`DELETE FROM webhook_queue`)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			q := newDrainQueue(t)
			row.prepare(q)
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				scans := scansOf(q.explainClaim(`EXPLAIN (FORMAT JSON)`, `SET LOCAL plan_cache_mode = `+mode))
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
	q := newDrainQueue(t)
	// Filling the queue is faster without this index, which the claim does not use.
	q.execute(`DROP INDEX webhook_queue_event_newest`)
	q.fill(0, 300_000)
	q.execute(`ANALYZE webhook_queue`)
	const explain, anyCost = `EXPLAIN (ANALYZE, FORMAT JSON)`, `SET LOCAL jit_above_cost = 0`
	if isCompiled(q.explainClaim(explain, anyCost)) {
		t.Error("PostgreSQL compiles the claim")
	}
	// With JIT on, the plan must show the compilation. Otherwise the check above proves
	// nothing.
	compiles := isCompiled(q.explainClaim(explain, anyCost, `SET LOCAL jit = on`))
	if canCompile := q.canCompile(); compiles != canCompile {
		t.Errorf("with jit on, the claim is compiled: %v, and PostgreSQL can compile: %v", compiles, canCompile)
	}
}

// canCompile reports whether the server has PostgreSQL's JIT compiler, which is a
// separate package.
func (q drainQueue) canCompile() (available bool) {
	q.t.Helper()
	tx, err := q.raw.BeginTxx(q.t.Context(), nil)
	if err != nil {
		q.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(q.t.Context(), `SET LOCAL jit = on`); err != nil {
		q.t.Fatal(err)
	}
	if err := tx.GetContext(q.t.Context(), &available, `SELECT pg_jit_available()`); err != nil {
		q.t.Fatal(err)
	}
	return available
}

// isCompiled reports whether a plan has a section on compilation (JIT).
func isCompiled(plan any) bool {
	section, compiled := plan.([]any)[0].(map[string]any)["JIT"]
	return compiled && section != nil
}

// explainClaim returns the plan of a claim for all endpoints, after SET LOCAL statements.
func (q drainQueue) explainClaim(explain string, settings ...string) (plan any) {
	q.t.Helper()
	capacities := make([]queue.Capacity, drainEndpoints)
	for i := range capacities {
		capacities[i] = queue.Capacity{WebhookID: fmt.Sprintf("whk_%d", i), Free: 64}
	}
	text, err := q.ExplainClaim(q.t.Context(), explain, capacities, settings...)
	if err != nil {
		q.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		q.t.Fatal(err)
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

// A queued delivery does not lock its endpoint, and the index that webhook_deliveries_event_newest replaces is dropped.
func TestReplacedIndexAndReferenceAreDropped(t *testing.T) {
	t.Parallel()
	q := newDrainQueue(t)
	var left int
	if err := q.raw.GetContext(t.Context(), &left, `SELECT
		(SELECT COUNT(*) FROM pg_constraint WHERE conname = 'webhook_queue_webhook_id_fkey') +
		(SELECT COUNT(*) FROM pg_class
			WHERE relname IN ('webhook_deliveries_event', 'webhook_deliveries_rest_event_id_idx'))`,
	); err != nil || left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
}
