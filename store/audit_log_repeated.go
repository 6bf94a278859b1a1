package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"assay/store/internal/db"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// repeatInterval is how long a repeated read or refusal adds no entry: programs poll,
	// people reload pages, and a thief must not flood the log. Each replica counts alone.
	repeatInterval = time.Hour
	// readsRemembered and refusalsRemembered bound the memory to about 2 MB each.
	readsRemembered    = 10_000
	refusalsRemembered = 10_000

	// Reads by API keys, and refusals, are written entryDelay later, together, because
	// integrations read many results and would wait for a write each time, and because
	// a refusal must not cost a write. A crash loses at most these.
	entryDelay    = time.Second
	entriesAtOnce = 500
)

// repeatLog has the entries of actions that callers can repeat as often as they like.
type repeatLog struct {
	reads    *lru.Cache[string, time.Time] // when a caller's read of a session was audited
	refusals *lru.Cache[string, time.Time] // likewise

	mu      sync.Mutex
	pending []db.Insert
	timer   *time.Timer // runs while there are pending entries
}

// auditReads records that the caller has read the results of the sessions. A person's
// read is written at once, and is refused if it cannot be written.
func (s *Store) auditReads(ctx context.Context, scope Scope, action AuditAction, sessionIDs ...string) error {
	now := s.Now()
	var ids []string
	var entries []db.Insert
	for _, id := range sessionIDs {
		at, seen := s.repeats.reads.Get(readKey(scope, action, id))
		if !seen || now.Sub(at) >= repeatInterval {
			ids = append(ids, id)
			entries = append(entries, s.auditEntry(scope, action, id))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	if scope.UserID != "" {
		if err := s.writeEntries(ctx, entries); err != nil {
			return err
		}
	} else {
		s.deferEntries(entries...)
	}
	for _, id := range ids {
		s.repeats.reads.Add(readKey(scope, action, id), now)
	}
	return nil
}

func readKey(scope Scope, action AuditAction, sessionID string) string {
	return string(action) + " " + scope.UserID + scope.APIKeyID + " " + sessionID
}

// RecordRefusal records that the caller may not run the operation, once per
// repeatInterval. It ignores a caller without an organization, and candidates.
func (s *Store) RecordRefusal(scope Scope, operation string) {
	if caller := scope.UserID + scope.APIKeyID; caller != "" {
		s.auditRefusal(scope, AuditAccessRefused, scope.OrganizationID, caller+" "+operation,
			valueOf("operation", operation))
	}
}

// auditRefusal records a refusal, once per repeatInterval for each action and key.
func (s *Store) auditRefusal(scope Scope, action AuditAction, resourceID, key string, changes ...AuditChange) {
	if s.repeats.claim(string(action)+" "+key, s.Now()) {
		s.deferEntries(s.auditEntry(scope, action, resourceID, changes...))
	}
}

// claim reports whether the refusal needs an entry. Of several calls at once with the
// same key, one returns true.
func (l *repeatLog) claim(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, seen := l.refusals.Get(key); seen && now.Sub(at) < repeatInterval {
		return false
	}
	l.refusals.Add(key, now)
	return true
}

func (s *Store) deferEntries(entries ...db.Insert) {
	s.repeats.mu.Lock()
	defer s.repeats.mu.Unlock()
	s.repeats.pending = append(s.repeats.pending, entries...)
	if s.repeats.timer == nil {
		s.repeats.timer = time.AfterFunc(entryDelay, func() { s.flushEntries(context.Background()) })
	}
}

// flushEntries writes the pending entries. A failure is logged: it concerns no request.
func (s *Store) flushEntries(ctx context.Context) {
	s.repeats.mu.Lock()
	pending := s.repeats.pending
	s.repeats.pending = nil
	if s.repeats.timer != nil {
		s.repeats.timer.Stop()
		s.repeats.timer = nil
	}
	s.repeats.mu.Unlock()

	ctx = context.WithoutCancel(ctx)
	for len(pending) > 0 {
		count := min(len(pending), entriesAtOnce)
		if err := s.writeEntries(ctx, pending[:count]); err != nil {
			s.opts.Log.ErrorContext(ctx, "entries are missing in the audit log", "count", len(pending), "error", err)
			return
		}
		pending = pending[count:]
	}
}

// writeEntries writes entries whose requests are finished. It leaves out entries of closed organizations, because they
// would stay after the erasure.
func (s *Store) writeEntries(ctx context.Context, entries []db.Insert) error {
	return s.write(ctx, func(c conn) error {
		for _, entry := range entries {
			// The organization can have been closed since the request.
			entry.Select += ` WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE id = ? AND closed_at IS NOT NULL)`
			entry.Args = append(slices.Clip(entry.Args), entry.Args[1])
			if _, err := c.Exec(ctx, entry.Text(), entry.Args...); err != nil {
				return err
			}
		}
		return nil
	})
}
