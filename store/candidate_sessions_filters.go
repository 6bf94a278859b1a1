package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/store/rules"
)

// SessionFilter selects candidate sessions. A zero field selects all. Each field has a row of sessionFilters.
type SessionFilter struct {
	AssessmentID       string
	Statuses           []rules.SessionStatus
	CandidateEmail     string // ignores case
	ExternalID         string
	Search             string // prefixes of words; see words
	MinScore, MaxScore *float64
	Passed             *bool
	Created, Completed TimeSpan
	UpdatedSince       *time.Time
	States             []string // of the reviews
	Tags               []string // keys, see TagKey
	MinRating          *float64
	Test               bool // only test sessions; otherwise none of them

	among LimitedTo // the assessments that a limited caller sees, if there are several and no AssessmentID; see seenBy
}

// sessionFilter is one condition of a SessionFilter: all that lists, counts, and the choice of an index know of it. The
// functions are called only if the condition is set.
type sessionFilter struct {
	fields []string // of SessionFilter
	isSet  func(f *SessionFilter) bool
	// selects repeats where for a session that was read, because it can have changed since its index was read.
	selects func(f *SessionFilter, session *CandidateSession) bool
	// where adds the condition for the sessions x of a set. It is nil for a condition that is always there.
	where func(w *sessionWalk, f *filter)
	// isSlow says that where looks into another table, so that the database checks it last.
	isSlow bool
	// column is one that where needs and that is not among the columns of every index.
	column string
	// narrow makes the walk a narrow one, if the condition selects few sessions; nil if it hardly ever does.
	narrow func(ctx context.Context, w *sessionWalk) (done bool, err error)
	// ofStatuses says that the indexes of the statuses serve the condition, so that sessions can be counted in them.
	ofStatuses bool
}

// sessionFilters are in the order in which they are tried for a narrow walk: first those that usually select the
// fewest.
var sessionFilters = []sessionFilter{
	{
		fields: []string{"Search"},
		isSet:  func(f *SessionFilter) bool { return f.Search != "" },
		// SessionFilter.selects checks the words of a session, because it receives the words of the search.
		selects: func(*SessionFilter, *CandidateSession) bool { return true },
		where:   (*sessionWalk).haveWords, isSlow: true,
		narrow: ofIDs((*sessionWalk).fewWords),
	},
	{
		fields:  []string{"States"},
		isSet:   func(f *SessionFilter) bool { return len(f.States) > 0 },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return slices.Contains(f.States, s.ReviewState()) },
		where: func(w *sessionWalk, f *filter) {
			f.and("COALESCE((SELECT r.state_id FROM reviews r WHERE r.session_id = x.id), '"+initialState+"')"+
				oneOf(w.in.States), anys(w.in.States)...)
		},
		isSlow: true, narrow: ofIDs((*sessionWalk).fewInStates),
	},
	{
		fields:  []string{"among"},
		isSet:   func(f *SessionFilter) bool { return f.among != nil },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return slices.Contains(f.among, s.AssessmentID) },
		where: func(w *sessionWalk, f *filter) {
			f.and(w.store.db.IsOneOf("assessment_id"), w.scope.seen())
		},
		narrow: ofIDs((*sessionWalk).fewInAssessments),
	},
	{
		fields:  []string{"Tags"},
		isSet:   func(f *SessionFilter) bool { return len(f.Tags) > 0 },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return s.hasTag(f.Tags) },
		where: func(w *sessionWalk, f *filter) {
			// Not EXISTS, which PostgreSQL can make a join with all tags.
			f.and("(SELECT t.session_id FROM review_session_tags t WHERE t.session_id = x.id AND t.tag_key"+
				oneOf(w.in.Tags)+" LIMIT 1) IS NOT NULL", anys(w.in.Tags)...)
		},
		isSlow: true, narrow: ofIDs((*sessionWalk).fewWithTags),
	},
	{
		fields: []string{"CandidateEmail"},
		isSet:  func(f *SessionFilter) bool { return f.CandidateEmail != "" },
		selects: func(f *SessionFilter, s *CandidateSession) bool {
			return emailKey(s.CandidateEmail) == emailKey(f.CandidateEmail)
		},
		where: func(w *sessionWalk, f *filter) {
			f.and("candidate_email_key = ?", emailKey(w.in.CandidateEmail))
		},
		column: "candidate_email_key",
		narrow: ofIndex(func(w *sessionWalk) sessionIndex {
			return w.narrowIndex("candidate_sessions_email", "", "candidate_email_key = ?", emailKey(w.in.CandidateEmail))
		}),
	},
	{
		fields: []string{"ExternalID"},
		isSet:  func(f *SessionFilter) bool { return f.ExternalID != "" },
		selects: func(f *SessionFilter, s *CandidateSession) bool {
			return s.ExternalID != nil && *s.ExternalID == f.ExternalID
		},
		where:  func(w *sessionWalk, f *filter) { f.and("external_id = ?", w.in.ExternalID) },
		column: "external_id",
		narrow: ofIndex(func(w *sessionWalk) sessionIndex {
			return w.narrowIndex("candidate_sessions_external", "", "external_id = ?", w.in.ExternalID)
		}),
	},
	{
		fields:  []string{"Test"}, // every session is compared with it, see testCondition
		isSet:   func(f *SessionFilter) bool { return f.Test },
		selects: func(*SessionFilter, *CandidateSession) bool { return true },
		narrow: ofIndex(func(w *sessionWalk) sessionIndex {
			return w.narrowIndex("candidate_sessions_test", "", "test")
		}),
	},
	{
		fields: []string{"MinScore", "MaxScore"},
		isSet:  func(f *SessionFilter) bool { return f.MinScore != nil || f.MaxScore != nil },
		selects: func(f *SessionFilter, s *CandidateSession) bool {
			return s.Score != nil && (f.MinScore == nil || *s.Score >= *f.MinScore) &&
				(f.MaxScore == nil || *s.Score <= *f.MaxScore)
		},
		where:  func(w *sessionWalk, f *filter) { f.scores(w.in) },
		narrow: ofValues("score", func(w *sessionWalk, f *filter) { f.scores(w.in) }),
	},
	{
		fields:  []string{"MinRating"},
		isSet:   func(f *SessionFilter) bool { return f.MinRating != nil },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return s.Rating != nil && *s.Rating >= *f.MinRating },
		where:   func(w *sessionWalk, f *filter) { f.and("rating >= ?", *w.in.MinRating) },
		column:  "rating",
		narrow:  ofValues("rating", func(w *sessionWalk, f *filter) { f.and("rating >= ?", *w.in.MinRating) }),
	},
	{
		fields: []string{"Completed"},
		isSet:  func(f *SessionFilter) bool { return !f.Completed.isOpen() },
		selects: func(f *SessionFilter, s *CandidateSession) bool {
			return s.CompletedAt != nil && f.Completed.contains(s.CompletedAt.Time)
		},
		where:  func(w *sessionWalk, f *filter) { f.between("completed_at", w.in.Completed) },
		narrow: ofValues("completed_at", func(w *sessionWalk, f *filter) { f.between("completed_at", w.in.Completed) }),
	},
	{
		fields: []string{"UpdatedSince"},
		isSet:  func(f *SessionFilter) bool { return f.UpdatedSince != nil },
		selects: func(f *SessionFilter, s *CandidateSession) bool {
			return !s.UpdatedAt.Before(overlapping(*f.UpdatedSince))
		},
		where:  func(w *sessionWalk, f *filter) { f.updatedSince(*w.in.UpdatedSince) },
		column: "updated_at", narrow: ofIDs((*sessionWalk).fewChanges),
	},
	{
		fields:  []string{"AssessmentID"},
		isSet:   func(f *SessionFilter) bool { return f.AssessmentID != "" },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return s.AssessmentID == f.AssessmentID },
		where:   func(w *sessionWalk, f *filter) { f.and("assessment_id = ?", w.in.AssessmentID) }, ofStatuses: true,
	},
	{
		fields:  []string{"Statuses"},
		isSet:   func(f *SessionFilter) bool { return len(f.Statuses) > 0 },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return slices.Contains(f.Statuses, s.Status) },
		where: func(w *sessionWalk, f *filter) {
			f.and("status"+oneOf(w.in.Statuses), anys(w.in.Statuses)...)
		},
		ofStatuses: true,
	},
	{
		fields:  []string{"Passed"},
		isSet:   func(f *SessionFilter) bool { return f.Passed != nil },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return s.Passed != nil && *s.Passed == *f.Passed },
		where:   func(w *sessionWalk, f *filter) { f.and("passed = ?", *w.in.Passed) },
	},
	{
		fields:  []string{"Created"},
		isSet:   func(f *SessionFilter) bool { return !f.Created.isOpen() },
		selects: func(f *SessionFilter, s *CandidateSession) bool { return f.Created.contains(s.CreatedAt.Time) },
		where:   func(w *sessionWalk, f *filter) { f.between("created_at", w.in.Created) },
	},
}

// set returns the rows whose conditions are set.
func (f *SessionFilter) set() []sessionFilter {
	var rows []sessionFilter
	for _, row := range sessionFilters {
		if row.isSet(f) {
			rows = append(rows, row)
		}
	}
	return rows
}

// selects reports whether the filter selects a session. No query has the words of the newest sessions.
func (f *SessionFilter) selects(session *CandidateSession, words []string) bool {
	if session.Test != f.Test {
		return false
	}
	for i := range sessionFilters {
		if row := &sessionFilters[i]; row.isSet(f) && !row.selects(f, session) {
			return false
		}
	}
	return len(words) == 0 || matchesWords(session, words)
}

// conditions returns the conditions of the filter for the sessions x of a set.
func (w *sessionWalk) conditions() *filter {
	f := &filter{}
	f.sql.WriteString(" WHERE " + w.testCondition())
	for _, isSlow := range []bool{false, true} {
		for _, row := range w.in.set() {
			if row.where != nil && row.isSlow == isSlow {
				row.where(w, f)
			}
		}
	}
	return f
}

// filterColumns are those that the indexes of the walks contain, and others that the filter or the order needs.
func (w *sessionWalk) filterColumns() string {
	columns := []string{"id, assessment_id, status, test, passed, score, completed_at, created_at"}
	if column := w.order.column; column == "updated_at" || column == "rating" {
		columns = append(columns, column)
	}
	for _, row := range w.in.set() {
		if row.column != "" && row.column != w.order.column {
			columns = append(columns, row.column)
		}
	}
	return strings.Join(columns, ", ")
}

// isIndexed reports whether the indexes of the statuses serve the filter alone.
func (f *SessionFilter) isIndexed() bool {
	return !slices.ContainsFunc(f.set(), func(row sessionFilter) bool { return !row.ofStatuses })
}

// ofIDs narrows a walk to the ids that few returns.
func ofIDs(
	few func(*sessionWalk, context.Context) ([]string, bool, error),
) func(context.Context, *sessionWalk) (bool, error) {
	return func(ctx context.Context, w *sessionWalk) (bool, error) {
		ids, isFew, err := few(w, ctx)
		if err == nil && isFew {
			w.narrowTo(ids)
		}
		return isFew, err
	}
}

// ofIndex narrows a walk to what an index selects.
func ofIndex(index func(*sessionWalk) sessionIndex) func(context.Context, *sessionWalk) (bool, error) {
	return func(ctx context.Context, w *sessionWalk) (bool, error) { return w.narrowToIndex(ctx, index(w)) }
}

// ofValues narrows a walk to a range of the values of a column, in the index of the column. If the list is sorted by
// the column, the index of the order serves the range.
func ofValues(column string, where func(*sessionWalk, *filter)) func(context.Context, *sessionWalk) (bool, error) {
	return func(ctx context.Context, w *sessionWalk) (bool, error) {
		if w.order.column == column {
			return false, nil
		}
		name := "sessions_by_"
		if w.in.AssessmentID != "" {
			name += "assessment_"
		}
		index := w.narrowIndex(name+column, column, column+" IS NOT NULL")
		where(w, w.ofAssessment(index))
		return w.narrowToIndex(ctx, index)
	}
}

func oneOf[T any](values []T) string { return " IN (" + strings.Repeat("?, ", len(values)-1) + "?)" }

func anys[T any](values []T) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}

func (w *sessionWalk) testCondition() string {
	if w.in.Test {
		return "test"
	}
	return "NOT test"
}

func (f *filter) scores(in SessionFilter) {
	if in.MinScore != nil {
		f.and("score >= ?", *in.MinScore)
	}
	if in.MaxScore != nil {
		f.and("score <= ?", *in.MaxScore)
	}
}

func (f *filter) between(column string, span TimeSpan) {
	if span.Since != nil {
		f.and(column+" >= ?", span.Since.UTC())
	}
	if span.Until != nil {
		f.and(column+" < ?", span.Until.UTC())
	}
}
