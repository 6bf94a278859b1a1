package queue

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// These are the dispatcher's operations on the queue. A claim takes a lease: until
// it ends, nobody else claims the delivery, and only the holder settles it.

// Capacity is what a claim may take of one endpoint: the number of deliveries, and
// the position in the endpoint's queue after which the claim begins. The queue is
// in the order of run_at and delivery_id.
type Capacity struct {
	WebhookID  string `json:"e"`
	Free       int    `json:"n"`
	AfterRunAt int64  `json:"r"` // microseconds since 1970
	AfterID    string `json:"d"`
}

// Job is one claimed delivery.
type Job struct {
	DeliveryID string `db:"delivery_id"`
	WebhookID  string `db:"webhook_id"`
	EventID    string `db:"event_id"`
	EventType  string `db:"event_type"`
	Attempt    int    `db:"attempt"`    // attempts made before this one
	RunAt      int64  `db:"due_at"`     // when it was due, in microseconds since 1970
	CreatedAt  int64  `db:"created_at"` // in microseconds since 1970
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

// waiting begins a statement with the table of the endpoints that have a queue. It jumps from endpoint to endpoint in
// the index, so that backlogs do not slow it.
const waiting = `
		WITH RECURSIVE waiting (webhook_id) AS (
			SELECT (SELECT q.webhook_id FROM webhook_queue q ORDER BY q.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > w.webhook_id ORDER BY q.webhook_id LIMIT 1)
			FROM waiting w WHERE w.webhook_id IS NOT NULL)`

// DueWebhooks returns the endpoints with a delivery due at now.
func (q *Queue) DueWebhooks(ctx context.Context, now time.Time) ([]DueWebhook, error) {
	var due []DueWebhook
	err := q.DB.DispatcherRead().List(ctx, &due, waiting+`
		SELECT w.webhook_id, h.consecutive_failures, h.last_success_at IS NOT NULL AS succeeded FROM waiting w
			JOIN webhook_endpoints h ON h.id = w.webhook_id
		WHERE h.enabled AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.webhook_id = w.webhook_id AND q.run_at <= ?)`,
		now.UnixMicro())
	return due, err
}

// Claim leases due deliveries until leaseEnd, at most as many as each endpoint's capacity, and returns them with their
// events. lease must be unique.
func (q *Queue) Claim(
	ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string,
) (jobs []Job, err error) {
	if q.DB.HasLateral {
		jobs, err = q.claimAtOnce(ctx, capacities, now, leaseEnd, lease)
	} else {
		jobs, err = q.claimEach(ctx, capacities, now, leaseEnd, lease)
	}
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	events, err := q.eventsOf(ctx, jobs)
	for i := range jobs {
		event := events[jobs[i].EventID]
		jobs[i].Body, jobs[i].Trace, jobs[i].Lease = event.Body, event.Trace, lease
	}
	return jobs, err
}

// claimStatement is one statement for all endpoints, each with its own limit, so
// that the backlog of one endpoint cannot fill a claim.
const claimStatement = `
	WITH capacity AS (
		SELECT value->>'e' AS webhook_id, CAST(value->>'n' AS INTEGER) AS free, CAST(value->>'r' AS BIGINT) AS after_run_at,
			value->>'d' AS after_id
		FROM jsonb_array_elements(CAST(? AS JSONB))),
	picked AS (
		SELECT d.delivery_id, d.run_at FROM capacity c CROSS JOIN LATERAL (
			SELECT q.delivery_id, q.run_at FROM webhook_queue q
			WHERE q.webhook_id = c.webhook_id AND q.run_at <= ? AND (q.run_at, q.delivery_id) > (c.after_run_at, c.after_id)
			ORDER BY q.run_at, q.delivery_id LIMIT c.free FOR UPDATE SKIP LOCKED) d)
	UPDATE webhook_queue q SET run_at = ?, lease = ? FROM picked p WHERE q.delivery_id = p.delivery_id
	RETURNING q.delivery_id, q.webhook_id, q.event_id, q.event_type, q.attempt, p.run_at AS due_at, q.created_at`

func (q *Queue) claimAtOnce(
	ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string,
) (jobs []Job, err error) {
	rows, err := encoded(capacities)
	if err != nil {
		return nil, err
	}
	err = q.DB.Dispatcher().List(ctx, &jobs, claimStatement, rows, now.UnixMicro(), leaseEnd.UnixMicro(), lease)
	return jobs, err
}

// claimEach is claimStatement for SQLite, which has no LATERAL. A statement for each endpoint costs no round trip
// there. Nothing changes before the update, because the transaction is the only one that writes.
func (q *Queue) claimEach(
	ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string,
) (jobs []Job, err error) {
	err = q.DB.WriteDispatcher(ctx, func(c db.Conn) error {
		jobs = nil
		for _, capacity := range capacities {
			var picked []Job
			if err := c.List(ctx, &picked, `
				SELECT delivery_id, webhook_id, event_id, event_type, attempt, run_at AS due_at, created_at
				FROM webhook_queue
				WHERE webhook_id = ? AND run_at <= ? AND (run_at, delivery_id) > (?, ?) ORDER BY run_at, delivery_id LIMIT ?`,
				capacity.WebhookID, now.UnixMicro(), capacity.AfterRunAt, capacity.AfterID, capacity.Free); err != nil {
				return err
			}
			jobs = append(jobs, picked...)
		}
		if len(jobs) == 0 {
			return nil
		}
		ids := make([]string, len(jobs))
		for i := range jobs {
			ids[i] = jobs[i].DeliveryID
		}
		chosen, err := encoded(ids)
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `
			UPDATE webhook_queue SET run_at = ?, lease = ? WHERE delivery_id IN (SELECT value FROM jsonb_each(?))`,
			leaseEnd.UnixMicro(), lease, chosen)
		return err
	})
	return jobs, err
}

// eventsOf returns the events of the deliveries, by id.
func (q *Queue) eventsOf(ctx context.Context, jobs []Job) (map[string]Event, error) {
	byID := make(map[string]Event, len(jobs))
	var wanted []string
	for _, job := range jobs {
		if _, there := byID[job.EventID]; !there {
			byID[job.EventID] = Event{}
			wanted = append(wanted, job.EventID)
		}
	}
	events, err := q.Events(ctx, q.DB.DispatcherRead(), wanted)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		byID[event.ID] = event
	}
	return byID, nil
}

// TargetsOf returns the targets of the endpoints' attempts, by endpoint id: see Options.Targets.
func (q *Queue) TargetsOf(ctx context.Context, webhookIDs []string) (map[string]Target, error) {
	return q.Targets(ctx, q.DB.DispatcherRead(), webhookIDs)
}

// GiveBack ends the leases of jobs without an attempt. They are due again immediately.
func (q *Queue) GiveBack(ctx context.Context, jobs []Job) error {
	if len(jobs) == 0 {
		return nil
	}
	type held struct {
		DeliveryID string `json:"i"`
		Lease      string `json:"l"`
		RunAt      int64  `json:"r"`
	}
	rows := make([]held, len(jobs))
	for i, job := range jobs {
		rows[i] = held{job.DeliveryID, job.Lease, job.RunAt}
	}
	leases, err := encoded(rows)
	if err != nil {
		return err
	}
	_, err = q.DB.Dispatcher().Exec(ctx, `
		UPDATE webhook_queue SET run_at = s.run_at, lease = ''
		FROM (SELECT value->>'i' AS id, value->>'l' AS lease, CAST(value->>'r' AS BIGINT) AS run_at FROM `+q.DB.JSONRows+`) s
		WHERE webhook_queue.delivery_id = s.id AND webhook_queue.lease = s.lease`, leases)
	return err
}

// encoded returns the value as a JSON argument of a statement.
func encoded(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
