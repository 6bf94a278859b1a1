package store_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// otherSessionIndexes are the indexes of sessions that no list names.
var otherSessionIndexes = map[string]string{
	"candidate_sessions_attempt":      "two attempts of a person do not have the same number",
	"candidate_sessions_due":          "UnscopedSweep",
	"candidate_sessions_expiring":     "RetrieveOverview, invites that expire soon",
	"candidate_sessions_disqualified": "RetrieveOverview, latest results",
	"sessions_in_review":              "RetrieveOverview, what waits for a person",
	"sessions_by_end":                 "UnscopedEraseRetained and PreviewRetention",
}

// Every index costs each invite and each finished session a write, so each serves a request. SQLite refuses a statement
// that names an index that does not exist.
func TestEachIndexOfSessionsServesAList(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t, "sqlite")
	s := storetest.OpenURL(t, address, storetest.NewClock().Now)
	scope, assessment := published(t, s)
	pool := openPool(t, address)

	type list struct {
		filter store.SessionFilter
		sort   store.SessionSort
	}
	completed, passed, score := []rules.SessionStatus{rules.SessionCompleted}, true, 50.0
	lists := map[string]list{
		"sessions_by_id":                      {},
		"sessions_by_assessment":              {filter: store.SessionFilter{AssessmentID: assessment}},
		"sessions_by_status":                  {filter: store.SessionFilter{Statuses: completed}},
		"sessions_by_assessment_status":       {filter: store.SessionFilter{Statuses: completed, AssessmentID: assessment}},
		"sessions_by_passed":                  {filter: store.SessionFilter{Passed: &passed}},
		"sessions_by_assessment_passed":       {filter: store.SessionFilter{Passed: &passed, AssessmentID: assessment}},
		"sessions_by_score":                   {filter: store.SessionFilter{MinScore: &score}},
		"sessions_by_assessment_score":        {filter: store.SessionFilter{MinScore: &score, AssessmentID: assessment}},
		"sessions_by_completed_at":            {sort: store.SortCompletedDesc},
		"sessions_by_assessment_completed_at": {store.SessionFilter{AssessmentID: assessment}, store.SortCompletedDesc},
		"sessions_by_rating":                  {sort: store.SortRatingDesc},
		"sessions_by_assessment_rating":       {store.SessionFilter{AssessmentID: assessment}, store.SortRatingDesc},
		"candidate_sessions_email":            {filter: store.SessionFilter{CandidateEmail: "ada@example.com"}},
		"candidate_sessions_external":         {filter: store.SessionFilter{ExternalID: "1"}},
		"candidate_sessions_test":             {filter: store.SessionFilter{Test: true}},
		"candidate_sessions_changed":          {sort: store.SortUpdated},
	}
	var indexes []struct{ Name, SQL string }
	if err := pool.SelectContext(t.Context(), &indexes, `SELECT name, sql FROM sqlite_master
		WHERE type = 'index' AND tbl_name = 'candidate_sessions' AND sql IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	if len(indexes) < len(lists) {
		t.Errorf("%d indexes, fewer than the %d that lists need", len(indexes), len(lists))
	}
	for _, index := range indexes {
		execute := func(statement string) {
			t.Helper()
			if _, err := pool.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		request := func() error {
			_, err := s.ListCandidateSessionChanges(t.Context(), scope, store.ChangesPage{Limit: 1})
			return err
		}
		if index.Name != "candidate_sessions_noted" {
			list, known := lists[index.Name]
			if !known && otherSessionIndexes[index.Name] == "" {
				t.Errorf("no request needs %s", index.Name)
			}
			if !known {
				continue
			}
			request = func() error {
				_, err := s.ListCandidateSessions(t.Context(), scope, list.filter, store.SessionPage{Limit: 1, Sort: list.sort})
				return err
			}
		}
		execute(`DROP INDEX ` + index.Name)
		if err := request(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no such index: %s", index.Name)) {
			t.Errorf("without %s, its request has the error %v", index.Name, err)
		}
		execute(index.SQL)
		if err := request(); err != nil {
			t.Errorf("%s: %v", index.Name, err)
		}
	}
}
