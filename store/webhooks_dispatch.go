package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// What the dispatcher does to the queue. A claim takes a lease: while it lasts
// nobody else claims the delivery, and only the holder settles it.

// Capacity is the number of deliveries of one endpoint that a claim may take,
// and the place in the endpoint's order of run_at and id after which it begins.
type Capacity = db.Capacity

// Job is one claimed delivery.
type Job struct {
	DeliveryID string    `db:"delivery_id"`
	WebhookID  string    `db:"webhook_id"`
	EventID    string    `db:"event_id"`
	EventType  EventType `db:"event_type"`
	Attempt    int       `db:"attempt"` // attempts made before this one
	RunAt      int64     `db:"was"`     // when it was due, in microseconds since 1970
	Body       string    `db:"-"`       // the event's bytes
	Lease      string    `db:"-"`
}

// DueWebhook is an endpoint that has a delivery due, and how it did so far.
type DueWebhook struct {
	WebhookID           string `db:"webhook_id"`
	ConsecutiveFailures int    `db:"consecutive_failures"`
	Succeeded           bool   `db:"succeeded"` // at least once
}

// UnscopedDueWebhooks returns the endpoints that have a delivery due at now.
// It steps from endpoint to endpoint through the index, whatever their backlogs.
func (s *Store) UnscopedDueWebhooks(ctx context.Context, now time.Time) ([]DueWebhook, error) {
	var due []DueWebhook
	err := s.db.DispatcherRead().List(ctx, &due, `
		WITH RECURSIVE waiting (webhook_id) AS (
			SELECT (SELECT q.webhook_id FROM webhook_queue q ORDER BY q.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > w.webhook_id ORDER BY q.webhook_id LIMIT 1)
			FROM waiting w WHERE w.webhook_id IS NOT NULL)
		SELECT w.webhook_id, h.consecutive_failures, h.last_success_at IS NOT NULL AS succeeded FROM waiting w JOIN webhook_endpoints h ON h.id = w.webhook_id
		WHERE h.enabled AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.webhook_id = w.webhook_id AND q.run_at <= ?)`, now.UnixMicro())
	return due, err
}

// UnscopedClaim leases due deliveries, at most what each endpoint has capacity
// for, until leaseEnd, and returns them with their events' bytes. lease must be
// unlike any other.
func (s *Store) UnscopedClaim(ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string) ([]Job, error) {
	var jobs []Job
	dest := func() any {
		jobs = nil
		return &jobs
	}
	if err := s.db.Claim(ctx, s.db, dest, capacities, db.Lease{Token: lease, Now: now, End: leaseEnd}); err != nil || len(jobs) == 0 {
		return nil, err
	}
	bodies, err := s.bodies(ctx, jobs)
	for i := range jobs {
		jobs[i].Lease, jobs[i].Body = lease, bodies[jobs[i].EventID]
	}
	return jobs, err
}

// bodies reads the bytes of the jobs' events, each once, by event id.
func (s *Store) bodies(ctx context.Context, jobs []Job) (map[string]string, error) {
	bodies := make(map[string]string, len(jobs))
	var wanted []string
	for _, job := range jobs {
		if _, there := bodies[job.EventID]; !there {
			bodies[job.EventID] = ""
			wanted = append(wanted, job.EventID)
		}
	}
	ids, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	var events []Event
	if err := s.db.DispatcherRead().List(ctx, &events,
		`SELECT id, body FROM events WHERE id IN (SELECT value `+s.db.TextOf+` FROM `+s.db.JSONRows+`)`, string(ids)); err != nil {
		return nil, err
	}
	s.signInvites(events)
	for _, event := range events {
		bodies[event.ID] = event.Body
	}
	return bodies, nil
}

// UnscopedTargets returns where the endpoints' attempts go, by endpoint id.
// Missing are those that are disabled or gone, and those whose secret cannot be
// opened: what they have in the queue waits until it can, and holds up no other.
func (s *Store) UnscopedTargets(ctx context.Context, webhookIDs []string) (map[string]Target, error) {
	ids, err := json.Marshal(webhookIDs)
	if err != nil {
		return nil, err
	}
	var endpoints []WebhookEndpoint
	if err := s.db.DispatcherRead().List(ctx, &endpoints, webhookColumns+
		` WHERE enabled AND id IN (SELECT value `+s.db.TextOf+` FROM `+s.db.JSONRows+`)`, string(ids)); err != nil {
		return nil, err
	}
	targets := make(map[string]Target, len(endpoints))
	for _, endpoint := range endpoints {
		target, err := s.target(endpoint)
		if err != nil {
			s.opts.Log.ErrorContext(ctx, "deliveries of an endpoint wait", "webhook", endpoint.ID, "error", err)
			continue
		}
		targets[endpoint.ID] = target
	}
	return targets, nil
}

// Outcome is the result of one job's attempt.
type Outcome struct {
	Job     Job
	Attempt Attempt
	Status  DeliveryStatus // SUCCEEDED, FAILED, or PENDING when it is tried again
	RetryAt time.Time      // of a pending one
}

// UnscopedSettle writes what came of a batch of jobs: the attempts, and for
// each delivery its end or its next attempt. It is fenced by the lease: of a
// delivery that somebody else has claimed meanwhile nothing is written. It
// returns the ids of those that were ours.
func (s *Store) UnscopedSettle(ctx context.Context, outcomes []Outcome) (map[string]bool, error) {
	settlements, now := make([]db.Settlement, len(outcomes)), s.Now().UnixMicro()
	for i, o := range outcomes {
		settlements[i] = db.Settlement{
			DeliveryID: o.Job.DeliveryID, Lease: o.Job.Lease, Number: o.Attempt.Number, StartedAt: o.Attempt.StartedAt.UnixMicro(),
			DurationMS: o.Attempt.DurationMS, StatusCode: o.Attempt.StatusCode, Reason: (*string)(o.Attempt.FailureReason),
			ResponseBody: o.Attempt.ResponseBody, Status: string(o.Status), RetryAt: o.RetryAt.UnixMicro(), EndedAt: now,
		}
	}
	ids, err := s.db.Settle(ctx, s.db, settlements)
	settled := make(map[string]bool, len(ids))
	for _, id := range ids {
		settled[id] = true
	}
	return settled, err
}

// UnscopedGiveBack ends the leases of jobs that were not begun, which are due
// again at once.
func (s *Store) UnscopedGiveBack(ctx context.Context, jobs []Job) error {
	if len(jobs) == 0 {
		return nil
	}
	rows := make([]db.Settlement, len(jobs))
	for i, job := range jobs {
		rows[i] = db.Settlement{DeliveryID: job.DeliveryID, Lease: job.Lease, RetryAt: job.RunAt}
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = s.db.Dispatcher().Exec(ctx, `
		UPDATE webhook_queue SET run_at = s.run_at, lease = ''
		FROM (SELECT value->>'i' AS id, value->>'l' AS lease, CAST(value->>'r' AS BIGINT) AS run_at FROM `+s.db.JSONRows+`) s
		WHERE webhook_queue.delivery_id = s.id AND webhook_queue.lease = s.lease`, string(encoded))
	return err
}
