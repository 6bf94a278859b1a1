package store_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/store"
	"assay/store/rules"
)

// compare finishes all work, and compares each document with one that is computed from the results.
func (x *segmentTest) compare() {
	for {
		folded, err := x.store.UnscopedFoldStatistics(x.t.Context())
		x.must(err)
		if folded == 0 {
			break
		}
	}
	for more := true; more; {
		more = x.backfill()
	}
	whole, err := x.store.RetrieveAssessmentStatistics(x.t.Context(), x.scope, x.assessment.ID, nil)
	x.must(err)
	x.same("", whole, func(countedSession) bool { return true })
	segments, err := x.store.ListSegments(x.t.Context(), x.scope, x.assessment.ID)
	x.must(err)
	for _, segment := range segments {
		part, err := x.store.RetrieveAssessmentStatistics(x.t.Context(), x.scope, x.assessment.ID, &segment.ID)
		x.must(err)
		x.same(segment.ID, part, func(s countedSession) bool { return matchesFilter(segment.Filter, s) })
	}
}

// matchesFilter is a second implementation of filters.
func matchesFilter(f store.SegmentFilter, s countedSession) bool {
	var result struct {
		CompletedAt string            `json:"completedAt"`
		Metadata    map[string]string `json:"metadata"`
	}
	if json.Unmarshal([]byte(*s.Result), &result) != nil {
		return false
	}
	language := ""
	if s.Language != nil {
		language = strings.ToLower(*s.Language)
	}
	return (f.CompletedSince == nil || store.WireTime(*f.CompletedSince) <= result.CompletedAt) &&
		(f.CompletedUntil == nil || store.WireTime(*f.CompletedUntil) > result.CompletedAt) &&
		(f.Metadata == nil || f.Metadata["source"] == result.Metadata["source"]) &&
		(f.Language == nil || strings.ToLower(*f.Language) == language) && (f.Attempt == nil || *f.Attempt == s.Attempt)
}

func (x *segmentTest) same(id string, got store.AssessmentStatistics, selected func(countedSession) bool) {
	x.t.Helper()
	var want rules.Statistics
	want.Version = rules.StatisticsVersion
	want.Fit(x.assessment.Definition)
	counts, scores := store.SessionCounts{}, map[float64]int64{}
	for _, row := range x.sessions() {
		if erased, is := x.erased[row.ID]; is && erased.in[id] && row.Result != nil {
			row = erased.counted
		}
		if row.Result == nil || !selected(row) {
			continue
		}
		var result struct {
			rules.Finished
			Score float64 `json:"score"`
		}
		x.must(json.Unmarshal([]byte(*row.Result), &result))
		if row.Seconds != nil {
			x.must(json.Unmarshal([]byte(*row.Seconds), &result.Seconds))
		}
		want.Add(x.assessment.Definition, result.Finished)
		counts[result.Status]++
		if result.Status == rules.SessionCompleted {
			scores[result.Score]++
		}
	}
	if !got.Complete {
		x.t.Errorf("%q is incomplete", id)
	}
	for _, status := range []rules.SessionStatus{rules.SessionCompleted, rules.SessionDisqualified} {
		if got.Counts[status] != counts[status] {
			x.t.Errorf("%q has %d %s sessions, want %d", id, got.Counts[status], status, counts[status])
		}
	}
	if got.Scores.Count != counts[rules.SessionCompleted] {
		x.t.Errorf("%q has %d scores, want %d", id, got.Scores.Count, counts[rules.SessionCompleted])
	}
	var sorted []rules.ScoreCount
	for score, n := range scores {
		sorted = append(sorted, rules.ScoreCount{Score: score, Count: n})
	}
	slices.SortFunc(sorted, func(a, b rules.ScoreCount) int { return cmp.Compare(a.Score, b.Score) })
	if bins := rules.NewDistribution(sorted).Bins; bins != got.Scores.Bins {
		x.t.Errorf("%q has the scores %v, want %v", id, got.Scores.Bins, bins)
	}
	x.close(id, tree(x.t, got.Finished), tree(x.t, want))
}

func tree(t *testing.T, value any) (decoded any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(encoded, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// close compares JSON values, and permits rounding errors of numbers.
func (x *segmentTest) close(at string, got, want any) {
	x.t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name := range want {
			x.close(at+"."+name, fields[name], want[name])
		}
		for name := range fields {
			if _, known := want[name]; !known {
				x.t.Errorf("%s.%s is %v, want nothing", at, name, fields[name])
			}
		}
	case []any:
		items, _ := got.([]any)
		if len(items) != len(want) {
			x.t.Errorf("%s is %v, want %v", at, got, want)
			return
		}
		for i := range want {
			x.close(fmt.Sprintf("%s.%d", at, i), items[i], want[i])
		}
	case float64:
		if number, is := got.(float64); !is || math.Abs(number-want) > 1e-9*(1+math.Abs(want)) {
			x.t.Errorf("%s is %v, want %v", at, got, want)
		}
	default:
		if !reflect.DeepEqual(got, want) {
			x.t.Errorf("%s is %v, want %v", at, got, want)
		}
	}
}
