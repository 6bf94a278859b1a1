package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// applyDeadlines applies the passed deadlines of a locked session: an invitation
// expires, and a stage or the session closes with the answers saved so far. Every
// other change of a session must call it first. changed reports whether a deadline
// had passed.
func (c conn) applyDeadlines(
	ctx context.Context, session CandidateSession, now time.Time,
) (_ CandidateSession, changed bool, err error) {
	if session.DueAt == nil || now.Before(session.DueAt.Time) {
		return session, false, nil
	}
	if session.Status == rules.SessionInvited {
		if _, err := c.Exec(ctx, `
			UPDATE candidate_sessions SET status = 'EXPIRED', close_reason = 'INVITE_EXPIRED', due_at = NULL, updated_at = ?
			WHERE organization_id = ? AND id = ?`, now, session.OrganizationID, session.ID); err != nil {
			return session, false, err
		}
	} else {
		assessment, progress, answers, err := c.material(ctx, session)
		if err != nil {
			return session, false, err
		}
		progress.Expire(assessment.Definition, answers, assessment.PassingScore, now)
		if err := c.saveProgress(ctx, session, assessment, progress, answers, now); err != nil {
			return session, false, err
		}
	}
	session, err = c.session(ctx, Scope{OrganizationID: session.OrganizationID}, session.ID,
		sessionColumns+` WHERE organization_id = ? AND id = ?`)
	return session, true, err
}

// material returns what scoring a session needs: its assessment, its progress, and
// the saved answers by question id.
func (c conn) material(
	ctx context.Context, session CandidateSession,
) (*Assessment, rules.Progress, map[string]rules.Answer, error) {
	scope := Scope{OrganizationID: session.OrganizationID}
	assessment, err := c.content(ctx, scope, session.AssessmentID)
	if err != nil {
		return nil, rules.Progress{}, nil, err
	}
	progress, err := c.progress(ctx, scope, session.ID)
	if err != nil {
		return nil, rules.Progress{}, nil, err
	}
	answers, err := c.answers(ctx, scope, session.ID)
	return assessment, progress, answers, err
}

func (c conn) progress(ctx context.Context, scope Scope, sessionID string) (rules.Progress, error) {
	var progress rules.Progress
	var encoded string
	if err := c.Get(ctx, &encoded, `SELECT progress FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, sessionID); err != nil {
		return progress, err
	}
	return progress, json.Unmarshal([]byte(encoded), &progress)
}

func (c conn) answers(ctx context.Context, scope Scope, sessionID string) (map[string]rules.Answer, error) {
	var rows []struct {
		QuestionID string `db:"question_id"`
		Answer     string `db:"answer"`
	}
	if err := c.List(ctx, &rows, `SELECT question_id, answer FROM answers WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, sessionID); err != nil {
		return nil, err
	}
	answers := make(map[string]rules.Answer, len(rows))
	for _, row := range rows {
		var answer rules.Answer
		if err := json.Unmarshal([]byte(row.Answer), &answer); err != nil {
			return nil, err
		}
		answers[row.QuestionID] = answer
	}
	return answers, nil
}

// saveProgress writes a session's progress. When the session has finished, it also
// writes the result and the event and, for a completed session, counts the score
// for percentiles.
func (c conn) saveProgress(
	ctx context.Context, session CandidateSession, assessment *Assessment, progress rules.Progress,
	answers map[string]rules.Answer, now time.Time,
) error {
	encoded, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	var currentStageID, result *string
	if i := progress.Current(); i >= 0 {
		currentStageID = &progress.Stages[i].StageID
	}
	var completedAt, disqualifiedAt *time.Time
	switch progress.Status {
	case rules.SessionCompleted:
		completedAt = progress.ClosedAt
	case rules.SessionDisqualified:
		disqualifiedAt = progress.ClosedAt
	}
	if progress.ClosedAt != nil {
		document, err := json.Marshal(newResult(session, assessment, progress, answers))
		if err != nil {
			return err
		}
		text := string(document)
		result = &text
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET status = ?, started_at = ?, deadline_at = ?, due_at = ?, completed_at = ?,
			disqualified_at = ?, close_reason = ?, current_stage_id = ?, score = ?, passed = ?, progress = ?, result = ?,
				updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		progress.Status, progress.StartedAt, progress.DeadlineAt, progress.DueAt(), completedAt,
		disqualifiedAt, progress.CloseReason, currentStageID, progress.Score, progress.Passed, string(encoded), result, now,
		session.OrganizationID, session.ID); err != nil {
		return err
	}
	if progress.ClosedAt == nil {
		return nil
	}
	if progress.Status == rules.SessionCompleted {
		if _, err := c.Exec(ctx, `
			INSERT INTO score_counts (organization_id, assessment_id, score, completions) VALUES (?, ?, ?, 1)
			ON CONFLICT (assessment_id, score) DO UPDATE SET completions = score_counts.completions + 1`,
			session.OrganizationID, session.AssessmentID, *progress.Score); err != nil {
			return err
		}
	}
	return c.emitFinished(ctx, session, assessment, progress, now)
}

func (c conn) emitFinished(
	ctx context.Context, session CandidateSession, assessment *Assessment, progress rules.Progress, now time.Time,
) error {
	kind := EventCandidateCompleted
	data := candidateFinishedData{
		SessionID: session.ID, AssessmentID: session.AssessmentID,
		CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
		Score: *progress.Score, Status: progress.Status,
		ExternalID: session.ExternalID, Metadata: session.Metadata(), Passed: progress.Passed,
	}
	if progress.Status == rules.SessionDisqualified {
		kind = EventCandidateDisqualified
		failed, stage := progress.FailedStage(assessment.Definition)
		data.failedGateData = &failedGateData{
			StageID: stage.ID, StageTitle: stage.Title, StageScore: *failed.Score, MinScore: stage.Gate.MinScore,
		}
	}
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: kind, subjectID: session.ID, at: now, data: data,
	})
}

// sweepBatch bounds one sweep, so that the next one finds newly due sessions soon.
const sweepBatch = 100

// UnscopedSweep applies passed deadlines to up to sweepBatch sessions, also of
// candidates who send no more requests. It returns the number of changed sessions.
// Each session is one transaction. Any number of replicas can sweep at once: only
// one of them changes a session.
func (s *Store) UnscopedSweep(ctx context.Context) (int, error) {
	var due []struct {
		ID             string `db:"id"`
		OrganizationID string `db:"organization_id"`
	}
	if err := s.read().List(ctx, &due, `
		SELECT id, organization_id FROM candidate_sessions WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
		s.Now(), sweepBatch); err != nil {
		return 0, err
	}
	swept := 0
	var failures error
	for _, row := range due {
		changed, err := s.sweepOne(ctx, Scope{OrganizationID: row.OrganizationID}, row.ID)
		if err != nil {
			failures = errors.Join(failures, err)
		} else if changed {
			swept++
		}
	}
	return swept, failures
}

func (s *Store) sweepOne(ctx context.Context, scope Scope, id string) (changed bool, err error) {
	err = s.write(ctx, func(c conn) error {
		session, err := c.session(ctx, scope, id, sessionColumns+` WHERE organization_id = ? AND id = ?`+s.db.SkipLocked)
		if isNotFound(err) {
			return nil // another transaction has locked the session
		}
		if err != nil {
			return err
		}
		_, changed, err = c.applyDeadlines(ctx, session, s.Now())
		return err
	})
	return changed, err
}
