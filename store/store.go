// Package store holds Assay's rows, the SQL that reads and writes them, and the
// rules that decide. It knows no HTTP. Its one type is Store; there is one file
// per tag of openapi.yaml, and the method that serves an operation has the
// operation's name.
//
// Each exported method is one transaction. A method takes the caller's Scope
// straight after the context and sees that organization only; the few that
// cross organizations begin with Unscoped.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"assay/store/internal/db"
	"assay/store/keys"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Options are what a Store is opened with.
type Options struct {
	// DatabaseURL is postgres://… for PostgreSQL, sqlite:PATH for a file, or
	// sqlite::memory: for a database that is gone when the store is closed.
	DatabaseURL string
	// Keys derive invite tokens; see Keys.
	Keys *keys.Ring
	// BaseURL is the service's address without a trailing slash, for the links
	// that events and sessions carry.
	BaseURL string
	// AllowInsecureWebhooks permits http and private addresses; for development only.
	AllowInsecureWebhooks bool
	// Now is the clock. All rules of time go by it.
	Now func() time.Time
	// Passwords is the cost of a password hash; the zero value means DefaultPasswordCost.
	Passwords PasswordCost
	// SignInLimits bound sign-ins and registrations; the zero value does not.
	SignInLimits SignInLimits
	// Log receives what no caller can be told, such as a sweep that failed.
	Log *slog.Logger
}

// Store is the database of the service. It is safe for concurrent use.
type Store struct {
	db   *db.DB
	opts Options
	ids  idSource

	definitions  *lru.Cache[string, *Assessment]
	credentials  *credentialCache
	passwords    *passwordHasher
	wake         *wake
	copiesRemain atomic.Bool // of erased rows, in SQLite's files
	// maxAutomaticVacuum is the size in bytes of a SQLite file up to which an erasure vacuums it.
	maxAutomaticVacuum int64
	running            sync.Map // of ticket.lock to true: the requests with an Idempotency-Key that run in this process
}

// definitionCacheSize bounds the parsed assessments that are kept: at the
// largest definition accepted (1 MiB) it is about half a gigabyte, at a usual
// one (50 KiB) about 25 MiB.
const definitionCacheSize = 256

// Open connects to the database. It does not migrate: see Migrate.
func Open(ctx context.Context, opts Options) (*Store, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	definitions, err := lru.New[string, *Assessment](definitionCacheSize)
	if err != nil {
		return nil, err
	}
	credentials, err := newCredentialCache()
	if err != nil {
		return nil, err
	}
	passwords, err := newPasswordHasher(opts.Passwords)
	if err != nil {
		return nil, err
	}
	database, err := db.Open(ctx, db.Options{URL: opts.DatabaseURL, Now: opts.Now, Log: opts.Log})
	if err != nil {
		return nil, err
	}
	return &Store{
		db: database, opts: opts, definitions: definitions, credentials: credentials, passwords: passwords, wake: newWake(database),
		maxAutomaticVacuum: maxAutomaticVacuum,
	}, nil
}

// Close closes every connection.
func (s *Store) Close() error {
	s.wake.close()
	return s.db.Close()
}

// Keys are the keys that the store was opened with.
func (s *Store) Keys() *keys.Ring { return s.opts.Keys }

// Now is the store's clock in UTC, in the milliseconds that the wire carries.
func (s *Store) Now() time.Time { return s.opts.Now().UTC().Truncate(time.Millisecond) }

// Ready reports whether the database answers and is migrated.
func (s *Store) Ready(ctx context.Context) error {
	pending, err := s.PendingMigrations(ctx)
	if err != nil {
		return err
	}
	if pending > 0 {
		return fmt.Errorf("%d migrations are pending", pending)
	}
	return nil
}

// conn runs the statements of the store, on a pool or in a transaction.
type conn struct {
	db.Conn
	store *Store
}

func (s *Store) read() conn { return conn{s.db.Read(), s} }

// autocommit runs each statement in a transaction of its own.
func (s *Store) autocommit() conn { return conn{s.db.Autocommit(), s} }

// write runs fn in one transaction; see db.DB.Write for what fn must observe.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	err := s.db.Write(ctx, func(c db.Conn) error { return fn(conn{c, s}) })
	if errors.Is(err, db.ErrWriteTooLong) {
		return errWriteTooLong
	}
	return err
}

// commitThenRefuse refuses a request, and commits what its transaction wrote,
// such as a deadline that had passed.
func commitThenRefuse(refusal error) error { return db.CommitThenRefuse(refusal) }

// IsUnavailable reports whether err says that the database cannot be reached or
// accepts no writes at present, so that the same request may succeed later.
func IsUnavailable(err error) bool { return db.IsUnavailable(err) }
