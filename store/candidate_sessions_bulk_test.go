package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

func bulkOfOne(assessmentID, email string) store.BulkInvite {
	return store.BulkInvite{Invites: []*store.Invite{
		{AssessmentID: assessmentID, CandidateName: "C", CandidateEmail: email, OnExisting: store.ReturnExisting},
	}}
}

// A group of rows whose transaction takes too long runs again, at whichever step the time passes.
func TestSlowBulkRunsAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		var steps atomic.Int64 // until the step that takes long
		s := storetest.Open(t, database, func() time.Time {
			if steps.Add(-1) == 0 {
				clock.Advance(overlap/2 + time.Second)
			}
			return clock.Now()
		})
		scope, assessmentID := published(t, s)
		for step := range int64(12) {
			steps.Store(step + 1)
			email := fmt.Sprintf("c%d@example.com", step)
			rows, err := s.BulkCreateCandidateSessions(t.Context(), scope, bulkOfOne(assessmentID, email))
			if err != nil || len(rows) != 1 || !rows[0].Created {
				t.Errorf("step %d: %+v, error %v, want a new session", step, rows, err)
			}
		}
	})
}

// A group of rows can wait for another request with the same candidate for longer than a transaction may take.
func TestBulkWaitsForAnotherRequest(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t, "postgres")
	s := storetest.OpenURL(t, address, time.Now)
	scope, assessmentID := published(t, s)
	if _, err := inviteTo(t.Context(), s, scope, assessmentID, "late@example.com"); err != nil {
		t.Fatal(err)
	}
	release := hold(t, address, `UPDATE candidate_sessions SET attempt = attempt + 1`)
	done := make(chan error)
	go func() {
		rows, err := s.BulkCreateCandidateSessions(t.Context(), scope, bulkOfOne(assessmentID, "late@example.com"))
		if err == nil && (len(rows) != 1 || !rows[0].Existing) {
			err = fmt.Errorf("%+v, want the existing session", rows)
		}
		done <- err
	}()
	storetest.AwaitLocks(t, address, 1)
	select {
	case err := <-done:
		t.Fatalf("the bulk ended while another request held the candidate: %v", err)
	case <-time.After(overlap/2 + 2*time.Second):
	}
	release()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
