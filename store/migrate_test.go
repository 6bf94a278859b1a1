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
	"testing"

	"assay/store/keys"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"assay/store"
	"assay/store/storetest"
)

// freshURL is the URL of a database in which nothing is yet, not even the
// migrations' own table.
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
	name := fmt.Sprintf("assay_fresh_%d", os.Getpid())
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

// open opens a store as a process of its own would, without migrating.
func open(t *testing.T, databaseURL string) *store.Store {
	t.Helper()
	keys, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{
		DatabaseURL: databaseURL, Keys: keys, BaseURL: "https://assay.test", Now: storetest.NewClock().Now,
		Passwords: store.PasswordCost{MemoryKiB: 64, Passes: 1},
	})
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

// register makes an organization, so that something is written and read.
func register(t *testing.T, s *store.Store, email string) error {
	t.Helper()
	_, err := s.Register(t.Context(), store.Scope{}, store.Registration{
		OrganizationName: "Analytical Engines", Name: "Ada Lovelace", Email: email, Password: "a long and good pass phrase",
	})
	return err
}

// Replicas start together, and on the first start none of them finds a table.
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
			t.Error("ready before it is migrated")
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
				t.Errorf("store %d: migrations %v, %v", i, migrations, err)
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
		// Each address was written once, by whichever store; all of them see it.
		for i, s := range stores {
			for j := range stores {
				if _, err := s.Login(t.Context(), store.Scope{}, fmt.Sprintf("ada%d@example.com", j), "a long and good pass phrase"); err != nil {
					t.Errorf("store %d does not see what store %d wrote: %v", i, j, err)
				}
			}
			if err := s.Migrate(t.Context()); err != nil {
				t.Errorf("store %d: migrating once more: %v", i, err)
			}
		}
	})
}

// A path is a path: what means something in a URL means nothing in it.
func TestSQLitePathIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"plain.db", "with space.db", "what?.db", "a?_pragma=query_only(1).db", "a#b.db", "100%.db", "a%20b.db", "ä😀.db", "a&b=c;d.db", "a'b\".db", "a:b.db", "file:x.db",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "in "+name)
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			address := "sqlite:" + filepath.Join(folder, name)
			first, second := open(t, address), open(t, address)
			if err := first.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := register(t, first, "ada@example.com"); err != nil {
				t.Fatal(err)
			}
			if _, err := second.Login(t.Context(), store.Scope{}, "ada@example.com", "a long and good pass phrase"); err != nil {
				t.Errorf("the second store is on another file: %v", err)
			}
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, entry := range entries {
				found = found || entry.Name() == name
				if !strings.HasPrefix(entry.Name(), name) {
					t.Errorf("a file %s", entry.Name())
				}
			}
			if !found {
				t.Errorf("no file of that name among %v", entries)
			}
		})
	}
}

// In memory each store has a database of its own, which its one connection keeps.
func TestSQLiteInMemory(t *testing.T) {
	t.Parallel()
	first, second := open(t, "sqlite::memory:"), open(t, "sqlite::memory:")
	for _, s := range []*store.Store{first, second} {
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := register(t, s, "ada@example.com"); err != nil {
			t.Errorf("not a database of its own: %v", err)
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestDatabaseURLIsCheckedWithoutBeingQuoted(t *testing.T) {
	t.Parallel()
	keys, err := keys.New(storetest.Secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"", "assay.db", "mysql://u:topsecret@localhost/a", "postgres//u:topsecret@localhost/a", "postgres://u:topsecret@local host/a",
		"postgres://u:topsecret@%zz/a", "postgres://u:topsecret@127.0.0.1:1/a?sslmode=disable", "sqlite:" + filepath.Join(t.TempDir(), "missing", "a.db"),
	} {
		s, err := store.Open(t.Context(), store.Options{DatabaseURL: address, Keys: keys, Now: storetest.NewClock().Now})
		if err == nil {
			t.Errorf("%s is opened", address)
			_ = s.Close()
		} else if strings.Contains(err.Error(), "topsecret") {
			t.Errorf("the password is told: %v", err)
		}
	}
}

// What may succeed when it is asked for again is told from faults of the service.
func TestIsUnavailable(t *testing.T) {
	t.Parallel()
	for code, want := range map[pqerror.Code]bool{
		"08006": true, "40001": true, "40P01": true, "53300": true, "57P01": true, "25006": true,
		"22P05": false, "23505": false, "25P02": false, "42601": false, "P0001": false, "XX000": false,
	} {
		if got := store.IsUnavailable(fmt.Errorf("wrapped: %w", &pq.Error{Code: code})); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
