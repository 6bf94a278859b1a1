package rules

import (
	"reflect"
	"testing"
	"time"
)

func TestSavedAnswerSave(t *testing.T) {
	t.Parallel()
	before, now := minute(1), minute(2)
	number := func(n float64) Answer { return Answer{Number: &n} }
	stored := SavedAnswer{Answer: number(1), Revision: 7, ClientID: "page", ClientRevision: 3, SavedAt: before}
	simple := SavedAnswer{Answer: number(1), Revision: 7, SavedAt: before}
	for name, row := range map[string]struct {
		stored  SavedAnswer
		change  AnswerChange
		outcome SaveOutcome
		changed bool
	}{
		"the first save": {
			SavedAnswer{}, AnswerChange{ClientID: "page", Answer: number(2), Revision: 1}, AnswerSaved, true},
		"the first save of a page that saw another one": {
			SavedAnswer{}, AnswerChange{ClientID: "page", Answer: number(2), Revision: 1, SeenRevision: 1}, AnswerOutdated,
			false},
		"a higher revision": {
			stored, AnswerChange{ClientID: "page", Answer: number(2), Revision: 4, SeenRevision: 7}, AnswerSaved, true},
		"a higher revision that was sent before the last response": {
			stored, AnswerChange{ClientID: "page", Answer: number(2), Revision: 9, SeenRevision: 2}, AnswerSaved, true},
		"the same request again": {
			stored, AnswerChange{ClientID: "page", Answer: number(1), Revision: 3, SeenRevision: 6}, AnswerSaved, false},
		"the same revision with another answer": {
			stored, AnswerChange{ClientID: "page", Answer: number(2), Revision: 3, SeenRevision: 7}, AnswerOutdated, false},
		"an earlier request that arrives late": {
			stored, AnswerChange{ClientID: "page", Answer: number(2), Revision: 2, SeenRevision: 7}, AnswerOutdated, false},
		"another page that has seen the answer": {
			stored, AnswerChange{ClientID: "other", Answer: number(2), Revision: 1, SeenRevision: 7}, AnswerSaved, true},
		"another page that has not": {
			stored, AnswerChange{ClientID: "other", Answer: number(2), Revision: 9, SeenRevision: 6}, AnswerOutdated, false},
		"another page that claims a later one": {
			stored, AnswerChange{ClientID: "other", Answer: number(2), Revision: 9, SeenRevision: 8}, AnswerOutdated, false},
		"after a save without a page, seen": {
			simple, AnswerChange{ClientID: "page", Answer: number(2), Revision: 1, SeenRevision: 7}, AnswerSaved, true},
		"after a save without a page, not seen": {
			simple, AnswerChange{ClientID: "page", Answer: number(2), Revision: 9, SeenRevision: 6}, AnswerOutdated, false},
		"a clear": {
			stored, AnswerChange{ClientID: "page", Revision: 4, SeenRevision: 7}, AnswerSaved, true},
	} {
		saved, outcome, changed := row.stored.Save(row.change, now)
		want := row.stored
		if row.changed {
			want = SavedAnswer{Answer: row.change.Answer, Revision: row.stored.Revision + 1, ClientID: row.change.ClientID,
				ClientRevision: row.change.Revision, SavedAt: now}
		}
		if outcome != row.outcome || changed != row.changed || !reflect.DeepEqual(saved, want) {
			t.Errorf("%s: %s, changed %t, %+v; want %s, changed %t, %+v",
				name, outcome, changed, saved, row.outcome, row.changed, want)
		}
	}
}

// Whatever the order in which the requests of one page arrive, and however often, the
// last one is stored.
func TestOnePageConverges(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 1000 {
		var stored SavedAnswer
		last := int64(1 + r.IntN(6))
		var order []int64
		for revision := range last {
			for range 1 + r.IntN(2) {
				order = append(order, revision+1)
			}
		}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, revision := range order {
			number := float64(revision)
			stored, _, _ = stored.Save(AnswerChange{ClientID: "page", Answer: Answer{Number: &number}, Revision: revision},
				minute(1).Add(time.Duration(revision)*time.Second))
		}
		if *stored.Answer.Number != float64(last) || stored.ClientRevision != last {
			t.Fatalf("after the revisions %v the answer is %v", order, *stored.Answer.Number)
		}
	}
}
