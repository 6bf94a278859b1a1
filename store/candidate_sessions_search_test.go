package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// searched is a database with many sessions of all kinds.
type searched struct {
	*testing.T
	store       *store.Store
	scope       store.Scope
	random      *rand.Rand
	start       time.Time
	assessments []string
	sessions    []store.CandidateSession // test sessions, too
}

var searchedNames = []string{"Ada Lovelace", "Grace Hopper", "José Ångström", "Ada Byron-King"}

// newSearched makes the sessions. The words of some of them have been written.
func newSearched(t *testing.T, database string) *searched {
	t.Helper()
	clock, address := storetest.NewClock(), storetest.URL(t, database)
	x := &searched{T: t, store: storetest.OpenURL(t, address, clock.Now), start: clock.Now()}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	x.random = rand.New(rand.NewPCG(seed, 0))

	var first string
	x.scope, first = published(t, x.store)
	x.assessments = []string{first}
	for range 2 {
		another, err := x.store.DuplicateAssessment(t.Context(), x.scope, first)
		if err == nil {
			_, err = x.store.PublishAssessment(t.Context(), x.scope, another.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		x.assessments = append(x.assessments, another.ID)
	}
	for i := range 60 {
		clock.Advance(time.Duration(x.random.IntN(3)) * time.Minute)
		if i == 40 {
			x.indexWords()
		}
		x.add(i, address, clock.Now())
	}
	return x
}

// limit makes the caller see everything, or only some assessments.
func (x *searched) limit() {
	x.scope.LimitedTo = nil
	if seen := x.random.IntN(8); seen < 4 {
		x.scope.LimitedTo = append(store.LimitedTo{}, x.assessments[min(seen, 1):max(seen, 1)]...)
	}
}

func (x *searched) indexWords() {
	x.Helper()
	for more := true; more; {
		var err error
		if more, err = x.store.UnscopedIndexWords(x.Context()); err != nil {
			x.Fatal(err)
		}
	}
}

func (x *searched) add(i int, address string, now time.Time) {
	x.Helper()
	external := fmt.Sprintf("APP-%d/%d", i%3, i)
	invited, err := x.store.CreateCandidateSession(x.Context(), x.scope, store.Invite{
		AssessmentID: of(x.random, x.assessments), CandidateName: of(x.random, searchedNames),
		CandidateEmail: fmt.Sprintf("Person%d@Mail%d.example", i%20, i%4), ExternalID: &external,
		OnExisting: store.NewAttempt,
	})
	if err != nil {
		x.Fatal(err)
	}
	state := storetest.SessionState{
		Status: string(of(x.random, rules.SessionStatuses())), Test: x.random.IntN(10) == 0,
		UpdatedAt: now.Add(time.Duration(x.random.IntN(30)) * time.Minute).UTC().Truncate(time.Millisecond),
	}
	if x.random.IntN(2) == 0 {
		score, passed := float64(x.random.IntN(6))*20, x.random.IntN(2) == 0
		completed := now.Add(time.Duration(x.random.IntN(60)) * time.Minute).UTC().Truncate(time.Millisecond)
		state.Score, state.Passed, state.CompletedAt = &score, &passed, &completed
	}
	x.review(invited.Session.ID)
	storetest.SetSession(x, address, invited.Session.ID, state)
	session, err := x.store.RetrieveCandidateSession(x.Context(), x.scope, invited.Session.ID)
	if err != nil {
		x.Fatal(err)
	}
	x.sessions = append(x.sessions, session)
}

var (
	searchedTags   = []string{"Night shift", "French"}
	searchedStates = []string{"shortlisted", "rejected"}
)

// review gives some sessions a state, tags, and a rating.
func (x *searched) review(id string) {
	x.Helper()
	var err error
	if x.random.IntN(2) == 0 {
		_, err = x.store.ChangeReviewState(x.Context(), x.scope, id, store.StateChange{StateID: of(x.random, searchedStates)})
	}
	if err == nil && x.random.IntN(2) == 0 {
		tags := searchedTags[x.random.IntN(2):]
		_, err = x.store.ChangeReviewTags(x.Context(), x.scope, id, store.TagsChange{Add: tags})
	}
	if err == nil && x.random.IntN(2) == 0 {
		_, err = x.store.ReplaceReviewRating(x.Context(), x.scope, id, 1+x.random.IntN(5))
	}
	if err != nil {
		x.Fatal(err)
	}
}

func of[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }

func (x *searched) time() *time.Time {
	at := x.start.Add(time.Duration(x.random.IntN(120)) * time.Minute)
	return &at
}

// selects is the definition of a filter, independent of the store's.
func selects(f store.SessionFilter, s store.CandidateSession) bool {
	within := func(span store.TimeSpan, at time.Time) bool {
		return (span.Since == nil || !at.Before(*span.Since)) && (span.Until == nil || at.Before(*span.Until))
	}
	folded := strings.NewReplacer("é", "e", "å", "a", "ö", "o").Replace(
		strings.ToLower(s.CandidateName + " " + s.CandidateEmail + " " + *s.ExternalID))
	separate := func(r rune) bool { return strings.ContainsRune(" @.-/", r) }
	words := strings.FieldsFunc(folded, separate)
	wanted := strings.FieldsFunc(strings.ToLower(f.Search), separate)
	found := f.Search == "" || len(wanted) > 0
	for _, prefix := range wanted {
		found = found && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, prefix) })
	}
	return found && s.Test == f.Test &&
		(f.AssessmentID == "" || s.AssessmentID == f.AssessmentID) &&
		(f.Statuses == nil || slices.Contains(f.Statuses, s.Status)) &&
		(f.CandidateEmail == "" || strings.EqualFold(s.CandidateEmail, f.CandidateEmail)) &&
		(f.ExternalID == "" || *s.ExternalID == f.ExternalID) &&
		(f.MinScore == nil || s.Score != nil && *s.Score >= *f.MinScore) &&
		(f.MaxScore == nil || s.Score != nil && *s.Score <= *f.MaxScore) &&
		(f.Passed == nil || s.Passed != nil && *s.Passed == *f.Passed) &&
		(f.States == nil || slices.Contains(f.States, s.ReviewState())) &&
		(f.Tags == nil || slices.ContainsFunc(s.Tags(), func(tag string) bool { return store.TagKey(tag) == f.Tags[0] })) &&
		(f.MinRating == nil || s.Rating != nil && *s.Rating >= *f.MinRating) &&
		within(f.Created, s.CreatedAt.Time) &&
		(f.Completed == store.TimeSpan{} || s.CompletedAt != nil && within(f.Completed, s.CompletedAt.Time)) &&
		(f.UpdatedSince == nil || !s.UpdatedAt.Before(f.UpdatedSince.Add(-overlap)))
}

// want returns the ids that a list must contain.
func (x *searched) want(f store.SessionFilter, sort store.SessionSort) []string {
	value := func(s store.CandidateSession) (float64, bool) {
		switch strings.TrimPrefix(string(sort), "-") {
		case "score":
			if s.Score == nil {
				return 0, false
			}
			return *s.Score, true
		case "rating":
			if s.Rating == nil {
				return 0, false
			}
			return *s.Rating, true
		case "completedAt":
			if s.CompletedAt == nil {
				return 0, false
			}
			return float64(s.CompletedAt.UnixMilli()), true
		case "updatedAt":
			return float64(s.UpdatedAt.UnixMilli()), true
		}
		return 0, true
	}
	chosen := slices.DeleteFunc(slices.Clone(x.sessions), func(s store.CandidateSession) bool {
		_, has := value(s)
		return !has || !x.scope.SeesAssessment(s.AssessmentID) || !selects(f, s)
	})
	slices.SortFunc(chosen, func(a, b store.CandidateSession) int {
		first, _ := value(a)
		second, _ := value(b)
		order := cmp.Or(cmp.Compare(first, second), cmp.Compare(a.ID, b.ID))
		if strings.HasPrefix(string(sort), "-") || sort == "" {
			return -order
		}
		return order
	})
	ids := []string{}
	for _, session := range chosen {
		ids = append(ids, session.ID)
	}
	return ids
}

// Every combination of filters and orders finds the right sessions in the right order,
// each once, on pages of any size, whether a filter is narrow or the list is walked, and
// whether the words have been written or not.
func TestSessionSearch(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x := newSearched(t, database)
		sorts := []store.SessionSort{"", store.SortCreated, store.SortCreatedDesc, store.SortScore, store.SortScoreDesc,
			store.SortCompleted, store.SortCompletedDesc, store.SortUpdated, store.SortUpdatedDesc,
			store.SortRating, store.SortRatingDesc}
		for round := range 500 {
			if round == 200 {
				x.indexWords()
			}
			x.limit()
			filter, sort := x.filter(), of(x.random, sorts)
			examined := of(x.random, []int{3, 25, 10_000})
			x.store.SetMaxExamined(examined)
			page := store.SessionPage{Limit: 1 + x.random.IntN(25), Sort: sort}
			var got []string
			for pages := 0; ; pages++ {
				list, err := x.store.ListCandidateSessions(t.Context(), x.scope, filter, page)
				if err != nil {
					t.Fatal(err)
				}
				if len(list.Sessions) > page.Limit || pages > len(x.sessions) {
					t.Fatalf("%d sessions on page %d", len(list.Sessions), pages)
				}
				for _, session := range list.Sessions {
					got = append(got, session.ID)
				}
				if page.After = list.Next; page.After == "" {
					break
				}
			}
			if want := x.want(filter, sort); !slices.Equal(got, want) {
				t.Fatalf("limited to %q: %+v, sort %q, examined %d, limit %d:\n%q, want\n%q",
					x.scope.LimitedTo, filter, sort, examined, page.Limit, got, want)
			}
		}
	})
}

// The summary counts the sessions that the list contains.
func TestSessionSummary(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x := newSearched(t, database)
		for range 200 {
			x.limit()
			filter := x.filter()
			summary, err := x.store.SummarizeCandidateSessions(t.Context(), x.scope, filter)
			if err != nil {
				t.Fatal(err)
			}
			total, want := 0, len(x.want(filter, ""))
			for _, count := range summary.Statuses {
				if len(filter.Statuses) > 0 && !slices.Contains(filter.Statuses, count.Status) {
					t.Errorf("%+v: counts %s", filter, count.Status)
				}
				one := filter
				one.Statuses = []rules.SessionStatus{count.Status}
				if ids := x.want(one, ""); count.Count != len(ids) || !count.Exact {
					t.Errorf("%+v: %+v, want %d", filter, count, len(ids))
				}
				total += count.Count
			}
			if summary.Total != want || total != want || !summary.Exact {
				t.Errorf("%+v: %+v, want %d", filter, summary, want)
			}
		}

		x.store.SetMaxExamined(2)
		x.scope.LimitedTo = nil
		summary, err := x.store.SummarizeCandidateSessions(t.Context(), x.scope, store.SessionFilter{})
		if err != nil || summary.Exact {
			t.Errorf("%+v, error %v: exact beyond the bound", summary, err)
		}
	})
}

// A cursor belongs to one order.
func TestSessionCursors(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		x := newSearched(t, database)
		list, err := x.store.ListCandidateSessions(t.Context(), x.scope, store.SessionFilter{},
			store.SessionPage{Limit: 1, Sort: store.SortUpdated})
		if err != nil || list.Next == "" || len(list.Next) > 255 {
			t.Fatalf("cursor %q, error %v", list.Next, err)
		}
		for _, cursor := range []string{list.Next, "x", "ses_01kae3v5zg8r6w2c4n7q9t1x3y", "W10", "bnVsbA", "WzEsMiwzXQ"} {
			_, err := x.store.ListCandidateSessions(t.Context(), x.scope, store.SessionFilter{},
				store.SessionPage{Limit: 1, After: cursor, Sort: store.SortScore})
			wantCode(t, err, "cursor_invalid")
		}
	})
}

// An erased candidate cannot be found by a word, in whatever order the erasure and the
// background job run.
func TestErasureRemovesWords(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		s := storetest.OpenURL(t, address, clock.Now)
		scope, assessmentID := published(t, s)
		for _, written := range []bool{false, true} {
			session, err := inviteTo(t.Context(), s, scope, assessmentID, fmt.Sprintf("unmistakable%t@example.com", written))
			if err != nil {
				t.Fatal(err)
			}
			clock.Advance(2 * time.Minute)
			x := &searched{T: t, store: s}
			if written {
				x.indexWords()
			}
			if err := s.EraseCandidateData(t.Context(), scope, session.ID); err != nil {
				t.Fatal(err)
			}
			x.indexWords()
			list, err := s.ListCandidateSessions(t.Context(), scope, store.SessionFilter{Search: "unmistakable"},
				store.SessionPage{Limit: 1})
			if err != nil || len(list.Sessions) > 0 {
				t.Errorf("written %t: found %d sessions, error %v", written, len(list.Sessions), err)
			}
			if kept := storetest.Count(t, address, "candidate_session_words"); kept != 0 {
				t.Errorf("written %t: %d words remain", written, kept)
			}
		}
	})
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var refusal *store.Error
	if !errors.As(err, &refusal) || refusal.Code != code {
		t.Errorf("error %v, want %s", err, code)
	}
}
