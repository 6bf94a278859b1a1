package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// noteUndelivered records questions of a stage whose answers the candidate's page could
// not deliver. It ignores other questions. The first report of a question counts.
func (c conn) noteUndelivered(
	ctx context.Context, own ownSession, stage rules.Stage, questionIDs []string, now time.Time,
) error {
	type row struct {
		QuestionID string `json:"q"`
	}
	var rows []row
	for _, id := range questionIDs {
		if _, known := stage.QuestionByID(id); known {
			rows = append(rows, row{id})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO candidate_session_undelivered (organization_id, session_id, stage_id, question_id, reported_at)
		SELECT ?, ?, ?, value->>'q', ? FROM `+c.store.db.JSONRows+` WHERE TRUE
		ON CONFLICT (session_id, question_id) DO NOTHING`,
		own.OrganizationID, own.ID, stage.ID, now, string(encoded))
	return err
}

// undelivered are the entries of a timeline about answers that did not arrive: one for each report.
func (c conn) undelivered(ctx context.Context, scope Scope, sessionID string) ([]TimelineEntry, error) {
	var rows []struct {
		StageID    string `db:"stage_id"`
		QuestionID string `db:"question_id"`
		ReportedAt Time   `db:"reported_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT stage_id, question_id, reported_at FROM candidate_session_undelivered
		WHERE organization_id = ? AND session_id = ? ORDER BY reported_at, question_id`,
		scope.OrganizationID, sessionID); err != nil {
		return nil, err
	}
	var entries []TimelineEntry
	for _, row := range rows {
		last := len(entries) - 1
		if last < 0 || !entries[last].At.Equal(row.ReportedAt.Time) || *entries[last].StageID != row.StageID {
			entries = append(entries, TimelineEntry{
				At: row.ReportedAt.Time, Type: TimelineUndelivered, Actor: ActorCandidate, StageID: &row.StageID,
			})
			last++
		}
		entries[last].QuestionIDs = append(entries[last].QuestionIDs, row.QuestionID)
	}
	return entries, nil
}
