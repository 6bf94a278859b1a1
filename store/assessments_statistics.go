package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
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

// AssessmentStatistics is what is known of the sessions of an assessment, or of one of its segments.
type AssessmentStatistics struct {
	Assessment *Assessment
	SegmentID  *string // nil for all sessions
	Complete   bool    // all finished sessions are counted
	ComputedAt time.Time
	Counts     SessionCounts // of a segment only finished sessions
	Finished   rules.Statistics
	Scores     rules.Distribution // only of RetrieveAssessmentStatistics

	Corrections []rules.Correction

	scores []rules.ScoreCount // of Scores
}

// RetrieveAssessmentStatistics returns the statistics of an assessment's sessions, or of those of a segment.
// They follow a change within seconds: see UnscopedFoldStatistics. Refusal: not_found.
func (s *Store) RetrieveAssessmentStatistics(
	ctx context.Context, scope Scope, id string, segmentID *string,
) (AssessmentStatistics, error) {
	statistics, err := s.RetrieveAssessmentQuestionStatistics(ctx, scope, id, segmentID)
	if err != nil {
		return statistics, err
	}
	if segmentID == nil {
		err = s.stale().List(ctx, &statistics.scores, `
			SELECT score, completions AS count FROM assessment_scores WHERE organization_id = ? AND assessment_id = ?
			ORDER BY score`, scope.OrganizationID, id)
	}
	statistics.Scores = rules.NewDistribution(statistics.scores)
	return statistics, err
}

// RetrieveAssessmentQuestionStatistics returns the statistics of an assessment's
// sessions, or of those of a segment, without the distribution of scores. Refusal: not_found.
func (s *Store) RetrieveAssessmentQuestionStatistics(
	ctx context.Context, scope Scope, id string, segmentID *string,
) (AssessmentStatistics, error) {
	assessment, err := s.read().content(ctx, scope, id)
	if err != nil {
		return AssessmentStatistics{}, err
	}
	var statistics AssessmentStatistics
	if segmentID == nil {
		statistics, err = s.stale().wholeStatistics(ctx, scope, id)
	} else {
		statistics, err = s.stale().segmentStatistics(ctx, scope, id, *segmentID)
	}
	if err != nil {
		return AssessmentStatistics{}, err
	}
	statistics.Assessment, statistics.SegmentID = assessment, segmentID
	statistics.Finished.Fit(assessment.Definition)
	statistics.Corrections, err = s.read().corrections(ctx, scope, id)
	return statistics, err
}

func (c conn) wholeStatistics(ctx context.Context, scope Scope, id string) (AssessmentStatistics, error) {
	var row struct {
		Counts     SessionCounts `db:"session_counts"`
		Document   string        `db:"document"`
		ComputedAt Time          `db:"computed_at"`
	}
	err := c.Get(ctx, &row, `
		SELECT session_counts, document, computed_at FROM assessment_statistics
		WHERE organization_id = ? AND assessment_id = ?`, scope.OrganizationID, id)
	if errors.Is(err, sql.ErrNoRows) { // it has no sessions
		row.Document, row.ComputedAt, err = noStatistics, Time{c.store.Now()}, nil
	}
	if err != nil {
		return AssessmentStatistics{}, err
	}
	statistics := AssessmentStatistics{ComputedAt: row.ComputedAt.Time, Counts: row.Counts}
	err = json.Unmarshal([]byte(row.Document), &statistics.Finished)
	statistics.Complete = statistics.hasAllSums()
	return statistics, err
}

// noStatistics is the document of an assessment without sessions.
var noStatistics = `{"version":` + strconv.Itoa(rules.StatisticsVersion) + `}`

func (c conn) segmentStatistics(
	ctx context.Context, scope Scope, id, segmentID string,
) (AssessmentStatistics, error) {
	read, err := c.readSegments(ctx, scope, id, segmentID, segmentID)
	if err != nil {
		return AssessmentStatistics{}, err
	}
	segment := read.segments[0]
	document, err := parsePart(segment.DocumentJSON)
	if err != nil {
		return AssessmentStatistics{}, err
	}
	return AssessmentStatistics{
		Complete: read.areComplete(), ComputedAt: read.computedAt, Finished: document.Statistics, scores: document.Scores,
		Counts: SessionCounts{
			rules.SessionCompleted: segment.Completed, rules.SessionDisqualified: segment.Disqualified,
		},
	}, nil
}
