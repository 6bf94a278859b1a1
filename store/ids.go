package store

import (
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// idSource makes ids: a prefix, an underscore, and a lower-case ULID. Ids that one
// process makes in the same millisecond are in order, too.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// idStep bounds the distance, which is random, between two ids of one millisecond. It is
// far above 2^25, so that the last five characters of the ids of deliveries can be
// replaced, and far below 2^80, so that a millisecond has room for any number of ids. All
// its bits are set, in whole bytes: ulid draws a distance again until it is below the
// bound, which takes 64 draws on average if the bound is 2^50.
const idStep = 1<<48 - 1

func (s *idSource) next(prefix string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entropy == nil {
		s.entropy = ulid.Monotonic(rand.Reader, idStep)
	}
	id, err := ulid.New(ulid.Timestamp(now), s.entropy)
	if err != nil {
		// The monotonic part overflowed within one millisecond: start with a new one.
		s.entropy = ulid.Monotonic(rand.Reader, idStep)
		id = ulid.MustNew(ulid.Timestamp(now), s.entropy)
	}
	return prefix + "_" + strings.ToLower(id.String())
}

// NewID makes an id with the given prefix, such as "req".
func (s *Store) NewID(prefix string) string { return s.ids.next(prefix, s.opts.Now()) }

var errTimeType = errors.New("store: a time column holds neither a timestamp nor an integer")

// Time is a stored instant: TIMESTAMPTZ on PostgreSQL, microseconds since 1970 on
// SQLite and in the webhook tables.
type Time struct{ time.Time }

// Scan implements sql.Scanner for both forms.
func (t *Time) Scan(value any) error {
	switch v := value.(type) {
	case time.Time:
		t.Time = v.UTC()
	case int64:
		t.Time = time.UnixMicro(v).UTC()
	default:
		return errTimeType
	}
	return nil
}

func timePtr(t *Time) *time.Time {
	if t == nil {
		return nil
	}
	return &t.Time
}
