package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"assay/store/rules"
)

// GradeInput is the input of GradeCandidateSessionAnswer.
type GradeInput struct {
	Points  *float64 // nil withdraws the grade, so that the key decides again, or another grade is needed
	Rubric  []CriterionPoints
	Comment *string // can contain personal data; an erasure removes it
	Reason  string  // likewise; "" for the first grade of an answer without a key
	Version int     // of the grade that the caller has seen; 0 for none

	answer *rules.Answer // a late one that is scored
}

// CriterionPoints are the points that an answer earns for one criterion of a rubric.
type CriterionPoints struct {
	ID     string  `json:"id"`
	Points float64 `json:"points"`
}

// AnswerGrade is a person's grade of one answer. Points is nil when the grade was withdrawn, or
// when a late answer is scored by the key.
type AnswerGrade struct {
	QuestionID string   `db:"question_id"`
	Version    int      `db:"version"` // 1, 2, …
	Points     *float64 `db:"points"`
	RubricJSON *string  `db:"rubric"`
	Comment    *string  `db:"comment"`
	AnswerJSON *string  `db:"answer"` // the late answer that is scored
	Reason     string   `db:"reason"` // "" for the first grade of an answer without a key
	UserID     string   `db:"user_id"`
	UserName   *string  `db:"user_name"`
	CreatedAt  Time     `db:"created_at"`
}

// Rubric returns the points of each criterion, or nil.
func (g AnswerGrade) Rubric() []CriterionPoints {
	var points []CriterionPoints
	if g.RubricJSON != nil {
		_ = json.Unmarshal([]byte(*g.RubricJSON), &points) // the store wrote it
	}
	return points
}

// finishedSession locks a session with a result, whose answers are known.
func (c conn) finishedSession(ctx context.Context, scope Scope, id string) (CandidateSession, time.Time, error) {
	session, now, err := c.submittedSession(ctx, scope, id)
	if err == nil && !session.hasResult() {
		err = commitThenRefuse(errSessionNotFinished)
	}
	return session, now, err
}

// submittedSession locks a session that has finished or is in review, whose answers are known.
func (c conn) submittedSession(ctx context.Context, scope Scope, id string) (CandidateSession, time.Time, error) {
	session, err := c.lockSession(ctx, scope, id)
	if err != nil {
		return session, time.Time{}, err
	}
	now := c.store.Now()
	if session, _, err = c.applyDeadlines(ctx, session, now); err != nil {
		return session, now, err
	}
	switch {
	case !session.hasResult() && session.Status != rules.SessionInReview:
		return session, now, commitThenRefuse(errSessionNotFinished)
	case session.ErasedAt != nil:
		return session, now, errSessionErased
	}
	return session, now, nil
}

// GradeCandidateSessionAnswer sets the points of one answer of a session that has finished or is in review, whatever
// the key says. The result follows, or the session goes on or ends. Refusals: not_found, session_not_finished,
// session_erased, grade_changed, invalid_request.
func (s *Store) GradeCandidateSessionAnswer(
	ctx context.Context, scope Scope, sessionID, questionID string, in GradeInput,
) (AnswerGrade, error) {
	var graded AnswerGrade
	err := s.write(ctx, func(c conn) error {
		if err := c.gradeAnswer(ctx, scope, sessionID, questionID, in); err != nil {
			return err
		}
		var err error
		graded, err = c.grade(ctx, sessionID, questionID)
		return err
	})
	return graded, err
}

// gradeAnswer is GradeCandidateSessionAnswer in a transaction.
func (c conn) gradeAnswer(ctx context.Context, scope Scope, sessionID, questionID string, in GradeInput) error {
	session, err := c.lockSession(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return err
	}
	question, position, known := assessment.Definition.QuestionByID(questionID)
	if !known {
		return errNoQuestion
	}
	session, now, err := c.submittedSession(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	progress, err := c.progress(ctx, scope, sessionID)
	if err != nil {
		return err
	}
	if progress.Stages[position].ClosedAt == nil { // nobody saw the question
		return errNoQuestion
	}
	current, err := c.currentGrade(ctx, sessionID, questionID)
	if err != nil {
		return err
	}
	if current.Version != in.Version {
		return errGradeChanged
	}
	if faults := gradeFaults(question, in, current); len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	if question.NeedsGrader() && in.Points != nil && current.AnswerJSON != nil {
		if err := json.Unmarshal([]byte(*current.AnswerJSON), &in.answer); err != nil { // the points are of this answer
			return err
		}
	}
	if in.Points == nil {
		if err := c.forgetMarks(ctx, session, questionID); err != nil {
			return err
		}
	}
	return c.addGrade(ctx, scope, session, questionID, in, now)
}

// addGrade adds a grade of a locked session, and what follows from it.
func (c conn) addGrade(
	ctx context.Context, scope Scope, session CandidateSession, questionID string, in GradeInput, now time.Time,
) error {
	if err := c.insertGrade(ctx, scope, session, questionID, in, now); err != nil {
		return err
	}
	if session.Status == rules.SessionInReview {
		_, err := c.decide(ctx, session, now)
		return err
	}
	_, err := c.rescore(ctx, session, ResultCause{Cause: CauseGrade, QuestionID: &questionID, At: wireTime(now)}, now)
	return err
}

// gradeFaults are the faults of a grade of an answer to the question, whose current grade is zero without one.
func gradeFaults(question rules.Question, in GradeInput, current AnswerGrade) []rules.Fault {
	var faults []rules.Fault
	replaces := !question.NeedsGrader() || current.Points != nil || current.AnswerJSON != nil
	if in.Reason == "" && replaces {
		faults = append(faults, fault("/reason", "required", "must say why the key, or the earlier grade, does not decide"))
	}
	switch {
	case in.Points == nil && len(in.Rubric) > 0:
		faults = append(faults, fault("/rubric", "invalid_value", "must be absent if points is null"))
	case in.Points == nil:
	case *in.Points > question.Points:
		faults = append(faults, fault("/points", "too_large", "must be at most the points of the question"))
	default:
		faults = append(faults, rubricFaults(question.Rubric, in)...)
	}
	return faults
}

// rubricFaults are the faults of the points of each criterion.
func rubricFaults(rubric []rules.Criterion, in GradeInput) []rules.Fault {
	var faults []rules.Fault
	if len(rubric) > len(in.Rubric) {
		faults = append(faults, fault("/rubric", "required", "must have each criterion of the question"))
	}
	faults = append(faults, criterionFaults(rubric, in.Rubric)...)
	sum := 0.0
	for _, given := range in.Rubric {
		sum += given.Points
	}
	if len(faults) == 0 && len(rubric) > 0 && rules.RoundPoints(sum) != rules.RoundPoints(*in.Points) {
		faults = append(faults, fault("/points", "invalid_value", "must be the sum of the points in rubric"))
	}
	return faults
}

// criterionFaults are the faults of the given criteria. Criteria can be missing.
func criterionFaults(rubric []rules.Criterion, points []CriterionPoints) []rules.Fault {
	var faults []rules.Fault
	seen := map[string]bool{}
	for i, given := range points {
		at := "/rubric/" + strconv.Itoa(i)
		position := slices.IndexFunc(rubric, func(criterion rules.Criterion) bool { return criterion.ID == given.ID })
		switch {
		case position < 0:
			faults = append(faults, fault(at+"/id", "unknown_id", "is no criterion of the question"))
		case seen[given.ID]:
			faults = append(faults, fault(at+"/id", "duplicate", "is the id of an earlier criterion"))
		case given.Points > rubric[position].Points:
			faults = append(faults, fault(at+"/points", "too_large", "must be at most the points of the criterion"))
		}
		seen[given.ID] = true
	}
	return faults
}

// insertGrade adds a grade of a locked session, whose newest one has in.Version. The caller computes the result again.
func (c conn) insertGrade(
	ctx context.Context, scope Scope, session CandidateSession, questionID string, in GradeInput, now time.Time,
) error {
	answer, err := jsonOrNull(in.answer, in.answer == nil)
	if err != nil {
		return err
	}
	rubric, err := jsonOrNull(in.Rubric, len(in.Rubric) == 0)
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `
		INSERT INTO grades (organization_id, session_id, question_id, version, points, rubric, comment, answer, reason,
			user_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		scope.OrganizationID, session.ID, questionID, in.Version+1, in.Points, rubric, in.Comment, answer, in.Reason,
		scope.UserID, now); err != nil {
		return err
	}
	return c.audit(ctx, scope, AuditAnswerGraded, session.ID, valueOf("questionId", questionID))
}

const gradeQuery = `
	SELECT g.question_id, g.version, g.points, g.rubric, g.comment, g.answer, g.reason, g.user_id, g.created_at,
		(SELECT u.name FROM users u WHERE u.organization_id = g.organization_id AND u.id = g.user_id) AS user_name
	FROM grades g WHERE g.session_id = ?`

func (c conn) grade(ctx context.Context, sessionID, questionID string) (AnswerGrade, error) {
	var grade AnswerGrade
	err := c.Get(ctx, &grade, gradeQuery+` AND g.question_id = ? ORDER BY g.version DESC LIMIT 1`, sessionID, questionID)
	if err != nil {
		return AnswerGrade{}, err // without a row, the fields that can be null are allocated
	}
	return grade, nil
}

// currentGrade is grade, or a zero grade if nobody has graded the answer.
func (c conn) currentGrade(ctx context.Context, sessionID, questionID string) (AnswerGrade, error) {
	grade, err := c.grade(ctx, sessionID, questionID)
	if errors.Is(err, sql.ErrNoRows) {
		return AnswerGrade{}, nil
	}
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
