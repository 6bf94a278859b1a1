package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// SessionChange is the input of UpdateCandidateSession. A nil field does not change.
type SessionChange struct {
	ExpiresAt        *time.Time
	ExtraTimePercent *int
	Note             Change[string]
}

// UpdateCandidateSession changes a session. Its expiry and its extra time can change
// while it is INVITED. Refusals: not_found, session_not_invited, invalid_request, and
// assessment_closed or assessment_not_open for an expiry with which it could never be started.
func (s *Store) UpdateCandidateSession(
	ctx context.Context, scope Scope, id string, in SessionChange,
) (CandidateSession, error) {
	var changed CandidateSession
	err := s.write(ctx, func(c conn) error {
		session, err := c.lockSession(ctx, scope, id)
		if err != nil {
			return err
		}
		now := s.Now()
		if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
			return err
		}
		if in.ExpiresAt != nil || in.ExtraTimePercent != nil {
			if session.Status != rules.SessionInvited {
				return commitThenRefuse(errNotOpenInvitation)
			}
			if err := checkInvite(Invite{ExpiresAt: in.ExpiresAt}, now); err != nil {
				return err
			}
		}
		after := in.apply(session)
		if !after.ExpiresAt.Equal(session.ExpiresAt.Time) {
			if err := after.checkPromise(now); err != nil {
				return err
			}
		}
		if err := c.updateSession(ctx, scope, session, after, now); err != nil {
			return err
		}
		changed, err = c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`)
		return err
	})
	return changed, err
}

func (in SessionChange) apply(session CandidateSession) CandidateSession {
	if in.ExpiresAt != nil {
		session.ExpiresAt = Time{in.ExpiresAt.UTC().Truncate(time.Millisecond)}
		session.DueAt = &session.ExpiresAt
	}
	if in.ExtraTimePercent != nil {
		session.ExtraTimePercent = *in.ExtraTimePercent
	}
	if in.Note.Set {
		session.Note = in.Note.Value
	}
	return session
}

// updateSession writes what an organization can change of a locked session.
func (c conn) updateSession(ctx context.Context, scope Scope, before, session CandidateSession, now time.Time) error {
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET candidate_name = ?, external_id = ?, metadata = ?, redirect_url = ?,
			extra_time_percent = ?, expires_at = ?, due_at = ?, note = ?, updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		session.CandidateName, session.ExternalID, session.MetadataJSON, session.RedirectURL,
		session.ExtraTimePercent, session.ExpiresAt.Time, timePtr(session.DueAt), session.Note, now,
		scope.OrganizationID, session.ID); err != nil {
		return err
	}
	if !session.ExpiresAt.Equal(before.ExpiresAt.Time) {
		if err := c.rescheduleReminder(ctx, session, now); err != nil {
			return err
		}
	}
	return c.audit(ctx, scope, AuditSessionUpdated, session.ID, before.changes(session)...)
}
