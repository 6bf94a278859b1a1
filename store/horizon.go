package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A row's updated_at is from before its transaction commits, so that a list
// can show a later change first, and whoever goes on from there by updatedSince
// would miss the row that commits late. The horizon knows which writes were
// under way at a time: a list that asks for changes since then begins at the
// oldest of them. Where nothing was under way that is the time itself.
type horizon struct {
	mu      sync.Mutex
	running map[int]time.Time // writes under way, and when each began
	next    int
	oldest  map[int64]int64 // for each of the last milliseconds, the beginning of the oldest write under way then; for those with one only
	swept   int64

	uncertain []span // in which writes may have committed whose end was not seen; in order, apart from each other
}

type span struct{ from, until time.Time }

// spansKept bounds the memory. An outage is one span, however many writes it broke.
const spansKept = 1000

const (
	// maxWriteTime is what a write may take from its beginning to its commit,
	// and so how far back the writes of other replicas can reach.
	maxWriteTime = 10 * time.Second
	// horizonMemory is how far back the past is known. Before that every write
	// has ended, because none takes as long.
	horizonMemory = 2 * maxWriteTime
)

func newHorizon() *horizon { return &horizon{running: map[int]time.Time{}, oldest: map[int64]int64{}} }

// begin notes a write that takes its times from now on. end is to be called
// after the commit, with its time and what came of it.
func (h *horizon) begin(now time.Time) (end func(time.Time, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := h.next
	h.next++
	h.running[id] = now
	return func(ended time.Time, err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if IsUnavailable(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			h.doubt(now, ended.Add(maxWriteTime))
		}
		delete(h.running, id)
		from := now.UnixMilli()
		to := min(ended.UnixMilli(), from+horizonMemory.Milliseconds())
		for at := from; at <= to; at++ {
			if oldest, there := h.oldest[at]; !there || from < oldest {
				h.oldest[at] = from
			}
		}
		h.sweep(ended.UnixMilli())
	}
}

func (h *horizon) doubt(from, until time.Time) {
	if last := len(h.uncertain) - 1; last >= 0 && !from.After(h.uncertain[last].until) {
		h.uncertain[last].until = until
		return
	}
	h.uncertain = append(h.uncertain, span{from, until})
	if len(h.uncertain) > spansKept {
		h.uncertain[1].from = h.uncertain[0].from
		h.uncertain = h.uncertain[1:]
	}
}

// sweep forgets what is too long ago, once for every second.
func (h *horizon) sweep(now int64) {
	if now-h.swept < time.Second.Milliseconds() {
		return
	}
	h.swept = now
	for at := range h.oldest {
		if at < now-horizonMemory.Milliseconds() {
			delete(h.oldest, at)
		}
	}
}

// at is from when on changes have to be listed so that none is missed that was
// not yet to be seen at t.
func (h *horizon) at(t time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := t
	for _, doubtful := range h.uncertain {
		if !t.Before(doubtful.from) && !t.After(doubtful.until) {
			from = t.Add(-maxWriteTime)
		}
	}
	if oldest, there := h.oldest[t.UnixMilli()]; there && time.UnixMilli(oldest).Before(from) {
		from = time.UnixMilli(oldest)
	}
	for _, began := range h.running {
		if began.Before(from) {
			from = began
		}
	}
	return from
}

// replicaSilence is how long a replica can have been alive after it was last seen.
const replicaSilence = 30 * time.Second

// UnscopedBeat tells the other replicas that this one lives, and writes. It has
// to be called before the first write is served, and then every few seconds.
func (s *Store) UnscopedBeat(ctx context.Context) error {
	_, err := conn{store: s, pool: s.writer}.exec(ctx, `
		INSERT INTO replicas (id, seen_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`, s.replica, s.Now())
	return err
}

// updatedSince narrows a list to what changed at or after t, and to what may
// have become visible only after it. The writes of this replica are known one
// by one; those of others that lived then reach back as far as a write may take.
func (f *filter) updatedSince(s *Store, t time.Time) {
	t = t.UTC()
	f.sql.WriteString(" AND updated_at >= CASE WHEN EXISTS (SELECT 1 FROM replicas r WHERE r.id <> ? AND r.seen_at > ?) THEN CAST(? AS TIMESTAMPTZ) ELSE CAST(? AS TIMESTAMPTZ) END")
	f.args = append(f.args, s.replica, t.Add(-replicaSilence), t.Add(-maxWriteTime), s.horizon.at(t))
}
