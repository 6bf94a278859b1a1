package store

import (
	"context"
	"strings"

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
// order of the ids, of a status or of passed. Without a status, it is "". It begins after the last session that was
// examined, and stops at end, if there is one.
func (w *sessionWalk) indexOf(status rules.SessionStatus, end *sessionKey) sessionIndex {
	where, name, column := filterOf(w.scope, Page{}), "sessions_by_", w.order.column
	var index sessionIndex
	switch {
	case column == "updated_at":
		index = w.indexOfChanges()
	case column == "" && w.in.Test:
		where.and("test")
		index = w.index("candidate_sessions_test", "", where)
	default:
		if w.in.AssessmentID != "" {
			where.and("assessment_id = ?", w.in.AssessmentID)
			name += "assessment_"
		}
		switch {
		case column != "":
			where.and(column + " IS NOT NULL")
			name += column
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
		index = w.index(name, column, where)
	}
	w.bound(index, end)
	return index
}

func (w *sessionWalk) index(name, column string, where *filter) sessionIndex {
	from := " FROM candidate_sessions" + w.store.db.IndexedBy(name)
	return sessionIndex{where, from, from, column, "id"}
}

// indexOfChanges is the index of the last changes.
func (w *sessionWalk) indexOfChanges() sessionIndex {
	if !w.store.hasSessionChanges() {
		return w.index("candidate_sessions_changed", "updated_at", filterOf(w.scope, Page{}))
	}
	where := &filter{args: []any{w.scope.OrganizationID}}
	where.sql.WriteString(" WHERE organization = ?")
	const from = " FROM candidate_session_changes"
	// OFFSET 0 makes PostgreSQL find each session by its id.
	return sessionIndex{where, from, from + ` CROSS JOIN LATERAL (SELECT * FROM candidate_sessions
		WHERE id = session_id AND updated_at = changed_at OFFSET 0) AS candidate_sessions`, "changed_at", "session_id"}
}

// bound narrows the index to the part from the last session that was examined to end, or else to the range that the
// filter selects. Each side gets one condition: of two, SQLite begins or stops at the first, and only checks the other.
func (w *sessionWalk) bound(index sessionIndex, end *sessionKey) {
	lower, upper := w.ranges()
	before, behind := upper, lower
	if !w.order.descending {
		before, behind = lower, upper
	}
	column := index.column
	if column == "" {
		column = index.id
	}
	switch {
	case w.last != nil:
		index.beyond(w.after(), *w.last)
	case before.operator != "":
		index.and(column+before.operator+"?", before.value)
	}
	switch {
	case end != nil:
		index.beyond(w.until(), *end)
	case behind.operator != "":
		index.and(column+behind.operator+"?", behind.value)
	}
}

// limit is one side of a range. Its operator is "" if there is no limit.
type limit struct {
	operator string
	value    any
}

// ranges returns the range of the order's values, or of the ids, that the filter can select. An id is made shortly
// before or after the time in created_at.
func (w *sessionWalk) ranges() (lower, upper limit) {
	switch w.order.column {
	case "score":
		if w.in.MinScore != nil {
			lower = limit{" >= ", *w.in.MinScore}
		}
		if w.in.MaxScore != nil {
			upper = limit{" <= ", *w.in.MaxScore}
		}
	case "rating":
		if w.in.MinRating != nil {
			lower = limit{" >= ", *w.in.MinRating}
		}
	case "completed_at":
		if w.in.Completed.Since != nil {
			lower = limit{" >= ", w.in.Completed.Since.UTC()}
		}
		if w.in.Completed.Until != nil {
			upper = limit{" < ", w.in.Completed.Until.UTC()}
		}
	case "updated_at":
		if w.in.UpdatedSince != nil {
			lower = limit{" >= ", overlapping(*w.in.UpdatedSince)}
		}
	default:
		if since := w.in.Created.Since; since != nil {
			lower = limit{" >= ", keptSessions.boundary(since.Add(-db.MaxWriteTime))}
		}
		until := w.in.Created.Until
		if done := w.in.Completed.Until; done != nil && (until == nil || done.Before(*until)) {
			until = done // a session is created before it is completed
		}
		if until != nil {
			upper = limit{" < ", keptSessions.boundary(until.Add(db.MaxWriteTime))}
		}
	}
	return lower, upper
}

var keptSessions = keptTable{"candidate_sessions", "id", "ses"}

// statuses are those of the index that the walk follows: with several, it merges their parts of it.
func (w *sessionWalk) statuses() []rules.SessionStatus {
	if len(w.in.Statuses) == 0 || w.in.Passed != nil || w.in.Test || w.order.column != "" {
		return []rules.SessionStatus{""}
	}
	return w.in.Statuses
}

// firstOfIndex reads the next sessions of the index, whether or not the filter selects them.
func (w *sessionWalk) firstOfIndex(ctx context.Context, size int) ([]CandidateSession, error) {
	index := w.indexOf(w.statuses()[0], nil)
	index.and(w.testCondition())
	return w.sessions(ctx, `SELECT `+sessionColumnList+index.rows+index.sql.String()+
		index.by(w.order.descending)+" LIMIT ?", append(index.args, size)...)
}

// firstOfStatuses returns the next positions in the indexes of several statuses. One statement reads them all, because
// a session can change its status.
func (w *sessionWalk) firstOfStatuses(ctx context.Context, size int) ([]sessionKey, error) {
	var parts []string
	var args []any
	for _, status := range w.statuses() {
		index := w.indexOf(status, nil)
		index.and(w.testCondition())
		parts = append(parts, `SELECT id FROM (SELECT id`+index.from+index.sql.String()+
			index.by(w.order.descending)+` LIMIT ?) one`)
		args = append(append(args, index.args...), size)
	}
	order := sessionIndex{id: "id"}
	return w.keys(ctx, order, ` FROM (`+strings.Join(parts, ` UNION ALL `)+`) merged`+
		order.by(w.order.descending)+` LIMIT ?`, append(args, size)...)
}

// examineRest makes the walk examine the sessions that follow in the index, as many as may be examined.
func (w *sessionWalk) examineRest(ctx context.Context) error {
	statuses := w.statuses()
	most := max(1, w.store.maxExamined/len(statuses))
	if w.order.column == "updated_at" {
		most = (most + 1) / 2 // this index has no other column, and reading rows takes longer
	}
	var rest sessionSet
	for _, status := range statuses {
		index := w.indexOf(status, nil)
		ends, err := w.keys(ctx, index, index.from+index.sql.String()+index.by(w.order.descending)+
			" LIMIT 1 OFFSET ?", append(index.args, most-1)...)
		if err != nil {
			return err
		}
		if len(ends) > 0 && (rest.end == nil || w.order.compare(ends[0], *rest.end) < 0) {
			rest.end = &ends[0]
		}
	}
	var parts []string
	for _, status := range statuses {
		index := w.indexOf(status, rest.end)
		part := index.rows + index.sql.String()
		if len(statuses) == 1 {
			part += index.by(w.order.descending)
		}
		parts, rest.args = append(parts, part), append(rest.args, index.args...)
	}
	rest.from = parts[0]
	if len(parts) > 1 {
		columns := "SELECT " + w.filterColumns()
		rest.from = " FROM (" + columns + strings.Join(parts, " UNION ALL "+columns) + ") merged"
	}
	rest.ofChanges = w.order.column == "updated_at" && w.store.hasSessionChanges()
	w.set = &rest
	return nil
}
