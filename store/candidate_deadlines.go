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
		session.Status = rules.SessionExpired
		if err := c.emitStatus(ctx, session, now); err != nil {
			return session, false, err
		}
	} else {
		m, err := c.material(ctx, session)
		if err != nil {
			return session, false, err
		}
		outages, err := c.outages(ctx, session.DueAt.Time)
		if err != nil {
			return session, false, err
		}
		forgiven := m.progress.Forgive(outages)
		if !m.progress.Expire(m.scoring, now) && !forgiven {
			return c.postpone(ctx, session, m.progress.DueAt())
		}
		if err := c.saveProgress(ctx, session, m, now); err != nil {
			return session, false, err
		}
	}
	session, err = c.session(ctx, Scope{OrganizationID: session.OrganizationID}, session.ID,
		sessionColumns+` WHERE organization_id = ? AND id = ?`)
	return session, true, err
}

// postpone sets the next deadline of a session whose candidate has saved an answer or
// submitted a stage since the last one was set. Both keep a deadline that is too early.
func (c conn) postpone(
	ctx context.Context, session CandidateSession, due *time.Time,
) (_ CandidateSession, changed bool, err error) {
	session.DueAt = &Time{*due}
	_, err = c.Exec(ctx, `UPDATE candidate_sessions SET due_at = ? WHERE organization_id = ? AND id = ?`,
		*due, session.OrganizationID, session.ID)
	return session, false, err
}

// material is what the result of a session is made of.
type material struct {
	assessment *Assessment
	before     rules.Progress // as it is stored
	progress   rules.Progress
	scoring    rules.Scoring
	causes     []ResultCause // people's decisions
}

// material returns the material of a locked session.
func (c conn) material(ctx context.Context, session CandidateSession) (material, error) {
	scope := Scope{OrganizationID: session.OrganizationID}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return material{}, err
	}
	progress, err := c.progress(ctx, scope, session.ID)
	if err != nil {
		return material{}, err
	}
	answers, err := c.answers(ctx, scope, session.ID)
	if err != nil {
		return material{}, err
	}
	return c.materialOf(ctx, session, assessment, progress, answers)
}

// materialOf is material of what has been read already.
func (c conn) materialOf(
	ctx context.Context, session CandidateSession, assessment *Assessment, progress rules.Progress, answers savedAnswers,
) (material, error) {
	decided, err := c.decisions(ctx, session)
	decided.corrections = assessment.Definition.Concerning(decided.corrections)
	m := material{
		assessment: assessment, before: progress, progress: progress, causes: decided.causes(),
		scoring: rules.Scoring{
			Definition: assessment.Definition, PassingScore: assessment.PassingScore, Answers: answers.content(),
			Corrections: decided.corrections, Grades: decided.grades, Rulings: decided.rulings, Unattended: session.Test,
		},
	}
	m.progress.Touch(answers.lastSave()) // saving an answer does not change the session itself
	return m, err
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

// saveProgress writes a session's progress. When the session has finished, it also
// writes the result and the event; when it waits for a person, the events of that.
func (c conn) saveProgress(ctx context.Context, session CandidateSession, m material, now time.Time) error {
	progress := m.progress
	encoded, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	var currentStageID, result *string
	if i := progress.Current(); i >= 0 {
		currentStageID = &progress.Stages[i].StageID
	}
	var completedAt, disqualifiedAt, inReviewSince *time.Time
	switch progress.Status {
	case rules.SessionInReview:
		inReviewSince = &progress.Review.Since
	case rules.SessionCompleted:
		completedAt = progress.ClosedAt
	case rules.SessionDisqualified:
		disqualifiedAt = progress.ClosedAt
	case rules.SessionInvited, rules.SessionInProgress, rules.SessionExpired, rules.SessionCancelled:
	}
	if progress.ClosedAt != nil {
		document, err := json.Marshal(newResult(session, m))
		if err != nil {
			return err
		}
		text := string(document)
		result = &text
	}
	due := progress.DueAt()
	before := session.DueAt
	if session.Status == progress.Status && before != nil && due != nil && now.Before(before.Time) && before.Before(*due) {
		due = &before.Time // until postpone sets the later time, PostgreSQL can update the row in its page (HOT)
	}
	if _, err := c.Exec(ctx, `
		UPDATE candidate_sessions SET status = ?, started_at = ?, deadline_at = ?, due_at = ?, completed_at = ?,
			disqualified_at = ?, in_review_since = ?, close_reason = ?, current_stage_id = ?, stage_ready = ?, score = ?,
				passed = ?, progress = ?, result = ?, updated_at = ?
		WHERE organization_id = ? AND id = ?`,
		progress.Status, progress.StartedAt, progress.DeadlineAt, due, completedAt,
		disqualifiedAt, inReviewSince, progress.CloseReason, currentStageID, progress.Ready(), progress.Score,
		progress.Passed, string(encoded), result, now, session.OrganizationID, session.ID); err != nil {
		return err
	}
	if session.Test { // it is not counted and emits nothing
		return nil
	}
	if m.before.Status == rules.SessionInReview || progress.Status == rules.SessionInReview {
		if err := c.queueAnswers(ctx, session, m); err != nil {
			return err
		}
	}
	switch {
	case progress.Status == rules.SessionInReview:
		return c.requestReview(ctx, session, m, now)
	case progress.ClosedAt == nil:
		return nil
	}
	if err := c.noteFinished(ctx, session); err != nil {
		return err
	}
	return c.emitFinished(ctx, session, m, now)
}

// extendSession lengthens the current stage and the session of a locked session in
// progress, to which applyDeadlines has been applied. extended is false when neither
// has a deadline.
func (c conn) extendSession(
	ctx context.Context, session CandidateSession, minutes int, now time.Time,
) (extended bool, err error) {
	scope := Scope{OrganizationID: session.OrganizationID}
	progress, err := c.progress(ctx, scope, session.ID)
	if err != nil || !progress.Extend(minutes) {
		return false, err
	}
	return true, c.saveProgress(ctx, session, material{progress: progress}, now)
}

func (c conn) emitFinished(ctx context.Context, session CandidateSession, m material, now time.Time) error {
	progress, kind := m.progress, EventCandidateCompleted
	resultURL, err := c.resultURLForEvent(ctx, session, now)
	if err != nil {
		return err
	}
	data := candidateFinishedData{
		SessionID: session.ID, AssessmentID: session.AssessmentID,
		CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
		Score: *progress.Score, Status: progress.Status,
		ExternalID: session.ExternalID, Metadata: session.Metadata(), Passed: progress.Passed,
		Revision: session.Revision, ResultURL: resultURL,
	}
	if progress.Status == rules.SessionDisqualified {
		kind = EventCandidateDisqualified
		failed, stage := progress.FailedStage(m.assessment.Definition)
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
