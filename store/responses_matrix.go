package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"assay/store/rules"
)

const (
	// responseBatch bounds the sessions that are read at a time.
	responseBatch = 200

	// responseBytes bounds the results that are read at a time, unless a single one is larger. A result of 45 questions
	// has about 20 KiB.
	responseBytes = 4 << 20
)

// responseMatrix reads the rows of a response matrix. It examines the sessions of the assessment in an index, and then
// reads the results of those that have finished.
type responseMatrix struct {
	scope        Scope
	assessmentID string
	ended        TimeSpan
	columns      map[string]responseColumn // by the id of the question

	examined string   // the last session that was examined
	all      bool     // no session is left to be examined
	finished []string // sessions to be read next
	size     int      // how many of them
}

// responseColumn is the place of a question in the matrix.
type responseColumn struct {
	position int
	freeText bool
}

func newResponseMatrix(scope Scope, of *Assessment, ended TimeSpan) *responseMatrix {
	m := &responseMatrix{
		scope: scope, assessmentID: of.ID, ended: ended, columns: map[string]responseColumn{}, size: responseBatch,
	}
	for _, stage := range of.Definition.Stages {
		for _, question := range stage.Questions {
			m.columns[question.ID] = responseColumn{len(m.columns), question.Type == rules.FreeText}
		}
	}
	return m
}

// next returns the next rows, and none at the end.
func (m *responseMatrix) next(ctx context.Context, c conn) (rows []ResponseRow, err error) {
	for len(rows) == 0 && err == nil {
		switch {
		case len(m.finished) > 0:
			rows, err = m.read(ctx, c)
		case m.all:
			return nil, nil
		default:
			err = m.examine(ctx, c)
		}
	}
	return rows, err
}

// examine finds the finished sessions among the next ones of the index.
func (m *responseMatrix) examine(ctx context.Context, c conn) error {
	var sessions []struct {
		ID          string              `db:"id"`
		Status      rules.SessionStatus `db:"status"`
		Test        bool                `db:"test"`
		CompletedAt *Time               `db:"completed_at"`
	}
	if err := c.List(ctx, &sessions, `
		SELECT id, status, test, completed_at FROM candidate_sessions`+c.store.db.IndexedBy("sessions_by_assessment")+`
		WHERE organization_id = ? AND assessment_id = ? AND id > ? ORDER BY id LIMIT ?`,
		m.scope.OrganizationID, m.assessmentID, m.examined, c.store.maxExamined); err != nil {
		return err
	}
	m.all = len(sessions) < c.store.maxExamined
	for _, session := range sessions {
		m.examined = session.ID
		completed := session.Status == rules.SessionCompleted && session.CompletedAt != nil &&
			m.ended.contains(session.CompletedAt.Time)
		if !session.Test && (completed || session.Status == rules.SessionDisqualified) {
			m.finished = append(m.finished, session.ID)
		}
	}
	return nil
}

// read reads one result at a time. If they are large, it leaves some to the next batch, which then has as many as fit.
func (m *responseMatrix) read(ctx context.Context, c conn) (read []ResponseRow, err error) {
	chosen := m.finished[:min(m.size, len(m.finished))]
	// With several statuses as index conditions, PostgreSQL 18 expects less of an index that does not begin with the
	// assessment.
	rows, err := c.Rows(ctx, `
		SELECT id, attempt, status, COALESCE(completed_at, disqualified_at), score, passed, result,
			(SELECT a.language FROM session_activity a WHERE a.session_id = id)
		FROM candidate_sessions`+c.store.db.IndexedBy("sessions_by_assessment")+`
		WHERE organization_id = ? AND assessment_id = ? AND id >= ? AND id <= ?
			AND status || '' IN ('COMPLETED', 'DISQUALIFIED') AND NOT test AND result IS NOT NULL ORDER BY id`,
		m.scope.OrganizationID, m.assessmentID, chosen[0], chosen[len(chosen)-1])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	count, bytes, last := 0, 0, ""
	for bytes < responseBytes && rows.Next() {
		var row ResponseRow
		var endedAt Time
		var result string
		if err := rows.Scan(&row.SessionID, &row.Attempt, &row.Status, &endedAt, &row.Score, &row.Passed, &result,
			&row.Language); err != nil {
			return nil, err
		}
		count, bytes, last = count+1, bytes+len(result), row.SessionID
		row.EndedAt = endedAt.Time
		if !m.ended.contains(row.EndedAt) {
			continue
		}
		if err := m.addResponses(&row, result); err != nil {
			return nil, err
		}
		read = append(read, row)
	}
	if bytes < responseBytes { // all were read
		m.size, m.finished = min(2*m.size, responseBatch), m.finished[len(chosen):]
		return read, rows.Err()
	}
	m.size = count
	m.finished = slices.DeleteFunc(m.finished, func(id string) bool { return id <= last })
	return read, rows.Err()
}

// addResponses adds what the stored result of a session says about each question.
func (m *responseMatrix) addResponses(row *ResponseRow, result string) error {
	var finished rules.Finished
	if err := json.Unmarshal([]byte(result), &finished); err != nil {
		return err
	}
	row.DurationSeconds, row.Responses = finished.DurationSeconds, make([]Response, len(m.columns))
	for _, stage := range finished.Stages {
		for _, question := range stage.Questions {
			column, known := m.columns[question.ID]
			if !known || question.Correct == nil { // nil: the stage was not reached
				continue
			}
			response := Response{Points: &question.Points, Answer: question.Answer}
			if column.freeText {
				response.Answer = nil
			}
			row.Responses[column.position] = response
		}
	}
	return nil
}
