package queue_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store/queue"
)

// begin opens a transaction of another program, which the test ends.
func (q drainQueue) begin() *sqlx.Tx {
	q.t.Helper()
	tx, err := q.raw.BeginTxx(context.Background(), nil)
	if err != nil {
		q.t.Fatal(err)
	}
	q.t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// awaitWaiting waits until a statement of the queue waits for a lock.
func (q drainQueue) awaitWaiting() {
	q.t.Helper()
	for range 1000 {
		var waiting bool
		if err := q.raw.GetContext(q.t.Context(), &waiting, `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`); err != nil {
			q.t.Fatal(err)
		}
		if waiting {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	q.t.Fatal("no statement waits for a lock")
}

func deliveryOf(number int) string { return fmt.Sprintf("dlv_%026d", number) }

// locksInOrder runs change while another transaction has the delivery of the lowest id. change must not lock another
// delivery before it has this one: two changes of the same deliveries would otherwise wait for each other.
func (q drainQueue) locksInOrder(deliveries int, change func() error) {
	q.t.Helper()
	other := q.begin()
	if _, err := other.ExecContext(q.t.Context(), `SELECT 1 FROM webhook_queue WHERE delivery_id = $1 FOR UPDATE`,
		deliveryOf(0)); err != nil {
		q.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- change() }()
	q.awaitWaiting()
	var free int
	if err := q.raw.GetContext(q.t.Context(), &free, `SELECT COUNT(*) FROM (
		SELECT 1 FROM webhook_queue FOR UPDATE SKIP LOCKED) f`); err != nil {
		q.t.Fatal(err)
	}
	if free != deliveries-1 {
		q.t.Errorf("%d deliveries are free while the first one is awaited, want %d", free, deliveries-1)
	}
	if err := other.Rollback(); err != nil {
		q.t.Fatal(err)
	}
	if err := <-ended; err != nil {
		q.t.Error(err)
	}
}

func TestSettleLocksInTheOrderOfIDs(t *testing.T) {
	t.Parallel()
	const deliveries = 10
	q := newDrainQueue(t)
	q.fill(0, deliveries)
	var capacities []queue.Capacity
	for n := range drainEndpoints {
		capacities = append(capacities, queue.Capacity{WebhookID: fmt.Sprintf("whk_%d", n), Free: deliveries})
	}
	now := q.Now()
	jobs, err := q.Claim(t.Context(), capacities, now, now.Add(time.Minute), "lease")
	if err != nil || len(jobs) != deliveries {
		t.Fatal(len(jobs), err)
	}
	slices.SortFunc(jobs, func(a, b queue.Job) int { return cmp.Compare(b.DeliveryID, a.DeliveryID) })
	outcomes := make([]queue.Outcome, len(jobs))
	for i, job := range jobs {
		outcomes[i] = queue.Outcome{Job: job, Status: queue.Succeeded,
			Attempt: queue.Attempt{Number: 1, StartedAt: queue.Time{Time: now}}}
	}
	q.locksInOrder(deliveries, func() error {
		written, err := q.Settle(context.WithoutCancel(t.Context()), outcomes)
		if err == nil && slices.Contains(written, false) {
			err = fmt.Errorf("not all are written: %v", written)
		}
		return err
	})
}

func TestCancelLocksInTheOrderOfIDs(t *testing.T) {
	t.Parallel()
	const deliveries = 10
	q := newDrainQueue(t)
	q.fill(0, deliveries)
	q.execute(`UPDATE webhook_queue SET webhook_id = 'whk_0', run_at = 1000 - run_at`)
	q.execute(`UPDATE webhook_endpoints SET enabled = false`)
	q.locksInOrder(deliveries, func() error { return q.CancelSome(context.WithoutCancel(t.Context()), "whk_0") })
}

// A process that waited for a part of a replay, which another one has queued meanwhile, goes on with the next part.
func TestReplayGoesOnAfterAPartOfAnother(t *testing.T) {
	t.Parallel()
	q := newDrainQueue(t)
	q.execute(`INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || lpad(g::text, 26, '0'), 'org_1', 'candidate.invited', 'ses_1', '{}', now()
		FROM generate_series(1, 2) g`)
	q.execute(`INSERT INTO webhook_replays (id, organization_id, webhook_id, event_ids, event_count)
		SELECT 'rpl_' || lpad(g::text, 26, '0'), 'org_1', 'whk_0', '["evt_' || lpad(g::text, 26, '0') || '"]', 1
		FROM generate_series(1, 2) g`)
	other := q.begin()
	if _, err := other.ExecContext(t.Context(), `DELETE FROM webhook_replays WHERE id LIKE '%1'`); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- q.QueueReplays(context.WithoutCancel(t.Context())) }()
	q.awaitWaiting()
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var left, queued int
	if err := q.raw.QueryRowxContext(t.Context(), `SELECT (SELECT COUNT(*) FROM webhook_replays),
		(SELECT COUNT(*) FROM webhook_queue)`).Scan(&left, &queued); err != nil {
		t.Fatal(err)
	}
	if left != 0 || queued != 1 {
		t.Errorf("%d parts are left and %d deliveries queued, want 0 and 1", left, queued)
	}
}
