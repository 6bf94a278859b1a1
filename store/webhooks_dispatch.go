package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// These are the dispatcher's operations on the queue. A claim takes a lease: until
// it ends, nobody else claims the delivery, and only the holder settles it.

// Capacity is what a claim may take of one endpoint: the number of deliveries, and
// the position in the endpoint's queue after which the claim begins.
type Capacity = db.Capacity

// Job is one claimed delivery.
type Job struct {
	DeliveryID string
	WebhookID  string
	EventID    string
	EventType  EventType
	Attempt    int    // attempts made before this one
	RunAt      int64  // when it was due, in microseconds since 1970
	CreatedAt  int64  // in microseconds since 1970
	Body       string // the event's envelope
	Trace      string // of the request that caused the event, as the header traceparent; "" for none
	Lease      string
}

// DueWebhook is an endpoint with a due delivery, and its recent health.
type DueWebhook struct {
	WebhookID           string `db:"webhook_id"`
	ConsecutiveFailures int    `db:"consecutive_failures"`
	Succeeded           bool   `db:"succeeded"` // at least once
}

// UnscopedDueWebhooks returns the endpoints with a delivery due at now. The query
// jumps from endpoint to endpoint in the index, so that backlogs do not slow it.
func (s *Store) UnscopedDueWebhooks(ctx context.Context, now time.Time) ([]DueWebhook, error) {
	var due []DueWebhook
	err := s.db.DispatcherRead().List(ctx, &due, `
		WITH RECURSIVE waiting (webhook_id) AS (
			SELECT (SELECT q.webhook_id FROM webhook_queue q ORDER BY q.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > w.webhook_id ORDER BY q.webhook_id LIMIT 1)
			FROM waiting w WHERE w.webhook_id IS NOT NULL)
		SELECT w.webhook_id, h.consecutive_failures, h.last_success_at IS NOT NULL AS succeeded FROM waiting w
			JOIN webhook_endpoints h ON h.id = w.webhook_id
		WHERE h.enabled AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.webhook_id = w.webhook_id AND q.run_at <= ?)`,
		now.UnixMicro())
	return due, err
}

// UnscopedClaim leases due deliveries until leaseEnd, at most as many as each
// endpoint's capacity, and returns them with their events' envelopes. lease must be
// unique.
func (s *Store) UnscopedClaim(
	ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string,
) ([]Job, error) {
	claimed, err := s.db.Claim(ctx, s.db, capacities, db.Lease{Token: lease, Now: now, End: leaseEnd})
	if err != nil || len(claimed) == 0 {
		return nil, err
	}
	events, err := s.claimedEvents(ctx, claimed)
	jobs := make([]Job, len(claimed))
	for i, c := range claimed {
		jobs[i] = Job{
			DeliveryID: c.DeliveryID, WebhookID: c.WebhookID, EventID: c.EventID, EventType: EventType(c.EventType),
			Attempt: c.Attempt, RunAt: c.DueAt, CreatedAt: c.CreatedAt, Lease: lease,
			Body: events[c.EventID].Body, Trace: events[c.EventID].Trace,
		}
	}
	return jobs, err
}

// claimedEvents returns the events of the deliveries, by id.
func (s *Store) claimedEvents(ctx context.Context, jobs []db.Claimed) (map[string]Event, error) {
	byID := make(map[string]Event, len(jobs))
	var wanted []string
	for _, job := range jobs {
		if _, there := byID[job.EventID]; !there {
			byID[job.EventID] = Event{}
			wanted = append(wanted, job.EventID)
		}
	}
	ids, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	var events []Event
	if err := s.db.DispatcherRead().List(ctx, &events,
		`SELECT id, body, traceparent FROM events WHERE id IN (SELECT value `+s.db.TextOf+` FROM `+s.db.JSONRows+`)`,
		string(ids)); err != nil {
		return nil, err
	}
	s.signInvites(events)
	for _, event := range events {
		byID[event.ID] = event
	}
	return byID, nil
}

// UnscopedTargets returns the targets of the endpoints' attempts, by endpoint id. It
// leaves out endpoints that are disabled or deleted, and endpoints whose secret
// cannot be decrypted. Deliveries of the latter wait, and delay no other endpoint.
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
	RetryAt time.Time      // of a PENDING delivery
}

// UnscopedSettle writes the outcomes of a batch of jobs: each attempt, and the end
// of its delivery or the time of the next attempt. It writes nothing for a delivery
// whose lease has passed to another claim. It returns, for each outcome, whether it
// was written.
func (s *Store) UnscopedSettle(ctx context.Context, outcomes []Outcome) ([]bool, error) {
	settlements, now := make([]db.Settlement, len(outcomes)), s.Now().UnixMicro()
	for i, o := range outcomes {
		settlements[i] = db.Settlement{
			Position: i, DeliveryID: o.Job.DeliveryID, Lease: o.Job.Lease,
			Number: o.Attempt.Number, StartedAt: o.Attempt.StartedAt.UnixMicro(), DurationMS: o.Attempt.DurationMS,
			StatusCode: o.Attempt.StatusCode, Reason: (*string)(o.Attempt.FailureReason),
			ResponseBody: o.Attempt.ResponseBody,
			Status:       string(o.Status), RetryAt: o.RetryAt.UnixMicro(), EndedAt: now,
		}
	}
	positions, err := s.db.Settle(ctx, s.db, settlements)
	written := make([]bool, len(outcomes))
	for _, position := range positions {
		written[position] = true
	}
	return written, err
}

// UnscopedGiveBack ends the leases of jobs without an attempt. They are due again
// immediately.
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
