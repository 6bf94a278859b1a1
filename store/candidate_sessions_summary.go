package store

import (
	"context"
	"slices"
	"strings"

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
	in, none := in.seenBy(scope)
	switch {
	case none:
		return counts, nil
	case in.isIndexed():
		return counts, s.read().countStatuses(ctx, scope, in.AssessmentID, counts)
	}
	walk, err := s.read().newSessionWalk(ctx, scope, in, SessionPage{})
	if err != nil {
		return nil, err
	}
	count := func(status rules.SessionStatus, sessions int) {
		i := slices.IndexFunc(counts, func(count StatusCount) bool { return count.Status == status })
		counts[i].Count += sessions
	}
	var exact bool
	if walk.readWords {
		exact, err = walk.countRead(ctx, count)
	} else {
		exact, err = walk.count(ctx, count)
	}
	for i := range counts {
		counts[i].Exact = exact
	}
	return counts, err
}

// count counts the sessions that the filter selects without reading their rows, where the indexes permit it.
func (w *sessionWalk) count(ctx context.Context, count func(rules.SessionStatus, int)) (exact bool, err error) {
	switch {
	case w.ended:
		return true, nil
	case len(w.ids) > 0 && w.set == nil:
		w.set = w.setOf(w.ids)
	case !w.isNarrow:
		if err := w.examineRest(ctx); err != nil {
			return false, err
		}
	}
	// One row, because SQLite sorts for GROUP BY.
	var columns []string
	var names []any
	for _, status := range rules.SessionStatuses() {
		columns, names = append(columns, "COUNT(*) FILTER (WHERE status = ?)"), append(names, status)
	}
	found, into := make([]int, len(columns)), make([]any, len(columns))
	for i := range found {
		into[i] = &found[i]
	}
	where := w.conditions()
	if err := w.Row(ctx, into, `SELECT `+strings.Join(columns, ", ")+w.examined()+where.sql.String(),
		slices.Concat(names, w.set.args, where.args)...); err != nil {
		return false, err
	}
	for i, status := range rules.SessionStatuses() {
		if found[i] > 0 {
			count(status, found[i])
		}
	}
	return w.set.end == nil, nil
}

// countRead counts the sessions by reading them.
func (w *sessionWalk) countRead(ctx context.Context, count func(rules.SessionStatus, int)) (exact bool, err error) {
	for w.mayContinue() {
		_, found, err := w.next(ctx, maxRead)
		if err != nil {
			return false, err
		}
		for i := range found {
			count(found[i].Status, 1)
		}
	}
	return w.ended, nil
}

// countStatuses counts the sessions of an assessment, or of all, in the indexes alone.
// These also contain the few test sessions, which it subtracts.
func (c conn) countStatuses(ctx context.Context, scope Scope, assessmentID string, counts []StatusCount) error {
	where, testing := filterOf(scope, Page{}), filterOf(scope, Page{})
	if assessmentID != "" {
		where.and("assessment_id = ?", assessmentID)
		testing.unindexed("assessment_id", assessmentID)
	}
	var tests []rules.SessionStatus
	if err := c.List(ctx, &tests, `SELECT status FROM candidate_sessions`+
		c.store.db.IndexedBy("candidate_sessions_test")+testing.sql.String()+
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
