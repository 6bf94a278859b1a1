package db

import (
	"context"
	"errors"
	"time"

	"github.com/gofrs/flock"
)

const holderLockPause = 10 * time.Millisecond

// LocksHolders implements engine.
func (sqliteEngine) LocksHolders() bool { return true }

// LockHolder implements engine. All dispatchers of a file share a lock on a second file,
// which the system frees when a process ends. If this process can have the lock alone,
// no other dispatcher runs, and all leases are of processes that have ended.
func (e sqliteEngine) LockHolder(
	ctx context.Context, _ *DB, _ string, again bool, alone func() error,
) (HolderLock, error) {
	if e.file == "" || again {
		return sqliteHolder{}, nil
	}
	lock := flock.New(e.file+holderLockSuffix, flock.SetPermissions(privateMode))
	locked, err := lock.TryLock()
	if locked {
		if err = alone(); err == nil {
			err = lock.Unlock() // another process may now have it alone: this one has no leases yet
		}
	}
	if err == nil {
		_, err = lock.TryRLockContext(ctx, holderLockPause)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return sqliteHolder{lock}, nil
}

// holderLockSuffix follows the name of the database file.
const holderLockSuffix = ".dispatch"

type sqliteHolder struct{ lock *flock.Flock }

// Abandoned implements HolderLock. The leases of another process that has ended end by
// themselves: as long as this one runs, none can have the lock alone.
func (sqliteHolder) Abandoned(context.Context) ([]string, error) { return nil, nil }

// Close implements HolderLock.
func (l sqliteHolder) Close(context.Context, bool) error {
	if l.lock == nil {
		return nil
	}
	return l.lock.Close()
}
