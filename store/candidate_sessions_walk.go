package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// sessionWalk visits the sessions that a filter selects, in order, in one of two ways:
//
// If one of the filters selects at most maxExamined sessions, the walk examines only
// these: see narrow.
//
// Otherwise it follows an index that has the order. It reads the first sessions
// themselves, because most lists end there, and examines the next ones in the index.
type sessionWalk struct {
	conn
	scope Scope
	in    SessionFilter
	order sessionOrder

	words     []string // of in.Search
	wordsMet  bool     // by all sessions that are examined
	unwritten []string // sessions with the words, although these have not been written
	readWords bool     // some sessions must be read to know whether they have the words

	last  *sessionKey // everything up to here was examined
	ended bool        // no session is left
	full  bool        // as many sessions were examined as is permitted

	isNarrow bool
	begun    bool        // the first sessions were read, or need not be
	ids      []string    // of a narrow walk that begins with reading sessions
	set      *sessionSet // to be examined next
}

// sessionSet is a query for a bounded number of sessions.
type sessionSet struct {
	from string // FROM and all that follows
	args []any
	end  *sessionKey // where a walk that may examine no more ends; nil if the set has all others

	ofChanges bool // it follows candidate_session_changes
}

func (c conn) newSessionWalk(
	ctx context.Context, scope Scope, in SessionFilter, page SessionPage,
) (*sessionWalk, error) {
	in, none := in.seenBy(scope)
	walk := &sessionWalk{conn: c, scope: scope, in: in, words: wordsOf(in.Search), order: orderOf(page.Sort)}
	if none {
		walk.ended = true
		return walk, nil
	}
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
	return walk, walk.narrow(ctx)
}

func (w *sessionWalk) mayContinue() bool { return !w.ended && !w.full }

// next returns up to size of the sessions that the filter selects, and their positions. There
// can be fewer, or none, although the walk may continue.
func (w *sessionWalk) next(ctx context.Context, size int) (keys []sessionKey, found []CandidateSession, err error) {
	if w.set == nil && !w.begun {
		w.begun = true
		return w.first(ctx, size)
	}
	if w.set == nil {
		if err := w.examineRest(ctx); err != nil {
			return nil, nil, err
		}
	}
	if keys, err = w.selected(ctx, size); err != nil {
		return nil, nil, err
	}
	switch {
	case len(keys) == size:
		w.last = &keys[size-1]
	case w.set.end != nil:
		w.last, w.full = w.set.end, true
	default:
		w.ended = true
	}
	return w.load(ctx, keys)
}

// first reads the first sessions of ids or of the index, including sessions that the filter does not select.
func (w *sessionWalk) first(ctx context.Context, size int) (keys []sessionKey, found []CandidateSession, err error) {
	switch {
	case w.isNarrow:
		chosen := w.ids[:min(size, len(w.ids))]
		if rest := w.ids[len(chosen):]; len(rest) > 0 {
			w.set = w.setOf(rest)
		}
		w.ended = w.set == nil
		found, err = w.sessionsOf(ctx, chosen)
		w.sort(found)
	case len(w.statuses()) > 1:
		if keys, err = w.firstOfStatuses(ctx, size); err != nil {
			return nil, nil, err
		}
		if w.ended = len(keys) < size; !w.ended {
			w.last = &keys[size-1]
		}
		return w.load(ctx, keys)
	default:
		found, err = w.firstOfIndex(ctx, size)
		w.ended = len(found) < size
	}
	if err != nil {
		return nil, nil, err
	}
	if len(found) > 0 {
		last := w.order.key(&found[len(found)-1])
		w.last = &last
	}
	found = slices.DeleteFunc(found, func(session CandidateSession) bool { return !w.in.selects(&session, w.words) })
	for i := range found {
		keys = append(keys, w.order.key(&found[i]))
	}
	return keys, found, nil
}

// setOf is the set of the sessions with the ids.
func (w *sessionWalk) setOf(ids []string) *sessionSet {
	encoded, _ := json.Marshal(ids) // text
	return &sessionSet{
		from: ` FROM ` + w.store.db.RowsByID("candidate_sessions", "sessions_by_id"),
		args: []any{string(encoded), w.scope.OrganizationID},
	}
}

// sessionsOf returns the sessions with the ids, in no order.
func (w *sessionWalk) sessionsOf(ctx context.Context, ids []string) ([]CandidateSession, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	set := w.setOf(ids)
	return w.sessions(ctx, `SELECT `+sessionColumnList+set.from, set.args...)
}

// load reads the sessions at the positions. One that has changed meanwhile, so that the
// filter does not select it, is left out, as is one whose words do not match.
func (w *sessionWalk) load(ctx context.Context, keys []sessionKey) ([]sessionKey, []CandidateSession, error) {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = key.id
	}
	rows, err := w.sessionsOf(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	at := make(map[string]int, len(rows))
	for i := range rows {
		if w.in.selects(&rows[i], w.words) {
			at[rows[i].ID] = i
		}
	}
	var found []CandidateSession
	var positions []sessionKey
	for _, key := range keys {
		if i, selected := at[key.id]; selected {
			found, positions = append(found, rows[i]), append(positions, key)
		}
	}
	return positions, found, nil
}

// sort sorts sessions in the order of the walk.
func (w *sessionWalk) sort(sessions []CandidateSession) {
	slices.SortFunc(sessions, func(a, b CandidateSession) int { return w.order.compare(w.order.key(&a), w.order.key(&b)) })
}

// selected returns the positions of up to size sessions of the set that the filter selects, after the last one that
// was examined.
func (w *sessionWalk) selected(ctx context.Context, size int) ([]sessionKey, error) {
	order := sessionIndex{filter: w.conditions(), column: w.order.column, id: "id"}
	if order.column != "" {
		order.and(order.column + " IS NOT NULL")
	}
	if w.last != nil {
		order.beyond(w.after(), *w.last)
	}
	order.sql.WriteString(order.by(w.order.descending) + " LIMIT ?")
	return w.keys(ctx, order, w.examined()+order.sql.String(), slices.Concat(w.set.args, order.args, []any{size})...)
}

// examined is the FROM of the set, which is planned by itself, with the columns that the conditions need.
func (w *sessionWalk) examined() string {
	columns := w.filterColumns()
	if w.set.ofChanges { // so that PostgreSQL knows the order of the set
		columns = strings.Replace(columns, "id, ", "session_id AS id, ", 1)
		columns = strings.Replace(columns, "updated_at", "changed_at AS updated_at", 1)
	}
	return ` FROM (SELECT ` + columns + w.set.from + w.store.db.PlannedAlone + `) x`
}
