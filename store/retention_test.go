package store_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// A request can reuse an expired Idempotency-Key while the purge waits for the
// key's row. The purge must then keep the row.
func TestPurgeKeepsReusedIdempotencyKeys(t *testing.T) {
	t.Parallel()
	clock, address := storetest.NewClock(), storetest.URL(t, "postgres")
	s := storetest.OpenURL(t, address, clock.Now)
	scope := store.Scope{Once: &store.Once{Operation: "register", Key: "one", Fingerprint: sha256.Sum256(nil)}}
	if _, err := s.Register(t.Context(), scope, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: "ada@example.com",
		Password: "a long and good pass phrase",
	}); err != nil {
		t.Fatal(err)
	}

	clock.Advance(25 * time.Hour)
	commit := storetest.Change(t, address, `UPDATE idempotency_keys SET created_at = '`+store.WireTime(s.Now())+`'`)
	purged := make(chan error)
	go func() { purged <- storetest.Purge(t.Context(), s, time.Hour) }()
	storetest.AwaitLocks(t, address, 1)
	commit()
	if err := <-purged; err != nil {
		t.Fatal(err)
	}

	if kept := storetest.Count(t, address, "idempotency_keys"); kept != 1 {
		t.Errorf("the purge keeps %d keys, want the reused one", kept)
	}
}

// Ended emails to members are deleted after 30 days. Queued ones, and those of sessions, stay.
func TestPurgeOfEmails(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		s := storetest.OpenURL(t, address, clock.Now, func(opts *store.Options) { opts.SendsEmail = true })
		scope, assessmentID := published(t, s)
		send := true
		if _, err := s.CreateCandidateSession(t.Context(), scope, store.Invite{
			AssessmentID: assessmentID, CandidateName: "C", CandidateEmail: "c@quay.example", SendEmail: &send,
		}); err != nil {
			t.Fatal(err)
		}
		request := func() {
			t.Helper()
			if err := s.ForgotPassword(t.Context(), store.Scope{}, "ana@quay.example"); err != nil {
				t.Fatal(err)
			}
		}
		request()
		for _, status := range []store.EmailStatus{store.EmailSent, store.EmailFailed} {
			email, err := s.UnscopedClaimEmail(t.Context(), "", "lease", s.Now().Add(time.Minute))
			if err != nil || email == nil {
				t.Fatalf("no email is ready: %v", err)
			}
			if _, err := s.UnscopedSettleEmail(t.Context(), store.EmailOutcome{Email: *email, Status: status}); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(30 * 24 * time.Hour)
		request()

		for _, after := range []struct {
			wait time.Duration
			want []string
		}{
			{0, []string{"INVITE SENT", "PASSWORD_RESET FAILED", "PASSWORD_RESET QUEUED"}},
			{time.Millisecond, []string{"INVITE SENT", "PASSWORD_RESET QUEUED"}},
		} {
			clock.Advance(after.wait)
			if err := storetest.Purge(t.Context(), s, 90*24*time.Hour); err != nil {
				t.Fatal(err)
			}
			kept := slices.DeleteFunc(storetest.Column(t, address, "emails", "kind || ' ' || status"),
				func(row string) bool { return strings.HasPrefix(row, "REMINDER") })
			if slices.Sort(kept); !slices.Equal(kept, after.want) {
				t.Errorf("%s later, the purge keeps %q, want %q", after.wait, kept, after.want)
			}
		}
	})
}

// Replicas create and drop partitions at the same time. The one that comes second has nothing to do.
func TestReplicasPurgeAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		var replicas []*store.Store
		for range 4 {
			replicas = append(replicas, storetest.OpenURL(t, address, clock.Now))
		}
		for range 10 {
			clock.Advance(24 * time.Hour)
			done := make(chan error)
			for _, replica := range replicas {
				go func() {
					created := replica.UnscopedCreatePartitions(t.Context())
					done <- errors.Join(created, storetest.Purge(t.Context(), replica, time.Hour))
				}()
			}
			for range replicas {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		}
	})
}
