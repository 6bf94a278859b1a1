package store

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// readInterval is how long further reads of a result by the same person or API key
	// add no entry: programs poll, and people reload pages.
	readInterval = time.Hour
	// readsRemembered bounds the memory to about 2 MB.
	readsRemembered = 10_000

	// Reads by API keys are written readDelay later, together, because integrations
	// read many results and would wait for a write each time. A crash loses at most these.
	readDelay   = time.Second
	readsAtOnce = 500
)

// readLog are the reads that are audited.
type readLog struct {
	recent *lru.Cache[string, time.Time] // when a caller's read of a session was audited

	mu      sync.Mutex
	pending []pendingRead
	timer   *time.Timer // runs while there are pending reads
}

type pendingRead struct {
	scope     Scope
	sessionID string
}

func newReadLog() (*readLog, error) {
	recent, err := lru.New[string, time.Time](readsRemembered)
	return &readLog{recent: recent}, err
}

// auditReads records that the caller has read the results of the sessions. A person's
// read is written at once, and is refused if it cannot be written.
func (s *Store) auditReads(ctx context.Context, scope Scope, sessionIDs ...string) error {
	now := s.Now()
	var reads []pendingRead
	for _, id := range sessionIDs {
		at, seen := s.reads.recent.Get(readKey(scope, id))
		if !seen || now.Sub(at) >= readInterval {
			reads = append(reads, pendingRead{scope, id})
		}
	}
	if len(reads) == 0 {
		return nil
	}
	if scope.UserID != "" {
		if err := s.writeReads(ctx, reads); err != nil {
			return err
		}
	} else {
		s.deferReads(reads)
	}
	for _, read := range reads {
		s.reads.recent.Add(readKey(scope, read.sessionID), now)
	}
	return nil
}

func readKey(scope Scope, sessionID string) string {
	return scope.UserID + scope.APIKeyID + " " + sessionID
}

func (s *Store) deferReads(reads []pendingRead) {
	s.reads.mu.Lock()
	defer s.reads.mu.Unlock()
	s.reads.pending = append(s.reads.pending, reads...)
	if s.reads.timer == nil {
		s.reads.timer = time.AfterFunc(readDelay, func() { s.flushReads(context.Background()) })
	}
}

// flushReads writes the pending reads. A failure is logged: it concerns no request.
func (s *Store) flushReads(ctx context.Context) {
	s.reads.mu.Lock()
	pending := s.reads.pending
	s.reads.pending = nil
	if s.reads.timer != nil {
		s.reads.timer.Stop()
		s.reads.timer = nil
	}
	s.reads.mu.Unlock()

	ctx = context.WithoutCancel(ctx)
	for len(pending) > 0 {
		count := min(len(pending), readsAtOnce)
		if err := s.writeReads(ctx, pending[:count]); err != nil {
			s.opts.Log.ErrorContext(ctx, "reads of results are missing in the audit log", "count", len(pending), "error", err)
			return
		}
		pending = pending[count:]
	}
}

func (s *Store) writeReads(ctx context.Context, reads []pendingRead) error {
	return s.write(ctx, func(c conn) error {
		for _, read := range reads {
			if err := c.audit(ctx, read.scope, AuditResultRead, read.sessionID); err != nil {
				return err
			}
		}
		return nil
	})
}
