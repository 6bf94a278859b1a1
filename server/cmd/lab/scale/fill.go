package scale

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// history is the time over which the rows are spread: the retention of events
// is 30 days. The newest row is some hours old.
const (
	history = 29 * 24 * time.Hour
	newest  = 3 * time.Hour
)

// Fill fills a database with sessions, as many deliveries, and audit entries of many organizations. The service, which
// can be an earlier release, creates the schema.
func Fill(ctx context.Context, out io.Writer, on *rig.Database, service rig.Service, sessions int64) error {
	service.Env = append(slices.Clone(service.Env), "ASSAY_WEBHOOK_ALLOW_INSECURE=true")
	size := sizes{sessions, sessions, max(leastRows, sessions/5), max(leastOrganizations, sessions/5000)}
	return fill(ctx, out, on, service, size)
}

// fill makes the templates over HTTP, and multiplies them.
func fill(ctx context.Context, out io.Writer, on *rig.Database, service rig.Service, size sizes) error {
	process, _, err := service.Serve(ctx, "--no-dispatcher")
	if err != nil {
		return err
	}
	made, err := makeTemplate(ctx, process.Addr)
	process.Stop()
	if err != nil {
		return process.Explain(err)
	}
	db, err := open(ctx, on)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	now := time.Now().UTC()
	if err := db.makePartitions(ctx, now.Add(-history-newest), now); err != nil {
		return err
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
		WHERE candidate_email = ?`, rig.Email(expiring)); err != nil {
		return err
	}
	return f.exec(ctx, `INSERT INTO scale_plan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.size.sessions, f.size.deliveries, f.size.entries, max(2, f.size.organizations/10), f.size.organizations-1,
		now.Add(-history-newest).UnixMilli(), history.Milliseconds(),
		made.ID, made.AssessmentID, made.webhookID, made.backlogID)
}

// newColumn is not in v1.0.1 and earlier, which "lab upgrade" fills.
const newColumn = "person_id"

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
		if !slices.Contains(columns, column) && column != newColumn {
			return fmt.Errorf("the table %s has no column %s", table, column)
		}
	}
	return f.exec(ctx, fmt.Sprintf("%s INSERT INTO %s (%s) SELECT %s FROM %s",
		with, table, strings.Join(columns, ", "), strings.Join(values, ", "), from), args...)
}

// copyMany copies the template row that which selects for each number k.
func (f *filler) copyMany(
	ctx context.Context, table string, set map[string]string, which string, first, last int64,
) error {
	withID := map[string]string{"id": "substr(t.id, 1, 4) || scale_ulid(p.first_ms + k, k)"}
	maps.Copy(withID, set)
	from := "series JOIN scale_plan p ON 1 = 1 JOIN scale_" + table + " t ON " + which
	return f.copies(ctx, table, withID, series, from, first, last)
}

// columns returns the columns of a table that can be written.
func (f *filler) columns(ctx context.Context, table string) ([]string, error) {
	query := `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ?
		ORDER BY ordinal_position`
	if f.kind == "sqlite" {
		query = `SELECT name FROM pragma_table_info(?)` // without the columns that are computed
	}
	var columns []string
	err := f.SelectContext(ctx, &columns, f.Rebind(query), table)
	return columns, err
}

// series is the numbers k from the first argument to the second.
const series = `WITH RECURSIVE series (k) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT k + 1 FROM series WHERE k < ?)`

// organizations makes all that every organization has, and gives the large one
// many assessments, members and keys.
func (f *filler) organizations(ctx context.Context) error {
	// The other ids of an organization are made from its own, so that these
	// numbers must differ from the numbers of the large organization.
	first, last := int64(100_000), 100_000+f.size.organizations-2 // one was registered
	if err := f.copyMany(ctx, "organizations", nil, "1 = 1", first, last); err != nil {
		return err
	}
	for table, set := range map[string]map[string]string{
		"users": {
			"email": "o.id || '@scale.example'", "email_key": "o.id || '@scale.example'",
			"person_id": "'per_' || substr(o.id, 5)",
		},
		"api_keys":          {"key_hash": "scale_bytes(o.id)"},
		"webhook_endpoints": {},
		"assessments":       {},
	} {
		set["id"], set["organization_id"] = "substr(t.id, 1, 4) || substr(o.id, 5)", "o.id"
		from := "organizations o JOIN scale_plan p ON o.id <> p.organization_id " +
			"JOIN scale_" + table + " t ON t.id <> p.backlog_id"
		if err := f.copies(ctx, table, set, "", from); err != nil {
			return err
		}
	}

	many := max(2, f.size.organizations/10)
	const (
		email   = "k || '@large.example'"
		created = "scale_time(p.first_ms + k)"
	)
	for _, step := range []struct {
		table string
		set   map[string]string
		which string
		count int64
	}{
		{"users", map[string]string{
			"email": email, "email_key": email, "role": "'MEMBER'", "person_id": "'per_large_' || k",
		}, "1 = 1", many},
		{"api_keys", map[string]string{"key_hash": "scale_bytes('key ' || k)"}, "1 = 1", many},
		{"assessments", map[string]string{
			"title":      "CASE k WHEN 1 THEN 'Night-shift pharmacist' ELSE 'Line cook ' || k END",
			"created_at": created, "updated_at": created, "published_at": created,
		}, "1 = 1", many - 1},
		{"events", map[string]string{"created_at": created}, "t.type = 'assessment.published'", many - 1},
	} {
		if err := f.copyMany(ctx, step.table, step.set, step.which, 1, step.count); err != nil {
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
