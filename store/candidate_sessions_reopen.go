package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Reopening is the input of ReopenCandidateSession.
type Reopening struct {
	Minutes int
	StageID *string // nil for the stage at which the session ended, or the one after it
	Reason  string  // can contain personal data; an erasure removes it
}

// ReopenCandidateSession lets the candidate of a finished session go on. Answers stay. The
// result becomes an earlier revision, and the session gets a new one when it finishes
// again. Refusals: not_found, session_not_finished, session_erased, invalid_request.
func (s *Store) ReopenCandidateSession(
	ctx context.Context, scope Scope, id string, in Reopening,
) (CandidateSession, error) {
	if in.StageID != nil {
		if err := s.checkStage(ctx, scope, id, *in.StageID); err != nil {
			return CandidateSession{}, err
		}
	}
	return s.changeSession(ctx, scope, id, rules.VerbReopen, func(c conn, session CandidateSession, now time.Time) error {
		if session.ErasedAt != nil {
			return errSessionErased
		}
		m, err := c.material(ctx, session)
		if err != nil {
			return err
		}
		at := m.progress.ReopenAt()
		if in.StageID != nil {
			_, at, _ = m.assessment.Definition.StageByID(*in.StageID)
		}
		if at < 0 || !m.progress.CanReopen(at) {
			return errInvalid.with(fault("/stageId", "invalid_value",
				"must be the last stage that has ended, or the one after it"))
		}
		reopening := s.NewID("reo")
		if stage := m.assessment.Definition.Stages[at]; m.progress.Stages[at].ClosedAt != nil {
			if err := c.withdrawDecisions(ctx, scope, session, stage, reopening, in.Reason, now); err != nil {
				return err
			}
		}
		stored, err := c.storedResult(ctx, session)
		if err != nil {
			return err
		}
		if err := c.keepRevision(ctx, session, stored, now); err != nil {
			return err
		}
		m.progress.Reopen(m.assessment.Definition, at, time.Duration(in.Minutes)*time.Minute, now)
		if err := c.saveProgress(ctx, session, m, now); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `UPDATE candidate_sessions SET revision = revision + 1 WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id); err != nil {
			return err
		}
		c.AfterCommit(func() { s.results.Remove(id) })
		stageID := m.assessment.Definition.Stages[at].ID
		if _, err := c.Exec(ctx, `
			INSERT INTO reopenings (id, organization_id, session_id, stage_id, minutes, reason, user_id, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			reopening, scope.OrganizationID, id, stageID, in.Minutes, in.Reason, scope.UserID, now); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditSessionReopened, id, valueOf("minutes", in.Minutes)); err != nil {
			return err
		}
		if err := c.tellReopened(ctx, session); err != nil {
			return err
		}
		return c.emitReopened(ctx, session, stageID, m.progress.Stages[at].DeadlineAt, now)
	})
}

// checkStage refuses a stage that the assessment of a session does not have.
func (s *Store) checkStage(ctx context.Context, scope Scope, sessionID, stageID string) error {
	c := s.read()
	session, err := c.readSession(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return err
	}
	if _, _, known := assessment.Definition.StageByID(stageID); !known {
		return errUnknownStage
	}
	return nil
}

func (c conn) emitReopened(
	ctx context.Context, session CandidateSession, stageID string, deadline *time.Time, now time.Time,
) error {
	if session.Test {
		return nil
	}
	session.Status = rules.SessionInProgress
	data := candidateReopenedData{candidateData: session.eventData(), StageID: stageID, Revision: session.Revision + 1}
	if deadline != nil {
		at := wireTime(*deadline)
		data.DeadlineAt = &at
	}
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventCandidateReopened, subjectID: session.ID, at: now, data: data,
	})
}
