package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"assay/store/internal/db"
	"assay/store/rules"
)

// sessionWalk visits the sessions that a filter selects, in order. It has two forms:
//
// If one of the filters selects at most maxExamined sessions through an index, the
// walk reads these ids first and then visits only these sessions.
//
// Otherwise it follows an index that has the order: of the organization or the
// assessment and, in the order of the ids, of the status or of passed. It can begin with
// some ids as well: see beginWith.
//
// Every query has only conditions that its index serves, whatever the planner
// knows about the data. The walk applies all other filters to the rows.
type sessionWalk struct {
	conn
	scope Scope
	in    SessionFilter
	words []string // of in.Search
	order sessionOrder

	last     *sessionKey // the last session that was examined
	examined int
	most     int // sessions that may be examined
	ended    bool

	isThin   bool // the rows have only the columns of examinedColumns
	isNarrow bool
	ids      []string           // to be visited before the index, or instead of it if isNarrow
	below    string             // the index is followed from here on; "" for its beginning
	sorted   []CandidateSession // of a narrow walk in another order: those that remain
}

func (c conn) newSessionWalk(
	ctx context.Context, scope Scope, in SessionFilter, page SessionPage,
) (*sessionWalk, error) {
	walk := &sessionWalk{conn: c, scope: scope, in: in, words: wordsOf(in.Search), order: orderOf(page.Sort)}
	if in.Search != "" && len(walk.words) == 0 { // only punctuation, which no word contains
		walk.ended = true
		return walk, nil
	}
	var err error
	if page.After != "" {
		if walk.last, err = walk.order.parseCursor(page.After); err != nil {
			return nil, err
		}
	}
	walk.most = c.store.maxExamined
	if err = walk.narrow(ctx); err != nil {
		return nil, err
	}
	if !walk.isNarrow && walk.order.column != "" {
		walk.most = (walk.most + 1) / 2 // rows in random places of the table take twice as long
	}
	return walk, nil
}

func (w *sessionWalk) mayContinue() bool { return !w.ended && w.examined < w.most }

// next examines up to size sessions, and returns those that the filter selects.
func (w *sessionWalk) next(ctx context.Context, size int) ([]CandidateSession, error) {
	size = min(size, maxWalkBatch, w.most-w.examined)
	var rows []CandidateSession
	var err error
	switch {
	case len(w.ids) > 0, w.isNarrow && w.order.column == "":
		rows, err = w.nextOfIDs(ctx, size)
		w.ended = w.isNarrow && len(w.ids) == 0
	case w.isNarrow:
		rows = w.sorted[:min(size, len(w.sorted))]
		w.sorted = w.sorted[len(rows):]
		w.ended = len(w.sorted) == 0
	default:
		rows, err = w.nextOfIndex(ctx, size)
		w.ended = len(rows) < size
	}
	if err != nil {
		return nil, err
	}
	w.examined += len(rows)
	if len(rows) > 0 {
		last := w.order.key(&rows[len(rows)-1])
		w.last = &last
	}
	selected := rows[:0]
	for i := range rows {
		if w.in.selects(&rows[i], w.words) {
			selected = append(selected, rows[i])
		}
	}
	return selected, nil
}

// nextOfIDs loads the next sessions of those that are visited by their ids.
func (w *sessionWalk) nextOfIDs(ctx context.Context, size int) ([]CandidateSession, error) {
	chosen := w.ids[:min(size, len(w.ids))]
	w.ids = w.ids[len(chosen):]
	rows, err := w.sessionsOf(ctx, chosen)
	return w.sort(rows), err
}

// sessionsOf returns the sessions with the ids, in no order.
func (w *sessionWalk) sessionsOf(ctx context.Context, ids []string) ([]CandidateSession, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	return w.read(ctx, ` FROM candidate_sessions WHERE organization_id = ? AND id IN (SELECT value `+w.store.db.TextOf+
		` FROM `+w.store.db.JSONRows+`)`, w.scope.OrganizationID, string(encoded))
}

// read returns the sessions that a query selects, which begins with FROM.
func (w *sessionWalk) read(ctx context.Context, from string, args ...any) ([]CandidateSession, error) {
	if !w.isThin {
		return w.sessions(ctx, `SELECT `+sessionColumnList+from, args...)
	}
	names, targets := w.examinedColumns()
	return w.scanSessions(ctx, targets, `SELECT `+names+from, args...)
}

// examinedColumns returns the columns that the filters, the order, and the counts need, and
// their scan targets. A session has many others, and a walk examines thousands of sessions.
func (w *sessionWalk) examinedColumns() (names string, targets func(*CandidateSession) []any) {
	all := []struct {
		name   string
		need   bool
		target func(*CandidateSession) any
	}{
		{"id", true, func(cs *CandidateSession) any { return &cs.ID }},
		{"assessment_id", true, func(cs *CandidateSession) any { return &cs.AssessmentID }},
		{"status", true, func(cs *CandidateSession) any { return &cs.Status }},
		{"test", true, func(cs *CandidateSession) any { return &cs.Test }},
		{"candidate_name", len(w.words) > 0, func(cs *CandidateSession) any { return &cs.CandidateName }},
		{"candidate_email", len(w.words) > 0 || w.in.CandidateEmail != "",
			func(cs *CandidateSession) any { return &cs.CandidateEmail }},
		{"external_id", len(w.words) > 0 || w.in.ExternalID != "",
			func(cs *CandidateSession) any { return &cs.ExternalID }},
		{"score", w.in.hasScores() || w.order.column == "score", func(cs *CandidateSession) any { return &cs.Score }},
		{"passed", w.in.Passed != nil, func(cs *CandidateSession) any { return &cs.Passed }},
		{"created_at", !w.in.Created.isOpen(), func(cs *CandidateSession) any { return &cs.CreatedAt }},
		{"completed_at", !w.in.Completed.isOpen() || w.order.column == "completed_at",
			func(cs *CandidateSession) any { return &cs.CompletedAt }},
		{"updated_at", w.in.UpdatedSince != nil || w.order.column == "updated_at",
			func(cs *CandidateSession) any { return &cs.UpdatedAt }},
	}
	var needed []string
	var of []func(*CandidateSession) any
	for _, column := range all {
		if column.need {
			needed, of = append(needed, column.name), append(of, column.target)
		}
	}
	return strings.Join(needed, ", "), func(cs *CandidateSession) []any {
		values := make([]any, len(of))
		for i, target := range of {
			values[i] = target(cs)
		}
		return values
	}
}

// complete reads the other columns of the sessions that have only been examined. One that has
// changed meanwhile, so that the filter does not select it, is left out.
func (w *sessionWalk) complete(ctx context.Context, sessions []CandidateSession) ([]CandidateSession, error) {
	var ids []string
	for i := range sessions {
		if isThin(sessions[i]) {
			ids = append(ids, sessions[i].ID)
		}
	}
	w.isThin = false
	rows, err := w.sessionsOf(ctx, ids)
	if err != nil || len(ids) == 0 {
		return sessions, err
	}
	complete := make(map[string]CandidateSession, len(rows))
	for i := range rows {
		if w.in.selects(&rows[i], w.words) {
			complete[rows[i].ID] = rows[i]
		}
	}
	for i := range sessions {
		if isThin(sessions[i]) {
			sessions[i] = complete[sessions[i].ID]
		}
	}
	return slices.DeleteFunc(sessions, isThin), nil
}

func isThin(session CandidateSession) bool { return session.OrganizationID == "" }

// sort returns the sessions in the order of the walk. It sorts only their keys, because a session is large.
func (w *sessionWalk) sort(sessions []CandidateSession) []CandidateSession {
	type position struct {
		sessionKey
		at int
	}
	positions := make([]position, len(sessions))
	for i := range sessions {
		positions[i] = position{w.order.key(&sessions[i]), i}
	}
	slices.SortFunc(positions, func(a, b position) int { return w.order.compare(a.sessionKey, b.sessionKey) })
	sorted := make([]CandidateSession, len(sessions))
	for i := range positions {
		sorted[i] = sessions[positions[i].at]
	}
	return sorted
}

// nextOfIndex returns the next sessions in an index. With several statuses it reads
// each of them in its own index and merges them.
func (w *sessionWalk) nextOfIndex(ctx context.Context, size int) ([]CandidateSession, error) {
	statuses := w.in.Statuses
	if len(statuses) == 0 || w.in.Passed != nil || w.order.column != "" {
		statuses = []rules.SessionStatus{""}
	}
	var merged []CandidateSession
	for _, status := range statuses {
		query, args := w.query(status, size)
		rows, err := w.read(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		merged = append(merged, rows...)
	}
	if len(statuses) > 1 {
		merged = w.sort(merged)
	}
	return merged[:min(size, len(merged))], nil
}

// query returns what selects the next sessions, in the order of the walk.
func (w *sessionWalk) query(status rules.SessionStatus, size int) (from string, args []any) {
	if w.order.column == "updated_at" && w.store.db.HasSessionChanges {
		return w.queryChanges(size)
	}
	where := filterOf(w.scope, Page{})
	if w.in.AssessmentID != "" && w.order.column != "updated_at" { // no index has both
		where.and("assessment_id = ?", w.in.AssessmentID)
	}
	where.and(w.testCondition())
	column := w.order.column
	direction, beyond := w.direction()
	if column == "" {
		switch {
		case w.in.Passed != nil:
			where.and("passed = ?", *w.in.Passed)
		case status != "":
			where.and("status = ?", status)
		}
		w.boundIDs(where)
		if w.last != nil {
			where.and("id"+beyond+"?", w.last.id)
		}
		where.sql.WriteString(" ORDER BY id" + direction)
	} else {
		where.and(column + " IS NOT NULL")
		w.boundColumn(where)
		if w.last != nil {
			where.and("("+column+", id)"+beyond+"(?, ?)", w.last.value, w.last.id)
		}
		where.sql.WriteString(" ORDER BY " + column + direction + ", id" + direction)
	}
	where.sql.WriteString(" LIMIT ?")
	return " FROM candidate_sessions" + where.sql.String(), append(where.args, size)
}

// queryChanges is query in the order of the last changes, where they have a table of their own.
// OFFSET 0 makes PostgreSQL read it in this order, and find each session by its id.
func (w *sessionWalk) queryChanges(size int) (from string, args []any) {
	where := w.changes()
	if w.in.UpdatedSince != nil {
		where.and("changed_at >= ?", overlapping(*w.in.UpdatedSince))
	}
	direction, beyond := w.direction()
	if w.last != nil {
		where.and("(changed_at, session_id)"+beyond+"(?, ?)", w.last.value, w.last.id)
	}
	return ` FROM candidate_session_changes CROSS JOIN LATERAL (SELECT * FROM candidate_sessions
		WHERE id = session_id AND updated_at = changed_at AND ` + w.testCondition() + ` OFFSET 0) AS candidate_sessions` +
			where.sql.String() + " ORDER BY changed_at" + direction + ", session_id" + direction + " LIMIT ?",
		append(where.args, size)
}

// changes selects the organization's rows of candidate_session_changes.
func (w *sessionWalk) changes() *filter {
	where := &filter{args: []any{w.scope.OrganizationID}}
	where.sql.WriteString(" WHERE organization = ?")
	return where
}

func (w *sessionWalk) testCondition() string {
	if w.in.Test {
		return "test"
	}
	return "NOT test"
}

// direction returns the order of the walk, and what comes after a value in it.
func (w *sessionWalk) direction() (direction, beyond string) {
	if w.order.descending {
		return " DESC", " < "
	}
	return " ASC", " > "
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

// boundColumn narrows a query in the order of a value to the range of that value.
func (w *sessionWalk) boundColumn(where *filter) {
	switch w.order.column {
	case "score":
		where.scores(w.in)
	case "completed_at":
		where.completed(w.in.Completed)
	case "updated_at":
		if w.in.UpdatedSince != nil {
			where.updatedSince(*w.in.UpdatedSince)
		}
	}
}

func (f *filter) scores(in SessionFilter) {
	if in.MinScore != nil {
		f.and("score >= ?", *in.MinScore)
	}
	if in.MaxScore != nil {
		f.and("score <= ?", *in.MaxScore)
	}
}

func (f *filter) completed(span TimeSpan) {
	if span.Since != nil {
		f.and("completed_at >= ?", span.Since.UTC())
	}
	if span.Until != nil {
		f.and("completed_at < ?", span.Until.UTC())
	}
}
