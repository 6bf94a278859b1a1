package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/rules"
)

// undoTime is how long a grader can undo their last grade. A grade of the queue counts only afterwards.
const undoTime = time.Minute

// maxSettled bounds the answers that one call of UnscopedSettleGrades grades.
const maxSettled = 500

// settlingAnswer is an answer with all grades that it needs.
type settlingAnswer struct {
	gradingClaim
	OrganizationID string `db:"organization_id"`
	UserID         string `db:"user_id"` // of the last grader
}

// UnscopedSettleGrades lets the grades of the queue count that can no longer be undone, the oldest first. Several
// processes can call it at once.
func (s *Store) UnscopedSettleGrades(ctx context.Context) error {
	var due []settlingAnswer
	if err := s.read().List(ctx, &due, `
		SELECT g.id, g.assessment_id, g.session_id, g.question_id, g.points, g.rubric, g.comment, g.saved_at,
			g.released_at, g.graded_at, g.organization_id, g.user_id
		FROM grading_answers a JOIN grading_claims g ON g.id = a.claim_id
		WHERE a.settles_at <= ? ORDER BY a.settles_at LIMIT ?`, s.Now(), maxSettled); err != nil {
		return err
	}
	var faults []error // one answer that cannot be graded delays no other
	for _, answer := range due {
		faults = append(faults, s.write(ctx, func(c conn) error { return c.settle(ctx, answer) }))
	}
	return errors.Join(faults...)
}

// settle adds the grade that counts, unless its grader has undone theirs, or another process was faster.
func (c conn) settle(ctx context.Context, claim settlingAnswer) error {
	scope := Scope{OrganizationID: claim.OrganizationID, UserID: claim.UserID}
	session, err := c.lockSession(ctx, scope, claim.SessionID) // before the answer, like every decision about the session
	if err != nil {
		return err
	}
	answer, err := c.lockQueuedAnswer(ctx, claim.gradingClaim, c.store.db.ForUpdate)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if answer.SettlesAt == nil || answer.SettlesAt.After(c.store.Now()) {
		return nil
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return err
	}
	question, _, _ := assessment.Definition.QuestionByID(claim.QuestionID)
	marks, err := c.marks(ctx, claim.gradingClaim, question)
	if err != nil {
		return err
	}
	return c.finishAnswer(ctx, scope, claim.gradingClaim, rules.FinalMark(marks), claim.Comment)
}

// UndoClaim turns the last grade of the caller into a claim again, with the grade as its draft. That is possible for
// undoTime, in which the grade does not count, so that no result changes that others have read. Refusals: not_found,
// undo_too_late.
func (s *Store) UndoClaim(ctx context.Context, scope Scope, id string) (*ClaimedAnswer, error) {
	var claim gradingClaim
	if err := s.write(ctx, func(c conn) (err error) {
		if claim, err = c.anyClaim(ctx, scope, id); err != nil {
			return err
		}
		if err = c.undo(ctx, scope, claim); err != nil {
			return err
		}
		claim, err = c.claim(ctx, scope, id)
		return err
	}); err != nil {
		return nil, err
	}
	return s.shownClaim(ctx, scope, claim)
}

func (c conn) undo(ctx context.Context, scope Scope, claim gradingClaim) error {
	if _, err := c.lockSession(ctx, scope, claim.SessionID); err != nil {
		return err
	}
	now := c.store.Now()
	last, err := c.isLastGrade(ctx, scope, claim, now)
	if err != nil {
		return err
	}
	if !last {
		return errUndoTooLate
	}
	answer, err := c.lockQueuedAnswer(ctx, claim, c.store.db.ForUpdate)
	switch {
	case errors.Is(err, sql.ErrNoRows): // it counts, or a person has graded the answer outside the queue
		return errUndoTooLate
	case err != nil:
		return err
	case answer.SettlesAt == nil && !answer.heldBy(claim, now): // the next person is grading it
		return errUndoTooLate
	case answer.SettlesAt != nil && *answer.ClaimID != claim.ID: // another person gave the last grade
		return errUndoTooLate
	}
	if _, err := c.Exec(ctx, `UPDATE grading_claims SET graded_at = NULL WHERE id = ?`, claim.ID); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		UPDATE grading_answers SET graded = graded - 1, settles_at = NULL WHERE session_id = ? AND question_id = ?`,
		claim.SessionID, claim.QuestionID); err != nil {
		return err
	}
	return c.holdInstead(ctx, scope, claim, now)
}

// isLastGrade reports whether a claim is a grade of the last undoTime, after which the caller has given no other.
func (c conn) isLastGrade(ctx context.Context, scope Scope, claim gradingClaim, now time.Time) (bool, error) {
	if claim.GradedAt == nil || now.Sub(claim.GradedAt.Time) > undoTime {
		return false, nil
	}
	var later bool
	err := c.Get(ctx, &later, `
		SELECT EXISTS (SELECT 1 FROM grading_claims
			WHERE organization_id = ? AND user_id = ? AND assessment_id = ? AND graded_at > ?)`,
		scope.OrganizationID, scope.UserID, claim.AssessmentID, claim.GradedAt.Time)
	return !later, err
}

// holdInstead lets a claim hold its locked answer, and frees the other answers of the assessment that the caller holds.
// Their claims and drafts stay.
func (c conn) holdInstead(ctx context.Context, scope Scope, claim gradingClaim, now time.Time) error {
	var others []gradingClaim
	if err := c.List(ctx, &others, claimColumns+`
		WHERE g.organization_id = ? AND g.user_id = ? AND g.assessment_id = ? AND g.graded_at IS NULL
			AND g.released_at IS NULL AND g.id <> ? LIMIT ?`,
		scope.OrganizationID, scope.UserID, claim.AssessmentID, claim.ID, maxContinued); err != nil {
		return err
	}
	for _, other := range others {
		if _, err := c.Exec(ctx, `
			UPDATE grading_answers SET claim_id = NULL, leased_until = NULL
			WHERE session_id = ? AND question_id = ? AND claim_id = ?`,
			other.SessionID, other.QuestionID, other.ID); err != nil {
			return err
		}
	}
	return c.lease(ctx, claim, now)
}
