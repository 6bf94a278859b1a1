package db

import (
	"context"
	"errors"
	"time"

	"github.com/gofrs/flock"
)

const processLockPause = 10 * time.Millisecond

// LocksProcesses implements engine.
func (sqliteEngine) LocksProcesses() bool { return true }

// LockProcess implements engine. All processes that lock a database share a lock on a second file, which the system
// frees when a process ends. If this process can have the lock alone, all others have ended.
func (e sqliteEngine) LockProcess(ctx context.Context, _ int64, alone func() error) (*ProcessLock, error) {
	if e.file == "" {
		return &ProcessLock{}, nil
	}
	lock := flock.New(e.file+processLockSuffix, flock.SetPermissions(privateMode))
	locked, err := lock.TryLock()
	if locked {
		if err = alone(); err == nil {
			err = lock.Unlock() // another process may now have it alone: the caller does nothing before this returns
		}
	}
	if err == nil {
		_, err = lock.TryRLockContext(ctx, processLockPause)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &ProcessLock{file: lock}, nil
}

// processLockSuffix follows the name of the database file.
const processLockSuffix = ".dispatch"
