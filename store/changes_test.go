package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A page of a limited caller examines a bounded number of changes. It can be empty, and has a cursor to continue from.
func TestChangesOfLimitedCaller(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := storetest.Open(t, database, clock.Now)
		s.SetMaxExamined(10)
		scope, hidden := published(t, s)
		copied, err := s.DuplicateAssessment(t.Context(), scope, hidden)
		if err == nil {
			_, err = s.PublishAssessment(t.Context(), scope, copied.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i := range 44 {
			assessment := hidden
			if i%22 == 21 {
				assessment = copied.ID
			}
			session, err := inviteTo(t.Context(), s, scope, assessment, fmt.Sprint("c", i, "@example.com"))
			if err != nil {
				t.Fatal(err)
			}
			if assessment == copied.ID {
				want = append(want, session.ID)
			}
		}

		// PostgreSQL lists no change of the last second.
		for until := time.Now().Add(10 * time.Second); ; {
			all, err := s.ListCandidateSessionChanges(t.Context(), scope, store.ChangesPage{Limit: 100})
			if err != nil || time.Now().After(until) {
				t.Fatalf("%d sessions are listed (%v)", len(all.Items), err)
			}
			if len(all.Items) == 44 {
				break
			}
		}

		limited := scope
		limited.Role, limited.LimitedTo = store.Member, store.LimitedTo{copied.ID}
		var got []string
		pages, empty, cursors := 0, 0, map[string]bool{}
		page := store.ChangesPage{Limit: 3}
		for more := true; more; {
			listed, err := s.ListCandidateSessionChanges(t.Context(), limited, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, session := range listed.Items {
				got = append(got, session.ID)
			}
			more = listed.More
			if cursors[listed.Cursor] {
				t.Errorf("the cursor %s goes back", listed.Cursor)
			}
			cursors[listed.Cursor], page.Cursor = true, listed.Cursor
			if pages++; len(listed.Items) == 0 && listed.More {
				empty++
			}
		}
		if !slices.Equal(got, want) || pages < 5 || empty == 0 {
			t.Errorf("%d pages, %d of them empty, have the sessions %v, want %v", pages, empty, got, want)
		}

		assessments, err := s.ListAssessmentChanges(t.Context(), limited, store.ChangesPage{Limit: 20})
		if err != nil || len(assessments.Items) != 1 || assessments.Items[0].ID != copied.ID {
			t.Errorf("the assessments are %v (%v), want %s", assessments.Items, err, copied.ID)
		}
		public, err := s.ListPublicAssessmentChanges(t.Context(), scope, store.ChangesPage{Limit: 20})
		if err != nil || len(public.Items) != 2 || public.More || public.Cursor == "" {
			t.Errorf("the public list is %v (%v)", public, err)
		}
	})
}
