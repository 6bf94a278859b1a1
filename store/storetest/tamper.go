package storetest

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
)

// SetScopes gives an API key scopes with which no key can be created, such as none.
// A store that has used the key can keep the old scopes for one second of its clock.
func SetScopes(t testing.TB, databaseURL, keyID string, scopes ...string) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE api_keys SET scopes = ? WHERE id = ?`, strings.Join(scopes, " "), keyID)
}

// SetInvitationHash gives an invitation another token, as the previous binary renews it.
func SetInvitationHash(t testing.TB, databaseURL, invitationID string, hash []byte) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE invitations SET token_hash = ? WHERE id = ?`, hash, invitationID)
}

// ReplaceRole changes the role of a member as the version before migration 00030 does, which knows no EDITOR.
func ReplaceRole(t testing.TB, databaseURL, userID, role string) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE users SET role = ? WHERE id = ?`, role, userID)
}

// RemoveUser removes a member as the previous binary does, which knows nothing of emails.
func RemoveUser(t testing.TB, databaseURL, userID string) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE users SET removed_at = created_at, email_key = id WHERE id = ?`, userID)
}

// MoveAddress gives the address of a person to another membership.
func MoveAddress(t testing.TB, databaseURL, from, to string) {
	t.Helper()
	var key string
	if err := raw(t, databaseURL).Get(&key, `SELECT email_key FROM users WHERE id = '`+from+`'`); err != nil {
		t.Fatal(err)
	}
	updateOne(t, databaseURL, `UPDATE users SET email_key = id WHERE id = ?`, from)
	updateOne(t, databaseURL, `UPDATE users SET email_key = ? WHERE id = ?`, key, to)
}

// AddUser adds a MEMBER to the organization of a user, with the password of the user, as the previous binary does.
func AddUser(t testing.TB, databaseURL, userID, id, email string) {
	t.Helper()
	updateOne(t, databaseURL, `
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, created_at, updated_at)
		SELECT ?, organization_id, name, ?, ?, password_hash, 'MEMBER', created_at, updated_at FROM users WHERE id = ?`,
		id, email, email, userID)
}

// UnmovePeople makes the accounts those of a version before migration 00066, and the migration pending.
func UnmovePeople(t testing.TB, databaseURL string) {
	t.Helper()
	ofUsers := ""
	if strings.HasPrefix(databaseURL, "postgres") {
		ofUsers = " ON users"
	}
	for _, statement := range []string{
		`DROP TRIGGER end_of_membership` + ofUsers, `DROP TRIGGER person_of_new_user` + ofUsers,
		`DROP INDEX users_memberships`, `DROP INDEX users_person`, `ALTER TABLE logins DROP COLUMN method`,
		`ALTER TABLE users DROP COLUMN entered_at`, `ALTER TABLE users DROP COLUMN person_id`,
	} {
		execute(t, databaseURL, statement)
	}
	execute(t, databaseURL, `DELETE FROM goose_db_version WHERE version_id = 66`)
	execute(t, databaseURL, `DELETE FROM schema_support WHERE version = 66`)
}

// SetSignInMethod makes the sign-ins of a member those of another method.
func SetSignInMethod(t testing.TB, databaseURL, userID, method string) {
	t.Helper()
	execute(t, databaseURL, `UPDATE logins SET method = ? WHERE user_id = ? AND ended_at IS NULL`, method, userID)
}

// VerifyDomain makes an email domain verified.
func VerifyDomain(t testing.TB, databaseURL, id string) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE sign_in_domains SET verified_at = created_at WHERE id = ?`, id)
}

// AddAuditEntry copies the first audit entry of an organization, with another action. Some actions need a provider,
// DNS, or the operator.
func AddAuditEntry(t testing.TB, databaseURL, organizationID, id, action string) {
	t.Helper()
	updateOne(t, databaseURL, `
		INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, resource_id, ip, request_id, created_at)
		SELECT ?, organization_id, ?, actor_type, actor_id, resource_id, ip, request_id, created_at FROM audit_log
		WHERE organization_id = ? ORDER BY id LIMIT 1`, id, action, organizationID)
}

// AddMigration notes a migration of a release that this program does not know. Its schema supports the binaries that
// know the schema oldest.
func AddMigration(t testing.TB, databaseURL string, version, oldest int64, release string) {
	t.Helper()
	execute(t, databaseURL, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, TRUE)`, version)
	execute(t, databaseURL, `INSERT INTO schema_support (version, oldest, release) VALUES (?, ?, ?)`,
		version, oldest, release)
}

// ClearDeadlines removes the deadlines of all sessions, so that no sweep finds them.
func ClearDeadlines(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `UPDATE candidate_sessions SET due_at = NULL WHERE due_at IS NOT NULL`)
}

// DropSums makes the statistics of an assessment those of a release before migration 00063, which knows neither their
// version nor the newer sums.
func DropSums(t testing.TB, databaseURL, assessmentID string) {
	t.Helper()
	var encoded string
	db := raw(t, databaseURL)
	query := db.Rebind(`SELECT document FROM assessment_statistics WHERE assessment_id = ?`)
	if err := db.GetContext(context.Background(), &encoded, query, assessmentID); err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(encoded), &document); err != nil {
		t.Fatal(err)
	}
	dropFields(document, "version", "totals", "percents", "outOfTime")
	stages, _ := document["stages"].([]any)
	for _, stage := range stages {
		fields, _ := stage.(map[string]any)
		dropFields(fields, "totals", "percents", "outOfTime", "durations")
		questions, _ := fields["questions"].([]any)
		for _, question := range questions {
			fields, _ := question.(map[string]any)
			dropFields(fields, "choosers", "rest", "times")
		}
	}
	earlier, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	updateOne(t, databaseURL, `UPDATE assessment_statistics SET document = ? WHERE assessment_id = ?`, string(earlier),
		assessmentID)
}

func dropFields(object map[string]any, names ...string) {
	for _, name := range names {
		delete(object, name)
	}
}

// BreakResult makes the result of a session unreadable.
func BreakResult(t testing.TB, databaseURL, sessionID string) {
	t.Helper()
	updateOne(t, databaseURL, `UPDATE candidate_sessions SET result = '{' WHERE id = ?`, sessionID)
}

// MoveSession moves a session in progress in time, as if it had started earlier or later. The
// service applies its deadlines at once.
func MoveSession(t testing.TB, databaseURL, sessionID string, by time.Duration) {
	t.Helper()
	var encoded string
	db := raw(t, databaseURL)
	query := db.Rebind(`SELECT progress FROM candidate_sessions WHERE id = ?`)
	if err := db.GetContext(context.Background(), &encoded, query, sessionID); err != nil {
		t.Fatal(err)
	}
	moved := timestamp.ReplaceAllStringFunc(encoded, func(text string) string {
		at, err := time.Parse(`"`+time.RFC3339Nano+`"`, text)
		if err != nil {
			t.Fatal(err)
		}
		return at.Add(by).Format(`"` + time.RFC3339Nano + `"`)
	})
	updateOne(t, databaseURL, `UPDATE candidate_sessions SET progress = ?, due_at = started_at WHERE id = ?`,
		moved, sessionID)
}

var timestamp = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`)

// AddOutage records a time in which no replica of the service was ready.
func AddOutage(t testing.TB, databaseURL string, from, to time.Time) {
	t.Helper()
	updateOne(t, databaseURL, `INSERT INTO service_outages (began_at, ended_at) VALUES (?, ?)`,
		stored(databaseURL, from), stored(databaseURL, to))
}

// stored is a time as the database stores it.
func stored(databaseURL string, at time.Time) any {
	if IsSQLite(databaseURL) {
		return at.UnixMicro()
	}
	return at
}

// SessionState is what SetSession writes, whatever the service would permit.
type SessionState struct {
	Status      string
	Score       *float64
	Passed      *bool
	Test        bool
	CompletedAt *time.Time
	UpdatedAt   time.Time
}

// SetSession changes the state of a session.
func SetSession(t testing.TB, databaseURL, sessionID string, in SessionState) {
	t.Helper()
	var completedAt any
	if in.CompletedAt != nil {
		completedAt = stored(databaseURL, *in.CompletedAt)
	}
	updateOne(t, databaseURL, `UPDATE candidate_sessions SET status = ?, score = ?, passed = ?, test = ?, completed_at = ?,
		updated_at = ?, due_at = NULL WHERE id = ?`,
		in.Status, in.Score, in.Passed, in.Test, completedAt, stored(databaseURL, in.UpdatedAt), sessionID)
}

// updateOne changes exactly one row, directly in the database.
func updateOne(t testing.TB, databaseURL, query string, args ...any) {
	t.Helper()
	result := execute(t, databaseURL, query, args...)
	if rows, err := result.RowsAffected(); err != nil || rows != 1 {
		t.Fatalf("%s: %d rows, want 1 (%v)", query, rows, err)
	}
}

func execute(t testing.TB, databaseURL, query string, args ...any) sql.Result {
	t.Helper()
	db := raw(t, databaseURL)
	defer func() { _ = db.Close() }() // not after the test: some tests call execute very often
	result, err := db.ExecContext(context.Background(), db.Rebind(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Refuse makes every insert into a table fail until end is called.
func Refuse(t testing.TB, databaseURL, table string) (end func()) {
	t.Helper()
	if strings.HasPrefix(databaseURL, "sqlite:") {
		execute(t, databaseURL,
			`CREATE TRIGGER refused BEFORE INSERT ON `+table+` BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`)
		return func() { execute(t, databaseURL, `DROP TRIGGER refused`) }
	}
	execute(t, databaseURL, `
		CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql
			AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`)
	execute(t, databaseURL, `CREATE TRIGGER refused BEFORE INSERT ON `+table+` EXECUTE FUNCTION refuse()`)
	return func() { execute(t, databaseURL, `DROP FUNCTION refuse CASCADE`) }
}

// raw opens a database without a store, and closes it after the test.
func raw(t testing.TB, databaseURL string) *sqlx.DB {
	t.Helper()
	driver, source := "postgres", databaseURL
	if file, sqlite := strings.CutPrefix(databaseURL, "sqlite:"); sqlite {
		driver, source = "sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sqlx.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// CopyDelivery makes n copies of a delivery that has ended. Their ids have its time.
func CopyDelivery(t testing.TB, databaseURL, id string, n int) {
	t.Helper()
	execute(t, databaseURL, `
		WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT n - 1 FROM numbers WHERE n > 1)
		INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_id, event_type, status, attempt, created_at,
			completed_at)
		SELECT substr(id, 1, 14) || CAST(1000000000000000 + n AS TEXT), organization_id, webhook_id, event_id, event_type,
			status, attempt, created_at, completed_at
		FROM numbers CROSS JOIN webhook_deliveries WHERE id = ?`, n, id)
}

// CopyEvent makes n copies of an event. Their ids have its time.
func CopyEvent(t testing.TB, databaseURL, id string, n int) {
	t.Helper()
	execute(t, databaseURL, `
		WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT n - 1 FROM numbers WHERE n > 1)
		INSERT INTO events (id, organization_id, type, subject_id, body, created_at)
		SELECT substr(id, 1, 14) || CAST(1000000000000000 + n AS TEXT), organization_id, type, subject_id, body, created_at
		FROM numbers CROSS JOIN events WHERE id = ?`, n, id)
}

// UnmoveInvitation writes an invitation as the version before migration 00009 does, as a user with the hash of the
// token, and makes migration 00051 pending. If remaining is not empty, a later version has also invited the address,
// and its invitation has this id.
func UnmoveInvitation(t testing.TB, databaseURL, id, remaining string) {
	t.Helper()
	updateOne(t, databaseURL, `
		INSERT INTO users (id, organization_id, name, email, email_key, password_hash, role, invitation_hash,
			invitation_expires_at, created_at, updated_at)
		SELECT id, organization_id, name, email, email_key, '', role, token_hash, expires_at, created_at, updated_at
		FROM invitations WHERE id = ?`, id)
	if remaining == "" {
		updateOne(t, databaseURL, `DELETE FROM invitations WHERE id = ?`, id)
	} else {
		updateOne(t, databaseURL, `UPDATE invitations SET id = ?, token_hash = NULL WHERE id = ?`, remaining, id)
	}
	execute(t, databaseURL, `DELETE FROM goose_db_version WHERE version_id = 51`)
	execute(t, databaseURL, `DELETE FROM schema_support WHERE version = 51`)
}

// UndoErasureJournal makes migration 00060 pending.
func UndoErasureJournal(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `DROP TABLE pending_erasures`)
	execute(t, databaseURL, `DELETE FROM goose_db_version WHERE version_id = 60`)
	execute(t, databaseURL, `DELETE FROM schema_support WHERE version = 60`)
}

// Analyze updates the statistics of the planner.
func Analyze(t testing.TB, databaseURL string) {
	t.Helper()
	execute(t, databaseURL, `ANALYZE`)
}

// Suppress keeps the emails of each organization from an address, by its hash.
func Suppress(t testing.TB, databaseURL, hash string) {
	t.Helper()
	execute(t, databaseURL, `
		INSERT INTO email_suppressions (organization_id, address_hash, reason, created_at)
		SELECT id, ?, 'UNSUBSCRIBED', created_at FROM organizations`, hash)
}
