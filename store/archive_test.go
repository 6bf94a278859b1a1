package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/archive"
	"assay/store/storetest"
)

const archivePassphrase = "a passphrase for archives"

// cheapArchive are options whose passphrase costs little to try.
func cheapArchive(organizationID string) store.ArchiveOptions {
	return store.ArchiveOptions{OrganizationID: organizationID, Passphrase: archivePassphrase, WorkFactor: 4}
}

// eachMove runs the test with databases of each kind as the source and the destination.
func eachMove(t *testing.T, test func(t *testing.T, from, to string)) {
	t.Helper()
	for _, from := range storetest.Databases {
		for _, to := range storetest.Databases {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				test(t, from, to)
			})
		}
	}
}

// exported returns the archive of an organization, or of everything.
func exported(t *testing.T, s *store.Store, organizationID string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := s.UnscopedExport(t.Context(), &out, cheapArchive(organizationID)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func importArchive(ctx context.Context, s *store.Store, content []byte) (store.Archived, error) {
	return s.UnscopedImport(ctx, bytes.NewReader(content), cheapArchive(""))
}

// candidates invites people. The statistics have counted half of the sessions.
func candidates(t *testing.T, s *store.Store, scope store.Scope, assessmentID string, n int) {
	t.Helper()
	for i := range n {
		if i == n/2 {
			for folded := 1; folded > 0; {
				var err error
				if folded, err = s.UnscopedFoldStatistics(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := inviteTo(t.Context(), s, scope, assessmentID, fmt.Sprintf("c%d@quay.example", i)); err != nil {
			t.Fatal(err)
		}
	}
}

// Each table and column of the schema is in archives, with the type that PostgreSQL knows, or is left out for a reason.
func TestArchiveKnowsSchema(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{
		"text": "text", "int": "bigint integer", "bool": "boolean", "float": "double precision",
		"time": "timestamp with time zone", "bytes": "bytea", "secret": "bytea",
	}
	for _, database := range storetest.Databases {
		address := storetest.URL(t, database)
		known := map[string]archive.Table{}
		for _, table := range store.ArchivedTables() {
			known[table.Name] = table
		}
		present := storetest.Schema(t, address)
		for name, columns := range present {
			table, archived := known[name]
			switch reason := store.NotArchived(name); {
			case archived == (reason != ""):
				t.Errorf("%s: the table %s must be in archived, or in notArchived with a reason", database, name)
				continue
			case !archived:
				continue
			}
			for column, kind := range columns {
				n := table.Column(column)
				switch {
				case n < 0 && store.NotArchived(name+"."+column) == "":
					t.Errorf("%s: the column %s of %s must be in archived, or in notArchived with a reason", database, column, name)
				case n >= 0 && database == "postgres" && !strings.Contains(kinds[string(table.Columns[n].Kind)], kind):
					t.Errorf("the column %s of %s is %s in archived, and %s in the database", column, name,
						table.Columns[n].Kind, kind)
				}
			}
			for _, column := range table.Columns {
				elsewhere := database == "postgres" && name == "candidate_sessions" && column.Name == "noted_at"
				if _, found := columns[column.Name]; !found && !elsewhere {
					t.Errorf("%s: archived has the column %s of %s, and the database does not", database, column.Name, name)
				}
			}
			delete(known, name)
		}
		for name := range known {
			t.Errorf("%s: archived has the table %s, and the database does not", database, name)
		}
	}
}

// An installation moves between the two databases, and back, with other master secrets.
func TestMoveInstallation(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, assessmentID := published(t, old)
		candidates(t, old, scope, assessmentID, 300)
		hook, err := old.CreateWebhook(t.Context(), scope, store.NewWebhook{
			URL: "https://hooks.example.com/assay", Events: []string{"assessment.published"},
		})
		if err != nil {
			t.Fatal(err)
		}
		content := exported(t, old, "")

		address := storetest.URL(t, to)
		moved := storetest.OpenSecret(t, address, clock.Now, strings.Repeat("another-secret-", 3), storetest.Secret)
		done, err := importArchive(t.Context(), moved, content)
		if err != nil || done.Already || done.Organizations != 1 || done.Rows < 300 {
			t.Fatalf("%+v: %v", done, err)
		}
		target, err := moved.TestWebhook(t.Context(), scope, hook.ID)
		if err != nil || target.Secret != hook.ShownSecret {
			t.Errorf("the secret of the endpoint is %q, want %q (%v)", target.Secret, hook.ShownSecret, err)
		}
		if unfinished, err := moved.UnscopedUnfinishedImport(t.Context()); unfinished || err != nil {
			t.Errorf("the import is unfinished: %v", err)
		}
		// The test of the endpoint is an entry of the audit log.
		if _, err := importArchive(t.Context(), moved, content); !errors.Is(err, store.ErrImportRefused) {
			t.Errorf("a second import after a change: %v", err)
		}
		back := storetest.Open(t, from, clock.Now)
		if _, err := importArchive(t.Context(), back, exported(t, moved, "")); err != nil {
			t.Errorf("back: %v", err)
		}
	})
}

// A repeated import changes nothing.
func TestImportTwice(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, assessmentID := published(t, old)
		candidates(t, old, scope, assessmentID, 20)
		content := exported(t, old, scope.OrganizationID)
		address := storetest.URL(t, to)
		moved := storetest.OpenURL(t, address, clock.Now)
		if _, err := importArchive(t.Context(), moved, content); err != nil {
			t.Fatal(err)
		}
		before := storetest.Contents(t, address, "users", "candidate_sessions", "statistics_queue", "audit_log")
		done, err := importArchive(t.Context(), moved, content)
		if err != nil || !done.Already {
			t.Errorf("%+v: %v", done, err)
		}
		if storetest.Contents(t, address, "users", "candidate_sessions", "statistics_queue", "audit_log") != before {
			t.Error("the second import has changed rows")
		}
	})
}

// An import that ends after any table continues with the next one, and the result is the same.
func TestInterruptedImport(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, assessmentID := published(t, old)
		candidates(t, old, scope, assessmentID, 1000)
		content := exported(t, old, "")
		address := storetest.URL(t, to)
		moved := storetest.OpenURL(t, address, clock.Now)
		other := exported(t, old, scope.OrganizationID)

		for _, last := range []string{"organizations", "assessments", "candidate_sessions", "events"} {
			ctx, cancel := context.WithCancel(t.Context())
			opts := cheapArchive("")
			opts.Report = func(p store.ArchiveProgress) {
				if p.Step == "imported" && p.Table == last {
					cancel()
				}
			}
			_, err := moved.UnscopedImport(ctx, bytes.NewReader(content), opts)
			if cancel(); !errors.Is(err, context.Canceled) {
				t.Fatalf("after %s: %v", last, err)
			}
			if unfinished, err := moved.UnscopedUnfinishedImport(t.Context()); !unfinished || err != nil {
				t.Fatalf("after %s: the import is not unfinished: %v", last, err)
			}
			if _, err := importArchive(t.Context(), moved, other); !errors.Is(err, store.ErrUnfinishedImport) {
				t.Errorf("another archive: %v", err)
			}
		}
		if done, err := importArchive(t.Context(), moved, content); err != nil || done.Already {
			t.Fatalf("%+v: %v", done, err)
		}
		if done, err := importArchive(t.Context(), moved, content); err != nil || !done.Already {
			t.Errorf("%+v: %v", done, err)
		}
	})
}

// A discarded import leaves what was there before.
func TestDiscardedImport(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, assessmentID := published(t, old)
		candidates(t, old, scope, assessmentID, 300)
		content := exported(t, old, scope.OrganizationID)
		address := storetest.URL(t, to)
		moved := storetest.OpenURL(t, address, clock.Now)
		tables := slices.DeleteFunc(storetest.TablesWith(t, address, "organization_id"),
			func(table string) bool { return table == "candidate_session_words_position" })
		tables = append(tables, "organizations", "statistics_queue", "webhook_attempts", "unfinished_imports")
		before := storetest.Contents(t, address, tables...)

		ctx, cancel := context.WithCancel(t.Context())
		opts := cheapArchive("")
		opts.Report = func(p store.ArchiveProgress) {
			if p.Step == "verified" {
				cancel()
			}
		}
		if _, err := moved.UnscopedImport(ctx, bytes.NewReader(content), opts); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := moved.UnscopedDiscardImport(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := storetest.Contents(t, address, tables...); after != before {
			t.Errorf("what is left:\n%s", after)
		}
		if _, err := importArchive(t.Context(), moved, content); err != nil {
			t.Errorf("import after all: %v", err)
		}
	})
}

// An import is refused when it would change what others have, and leaves nothing then.
func TestRefusedImports(t *testing.T) {
	t.Parallel()
	eachMove(t, func(t *testing.T, from, to string) {
		clock := storetest.NewClock()
		old := storetest.Open(t, from, clock.Now)
		scope, _ := published(t, old)
		one, all := exported(t, old, scope.OrganizationID), exported(t, old, "")
		address := storetest.URL(t, to)
		moved := storetest.OpenURL(t, address, clock.Now)
		refused := func(what string, content []byte, want error, detail string) {
			t.Helper()
			_, err := importArchive(t.Context(), moved, content)
			if !errors.Is(err, want) || !strings.Contains(err.Error(), detail) {
				t.Errorf("%s: %v, want %v with %q", what, err, want, detail)
			}
			if unfinished, err := moved.UnscopedUnfinishedImport(t.Context()); unfinished || err != nil {
				t.Errorf("%s leaves an unfinished import (%v)", what, err)
			}
			if n := storetest.CountWhere(t, address, "organizations", "id", scope.OrganizationID); n > 0 {
				t.Errorf("%s leaves an organization", what)
			}
		}
		published(t, moved)
		refused("an installation into one", all, store.ErrImportRefused, "use a new database")
		refused("half of a file", one[:len(one)/2], archive.ErrDamaged, "")
		changed := bytes.Clone(one)
		changed[len(changed)/2] ^= 1
		refused("a changed file", changed, archive.ErrDamaged, "")
		if _, err := moved.UnscopedImport(t.Context(), bytes.NewReader(one),
			store.ArchiveOptions{Passphrase: "another passphrase"}); !errors.Is(err, archive.ErrPassphrase) {
			t.Errorf("another passphrase: %v", err)
		}
		if err := moved.UnscopedHeartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.Advance(10 * time.Second)
		if _, err := importArchive(t.Context(), moved, one); err == nil || !strings.Contains(err.Error(), "10s ago") {
			t.Errorf("beside a service: %v", err)
		}
	})
}

// Export and import work behind a pooler that gives each transaction another connection.
func TestArchiveBehindPooler(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	old := storetest.URL(t, "postgres")
	scope, assessmentID := published(t, storetest.OpenURL(t, old, clock.Now))
	behind, pooled := storetest.PgBouncer(t, "transaction", old)
	from := storetest.OpenURL(t, behind, clock.Now, pooled)
	candidates(t, from, scope, assessmentID, 100)
	content := exported(t, from, "")
	behind, pooled = storetest.PgBouncer(t, "transaction", storetest.URL(t, "postgres"))
	to := storetest.OpenURL(t, behind, clock.Now, pooled)
	for _, already := range []bool{false, true} {
		if done, err := importArchive(t.Context(), to, content); err != nil || done.Already != already {
			t.Errorf("%+v, want %t: %v", done, already, err)
		}
	}
}

// An archive of another schema is refused with the release that can import it.
func TestImportOfAnotherSchema(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock := storetest.NewClock()
		release := func(opts *store.Options) { opts.Release = "1.7.0" }
		old := storetest.OpenURL(t, storetest.URL(t, database), clock.Now, release)
		scope, _ := published(t, old)
		content := exported(t, old, scope.OrganizationID)
		address := storetest.URL(t, database)
		storetest.AddMigration(t, address, 99_999, 0, "2.0.0")
		newer := storetest.OpenURL(t, address, clock.Now)
		if _, err := importArchive(t.Context(), newer, content); !errors.Is(err, store.ErrImportRefused) ||
			!strings.Contains(err.Error(), "assay 1.7.0") {
			t.Error(err)
		}
	})
}

// A secret that no master secret decrypts is named, unless its endpoint is deleted.
func TestExportOfLostSecret(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		old := storetest.OpenURL(t, address, clock.Now)
		scope, _ := published(t, old)
		hook, err := old.CreateWebhook(t.Context(), scope, store.NewWebhook{
			URL: "https://hooks.example.com/assay", Events: []string{"assessment.published"},
		})
		if err != nil {
			t.Fatal(err)
		}
		lost := storetest.OpenSecret(t, address, clock.Now, strings.Repeat("another-secret-", 3))
		_, err = lost.UnscopedExport(t.Context(), &bytes.Buffer{}, cheapArchive(""))
		if !errors.Is(err, store.ErrSecretsLost) || !strings.Contains(err.Error(), hook.ID) {
			t.Errorf("the export with a lost secret: %v", err)
		}
		if err := lost.DeleteWebhook(t.Context(), scope, hook.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := importArchive(t.Context(), storetest.Open(t, database, clock.Now), exported(t, lost, "")); err != nil {
			t.Errorf("after the endpoint is deleted: %v", err)
		}
	})
}
