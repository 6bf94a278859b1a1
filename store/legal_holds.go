package store

import (
	"context"
)

// LegalHold protects a session, or all sessions of an assessment, from each erasure.
type LegalHold struct {
	ID              string  `db:"id"`
	AssessmentID    string  `db:"assessment_id"` // also of a hold on a session
	AssessmentTitle string  `db:"assessment_title"`
	SessionID       *string `db:"session_id"` // nil for all sessions of the assessment
	CandidateName   *string `db:"candidate_name"`
	Reason          string  `db:"reason"`
	CreatedByID     string  `db:"created_by_id"`
	CreatedByName   string  `db:"created_by_name"` // at the time
	CreatedAt       Time    `db:"created_at"`
}

// maxLegalHolds is the limit of openapi.yaml for the holds of an organization.
const maxLegalHolds = 1000

const legalHoldColumns = `SELECT id, assessment_id,
	(SELECT a.title FROM assessments a WHERE a.id = assessment_id) AS assessment_title, session_id,
	(SELECT s.candidate_name FROM candidate_sessions s WHERE s.id = session_id) AS candidate_name, reason,
	created_by_id, created_by_name, created_at
	FROM legal_holds`

// sessionIDs implements what an erasure needs to find stored outcomes of idempotency keys.
func (h LegalHold) sessionIDs() []string {
	if h.SessionID == nil {
		return nil
	}
	return []string{*h.SessionID}
}

// NewLegalHold is the input of CreateLegalHold. Exactly one of AssessmentID and SessionID is set.
type NewLegalHold struct {
	AssessmentID *string
	SessionID    *string
	Reason       string
}

// CreateLegalHold protects a session or an assessment. An erasure that has begun ends first. Refusals: invalid_request,
// not_found, session_erased, too_many_legal_holds.
func (s *Store) CreateLegalHold(ctx context.Context, scope Scope, in NewLegalHold) (LegalHold, error) {
	var created LegalHold
	err := once(ctx, s, scope, &created, func(c conn) error {
		assessmentID, err := c.lockHeld(ctx, scope, in)
		if err != nil {
			return err
		}
		if err := c.requireHoldRoom(ctx, scope); err != nil {
			return err
		}
		id := s.NewID("hld")
		if _, err := c.Exec(ctx, `
			INSERT INTO legal_holds (id, organization_id, assessment_id, session_id, reason, created_by_id, created_by_name,
				created_at)
			SELECT ?, organization_id, ?, ?, ?, id, name, ? FROM users WHERE organization_id = ? AND id = ?`,
			id, assessmentID, in.SessionID, in.Reason, s.Now(), scope.OrganizationID, scope.UserID); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditLegalHoldSet, id, in.subject()); err != nil {
			return err
		}
		created, err = c.legalHold(ctx, scope, id)
		return err
	})
	return created, err
}

// subject says in the audit log what the hold protects.
func (in NewLegalHold) subject() AuditChange {
	if in.SessionID != nil {
		return AuditChange{Field: "sessionId", To: in.SessionID}
	}
	return AuditChange{Field: "assessmentId", To: in.AssessmentID}
}

// lockHeld locks what a hold shall protect, so that no erasure of it is in progress, and returns the assessment. See
// lockForErasure.
func (c conn) lockHeld(ctx context.Context, scope Scope, in NewLegalHold) (assessmentID string, err error) {
	if in.AssessmentID != nil {
		err := c.requireAssessment(ctx, scope, *in.AssessmentID, c.store.db.ForNoKeyUpdate)
		if err == nil && in.SessionID != nil {
			err = errInvalid.with(fault("/sessionId", "invalid_value", "must be absent beside assessmentId"))
		}
		return *in.AssessmentID, err
	}
	if in.SessionID == nil {
		return "", errInvalid.with(fault("/assessmentId", "required", "is required without sessionId"))
	}
	session, err := c.lockSession(ctx, scope, *in.SessionID)
	switch {
	case err != nil:
		return "", err
	case session.Test: // it is deleted after a day
		return "", errNoSession
	case session.ErasedAt != nil:
		return "", errSessionErased
	}
	return session.AssessmentID, nil
}

// requireHoldRoom refuses a further hold at the limit. It locks the organization, so that the limit is exact.
func (c conn) requireHoldRoom(ctx context.Context, scope Scope) error {
	var held string
	if err := c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate,
		scope.OrganizationID); err != nil {
		return err
	}
	var count int
	if err := c.Get(ctx, &count, `
		SELECT COUNT(*) FROM legal_holds WHERE organization_id = ? AND released_at IS NULL`,
		scope.OrganizationID); err != nil {
		return err
	}
	if count >= maxLegalHolds {
		return errTooManyLegalHolds
	}
	return nil
}

// LegalHoldFilter narrows ListLegalHolds. A zero field does not narrow it.
type LegalHoldFilter struct {
	AssessmentID string // holds on the assessment, and on its sessions
	SessionID    string // holds that protect the session
}

// ListLegalHolds returns a page of the holds that were not released, newest first, and whether there are more.
func (s *Store) ListLegalHolds(
	ctx context.Context, scope Scope, in LegalHoldFilter, page Page,
) ([]LegalHold, bool, error) {
	where := filterOf(scope, page)
	where.and("released_at IS NULL")
	if in.AssessmentID != "" {
		where.and("assessment_id = ?", in.AssessmentID)
	}
	if in.SessionID != "" {
		where.and(`assessment_id = (SELECT s.assessment_id FROM candidate_sessions s
			WHERE s.organization_id = ? AND s.id = ?) AND (session_id IS NULL OR session_id = ?)`,
			scope.OrganizationID, in.SessionID, in.SessionID)
	}
	query, args := where.newestFirst(legalHoldColumns, page)
	var rows []LegalHold
	if err := s.read().List(ctx, &rows, query, args...); err != nil {
		return nil, false, err
	}
	rows, more := cut(rows, page.Limit)
	return rows, more, nil
}

// RetrieveLegalHold returns a hold that was not released. Refusal: not_found.
func (s *Store) RetrieveLegalHold(ctx context.Context, scope Scope, id string) (LegalHold, error) {
	return s.read().legalHold(ctx, scope, id)
}

func (c conn) legalHold(ctx context.Context, scope Scope, id string) (LegalHold, error) {
	var found LegalHold
	err := c.Get(ctx, &found, legalHoldColumns+` WHERE organization_id = ? AND id = ? AND released_at IS NULL`,
		scope.OrganizationID, id)
	return found, orRefuse(err, errNoLegalHold)
}

// DeleteLegalHold releases a hold. A second release does nothing. Refusal: not_found.
func (s *Store) DeleteLegalHold(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		released, err := c.Exec(ctx, `
			UPDATE legal_holds SET released_at = ?, reason = '' WHERE organization_id = ? AND id = ? AND released_at IS NULL`,
			s.Now(), scope.OrganizationID, id)
		if err != nil {
			return err
		}
		if released > 0 {
			return c.audit(ctx, scope, AuditLegalHoldReleased, id)
		}
		var found string
		return orRefuse(c.Get(ctx, &found, `SELECT id FROM legal_holds WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id), errNoLegalHold)
	})
}

// sessionHeld says whether a hold protects the session s of a query. For EXISTS in its place, PostgreSQL can collect the
// holds of all organizations first.
const sessionHeld = `COALESCE(
	(SELECT TRUE FROM legal_holds h WHERE h.organization_id = s.organization_id AND h.assessment_id = s.assessment_id
		AND h.session_id IS NULL AND h.released_at IS NULL LIMIT 1),
	(SELECT TRUE FROM legal_holds h WHERE h.organization_id = s.organization_id AND h.assessment_id = s.assessment_id
		AND h.session_id = s.id AND h.released_at IS NULL LIMIT 1), FALSE)`

// isHeld reports whether a hold protects a session.
func (c conn) isHeld(ctx context.Context, scope Scope, session CandidateSession) (held bool, err error) {
	err = c.Get(ctx, &held, `
		SELECT EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = ? AND assessment_id = ? AND session_id IS NULL
				AND released_at IS NULL)
			OR EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = ? AND assessment_id = ? AND session_id = ?
				AND released_at IS NULL)`,
		scope.OrganizationID, session.AssessmentID, scope.OrganizationID, session.AssessmentID, session.ID)
	return held, err
}

// refuseHeld refuses the erasure of a session that a hold protects. The caller has the locks of lockForErasure.
func (c conn) refuseHeld(ctx context.Context, scope Scope, session CandidateSession) error {
	held, err := c.isHeld(ctx, scope, session)
	if err == nil && held {
		err = errLegalHold
	}
	return err
}

// lockForErasure locks a session, and keeps holds from being set on it or on its assessment until the transaction ends.
// Its assessment is locked first, as when a draft is deleted.
func (c conn) lockForErasure(ctx context.Context, scope Scope, id string) (CandidateSession, error) {
	session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return session, err
	}
	if err := c.requireAssessment(ctx, scope, session.AssessmentID, c.store.db.ForShare); err != nil {
		return session, err
	}
	return c.lockSession(ctx, scope, id)
}
