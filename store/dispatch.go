package store

import (
	"context"
	"encoding/json"
	"time"
)

// What the dispatcher does to the queue. A claim takes a lease: while it lasts
// nobody else claims the delivery, and only the holder settles it.

// Capacity says how many deliveries of one endpoint a claim may take, and after
// which place in its order of run_at and id.
type Capacity struct {
	WebhookID  string `json:"e"`
	Free       int    `json:"n"`
	AfterRunAt int64  `json:"r"` // microseconds since 1970
	AfterID    string `json:"d"`
}

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
	err := conn{store: s, pool: s.dispatchReader()}.list(ctx, &due, `
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
	var err error
	if s.dialect.name == "postgres" {
		jobs, err = s.claimPostgres(ctx, capacities, now, leaseEnd, lease)
	} else {
		jobs, err = s.claimSQLite(ctx, capacities, now, leaseEnd, lease)
	}
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	bodies, err := s.bodies(ctx, jobs)
	for i := range jobs {
		jobs[i].Lease, jobs[i].Body = lease, bodies[jobs[i].EventID]
	}
	return jobs, err
}

// claimStatement is one statement for all endpoints, each with its own limit:
// that is what keeps an endpoint's backlog from filling a claim.
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
	RETURNING q.delivery_id, q.webhook_id, q.event_id, q.event_type, q.attempt, p.run_at AS was`

func (s *Store) claimPostgres(ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string) ([]Job, error) {
	encoded, err := json.Marshal(capacities)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	err = conn{store: s, pool: s.dispatch}.list(ctx, &jobs, claimStatement, string(encoded), now.UnixMicro(), leaseEnd.UnixMicro(), lease)
	return jobs, err
}

// claimSQLite has no LATERAL; a statement more per endpoint costs no round trip there.
func (s *Store) claimSQLite(ctx context.Context, capacities []Capacity, now, leaseEnd time.Time, lease string) ([]Job, error) {
	var jobs []Job
	err := s.write(ctx, func(c conn) error {
		jobs = jobs[:0]
		for _, capacity := range capacities {
			var picked []Job
			if err := c.list(ctx, &picked, `
				SELECT delivery_id, webhook_id, event_id, event_type, attempt, run_at AS was FROM webhook_queue
				WHERE webhook_id = ? AND run_at <= ? AND (run_at, delivery_id) > (?, ?) ORDER BY run_at, delivery_id LIMIT ?`,
				capacity.WebhookID, now.UnixMicro(), capacity.AfterRunAt, capacity.AfterID, capacity.Free); err != nil {
				return err
			}
			jobs = append(jobs, picked...)
		}
		if len(jobs) == 0 {
			return nil
		}
		ids, err := json.Marshal(deliveryIDs(jobs))
		if err != nil {
			return err
		}
		_, err = c.exec(ctx, `UPDATE webhook_queue SET run_at = ?, lease = ? WHERE delivery_id IN (SELECT value FROM json_each(?))`,
			leaseEnd.UnixMicro(), lease, string(ids))
		return err
	})
	return jobs, err
}

func deliveryIDs(jobs []Job) []string {
	ids := make([]string, len(jobs))
	for i, job := range jobs {
		ids[i] = job.DeliveryID
	}
	return ids
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
	if err := (conn{store: s, pool: s.dispatchReader()}).list(ctx, &events,
		`SELECT id, body FROM events WHERE id IN (SELECT value `+s.dialect.textOf+` FROM `+s.dialect.jsonRows+`)`, string(ids)); err != nil {
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
	if err := (conn{store: s, pool: s.dispatchReader()}).list(ctx, &endpoints, webhookColumns+
		` WHERE enabled AND id IN (SELECT value `+s.dialect.textOf+` FROM `+s.dialect.jsonRows+`)`, string(ids)); err != nil {
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

// settlement is an Outcome in the form that the statements read.
type settlement struct {
	DeliveryID   string         `json:"i"`
	Lease        string         `json:"l"`
	Number       int            `json:"n"`
	StartedAt    int64          `json:"s"`
	DurationMS   int64          `json:"m"`
	StatusCode   *int           `json:"c"`
	Reason       *FailureReason `json:"f"`
	ResponseBody string         `json:"b"`
	Status       DeliveryStatus `json:"t"`
	RetryAt      int64          `json:"r"`
	EndedAt      int64          `json:"e"`
}

// UnscopedSettle writes what came of a batch of jobs: the attempts, and for
// each delivery its end or its next attempt. It is fenced by the lease: of a
// delivery that somebody else has claimed meanwhile nothing is written. It
// returns the ids of those that were ours.
func (s *Store) UnscopedSettle(ctx context.Context, outcomes []Outcome) (map[string]bool, error) {
	rows, now := make([]settlement, len(outcomes)), s.Now().UnixMicro()
	for i, o := range outcomes {
		rows[i] = settlement{
			DeliveryID: o.Job.DeliveryID, Lease: o.Job.Lease, Number: o.Attempt.Number, StartedAt: o.Attempt.StartedAt.UnixMicro(),
			DurationMS: o.Attempt.DurationMS, StatusCode: o.Attempt.StatusCode, Reason: o.Attempt.FailureReason,
			ResponseBody: o.Attempt.ResponseBody, Status: o.Status, RetryAt: o.RetryAt.UnixMicro(), EndedAt: now,
		}
	}
	if s.dialect.name == "postgres" {
		return s.settlePostgres(ctx, rows)
	}
	var ours map[string]bool
	err := s.writeOn(ctx, s.dispatch, func(c conn) error {
		var err error
		if ours, err = c.leased(ctx, rows); err != nil {
			return err
		}
		return c.settle(ctx, rows, ours)
	})
	return ours, err
}

// settleStatement does all of a settlement in one round trip, and reads the
// rows once. What it locks nobody else can change before it ends, so that its
// parts agree on which deliveries are ours.
const settleStatement = `
	WITH settled AS MATERIALIZED (
		SELECT s.*, q.organization_id, q.webhook_id, q.event_id, q.event_type, q.created_at
		FROM json_to_recordset(CAST(? AS JSON)) AS s (i TEXT, l TEXT, n INTEGER, s BIGINT, m INTEGER, c INTEGER, f TEXT, b TEXT, t TEXT, r BIGINT, e BIGINT)
		JOIN webhook_queue q ON q.delivery_id = s.i AND q.lease = s.l ORDER BY q.delivery_id FOR UPDATE OF q),
	attempted AS (
		INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, failure_reason, response_body)
		SELECT i, n, s, m, c, f, b FROM settled),
	ended AS (
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT i, organization_id, webhook_id, event_id, event_type, t, n, created_at, e FROM settled WHERE t <> 'PENDING'),
	removed AS (
		DELETE FROM webhook_queue q USING settled s WHERE q.delivery_id = s.i AND s.t <> 'PENDING'),
	retried AS (
		UPDATE webhook_queue q SET run_at = s.r, lease = '', attempt = s.n FROM settled s WHERE q.delivery_id = s.i AND s.t = 'PENDING')
	SELECT i FROM settled`

func (s *Store) settlePostgres(ctx context.Context, rows []settlement) (map[string]bool, error) {
	encoded, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	var ids []string
	if err := (conn{store: s, pool: s.dispatch}).list(ctx, &ids, settleStatement, string(encoded)); err != nil {
		return nil, err
	}
	return setOf(ids), nil
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// leased returns the ids of the deliveries whose lease is still the one they
// were claimed with. SQLite has one writer, so that they stay so.
func (c conn) leased(ctx context.Context, rows []settlement) (map[string]bool, error) {
	type claim struct {
		DeliveryID string `json:"i"`
		Lease      string `json:"l"`
	}
	claims := make([]claim, len(rows))
	for i, row := range rows {
		claims[i] = claim{row.DeliveryID, row.Lease}
	}
	encoded, err := json.Marshal(claims)
	if err != nil {
		return nil, err
	}
	var ids []string
	if err := c.list(ctx, &ids, `
		SELECT q.delivery_id FROM (SELECT value->>'i' AS id, value->>'l' AS lease FROM `+c.store.dialect.jsonRows+`) s
		JOIN webhook_queue q ON q.delivery_id = s.id AND q.lease = s.lease`, string(encoded)); err != nil {
		return nil, err
	}
	return setOf(ids), nil
}

// settle is settleStatement for SQLite, whose statements cannot write in parts.
func (c conn) settle(ctx context.Context, rows []settlement, ours map[string]bool) error {
	var all, ended, retried []settlement
	for _, row := range rows {
		switch {
		case !ours[row.DeliveryID]:
			continue
		case row.Status == DeliveryPending:
			retried = append(retried, row)
		default:
			ended = append(ended, row)
		}
		all = append(all, row)
	}
	if err := c.execRows(ctx, all, `
		INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, failure_reason, response_body)
		SELECT value->>'i', CAST(value->>'n' AS INTEGER), CAST(value->>'s' AS BIGINT), CAST(value->>'m' AS INTEGER),
			CAST(value->>'c' AS INTEGER), value->>'f', value->>'b' FROM `+c.store.dialect.jsonRows); err != nil {
		return err
	}
	if err := c.execRows(ctx, ended, `
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT q.delivery_id, q.organization_id, q.webhook_id, q.event_id, q.event_type, s.status, s.number, q.created_at, s.ended_at
		FROM (SELECT value->>'i' AS id, value->>'t' AS status, CAST(value->>'n' AS INTEGER) AS number,
			CAST(value->>'e' AS BIGINT) AS ended_at FROM `+c.store.dialect.jsonRows+`) s
		JOIN webhook_queue q ON q.delivery_id = s.id`); err != nil {
		return err
	}
	if err := c.dequeue(ctx, ended); err != nil {
		return err
	}
	return c.execRows(ctx, retried, `
		UPDATE webhook_queue SET run_at = s.retry_at, lease = '', attempt = s.number
		FROM (SELECT value->>'i' AS id, CAST(value->>'n' AS INTEGER) AS number, CAST(value->>'r' AS BIGINT) AS retry_at
			FROM `+c.store.dialect.jsonRows+`) s
		WHERE webhook_queue.delivery_id = s.id`)
}

// dequeue takes what has ended out of the queue.
func (c conn) dequeue(ctx context.Context, ended []settlement) error {
	ids := make([]string, len(ended))
	for i, row := range ended {
		ids[i] = row.DeliveryID
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, `DELETE FROM webhook_queue WHERE delivery_id IN (SELECT value FROM json_each(?))`, string(encoded))
	return err
}

// execRows runs a statement that reads rows as JSON, unless there are none.
func (c conn) execRows(ctx context.Context, rows []settlement, query string) error {
	if len(rows) == 0 {
		return nil
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, query, string(encoded))
	return err
}

// UnscopedGiveBack ends the leases of jobs that were not begun, which are due
// again at once.
func (s *Store) UnscopedGiveBack(ctx context.Context, jobs []Job) error {
	if len(jobs) == 0 {
		return nil
	}
	rows := make([]settlement, len(jobs))
	for i, job := range jobs {
		rows[i] = settlement{DeliveryID: job.DeliveryID, Lease: job.Lease, RetryAt: job.RunAt}
	}
	return s.writeOn(ctx, s.dispatch, func(c conn) error {
		return c.execRows(ctx, rows, `
			UPDATE webhook_queue SET run_at = s.run_at, lease = ''
			FROM (SELECT value->>'i' AS id, value->>'l' AS lease, CAST(value->>'r' AS BIGINT) AS run_at FROM `+c.store.dialect.jsonRows+`) s
			WHERE webhook_queue.delivery_id = s.id AND webhook_queue.lease = s.lease`)
	})
}
