package store

import (
	"context"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
)

// sessionIndex is an index of sessions with the conditions that it serves. The indexes sessions_by_… contain
// all columns of filterColumns, so that sessions can be examined without reading their rows.
//
// SQLite's queries name the index, and those of PostgreSQL have no condition that another one
// serves better, whatever the planner knows about the data.
type sessionIndex struct {
	*filter
	from       string // FROM of the table
	rows       string // from, with the columns of the sessions
	column, id string // its order; column is "" for the id alone
}

// by returns the ORDER BY of the index.
func (x sessionIndex) by(descending bool) string {
	direction := " ASC"
	if descending {
		direction = " DESC"
	}
	if x.column == "" {
		return " ORDER BY " + x.id + direction
	}
	return " ORDER BY " + x.column + direction + ", " + x.id + direction
}

// beyond adds a condition that compares the order with a position.
func (x sessionIndex) beyond(operator string, key sessionKey) {
	if x.column == "" {
		x.and(x.id+operator+"?", key.id)
	} else {
		x.and("("+x.column+", "+x.id+")"+operator+"(?, ?)", key.value, key.id)
	}
}

// after is the operator for what comes after a position in the order, until for what does not.
func (w *sessionWalk) after() string {
	if w.order.descending {
		return " < "
	}
	return " > "
}

func (w *sessionWalk) until() string {
	if w.order.descending {
		return " >= "
	}
	return " <= "
}

// keys returns the positions that a query for them selects, which begins with FROM.
func (w *sessionWalk) keys(ctx context.Context, of sessionIndex, from string, args ...any) ([]sessionKey, error) {
	columns, targets := of.id, func(cs *CandidateSession) []any { return []any{&cs.ID} }
	if of.column != "" {
		columns += ", " + of.column
		targets = func(cs *CandidateSession) []any { return []any{&cs.ID, w.order.target(cs)} }
	}
	rows, err := w.scanSessions(ctx, targets, `SELECT `+columns+from, args...)
	if err != nil {
		return nil, err
	}
	keys := make([]sessionKey, len(rows))
	for i := range rows {
		keys[i] = w.order.key(&rows[i])
	}
	return keys, nil
}

// indexOf returns the index that the walk follows: of the organization or the assessment and, in the
// order of the ids, of a status or of passed. Without a status, it is "".
func (w *sessionWalk) indexOf(status rules.SessionStatus) sessionIndex {
	where, name := filterOf(w.scope, Page{}), "sessions_by_"
	if w.order.column == "updated_at" {
		return w.indexOfChanges(w.in.UpdatedSince)
	}
	if w.in.Test && w.order.column == "" {
		where.and("test")
		w.boundIDs(where)
		return w.index("candidate_sessions_test", "", where)
	}
	if w.in.AssessmentID != "" {
		where.and("assessment_id = ?", w.in.AssessmentID)
		name += "assessment_"
	}
	switch column := w.order.column; {
	case column != "":
		where.and(column + " IS NOT NULL")
		if column == "score" {
			where.scores(w.in)
		} else {
			where.between(column, w.in.Completed)
		}
		return w.index(name+column, column, where)
	case w.in.Passed != nil:
		where.and("passed = ?", *w.in.Passed)
		name += "passed"
	case status != "":
		where.and("status = ?", status)
		name += "status"
	case w.in.AssessmentID != "":
		name = "sessions_by_assessment"
	default:
		name = "sessions_by_id"
	}
	w.boundIDs(where)
	return w.index(name, "", where)
}

func (w *sessionWalk) index(name, column string, where *filter) sessionIndex {
	from := " FROM candidate_sessions" + w.store.db.IndexedBy(name)
	return sessionIndex{where, from, from, column, "id"}
}

// indexOfChanges is the index of the last changes.
func (w *sessionWalk) indexOfChanges(since *time.Time) sessionIndex {
	if !w.store.db.HasSessionChanges {
		where := filterOf(w.scope, Page{})
		if since != nil {
			where.updatedSince(*since)
		}
		return w.index("candidate_sessions_changed", "updated_at", where)
	}
	where := &filter{args: []any{w.scope.OrganizationID}}
	where.sql.WriteString(" WHERE organization = ?")
	if since != nil {
		where.and("changed_at >= ?", overlapping(*since))
	}
	const from = " FROM candidate_session_changes"
	// OFFSET 0 makes PostgreSQL find each session by its id.
	return sessionIndex{where, from, from + ` CROSS JOIN LATERAL (SELECT * FROM candidate_sessions
		WHERE id = session_id AND updated_at = changed_at OFFSET 0) AS candidate_sessions`, "changed_at", "session_id"}
}

// statuses are those of the index that the walk follows: with several, it merges their parts of it.
func (w *sessionWalk) statuses() []rules.SessionStatus {
	if len(w.in.Statuses) == 0 || w.in.Passed != nil || w.in.Test || w.order.column != "" {
		return []rules.SessionStatus{""}
	}
	return w.in.Statuses
}

// firstOfIndex reads the next sessions of the index, whether or not the filter selects them.
func (w *sessionWalk) firstOfIndex(ctx context.Context, size int) ([]CandidateSession, error) {
	var merged []CandidateSession
	for _, status := range w.statuses() {
		index := w.indexOf(status)
		index.and(w.testCondition())
		if w.last != nil {
			index.beyond(w.after(), *w.last)
		}
		rows, err := w.sessions(ctx, `SELECT `+sessionColumnList+index.rows+index.sql.String()+
			index.by(w.order.descending)+" LIMIT ?", append(index.args, size)...)
		if err != nil {
			return nil, err
		}
		merged = append(merged, rows...)
	}
	if len(w.statuses()) > 1 {
		w.sort(merged)
	}
	return merged[:min(size, len(merged))], nil
}

// addRest adds the sessions that follow in the index, as many as may be examined.
func (w *sessionWalk) addRest(ctx context.Context) error {
	statuses := w.statuses()
	most := max(1, w.store.maxExamined/len(statuses))
	if w.order.column == "updated_at" {
		most = (most + 1) / 2 // this index has no other column, and reading rows takes longer
	}
	var rest sessionSet
	for _, status := range statuses {
		index := w.indexOf(status)
		if w.last != nil {
			index.beyond(w.after(), *w.last)
		}
		ends, err := w.keys(ctx, index, index.from+index.sql.String()+index.by(w.order.descending)+
			" LIMIT 1 OFFSET ?", append(index.args, most-1)...)
		if err != nil {
			return err
		}
		if len(ends) > 0 && (rest.end == nil || w.order.compare(ends[0], *rest.end) < 0) {
			rest.end = &ends[0]
		}
	}
	for i, status := range statuses {
		index := w.indexOf(status)
		if w.last != nil {
			index.beyond(w.after(), *w.last)
		}
		if rest.end != nil {
			index.beyond(w.until(), *rest.end)
		}
		if i > 0 {
			rest.from += " UNION ALL SELECT " + w.filterColumns()
		}
		rest.from += index.rows + index.sql.String()
		rest.args = append(rest.args, index.args...)
		if len(statuses) == 1 {
			rest.from += index.by(w.order.descending)
		}
	}
	if len(statuses) > 1 {
		rest.from = " FROM (SELECT " + w.filterColumns() + rest.from + ") merged"
	}
	rest.ofChanges = w.order.column == "updated_at" && w.store.db.HasSessionChanges
	w.sets, w.rested = append(w.sets, rest), true
	return nil
}

var keptSessions = keptTable{"candidate_sessions", "id", "ses"}

// boundIDs narrows a query to the ids that can have been made in the time. An id is
// made shortly before or after the time in created_at.
func (w *sessionWalk) boundIDs(where *filter) {
	if w.below != "" {
		where.and("id < ?", w.below)
	}
	if since := w.in.Created.Since; since != nil {
		where.and("id >= ?", keptSessions.boundary(since.Add(-db.MaxWriteTime)))
	}
	for _, until := range []*time.Time{w.in.Created.Until, w.in.Completed.Until} {
		if until != nil {
			where.and("id < ?", keptSessions.boundary(until.Add(db.MaxWriteTime)))
		}
	}
}
