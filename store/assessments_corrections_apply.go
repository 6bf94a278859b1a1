package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/rules"
)

// correctionBatch bounds the sessions of one transaction of UnscopedApplyCorrections. Each
// result is read, scored, and written, and on SQLite nobody else writes meanwhile.
const correctionBatch = 3

// UnscopedApplyCorrections applies one correction to up to correctionBatch sessions in one
// transaction, and returns how many it examined; more is false when no correction waits. Any
// number of replicas can call it. A crash loses nothing: a batch changes its
// sessions and the position of the correction together. The correction with the
// fewest examined sessions comes first, so that a small organization never waits for a large one.
func (s *Store) UnscopedApplyCorrections(ctx context.Context) (examined int, more bool, err error) {
	var waiting bool
	err = s.read().Get(ctx, &waiting, `SELECT EXISTS (SELECT 1 FROM corrections WHERE applied_at IS NULL)`)
	if err != nil || !waiting { // an idle service writes nothing
		return 0, false, err
	}
	err = s.write(ctx, func(c conn) error {
		examined, more, err = c.applyCorrection(ctx)
		return err
	})
	return examined, more, err
}

func (c conn) applyCorrection(ctx context.Context) (examined int, more bool, err error) {
	var correction struct {
		ID             string `db:"id"`
		OrganizationID string `db:"organization_id"`
		AssessmentID   string `db:"assessment_id"`
		QuestionID     string `db:"question_id"`
		AppliedTo      string `db:"applied_to"`
		CreatedAt      Time   `db:"created_at"`
	}
	err = c.Get(ctx, &correction, `
		SELECT id, organization_id, assessment_id, question_id, applied_to, created_at FROM corrections
		WHERE applied_at IS NULL ORDER BY done, id LIMIT 1`+c.store.db.SkipLocked)
	if errors.Is(err, sql.ErrNoRows) { // other replicas apply the rest
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	scope := Scope{OrganizationID: correction.OrganizationID}
	var ids []string
	if err := c.List(ctx, &ids, `
		SELECT id FROM candidate_sessions`+c.store.db.IndexedBy("sessions_by_assessment")+`
		WHERE organization_id = ? AND assessment_id = ? AND id > ? AND status IN ('COMPLETED', 'DISQUALIFIED', 'IN_REVIEW')
			AND NOT test
		ORDER BY id LIMIT ?`,
		scope.OrganizationID, correction.AssessmentID, correction.AppliedTo, correctionBatch); err != nil {
		return 0, false, err
	}
	changed, now, last := 0, c.store.Now(), correction.AppliedTo
	cause := ResultCause{
		Cause: CauseCorrection, ID: &correction.ID, QuestionID: &correction.QuestionID,
		At: wireTime(correction.CreatedAt.Time),
	}
	for _, id := range ids {
		last = id
		session, err := c.lockSession(ctx, scope, id)
		if err != nil {
			return 0, false, err
		}
		corrected, err := c.applyTo(ctx, session, cause, now)
		if err != nil {
			return 0, false, err
		}
		if corrected {
			changed++
		}
	}
	if len(ids) < correctionBatch {
		_, err = c.Exec(ctx, `
			UPDATE corrections SET applied_to = ?, done = done + ?, total = done + ?, changed = changed + ?, applied_at = ?
			WHERE organization_id = ? AND id = ?`,
			last, len(ids), len(ids), changed, now, scope.OrganizationID, correction.ID)
	} else {
		_, err = c.Exec(ctx, `
			UPDATE corrections SET applied_to = ?, done = done + ?, changed = changed + ? WHERE organization_id = ? AND id = ?`,
			last, len(ids), changed, scope.OrganizationID, correction.ID)
	}
	return len(ids), true, err
}

// applyTo computes a locked session again. The correction can be the decision for which a session in review waits.
func (c conn) applyTo(
	ctx context.Context, session CandidateSession, cause ResultCause, now time.Time,
) (changed bool, err error) {
	switch {
	case session.ErasedAt != nil: // its answers are gone
		return false, nil
	case session.Status == rules.SessionInReview:
		return c.decide(ctx, session, now)
	case !session.hasResult(): // it was reopened
		return false, nil
	}
	return c.rescore(ctx, session, cause, now)
}

func (s CandidateSession) hasResult() bool {
	return s.Status == rules.SessionCompleted || s.Status == rules.SessionDisqualified
}
