// Package store holds Assay's rows and the SQL that reads and writes them. It
// knows no HTTP. The files are named after the tags of openapi.yaml, and the
// method that serves an operation has the operation's name.
//
// A method takes the caller's Scope right after the context and sees only that
// organization. Methods whose names begin with Unscoped see all organizations.
// Register, Login, and AcceptInvitation also look for a person in all of them,
// because their callers have no organization yet.
//
// A method that changes something does so in one transaction. A method that uses
// several says so. Two kinds of writes always commit on their own: the count of a
// rate limit, and the last use of an API key.
package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"go.opentelemetry.io/otel/trace"

	"assay/store/internal/db"
	"assay/store/journal"
	"assay/store/keys"
	"assay/store/markdown"
	"assay/store/queue"
)

// Options configure a Store.
type Options struct {
	// DatabaseURL is postgres://… for PostgreSQL, sqlite:PATH for a file, or
	// sqlite::memory: for a database that ends with the store.
	DatabaseURL string
	// DatabaseReadURL is postgres://… of a streaming standby of PostgreSQL, or empty. Exports
	// and statistics are read there, as long as it is at most ten seconds behind.
	DatabaseReadURL string
	// Application names the process in pg_stat_activity, unless the URL does.
	Application string
	// TransactionPooling is for PostgreSQL behind a pooler that gives each transaction any
	// of its connections: nothing may outlast a transaction.
	TransactionPooling bool
	// Keys sign invite links and encrypt stored secrets.
	Keys *keys.Ring
	// BaseURL is the service's address without a trailing slash, for the links
	// in events and sessions.
	BaseURL string
	// AllowInsecureWebhooks permits http and private addresses; for development only.
	AllowInsecureWebhooks bool
	// LookupTXT finds TXT records, which prove email domains. Nil is the resolver of the system.
	LookupTXT func(ctx context.Context, name string) ([]string, error)
	// Now is the clock. The store never reads another one.
	Now func() time.Time
	// Passwords is the cost of a password hash; the zero value means DefaultPasswordCost.
	Passwords PasswordCost
	// Registration says who can register an organization. The zero value means anybody.
	Registration RegistrationMode
	// SignInLimits bound sign-ins and registrations. The zero value sets no bound.
	SignInLimits SignInLimits
	// Quotas bound each organization. The zero value sets no bound.
	Quotas Quotas
	// SendsEmail says that a worker sends the emails that the store queues. Otherwise it queues none.
	SendsEmail bool
	// DeadlineGrace is how long after a deadline a candidate's answers and
	// submission still count, because they may have been on their way.
	DeadlineGrace time.Duration
	// EventRetention is how long events are kept: see UnscopedPurgeEvents. Zero means that a cursor of events never
	// expires.
	EventRetention time.Duration
	// Erasures is the journal of erasures outside the database. Without one, erasures are only in the log.
	Erasures *journal.Journal
	// Release is the name of this release, for the error about a database that is too new.
	Release string
	// Tracer makes a span for each transaction of a request that has one. It is nil where traces are not exported.
	Tracer trace.Tracer
	// Log receives what no caller can act on, such as a last use of an API key that was not recorded.
	Log *slog.Logger
}

// Store is the database of the service. It is safe for concurrent use.
type Store struct {
	db   *db.DB
	opts Options
	ids  idSource

	answers      *db.Together[*answerSave]
	assessments  *assessmentCache
	markdown     *markdown.Renderer
	texts        *ByteCache[textKey, markdown.Rendered] // texts of assessments as HTML
	ranks        *ByteCache[string, ranks]              // by assessment
	results      *ByteCache[string, keptResult]         // by session
	credentials  *credentialCache
	devices      *deviceCache
	passwords    *passwordHasher
	queue        *queue.Queue
	pictureTurns chan struct{} // holds one value for each picture that is being decoded
	emailWake    chan struct{} // holds one wake-up of the worker that sends email
	repeats      *repeatLog
	loads        loads
	registered   atomic.Bool                                        // an organization exists
	proved       *lru.Cache[string, struct{}]                       // organizations that requireProved has accepted
	copies       struct{ erasures, vacuumed, removed atomic.Int64 } // see UnscopedRemoveErasedCopies
	backfilled   atomic.Pointer[string]                             // the last organization of UnscopedBackfillSegments
	written      atomic.Int64                                       // when Ready last wrote, in milliseconds since 1970
	// maxAutomaticVacuum is the size in bytes of a SQLite file up to which an erasure vacuums it.
	maxAutomaticVacuum int64
	maxExamined        int      // see sessionWalk
	maxBackfilled      int      // sessions of one step of UnscopedBackfillSegments
	maxWalked          int      // see eventsOfWalk
	running            sync.Map // of ticket.lock to true: the requests with an Idempotency-Key that run in this process
}

// Open connects to the database. It does not migrate: see Migrate.
func Open(ctx context.Context, opts Options) (*Store, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	passwords, err := newPasswordHasher(opts.Passwords)
	if err != nil {
		return nil, err
	}
	database, err := db.Open(ctx, db.Options{
		URL: opts.DatabaseURL, ReadURL: opts.DatabaseReadURL, Application: opts.Application,
		TransactionPooling: opts.TransactionPooling, Release: opts.Release, Now: opts.Now, Log: opts.Log,
		Estimates: estimates,
	})
	if err != nil {
		return nil, err
	}
	s := &Store{
		db: database, opts: opts, answers: db.NewTogether[*answerSave](1), markdown: markdown.New(), passwords: passwords,
		assessments: &assessmentCache{NewByteCache[string, cachedAssessment](assessmentCacheBytes)},
		texts:       NewByteCache[textKey, markdown.Rendered](textCacheBytes),
		ranks:       NewByteCache[string, ranks](rankCacheBytes),
		results:     NewByteCache[string, keptResult](resultCacheBytes),
		credentials: newCredentialCache(),
		devices:     newCache[[sha256.Size]byte, struct{}](notedDevices),
		proved:      newCache[string, struct{}](credentialCacheSize),
		loads:       loads{newCache[string, *load](maxLoads)},
		repeats: &repeatLog{
			reads: newCache[string, time.Time](readsRemembered), refusals: newCache[string, time.Time](refusalsRemembered),
		},
		emailWake:          make(chan struct{}, 1),
		pictureTurns:       make(chan struct{}, pictureTurns),
		maxAutomaticVacuum: maxAutomaticVacuum, maxExamined: maxExamined, maxBackfilled: backfillBatch, maxWalked: maxWalked,
	}
	s.queue = s.newQueue()
	return s, nil
}

// DatabaseStats are figures about connections, the standby, and the disk.
type DatabaseStats = db.Stats

// DatabaseStats returns the present figures, for metrics.
func (s *Store) DatabaseStats() DatabaseStats { return s.db.Stats() }

// Close closes every connection.
func (s *Store) Close() error {
	s.flushEntries(context.Background())
	s.queue.Close()
	return s.db.Close()
}

// Quotas returns the quotas that the store was opened with.
func (s *Store) Quotas() Quotas { return s.opts.Quotas }

// Keys returns the keys that the store was opened with.
func (s *Store) Keys() *keys.Ring { return s.opts.Keys }

// Now returns the time in UTC, in milliseconds as in the contract.
func (s *Store) Now() time.Time { return s.opts.Now().UTC().Truncate(time.Millisecond) }

// conn runs the statements of the store, on a pool or in a transaction.
type conn struct {
	db.Conn
	store *Store
}

func (s *Store) read() conn { return conn{s.db.Read(), s} }

// stale is read for exports and statistics, which may be out of date by some seconds:
// never for what somebody has just written and reads back.
func (s *Store) stale() conn { return conn{s.db.Stale(), s} }

// autocommit runs each statement in a transaction of its own.
func (s *Store) autocommit() conn { return conn{s.db.Autocommit(), s} }

// write runs fn in one transaction; see db.DB.Write for what fn must observe.
func (s *Store) write(ctx context.Context, fn func(conn) error) error {
	ctx, end := s.traceWrite(ctx)
	defer end()
	err := s.db.Write(ctx, func(c db.Conn) error { return fn(conn{c, s}) })
	if errors.Is(err, db.ErrWriteTooLong) {
		return errWriteTooLong
	}
	return err
}

// inTransaction runs fn in c's transaction, or in a new one when c has none.
func (c conn) inTransaction(ctx context.Context, fn func(conn) error) error {
	if c.InTransaction() {
		return fn(c)
	}
	return c.store.write(ctx, fn)
}

// commitThenRefuse refuses a request, and commits what its transaction wrote,
// such as a deadline that had passed.
func commitThenRefuse(refusal error) error { return db.CommitThenRefuse(refusal) }
