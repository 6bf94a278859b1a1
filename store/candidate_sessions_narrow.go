package store

import (
	"context"
	"slices"
	"strings"

	"assay/store/internal/db"
)

// narrow makes the walk a narrow one, if a filter selects at most maxExamined
// sessions.
func (w *sessionWalk) narrow(ctx context.Context) error {
	ids, found, err := w.fewWords(ctx)
	for _, where := range w.narrowing() {
		if found || err != nil {
			break
		}
		if ids, found, err = w.few(ctx, where); err == nil && !found && where.column == "completed_at" {
			err = w.beginWith(ctx, ids)
		}
	}
	if err != nil || !found {
		return err
	}
	w.isNarrow = true
	if w.order.column != "" {
		return w.loadSorted(ctx, ids)
	}
	w.visit(ids)
	return nil
}

// visit makes the walk visit sessions by their ids, after the last one that was examined.
func (w *sessionWalk) visit(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return w.order.compare(sessionKey{id: a}, sessionKey{id: b}) })
	w.ids = ids
	if w.last != nil {
		w.ids = slices.DeleteFunc(ids, func(id string) bool { return w.order.compare(sessionKey{id: id}, *w.last) <= 0 })
	}
}

// beginWith shortens a walk with too many completions to be narrow. The ids are those of the last completions. A
// session is created before it is completed: of the sessions that were created after the earliest of these
// completions, only these can be selected, however long ago the others were completed.
func (w *sessionWalk) beginWith(ctx context.Context, ids []string) error {
	if !w.order.descending || w.order.column != "" {
		return nil
	}
	var earliest []Time
	err := w.List(ctx, &earliest, `SELECT completed_at FROM candidate_sessions WHERE organization_id = ? AND id = ?`,
		w.scope.OrganizationID, ids[len(ids)-1])
	if err != nil || len(earliest) == 0 {
		return err
	}
	w.below = keptSessions.boundary(earliest[0].Add(db.MaxWriteTime))
	w.visit(slices.DeleteFunc(ids, func(id string) bool { return id < w.below }))
	return nil
}

// narrowing is a condition that can select few sessions, and the column of its index.
type narrowing struct {
	*filter
	ids    string // SELECT of the ids
	column string
}

// narrowing returns the conditions that can select few sessions. The range of the
// value that a list is sorted by is no such condition, because the index of the order
// serves it.
func (w *sessionWalk) narrowing() []narrowing {
	var all []narrowing
	narrow := func(column, condition string, values ...any) *filter {
		where := filterOf(w.scope, Page{})
		where.and(condition, values...)
		all = append(all, narrowing{where, `SELECT id FROM candidate_sessions`, column})
		return where
	}
	if w.in.CandidateEmail != "" {
		narrow("candidate_email_key", "candidate_email_key = ?", emailKey(w.in.CandidateEmail))
	}
	if w.in.ExternalID != "" {
		narrow("external_id", "external_id = ?", w.in.ExternalID)
	}
	if w.in.Test {
		narrow("id", "test")
	}
	if since := w.in.UpdatedSince; since != nil && w.order.column != "updated_at" {
		if w.store.db.HasSessionChanges {
			where := w.changes()
			where.and("changed_at >= ?", overlapping(*since))
			all = append(all, narrowing{where, `SELECT session_id FROM candidate_session_changes`, "changed_at"})
		} else {
			narrow("updated_at", "updated_at >= ?", overlapping(*since))
		}
	}
	if w.in.hasScores() && w.order.column != "score" {
		w.ofAssessment(narrow("score", "score IS NOT NULL")).scores(w.in)
	}
	if !w.in.Completed.isOpen() && w.order.column != "completed_at" {
		w.ofAssessment(narrow("completed_at", "completed_at IS NOT NULL")).completed(w.in.Completed)
	}
	return all
}

func (w *sessionWalk) ofAssessment(where *filter) *filter {
	if w.in.AssessmentID != "" {
		where.and("assessment_id = ?", w.in.AssessmentID)
	}
	return where
}

// few returns the ids that a condition selects, unless there are too many. The order
// is that of the index, so that no planner chooses a scan of the table.
func (w *sessionWalk) few(ctx context.Context, where narrowing) (ids []string, found bool, err error) {
	err = w.List(ctx, &ids, where.ids+where.sql.String()+
		` ORDER BY `+where.column+` DESC LIMIT ?`, append(where.args, w.store.maxExamined+1)...)
	return ids, len(ids) <= w.store.maxExamined, err
}

// loadSorted prepares a narrow walk in the order of a value.
func (w *sessionWalk) loadSorted(ctx context.Context, ids []string) error {
	w.isThin = true
	for len(ids) > 0 {
		chosen := ids[:min(len(ids), maxWalkBatch)]
		ids = ids[len(chosen):]
		rows, err := w.sessionsOf(ctx, chosen)
		if err != nil {
			return err
		}
		for i := range rows {
			row := &rows[i]
			if w.in.selects(row, w.words) && w.order.value(row) != nil &&
				(w.last == nil || w.order.compare(w.order.key(row), *w.last) > 0) {
				w.sorted = append(w.sorted, *row)
			}
		}
	}
	w.sorted = w.sort(w.sorted)
	return nil
}

// fewWords returns the ids of the sessions with one of the words of the search, or
// with several of them, unless there are too many.
func (w *sessionWalk) fewWords(ctx context.Context) (ids []string, found bool, err error) {
	if len(w.words) == 0 || w.in.Test { // test sessions have no words
		return nil, false, nil
	}
	recent, complete, err := w.unindexed(ctx)
	if err != nil || !complete {
		return nil, false, err
	}
	for _, word := range w.words {
		var matches []string
		if err := w.List(ctx, &matches, `SELECT session_id FROM candidate_session_words
			WHERE organization_id = ? AND word >= ? AND word < ? ORDER BY word LIMIT ?`,
			w.scope.OrganizationID, word, word+lastRune, w.store.maxExamined+1); err != nil {
			return nil, false, err
		}
		if len(matches) > w.store.maxExamined {
			continue
		}
		slices.Sort(matches)
		matches = slices.Compact(matches) // a session can have several words with the prefix
		if found {
			matches = slices.DeleteFunc(matches, func(id string) bool {
				_, both := slices.BinarySearch(ids, id)
				return !both
			})
		}
		ids, found = matches, true
	}
	if found {
		ids = append(ids, recent...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids, found, nil
}

// unindexed returns the ids of the matching sessions whose words have not been written
// yet: see UnscopedIndexWords. complete is false when there are too many to look at.
func (w *sessionWalk) unindexed(ctx context.Context) (ids []string, complete bool, err error) {
	var rows []CandidateSession
	err = w.List(ctx, &rows, `SELECT id, candidate_name, candidate_email, external_id FROM candidate_sessions
		WHERE organization_id = ? AND id > (SELECT session_id FROM candidate_session_words_position)
		ORDER BY id DESC LIMIT ?`, w.scope.OrganizationID, w.store.maxExamined+1)
	for i := range rows {
		if matchesWords(&rows[i], w.words) {
			ids = append(ids, rows[i].ID)
		}
	}
	return ids, len(rows) <= w.store.maxExamined, err
}

// lastRune sorts after every other character: as a suffix, it ends the range of a prefix.
const lastRune = "\U0010FFFF"

// matchesWords reports whether each word is a prefix of a word of the session.
func matchesWords(session *CandidateSession, words []string) bool {
	of := wordsOfSession(session)
	return !slices.ContainsFunc(words, func(prefix string) bool {
		return !slices.ContainsFunc(of, func(word string) bool { return strings.HasPrefix(word, prefix) })
	})
}
