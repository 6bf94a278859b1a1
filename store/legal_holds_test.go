package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// wantOutcome checks that err is the refusal with the code, or nil for "".
func wantOutcome(t *testing.T, what string, err error, code string) {
	t.Helper()
	var refused *store.Error
	switch {
	case code == "" && err != nil:
		t.Fatalf("%s: %v", what, err)
	case code != "" && (!errors.As(err, &refused) || refused.Code != code):
		t.Fatalf("%s is %v, want %s", what, err, code)
	}
}

func setHold(ctx context.Context, s *store.Store, scope store.Scope, assessmentID, sessionID string) (string, error) {
	in := store.NewLegalHold{Reason: "Claim 14-220"}
	if assessmentID != "" {
		in.AssessmentID = &assessmentID
	}
	if sessionID != "" {
		in.SessionID = &sessionID
	}
	made, err := s.CreateLegalHold(ctx, scope, in)
	return made.ID, err
}

func inviteOne(t *testing.T, s *store.Store, scope store.Scope, assessmentID, email string) string {
	t.Helper()
	invited, err := s.CreateCandidateSession(t.Context(), scope, store.Invite{
		AssessmentID: assessmentID, CandidateName: "Mei", CandidateEmail: email,
	})
	if err != nil {
		t.Fatal(err)
	}
	return invited.Session.ID
}

// A session is protected until its last hold is released, whether the hold is its own or that of its assessment.
func TestHoldsProtectFromErasure(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		ctx, s := t.Context(), storetest.Open(t, database, time.Now)
		scope, assessmentID := published(t, s)
		session := inviteOne(t, s, scope, assessmentID, "mei@example.com")
		other := inviteOne(t, s, scope, assessmentID, "lea@example.com")

		own, err := setHold(ctx, s, scope, "", session)
		wantOutcome(t, "the hold", err, "")
		all, err := setHold(ctx, s, scope, assessmentID, "")
		wantOutcome(t, "the hold", err, "")
		wantOutcome(t, "an erasure", s.EraseCandidateData(ctx, scope, session), "legal_hold")
		wantOutcome(t, "an erasure of another session", s.EraseCandidateData(ctx, scope, other), "legal_hold")
		held, err := s.RetrieveCandidateSession(ctx, scope, session)
		if err != nil || held.CandidateName != "Mei" || held.Status != "INVITED" {
			t.Errorf("the held session is %+v, %v", held, err)
		}

		wantOutcome(t, "the release", s.DeleteLegalHold(ctx, scope, all), "")
		wantOutcome(t, "the second release", s.DeleteLegalHold(ctx, scope, all), "")
		wantOutcome(t, "an erasure", s.EraseCandidateData(ctx, scope, session), "legal_hold")
		wantOutcome(t, "an erasure of another session", s.EraseCandidateData(ctx, scope, other), "")
		wantOutcome(t, "a hold on an erased session", failure(setHold(ctx, s, scope, "", other)), "session_erased")
		wantOutcome(t, "the release", s.DeleteLegalHold(ctx, scope, own), "")
		wantOutcome(t, "an erasure", s.EraseCandidateData(ctx, scope, session), "")
	})
}

func failure[T any](_ T, err error) error { return err }

// An erasure that has found no hold ends before a new hold counts, and one that meets a new hold is refused.
func TestHoldsAndErasuresThatCross(t *testing.T) {
	t.Parallel()
	for _, of := range []string{"session", "assessment"} {
		t.Run(of, func(t *testing.T) {
			t.Parallel()
			x := newLockOrder(t)
			set := func(session string) error {
				if of == "session" {
					return failure(setHold(t.Context(), x.store, x.scope, "", session))
				}
				return failure(setHold(t.Context(), x.store, x.scope, x.assessmentID, ""))
			}
			erased, held := make(chan error, 1), make(chan error, 1)

			release := storetest.Change(t, x.address, fmt.Sprintf(
				`UPDATE answers SET session_id = session_id WHERE session_id = '%s'`, x.ids[0]))
			go func() { erased <- x.store.EraseCandidateData(t.Context(), x.scope, x.ids[0]) }()
			storetest.AwaitLocks(t, x.address, 1) // it has found no hold
			go func() { held <- set(x.ids[0]) }()
			storetest.AwaitLocks(t, x.address, 2)
			release()
			wantOutcome(t, "the erasure", <-erased, "")
			wantOutcome(t, "the hold", <-held, map[string]string{"session": "session_erased"}[of])

			if of == "assessment" { // it protects the second session, too
				wantOutcome(t, "the erasure", x.store.EraseCandidateData(t.Context(), x.scope, x.ids[1]), "legal_hold")
				return
			}
			release = storetest.Change(t, x.address, fmt.Sprintf(
				`UPDATE organizations SET name = name WHERE id = '%s'`, x.scope.OrganizationID))
			go func() { held <- set(x.ids[1]) }()
			storetest.AwaitLocks(t, x.address, 1)
			go func() { erased <- x.store.EraseCandidateData(t.Context(), x.scope, x.ids[1]) }()
			storetest.AwaitLocks(t, x.address, 2)
			release()
			wantOutcome(t, "the hold", <-held, "")
			wantOutcome(t, "the erasure", <-erased, "legal_hold")
		})
	}
}

// Of holds and erasures at the same time, each session has only one.
func TestHoldsAndErasuresAtTheSameTime(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		ctx, s := t.Context(), storetest.Open(t, database, time.Now)
		scope, assessmentID := published(t, s)
		held, erased := make(chan error, 1), make(chan error, 1)
		for i := range 20 {
			session := inviteOne(t, s, scope, assessmentID, fmt.Sprintf("c%d@example.com", i))
			go func() { held <- failure(setHold(ctx, s, scope, "", session)) }()
			go func() { erased <- s.EraseCandidateData(ctx, scope, session) }()
			if h, e := <-held, <-erased; (h == nil) == (e == nil) || strings.Contains(fmt.Sprint(h, e), "database") {
				t.Errorf("the hold is %v, and the erasure %v", h, e)
			}
		}
	})
}
