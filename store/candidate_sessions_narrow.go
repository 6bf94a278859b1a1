package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// narrow makes the walk a narrow one, if a filter selects at most maxExamined sessions.
func (w *sessionWalk) narrow(ctx context.Context) error {
	for _, row := range w.in.set() {
		if row.narrow == nil {
			continue
		}
		if done, err := row.narrow(ctx, w); done || err != nil {
			return err
		}
	}
	w.begun = w.in.Test // so that no query looks for test sessions among all others
	return nil
}

// narrowTo makes the walk examine the sessions with the ids.
func (w *sessionWalk) narrowTo(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return w.order.compare(sessionKey{id: a}, sessionKey{id: b}) })
	if w.last != nil && w.order.column == "" {
		ids = slices.DeleteFunc(ids, func(id string) bool { return w.order.compare(sessionKey{id: id}, *w.last) <= 0 })
	}
	w.isNarrow, w.ids, w.ended = true, ids, len(ids) == 0
	if w.order.column != "" && !w.ended {
		w.begun, w.set = true, w.setOf(ids)
	}
}

// narrowIndex is an index with a condition that can select few sessions.
func (w *sessionWalk) narrowIndex(name, column, condition string, values ...any) sessionIndex {
	where := filterOf(w.scope, Page{})
	where.and(condition, values...)
	return w.index(name, column, where)
}

// narrowToIndex makes the walk examine what an index selects, if these are few sessions.
func (w *sessionWalk) narrowToIndex(ctx context.Context, index sessionIndex) (bool, error) {
	var beyond []string
	if err := w.List(ctx, &beyond, `SELECT `+index.id+index.from+index.sql.String()+index.by(true)+" LIMIT 1 OFFSET ?",
		append(slices.Clone(index.args), w.store.maxExamined)...); err != nil || len(beyond) > 0 {
		return false, err
	}
	w.isNarrow, w.begun = true, true
	// There can be a few more sessions than before. The limit makes PostgreSQL follow the index.
	w.set = &sessionSet{
		from: index.rows + index.sql.String() + index.by(true) + " LIMIT ?",
		args: append(index.args, 2*w.store.maxExamined),
	}
	return true, nil
}

// fewChanges narrows a walk to the sessions that have changed lately. The index of the order serves a list that is
// sorted by this time.
func (w *sessionWalk) fewChanges(ctx context.Context) ([]string, bool, error) {
	if w.order.column == "updated_at" {
		return nil, false, nil
	}
	changes := w.indexOfChanges()
	changes.and(changes.column+" >= ?", overlapping(*w.in.UpdatedSince))
	return w.idsOf(ctx, changes.id, changes.from+changes.sql.String()+" ORDER BY "+changes.column, changes.args)
}

func (w *sessionWalk) ofAssessment(index sessionIndex) *filter {
	if w.in.AssessmentID != "" {
		index.and("assessment_id = ?", w.in.AssessmentID)
	}
	return index.filter
}

// haveWords adds the condition that sessions have the words of the search, or can have them.
func (w *sessionWalk) haveWords(f *filter) {
	if w.wordsMet || w.in.Test { // the words of test sessions are not written
		return
	}
	var have []string
	var values []any
	for _, word := range w.words {
		// Not EXISTS, which PostgreSQL can make a join with all words.
		have = append(have, `(SELECT w.session_id FROM candidate_session_words w WHERE w.session_id = x.id
			AND w.word >= ? AND w.word < ? LIMIT 1) IS NOT NULL`)
		values = append(values, word, word+lastRune)
	}
	condition := strings.Join(have, " AND ")
	switch {
	case w.readWords:
		condition = `(id > (SELECT session_id FROM candidate_session_words_position) OR ` + condition + `)`
	case len(w.unwritten) > 0:
		encoded, _ := json.Marshal(w.unwritten) // text
		condition = `(id IN (SELECT value ` + w.store.db.TextOf + ` FROM ` + w.store.db.JSONRows + `) OR ` + condition + `)`
		values = append([]any{string(encoded)}, values...)
	}
	f.and(condition, values...)
}

// fewWords returns the ids of the sessions with one of the words of the search, or
// with several of them, unless there are too many.
func (w *sessionWalk) fewWords(ctx context.Context) (ids []string, found bool, err error) {
	w.readWords = w.in.Test
	if w.in.Test {
		return nil, false, nil
	}
	var complete bool
	if w.unwritten, complete, err = w.withoutWords(ctx); err != nil || !complete {
		w.readWords = true
		return nil, false, err
	}
	met := 0
	for _, word := range w.words {
		matches, few, err := w.idsOf(ctx, "session_id", ` FROM candidate_session_words
			WHERE organization_id = ? AND word >= ? AND word < ? ORDER BY word`,
			[]any{w.scope.OrganizationID, word, word + lastRune})
		if err != nil {
			return nil, false, err
		}
		if !few {
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
		met++
	}
	if found {
		w.wordsMet = met == len(w.words)
		ids = append(ids, w.unwritten...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids, found, nil
}

// fewInStates returns the ids of the sessions in the states of the filter, unless there are too many. Sessions in the
// initial state can have no review.
func (w *sessionWalk) fewInStates(ctx context.Context) (ids []string, few bool, err error) {
	if slices.Contains(w.in.States, initialState) {
		return nil, false, nil
	}
	for _, state := range w.in.States {
		found, few, err := w.idsOf(ctx, "session_id", ` FROM reviews`+w.store.db.IndexedBy("reviews_state")+`
			WHERE organization_id = ? AND state_id = ? ORDER BY session_id`, []any{w.scope.OrganizationID, state})
		if err != nil || !few {
			return nil, false, err
		}
		ids = append(ids, found...)
	}
	return ids, len(ids) <= w.store.maxExamined, nil
}

// fewInAssessments returns the ids of the sessions that a limited caller sees, unless there are too many.
func (w *sessionWalk) fewInAssessments(ctx context.Context) (ids []string, few bool, err error) {
	if w.in.Test {
		return nil, false, nil
	}
	for _, assessment := range w.in.among {
		where := filterOf(w.scope, Page{})
		where.and("assessment_id = ?", assessment)
		index := w.index("sessions_by_assessment", "", where)
		found, few, err := w.idsOf(ctx, index.id, index.from+index.sql.String()+index.by(true), index.args)
		if ids = append(ids, found...); err != nil || !few || len(ids) > w.store.maxExamined {
			return nil, false, err
		}
	}
	return ids, true, nil
}

// fewWithTags returns the ids of the sessions with one of the tags of the filter, unless there are too many.
func (w *sessionWalk) fewWithTags(ctx context.Context) (ids []string, few bool, err error) {
	for _, key := range w.in.Tags {
		found, few, err := w.idsOf(ctx, "session_id", ` FROM review_session_tags`+
			w.store.db.IndexedBy("review_session_tags_tag")+`
			WHERE organization_id = ? AND tag_key = ? ORDER BY session_id`, []any{w.scope.OrganizationID, key})
		if err != nil || !few {
			return nil, false, err
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids) // a session can have several of the tags
	return ids, len(ids) <= w.store.maxExamined, nil
}

// idsOf returns the ids that a query selects, which begins with FROM, unless there are too many.
func (w *sessionWalk) idsOf(ctx context.Context, column, from string, args []any) (ids []string, few bool, err error) {
	// One row, because both drivers need longer for thousands of rows.
	var joined string
	err = w.Get(ctx, &joined, `SELECT COALESCE(string_agg(`+column+`, ' '), '') FROM (
		SELECT `+column+from+` LIMIT ?) x`, append(args, w.store.maxExamined+1)...)
	ids = strings.Fields(joined)
	return ids, len(ids) <= w.store.maxExamined, err
}

// withoutWords returns the ids of the matching sessions whose words have not been written
// yet: see UnscopedIndexWords. complete is false when there are too many to look at.
func (w *sessionWalk) withoutWords(ctx context.Context) (ids []string, complete bool, err error) {
	var rows []CandidateSession
	err = w.List(ctx, &rows, `SELECT id, candidate_name, candidate_email, external_id FROM candidate_sessions`+
		w.store.db.IndexedBy("sessions_by_id")+`
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
