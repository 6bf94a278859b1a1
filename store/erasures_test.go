package store_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/journal"
	"assay/store/storetest"
)

// journaled is a store with a journal, and an organization with a candidate.
type journaled struct {
	*store.Store
	t       *testing.T
	clock   *storetest.Clock
	address string
	path    string // of the journal
	log     *bytes.Buffer
	scope   store.Scope
	session store.CandidateSession
}

func eachJournaled(t *testing.T, test func(t *testing.T, j *journaled)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		j := &journaled{
			t: t, clock: storetest.NewClock(), address: storetest.URL(t, database),
			path: filepath.Join(t.TempDir(), "erasures"), log: &bytes.Buffer{},
		}
		j.Store = storetest.OpenURL(t, j.address, j.clock.Now, func(opts *store.Options) {
			opts.Erasures, opts.Log = journal.New(j.path), slog.New(slog.NewJSONHandler(j.log, nil))
		})
		var assessmentID string
		j.scope, assessmentID = published(t, j.Store)
		var err error
		j.session, err = inviteTo(t.Context(), j.Store, j.scope, assessmentID, "c@quay.example")
		j.must(err)
		test(t, j)
	})
}

func (j *journaled) must(err error) {
	j.t.Helper()
	if err != nil {
		j.t.Fatal(err)
	}
}

// erasures returns what the journal has, and what is pending.
func (j *journaled) erasures() (written []journal.Erasure, pending []string) {
	j.t.Helper()
	_, err := journal.ReadFile(j.path, func(e journal.Erasure) error {
		written = append(written, e)
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		j.t.Fatal(err)
	}
	return written, storetest.Column(j.t, j.address, "pending_erasures", "id")
}

// wantWritten checks that the journal and the log have the erasures, and that none is pending.
func (j *journaled) wantWritten(want ...journal.Erasure) {
	j.t.Helper()
	written, pending := j.erasures()
	if !slices.Equal(written, want) || len(pending) > 0 {
		j.t.Errorf("the journal has %v, want %v; pending are %q", written, want, pending)
	}
	var logged []journal.Erasure
	if _, err := journal.Read(bytes.NewReader(j.log.Bytes()), func(e journal.Erasure) error {
		logged = append(logged, e)
		return nil
	}); err != nil || !slices.Equal(logged, want) {
		j.t.Errorf("the log has %v, want %v (%v)", logged, want, err)
	}
}

func (j *journaled) erased(at time.Time) journal.Erasure {
	return journal.Erasure{
		Kind: journal.Session, OrganizationID: j.scope.OrganizationID, ID: j.session.ID, At: at,
	}
}

func (j *journaled) erasedOrganization(at time.Time) journal.Erasure {
	id := j.scope.OrganizationID
	return journal.Erasure{Kind: journal.Organization, OrganizationID: id, ID: id, At: at}
}

func TestErasureIsInTheJournal(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		at := j.Now()
		for range 2 { // the second erasure has nothing to erase
			j.must(j.EraseCandidateData(t.Context(), j.scope, j.session.ID))
			j.clock.Advance(time.Minute)
			j.wantWritten(j.erased(at))
		}
	})
}

// An erasure succeeds without its journal, and the job writes it as soon as it can. A process that ends between the
// commit and the journal leaves the same row.
func TestErasureWaitsForTheJournal(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		j.must(os.Mkdir(j.path, 0o700))
		at := j.Now()
		j.must(j.EraseCandidateData(t.Context(), j.scope, j.session.ID))
		oldest, err := j.UnscopedOldestErasure(t.Context())
		if err != nil || oldest == nil || !oldest.Equal(at) {
			t.Errorf("the oldest erasure waits since %v, %v, want %s", oldest, err, at)
		}
		if _, err := j.UnscopedWriteErasures(t.Context()); !errors.Is(err, journal.ErrNoFile) {
			t.Errorf("the job has the error %v", err)
		}
		if !strings.Contains(j.log.String(), "not in the journal") {
			t.Errorf("the log does not say it: %s", j.log)
		}

		j.must(os.Remove(j.path))
		for range 2 {
			more, err := j.UnscopedWriteErasures(t.Context())
			if more || err != nil {
				t.Errorf("more %t, %v", more, err)
			}
			j.wantWritten(j.erased(at))
		}
		if oldest, err := j.UnscopedOldestErasure(t.Context()); oldest != nil || err != nil {
			t.Errorf("an erasure waits since %v, %v", oldest, err)
		}
	})
}

// A session that the journal says was erased is erased with the time of the first erasure, once, by one event.
func TestEraseSessionAgain(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		at := j.Now()
		j.clock.Advance(time.Hour)
		lines := []journal.Erasure{
			j.erased(at), j.erased(at),
			{Kind: journal.Session, OrganizationID: j.scope.OrganizationID, ID: "ses_unknown", At: at},
			{Kind: journal.Organization, OrganizationID: "org_unknown", ID: "org_unknown", At: at},
		}
		for _, want := range []store.ErasedAgain{{Sessions: 1}, {}, {}} {
			if done, err := j.UnscopedEraseAgain(t.Context(), lines); err != nil || done != want {
				t.Errorf("erased %+v, %v, want %+v", done, err, want)
			}
		}
		j.wantWritten(j.erased(at))

		session, err := j.RetrieveCandidateSession(t.Context(), j.scope, j.session.ID)
		if err != nil || session.ErasedAt == nil || !session.ErasedAt.Equal(at) || session.CandidateName != "erased" ||
			session.Status != "CANCELLED" {
			t.Errorf("the session is %+v, %v", session, err)
		}
		events := storetest.Column(t, j.address, "events", "body")
		events = slices.DeleteFunc(events, func(body string) bool { return !strings.Contains(body, "candidate.erased") })
		if len(events) != 1 || !strings.Contains(events[0], `"erasedAt":"`+store.WireTime(at)+`"`) {
			t.Errorf("events: %q", events)
		}
		entries, _, err := j.ListAuditLog(t.Context(), j.scope,
			store.AuditFilter{Action: store.AuditCandidateDataErased}, store.Page{Limit: 10})
		if err != nil || len(entries) != 1 || entries[0].ResourceID != j.session.ID {
			t.Errorf("the audit log has %+v, %v", entries, err)
		}
	})
}

// An organization that was deleted is closed again, and nothing of it remains.
func TestEraseOrganizationAgain(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		at := j.Now()
		j.clock.Advance(time.Hour)
		for _, want := range []store.ErasedAgain{{Organizations: 1}, {}} {
			done, err := j.UnscopedEraseAgain(t.Context(), []journal.Erasure{j.erasedOrganization(at), j.erased(at)})
			if err != nil || done != want {
				t.Errorf("erased %+v, %v, want %+v", done, err, want)
			}
		}
		j.wantWritten(j.erasedOrganization(at))
		if more, err := j.UnscopedEraseOrganizations(t.Context()); more || err != nil {
			t.Errorf("the job erases it again: %t, %v", more, err)
		}
		for _, table := range storetest.TablesWith(t, j.address, "organization_id") {
			if rows := storetest.CountWhere(t, j.address, table, "organization_id", j.scope.OrganizationID); rows > 0 {
				t.Errorf("%s has %d rows of the organization", table, rows)
			}
		}
		if _, err := j.Login(t.Context(), store.Scope{},
			store.Credentials{Email: "ana@quay.example", Password: "a long and good pass phrase"}); err == nil {
			t.Error("its owner signs in")
		}
	})
}

// An erasure and its record happen together, or not at all. The record of an organization is written before anything is
// gone.
func TestErasureWithoutARecord(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		in, err := j.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Pier", Name: "Bo", Email: "bo@pier.example", Password: "a long and good pass phrase",
		})
		j.must(err)
		other := store.Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: store.Owner}
		_, err = j.CreateAPIKey(t.Context(), other, store.NewAPIKey{Name: "Pier", Scopes: []string{"assessments:read"}})
		j.must(errors.Join(err, j.DeleteOrganization(t.Context(), other)))
		j.clock.Advance(time.Minute) // requests end before the erasure
		end := storetest.Refuse(t, j.address, "audit_log")
		if err := j.EraseCandidateData(t.Context(), j.scope, j.session.ID); err == nil {
			t.Error("the session is erased without an audit entry")
		}
		end()
		j.wantWritten() // nothing

		end = storetest.Refuse(t, j.address, "pending_erasures")
		if err := j.EraseCandidateData(t.Context(), j.scope, j.session.ID); err == nil {
			t.Error("the session is erased")
		}
		if _, err := j.UnscopedEraseOrganizations(t.Context()); err == nil {
			t.Error("the organization is erased")
		}
		session, err := j.RetrieveCandidateSession(t.Context(), j.scope, j.session.ID)
		keys := storetest.CountWhere(t, j.address, "api_keys", "organization_id", other.OrganizationID)
		if err != nil || session.ErasedAt != nil || keys != 1 {
			t.Errorf("the session is %+v, %v; the organization has %d keys", session, err, keys)
		}

		end()
		if more, err := j.UnscopedEraseOrganizations(t.Context()); !more || err != nil {
			t.Errorf("the organization is not erased: %t, %v", more, err)
		}
		j.scope = other
		j.wantWritten(j.erasedOrganization(j.Now()))
	})
}

// The journal also gets the erasures of earlier releases.
func TestEarlierErasuresAreInTheJournal(t *testing.T) {
	t.Parallel()
	eachJournaled(t, func(t *testing.T, j *journaled) {
		in, err := j.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Pier", Name: "Bo", Email: "bo@pier.example", Password: "a long and good pass phrase",
		})
		j.must(err)
		at, other := j.Now(), store.Scope{OrganizationID: in.Organization.ID, UserID: in.User.ID, Role: store.Owner}
		j.must(j.EraseCandidateData(t.Context(), j.scope, j.session.ID))
		j.must(j.DeleteOrganization(t.Context(), other))
		j.clock.Advance(time.Minute)
		_, err = j.UnscopedEraseOrganizations(t.Context())
		j.must(errors.Join(err, os.Remove(j.path)))
		j.log.Reset()

		storetest.UndoErasureJournal(t, j.address)
		j.must(j.Migrate(t.Context()))
		_, err = j.UnscopedWriteErasures(t.Context())
		j.must(err)
		want := []journal.Erasure{j.erased(at)}
		j.scope = other
		j.wantWritten(append(want, j.erasedOrganization(j.Now()))...)
	})
}
