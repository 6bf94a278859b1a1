package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// CandidateSpreadsheet is an export for people.
type CandidateSpreadsheet struct {
	Zone *time.Location // of its times

	// StageTitles are the titles of the only assessment, or nil. StageCount is the number of stages that a row can have.
	StageTitles []string
	StageCount  int

	States ReviewStates

	// Next returns the rows in batches, newest first, and none at the end.
	Next func() ([]CandidateRow, error)
}

// CandidateRow is a session with figures of its result. Without a result, these are empty.
type CandidateRow struct {
	CandidateSession

	Percentile  *float64 // see ranks.percentile; nil as long as few sessions are completed
	Duration    *time.Duration
	StageScores []*float64 // percent, by the position of the stage; nil for a stage that was not reached
}

// SpreadsheetExport is the input of ExportCandidateSpreadsheet.
type SpreadsheetExport struct {
	Filter SessionFilter
	Zone   string // IANA
}

// ExportCandidateSpreadsheet returns the sessions that the filter selects, with figures of their results. It writes an
// audit entry first. Refusal: invalid_request.
func (s *Store) ExportCandidateSpreadsheet(
	ctx context.Context, scope Scope, in SpreadsheetExport,
) (CandidateSpreadsheet, error) {
	if !rules.IsTimeZone(in.Zone) {
		return CandidateSpreadsheet{}, errUnknownZone
	}
	sheet, err := s.stale().spreadsheet(ctx, scope, in.Filter)
	if err != nil {
		return sheet, err
	}
	if sheet.Zone, err = time.LoadLocation(in.Zone); err != nil {
		return sheet, err
	}
	next, err := s.ExportCandidateSessions(ctx, scope, in.Filter)
	sheet.Next = func() ([]CandidateRow, error) {
		sessions, err := next()
		if err != nil || len(sessions) == 0 {
			return nil, err
		}
		return s.stale().candidateRows(ctx, scope, sessions)
	}
	return sheet, err
}

// spreadsheet returns what does not depend on the sessions.
func (c conn) spreadsheet(ctx context.Context, scope Scope, in SessionFilter) (sheet CandidateSpreadsheet, err error) {
	if sheet.States, err = c.reviewStates(ctx, scope); err != nil {
		return sheet, err
	}
	in, none := in.seenBy(scope)
	if none {
		return sheet, nil
	}
	if in.AssessmentID == "" {
		where := filterOf(scope, Page{})
		c.onlySeen(where, scope, "id")
		return sheet, c.Get(ctx, &sheet.StageCount, `SELECT COALESCE(MAX(stage_count), 0) FROM assessments`+
			where.sql.String(), where.args...)
	}
	var definitions []string
	if err := c.List(ctx, &definitions, `SELECT definition FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, in.AssessmentID); err != nil {
		return sheet, err
	}
	for _, encoded := range definitions { // none for an unknown assessment, which has no sessions
		var definition rules.Definition
		if err := json.Unmarshal([]byte(encoded), &definition); err != nil {
			return sheet, err
		}
		for _, stage := range definition.Stages {
			sheet.StageTitles = append(sheet.StageTitles, stage.Title)
		}
	}
	sheet.StageCount = len(sheet.StageTitles)
	return sheet, nil
}

// candidateRows adds the figures of results.
func (c conn) candidateRows(ctx context.Context, scope Scope, sessions []CandidateSession) ([]CandidateRow, error) {
	progress, err := c.progressOf(ctx, scope, sessions)
	if err != nil {
		return nil, err
	}
	ranked := map[string]ranks{} // by assessment
	rows := make([]CandidateRow, len(sessions))
	for i, session := range sessions {
		rows[i].CandidateSession = session
		reached := progress[session.ID]
		if reached.ClosedAt == nil || reached.Score == nil {
			continue // no result
		}
		duration := time.Duration(seconds(reached.StartedAt, *reached.ClosedAt)) * time.Second
		rows[i].Duration = &duration
		for _, stage := range reached.Stages {
			rows[i].StageScores = append(rows[i].StageScores, stage.Score)
		}
		if session.Status != rules.SessionCompleted || session.Score == nil {
			continue
		}
		of, known := ranked[session.AssessmentID]
		if !known {
			if of, err = c.currentRanks(ctx, scope, session.AssessmentID); err != nil {
				return nil, err
			}
			ranked[session.AssessmentID] = of
		}
		if of.completions() >= percentileFrom {
			percentile := of.percentile(*session.Score)
			rows[i].Percentile = &percentile
		}
	}
	return rows, nil
}

// progressOf returns the progress of the sessions that were started, by id.
func (c conn) progressOf(
	ctx context.Context, scope Scope, sessions []CandidateSession,
) (map[string]rules.Progress, error) {
	var started []string
	for _, session := range sessions {
		if session.StartedAt != nil {
			started = append(started, session.ID)
		}
	}
	if len(started) == 0 {
		return map[string]rules.Progress{}, nil
	}
	encoded, _ := json.Marshal(started) // text
	var rows []struct {
		ID       string `db:"id"`
		Progress string `db:"progress"`
	}
	if err := c.List(ctx, &rows, `SELECT id, progress FROM `+c.store.db.RowsByID("candidate_sessions", "sessions_by_id"),
		string(encoded), scope.OrganizationID); err != nil {
		return nil, err
	}
	found := make(map[string]rules.Progress, len(rows))
	for _, row := range rows {
		var progress rules.Progress
		if err := json.Unmarshal([]byte(row.Progress), &progress); err != nil {
			return nil, err
		}
		found[row.ID] = progress
	}
	return found, nil
}

// currentRanks returns the scores that the statistics of an assessment contain now.
func (c conn) currentRanks(ctx context.Context, scope Scope, assessmentID string) (ranks, error) {
	var counts []struct {
		Sessions SessionCounts `db:"session_counts"`
		Removed  int64         `db:"removals"`
	}
	err := c.List(ctx, &counts, `
		SELECT session_counts, removals FROM assessment_statistics WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	if err != nil || len(counts) == 0 { // no statistics yet
		return ranks{}, err
	}
	return c.ranks(ctx, scope, assessmentID, scoreCount{counts[0].Sessions[rules.SessionCompleted], counts[0].Removed})
}
