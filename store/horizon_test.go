package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/store/rules"

	"assay/store"
	"assay/store/storetest"
)

// published registers an organization with one published assessment.
func published(t *testing.T, s *store.Store) (store.Scope, string) {
	t.Helper()
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Quay", Name: "Ana", Email: "ana@quay.example", Password: "a long and good pass phrase",
	})
	if err != nil {
		t.Fatal(err)
	}
	scope := store.Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: store.Owner}
	two := 2.0
	assessment, err := s.CreateAssessment(t.Context(), scope, store.NewAssessment{Title: "Knots", Definition: rules.Definition{
		Stages: []rules.Stage{{Title: "One", Questions: []rules.Question{{Type: rules.Numeric, Prompt: "How many ends has a rope?", Points: 1, Answer: &two}}}},
	}})
	if err == nil {
		_, err = s.PublishAssessment(t.Context(), scope, assessment.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return scope, assessment.ID
}

func inviteTo(ctx context.Context, s *store.Store, scope store.Scope, assessmentID, email string) (store.CandidateSession, error) {
	invited, err := s.CreateCandidateSession(ctx, scope, store.Invite{AssessmentID: assessmentID, CandidateName: "C", CandidateEmail: email})
	return invited.Session, err
}

// changedSince returns every session that a client gets who asks for the changes.
func changedSince(ctx context.Context, t *testing.T, s *store.Store, scope store.Scope, since time.Time) []store.CandidateSession {
	t.Helper()
	var all []store.CandidateSession
	for page := (store.Page{Limit: 100}); ; page.After = all[len(all)-1].ID {
		sessions, more, err := s.ListCandidateSessions(ctx, scope, store.SessionFilter{UpdatedSince: &since}, page)
		if err != nil {
			t.Error(err)
			return all
		}
		if all = append(all, sessions...); !more {
			return all
		}
	}
}

func has(sessions []store.CandidateSession, id string) bool {
	return slices.ContainsFunc(sessions, func(session store.CandidateSession) bool { return session.ID == id })
}

// Where nothing else goes on, the filter is exact.
func TestUpdatedSinceIsExact(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := storetest.Open(t, database, clock.Now)
		if err := s.UnscopedBeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		scope, assessmentID := published(t, s)
		first, err := inviteTo(t.Context(), s, scope, assessmentID, "first@example.com")
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Millisecond)
		between := clock.Now()
		clock.Advance(time.Millisecond)
		second, err := inviteTo(t.Context(), s, scope, assessmentID, "second@example.com")
		if err != nil {
			t.Fatal(err)
		}
		for _, since := range []time.Time{between, second.UpdatedAt.Time} {
			if got := changedSince(t.Context(), t, s, scope, since); len(got) != 1 || got[0].ID != second.ID {
				t.Errorf("since %s: %d sessions, want the second alone", since, len(got))
			}
		}
		clock.Advance(time.Millisecond)
		if _, err := s.CancelCandidateSession(t.Context(), scope, first.ID); err != nil {
			t.Fatal(err)
		}
		if got := changedSince(t.Context(), t, s, scope, clock.Now()); len(got) != 1 || got[0].ID != first.ID {
			t.Errorf("%d sessions, want the cancelled one alone", len(got))
		}
	})
}

// An invite took its time and then had to wait; another one overtook it and was
// seen. Whoever goes on from what they saw still gets the first.
func TestUpdatedSinceFindsWhatCommitsLate(t *testing.T) {
	t.Parallel()
	for name, replicas := range map[string]int{"one replica": 1, "the other replica": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := storetest.NewClock()
			url := storetest.URL(t, "postgres") // SQLite has one writer, which waits before it takes its time
			writer := storetest.OpenURL(t, url, clock.Now)
			reader := writer
			if replicas > 1 {
				reader = storetest.OpenURL(t, url, clock.Now)
			}
			scope, assessmentID := published(t, writer)
			overtaken, err := inviteTo(t.Context(), writer, scope, assessmentID, "late@example.com")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := writer.CancelCandidateSession(t.Context(), scope, overtaken.ID); err != nil {
				t.Fatal(err)
			}
			clock.Advance(time.Minute)
			for _, replica := range []*store.Store{writer, reader} {
				if err := replica.UnscopedBeat(t.Context()); err != nil {
					t.Fatal(err)
				}
			}

			// Another invite of the same candidate, not committed, makes the next one wait at the unique index.
			release := hold(t, url, `INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name, candidate_email,
					candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent, invited_at, expires_at, progress, created_at, updated_at)
				SELECT 'ses_held', organization_id, assessment_id, assessment_title, candidate_name, candidate_email, candidate_email_key, metadata,
					'CANCELLED', attempt + 1, 1, 0, invited_at, expires_at, progress, created_at, updated_at FROM candidate_sessions WHERE id = $1`, overtaken.ID)
			late := make(chan store.CandidateSession, 1)
			go func() {
				session, err := inviteTo(t.Context(), writer, scope, assessmentID, "late@example.com")
				if err != nil {
					t.Error(err)
				}
				late <- session
			}()
			waiting(t, url)
			clock.Advance(2 * time.Second)
			seen, err := inviteTo(t.Context(), reader, scope, assessmentID, "overtakes@example.com")
			if err != nil {
				t.Fatal(err)
			}
			since := clock.Now()
			if got := changedSince(t.Context(), t, reader, scope, seen.UpdatedAt.Time); !has(got, seen.ID) {
				t.Fatal("the one that overtook is not there")
			}
			release()
			session := <-late
			if !session.UpdatedAt.Before(seen.UpdatedAt.Time) {
				t.Fatalf("it is not late: %s, the other %s", session.UpdatedAt, seen.UpdatedAt)
			}
			clock.Advance(5 * time.Minute) // the writer may be gone by then
			for _, from := range []time.Time{seen.UpdatedAt.Time, since} {
				if !has(changedSince(t.Context(), t, reader, scope, from), session.ID) {
					t.Errorf("since %s: what committed late is missed", from)
				}
			}
		})
	}
}

// hold runs a statement in a transaction of its own, which release undoes.
func hold(t *testing.T, url, query string, args ...any) (release func()) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), nil)
	if err == nil {
		_, err = tx.ExecContext(t.Context(), query, args...)
	}
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { _, _ = tx.Rollback(), db.Close() })
	t.Cleanup(release)
	return release
}

// waiting returns when a statement of the database waits for a lock.
func waiting(t *testing.T, url string) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		var waits bool
		if err := db.QueryRowContext(t.Context(), `
			SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
		if waits {
			return
		}
	}
	t.Fatal("nothing waits")
}

// A client that asks again and again, each time from when it asked before, has
// seen every session as it is in the end, however many write meanwhile.
func TestUpdatedSinceUnderLoad(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		url := storetest.URL(t, database)
		replicas := []*store.Store{storetest.OpenURL(t, url, time.Now), storetest.OpenURL(t, url, time.Now)}
		for _, replica := range replicas {
			if err := replica.UnscopedBeat(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		scope, assessmentID := published(t, replicas[0])
		var writers sync.WaitGroup
		for w := range 6 {
			s := replicas[w%len(replicas)]
			writers.Go(func() {
				for i := range 25 {
					session, err := inviteTo(t.Context(), s, scope, assessmentID, fmt.Sprintf("c%d-%d@example.com", w, i))
					if err == nil && i%2 == 0 {
						_, err = s.CancelCandidateSession(t.Context(), scope, session.ID)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		var done atomic.Bool
		go func() { writers.Wait(); done.Store(true) }()
		seen := map[string]time.Time{}
		since, polls, rows := time.Time{}.AddDate(1970, 0, 0), 0, 0
		poll := func() {
			next := time.Now()
			for _, session := range changedSince(t.Context(), t, replicas[0], scope, since) {
				seen[session.ID] = session.UpdatedAt.Time
				rows++
			}
			since = next
			polls++
		}
		for !done.Load() {
			poll()
		}
		poll()
		for _, session := range changedSince(t.Context(), t, replicas[0], scope, time.Time{}.AddDate(1970, 0, 0)) {
			if !seen[session.ID].Equal(session.UpdatedAt.Time) {
				t.Errorf("%s was never seen as it is", session.ID)
			}
		}
		t.Logf("%d polls, %d rows for 225 changes of %d sessions", polls, rows, len(seen))
	})
}
