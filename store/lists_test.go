package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/store"
	"assay/store/rules"
	"assay/store/storetest"
)

// overlap is how much earlier than asked updatedSince begins. It equals
// MaxWriteTime of store/internal/db.
const overlap = 10 * time.Second

// published registers an organization that has one published assessment.
func published(t *testing.T, s *store.Store) (scope store.Scope, assessmentID string) {
	t.Helper()
	in, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Quay", Name: "Ana", Email: "ana@quay.example", Password: "a long and good pass phrase",
	})
	if err != nil {
		t.Fatal(err)
	}
	scope = store.Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: store.Owner}
	two := 2.0
	definition := rules.Definition{
		Stages: []rules.Stage{{Title: "One", Questions: []rules.Question{
			{Type: rules.Numeric, Prompt: "How many ends has a rope?", Points: 1, Answer: &two},
		}}},
	}
	assessment, err := s.CreateAssessment(t.Context(), scope, store.NewAssessment{Title: "Knots", Definition: definition})
	if err == nil {
		_, err = s.PublishAssessment(t.Context(), scope, assessment.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return scope, assessment.ID
}

func inviteTo(
	ctx context.Context, s *store.Store, scope store.Scope, assessmentID, email string,
) (store.CandidateSession, error) {
	invited, err := s.CreateCandidateSession(ctx, scope, store.Invite{
		AssessmentID: assessmentID, CandidateName: "C", CandidateEmail: email,
	})
	return invited.Session, err
}

// changedSince returns the sessions on all pages of a list with updatedSince.
func changedSince(t *testing.T, s *store.Store, scope store.Scope, since time.Time) []store.CandidateSession {
	t.Helper()
	var all []store.CandidateSession
	for page := (store.SessionPage{Limit: 100}); ; {
		listed, err := s.ListCandidateSessions(t.Context(), scope, store.SessionFilter{UpdatedSince: &since}, page)
		if err != nil {
			t.Error(err)
			return all
		}
		all = append(all, listed.Sessions...)
		if page.After = listed.Next; page.After == "" {
			return all
		}
	}
}

func has(sessions []store.CandidateSession, id string) bool {
	return slices.ContainsFunc(sessions, func(session store.CandidateSession) bool { return session.ID == id })
}

// hold runs a statement in a transaction that stays open until release rolls it back.
func hold(t *testing.T, url, statement string) (release func()) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), nil)
	if err == nil {
		_, err = tx.ExecContext(t.Context(), statement)
	}
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { _, _ = tx.Rollback(), db.Close() })
	t.Cleanup(release)
	return release
}

// updatedSince must begin earlier than asked by the overlap, and not by more.
func TestUpdatedSinceGoesBackByTheOverlap(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		s := storetest.Open(t, database, clock.Now)
		scope, assessmentID := published(t, s)
		first, err := inviteTo(t.Context(), s, scope, assessmentID, "first@example.com")
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Millisecond)
		second, err := inviteTo(t.Context(), s, scope, assessmentID, "second@example.com")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			since         time.Time
			first, second bool
		}{
			{first.UpdatedAt.Time, true, true},
			{second.UpdatedAt.Time, true, true},
			{first.UpdatedAt.Add(overlap), true, true},
			{second.UpdatedAt.Add(overlap), false, true},
			{second.UpdatedAt.Add(overlap + time.Millisecond), false, false},
		} {
			got := changedSince(t, s, scope, row.since)
			if has(got, first.ID) != row.first || has(got, second.ID) != row.second {
				t.Errorf("since %s after the first: the first is listed: %v, want %v; the second: %v, want %v",
					row.since.Sub(first.UpdatedAt.Time), has(got, first.ID), row.first, has(got, second.ID), row.second)
			}
		}

		clock.Advance(time.Minute)
		if _, err := s.CancelCandidateSession(t.Context(), scope, first.ID); err != nil {
			t.Fatal(err)
		}
		if got := changedSince(t, s, scope, clock.Now()); len(got) != 1 || got[0].ID != first.ID {
			t.Errorf("%d sessions are listed, want only the cancelled one", len(got))
		}
	})
}

// A write can wait for a lock while a later write commits first. A client that has
// received the later write and continues from its time must still receive the
// earlier one.
func TestUpdatedSinceFindsLateCommits(t *testing.T) {
	t.Parallel()
	type fixture struct {
		url          string
		s            *store.Store
		scope        store.Scope
		assessmentID string
		session      store.CandidateSession // of late@example.com; cancelled
	}
	for _, write := range []struct {
		name string
		hold string // a statement whose lock makes the write wait
		late func(ctx context.Context, f fixture) (store.CandidateSession, error)
	}{
		{"an invite at a unique index", `
			INSERT INTO candidate_sessions (id, organization_id, assessment_id, assessment_title, candidate_name,
				candidate_email, candidate_email_key, metadata, status, attempt, invite_generation, extra_time_percent,
				invited_at, expires_at, progress, created_at, updated_at)
			SELECT 'ses_held', organization_id, assessment_id, assessment_title, candidate_name,
				candidate_email, candidate_email_key, metadata, 'CANCELLED', attempt + 1, 1, 0,
				invited_at, expires_at, progress, created_at, updated_at
			FROM candidate_sessions WHERE candidate_email_key = 'late@example.com'`,
			func(ctx context.Context, f fixture) (store.CandidateSession, error) {
				return inviteTo(ctx, f.s, f.scope, f.assessmentID, "late@example.com")
			}},
		{"an erasure at the rows of its events", `SELECT id FROM events WHERE subject_id = (SELECT id FROM candidate_sessions
				WHERE candidate_email_key = 'late@example.com') FOR UPDATE`,
			func(ctx context.Context, f fixture) (store.CandidateSession, error) {
				if err := f.s.EraseCandidateData(ctx, f.scope, f.session.ID); err != nil {
					return store.CandidateSession{}, err
				}
				return f.s.RetrieveCandidateSession(ctx, f.scope, f.session.ID)
			}},
	} {
		for name, replicas := range map[string]int{"one replica": 1, "another replica": 2} {
			t.Run(write.name+", "+name, func(t *testing.T) {
				t.Parallel()
				clock := storetest.NewClock()
				f := fixture{url: storetest.URL(t, "postgres")} // on SQLite, writes commit in order
				f.s = storetest.OpenURL(t, f.url, clock.Now)
				reader := f.s
				if replicas > 1 {
					reader = storetest.OpenURL(t, f.url, clock.Now)
				}
				f.scope, f.assessmentID = published(t, f.s)
				var err error
				if f.session, err = inviteTo(t.Context(), f.s, f.scope, f.assessmentID, "late@example.com"); err != nil {
					t.Fatal(err)
				}
				if _, err := f.s.CancelCandidateSession(t.Context(), f.scope, f.session.ID); err != nil {
					t.Fatal(err)
				}
				clock.Advance(time.Minute)

				release := hold(t, f.url, write.hold)
				late := make(chan store.CandidateSession, 1)
				go func() {
					session, err := write.late(t.Context(), f)
					if err != nil {
						t.Error(err)
					}
					late <- session
				}()
				storetest.AwaitLocks(t, f.url, 1)
				clock.Advance(2 * time.Second)
				faster, err := inviteTo(t.Context(), reader, f.scope, f.assessmentID, "faster@example.com")
				if err != nil {
					t.Fatal(err)
				}
				newest := faster.UpdatedAt.Time
				if got := changedSince(t, reader, f.scope, newest); len(got) != 1 || got[0].ID != faster.ID {
					t.Fatalf("%d sessions are listed, want only the one that committed first", len(got))
				}
				release()
				session := <-late
				if !session.UpdatedAt.Before(newest) {
					t.Fatalf("the late write has the time %s, want one before %s", session.UpdatedAt, newest)
				}
				clock.Advance(5 * time.Minute)
				if !has(changedSince(t, reader, f.scope, newest), session.ID) {
					t.Error("the write that committed late is not listed")
				}
			})
		}
	}
}

// A client lists the changes repeatedly, each time from the newest time it has
// received. It must receive the last state of every session.
func TestUpdatedSinceUnderLoad(t *testing.T) {
	t.Parallel()
	const (
		writes    = 25 // per writer
		writeTime = 3 * time.Second
	)
	storetest.Each(t, func(t *testing.T, database string) {
		url := storetest.URL(t, database)
		replicas := []*store.Store{storetest.OpenURL(t, url, time.Now), storetest.OpenURL(t, url, time.Now)}
		scope, assessmentID := published(t, replicas[0])
		var writers sync.WaitGroup
		var written atomic.Int64
		end := time.Now().Add(writeTime)
		for w := range 6 {
			s := replicas[w%len(replicas)]
			writers.Go(func() {
				for i := 0; i < writes && time.Now().Before(end); i++ {
					session, err := inviteTo(t.Context(), s, scope, assessmentID, fmt.Sprintf("c%d-%d@example.com", w, i))
					if err == nil && i%2 == 0 {
						_, err = s.CancelCandidateSession(t.Context(), scope, session.ID)
					}
					if err != nil {
						t.Error(err)
					}
					written.Add(1)
				}
			})
		}
		done := make(chan struct{})
		go func() { writers.Wait(); close(done) }()

		seen, newest, polls := map[string]time.Time{}, time.Unix(0, 0), 0
		poll := func() {
			for _, session := range changedSince(t, replicas[0], scope, newest) {
				seen[session.ID] = session.UpdatedAt.Time
				if session.UpdatedAt.After(newest) {
					newest = session.UpdatedAt.Time
				}
			}
			polls++
		}
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			poll()
		}
		all := changedSince(t, replicas[0], scope, time.Unix(0, 0))
		if int64(len(all)) != written.Load() || len(seen) != len(all) {
			t.Errorf("%d sessions were written, %d are listed, and %d were seen", written.Load(), len(all), len(seen))
		}
		for _, session := range all {
			if !seen[session.ID].Equal(session.UpdatedAt.Time) {
				t.Errorf("the last state of %s was not seen", session.ID)
			}
		}
		t.Logf("%d polls during %d writes", polls, len(all))
	})
}

// A write that could commit later than the overlap must be refused as unavailable.
// The client can then try it again.
func TestWriteThatTakesTooLongIsRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		var slow atomic.Bool
		s := storetest.Open(t, database, func() time.Time {
			if slow.Load() {
				clock.Advance(overlap/2 + time.Second) // each step takes this long
			}
			return clock.Now()
		})
		scope, assessmentID := published(t, s)
		session, err := inviteTo(t.Context(), s, scope, assessmentID, "slow@example.com")
		if err != nil {
			t.Fatal(err)
		}
		slow.Store(true)
		_, err = s.CancelCandidateSession(t.Context(), scope, session.ID)
		slow.Store(false)
		var refusal *store.Error
		if !errors.As(err, &refusal) || refusal.Kind != store.Unavailable || refusal.Code != "unavailable" {
			t.Errorf("the error is %v, want a refusal as unavailable", err)
		}
		got, err := s.RetrieveCandidateSession(t.Context(), scope, session.ID)
		if err != nil || got.Status != rules.SessionInvited || !got.UpdatedAt.Equal(session.UpdatedAt.Time) {
			t.Errorf("the session is %s since %s, error %v", got.Status, got.UpdatedAt, err)
		}
		if _, err := s.CancelCandidateSession(t.Context(), scope, session.ID); err != nil {
			t.Errorf("the second attempt: %v", err)
		}
	})
}
