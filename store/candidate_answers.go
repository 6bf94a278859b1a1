package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// SaveAnswer saves the candidate's answer to a question of the current stage, and
// replaces an earlier one, from whichever page it came. Answers that arrive at the same time
// are one statement; deadlines that passed before it are applied in a transaction of their own.
// Refusals: not_found for a question that is unknown or in a later stage,
// stage_closed, stage_not_started, session_not_in_progress, invite_expired,
// invalid_request.
func (s *Store) SaveAnswer(
	ctx context.Context, scope Scope, questionID string, answer rules.Answer,
) (rules.SavedAnswer, error) {
	return s.replaceAnswer(ctx, scope, questionID, &answer)
}

// ClearAnswer removes the candidate's answer to a question of the current stage. Its
// revision remains, and increases as by a save. Refusals: those of SaveAnswer.
func (s *Store) ClearAnswer(ctx context.Context, scope Scope, questionID string) (rules.SavedAnswer, error) {
	return s.replaceAnswer(ctx, scope, questionID, nil)
}

func (s *Store) replaceAnswer(
	ctx context.Context, scope Scope, questionID string, answer *rules.Answer,
) (rules.SavedAnswer, error) {
	assessment, err := s.read().contentFor(ctx, scope, scope.contentID, scope.SessionID)
	if err != nil {
		return rules.SavedAnswer{}, err
	}
	question, position, known := assessment.Definition.QuestionByID(questionID)
	if !known { // refused exactly like a question of a later stage, so that an id reveals nothing
		err := s.checkAnswerable(ctx, scope, len(assessment.Definition.Stages))
		return rules.SavedAnswer{}, cmp.Or(err, error(errNoQuestion))
	}
	saved := rules.SavedAnswer{}
	if answer != nil {
		if fault := rules.ValidAnswer(question, *answer); fault != nil {
			return rules.SavedAnswer{}, cmp.Or(s.checkAnswerable(ctx, scope, position), error(errInvalid.with(*fault)))
		}
		saved.Answer = *answer
	}
	late := []lateChange{{question, saved.Answer}}
	encoded, err := encodeAnswer(saved.Answer)
	if err != nil {
		return rules.SavedAnswer{}, err
	}
	row := &answerRow{
		OrganizationID: scope.OrganizationID, SessionID: scope.SessionID, Generation: scope.generation,
		StageID: assessment.Definition.Stages[position].ID, QuestionID: questionID, Answer: encoded,
	}
	for range maxSaveAttempts {
		saved.Revision, saved.SavedAt, err = s.saveRow(ctx, row)
		if err == nil {
			s.noteReader(ctx, scope)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return saved, err
		}
		if err := s.checkAnswerable(ctx, scope, position, late...); err != nil {
			return rules.SavedAnswer{}, err
		}
	}
	return rules.SavedAnswer{}, errSessionChanging
}

// maxSaveAttempts bounds the attempts to save an answer. One that saves nothing is
// repeated when the session has changed by the time that checkAnswerable reads it.
const maxSaveAttempts = 4

// checkAnswerable returns the refusal of an answer to a question of the stage at
// position. It applies passed deadlines first, and returns nil when one of them has
// opened the stage, so that the answer can be saved now. Late answers are kept.
func (s *Store) checkAnswerable(ctx context.Context, scope Scope, position int, late ...lateChange) error {
	return s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		if err := answerable(own, position, errNoQuestion); err != nil {
			if err := c.keepLate(ctx, own, position, late, now); err != nil {
				return err
			}
			return commitThenRefuse(err)
		}
		return nil
	})
}

// answerable returns the refusal of answers to the stage at position, or nil. later
// is the refusal for a stage that the candidate has not reached.
func answerable(own ownSession, position int, later error) error {
	if _, refusal := own.Status.After(rules.VerbSave); refusal != "" {
		return refused(refusal)
	}
	switch current := own.Progress.Current(); {
	case position > current:
		return later
	case position < current:
		return errStageClosed
	case own.Progress.Ready():
		return errStageNotStarted
	}
	return nil
}

// StageAnswers are the changes of answers to one stage that an open page sends.
type StageAnswers struct {
	StageID  string
	ClientID string                // identifies the open page; '' if the request contains none
	Changes  []*rules.AnswerChange // nil for a change that the caller has refused

	Undelivered []string // of SubmitStage: the questions whose answers the page could not deliver
}

// AnswerOutcome is what happened to one change of a StageAnswers.
type AnswerOutcome struct {
	Outcome rules.SaveOutcome
	Saved   rules.SavedAnswer // the stored answer, after the change
	Refusal *Error            // nil unless refused, and for a change that was nil
}

// SavedStage is the outcome of SaveAnswers.
type SavedStage struct {
	DeadlineAt *time.Time // of the stage
	Answers    []AnswerOutcome
	Now        time.Time
}

// SaveAnswers saves changes of answers to the current stage, in their order and each
// with an outcome of its own. Refusals: not_found for a stage that is unknown or not
// reached, stage_closed, stage_not_started, session_not_in_progress, invite_expired.
func (s *Store) SaveAnswers(ctx context.Context, scope Scope, in StageAnswers) (SavedStage, error) {
	var result SavedStage
	err := s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		assessment, err := c.contentFor(ctx, scope, own.contentID(), own.ID)
		if err != nil {
			return err
		}
		stage, position, known := assessment.Definition.StageByID(in.StageID)
		if !known {
			position = len(assessment.Definition.Stages)
		}
		if err := answerable(own, position, errNoStage); err != nil {
			if err := c.keepLateChanges(ctx, own, stage, position, in.Changes, now); err != nil {
				return err
			}
			return commitThenRefuse(err)
		}
		answers, err := c.answers(ctx, scope, own.ID)
		if err != nil {
			return err
		}
		result = SavedStage{DeadlineAt: own.Progress.Stages[position].DeadlineAt, Now: now}
		if err := c.noteDevice(ctx, own, scope, in.ClientID, now); err != nil {
			return err
		}
		result.Answers, err = c.changeAnswers(ctx, own, stage, answers, in.Changes, now)
		return err
	})
	return result, err
}

// changeAnswers makes the changes to the saved answers of a locked session, and
// stores them. When the stage is closed, only what has been saved before succeeds.
func (c conn) changeAnswers(
	ctx context.Context, own ownSession, stage rules.Stage, saved savedAnswers, changes []*rules.AnswerChange,
	now time.Time,
) ([]AnswerOutcome, error) {
	current := own.Progress.Current()
	open := current >= 0 && own.Progress.Stages[current].StageID == stage.ID
	outcomes := make([]AnswerOutcome, 0, len(changes))
	changed := map[string]rules.SavedAnswer{}
	for _, change := range changes {
		outcome, effective := AnswerOutcome{Outcome: rules.AnswerRefused}, false
		if change != nil {
			outcome, effective = saved.change(stage, *change, open, now)
		}
		if effective {
			saved[change.QuestionID], changed[change.QuestionID] = outcome.Saved, outcome.Saved
		}
		outcomes = append(outcomes, outcome)
	}
	if !open {
		if err := c.keepLate(ctx, own, positionOf(own.Progress, stage.ID), saved.late(stage, changes, now), now); err != nil {
			return nil, err
		}
	}
	return outcomes, c.storeAnswers(ctx, own, changed)
}

// change decides about one change, and reports whether it changes the saved answer.
func (s savedAnswers) change(
	stage rules.Stage, change rules.AnswerChange, open bool, now time.Time,
) (_ AnswerOutcome, changes bool) {
	before := s[change.QuestionID]
	refuse := func(refusal *Error) (AnswerOutcome, bool) {
		return AnswerOutcome{Outcome: rules.AnswerRefused, Saved: before, Refusal: refusal}, false
	}
	question, known := stage.QuestionByID(change.QuestionID)
	if !known {
		before = rules.SavedAnswer{} // of another stage
		return refuse(errNoQuestion)
	}
	if !change.Answer.Cleared() {
		if fault := rules.ValidAnswer(question, change.Answer); fault != nil {
			fault.Pointer = "/answer" + fault.Pointer
			return refuse(errInvalid.with(*fault))
		}
	}
	after, outcome, changes := before.Save(change, now)
	if changes && !open {
		return refuse(errStageClosed)
	}
	return AnswerOutcome{Outcome: outcome, Saved: after}, changes
}

// storeAnswers writes the saved answers, by question id, of a locked session.
func (c conn) storeAnswers(ctx context.Context, own ownSession, answers map[string]rules.SavedAnswer) error {
	if len(answers) == 0 {
		return nil
	}
	type row struct {
		QuestionID     string `json:"q"`
		Answer         string `json:"a"`
		Revision       int64  `json:"r"`
		ClientID       string `json:"c"`
		ClientRevision int64  `json:"n"`
	}
	rows := make([]row, 0, len(answers))
	var savedAt time.Time
	for questionID, saved := range answers {
		encoded, err := encodeAnswer(saved.Answer)
		if err != nil {
			return err
		}
		savedAt = saved.SavedAt // the same for all, because one request changes them
		rows = append(rows, row{questionID, encoded, saved.Revision, saved.ClientID, saved.ClientRevision})
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at, revision, client_id, client_revision)
		SELECT ?, ?, value->>'q', value->>'a', ?, CAST(value->>'r' AS BIGINT), value->>'c', CAST(value->>'n' AS BIGINT)
		FROM `+c.store.db.JSONRows+` WHERE TRUE
		ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at,
			revision = excluded.revision, client_id = excluded.client_id, client_revision = excluded.client_revision`,
		own.OrganizationID, own.ID, savedAt, string(encoded))
	return err
}

// savedAnswers are the answers of a session, by question id.
type savedAnswers map[string]rules.SavedAnswer

// content returns the answers for scoring.
func (s savedAnswers) content() map[string]rules.Answer {
	content := make(map[string]rules.Answer, len(s))
	for questionID, saved := range s {
		if !saved.Answer.Cleared() {
			content[questionID] = saved.Answer
		}
	}
	return content
}

// lastSave is the time of the last save, zero without any.
func (s savedAnswers) lastSave() time.Time {
	var last time.Time
	for _, saved := range s {
		if saved.SavedAt.After(last) {
			last = saved.SavedAt
		}
	}
	return last
}

func (c conn) answers(ctx context.Context, scope Scope, sessionID string) (savedAnswers, error) {
	var rows []struct {
		QuestionID     string `db:"question_id"`
		Answer         string `db:"answer"`
		Revision       int64  `db:"revision"`
		ClientID       string `db:"client_id"`
		ClientRevision int64  `db:"client_revision"`
		SavedAt        Time   `db:"saved_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT question_id, answer, revision, client_id, client_revision, saved_at FROM answers
		WHERE organization_id = ? AND session_id = ?`, scope.OrganizationID, sessionID); err != nil {
		return nil, err
	}
	answers := make(savedAnswers, len(rows))
	for _, row := range rows {
		saved := rules.SavedAnswer{
			Revision: row.Revision, ClientID: row.ClientID, ClientRevision: row.ClientRevision, SavedAt: row.SavedAt.Time,
		}
		if err := json.Unmarshal([]byte(row.Answer), &saved.Answer); err != nil {
			return nil, err
		}
		answers[row.QuestionID] = saved
	}
	return answers, nil
}

// encodeAnswer returns the stored form of an answer. A cleared one is null.
func encodeAnswer(answer rules.Answer) (string, error) {
	if answer.Cleared() {
		return "null", nil
	}
	encoded, err := json.Marshal(answer)
	return string(encoded), err
}
