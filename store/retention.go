package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/store/internal/db"
	"assay/store/queue"

	"github.com/oklog/ulid/v2"
)

// The event log is kept by days. On PostgreSQL each day is a partition, which is
// created in advance and dropped as a whole. On SQLite, and in PostgreSQL's default
// partition, rows are deleted in small batches. The time in a row's id decides its day.

// keptTable is a table whose rows are purged by age.
type keptTable struct {
	name   string
	column string // contains the id
	prefix string // of the id
}

var keptEvents = keptTable{"events", "id", "evt"}

var keptTables = []keptTable{
	{queue.Attempts, "delivery_id", "dlv"},
	{queue.Deliveries, "id", "dlv"},
	keptEvents,
}

const (
	partitionsAhead = 7 // days
	purgeBatch      = 200

	// purgePause is the pause after each batch, as a multiple of the time that it took: on
	// SQLite, work in the background must leave the only writer to the requests.
	purgePause = 3
)

// oneBatch ends a subquery that chooses rows to delete.
var oneBatch = atMost(purgeBatch) + `)`

// boundary is the lowest id that can be made at the time.
func (t keptTable) boundary(at time.Time) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at)) // fails in the year 10889
	return t.prefix + "_" + strings.ToLower(id.String())
}

// madeAt is the time at which an id was made.
func madeAt(id string) time.Time {
	_, encoded, _ := strings.Cut(id, "_")
	parsed, _ := ulid.ParseStrict(encoded)
	return ulid.Time(parsed.Time())
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// UnscopedCreatePartitions creates the partitions of today and the next days, each
// with one statement. On SQLite it does nothing.
func (s *Store) UnscopedCreatePartitions(ctx context.Context) error {
	return s.createPartitions(ctx, 0, partitionsAhead+1)
}

// createPartitions creates the partitions of a number of days, beginning first days from today.
func (s *Store) createPartitions(ctx context.Context, first, number int) error {
	today := day(s.Now())
	for _, table := range keptTables {
		days := make([]db.Day, number)
		for ahead := range days {
			start := today.AddDate(0, 0, first+ahead)
			days[ahead] = db.Day{Start: start, FirstID: table.boundary(start), EndID: table.boundary(start.AddDate(0, 0, 1))}
		}
		if err := s.db.MakeDays(ctx, s.db, table.name, days); err != nil {
			return err
		}
	}
	return nil
}

// The methods below remove what is kept for a time only. They use many short transactions, and any number of
// processes can call them at once. Each tries all of its tables, also if one fails.

// UnscopedPurgeEvents removes events, deliveries, and attempts that are older than keep, and cancels queued deliveries
// of the removed events.
func (s *Store) UnscopedPurgeEvents(ctx context.Context, keep time.Duration) error {
	before := s.Now().Add(-keep)
	if err := s.queue.CancelOfOlderEvents(ctx, keptEvents.boundary(before)); err != nil {
		return err // a queued delivery must not lose its event
	}
	var failures error
	for _, table := range keptTables {
		rest, err := s.db.DropDays(ctx, s.db, table.name, before)
		failures = errors.Join(failures, err, s.purgeRows(ctx, table, rest, before))
	}
	return failures
}

// UnscopedPurgeAuditLog removes audit entries that are older than auditRetention or operatorRetention.
func (s *Store) UnscopedPurgeAuditLog(ctx context.Context) error {
	return errors.Join(
		s.purgeOperatorEntries(ctx),
		s.purgeRows(ctx, keptAudit, keptAudit.name, s.Now().Add(-auditRetention)))
}

var keptAudit = keptTable{"audit_log", "id", "aud"}

// auditRetention is how long the audit log is kept.
const auditRetention = 365 * 24 * time.Hour

// UnscopedPurgeExpired removes expired idempotency keys, rate-limit windows, logins, ended invitation tokens, ended
// emails to members, ended suppressions of refused addresses, old links to reset passwords, expired registrations of
// candidates, late answers, second factors that were not confirmed, ended challenges of sign-ins, ended sign-ins with a
// provider, old links to results, old exchanges with applicant tracking systems, and old statistics of endpoints. Each
// statement checks the time a second time, because a row can have been renewed since the subquery read it.
func (s *Store) UnscopedPurgeExpired(ctx context.Context) error {
	var failures error
	now := s.Now()
	for _, expired := range []struct {
		query  string
		before time.Time
	}{
		{`DELETE FROM idempotency_keys WHERE created_at < ? AND key_hash IN (SELECT key_hash FROM idempotency_keys
			WHERE created_at < ?` + oneBatch, now.Add(-onceLifetime)},
		{`DELETE FROM rate_windows WHERE ends_at < ? AND bucket IN (SELECT bucket FROM rate_windows
			WHERE ends_at < ?` + oneBatch, now},
		{`DELETE FROM ended_invitations WHERE ended_at < ? AND token_hash IN (SELECT token_hash FROM ended_invitations
			WHERE ended_at < ?` + oneBatch, now.Add(-endedInvitationRetention)},
		{`DELETE FROM emails WHERE ended_at < ? AND id IN (SELECT id FROM emails WHERE ended_at < ? AND session_id IS NULL
			ORDER BY ended_at` + oneBatch, now.Add(-emailRetention)},
		{`DELETE FROM email_suppressions WHERE expires_at < ? AND (organization_id, address_hash) IN (
			SELECT organization_id, address_hash FROM email_suppressions WHERE expires_at < ?` + oneBatch, now},
		{`DELETE FROM password_resets WHERE created_at < ? AND id IN (SELECT id FROM password_resets
			WHERE created_at < ?` + oneBatch, now.Add(-resetRetention)},
		{`DELETE FROM registrations WHERE expires_at < ? AND id IN (SELECT id FROM registrations
			WHERE expires_at < ?` + oneBatch, now},
		{`DELETE FROM late_answers WHERE arrived_at < ? AND (session_id, question_id) IN (SELECT session_id, question_id
			FROM late_answers WHERE arrived_at < ?` + oneBatch, now.Add(-lateAnswersKept)},
		{`DELETE FROM result_links WHERE expires_at < ? AND id IN (SELECT id FROM result_links
			WHERE expires_at < ?` + oneBatch, now.Add(-auditRetention)}, // the timeline shows its label
		{`DELETE FROM integration_exchanges WHERE created_at < ? AND id IN (SELECT id FROM integration_exchanges
			WHERE created_at < ?` + oneBatch, now.Add(-exchangeRetention)},
		{`DELETE FROM second_factors WHERE expires_at < ? AND id IN (SELECT id FROM second_factors
			WHERE expires_at < ?` + oneBatch, now},
		{`DELETE FROM sign_in_attempts WHERE expires_at < ? AND state_hash IN (SELECT state_hash FROM sign_in_attempts
			WHERE expires_at < ?` + oneBatch, now},
		{`DELETE FROM sign_in_challenges WHERE expires_at < ? AND token_hash IN (SELECT token_hash FROM sign_in_challenges
			WHERE expires_at < ?` + oneBatch, now},
		{`DELETE FROM logins WHERE expires_at < ? AND id IN (SELECT id FROM logins WHERE expires_at < ?` + oneBatch, now},
	} {
		failures = errors.Join(failures, s.purgeBatches(ctx, expired.query, expired.before, expired.before))
	}
	return errors.Join(failures, s.purgeBatches(ctx, `
		DELETE FROM webhook_statistics WHERE (webhook_id, hour, bucket) IN (SELECT webhook_id, hour, bucket
			FROM webhook_statistics WHERE hour < ?`+oneBatch, now.Add(-statisticsRetention).UnixMicro()))
}

// emailRetention is how long an email to a member is kept after it has ended. Emails to
// candidates stay, because timelines show them.
const emailRetention = 30 * 24 * time.Hour

func (s *Store) purgeRows(ctx context.Context, table keptTable, name string, before time.Time) error {
	return s.purgeBatches(ctx, deleteBefore(name, table.column), table.boundary(before))
}

// deleteBefore deletes a batch of the rows with the lowest ids, below an id.
func deleteBefore(table, id string) string {
	return fmt.Sprintf(`DELETE FROM %[1]s WHERE %[2]s IN (
		SELECT %[2]s FROM %[1]s WHERE %[2]s < ? ORDER BY %[2]s`, table, id) + oneBatch
}

// purgeBatches deletes all rows in short transactions of up to purgeBatch rows.
func (s *Store) purgeBatches(ctx context.Context, query string, args ...any) error {
	for {
		began := s.Now()
		var deleted int64
		err := s.write(ctx, func(c conn) error {
			var err error
			deleted, err = c.Exec(ctx, query, args...)
			return err
		})
		if err != nil || deleted < purgeBatch {
			return err
		}
		if err := s.pause(ctx, began); err != nil {
			return err
		}
	}
}

// pause waits after a batch that began at a time.
func (s *Store) pause(ctx context.Context, began time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(purgePause * min(s.Now().Sub(began), time.Second)):
		return nil
	}
}
