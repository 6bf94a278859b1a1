package store_test

import (
	"context"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

func ptr[T any](v T) *T { return &v }

func TestSmoke(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		ctx := context.Background()
		clock := storetest.NewClock()
		s := storetest.Open(t, database, clock.Now)
		in, err := s.Register(ctx, store.Registration{OrganizationName: "O", Name: "N", Email: "a@example.com", Password: "abcdefghijkl-x"})
		if err != nil {
			t.Fatal(err)
		}
		scope, err := s.UnscopedLogin(ctx, in.Login.ID)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.CreateAssessment(ctx, scope, store.NewAssessment{Title: "T", Definition: store.Definition{Stages: []store.Stage{{Title: "S", Questions: []store.Question{{
			Type: store.Numeric, Prompt: "1+1", Points: 2, Answer: ptr(2.0)}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.UpdateAssessment(ctx, scope, a.ID, store.AssessmentChange{Title: ptr("TT"), PassingScore: store.Change[float64]{Set: true, Value: ptr(50.0)}}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PublishAssessment(ctx, scope, a.ID); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			cs, created, err := s.CreateCandidateSession(ctx, scope, store.Invite{AssessmentID: a.ID, CandidateName: "C", CandidateEmail: "C@example.com", OnExisting: store.NewAttempt})
			if err != nil || !created {
				t.Fatal(err, created)
			}
			token := s.Keys().InviteToken(cs.ID, cs.InviteGeneration)
			cand, err := s.UnscopedCandidate(ctx, token)
			if err != nil {
				t.Fatal(err)
			}
			tk, err := s.StartTaking(ctx, cand)
			if err != nil {
				t.Fatal(err)
			}
			q := tk.Assessment.Definition.Stages[0].Questions[0].ID
			for range 2 {
				if _, err := s.SaveAnswer(ctx, cand, q, store.Answer{Number: ptr(2.0)}); err != nil {
					t.Fatal(err)
				}
			}
			out, err := s.SubmitStage(ctx, cand, *tk.Session.CurrentStageID)
			if err != nil {
				t.Fatal(err)
			}
			res, err := s.RetrieveCandidateSessionResult(ctx, scope, cs.ID)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(out.Status, res.Score, res.Passed)
		}
		events, _, err := s.ListEvents(ctx, scope, store.EventFilter{}, store.Page{Limit: 20})
		if err != nil || len(events) != 5 {
			t.Fatal(err, len(events))
		}
		for _, e := range events {
			t.Log(e.Body)
		}
		if _, _, err := s.ListAssessments(ctx, scope, store.AssessmentFilter{Status: "PUBLISHED", TitleContains: "t", UpdatedSince: ptr(clock.Now().Add(-1e9))}, store.Page{Limit: 20}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.UnscopedSweep(ctx); err != nil {
			t.Fatal(err)
		}
	})
}
