package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// SessionCounts is the number of sessions by status. Test sessions are not counted.
type SessionCounts map[rules.SessionStatus]int64

// Started is the number of sessions whose candidates have started. It excludes
// cancelled ones, of which the counts do not say whether they had started.
func (c SessionCounts) Started() int64 {
	return c[rules.SessionInProgress] + c[rules.SessionInReview] + c[rules.SessionCompleted] +
		c[rules.SessionDisqualified]
}

// live is the number of sessions that a candidate can start or continue. The quota of live sessions bounds what
// candidates can still write. A session in review waits for the organization, which must not be kept from inviting
// by its own backlog.
func (c SessionCounts) live() int64 { return c[rules.SessionInvited] + c[rules.SessionInProgress] }

// Scan implements sql.Scanner for the stored JSON; null is no sessions.
func (c *SessionCounts) Scan(value any) error {
	*c = SessionCounts{}
	switch stored := value.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(stored), c)
	case []byte:
		return json.Unmarshal(stored, c)
	}
	return errors.New("store: session counts are not text")
}

// AssessmentStatistics is what is known of the sessions of an assessment.
type AssessmentStatistics struct {
	Assessment *Assessment
	ComputedAt time.Time
	Counts     SessionCounts
	Finished   rules.Statistics
	Scores     rules.Distribution // only of RetrieveAssessmentStatistics

	Corrections []rules.Correction
}

// RetrieveAssessmentStatistics returns the statistics of an assessment's sessions.
// They follow a change within seconds: see UnscopedFoldStatistics.
func (s *Store) RetrieveAssessmentStatistics(
	ctx context.Context, scope Scope, id string,
) (AssessmentStatistics, error) {
	statistics, err := s.RetrieveAssessmentQuestionStatistics(ctx, scope, id)
	if err != nil {
		return statistics, err
	}
	var scores []rules.ScoreCount
	err = s.stale().List(ctx, &scores, `
		SELECT score, completions AS count FROM assessment_scores WHERE organization_id = ? AND assessment_id = ?
		ORDER BY score`, scope.OrganizationID, id)
	statistics.Scores = rules.NewDistribution(scores)
	return statistics, err
}

// RetrieveAssessmentQuestionStatistics returns the statistics of an assessment's
// sessions without the distribution of scores.
func (s *Store) RetrieveAssessmentQuestionStatistics(
	ctx context.Context, scope Scope, id string,
) (AssessmentStatistics, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return AssessmentStatistics{}, err
	}
	var row struct {
		Counts     SessionCounts `db:"session_counts"`
		Document   string        `db:"document"`
		ComputedAt Time          `db:"computed_at"`
	}
	err = s.stale().Get(ctx, &row, `
		SELECT session_counts, document, computed_at FROM assessment_statistics
		WHERE organization_id = ? AND assessment_id = ?`, scope.OrganizationID, id)
	if errors.Is(err, sql.ErrNoRows) { // it has no sessions
		row.Document, row.ComputedAt, err = "{}", Time{s.Now()}, nil
	}
	if err != nil {
		return AssessmentStatistics{}, err
	}
	statistics := AssessmentStatistics{Assessment: assessment, ComputedAt: row.ComputedAt.Time, Counts: row.Counts}
	if err := json.Unmarshal([]byte(row.Document), &statistics.Finished); err != nil {
		return AssessmentStatistics{}, err
	}
	statistics.Finished.Fit(assessment.Definition)
	statistics.Corrections, err = s.read().corrections(ctx, scope, id)
	return statistics, err
}
