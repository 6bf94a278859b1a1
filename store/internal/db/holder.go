package db

import (
	"context"
	"errors"
)

// HolderLock is the lock of a holder of leases. It ends with the process or with its
// connection to the database, so that others know that its leases can end.
type HolderLock interface {
	// Abandoned returns the holders whose lock is free. An error means that this
	// lock may be free, too.
	Abandoned(ctx context.Context) (holders []string, err error)
	// Close ends the lock. If forget is true, nobody looks for the holder's leases
	// any more, because it has none.
	Close(ctx context.Context, forget bool) error
}

// ErrHolderGone means that another process has ended the leases of a holder.
var ErrHolderGone = errors.New("db: the leases of this holder have ended")
