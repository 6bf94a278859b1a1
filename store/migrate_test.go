package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"assay/store"
	"assay/store/keys"
	"assay/store/storetest"
)

var freshCreated atomic.Int64

// freshURL returns the URL of an empty database. No migration has been applied to it.
func freshURL(t *testing.T, database string) string {
	t.Helper()
	if database == "sqlite" {
		return "sqlite:" + filepath.Join(t.TempDir(), "fresh.db")
	}
	base := os.Getenv("TEST_DATABASE_URL")
	admin, err := sql.Open("postgres", base)
	if err != nil {
		t.Fatal(err)
	}

	name := fmt.Sprintf("assay_fresh_%d_%d", os.Getpid(), freshCreated.Add(1))
	if _, err := admin.ExecContext(t.Context(), `CREATE DATABASE `+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(context.Background(), `DROP DATABASE `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
		if err := admin.Close(); err != nil {
			t.Error(err)
		}
	})

	fresh, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	fresh.Path = "/" + name
	return fresh.String()
}

// open opens a store without applying the migrations.
func open(t *testing.T, databaseURL string, options ...func(*store.Options)) *store.Store {
	t.Helper()
	keys, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	opts := store.Options{
		DatabaseURL: databaseURL, Keys: keys, BaseURL: "https://assay.test", Now: storetest.NewClock().Now,
		Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	}
	for _, option := range options {
		option(&opts)
	}
	s, err := store.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// register registers an organization, which writes and reads rows.
func register(t *testing.T, s *store.Store, email string) error {
	t.Helper()
	_, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: email, Password: "a long and good pass phrase",
	})
	return err
}

// Several replicas can start at the same time on an empty database. Each of them
// migrates, and all migrations must be applied once.
func TestStoresMigrateOneDatabaseAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		const processes = 4
		address := freshURL(t, database)
		var stores []*store.Store
		for range processes {
			stores = append(stores, open(t, address))
		}
		if err := stores[0].Ready(t.Context()); err == nil {
			t.Error("a store is ready before the migrations have been applied")
		}

		var started sync.WaitGroup
		errs := make([]error, processes)
		for i, s := range stores {
			started.Go(func() { errs[i] = s.Migrate(t.Context()) })
		}
		started.Wait()

		for i, s := range stores {
			if errs[i] != nil {
				t.Errorf("store %d: %v", i, errs[i])
				continue
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Errorf("store %d: not ready: %v", i, err)
			}
			migrations, err := s.Migrations(t.Context())
			if err != nil || len(migrations) == 0 {
				t.Errorf("store %d: the migrations are %v, error %v", i, migrations, err)
			}
			for _, migration := range migrations {
				if migration.AppliedAt == nil {
					t.Errorf("store %d: %s is pending", i, migration.Name)
				}
			}
			if err := register(t, s, fmt.Sprintf("ada%d@example.com", i)); err != nil {
				t.Errorf("store %d: %v", i, err)
			}
		}

		// Each store has registered one address, and must see the addresses of all others.
		for i, s := range stores {
			for j := range stores {
				email := fmt.Sprintf("ada%d@example.com", j)
				if _, err := s.Login(t.Context(), store.Scope{},
					store.Credentials{Email: email, Password: "a long and good pass phrase"}); err != nil {
					t.Errorf("store %d does not see what store %d wrote: %v", i, j, err)
				}
			}
			if err := s.Migrate(t.Context()); err != nil {
				t.Errorf("store %d: the second migration fails: %v", i, err)
			}
		}
	})
}

// All migrations can be applied through a pooler, also one that gives each transaction another connection.
func TestMigrationsBehindPgBouncer(t *testing.T) {
	t.Parallel()
	for _, mode := range storetest.Poolings {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			address, pooling := storetest.PgBouncer(t, mode, freshURL(t, "postgres"))
			var started sync.WaitGroup
			for range 2 {
				s := open(t, address, pooling)
				started.Go(func() {
					if err := s.Migrate(t.Context()); err != nil {
						t.Error(err)
					} else if err := s.Ready(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			started.Wait()
			if err := register(t, open(t, address, pooling), "ada@example.com"); err != nil {
				t.Error(err)
			}
		})
	}
}

// Invitations that a version before the first release has written to the table of accounts can be accepted, and no
// longer block their address.
func TestInvitationsBeforeTheFirstReleaseAreMoved(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		address := freshURL(t, database)
		s := open(t, address)
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		const password = "a long and good pass phrase"
		owner, err := s.Register(t.Context(), store.Scope{}, store.Registration{
			OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: "ada@example.com", Password: password,
		})
		if err != nil {
			t.Fatal(err)
		}
		scope := store.Scope{OrganizationID: owner.User.OrganizationID, UserID: owner.User.ID, Role: store.Owner}
		for email, remaining := range map[string]string{"once@example.com": "", "twice@example.com": s.NewID("usr")} {
			invited, err := s.CreateMember(t.Context(), scope, store.NewMember{
				Name: "Grace Hopper", Email: email, Role: store.Admin,
			})
			if err != nil {
				t.Fatal(err)
			}
			storetest.UnmoveInvitation(t, address, invited.ID, remaining)
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, token, _ := strings.Cut(invited.InvitationURL, "#")
			joined, err := s.AcceptInvitation(t.Context(), store.Scope{}, token, password)
			if err != nil {
				t.Fatalf("%s: %v", email, err)
			}
			if joined.User.ID != invited.ID || joined.User.Email != email || joined.User.Role != store.Admin {
				t.Errorf("the invited person is %+v, want %+v", joined.User, invited.Person)
			}
		}
		people, more, err := s.ListMembers(t.Context(), scope, store.Page{Limit: 10})
		if err != nil || more || len(people) != 3 {
			t.Errorf("%d people, more=%t, error %v; want 3", len(people), more, err)
		}
	})
}
