package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Extension is the input of ExtendCandidateSession.
type Extension struct {
	Minutes int
	Reason  string // can contain personal data; an erasure removes it
}

// ExtendCandidateSession lengthens the current stage and the session. Refusals:
// not_found, session_not_in_progress, session_without_deadline.
func (s *Store) ExtendCandidateSession(
	ctx context.Context, scope Scope, id string, in Extension,
) (CandidateSession, error) {
	return s.changeSession(ctx, scope, id, rules.VerbExtend, func(c conn, session CandidateSession, now time.Time) error {
		extended, err := c.extendSession(ctx, session, in.Minutes, now)
		if err != nil {
			return err
		}
		if !extended {
			return commitThenRefuse(errSessionWithoutDeadline)
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO candidate_session_extensions (id, organization_id, session_id, minutes, reason, user_id, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			s.NewID("ext"), scope.OrganizationID, id, in.Minutes, in.Reason, scope.UserID, now); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditSessionExtended, id, valueOf("minutes", in.Minutes))
	})
}

func (c conn) eraseReasons(ctx context.Context, scope Scope, id string, _ time.Time) error {
	for _, statement := range []string{
		`UPDATE candidate_session_extensions SET reason = '' WHERE organization_id = ? AND session_id = ?`,
		`UPDATE reopenings SET reason = '' WHERE organization_id = ? AND session_id = ?`,
		`UPDATE rulings SET reason = '' WHERE organization_id = ? AND session_id = ?`,
		`UPDATE grades SET reason = '', comment = NULL, answer = NULL WHERE organization_id = ? AND session_id = ?`,
		`DELETE FROM late_answers WHERE organization_id = ? AND session_id = ?`,
	} {
		if _, err := c.Exec(ctx, statement, scope.OrganizationID, id); err != nil {
			return err
		}
	}
	return nil
}
