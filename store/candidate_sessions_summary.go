package store

import (
	"context"
	"slices"

	"assay/store/rules"
)

// SessionSummary is how many sessions a filter selects. A count that is not exact is
// a lower bound.
type SessionSummary struct {
	Total    int
	Exact    bool
	Statuses []StatusCount
}

// StatusCount is how many of them have one status.
type StatusCount struct {
	Status rules.SessionStatus
	Count  int
	Exact  bool
}

// SummarizeCandidateSessions counts the sessions that the filter selects, by status.
// Counts up to maxExamined are exact.
func (s *Store) SummarizeCandidateSessions(
	ctx context.Context, scope Scope, in SessionFilter,
) (SessionSummary, error) {
	counts, err := s.countSessions(ctx, scope, in)
	if err != nil {
		return SessionSummary{}, err
	}
	summary := SessionSummary{Exact: true, Statuses: counts}
	for _, count := range counts {
		summary.Total += count.Count
		summary.Exact = summary.Exact && count.Exact
	}
	return summary, nil
}

func (s *Store) countSessions(ctx context.Context, scope Scope, in SessionFilter) ([]StatusCount, error) {
	counts := make([]StatusCount, 0, len(rules.SessionStatuses()))
	for _, status := range rules.SessionStatuses() {
		if len(in.Statuses) == 0 || slices.Contains(in.Statuses, status) {
			counts = append(counts, StatusCount{Status: status, Exact: true})
		}
	}
	if in.isIndexed() {
		return counts, s.read().countStatuses(ctx, scope, in.AssessmentID, counts)
	}
	walk, err := s.read().newSessionWalk(ctx, scope, in, SessionPage{})
	if err != nil {
		return nil, err
	}
	walk.isThin = true
	for walk.mayContinue() {
		selected, err := walk.next(ctx, maxWalkBatch)
		if err != nil {
			return nil, err
		}
		for _, session := range selected {
			i := slices.IndexFunc(counts, func(count StatusCount) bool { return count.Status == session.Status })
			counts[i].Count++
		}
	}
	for i := range counts {
		counts[i].Exact = walk.ended
	}
	return counts, nil
}

// isIndexed reports whether the indexes of the statuses serve the filter alone.
func (f *SessionFilter) isIndexed() bool {
	return f.CandidateEmail == "" && f.ExternalID == "" && f.Search == "" && !f.hasScores() && f.Passed == nil &&
		f.Created.isOpen() && f.Completed.isOpen() && f.UpdatedSince == nil && !f.Test
}

// countStatuses counts the sessions of an assessment, or of all, in the indexes alone.
// These also contain the few test sessions, which it subtracts.
func (c conn) countStatuses(ctx context.Context, scope Scope, assessmentID string, counts []StatusCount) error {
	where, testing := filterOf(scope, Page{}), filterOf(scope, Page{})
	if assessmentID != "" {
		where.and("assessment_id = ?", assessmentID)
		testing.unindexed("assessment_id", assessmentID)
	}
	// In the order of the ids, so that SQLite chooses the index of the test sessions.
	var tests []rules.SessionStatus
	if err := c.List(ctx, &tests, `SELECT status FROM candidate_sessions`+testing.sql.String()+
		` AND test ORDER BY id LIMIT ?`, append(testing.args, maxExamined)...); err != nil {
		return err
	}
	where.sql.WriteString(" AND status = ?")
	for i := range counts {
		count := &counts[i]
		if err := c.Get(ctx, &count.Count, `SELECT COUNT(*) FROM (SELECT id FROM candidate_sessions`+where.sql.String()+
			` ORDER BY id DESC LIMIT ?) counted`, append(where.args, count.Status, c.store.maxExamined+1)...); err != nil {
			return err
		}
		if count.Exact = count.Count <= c.store.maxExamined; !count.Exact {
			count.Count = c.store.maxExamined
		}
		for _, test := range tests {
			if test == count.Status {
				count.Count--
			}
		}
	}
	return nil
}
