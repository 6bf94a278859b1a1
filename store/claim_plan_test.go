package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/keys"

	"github.com/jmoiron/sqlx"
)

// planEndpoints is over how many endpoints the rows of these tests lie.
const planEndpoints = 10

// planStore opens a store on a PostgreSQL database of its own. storetest cannot
// be used here: it imports this package, whose inside is tested.
func planStore(t *testing.T) *Store {
	t.Helper()
	ctx, base := context.Background(), os.Getenv("TEST_DATABASE_URL")
	if base == "" {
		t.Fatal("TEST_DATABASE_URL is not set: run the tests with `make test`, which starts a PostgreSQL for them")
	}
	admin, err := sqlx.Open("postgres", base)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("assay_plan_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := admin.ExecContext(ctx, `CREATE DATABASE `+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(ctx, `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
		_ = admin.Close()
	})
	parsed, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Path = "/" + name
	keys, err := keys.New("claim-plan-secret-claim-plan-secret")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, Options{DatabaseURL: parsed.String(), Keys: keys, Now: time.Now, Passwords: PasswordCost{MemoryKiB: 64, Passes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Register(ctx, Scope{}, Registration{OrganizationName: "O", Name: "N", Email: "n@example.com", Password: "abcdefghijkl-x"}); err != nil {
		t.Fatal(err)
	}
	planExec(t, s, `
		INSERT INTO webhook_endpoints (id, organization_id, url, events, enabled, secret, secret_hint, created_at, updated_at)
		SELECT 'whk_' || g, (SELECT id FROM organizations), 'https://hooks.example.com', 'candidate.invited', true, '', '', 0, 0 FROM generate_series(0, $1 - 1) g`, planEndpoints)
	return s
}

func planExec(t *testing.T, s *Store, query string, args ...any) {
	t.Helper()
	if _, err := s.writer.ExecContext(context.Background(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// planFill queues deliveries from..to-1, due 100 µs after each other, as in a burst.
func planFill(t *testing.T, s *Store, from, to int) {
	t.Helper()
	planExec(t, s, `
		INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt, created_at)
		SELECT 'dlv_' || lpad(g::text, 26, '0'), 'org_1', 'whk_' || g % $1, 'evt_1', 'candidate.invited', g::bigint * 100, '', 0, 0
		FROM generate_series($2::int, $3::int - 1) g`, planEndpoints, from, to)
}

// planCapacities are what a dispatcher asks for with all endpoints hungry.
func planCapacities(free int) []Capacity {
	capacities := make([]Capacity, planEndpoints)
	for i := range capacities {
		capacities[i] = Capacity{WebhookID: fmt.Sprintf("whk_%d", i), Free: free}
	}
	return capacities
}

// TestClaimUsesItsIndex looks at the plans of the claim, on the dispatcher's own
// connections, with the statistics that a queue has: right, of another time, none.
func TestClaimUsesItsIndex(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		prepare func(t *testing.T, s *Store)
	}{
		{"empty, never analyzed", func(*testing.T, *Store) {}},
		{"empty, analyzed", func(t *testing.T, s *Store) { planExec(t, s, `ANALYZE`) }},
		{"full, analyzed", func(t *testing.T, s *Store) { planFill(t, s, 0, 50_000); planExec(t, s, `ANALYZE`) }},
		{"full, analyzed when empty", func(t *testing.T, s *Store) { planExec(t, s, `VACUUM ANALYZE`); planFill(t, s, 0, 50_000) }},
		{"full, never analyzed", func(t *testing.T, s *Store) { planFill(t, s, 0, 50_000) }},
		{"emptied, analyzed when full", func(t *testing.T, s *Store) {
			planFill(t, s, 0, 50_000)
			planExec(t, s, `ANALYZE`)
			planExec(t, s, `DELETE FROM webhook_queue`)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := planStore(t)
			row.prepare(t, s)
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				plan := claimPlan(t, s, mode)
				scans := scansOf(plan)
				if !slices.Contains(scans, "Index Scan using webhook_queue_due") && !slices.Contains(scans, "Index Only Scan using webhook_queue_due") {
					t.Errorf("%s: %v", mode, scans)
				}
				if slices.ContainsFunc(scans, func(scan string) bool { return strings.Contains(scan, "Seq Scan") || strings.Contains(scan, "Bitmap") }) {
					t.Errorf("%s reads the whole queue: %v", mode, scans)
				}
			}
		})
	}
}

// claimPlan is the plan of the claim as a prepared statement, which is how it runs.
func claimPlan(t *testing.T, s *Store, mode string) any {
	t.Helper()
	ctx := context.Background()
	conn, err := s.dispatch.Connx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	capacities, err := json.Marshal(planCapacities(64))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`SET plan_cache_mode = ` + mode, `PREPARE claim AS ` + sqlx.Rebind(s.dialect.bind, claimStatement)} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	var text string
	if err := conn.GetContext(ctx, &text, fmt.Sprintf(`EXPLAIN (FORMAT JSON) EXECUTE claim('%s', %d, %d, 'lease')`,
		capacities, int64(1)<<60, int64(1)<<61)); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`DEALLOCATE claim`, `RESET plan_cache_mode`} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	var plan any
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

// scansOf lists how the plan reads the queue.
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

const (
	drainDeleted = 20_000 // delivered before
	drainRows    = 5_000
)

// TestDrainBesideAnOpenSnapshot holds a snapshot open, as a backup does, so that
// nothing deleted since can be removed, and compares the speed of the drain.
func TestDrainBesideAnOpenSnapshot(t *testing.T) {
	const least, most = 5, 25 // rounds
	s := planStore(t)
	var without, with []time.Duration
	var free, held time.Duration
	for round := range most { // in turn, so that what else the machine does meets both alike
		without = append(without, drainRound(t, s, false))
		with = append(with, drainRound(t, s, true))
		free, held = slices.Min(without), slices.Min(with) // what else the machine does only adds
		if round+1 >= least && held <= free*10/7 {
			break
		}
	}
	t.Logf("%d deliveries: %v, with a snapshot held %v (%.0f %%)", drainRows, free, held, 100*float64(free)/float64(held))
	if held > free*10/7 {
		t.Errorf("the drain takes %v with a snapshot held, %v without", held, free)
	}
}

func drainRound(t *testing.T, s *Store, held bool) time.Duration {
	t.Helper()
	ctx := context.Background()
	planExec(t, s, `TRUNCATE webhook_queue, webhook_deliveries, webhook_attempts`)
	planFill(t, s, 0, drainDeleted)
	if held {
		snapshot, err := s.writer.Connx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = snapshot.Close() }()
		defer func() { _, _ = snapshot.ExecContext(ctx, `ROLLBACK`) }()
		var count int
		if _, err := snapshot.ExecContext(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ`); err != nil {
			t.Fatal(err)
		}
		if err := snapshot.GetContext(ctx, &count, `SELECT COUNT(*) FROM webhook_queue`); err != nil || count != drainDeleted {
			t.Fatal(count, err)
		}
	}
	planExec(t, s, `DELETE FROM webhook_queue`)
	if !held {
		planExec(t, s, `VACUUM webhook_queue`) // autovacuum's part, which is off in tests
	}
	planFill(t, s, drainDeleted, drainDeleted+drainRows)
	started := time.Now()
	if n := drain(t, s); n != drainRows {
		t.Fatalf("drained %d", n)
	}
	return time.Since(started)
}

// drain claims and settles as a dispatcher does: with a cursor for each
// endpoint, a little behind what it claimed last, and a look at everything once
// a second (webhooks/endpoint.go, advance and rewind).
func drain(t *testing.T, s *Store) (drained int) {
	t.Helper()
	const slack = 100_000 // microseconds
	ctx, looked := context.Background(), time.Time{}
	var capacities []Capacity
	at := make(map[string]int, planEndpoints)
	for {
		now := s.Now()
		if now.Sub(looked) > time.Second {
			due, err := s.UnscopedDueWebhooks(ctx, now)
			if err != nil {
				t.Fatal(err)
			}
			if len(due) == 0 {
				return drained
			}
			capacities, looked = planCapacities(32), now
			for i, capacity := range capacities {
				at[capacity.WebhookID] = i
			}
		}
		jobs, err := s.UnscopedClaim(ctx, capacities, now, now.Add(25*time.Second), fmt.Sprintf("lease-%d", drained))
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 0 {
			return drained
		}
		for batch := range slices.Chunk(jobs, 256) {
			outcomes := make([]Outcome, len(batch))
			for i, job := range batch {
				code := 200
				outcomes[i] = Outcome{Job: job, Status: DeliverySucceeded, Attempt: Attempt{Number: 1, StartedAt: Time{Time: now}, StatusCode: &code}}
				capacity := &capacities[at[job.WebhookID]]
				capacity.AfterRunAt = max(capacity.AfterRunAt, job.RunAt-slack)
			}
			ours, err := s.UnscopedSettle(ctx, outcomes)
			if err != nil {
				t.Fatal(err)
			}
			drained += len(ours)
		}
	}
}
