// Package webhooks delivers the events that are queued in store/queue. It claims due
// deliveries, sends them with signatures, and settles the outcomes. Any number
// of dispatchers can run on one PostgreSQL. README.md describes the path of an
// event and the decisions made here.
//
// A Dispatcher runs these loops:
//
//   - the claim loop finds endpoints with due deliveries and leases deliveries,
//     within a limit per endpoint, so that no endpoint delays another;
//   - one goroutine per attempt sends outside any transaction;
//   - the settle loop writes outcomes in batches. The store compares the lease,
//     and writes nothing for a delivery whose lease was lost;
//   - the hold loop keeps a lock that ends with the process, so that others take over its
//     deliveries at once;
//   - the health loop records the health of endpoints.
//
// A job of cmd/assay cancels the deliveries of disabled endpoints, and others remove old events.
package webhooks

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/store/queue"
)

// maxUnsettled stops claiming while outcomes cannot be written. An outcome
// keeps at most 1 KiB of the response, so that these take a few MiB.
const maxUnsettled = 4096

// leaseMargin is how long a claimed delivery may wait in this process, in
// addition to one timeout, before it is too late to send it.
const leaseMargin = 5 * time.Second

// cleanupTimeout limits the writes at the end of Run. Leases that are not given
// back end by themselves.
const cleanupTimeout = 5 * time.Second

// Dispatcher delivers events until its context ends.
type Dispatcher struct {
	opts      Options
	queue     *queue.Queue
	client    *client
	metrics   *metrics
	intervals intervals

	mu         sync.Mutex
	holder     *holder // of the next claims; only holdLoop replaces it
	endpoints  map[string]*endpoint
	inFlight   [classes]int
	blocked    bool // a claimed delivery waits only because all slots of its class are taken
	slotsShort bool // the last claim would have taken more if its classes had had more slots
	unsettled  int
	claims     int64
	scannedAt  time.Time     // when the last scan for due endpoints began; zero requests one
	scanTook   time.Duration // duration of that scan
	rewind     bool          // the next scan resets the cursors, see endpoint.advance

	freed    chan struct{} // holds one signal: an attempt ended, or there is room for outcomes again
	outcomes chan queue.Outcome
	sending  sync.WaitGroup
}

// New creates a dispatcher and registers its metrics. Run starts it.
func New(opts Options) (*Dispatcher, error) {
	opts = opts.withDefaults()
	registered, err := newMetrics(opts.Registry, opts.Queue, opts.Now)
	if err != nil {
		return nil, err
	}
	return &Dispatcher{
		opts: opts, queue: opts.Queue, client: newClient(opts), metrics: registered,
		intervals: newIntervals(opts.Queue.HearsOthers()), holder: &holder{id: queue.NewHolder(), trusted: true},
		endpoints: map[string]*endpoint{},
		freed:     make(chan struct{}, 1), outcomes: make(chan queue.Outcome, maxUnsettled+maxInFlight),
	}, nil
}

// lease returns how long a claim lasts: one timeout for the attempt, and one
// timeout and a margin in which the delivery may wait for its attempt. A
// dispatcher that dies delays its deliveries by at most this; see holder.
func (d *Dispatcher) lease() time.Duration { return 2*d.opts.Timeout + leaseMargin }

// Run delivers until ctx ends. Then it stops claiming, waits for the attempts
// in flight, settles them, and gives back the deliveries that it did not send.
func (d *Dispatcher) Run(ctx context.Context) error {
	var lock *queue.HolderLock
	group, running := errgroup.WithContext(ctx)
	if d.queue.LocksHolders() {
		lock = d.join(ctx) // before the first claim
		group.Go(func() error {
			lock = d.holdLoop(running, lock)
			return nil
		})
	}
	group.Go(func() error {
		d.queue.Listen(running)
		return nil
	})
	group.Go(func() error {
		d.healthLoop(running)
		return nil
	})
	group.Go(func() error {
		d.claimLoop(running)
		d.sending.Wait()
		close(d.outcomes)
		return nil
	})
	group.Go(func() error {
		d.settleLoop(context.WithoutCancel(ctx), ctx.Done())
		return nil
	})
	err := group.Wait()

	cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	d.giveBack(cleanup)
	if lock != nil {
		d.warn(cleanup, "end the lock of a webhook dispatcher failed", lock.Close(cleanup, true))
	}
	d.recordHealth(cleanup)
	d.client.transport.CloseIdleConnections()
	return err
}

// signalFreed makes the claim loop look for room. It does not block, so the caller
// may hold the lock.
func (d *Dispatcher) signalFreed() {
	select {
	case d.freed <- struct{}{}:
	default: // a signal is waiting already
	}
}
