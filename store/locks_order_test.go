package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// A request that names two candidates locks their rows in an order that does not depend on the request, or two requests
// could wait for each other. Here, each request names the second row first. While it waits for the first row, it must
// not have locked the second.
func TestRowsAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	const locked = `SELECT 1 FROM candidate_sessions WHERE id = '%s' FOR UPDATE`
	for name, test := range map[string]struct {
		lock    string // a statement that locks the row of a session
		request func(x *lockOrder) error
	}{
		"shared answers": {`SELECT 1 FROM answers WHERE session_id = '%s' FOR UPDATE`, func(x *lockOrder) error {
			return x.store.SaveAnswersTogether(x.t.Context(), x.candidates[1], x.candidates[0])
		}},
		"bulk invites": {locked, func(x *lockOrder) error {
			invites := bulkOfOne(x.assessmentID, "b@example.com")
			invites.Invites = append(invites.Invites, bulkOfOne(x.assessmentID, "a@example.com").Invites...)
			_, err := x.store.BulkCreateCandidateSessions(x.t.Context(), x.scope, invites)
			return err
		}},
		"bulk states": {locked, func(x *lockOrder) error {
			_, err := x.store.BulkChangeReviewStates(x.t.Context(), x.scope, store.BulkStateChange{
				StateID: "rejected", Rows: []*store.BulkStateRow{{SessionID: x.ids[1]}, {SessionID: x.ids[0]}},
			})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newLockOrder(t)
			pool := openPool(t, x.address)
			release := hold(t, x.address, fmt.Sprintf(test.lock, x.ids[0]))
			done := make(chan error, 1)
			go func() { done <- test.request(x) }()
			storetest.AwaitLocks(t, x.address, 1)
			if _, err := pool.ExecContext(t.Context(), fmt.Sprintf(test.lock, x.ids[1])+` NOWAIT`); err != nil {
				t.Errorf("the request waits for the first row, and the second: %v", err)
			}
			release()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// lockOrder is a database with the sessions of two candidates who have saved an answer.
type lockOrder struct {
	t            *testing.T
	address      string
	store        *store.Store
	scope        store.Scope
	assessmentID string
	ids          []string              // of the sessions, in ascending order
	candidates   []store.CandidateSave // in the same order
}

func newLockOrder(t *testing.T) *lockOrder {
	t.Helper()
	x := &lockOrder{t: t, address: storetest.URL(t, "postgres")}
	x.store = storetest.OpenURL(t, x.address, time.Now)
	x.scope, x.assessmentID = published(t, x.store)
	assessment, err := x.store.RetrieveAssessment(t.Context(), x.scope, x.assessmentID)
	if err != nil {
		t.Fatal(err)
	}
	question := assessment.Definition.Stages[0].Questions[0].ID
	two := 2.0
	for _, email := range []string{"a@example.com", "b@example.com"} {
		session, err := inviteTo(t.Context(), x.store, x.scope, x.assessmentID, email)
		if err != nil {
			t.Fatal(err)
		}
		_, token, _ := strings.Cut(*x.store.InviteURL(session), "#")
		scope, err := x.store.UnscopedCandidate(t.Context(), token)
		if err == nil {
			_, err = x.store.StartTaking(t.Context(), scope, false, "")
		}
		if err == nil {
			_, err = x.store.SaveAnswer(t.Context(), scope, question, rules.Answer{Number: &two})
		}
		if err != nil {
			t.Fatal(err)
		}
		x.ids = append(x.ids, session.ID)
		x.candidates = append(x.candidates, store.CandidateSave{
			Scope: scope, StageID: assessment.Definition.Stages[0].ID, QuestionID: question,
		})
	}
	if !slices.IsSorted(x.ids) {
		t.Fatal("the ids are not in the order of the invites")
	}
	return x
}
