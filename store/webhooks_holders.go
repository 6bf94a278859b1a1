package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"assay/store/internal/db"
)

// A dispatcher claims deliveries as a holder, whose id begins its leases. As long as
// its process runs and reaches the database, it has a lock. When the lock is free,
// others end its leases, instead of waiting until they end by themselves.

// HolderLock is the lock of a holder.
type HolderLock = db.HolderLock

// ErrHolderGone means that another process has ended the leases of a holder.
var ErrHolderGone = db.ErrHolderGone

// NewHolder makes the id of a holder.
func NewHolder() string {
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// LocksHolders reports whether a holder can have a lock. Otherwise its leases end by
// themselves.
func (s *Store) LocksHolders() bool { return s.db.LocksHolders() }

// UnscopedLockHolder registers a new holder and locks it. leases is how long a lease
// lasts. On SQLite, it first ends the leases of all processes that have ended, if this is
// the only one that dispatches.
func (s *Store) UnscopedLockHolder(ctx context.Context, holder string, leases time.Duration) (HolderLock, error) {
	return s.db.LockHolder(ctx, s.db, holder, false, func() error {
		return s.write(ctx, func(c conn) error { return c.endLeases(ctx, "%", leases) })
	})
}

// UnscopedRelockHolder locks a registered holder again after its connection broke. It
// returns ErrHolderGone when another process has ended its leases meanwhile.
func (s *Store) UnscopedRelockHolder(ctx context.Context, holder string) (HolderLock, error) {
	return s.db.LockHolder(ctx, s.db, holder, true, func() error { return nil })
}

// UnscopedEndLeases ends the leases of a holder without a lock, and forgets it. Its
// deliveries are due at once. It does nothing if the holder has its lock again.
func (s *Store) UnscopedEndLeases(ctx context.Context, holder string, leases time.Duration) error {
	key, keyErr := db.HolderKey(holder)
	return s.db.WriteDispatcher(ctx, func(on db.Conn) error {
		c := conn{on, s}
		if keyErr == nil { // otherwise it is the row of another version, which has no such leases
			free, err := s.db.TryLock(ctx, on, key)
			if err != nil || !free {
				return err
			}
			if err := c.endLeases(ctx, holder+"-%", leases); err != nil {
				return err
			}
		}
		_, err := c.Exec(ctx, `DELETE FROM replicas WHERE id = ?`, holder)
		return err
	})
}

// endLeases ends the leases whose token is like the pattern. It finds them in the index of
// due times: they end within the duration of a lease.
func (c conn) endLeases(ctx context.Context, pattern string, leases time.Duration) error {
	now := c.store.Now()
	_, err := c.Exec(ctx, `
		WITH RECURSIVE waiting (webhook_id) AS (
			SELECT (SELECT q.webhook_id FROM webhook_queue q ORDER BY q.webhook_id LIMIT 1)
			UNION ALL
			SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > w.webhook_id ORDER BY q.webhook_id LIMIT 1)
			FROM waiting w WHERE w.webhook_id IS NOT NULL)
		UPDATE webhook_queue SET run_at = ?, lease = '' FROM waiting w
		WHERE webhook_queue.webhook_id = w.webhook_id AND webhook_queue.run_at > ? AND webhook_queue.run_at <= ?
			AND webhook_queue.lease <> '' AND webhook_queue.lease LIKE ?`,
		now.UnixMicro(), now.UnixMicro(), now.Add(leases).UnixMicro(), pattern)
	return err
}
