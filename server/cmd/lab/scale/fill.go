package scale

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// history is the time over which the rows are spread: the retention of events
// is 30 days. The newest row is some hours old.
const (
	history = 29 * 24 * time.Hour
	newest  = 3 * time.Hour
)

// fill makes the templates over HTTP, and multiplies them.
func (c *Command) fill(ctx context.Context, out io.Writer, url, dir string, size sizes) error {
	service := c.service(url, dir)
	if err := migrate(ctx, service); err != nil {
		return err
	}
	db, err := open(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	now := time.Now().UTC()
	if err := db.makePartitions(ctx, now.Add(-history-newest), now); err != nil {
		return err
	}
	process, _, err := service.Serve(ctx, "--no-dispatcher")
	if err != nil {
		return err
	}
	made, err := makeTemplate(ctx, process.Addr)
	process.Stop()
	if err != nil {
		return process.Explain(err)
	}
	f := &filler{database: db, out: out, size: size}
	if err := f.begin(ctx, made, now); err != nil {
		return err
	}
	if err := f.organizations(ctx); err != nil {
		return err
	}
	return f.finish(ctx)
}

// filler multiplies the template rows. The rows that the templates made are
// in tables scale_<table>; scale_plan is one row with what the statements share.
type filler struct {
	*database
	out  io.Writer
	size sizes
}

// templates are the tables whose rows are copies of rows that the service wrote.
var templates = []string{
	"organizations", "users", "api_keys", "assessments", "candidate_sessions", "answers", "events", "webhook_endpoints",
	"audit_log",
}

func (f *filler) begin(ctx context.Context, made *template, now time.Time) error {
	statements := []string{
		`CREATE TABLE scale_plan (sessions BIGINT, deliveries BIGINT, entries BIGINT, assessments BIGINT, others BIGINT,
			first_ms BIGINT, span_ms BIGINT, organization_id TEXT, assessment_id TEXT, webhook_id TEXT, backlog_id TEXT)`,
		`CREATE TABLE scale_slots (slot BIGINT PRIMARY KEY, organization_id TEXT, assessment_id TEXT, assessment_title TEXT,
			webhook_id TEXT, user_id TEXT)`,
	}
	if f.kind == "sqlite" {
		statements = append(statements, `PRAGMA journal_mode = DELETE`, `PRAGMA journal_mode = OFF`)
	}
	for _, table := range templates {
		statements = append(statements, fmt.Sprintf(`CREATE TABLE scale_%[1]s AS SELECT * FROM %[1]s`, table))
	}
	for _, statement := range statements {
		if err := f.exec(ctx, statement); err != nil {
			return err
		}
	}
	if err := f.exec(ctx, `
		UPDATE scale_candidate_sessions SET status = 'EXPIRED', close_reason = 'INVITE_EXPIRED', due_at = NULL
		WHERE candidate_email = ?`, expiring); err != nil {
		return err
	}
	return f.exec(ctx, `INSERT INTO scale_plan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.size.sessions, f.size.deliveries, f.size.entries, max(2, f.size.organizations/10), f.size.organizations-1,
		now.Add(-history-newest).UnixMilli(), history.Milliseconds(),
		made.organizationID, made.assessmentID, made.webhookID, made.backlogID)
}

// copies inserts rows of a table: the columns in set as given there, all others
// as in the template row t. A column that a migration adds is copied too, and
// one that it renames is an error.
func (f *filler) copies(
	ctx context.Context, table string, set map[string]string, with, from string, args ...any,
) error {
	columns, err := f.columns(ctx, table)
	if err != nil {
		return err
	}
	values := make([]string, len(columns))
	for i, column := range columns {
		values[i] = "t." + column
		if expression, differs := set[column]; differs {
			values[i] = expression
		}
	}
	for column := range set {
		if !slices.Contains(columns, column) {
			return fmt.Errorf("the table %s has no column %s", table, column)
		}
	}
	return f.exec(ctx, fmt.Sprintf("%s INSERT INTO %s (%s) SELECT %s FROM %s",
		with, table, strings.Join(columns, ", "), strings.Join(values, ", "), from), args...)
}

func (f *filler) columns(ctx context.Context, table string) ([]string, error) {
	rows, err := f.QueryContext(ctx, `SELECT * FROM `+table+` WHERE 1 = 0`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	return columns, errors.Join(err, rows.Err())
}

// series is the numbers k from the first argument to the second.
const series = `WITH RECURSIVE series (k) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT k + 1 FROM series WHERE k < ?)`

// organizations makes all that every organization has, and gives the large one
// many assessments, members and keys.
func (f *filler) organizations(ctx context.Context) error {
	// The other ids of an organization are made from its own, so that these
	// numbers must differ from those of what the large organization gets.
	first, last := int64(100_000), 100_000+f.size.organizations-3 // two were registered
	many := max(2, f.size.organizations/10)
	const (
		id      = "scale_ulid(p.first_ms + k, k)"
		email   = "k || '@large.example'"
		created = "scale_time(p.first_ms + k)"
		numbers = "series JOIN scale_plan p ON 1 = 1 JOIN "
		others  = "organizations o JOIN scale_plan p ON o.id <> p.organization_id JOIN "
		small   = "scale_users u ON u.email = '" + smallOwner + "' JOIN scale_organizations t ON t.id = u.organization_id"
		ofSmall = "scale_users t ON t.email = '" + smallOwner + "' AND t.organization_id <> o.id"
		ofLarge = "scale_users t ON t.organization_id = p.organization_id"
	)
	for _, step := range []struct {
		table       string
		set         map[string]string
		from        string
		first, last int64 // of the series; 0 for none
	}{
		{"organizations", map[string]string{"id": "'org_' || " + id}, numbers + small, first, last},
		{"users", map[string]string{
			"id": "'usr_' || substr(o.id, 5)", "organization_id": "o.id",
			"email": "o.id || '@scale.example'", "email_key": "o.id || '@scale.example'",
		}, others + ofSmall, 0, 0},
		{"users", map[string]string{
			"id": "'usr_' || " + id, "email": email, "email_key": email, "role": "'MEMBER'",
		}, numbers + ofLarge, 1, many},
		{"api_keys", map[string]string{
			"id": "'key_' || substr(o.id, 5)", "organization_id": "o.id", "key_hash": "scale_bytes(o.id)",
		}, others + "scale_api_keys t ON 1 = 1", 0, 0},
		{"api_keys", map[string]string{
			"id": "'key_' || " + id, "key_hash": "scale_bytes('key ' || k)",
		}, numbers + "scale_api_keys t ON 1 = 1", 1, many},
		{"webhook_endpoints", map[string]string{
			"id": "'whk_' || substr(o.id, 5)", "organization_id": "o.id",
		}, others + "scale_webhook_endpoints t ON t.id = p.webhook_id", 0, 0},
		{"assessments", map[string]string{
			"id": "'asm_' || substr(o.id, 5)", "organization_id": "o.id",
		}, others + "scale_assessments t ON 1 = 1", 0, 0},
		{"assessments", map[string]string{
			"id": "'asm_' || " + id, "title": "CASE k WHEN 1 THEN 'Night-shift pharmacist' ELSE 'Line cook ' || k END",
			"created_at": created, "updated_at": created, "published_at": created,
		}, numbers + "scale_assessments t ON 1 = 1", 1, many - 1},
		{"events", map[string]string{
			"id": "'evt_' || " + id, "created_at": created,
		}, numbers + "scale_events t ON t.type = 'assessment.published'", 1, many - 1},
	} {
		with, args := "", []any(nil)
		if step.first > 0 {
			with, args = series, []any{step.first, step.last}
		}
		if err := f.copies(ctx, step.table, step.set, with, step.from, args...); err != nil {
			return err
		}
	}
	return f.exec(ctx, `
		INSERT INTO scale_slots (slot, organization_id, assessment_id, assessment_title, webhook_id, user_id)
		SELECT ROW_NUMBER() OVER (ORDER BY a.organization_id <> p.organization_id, a.id DESC) - 1,
			a.organization_id, a.id, a.title,
			(SELECT MIN(w.id) FROM webhook_endpoints w WHERE w.organization_id = a.organization_id),
			(SELECT MIN(u.id) FROM users u WHERE u.organization_id = a.organization_id AND u.role = 'OWNER')
		FROM assessments a CROSS JOIN scale_plan p`)
}
