package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// GradeInput is the input of GradeCandidateSessionAnswer.
type GradeInput struct {
	Points  *float64 // nil withdraws the grade, so that the key decides again
	Reason  string   // can contain personal data; an erasure removes it
	Version int      // of the grade that the caller has seen; 0 for none
}

// AnswerGrade is a person's grade of one answer. Points is nil when the grade was withdrawn, or
// when a late answer is scored by the key.
type AnswerGrade struct {
	QuestionID string   `db:"question_id"`
	Version    int      `db:"version"` // 1, 2, …
	Points     *float64 `db:"points"`
	AnswerJSON *string  `db:"answer"` // the late answer that is scored
	Reason     string   `db:"reason"`
	UserID     string   `db:"user_id"`
	UserName   *string  `db:"user_name"`
	CreatedAt  Time     `db:"created_at"`
}

// finishedSession locks a session with a result, whose answers are known.
func (c conn) finishedSession(ctx context.Context, scope Scope, id string) (CandidateSession, time.Time, error) {
	session, err := c.lockSession(ctx, scope, id)
	if err != nil {
		return session, time.Time{}, err
	}
	now := c.store.Now()
	if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
		return session, now, err
	}
	switch {
	case !session.hasResult():
		return session, now, commitThenRefuse(errSessionNotFinished)
	case session.ErasedAt != nil:
		return session, now, errSessionErased
	}
	return session, now, nil
}

// GradeCandidateSessionAnswer sets the points of one answer of a finished session, whatever the
// key says, and the result follows. Refusals: not_found, session_not_finished, session_erased,
// grade_changed, invalid_request.
func (s *Store) GradeCandidateSessionAnswer(
	ctx context.Context, scope Scope, sessionID, questionID string, in GradeInput,
) (AnswerGrade, error) {
	var graded AnswerGrade
	err := s.write(ctx, func(c conn) error {
		session, err := c.lockSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		assessment, err := c.content(ctx, scope, session.contentID())
		if err != nil {
			return err
		}
		question, position, known := assessment.Definition.QuestionByID(questionID)
		if !known {
			return errNoQuestion
		}
		session, now, err := c.finishedSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		progress, err := c.progress(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		switch {
		case progress.Stages[position].ClosedAt == nil: // nobody saw the question
			return errNoQuestion
		case in.Points != nil && *in.Points > question.Points:
			return errInvalid.with(fault("/points", "too_large", "must be at most the points of the question"))
		}
		if err := c.insertGrade(ctx, scope, session, questionID, in, nil, now); err != nil {
			return err
		}
		cause := ResultCause{Cause: CauseGrade, QuestionID: &questionID, At: wireTime(now)}
		if _, err := c.rescore(ctx, session, cause, now); err != nil {
			return err
		}
		graded, err = c.grade(ctx, sessionID, questionID)
		return err
	})
	return graded, err
}

// insertGrade adds a grade of a locked session. The caller computes the result again.
func (c conn) insertGrade(
	ctx context.Context, scope Scope, session CandidateSession, questionID string, in GradeInput, answer *rules.Answer,
	now time.Time,
) error {
	var version int
	if err := c.Get(ctx, &version, `SELECT COALESCE(MAX(version), 0) FROM grades WHERE session_id = ? AND question_id = ?`,
		session.ID, questionID); err != nil {
		return err
	}
	if version != in.Version {
		return errGradeChanged
	}
	var encoded *string
	if answer != nil {
		data, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		text := string(data)
		encoded = &text
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO grades (organization_id, session_id, question_id, version, points, answer, reason, user_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		scope.OrganizationID, session.ID, questionID, version+1, in.Points, encoded, in.Reason, scope.UserID,
		now); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditAnswerGraded, session.ID, valueOf("questionId", questionID))
}

const gradeQuery = `
	SELECT g.question_id, g.version, g.points, g.answer, g.reason, g.user_id, g.created_at,
		(SELECT u.name FROM users u WHERE u.organization_id = g.organization_id AND u.id = g.user_id) AS user_name
	FROM grades g WHERE g.session_id = ?`

func (c conn) grade(ctx context.Context, sessionID, questionID string) (AnswerGrade, error) {
	var grade AnswerGrade
	err := c.Get(ctx, &grade, gradeQuery+` AND g.question_id = ? ORDER BY g.version DESC LIMIT 1`, sessionID, questionID)
	return grade, err
}

// maxGrades bounds the grades of a session that are listed.
const maxGrades = 1000

// ListCandidateSessionGrades returns the grades of a session's answers, also those that a later
// one has replaced: of each question the newest first. Refusal: not_found.
func (s *Store) ListCandidateSessionGrades(ctx context.Context, scope Scope, sessionID string) ([]AnswerGrade, error) {
	c := s.read()
	if _, err := c.readSession(ctx, scope, sessionID); err != nil {
		return nil, err
	}
	grades := []AnswerGrade{}
	err := c.List(ctx, &grades, gradeQuery+` AND g.organization_id = ? ORDER BY g.question_id, g.version DESC LIMIT ?`,
		sessionID, scope.OrganizationID, maxGrades)
	return grades, err
}
