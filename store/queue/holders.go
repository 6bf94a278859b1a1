package queue

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"assay/store/internal/db"
)

// A dispatcher claims deliveries as a holder, whose id begins its leases. As long as
// its process runs and reaches the database, it has a lock. When the lock is free,
// others end its leases, instead of waiting until they end by themselves.

// HolderLock is the lock of a holder.
type HolderLock struct {
	id   string
	lock *db.ProcessLock
}

// ErrHolderGone means that another process has ended the leases of a holder.
var ErrHolderGone = errors.New("queue: the leases of this holder have ended")

// NewHolder makes the id of a holder.
func NewHolder() string {
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// holderKey is the number of the advisory lock of a holder, whose id is the number's
// 16 hexadecimal digits.
func holderKey(holder string) (int64, error) {
	key, err := strconv.ParseUint(holder, 16, 64)
	return int64(key), err // the lock's bits, not a quantity
}

// LocksHolders reports whether a holder can have a lock. Otherwise its leases end by
// themselves.
func (q *Queue) LocksHolders() bool { return q.DB.LocksProcesses() }

// LockHolder registers a new holder and locks it. leases is how long a lease
// lasts. On SQLite, it first ends the leases of all processes that have ended, if this is
// the only one that dispatches.
func (q *Queue) LockHolder(ctx context.Context, holder string, leases time.Duration) (*HolderLock, error) {
	return q.lockHolder(ctx, holder, `INSERT INTO replicas (id, seen_at) VALUES (?, now())`, func() error {
		return q.Write(ctx, func(c db.Conn) error { return q.endLeases(ctx, c, "%", leases) })
	})
}

// RelockHolder locks a registered holder again after its connection broke. It
// returns ErrHolderGone when another process has ended its leases meanwhile.
func (q *Queue) RelockHolder(ctx context.Context, holder string) (*HolderLock, error) {
	return q.lockHolder(ctx, holder, `UPDATE replicas SET seen_at = now() WHERE id = ?`, func() error { return nil })
}

func (q *Queue) lockHolder(
	ctx context.Context, holder, register string, alone func() error,
) (_ *HolderLock, err error) {
	key, err := holderKey(holder)
	if err != nil {
		return nil, err
	}
	lock, err := q.DB.LockProcess(ctx, key, alone)
	if err != nil {
		return nil, err
	}
	if lock.IsSeen() {
		// On the lock's own connection: a registered holder without a lock would be abandoned.
		if rows, err := lock.Exec(ctx, register, holder); err != nil || rows == 0 {
			return nil, errors.Join(ErrHolderGone, err, lock.Close())
		}
	}
	return &HolderLock{holder, lock}, nil
}

// abandonedHolders compares the registered holders with the locks that exist. An
// empty id says that this server is a standby: a process that is still connected to
// a former primary must not trust its lock there.
const abandonedHolders = `
	SELECT r.id FROM replicas r WHERE NOT EXISTS (
		SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND lpad(to_hex(CAST(l.classid AS BIGINT)), 8, '0') || lpad(to_hex(CAST(l.objid AS BIGINT)), 8, '0') = r.id)
	UNION ALL SELECT '' WHERE pg_is_in_recovery()`

// Abandoned returns the holders whose lock is free. An error means that this lock may be free, too. On SQLite there are
// none: as long as this process runs, no other one can be alone, and leases end by themselves.
func (l *HolderLock) Abandoned(ctx context.Context) (holders []string, err error) {
	if !l.lock.IsSeen() {
		return nil, nil
	}
	if holders, err = l.lock.List(ctx, abandonedHolders); err != nil {
		return nil, err
	}
	for _, holder := range holders {
		if holder == "" || holder == l.id {
			return nil, db.ErrFormerPrimary
		}
	}
	return holders, nil
}

// Close ends the lock. If forget is true, nobody looks for the holder's leases
// any more, because it has none.
func (l *HolderLock) Close(ctx context.Context, forget bool) (err error) {
	if forget && l.lock.IsSeen() {
		_, err = l.lock.Exec(ctx, `DELETE FROM replicas WHERE id = ?`, l.id)
	}
	return errors.Join(err, l.lock.Close())
}

// EndLeases ends the leases of a holder without a lock, and forgets it. Its
// deliveries are due at once. It does nothing if the holder has its lock again.
func (q *Queue) EndLeases(ctx context.Context, holder string, leases time.Duration) error {
	key, keyErr := holderKey(holder)
	return q.DB.WriteDispatcher(ctx, func(c db.Conn) error {
		if keyErr == nil { // otherwise it is the row of another version, which has no such leases
			free, err := q.DB.TryLock(ctx, c, key)
			if err != nil || !free {
				return err
			}
			if err := q.endLeases(ctx, c, holder+"-%", leases); err != nil {
				return err
			}
		}
		_, err := c.Exec(ctx, `DELETE FROM replicas WHERE id = ?`, holder)
		return err
	})
}

// endLeases ends the leases whose token is like the pattern. It finds them in the index of
// due times: they end within the duration of a lease.
func (q *Queue) endLeases(ctx context.Context, c db.Conn, pattern string, leases time.Duration) error {
	now := q.Now()
	_, err := c.Exec(ctx, waiting+`
		UPDATE webhook_queue SET run_at = ?, lease = '' FROM waiting w
		WHERE webhook_queue.webhook_id = w.webhook_id AND webhook_queue.run_at > ? AND webhook_queue.run_at <= ?
			AND webhook_queue.lease <> '' AND webhook_queue.lease LIKE ?`,
		now.UnixMicro(), now.UnixMicro(), now.Add(leases).UnixMicro(), pattern)
	return err
}
