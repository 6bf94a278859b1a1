package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay/store/rules"
)

// lateAnswersKept is how long an answer that arrived late is kept as evidence.
const lateAnswersKept = 30 * 24 * time.Hour

// LateAnswer is an answer that arrived after its stage had closed by time.
type LateAnswer struct {
	QuestionID string
	Answer     rules.Answer
	ArrivedAt  time.Time
	Late       time.Duration // after the end of the stage
	Points     float64       // that it would give
	Counted    bool
}

// lateChange is an answer that arrived after its stage had closed.
type lateChange struct {
	question rules.Question
	answer   rules.Answer
}

// late returns the changes that would be saved if the stage were still open.
func (s savedAnswers) late(stage rules.Stage, changes []*rules.AnswerChange, now time.Time) []lateChange {
	var late []lateChange
	for _, change := range changes {
		if change == nil {
			continue
		}
		if outcome, _ := s.change(stage, *change, false, now); outcome.Refusal == errStageClosed {
			question, _ := stage.QuestionByID(change.QuestionID)
			late = append(late, lateChange{question, change.Answer})
		}
	}
	return late
}

func positionOf(progress rules.Progress, stageID string) int {
	return slices.IndexFunc(progress.Stages, func(stage rules.StageProgress) bool { return stage.StageID == stageID })
}

// keepLateChanges is keepLate for the changes that a page has sent.
func (c conn) keepLateChanges(
	ctx context.Context, own ownSession, stage rules.Stage, position int, changes []*rules.AnswerChange, now time.Time,
) error {
	if !own.endedByTime(position) {
		return nil
	}
	saved, err := c.answers(ctx, Scope{OrganizationID: own.OrganizationID}, own.ID)
	if err != nil {
		return err
	}
	return c.keepLate(ctx, own, position, saved.late(stage, changes, now), now)
}

// endedByTime reports whether a deadline has closed the stage at position. Answers to a stage
// that the candidate has submitted are changes of mind, and not late.
func (own ownSession) endedByTime(position int) bool {
	if position < 0 || position >= len(own.Progress.Stages) || own.Test || own.ErasedAt != nil {
		return false
	}
	stage := own.Progress.Stages[position]
	return stage.ClosedAt != nil && stage.DeadlineAt != nil && !stage.ClosedAt.Before(*stage.DeadlineAt)
}

// keepLate keeps answers to a stage that a deadline has closed. They are not scored.
func (c conn) keepLate(ctx context.Context, own ownSession, position int, late []lateChange, now time.Time) error {
	if !own.endedByTime(position) || now.Sub(*own.Progress.Stages[position].ClosedAt) > lateAnswersKept {
		return nil
	}
	for _, change := range late {
		if change.answer.Cleared() || rules.ValidAnswer(change.question, change.answer) != nil {
			continue
		}
		encoded, err := encodeAnswer(change.answer)
		if err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO late_answers (organization_id, session_id, question_id, answer, arrived_at)
			SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM answers
				WHERE session_id = ? AND question_id = ? AND answer = ?)
			ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, arrived_at = excluded.arrived_at
				WHERE late_answers.answer <> excluded.answer`,
			own.OrganizationID, own.ID, change.question.ID, encoded, now, own.ID, change.question.ID, encoded); err != nil {
			return err
		}
	}
	return nil
}

// ListLateAnswers returns the answers of a session that arrived too late, in the order of the
// questions. Refusal: not_found.
func (s *Store) ListLateAnswers(ctx context.Context, scope Scope, sessionID string) ([]LateAnswer, error) {
	c := s.read()
	session, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil || session.StartedAt == nil {
		return []LateAnswer{}, err
	}
	m, err := c.material(ctx, session)
	if err != nil {
		return nil, err
	}
	return c.lateAnswers(ctx, session, m)
}

func (c conn) lateAnswers(ctx context.Context, session CandidateSession, m material) ([]LateAnswer, error) {
	var rows []struct {
		QuestionID string `db:"question_id"`
		Answer     string `db:"answer"`
		ArrivedAt  Time   `db:"arrived_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT question_id, answer, arrived_at FROM late_answers WHERE organization_id = ? AND session_id = ?`,
		session.OrganizationID, session.ID); err != nil {
		return nil, err
	}
	byQuestion := map[string]LateAnswer{}
	counted := m.scoring
	counted.Grades = map[string]rules.Grade{}
	for _, row := range rows {
		late := LateAnswer{QuestionID: row.QuestionID, ArrivedAt: row.ArrivedAt.Time}
		if err := json.Unmarshal([]byte(row.Answer), &late.Answer); err != nil {
			return nil, err
		}
		grade, graded := m.scoring.Grades[row.QuestionID]
		late.Counted = graded && grade.Answer != nil
		counted.Grades[row.QuestionID] = rules.Grade{Answer: &late.Answer}
		byQuestion[row.QuestionID] = late
	}
	all := []LateAnswer{}
	for i, stage := range m.assessment.Definition.Stages {
		scored := counted.Stage(i)
		for j, question := range stage.Questions {
			if late, ok := byQuestion[question.ID]; ok && m.progress.Stages[i].ClosedAt != nil {
				late.Points = rules.RoundPoints(scored.Questions[j].Points)
				late.Late = late.ArrivedAt.Sub(*m.progress.Stages[i].ClosedAt)
				all = append(all, late)
			}
		}
	}
	return all, nil
}

// CountLateAnswers scores the late answers of a finished session by the key, instead of the saved
// ones: each is a grade with the reason. Answers that somebody has graded stay as they
// are. Refusals: not_found, session_not_finished, session_erased, no_late_answers.
func (s *Store) CountLateAnswers(ctx context.Context, scope Scope, sessionID, reason string) (CandidateSession, error) {
	var changed CandidateSession
	err := s.write(ctx, func(c conn) error {
		session, now, err := c.finishedSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		m, err := c.material(ctx, session)
		if err != nil {
			return err
		}
		late, err := c.lateAnswers(ctx, session, m)
		if err != nil {
			return err
		}
		counted := 0
		for _, answer := range late {
			if _, graded := m.scoring.Grades[answer.QuestionID]; graded {
				continue
			}
			counted++
			var version int
			if err := c.Get(ctx, &version, `
				SELECT COALESCE(MAX(version), 0) FROM grades WHERE session_id = ? AND question_id = ?`,
				session.ID, answer.QuestionID); err != nil {
				return err
			}
			in := GradeInput{Reason: reason, Version: version, answer: &answer.Answer}
			if err := c.insertGrade(ctx, scope, session, answer.QuestionID, in, now); err != nil {
				return err
			}
		}
		if counted == 0 {
			return errNoLateAnswers
		}
		if _, err := c.rescore(ctx, session, ResultCause{Cause: CauseGrade, At: wireTime(now)}, now); err != nil {
			return err
		}
		changed, err = c.lockSession(ctx, scope, sessionID)
		return err
	})
	return changed, err
}
