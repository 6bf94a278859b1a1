package webhooks

import (
	"context"
	"errors"
	"time"

	"assay/store/queue"
)

const (
	// holderBeat is how often a holder checks its lock and looks for abandoned holders.
	holderBeat = 250 * time.Millisecond

	// holderTrust is how long after the beginning of a successful check attempts may
	// start. Others end a holder's leases only after they have seen its lock free in
	// holderSightings checks, which is later.
	holderTrust     = 3 * holderBeat
	holderSightings = 5

	// holderTries is how often a holder whose connection broke tries to get its lock
	// back, holderBeat apart. Usually a restart of the database takes less time.
	holderTries = 20

	// holderPause is the wait after a new holder could not be registered. Its leases then
	// end by themselves, as the leases of all holders do.
	holderPause = 5 * time.Second

	// holderTimeout bounds one statement of a holder.
	holderTimeout = 2 * time.Second
)

// holder is the name under which this process claims. The dispatcher's lock guards it.
type holder struct {
	id         string
	registered bool // others can see whether its lock is free

	// trusted says that attempts may start: the lock was held a moment ago, or the
	// holder was never registered, so that only time ends its leases.
	trusted bool
	gone    bool // others may have ended its leases
}

// holdLoop keeps a lock that ends with this process or with its connection, until ctx
// ends, and ends the leases of processes without their lock. While it has none, its
// leases end by themselves. It returns the lock, which outlasts the attempts in flight.
func (d *Dispatcher) holdLoop(ctx context.Context, lock *queue.HolderLock) *queue.HolderLock {
	for tries := 0; ; tries++ {
		if lock != nil {
			err := d.watch(ctx, lock)
			if ctx.Err() != nil {
				return lock
			}
			d.warn(ctx, "the lock of a webhook dispatcher is lost, trying to get it back", err)
			d.trust(ctx, d.holder, false)
			_ = lock.Close(ctx, false) // fails because the connection is broken
			tries = 0
		}

		wait := holderBeat
		if d.holder.registered {
			lock = d.relock(ctx, tries)
		} else if lock = d.join(ctx); lock == nil {
			wait = holderPause
		}
		if lock == nil && !pause(ctx, wait) {
			return nil
		}
	}
}

// join registers this process as a new holder. It returns nil if that fails.
func (d *Dispatcher) join(ctx context.Context) *queue.HolderLock {
	ctx, cancel := context.WithTimeout(ctx, holderTimeout)
	defer cancel()
	next := &holder{id: queue.NewHolder(), registered: true, trusted: true}
	lock, err := d.queue.LockHolder(ctx, next.id, d.lease())
	if err != nil {
		d.warn(ctx, "lock of a webhook dispatcher failed, leases end by themselves", err)
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holder = next
	return lock
}

// relock gets the lock of the present holder back. If another process has ended its
// leases, or if it takes too long, it makes a new holder.
func (d *Dispatcher) relock(ctx context.Context, tries int) *queue.HolderLock {
	trying, cancel := context.WithTimeout(ctx, holderTimeout)
	defer cancel()
	lock, err := d.queue.RelockHolder(trying, d.holder.id)
	switch {
	case err == nil:
		return lock
	case !errors.Is(err, queue.ErrHolderGone) && tries < holderTries:
		return nil
	}
	d.abandon(ctx, d.holder)
	return d.join(ctx)
}

// watch checks the lock until that fails.
func (d *Dispatcher) watch(ctx context.Context, lock *queue.HolderLock) error {
	present, free := d.holder, map[string]int{} // how often each abandoned holder was seen
	expiry := time.AfterFunc(0, func() {})
	defer func() { expiry.Stop() }()
	for {
		// Not the clock: holderTrust must be the same length in all processes.
		next := time.AfterFunc(holderTrust, func() { d.trust(ctx, present, false) })
		abandoned, err := d.abandoned(ctx, lock)
		expiry.Stop()
		expiry = next
		if err != nil {
			return err
		}
		d.trust(ctx, present, true)

		seen := map[string]int{}
		for _, id := range abandoned {
			if seen[id] = free[id] + 1; seen[id] < holderSightings {
				continue
			}
			if err := d.queue.EndLeases(ctx, id, d.lease()); err != nil {
				d.warn(ctx, "end the leases of an abandoned webhook dispatcher failed, retrying", err)
				continue
			}
			d.requestRewind()
			d.signalFreed()
		}
		free = seen
		if !pause(ctx, holderBeat) {
			return ctx.Err()
		}
	}
}

func (d *Dispatcher) abandoned(ctx context.Context, lock *queue.HolderLock) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, holderTimeout)
	defer cancel()
	return lock.Abandoned(ctx)
}

// trust says whether attempts of the holder may start. Those that waited start.
func (d *Dispatcher) trust(ctx context.Context, h *holder, trusted bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed := h.trusted != trusted
	h.trusted = trusted && !h.gone
	if changed && h.trusted {
		d.startBlocked(ctx)
		d.signalFreed()
	}
}

// abandon replaces a holder whose leases have ended or may end. Deliveries that it has
// claimed and not sent are given back; attempts in flight continue, and the store
// decides whether their outcomes count.
func (d *Dispatcher) abandon(ctx context.Context, h *holder) {
	d.mu.Lock()
	h.gone, h.trusted = true, false
	d.holder = &holder{id: queue.NewHolder(), trusted: true} // not registered
	var jobs []queue.Job
	for _, e := range d.endpoints {
		var others []leasedJob
		for _, leased := range e.waiting {
			if leased.holder != h {
				others = append(others, leased)
				continue
			}
			e.claimed--
			jobs = append(jobs, leased.job)
		}
		e.waiting = others
	}
	d.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, holderTimeout)
	defer cancel()
	d.warn(ctx, "release webhook leases failed, they end by themselves", d.queue.GiveBack(ctx, jobs))
	d.requestRewind()
	d.signalFreed()
}

// pause waits for the duration, and returns false as soon as ctx ends.
func pause(ctx context.Context, duration time.Duration) bool {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
