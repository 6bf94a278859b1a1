package scale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/server/cmd/lab/rig"
)

// batch bounds the rows of one statement, so that the fill can be interrupted.
const batch = 100_000

// drawn draws the sessions with the numbers n of the table numbers. Of ten
// consecutive sessions two belong to the main assessment of the large
// organization, two to its other assessments, and six to other organizations.
// CANCELLED is the rare status: fewer sessions than one page have it, and all of
// them are of the main assessment.
const drawn = `,
drawn AS MATERIALIZED (
	SELECT k, n, ms, ms + 7200000 AS done_ms, status, s.organization_id, s.assessment_id, s.assessment_title, s.webhook_id
	FROM (
		SELECT k, n, p.first_ms + n * p.span_ms / p.sessions AS ms,
			CASE WHEN n % 5 >= 2 THEN p.assessments + n / 5 % p.others
				WHEN n % 10 < 5 THEN 0
				ELSE n / 10 % p.assessments END AS slot,
			CASE WHEN n % (p.sessions / 80 * 10) = 1 THEN 'CANCELLED'
				WHEN n / 10 * 37 % 100 < 60 THEN 'COMPLETED'
				WHEN n / 10 * 37 % 100 < 80 THEN 'INVITED'
				WHEN n / 10 * 37 % 100 < 92 THEN 'EXPIRED'
				WHEN n / 10 * 37 % 100 < 95 THEN 'IN_PROGRESS'
				ELSE 'DISQUALIFIED' END AS status
		FROM numbers CROSS JOIN scale_plan p) r
	JOIN scale_slots s ON s.slot = r.slot)`

const drawnSessions = series + `,
numbers AS (SELECT k, k AS n FROM series)` + drawn + `,
sessions AS MATERIALIZED (SELECT d.*, 'ses_' || scale_ulid(ms, n) AS id FROM drawn d)`

// sent are the deliveries: deliveries with even numbers are of the event that ended the
// session, where there is one, all others of candidate.invited. CANCELLED is
// the rare status here too.
const sent = series + `,
numbers AS (
	SELECT k, (k - 1) * p.sessions / p.deliveries + 1 AS n FROM series CROSS JOIN scale_plan p)` + drawn + `,
sent AS MATERIALIZED (
	SELECT 'dlv_' || scale_ulid(ms, k) AS id, n, ms, organization_id, webhook_id, event_type, status,
		ms * 1000 AS created_at, CASE status WHEN 'SUCCEEDED' THEN 1 WHEN 'FAILED' THEN 3 ELSE 0 END AS attempts
	FROM (
		SELECT k, n, d.organization_id, d.webhook_id,
			CASE WHEN k % 2 = 0 AND d.status IN ('COMPLETED', 'DISQUALIFIED') THEN done_ms ELSE ms END AS ms,
			CASE WHEN k % 2 = 0 AND d.status = 'COMPLETED' THEN 'candidate.completed'
				WHEN k % 2 = 0 AND d.status = 'DISQUALIFIED' THEN 'candidate.disqualified'
				ELSE 'candidate.invited' END AS event_type,
			CASE WHEN k % (p.deliveries / 80 * 10) = 1 THEN 'CANCELLED'
				WHEN k / 10 * 37 % 100 = 7 THEN 'FAILED'
				ELSE 'SUCCEEDED' END AS status
		FROM drawn d CROSS JOIN scale_plan p) r)`

// entries are drawn like sessions. MEMBER_REMOVED is the rare action, and its
// actor does nothing else.
const entries = series + `,
entries AS MATERIALIZED (
	SELECT k, ms, s.organization_id, s.user_id, action
	FROM (
		SELECT k, p.first_ms + k * p.span_ms / p.entries AS ms,
			CASE WHEN k % 5 >= 2 THEN p.assessments + k / 5 % p.others ELSE 0 END AS slot,
			CASE WHEN k % (p.entries / 80 * 10) = 1 THEN 'MEMBER_REMOVED'
				WHEN k / 10 * 37 % 100 < 70 THEN 'SIGNED_IN'
				ELSE 'SESSION_CANCELLED' END AS action
		FROM series CROSS JOIN scale_plan p) r
	JOIN scale_slots s ON s.slot = r.slot)`

// rareActor is the actor of the rare entries: no such user exists.
const rareActor = "usr_0000000000000000000000rare"

// finish fills the tables that grow.
func (f *filler) finish(ctx context.Context) error {
	for _, step := range []struct {
		table string
		count int64
		write func(ctx context.Context, first, last int64) error
	}{
		{"candidate_sessions", f.size.sessions, f.sessions},
		{"candidate_session_words", f.size.sessions, f.words},
		{"answers", f.size.sessions, f.answers},
		{"events", f.size.sessions, f.events},
		{"webhook_deliveries", f.size.deliveries, f.deliveries},
		{"webhook_attempts", f.size.deliveries, f.attempts},
		{"audit_log", f.size.entries, f.entries},
		{"emails", f.size.sessions, f.emails},
	} {
		began := time.Now()
		indexes, err := f.dropIndexes(ctx, step.table)
		if err != nil {
			return err
		}
		for first := int64(1); first <= step.count; first += batch {
			if err := step.write(ctx, first, min(step.count, first+batch-1)); err != nil {
				return fmt.Errorf("%s: %w", step.table, err)
			}
		}
		for _, index := range indexes {
			if err := f.exec(ctx, index); err != nil {
				return err
			}
		}
		_, _ = fmt.Fprintf(f.out, "  %s %s\n", step.table, rig.Seconds(time.Since(began)))
	}
	// Without the queue, the service does not compute statistics while it is measured.
	if err := f.exec(ctx, `DELETE FROM statistics_queue`); err != nil {
		return err
	}
	if err := f.exec(ctx, `
		INSERT INTO assessment_scores (organization_id, assessment_id, score, completions)
		SELECT organization_id, assessment_id, score, COUNT(*) FROM candidate_sessions
		WHERE status = 'COMPLETED' AND id NOT IN (SELECT id FROM scale_candidate_sessions)
		GROUP BY organization_id, assessment_id, score
		ON CONFLICT (assessment_id, score)
			DO UPDATE SET completions = assessment_scores.completions + excluded.completions`); err != nil {
		return err
	}
	columns, err := f.columns(ctx, "candidate_session_changes") // which the first release does not have
	if err != nil {
		return err
	}
	if f.kind == "postgres" && len(columns) > 0 { // a trigger writes this table, and triggers are off
		if err := f.exec(ctx, `INSERT INTO candidate_session_changes
			SELECT organization_id, updated_at, id FROM candidate_sessions ON CONFLICT DO NOTHING`); err != nil {
			return err
		}
	}
	return f.settle(ctx)
}

// settle leaves the database as autovacuum does. The service gives SQLite no
// statistics, so that this does not either.
func (f *filler) settle(ctx context.Context) error {
	if f.kind == "sqlite" {
		return f.exec(ctx, `PRAGMA journal_mode = WAL`)
	}
	return errors.Join(f.exec(ctx, `VACUUM (ANALYZE)`), f.exec(ctx, `CHECKPOINT`))
}

func (f *filler) sessions(ctx context.Context, first, last int64) error {
	const (
		email   = "'candidate-' || d.n || '@scale.example'"
		expires = "scale_time(d.ms + 5184000000)" // 60 days
	)
	ifSet := func(column, value string) string {
		return "CASE WHEN t." + column + " IS NOT NULL THEN " + value + " END"
	}
	return f.copies(ctx, "candidate_sessions", map[string]string{
		"id": "d.id", "organization_id": "d.organization_id",
		"assessment_id": "d.assessment_id", "assessment_title": "d.assessment_title",
		"candidate_email": email, "candidate_email_key": email, "external_id": "'application-' || d.n",
		"result":     "replace(t.result, t.id, d.id)",
		"score":      "CASE t.status WHEN 'COMPLETED' THEN (d.n / 10 * 7919 % 10001) / 100.0 ELSE t.score END",
		"invited_at": "scale_time(d.ms)", "created_at": "scale_time(d.ms)", "expires_at": expires,
		"due_at":          ifSet("due_at", expires),
		"started_at":      ifSet("started_at", "scale_time(d.done_ms - 3600000)"),
		"completed_at":    ifSet("completed_at", "scale_time(d.done_ms)"),
		"disqualified_at": ifSet("disqualified_at", "scale_time(d.done_ms)"),
		"cancelled_at":    ifSet("cancelled_at", "scale_time(d.done_ms)"),
		"updated_at":      "scale_time(CASE t.status WHEN 'INVITED' THEN d.ms ELSE d.done_ms END)",
	}, drawnSessions, `sessions d JOIN scale_candidate_sessions t ON t.status = d.status`, first, last)
}

// answers are the answers of sessions in progress; no operation reads other answers.
func (f *filler) answers(ctx context.Context, first, last int64) error {
	return f.copies(ctx, "answers", map[string]string{
		"organization_id": "d.organization_id", "session_id": "d.id", "saved_at": "scale_time(d.done_ms)",
	}, drawnSessions, `sessions d JOIN scale_candidate_sessions c ON c.status = d.status AND c.status = 'IN_PROGRESS'
		JOIN scale_answers t ON t.session_id = c.id`, first, last)
}

func (f *filler) events(ctx context.Context, first, last int64) error {
	const told = `,
told AS MATERIALIZED (
	SELECT 'evt_' || scale_ulid(e.ms, e.n) AS id, e.ms, e.organization_id, e.session_id, e.template_id, e.template_session
	FROM (
		SELECT d.n, d.organization_id, d.id AS session_id, t.id AS template_id, c.id AS template_session,
			CASE t.type WHEN 'candidate.invited' THEN d.ms WHEN 'candidate.started' THEN d.done_ms - 3600000
				ELSE d.done_ms END AS ms
		FROM sessions d JOIN scale_candidate_sessions c ON c.status = d.status
			JOIN scale_events t ON t.subject_id = c.id
				AND t.type IN ('candidate.invited', 'candidate.completed', 'candidate.disqualified')) e)`
	return f.copies(ctx, "events", map[string]string{
		"id": "e.id", "organization_id": "e.organization_id", "subject_id": "e.session_id", "created_at": "scale_time(e.ms)",
		"body": `replace(replace(replace(t.body, t.id, e.id), t.organization_id, e.organization_id),
			substr(e.template_session, 5), substr(e.session_id, 5))`,
	}, drawnSessions+told, `told e JOIN scale_events t ON t.id = e.template_id`, first, last)
}

func (f *filler) deliveries(ctx context.Context, first, last int64) error {
	return f.exec(ctx, sent+`
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt,
			created_at, completed_at)
		SELECT id, organization_id, webhook_id, 'evt_' || scale_ulid(ms, n), event_type, status, attempts,
			created_at, created_at + 200000 FROM sent`, first, last)
}

func (f *filler) attempts(ctx context.Context, first, last int64) error {
	return f.exec(ctx, sent+`
		INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms,
			status_code, failure_reason, response_body)
		SELECT s.id, a.number, s.created_at + a.number * 1000, 150,
			CASE s.status WHEN 'FAILED' THEN 500 ELSE 200 END, CASE s.status WHEN 'FAILED' THEN 'HTTP_STATUS' END,
			'{"received":true}'
		FROM sent s JOIN (SELECT 1 AS number UNION ALL SELECT 2 UNION ALL SELECT 3) a ON a.number <= s.attempts`,
		first, last)
}

func (f *filler) entries(ctx context.Context, first, last int64) error {
	return f.copies(ctx, "audit_log", map[string]string{
		"id": "'aud_' || scale_ulid(e.ms, e.k)", "organization_id": "e.organization_id",
		"action": "e.action", "created_at": "scale_time(e.ms)",
		"actor_id":    "CASE e.action WHEN 'MEMBER_REMOVED' THEN '" + rareActor + "' ELSE e.user_id END",
		"resource_id": "CASE e.action WHEN 'SESSION_CANCELLED' THEN 'ses_' || scale_ulid(e.ms, e.k) ELSE e.user_id END",
	}, entries, `entries e JOIN scale_audit_log t ON t.action = 'SESSION_CANCELLED'`, first, last)
}
