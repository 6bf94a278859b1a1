package db

import (
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jmoiron/sqlx"

	"assay/store/migrations"
)

// The migrations of a database with rows must take time in proportion to the rows. Blocks are counted instead of time:
// a statement that reads an index or a table again for each row reads 16 times as many with four times the rows. The
// planner's choice depends on when autovacuum has counted the rows, so four times are up to six.
func TestMigrationsReadInProportionToTheRows(t *testing.T) {
	t.Parallel()
	const rows = 2000
	none, few, four := blocksOfMigrations(t, 0), blocksOfMigrations(t, rows), blocksOfMigrations(t, 4*rows)
	if ratio := float64(four-none) / float64(few-none); ratio > 8 {
		t.Errorf("the migrations read %d blocks without rows, %d with %d, and %d with %d: %.1f times as many",
			none, few, rows, four, 4*rows, ratio)
	}
}

// firstMigrations create the tables that blocksOfMigrations fills.
var firstMigrations = []string{"00001_core.sql", "00002_webhooks.sql", "00003_trust.sql"}

// blocksOfMigrations returns how many blocks the server reads, from memory or from files, while the other migrations
// run in a database with n sessions, assessments, events, and deliveries of one organization.
func blocksOfMigrations(t *testing.T, n int) int {
	t.Helper()
	databaseURL := postgresURL(t)
	first := fstest.MapFS{}
	for _, name := range firstMigrations {
		content, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		first[name] = &fstest.MapFile{Data: content}
	}
	run := func(files fs.FS, statements ...string) {
		d, err := Open(t.Context(), Options{URL: databaseURL, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Migrate(t.Context(), files, nothingAfter); err != nil {
			t.Fatal(err)
		}
		tx, err := d.writer.Beginx()
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range statements {
			if _, err := tx.Exec(statement, n); err != nil {
				t.Fatalf("%v\nin\n%s", err, statement)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}

	run(first, `
		INSERT INTO organizations (id, name, invite_expiry_days, created_at, updated_at)
		SELECT 'org_1', 'O', 7, now(), now() WHERE $1 >= 0`, `
		INSERT INTO assessments (id, organization_id, title, status, invite_expiry_days, stage_count, question_count,
			max_points, definition, created_at, updated_at)
		SELECT 'asm_' || g, 'org_1', 'A', 'PUBLISHED', 7, 1, 1, 1, '{}', now(), now() FROM generate_series(1, $1) g`, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			progress, created_at, updated_at)
		SELECT 'ses_' || g, 'org_1', 'asm_' || g, 'A', 'C', g, g, '{}', 'INVITED', 1, 1, 0, now(), now(), '{}', now(),
			now() + g * interval '1 second' FROM generate_series(1, $1) g`, `
		INSERT INTO webhook_endpoints (id, organization_id, url, events, enabled, secret, secret_hint, created_at, updated_at)
		SELECT 'whk_1', 'org_1', 'https://hooks.example.com', 'candidate.invited', true, '', '', 0, 0 WHERE $1 >= 0`, `
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT 'evt_' || g, 'org_1', 'candidate.invited', 'ses_' || g, '{}', now() FROM generate_series(1, $1) g`, `
		INSERT INTO webhook_deliveries
			(id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at, completed_at)
		SELECT 'dlv_' || g, 'org_1', 'whk_1', 'evt_' || g, 'candidate.invited', 'FAILED', 1, 0, 0
		FROM generate_series(1, $1) g`)
	before := blocksOf(t, databaseURL)
	run(migrations.Files)
	return blocksOf(t, databaseURL) - before
}

// blocksOf returns how many blocks the sessions of a database have read. A session adds its number before it leaves
// pg_stat_activity.
func blocksOf(t *testing.T, databaseURL string) (blocks int) {
	t.Helper()
	admin, err := sqlx.Open("postgres", os.Getenv("TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	name := parsed.Path[1:]
	for sessions := 1; sessions > 0; {
		err := admin.GetContext(t.Context(), &sessions, `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = $1`, name)
		if err != nil {
			t.Fatal(err)
		}
	}
	err = admin.GetContext(t.Context(), &blocks, `
		SELECT blks_read + blks_hit FROM pg_stat_database WHERE datname = $1`, name)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}
