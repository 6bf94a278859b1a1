package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// UnscopedCandidate returns the scope of an invite token. Refusal: unauthenticated
// for a token that is forged, replaced by a later one, or of a cancelled session.
func (s *Store) UnscopedCandidate(ctx context.Context, token string) (Scope, error) {
	sessionID, generation, ok := s.opts.Keys.ParseInviteToken(token)
	if !ok {
		return Scope{}, errUnauthenticated
	}
	load := func(ctx context.Context) (Scope, error) {
		var row struct {
			OrganizationID string `db:"organization_id"`
			AssessmentID   string `db:"assessment_id"`
			Generation     int    `db:"invite_generation"`
			Test           bool   `db:"test"`
		}
		err := s.read().Get(ctx, &row, `
			SELECT organization_id, assessment_id, invite_generation, test FROM candidate_sessions WHERE id = ?
				AND status <> 'CANCELLED'`, sessionID)
		if errors.Is(err, sql.ErrNoRows) {
			return Scope{}, s.read().endedInvite(ctx, sessionID, generation)
		}
		return Scope{
			OrganizationID: row.OrganizationID, SessionID: sessionID,
			contentID: contentID(row.Test, row.AssessmentID, sessionID), generation: row.Generation,
		}, err
	}
	scope, err := s.scope(ctx, sessionID, candidateLifetime, load)
	if err == nil && scope.generation < generation {
		// Another replica has sent a new link since the cached scope was read. The
		// old link may work until the cache expires; the new one must work immediately.
		s.credentials.forget(sessionID)
		scope, err = s.scope(ctx, sessionID, candidateLifetime, load)
	}
	if err == nil && scope.generation != generation {
		return Scope{}, s.read().endedInvite(ctx, sessionID, generation)
	}
	return scope, err
}

// Taking is a session as the candidate sees it.
type Taking struct {
	Session        CandidateSession
	AcknowledgedAt *Time
	Organization   Organization
	Assessment     *Assessment
	Progress       rules.Progress // zero before the start
	CorrectedAt    *time.Time     // when the result was corrected; nil unless the organization tells candidates
	RedirectURL    *string        // the address for a finished candidate, without the result token
	// RetentionMonths is for how long the data are kept, at most: see rules.Retention. It is nil without a limit.
	RetentionMonths *int
	// SelfIdentification reports whether the candidate has finished and the organization asks voluntary questions.
	SelfIdentification bool
	Now                time.Time
}

// RetrieveTaking returns the candidate's session. It also returns a session whose
// invite has expired, so that a page can show when, and whom to ask.
func (s *Store) RetrieveTaking(ctx context.Context, scope Scope) (Taking, error) {
	own, err := s.currentSession(ctx, scope)
	if err != nil {
		return Taking{}, err
	}
	return s.read().taking(ctx, own)
}

// ownSession is a candidate's session with the columns that only the candidate's
// requests need.
type ownSession struct {
	CandidateSession
	AcknowledgedAt  *Time          `db:"acknowledged_at"`
	RetentionMonths *int           `db:"retention_months"` // see rules.Retention
	Encoded         string         `db:"progress"`
	Progress        rules.Progress `db:"-"` // zero before the start
}

const ownSessionQuery = `SELECT ` + sessionColumnList + `, acknowledged_at, progress,
	(SELECT r.months FROM retentions r WHERE r.organization_id = candidate_sessions.organization_id
		AND r.assessment_id IN (candidate_sessions.assessment_id, '') AND NOT r.removed
		ORDER BY r.assessment_id DESC LIMIT 1) AS retention_months
	FROM candidate_sessions WHERE organization_id = ? AND id = ?`

// ownSession reads the candidate's session with the query, ownSessionQuery or one that
// locks. It checks the credential again: see candidateLifetime.
func (c conn) ownSession(ctx context.Context, scope Scope, query string) (ownSession, error) {
	var own ownSession
	if err := c.Get(ctx, &own, query, scope.OrganizationID, scope.SessionID); err != nil {
		return own, orRefuse(err, errUnauthenticated) // a test session that was deleted after its credential was read
	}
	if own.InviteGeneration != scope.generation || own.Status == rules.SessionCancelled {
		return own, c.endedInvite(ctx, scope.SessionID, scope.generation)
	}
	if own.StartedAt == nil {
		return own, nil
	}
	return own, json.Unmarshal([]byte(own.Encoded), &own.Progress)
}

// currentSession applies passed deadlines to the candidate's session and returns it.
func (s *Store) currentSession(ctx context.Context, scope Scope) (ownSession, error) {
	own, err := s.read().ownSession(ctx, scope, ownSessionQuery)
	if err != nil || own.DueAt == nil || s.Now().Before(own.DueAt.Time) {
		return own, err
	}
	err = s.write(ctx, func(c conn) error {
		locked, err := c.lockSession(ctx, scope, scope.SessionID)
		if err != nil {
			return err
		}
		if _, _, err = c.applyDeadlines(ctx, locked, s.Now()); err != nil {
			return err
		}
		own, err = c.ownSession(ctx, scope, ownSessionQuery)
		return err
	})
	return own, err
}

// lockOwnSession locks the candidate's session and applies passed deadlines. Wrap a
// later refusal in commitThenRefuse, so that the deadlines stay applied.
func (c conn) lockOwnSession(ctx context.Context, scope Scope) (ownSession, time.Time, error) {
	own, err := c.ownSession(ctx, scope, ownSessionQuery+c.store.db.ForUpdate)
	if err != nil {
		return own, time.Time{}, err
	}
	now := c.store.Now()
	session, changed, err := c.applyDeadlines(ctx, own.CandidateSession, now)
	if err != nil || !changed {
		own.CandidateSession = session
		return own, now, err
	}
	own, err = c.ownSession(ctx, scope, ownSessionQuery)
	return own, now, err
}

func (c conn) taking(ctx context.Context, own ownSession) (Taking, error) {
	taking := Taking{
		Session: own.CandidateSession, AcknowledgedAt: own.AcknowledgedAt, Progress: own.Progress, Now: c.store.Now(),
		RetentionMonths: own.RetentionMonths,
	}
	var err error
	scope := Scope{OrganizationID: own.OrganizationID}
	if taking.Assessment, err = c.contentFor(ctx, scope, own.contentID(), own.ID); err != nil {
		return Taking{}, err
	}
	if taking.Organization, err = c.organization(ctx, scope); err != nil {
		return Taking{}, err
	}
	if taking.Organization.NotifyCorrected {
		if taking.CorrectedAt, err = c.correctedAt(ctx, own.CandidateSession); err != nil {
			return Taking{}, err
		}
	}
	if own.hasEnded() {
		asked, err := c.selfIdentification(ctx, scope, own.AssessmentID)
		if err != nil {
			return Taking{}, err
		}
		taking.SelfIdentification = len(asked.Questions) > 0
	}
	if !own.Test { // the result is invisible to the integrator's page
		taking.RedirectURL = firstOf(own.RedirectURL, taking.Assessment.RedirectURL, taking.Organization.RedirectURL)
	}
	return taking, nil
}

func firstOf(values ...*string) *string {
	for _, value := range values {
		if value != nil {
			return value
		}
	}
	return nil
}

// StartTaking starts the session and its first stage, and emits candidate.started. A
// second call changes nothing. acknowledged means that the candidate has accepted the
// organization's notice. clientID identifies the open page, and can be empty. Refusals:
// session_not_in_progress when the session has ended, invite_expired, assessment_not_open,
// assessment_closed, acknowledgement_required.
func (s *Store) StartTaking(ctx context.Context, scope Scope, acknowledged bool, clientID string) (Taking, error) {
	var taking Taking
	err := s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		if _, refusal := own.Status.After(rules.VerbStart); refusal != "" {
			return commitThenRefuse(refused(refusal))
		}
		if own.Status == rules.SessionInvited {
			assessment, err := c.contentFor(ctx, scope, own.contentID(), own.ID)
			if err != nil {
				return err
			}
			if refusal := own.Span().Refusal(now); refusal != "" {
				return commitThenRefuse(refused(refusal))
			}
			if err := c.acknowledge(ctx, scope, acknowledged, now); err != nil {
				return err
			}
			progress := rules.StartProgress(assessment.Definition, rules.Limits{
				Minutes: assessment.TimeLimitMinutes, ExtraTimePercent: own.ExtraTimePercent, Grace: s.opts.DeadlineGrace,
			}, now)
			m := material{assessment: assessment, progress: progress}
			if err := c.saveProgress(ctx, own.CandidateSession, m, now); err != nil {
				return err
			}
			if own, err = c.ownSession(ctx, scope, ownSessionQuery); err != nil {
				return err
			}
			if err := c.emitStatus(ctx, own.CandidateSession, now); err != nil {
				return err
			}
		}
		if err := c.noteDevice(ctx, own, scope, clientID, now); err != nil {
			return err
		}
		taking, err = c.taking(ctx, own)
		return err
	})
	return taking, err
}

// acknowledge records that the candidate has accepted the organization's notice. It
// refuses a start without that if the organization requires it.
func (c conn) acknowledge(ctx context.Context, scope Scope, acknowledged bool, now time.Time) error {
	if acknowledged {
		_, err := c.Exec(ctx, `UPDATE candidate_sessions SET acknowledged_at = ? WHERE organization_id = ? AND id = ?`,
			now, scope.OrganizationID, scope.SessionID)
		return err
	}
	var required bool
	if err := c.Get(ctx, &required, `SELECT acknowledgement_required FROM organizations WHERE id = ?`,
		scope.OrganizationID); err != nil {
		return err
	}
	if required {
		return errAcknowledgementRequired
	}
	return nil
}
