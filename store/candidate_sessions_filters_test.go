package store_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/store"
	"assay/store/rules"
)

// draws sets each condition of a filter. TestSessionFilters names a condition that is missing here.
var draws = map[string]func(x *searched, f *store.SessionFilter){
	"AssessmentID": func(x *searched, f *store.SessionFilter) { f.AssessmentID = of(x.random, x.assessments) },
	"Statuses": func(x *searched, f *store.SessionFilter) {
		f.Statuses = []rules.SessionStatus{of(x.random, rules.SessionStatuses())}
		if x.random.IntN(2) == 0 {
			f.Statuses = []rules.SessionStatus{rules.SessionCompleted, rules.SessionInvited, rules.SessionCancelled}
		}
	},
	"CandidateEmail": func(x *searched, f *store.SessionFilter) {
		f.CandidateEmail = strings.ToUpper(of(x.random, x.sessions).CandidateEmail)
	},
	"ExternalID": func(x *searched, f *store.SessionFilter) { f.ExternalID = *of(x.random, x.sessions).ExternalID },
	"Search": func(x *searched, f *store.SessionFilter) {
		f.Search = of(x.random,
			[]string{"ada", "LOVE", "gra hop", "jose", "angs", "king", "app 1", "mail2", "person1", "zz", "-"})
	},
	"MinScore": func(x *searched, f *store.SessionFilter) { f.MinScore = new(float64(x.random.IntN(6)) * 20) },
	"MaxScore": func(x *searched, f *store.SessionFilter) { f.MaxScore = new(float64(x.random.IntN(6)) * 20) },
	"Passed":   func(x *searched, f *store.SessionFilter) { f.Passed = new(x.random.IntN(2) == 0) },
	"Created": func(x *searched, f *store.SessionFilter) {
		f.Created = store.TimeSpan{Since: x.time(), Until: x.time()}
	},
	"Completed": func(x *searched, f *store.SessionFilter) {
		f.Completed = store.TimeSpan{Since: x.time(), Until: x.time()}
	},
	"UpdatedSince": func(x *searched, f *store.SessionFilter) { f.UpdatedSince = x.time() },
	"States": func(x *searched, f *store.SessionFilter) {
		f.States = slices.Concat([]string{"hired", "new"}[x.random.IntN(2):], searchedStates[x.random.IntN(2):])
	},
	"Tags": func(x *searched, f *store.SessionFilter) {
		f.Tags = []string{store.TagKey(of(x.random, searchedTags)), "unknown"}
	},
	"MinRating": func(x *searched, f *store.SessionFilter) { f.MinRating = new(float64(1 + x.random.IntN(5))) },
	"Test":      func(_ *searched, f *store.SessionFilter) { f.Test = true },
}

// filter draws a filter with few conditions.
func (x *searched) filter() store.SessionFilter {
	var f store.SessionFilter
	names := slices.Sorted(maps.Keys(draws))
	for range x.random.IntN(4) {
		draws[of(x.random, names)](x, &f)
	}
	return f
}

// Each field of a filter has one row, and is drawn by the tests below.
func TestSessionFilters(t *testing.T) {
	t.Parallel()
	x := newSearched(t, "sqlite")
	fields := reflect.TypeFor[store.SessionFilter]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		rows := store.SessionFilterRows(name)
		if rows != 1 {
			t.Errorf("the field %s has %d rows in sessionFilters", name, rows)
		}
		if !fields.Field(i).IsExported() {
			continue // a caller cannot set it; the scope does, see limit
		}
		draw := draws[name]
		if draw == nil {
			t.Errorf("no test draws the field %s", name)
			continue
		}
		var f store.SessionFilter
		if set := store.SetSessionFilters(&f); len(set) > 0 {
			t.Errorf("a zero filter has the conditions %q", set)
		}
		draw(x, &f)
		if set := store.SetSessionFilters(&f); len(set) != 1 || !slices.Contains(set[0], name) {
			t.Errorf("with %s, the filter has the conditions %q", name, set)
		}
	}
}
