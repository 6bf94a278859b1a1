package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

const (
	// previewLifetime is how long a preview can be started, and how long it is kept.
	previewLifetime = 24 * time.Hour

	// maxPreviews bounds the previews of an organization, each of which has a copy of
	// its assessment. A new one replaces the oldest.
	maxPreviews = 100
)

// PreviewAssessment creates a test session in which the caller takes the assessment as
// it is now, also a draft. Later changes of the assessment do not reach the session.
// Refusals: not_found, assessment_incomplete.
func (s *Store) PreviewAssessment(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	var preview previewed
	err := once(ctx, s, scope, &preview, func(c conn) error {
		assessment, err := c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
		if err != nil {
			return err
		}
		missing, err := c.missingForPublish(ctx, assessment)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return errAssessmentIncomplete.with(missing...)
		}
		preview.Session, err = c.insertPreview(ctx, scope, assessment)
		return err
	})
	return preview.Session, err
}

// previewed is the outcome of a preview.
type previewed struct{ Session CandidateSession }

func (p previewed) sessionIDs() []string { return []string{p.Session.ID} }

// insertPreview inserts the session with the caller as its candidate. Its
// candidate_email_key is no address, so that an invitation of the caller does not find
// the session, and attempts are not counted.
func (c conn) insertPreview(ctx context.Context, scope Scope, a *Assessment) (CandidateSession, error) {
	snapshot, err := json.Marshal(a)
	if err != nil {
		return CandidateSession{}, err
	}
	id, now := c.store.NewID("ses"), c.store.Now()
	expiresAt := now.Add(previewLifetime)
	if _, err := c.Exec(ctx, `
		INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
			candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at,
			due_at, progress, created_at, updated_at, test)
		SELECT ?, organization_id, ?, ?, name, email, ?, '{}', 'INVITED', 1, 1, 0, ?, ?, ?, '{}', ?, ?, ?
		FROM users WHERE organization_id = ? AND id = ?`,
		id, a.ID, a.Title, "test:"+id, now, expiresAt, expiresAt, now, now, true, scope.OrganizationID,
		scope.UserID); err != nil {
		return CandidateSession{}, err
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO assessment_snapshots (session_id, organization_id, assessment) VALUES (?, ?, ?)`,
		id, scope.OrganizationID, string(snapshot)); err != nil {
		return CandidateSession{}, err
	}
	if _, err := c.deletePreviews(ctx, `
		SELECT id FROM candidate_sessions WHERE organization_id = ? AND test AND id <= (
			SELECT id FROM candidate_sessions WHERE organization_id = ? AND test ORDER BY id DESC LIMIT 1 OFFSET ?)`,
		scope.OrganizationID, scope.OrganizationID, maxPreviews); err != nil {
		return CandidateSession{}, err
	}
	return c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
}

// contentID is the id under which content finds what the session is about: the
// assessment, or the snapshot of a test session.
func (cs CandidateSession) contentID() string { return contentID(cs.Test, cs.AssessmentID, cs.ID) }

func contentID(test bool, assessmentID, sessionID string) string {
	if test {
		return sessionID
	}
	return assessmentID
}

// isSnapshot reports whether a contentID is that of a test session.
func isSnapshot(contentID string) bool { return strings.HasPrefix(contentID, "ses_") }

// snapshot returns the assessment of a test session as it was when the session was
// created. It is read and decoded each time, because few requests are of test sessions.
func (c conn) snapshot(ctx context.Context, scope Scope, sessionID string) (*Assessment, error) {
	var encoded string
	if err := c.Get(ctx, &encoded, `
		SELECT assessment FROM assessment_snapshots WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, sessionID); err != nil {
		return nil, orRefuse(err, errUnauthenticated) // the session was deleted after its credential was read
	}
	var a Assessment
	if err := json.Unmarshal([]byte(encoded), &a); err != nil {
		return nil, err
	}
	return &a, c.withPictures(ctx, &a)
}

// deletePreviews deletes the test sessions among up to purgeBatch sessions that the
// query selects, and returns how many it selected.
func (c conn) deletePreviews(ctx context.Context, query string, args ...any) (int, error) {
	var ids []string
	if err := c.List(ctx, &ids, query+` LIMIT ?`, append(args, purgeBatch)...); err != nil || len(ids) == 0 {
		return 0, err
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return 0, err
	}
	if err := c.deleteTags(ctx, ids); err != nil {
		return 0, err
	}
	ofSession := c.store.db.IsOneOf("session_id")
	for _, statement := range []string{
		`DELETE FROM assessment_snapshots WHERE ` + ofSession,
		`DELETE FROM answers WHERE ` + ofSession,
		`DELETE FROM grades WHERE ` + ofSession,
		`DELETE FROM reopenings WHERE ` + ofSession,
		`DELETE FROM result_revisions WHERE ` + ofSession,
		`DELETE FROM candidate_session_extensions WHERE ` + ofSession,
		`DELETE FROM candidate_session_words WHERE ` + ofSession,
		`DELETE FROM review_changes WHERE ` + ofSession,
		`DELETE FROM review_ratings WHERE ` + ofSession,
		`DELETE FROM review_comments WHERE ` + ofSession,
		`DELETE FROM result_links WHERE ` + ofSession,
		`DELETE FROM review_tag_changes WHERE ` + ofSession,
		`DELETE FROM reviews WHERE ` + ofSession,
		`DELETE FROM candidate_sessions WHERE test AND ` + c.store.db.IsOneOf("id"),
	} {
		if _, err := c.Exec(ctx, statement, string(encoded)); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// deletePreviewsOf deletes the test sessions of a draft that is about to be deleted.
func (c conn) deletePreviewsOf(ctx context.Context, scope Scope, assessmentID string) error {
	for {
		deleted, err := c.deletePreviews(ctx, `
			SELECT id FROM candidate_sessions WHERE organization_id = ? AND assessment_id = ? AND test`,
			scope.OrganizationID, assessmentID)
		if err != nil || deleted < purgeBatch {
			return err
		}
	}
}

// UnscopedPurgePreviews deletes the test sessions whose time has passed, in short transactions.
func (s *Store) UnscopedPurgePreviews(ctx context.Context) error {
	for {
		var deleted int
		err := s.write(ctx, func(c conn) (err error) {
			deleted, err = c.deletePreviews(ctx, `SELECT id FROM candidate_sessions WHERE test AND created_at <= ?`,
				s.Now().Add(-previewLifetime))
			return err
		})
		if err != nil || deleted < purgeBatch {
			return err
		}
	}
}
