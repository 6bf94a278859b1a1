package store

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"time"

	"assay/store/rules"
)

// The rows of grading_answers follow the sessions in review: every transaction that decides about such a session, or
// that lets one wait, calls queueAnswers.

// shufflePrime is the modulus of the orders in which graders get answers: 2³¹ − 1. Multiplying by a number below it
// permutes the numbers below it, and no product exceeds 64 bits. SQLite has no hash function.
const shufflePrime = 1<<31 - 1

// shuffled is a number from 1 to shufflePrime - 1 that follows from the texts.
func shuffled(texts ...string) int64 {
	h := fnv.New64a()
	for _, text := range texts {
		_, _ = h.Write([]byte(text)) // never fails
	}
	return int64(h.Sum64()%(shufflePrime-1)) + 1
}

// queueAnswers makes the queue contain the answers of a locked session for whose grades it waits, and no others of it.
// m has the progress after the change.
func (c conn) queueAnswers(ctx context.Context, session CandidateSession, m material) error {
	if session.Test {
		return nil
	}
	var pending []string
	if m.progress.Status == rules.SessionInReview {
		_, pending = m.progress.Waits(m.scoring)
	}
	var queued []string
	if err := c.List(ctx, &queued, `SELECT question_id FROM grading_answers WHERE session_id = ?`,
		session.ID); err != nil {
		return err
	}
	var ended []string
	for _, questionID := range queued {
		if !slices.Contains(pending, questionID) {
			ended = append(ended, questionID)
		}
	}
	if err := c.unqueueAnswers(ctx, session, ended); err != nil {
		return err
	}
	for _, questionID := range pending {
		if slices.Contains(queued, questionID) {
			continue
		}
		if err := c.queueAnswer(ctx, session, questionID, m); err != nil {
			return err
		}
	}
	return nil
}

// queueAnswer adds an answer to the queue. It can have grades from before, such as the one that a withdrawal has left.
func (c conn) queueAnswer(ctx context.Context, session CandidateSession, questionID string, m material) error {
	_, err := c.Exec(ctx, `
		INSERT INTO grading_answers (session_id, question_id, organization_id, assessment_id, since, shuffle, graded, graders)
		SELECT ?, ?, ?, ?, ?, ?, given, CASE WHEN given > 0 THEN ? ELSE 0 END
		FROM (SELECT COUNT(*) AS given FROM grading_claims
			WHERE session_id = ? AND question_id = ? AND graded_at IS NOT NULL) before`,
		session.ID, questionID, session.OrganizationID, session.AssessmentID, m.progress.Review.Since,
		shuffled(session.ID, questionID), m.assessment.Graders, session.ID, questionID)
	return err
}

// unqueueAnswers removes answers that need no grade, with their claims. The grades in claims stay.
func (c conn) unqueueAnswers(ctx context.Context, session CandidateSession, questionIDs []string) error {
	if len(questionIDs) == 0 {
		return nil
	}
	encoded, err := json.Marshal(questionIDs)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `DELETE FROM grading_answers WHERE session_id = ? AND `+c.store.db.IsOneOf("question_id"),
		session.ID, string(encoded)); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `DELETE FROM grading_claims WHERE session_id = ? AND graded_at IS NULL AND `+
		c.store.db.IsOneOf("question_id"), session.ID, string(encoded))
	return err
}

// unqueueSession removes the answers of a locked session that is cancelled, and all claims on them.
func (c conn) unqueueSession(ctx context.Context, session CandidateSession) error {
	if _, err := c.Exec(ctx, `DELETE FROM grading_answers WHERE session_id = ?`, session.ID); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM grading_claims WHERE session_id = ? AND graded_at IS NULL`, session.ID)
	return err
}

// forgetMarks deletes what graders have given to an answer that changes or must be graded again, so that they can grade
// it again.
func (c conn) forgetMarks(ctx context.Context, session CandidateSession, questionID string) error {
	_, err := c.Exec(ctx, `DELETE FROM grading_claims WHERE session_id = ? AND question_id = ?`, session.ID, questionID)
	return err
}

// endClaims ends the claims of a member outside of the assessments in keeps. A nil keeps ends all of them, for a member
// who is removed.
func (c conn) endClaims(ctx context.Context, scope Scope, userID string, keeps LimitedTo) error {
	open, args := ` FROM grading_claims WHERE organization_id = ? AND user_id = ? AND graded_at IS NULL`,
		[]any{scope.OrganizationID, userID}
	if keeps != nil {
		open += ` AND NOT (` + c.store.db.IsOneOf("assessment_id") + `)`
		args = append(args, Scope{LimitedTo: keeps}.seen())
	}
	var claims []gradingClaim
	if err := c.List(ctx, &claims, `SELECT id, session_id, question_id`+open, args...); err != nil {
		return err
	}
	for _, claim := range claims {
		if _, err := c.Exec(ctx, `
			UPDATE grading_answers SET claim_id = NULL, leased_until = NULL
			WHERE session_id = ? AND question_id = ? AND claim_id = ?`,
			claim.SessionID, claim.QuestionID, claim.ID); err != nil {
			return err
		}
	}
	_, err := c.Exec(ctx, `DELETE`+open, args...)
	return err
}

// eraseGrading removes the words about a candidate. The points stay, as the points of the result do.
func (c conn) eraseGrading(ctx context.Context, scope Scope, id string, _ time.Time) error {
	session := CandidateSession{ID: id, OrganizationID: scope.OrganizationID}
	if err := c.unqueueSession(ctx, session); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `UPDATE grading_claims SET comment = NULL WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, id)
	return err
}
