package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// countedSession is a session with the results that the statistics use.
type countedSession struct {
	id, assessmentID string
	attempt          int
	status           rules.SessionStatus
	revision         int
	result           *string // nil if the session has not finished

	isQueued        bool                 // the statistics lack a change
	counted         *rules.SessionStatus // the status with which they contain a queued session, or nil
	countedRevision *int
	earlier         *string // the result that they contain, if another one replaced it

	language, seconds *string // as the candidate page reported them, if the statistics contain them
}

// contained is the result that the statistics contain. It is nil if they contain none, and the field result if that is
// contained.
func (s countedSession) contained() *string {
	switch {
	case !s.isQueued:
		return s.result
	case !hasResult(s.counted):
		return nil
	case s.countedRevision == nil && s.revision == 1, // before there were revisions, none was stored
		s.countedRevision != nil && *s.countedRevision == s.revision:
		return s.result
	}
	return s.earlier
}

func hasResult(status *rules.SessionStatus) bool {
	return status != nil && (*status == rules.SessionCompleted || *status == rules.SessionDisqualified)
}

// countedResult is what the statistics use of a result.
type countedResult struct {
	rules.Finished
	Score       float64           `json:"score"`
	CompletedAt time.Time         `json:"completedAt"` // the end, also of a disqualified session
	Metadata    map[string]string `json:"metadata"`

	sessionID string
	attempt   int
	language  string // "" if it is unknown
}

// decode parses a result of the session.
func (s countedSession) decode(text string) (countedResult, error) {
	result := countedResult{sessionID: s.id, attempt: s.attempt}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		return result, err
	}
	if s.language != nil {
		result.language = *s.language
	}
	if s.seconds == nil {
		return result, nil
	}
	return result, json.Unmarshal([]byte(*s.seconds), &result.Seconds)
}

// eachCounted calls count with each of the sessions, which are a JSON array of ids. It logs errors of count: without
// this session the statistics are incomplete, but stopping would delay the statistics of all organizations.
//
// One statement reads the results and the queue, so that what it says of a session is true at one time.
func (c conn) eachCounted(ctx context.Context, sessions string, count func(countedSession) error) (err error) {
	rows, err := c.Rows(ctx, `
		SELECT s.id, s.assessment_id, s.attempt, s.status, s.revision, s.result, q.session_id IS NOT NULL, q.counted,
			q.counted_revision, r.result, v.language, v.seconds
		FROM candidate_sessions s
		LEFT JOIN statistics_queue q ON q.session_id = s.id
		LEFT JOIN result_revisions r ON r.session_id = q.session_id AND r.revision = COALESCE(q.counted_revision, 1)
			AND q.counted IN ('COMPLETED', 'DISQUALIFIED')
		LEFT JOIN session_activity v ON v.session_id = s.id AND v.counted
		WHERE `+c.store.db.IsOneOf("s.id"), sessions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s countedSession
		if err := rows.Scan(&s.id, &s.assessmentID, &s.attempt, &s.status, &s.revision, &s.result, &s.isQueued, &s.counted,
			&s.countedRevision, &s.earlier, &s.language, &s.seconds); err != nil {
			return err
		}
		if err := count(s); err != nil {
			c.store.opts.Log.ErrorContext(ctx, "statistics lack an unreadable result", "session", s.id, "error", err)
		}
	}
	return rows.Err()
}
