package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"assay/store/internal/db"
)

// answerRow is an answer to save, and what must hold for its session.
type answerRow struct {
	OrganizationID string `json:"o"`
	SessionID      string `json:"s"`
	Generation     int    `json:"g"`
	StageID        string `json:"p"`
	QuestionID     string `json:"q"`
	Answer         string `json:"a"` // JSON
}

// answerSave is an answerRow that waits for a statement, or is in one.
type answerSave struct {
	*answerRow

	revision int64 // 0: the statement has not saved the answer
	savedAt  time.Time
}

// saveRow saves an answer and returns its revision, or sql.ErrNoRows if the session takes
// no answer to the stage. Callers that arrive while a statement runs share the next one,
// which costs them a fraction of a statement each.
func (s *Store) saveRow(ctx context.Context, row *answerRow) (revision int64, savedAt time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, db.MaxWriteTime/2) // of both statements together
	defer cancel()
	own := &answerSave{answerRow: row}
	if !s.answers.Do(ctx, own, func(take func() []*answerSave) { s.saveTogether(ctx, take()) }) {
		return 0, time.Time{}, ctx.Err()
	}
	if own.revision > 0 {
		return own.revision, own.savedAt, nil
	}
	// The session is locked or takes no answer, or the statement failed. This one can wait, because nobody shares it.
	if err := s.saveAnswers(ctx, s.db.ForShareOf("s"), []*answerSave{own}); err != nil {
		return 0, time.Time{}, err
	}
	if own.revision == 0 {
		return 0, time.Time{}, sql.ErrNoRows
	}
	return own.revision, own.savedAt, nil
}

// saveTogether saves the answers whose sessions nobody has locked. Of two answers to the
// same question, it leaves the second to its caller.
func (s *Store) saveTogether(ctx context.Context, saves []*answerSave) {
	ctx = context.WithoutCancel(ctx) // the end of one request must not disturb the other requests
	if err := s.saveAnswers(ctx, s.db.ForShareSkipLocked("s"), saves); err != nil {
		s.opts.Log.DebugContext(ctx, "answers are saved one by one", "error", err)
	}
}

// saveAnswers sets the revision of the answers that it saves. One statement checks and
// writes, so that every accepted answer is scored: the stage cannot close in between.
// Its order keeps two statements from waiting for each other.
func (s *Store) saveAnswers(ctx context.Context, lock string, saves []*answerSave) error {
	type key struct{ SessionID, QuestionID string }
	byKey := make(map[key]*answerSave, len(saves))
	rows := make([]*answerRow, 0, len(saves))
	for _, save := range saves {
		key := key{save.SessionID, save.QuestionID}
		if byKey[key] == nil {
			byKey[key] = save
			rows = append(rows, save.answerRow)
		}
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	now := s.Now()
	var saved []struct {
		SessionID  string `db:"session_id"`
		QuestionID string `db:"question_id"`
		Revision   int64  `db:"revision"`
	}
	session := `candidate_sessions s WHERE s.organization_id = value->>'o' AND s.id = value->>'s'
			AND s.invite_generation = CAST(value->>'g' AS BIGINT) AND s.status = 'IN_PROGRESS'
			AND s.current_stage_id = value->>'p' AND NOT s.stage_ready AND (s.due_at IS NULL OR s.due_at > ?)`
	if s.db.HasLateral {
		session = `LATERAL (SELECT organization_id, id FROM ` + session + lock + `) s`
	}
	if err := s.autocommit().List(ctx, &saved, `
		INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at)
		SELECT s.organization_id, s.id, value->>'q', value->>'a', ?
		FROM `+s.db.JSONRows+` CROSS JOIN `+session+`
		ORDER BY s.id, value->>'q'
		ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at,
			revision = answers.revision + 1, client_id = '', client_revision = 0
		RETURNING session_id, question_id, revision`, now, string(encoded), now); err != nil {
		return err
	}
	for _, row := range saved {
		save := byKey[key{row.SessionID, row.QuestionID}]
		save.revision, save.savedAt = row.Revision, now
	}
	return nil
}
