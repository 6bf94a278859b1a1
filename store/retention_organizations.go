package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/store/journal"
	"assay/store/queue"
)

// ofSessions are the tables with rows of sessions, in the order in which they can be deleted. review_session_tags is
// not among them: see deleteTags.
var ofSessions = []string{
	"review_emails", "review_changes", "review_ratings", "review_comments", "review_tag_changes", "reviews",
	"result_links", "result_revisions", "grading_answers", "grading_claims", "grades", "rulings", "review_requests",
	"reopenings", "late_answers", "answers", "assessment_snapshots",
	"candidate_session_words", "candidate_session_devices", "candidate_session_extensions",
	"candidate_session_undelivered", "session_activity", "group_answers", "group_changes", "integration_orders", "emails",
}

// ofAssessments are likewise the tables with rows of assessments.
var ofAssessments = []string{
	"assessment_scores", "assessment_statistics", "assessment_subscriptions", "corrections", "score_counts",
	"registrations", "registration_links", "suspected_keys", "media_uses", "question_statistics", "question_uses",
	"legal_holds", "cut_score_ratings", "self_identifications", "group_statistics", "segments",
}

// ofOrganizations are the other tables with rows of an organization, and the column that tells them apart.
var ofOrganizations = []struct{ table, key string }{
	{queue.Queued, "delivery_id"}, {queue.Deliveries, "id"}, {queue.Replays, "id"}, {"events", "id"},
	{"webhook_endpoints", "id"}, {"integration_exchanges", "id"}, {"integrations", "id"}, {"invitations", "id"},
	{"email_texts", "kind"}, {"email_suppressions", "address_hash"},
	{"review_email_batches", "id"}, {"review_tags", "key"}, {"retention_states", "assessment_id"},
	{"review_states", "id"}, {"retentions", "assessment_id"},
	{"question_versions", "question_id"}, {"question_tags", "question_id"}, {"questions", "id"},
	{"organization_logos", "organization_id"},
	{"media_contents", "media_id"}, {"media", "id"}, {"password_resets", "id"}, {"api_keys", "id"},
	{"sign_in_attempts", "state_hash"}, {"sign_in_identities", "subject"}, {"sign_in_domains", "id"},
	{"sign_in_recovery_codes", "id"}, {"sign_in_providers", "id"},
	{"idempotency_keys", "key_hash"}, {"grading_digests", "user_id"}, {"audit_log", "id"},
	{"provisioned_members", "member_id"}, {"users", "id"},
}

// UnscopedEraseOrganizations erases the data of one closed organization whose time has come, in short transactions.
// more reports that another one can wait. The row of the organization stays, without its name and settings, so that
// its id never belongs to another one. What refers only to ids and has its own end stays until then: emails to
// members, ended invitation tokens, and entries of rate limits.
func (s *Store) UnscopedEraseOrganizations(ctx context.Context) (more bool, err error) {
	var id string
	err = s.db.ReadMany().Get(ctx, &id, `
		SELECT id FROM organizations WHERE erase_at IS NOT NULL AND erase_at <= ? ORDER BY erase_at LIMIT 1`, s.Now())
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = s.eraseOrganization(ctx, Scope{OrganizationID: id}, s.Now())
	return err == nil, err
}

// eraseOrganization erases the data of a closed organization. The time at is that of the erasure. It is recorded first:
// when the process ends between two steps, the journal must have what is already gone.
func (s *Store) eraseOrganization(ctx context.Context, scope Scope, at time.Time) error {
	if err := s.write(ctx, func(c conn) error {
		return c.recordErasure(ctx, journal.Erasure{
			Kind: journal.Organization, OrganizationID: scope.OrganizationID, ID: scope.OrganizationID, At: at,
		})
	}); err != nil {
		return err
	}
	for _, step := range []func(context.Context, Scope) error{
		s.eraseSessions, s.eraseAssessments, s.eraseDeliveryRecords, s.eraseSignIns, s.eraseOthers,
	} {
		if err := step(ctx, scope); err != nil {
			return err
		}
	}
	_, err := s.autocommit().Exec(ctx, `
		UPDATE organizations SET erase_at = NULL, name = '', redirect_url = NULL, support_email = NULL, privacy_url = NULL,
			privacy_notice = NULL, accent_color = NULL, locale = NULL, time_zone = NULL, mail_from_name = NULL,
			mail_reply_to = NULL, deletion_requested_at = NULL, deletion_requested_by = NULL, updated_at = ?
		WHERE id = ?`, s.Now(), scope.OrganizationID)
	if err == nil {
		s.opts.Log.InfoContext(ctx, "organization erased", "organization", scope.OrganizationID)
	}
	return err
}

// eachBatch calls erase with the ids of a batch as a JSON array until no id is left.
func (s *Store) eachBatch(
	ctx context.Context, scope Scope, query string, erase func(c conn, ids []string, encoded string) error,
) error {
	for {
		began := s.Now()
		var ids []string
		err := s.write(ctx, func(c conn) error {
			ids = nil
			if err := c.List(ctx, &ids, query+` LIMIT ?`, scope.OrganizationID, purgeBatch); err != nil || len(ids) == 0 {
				return err
			}
			encoded, err := json.Marshal(ids)
			if err != nil {
				return err
			}
			return erase(c, ids, string(encoded))
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.pause(ctx, began); err != nil {
			return err
		}
	}
}

func (s *Store) eraseSessions(ctx context.Context, scope Scope) error {
	ofSession := s.db.IsOneOf("session_id")
	return s.eachBatch(ctx, scope, `SELECT id FROM candidate_sessions WHERE organization_id = ? ORDER BY id`,
		func(c conn, ids []string, encoded string) error {
			if err := c.deleteTags(ctx, ids); err != nil {
				return err
			}
			if _, err := c.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE order_id IN (SELECT id FROM %s WHERE %s)`,
				"integration_callbacks", "integration_orders", ofSession), encoded); err != nil {
				return err
			}
			for _, table := range ofSessions {
				if _, err := c.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE organization_id = ? AND %s`, table, ofSession),
					scope.OrganizationID, encoded); err != nil {
					return err
				}
			}
			if _, err := c.Exec(ctx, `DELETE FROM statistics_queue WHERE `+ofSession, encoded); err != nil {
				return err
			}
			_, err := c.Exec(ctx, `DELETE FROM candidate_sessions WHERE organization_id = ? AND `+s.db.IsOneOf("id"),
				scope.OrganizationID, encoded)
			return err
		})
}

func (s *Store) eraseAssessments(ctx context.Context, scope Scope) error {
	return s.eachBatch(ctx, scope, `SELECT id FROM assessments WHERE organization_id = ? ORDER BY id`,
		func(c conn, _ []string, encoded string) error {
			for _, table := range ofAssessments {
				if _, err := c.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE organization_id = ? AND %s`, table,
					s.db.IsOneOf("assessment_id")), scope.OrganizationID, encoded); err != nil {
					return err
				}
			}
			_, err := c.Exec(ctx, `DELETE FROM assessments WHERE organization_id = ? AND `+s.db.IsOneOf("id"),
				scope.OrganizationID, encoded)
			return err
		})
}

// eraseDeliveryRecords erases what has no organization, or no index for it.
func (s *Store) eraseDeliveryRecords(ctx context.Context, scope Scope) error {
	if err := s.eachBatch(ctx, scope, `
		SELECT d.id FROM webhook_deliveries d WHERE d.organization_id = ? AND EXISTS (
			SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id) ORDER BY d.id`,
		func(c conn, ids []string, _ string) error { return s.queue.DeleteAttempts(ctx, c.Conn, ids) }); err != nil {
		return err
	}
	return s.write(ctx, func(c conn) error {
		_, err := c.Exec(ctx, `DELETE FROM webhook_statistics WHERE webhook_id IN (
			SELECT id FROM webhook_endpoints WHERE organization_id = ?)`, scope.OrganizationID)
		return err
	})
}

func (s *Store) eraseSignIns(ctx context.Context, scope Scope) error {
	return s.write(ctx, func(c conn) error {
		for _, table := range []string{"logins", "finished_notices"} {
			if _, err := c.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE user_id IN (
				SELECT id FROM users WHERE organization_id = ?)`, table), scope.OrganizationID); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) eraseOthers(ctx context.Context, scope Scope) error {
	for _, of := range ofOrganizations {
		if err := s.purgeBatches(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE organization_id = ? AND %[2]s IN (
			SELECT %[2]s FROM %[1]s WHERE organization_id = ?`, of.table, of.key)+oneBatch,
			scope.OrganizationID, scope.OrganizationID); err != nil {
			return err
		}
	}
	return nil
}
