package store

import (
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// idSource makes identifiers: a prefix, an underscore and a lower-case ULID.
// Within one process ids made in one millisecond are in order too.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

func (s *idSource) next(prefix string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entropy == nil {
		s.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	id, err := ulid.New(ulid.Timestamp(now), s.entropy)
	if err != nil {
		// The monotonic part ran over within one millisecond: start it anew.
		s.entropy = ulid.Monotonic(rand.Reader, 0)
		id = ulid.MustNew(ulid.Timestamp(now), s.entropy)
	}
	return prefix + "_" + strings.ToLower(id.String())
}

// NewID makes an identifier of the given prefix, such as "req".
func (s *Store) NewID(prefix string) string { return s.ids.next(prefix, s.opts.Now()) }

var errTimeType = errors.New("store: a time column holds neither a timestamp nor an integer")

// Time is an instant as the database keeps it: TIMESTAMPTZ on PostgreSQL,
// microseconds since 1970 on SQLite.
type Time struct{ time.Time }

// Scan reads either form.
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
