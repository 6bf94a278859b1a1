package queue_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store/queue"
	"assay/store/storetest"
)

const (
	drainEndpoints = 10
	drainDeleted   = 20_000 // deleted rows that an open snapshot keeps
	drainRows      = 5_000
)

// drainQueue is a queue on PostgreSQL that the test fills and drains.
type drainQueue struct {
	*queue.Queue
	t   *testing.T
	raw *sqlx.DB // the same database without the queue
}

func newDrainQueue(t *testing.T) drainQueue {
	t.Helper()
	url := storetest.URL(t, "postgres")
	raw, err := sqlx.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	q := drainQueue{storetest.OpenURL(t, url, time.Now).Queue(), t, raw}
	q.execute(`
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		VALUES ('org_1', 'O', 7, now(), now())`)
	q.execute(`
		INSERT INTO webhook_endpoints (id, organization_id, url, events, enabled, secret, secret_hint, created_at, updated_at)
		SELECT 'whk_' || g, 'org_1', 'https://hooks.example.com', 'candidate.invited', true, '', '', 0, 0
		FROM generate_series(0, $1 - 1) g`, drainEndpoints)
	return q
}

func (q drainQueue) execute(query string, args ...any) {
	q.t.Helper()
	if _, err := q.raw.ExecContext(q.t.Context(), query, args...); err != nil {
		q.t.Fatal(err)
	}
}

// fill adds deliveries from..to-1, which are due 100 µs after each other, as in a burst.
func (q drainQueue) fill(from, to int) {
	q.t.Helper()
	q.execute(`
		INSERT INTO webhook_queue
			(delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt, created_at)
		SELECT 'dlv_' || lpad(g::text, 26, '0'), 'org_1', 'whk_' || g % $1, 'evt_1', 'candidate.invited',
			g::bigint * 100, '', 0, 0
		FROM generate_series($2::int, $3::int - 1) g`, drainEndpoints, from, to)
}

// An open snapshot, such as that of a backup, prevents PostgreSQL from removing
// rows that were deleted since. The queue must be almost as fast as without one.
func TestDrainBesideAnOpenSnapshot(t *testing.T) {
	const least, most = 5, 25 // rounds
	q := newDrainQueue(t)
	var without, with []time.Duration
	var free, held time.Duration
	for round := range most { // alternates, so that other load on the machine affects both
		without = append(without, q.round(false))
		with = append(with, q.round(true))
		free, held = slices.Min(without), slices.Min(with) // other load only adds time
		if round+1 >= least && held <= free*10/7 {
			break
		}
	}
	t.Logf("%d rounds of %d deliveries: %v, with an open snapshot %v (%.0f %%)",
		len(with), drainRows, free, held, 100*float64(free)/float64(held))
	if held > free*10/7 {
		t.Errorf("the drain takes %v with an open snapshot, %v without", held, free)
	}
}

// round returns how long it takes to drain the queue after many deletions, with or
// without an open snapshot.
func (q drainQueue) round(held bool) time.Duration {
	q.t.Helper()
	ctx := q.t.Context()
	q.execute(`TRUNCATE webhook_queue, webhook_deliveries, webhook_attempts`)
	q.fill(0, drainDeleted)
	if held {
		snapshot, err := q.raw.Connx(ctx)
		if err != nil {
			q.t.Fatal(err)
		}
		defer func() { _ = snapshot.Close() }()
		defer func() { _, _ = snapshot.ExecContext(ctx, `ROLLBACK`) }()
		var rows int
		if _, err := snapshot.ExecContext(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ`); err != nil {
			q.t.Fatal(err)
		}
		if err := snapshot.GetContext(ctx, &rows, `SELECT COUNT(*) FROM webhook_queue`); err != nil || rows != drainDeleted {
			q.t.Fatal(rows, err)
		}
	}
	q.execute(`DELETE FROM webhook_queue`)
	if !held {
		q.execute(`VACUUM webhook_queue`) // autovacuum is off in tests
	}
	q.fill(drainDeleted, drainDeleted+drainRows)
	began := time.Now()
	if n := q.drain(); n != drainRows {
		q.t.Fatalf("%d deliveries drained, want %d", n, drainRows)
	}
	return time.Since(began)
}

// drain claims and settles deliveries as a dispatcher does. Each endpoint has a
// cursor that is slightly before the last claimed delivery. Once a second the
// cursor returns to the beginning (advance and rewind in webhooks/endpoint.go).
func (q drainQueue) drain() (drained int) {
	q.t.Helper()
	const slack = 100_000 // microseconds
	var rewound time.Time
	var capacities []queue.Capacity
	at := make(map[string]int, drainEndpoints) // index into capacities
	for {
		now := q.Now()
		if now.Sub(rewound) > time.Second {
			due, err := q.DueWebhooks(q.t.Context(), now)
			if err != nil {
				q.t.Fatal(err)
			}
			if len(due) == 0 {
				return drained
			}
			capacities, rewound = make([]queue.Capacity, drainEndpoints), now
			for i := range capacities {
				capacities[i] = queue.Capacity{WebhookID: fmt.Sprintf("whk_%d", i), Free: 32}
				at[capacities[i].WebhookID] = i
			}
		}
		lease := fmt.Sprintf("lease-%d", drained)
		jobs, err := q.Claim(q.t.Context(), capacities, now, now.Add(25*time.Second), lease)
		if err != nil {
			q.t.Fatal(err)
		}
		if len(jobs) == 0 {
			return drained
		}
		for batch := range slices.Chunk(jobs, 256) {
			outcomes := make([]queue.Outcome, len(batch))
			for i, job := range batch {
				code := 200
				outcomes[i] = queue.Outcome{Job: job, Status: queue.Succeeded,
					Attempt: queue.Attempt{Number: 1, StartedAt: queue.Time{Time: now}, StatusCode: &code}}
				capacity := &capacities[at[job.WebhookID]]
				capacity.AfterRunAt = max(capacity.AfterRunAt, job.RunAt-slack)
			}
			settled, err := q.Settle(q.t.Context(), outcomes)
			if err != nil {
				q.t.Fatal(err)
			}
			drained += len(settled)
		}
	}
}
