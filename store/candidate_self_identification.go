package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// groupAnswers is the table of the answers to voluntary questions.
const groupAnswers = "group_answers"

// OwnSelfIdentification are the voluntary questions, and what the candidate has answered.
type OwnSelfIdentification struct {
	Questions []SelfIdentificationQuestion
	Answers   []SelfIdentificationAnswer // in the order of the questions
}

// SelfIdentificationAnswer is an answer to a voluntary question.
type SelfIdentificationAnswer struct {
	QuestionID string
	OptionID   string
}

// chosenOptions are the ids of the chosen options by the ids of the voluntary questions. Answers to removed questions
// and options are among them.
type chosenOptions map[string]string

// RetrieveOwnSelfIdentification returns the voluntary questions after the end. Refusals: session_not_finished,
// invite_expired.
func (s *Store) RetrieveOwnSelfIdentification(ctx context.Context, scope Scope) (OwnSelfIdentification, error) {
	own, err := s.currentSession(ctx, scope)
	if err != nil {
		return OwnSelfIdentification{}, err
	}
	if err := own.selfIdentifiable(); err != nil {
		return OwnSelfIdentification{}, err
	}
	c := s.read()
	asked, err := c.selfIdentification(ctx, scope, own.AssessmentID)
	if err != nil {
		return OwnSelfIdentification{}, err
	}
	chosen, _, err := c.chosenOptions(ctx, scope)
	return asked.with(chosen), err
}

// SaveOwnSelfIdentification replaces the answers of the candidate. Without answers, it removes them. Those of a test
// session are checked and not stored. Refusals: invalid_request, session_not_finished, invite_expired.
func (s *Store) SaveOwnSelfIdentification(
	ctx context.Context, scope Scope, answers []SelfIdentificationAnswer,
) (OwnSelfIdentification, error) {
	var saved OwnSelfIdentification
	err := s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		if err := own.selfIdentifiable(); err != nil {
			return commitThenRefuse(err)
		}
		asked, err := c.selfIdentification(ctx, scope, own.AssessmentID)
		if err != nil {
			return err
		}
		chosen, faults := asked.chosen(answers)
		if len(faults) > 0 {
			return commitThenRefuse(errInvalid.with(faults...))
		}
		saved = asked.with(chosen)
		if own.Test {
			return nil
		}
		return c.replaceChosen(ctx, scope, own, chosen, now)
	})
	return saved, err
}

// selfIdentifiable refuses voluntary questions while the candidate can still work on the assessment, so that they
// neither distract nor look like a part of it.
func (own ownSession) selfIdentifiable() error {
	switch {
	case own.hasEnded():
		return nil
	case own.Status == rules.SessionExpired:
		return errInviteExpired
	}
	return errSessionNotFinished
}

// hasEnded reports whether nothing is left for the candidate to do.
func (own ownSession) hasEnded() bool {
	review := own.Progress.Review
	return own.Status == rules.SessionCompleted || own.Status == rules.SessionDisqualified ||
		review != nil && review.End != nil
}

// chosen checks answers.
func (in SelfIdentification) chosen(answers []SelfIdentificationAnswer) (chosenOptions, []rules.Fault) {
	chosen, faults := chosenOptions{}, []rules.Fault(nil)
	for i, answer := range answers {
		at := fmt.Sprintf("/answers/%d", i)
		question, known := in.question(answer.QuestionID)
		if !known {
			faults = append(faults, fault(at+"/questionId", "unknown_id", "is not a question of this assessment"))
			continue
		}
		if _, known := question.option(answer.OptionID); !known {
			faults = append(faults, fault(at+"/optionId", "unknown_id", "is not an answer to this question"))
		}
		if _, answered := chosen[question.ID]; answered {
			faults = append(faults, fault(at+"/questionId", "duplicate", "has an earlier answer in the list"))
		}
		chosen[question.ID] = answer.OptionID
	}
	return chosen, faults
}

// with adds the answers to questions and options that still exist.
func (in SelfIdentification) with(chosen chosenOptions) OwnSelfIdentification {
	own := OwnSelfIdentification{Questions: in.Questions}
	for _, question := range in.Questions {
		if option, known := question.option(chosen[question.ID]); known {
			own.Answers = append(own.Answers, SelfIdentificationAnswer{question.ID, option.ID})
		}
	}
	return own
}

// chosenOptions returns the stored answers of the candidate, and whether there is a row of them.
func (c conn) chosenOptions(ctx context.Context, scope Scope) (chosen chosenOptions, exists bool, err error) {
	var sealed []byte
	err = c.Get(ctx, &sealed, `SELECT answers FROM group_answers WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, scope.SessionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	chosen, err = c.store.openChosen(ctx, scope.SessionID, sealed)
	return chosen, true, err
}

// openChosen decrypts the answers of a session. Answers that no master secret decrypts are lost: the candidate can
// answer again.
func (s *Store) openChosen(ctx context.Context, sessionID string, sealed []byte) (chosenOptions, error) {
	encoded, err := s.opts.Keys.OpenAnswers(sessionID, sealed)
	if errors.Is(err, keys.ErrSealed) {
		s.opts.Log.ErrorContext(ctx, "answers to voluntary questions are lost", "session", sessionID, "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var chosen chosenOptions
	return chosen, json.Unmarshal([]byte(encoded), &chosen)
}

// replaceChosen stores the answers of a locked session, and notes that its groups have changed.
func (c conn) replaceChosen(
	ctx context.Context, scope Scope, own ownSession, chosen chosenOptions, now time.Time,
) error {
	before, exists, err := c.chosenOptions(ctx, scope)
	if err != nil || maps.Equal(before, chosen) && exists == (len(chosen) > 0) {
		return err
	}
	if err := c.noteGroupChange(ctx, scope, own.ID); err != nil {
		return err
	}
	if len(chosen) == 0 {
		return c.deleteChosen(ctx, scope, own.ID)
	}
	encoded, err := json.Marshal(chosen)
	if err != nil {
		return err
	}
	sealed, err := c.store.opts.Keys.SealAnswers(own.ID, string(encoded))
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO group_answers (session_id, organization_id, assessment_id, answers, answered_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET answers = excluded.answers, answered_at = excluded.answered_at`,
		own.ID, scope.OrganizationID, own.AssessmentID, sealed, now)
	return err
}

func (c conn) deleteChosen(ctx context.Context, scope Scope, sessionID string) error {
	_, err := c.Exec(ctx, `DELETE FROM group_answers WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, sessionID)
	return err
}

// noteGroupChange notes that the answers of a locked session change. A trigger notes the other changes: see migration
// 00064. The first change since a publication says whether the published figures contain the session.
func (c conn) noteGroupChange(ctx context.Context, scope Scope, sessionID string) error {
	_, err := c.Exec(ctx, `
		INSERT INTO group_changes (session_id, organization_id, assessment_id, counted, version)
		SELECT s.id, s.organization_id, s.assessment_id, s.status IN ('COMPLETED', 'DISQUALIFIED')
			AND EXISTS (SELECT 1 FROM group_answers g WHERE g.session_id = s.id), 1
		FROM candidate_sessions s WHERE s.organization_id = ? AND s.id = ?
		ON CONFLICT (session_id) DO UPDATE SET version = group_changes.version + 1`, scope.OrganizationID, sessionID)
	return err
}

// eraseSelfIdentification erases the answers of a locked session.
func (c conn) eraseSelfIdentification(ctx context.Context, scope Scope, id string, _ time.Time) error {
	var answered bool
	if err := c.Get(ctx, &answered, `
		SELECT EXISTS (SELECT 1 FROM group_answers WHERE organization_id = ? AND session_id = ?)`,
		scope.OrganizationID, id); err != nil || !answered {
		return err
	}
	if err := c.noteGroupChange(ctx, scope, id); err != nil {
		return err
	}
	return c.deleteChosen(ctx, scope, id)
}

// addDataSelfIdentification adds the answers to voluntary questions, by the texts of today. A text that was removed is
// shown by its id.
func (c conn) addDataSelfIdentification(ctx context.Context, scope Scope, of dataOf) error {
	var rows []struct {
		SessionID string `db:"session_id"`
		Answers   []byte `db:"answers"`
		Questions string `db:"questions"`
	}
	if err := c.List(ctx, &rows, `
		SELECT g.session_id, g.answers, COALESCE(i.questions, '[]') AS questions
		FROM group_answers g LEFT JOIN self_identifications i ON i.assessment_id = g.assessment_id
		WHERE g.organization_id = ? AND `+c.store.db.IsOneOf("g.session_id")+` LIMIT ?`,
		scope.OrganizationID, of.encoded, dataSessions); err != nil {
		return err
	}
	for _, row := range rows {
		chosen, err := c.store.openChosen(ctx, row.SessionID, row.Answers)
		if err != nil {
			return err
		}
		var asked SelfIdentification
		if err := json.Unmarshal([]byte(row.Questions), &asked.Questions); err != nil {
			return err
		}
		of.byID[row.SessionID].addSelfIdentification(asked, chosen)
	}
	return nil
}

func (session *DataSession) addSelfIdentification(asked SelfIdentification, chosen chosenOptions) {
	appendAnswer := func(question, answer string) {
		session.SelfIdentification = append(session.SelfIdentification, DataSelfIdentification{question, answer})
	}
	for _, question := range asked.Questions {
		optionID, answered := chosen[question.ID]
		if option, known := question.option(optionID); known {
			appendAnswer(question.Text, option.Text)
		} else if answered {
			appendAnswer(question.Text, optionID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(chosen)) {
		if _, known := asked.question(id); !known {
			appendAnswer(id, chosen[id])
		}
	}
}
