// Package webhooks delivers what the store's outbox holds: it claims due
// deliveries, sends them signed, and settles what came of it. Nothing else in
// it decides; any number of dispatchers may work on one PostgreSQL.
//
// Three loops share the work. The claim loop finds endpoints with something due
// and leases deliveries, each endpoint within its own limit, so that one that is
// slow or dead holds up no other. Attempts run beside each other, outside any
// transaction. The settle loop writes their outcomes in batches, fenced by the
// lease: a dispatcher that overslept its lease changes nothing.
package webhooks

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"assay/store"
)

// Options are what a Dispatcher is made with.
type Options struct {
	Store *store.Store
	// Now is the clock of leases, schedules and signatures.
	Now func() time.Time
	Log *slog.Logger
	// Registry receives the metrics; nil for none.
	Registry prometheus.Registerer
	// Version is the rest of the User-Agent.
	Version string
	// Timeout bounds one attempt, from the name to the last byte; 10 s by default.
	Timeout time.Duration
	// Backoff are the waits between attempts; DefaultBackoff by default.
	Backoff Backoff
	// Retention is how long the event log is kept; 30 days by default.
	Retention time.Duration
	// PerEndpoint is how many attempts one endpoint has at a time; 16 by default.
	PerEndpoint int
	// AllowInsecure permits http and private addresses, for development.
	AllowInsecure bool
	// Resolver and RootCAs replace the system's; for tests.
	Resolver *net.Resolver
	RootCAs  *x509.CertPool
}

const (
	defaultTimeout   = 10 * time.Second
	defaultRetention = 30 * 24 * time.Hour

	// maxInFlight bounds all attempts together, maxDoubtful those that may last
	// and maxTroubled, as part of these, those that hardly succeed: what is slow
	// or dead cannot use up what the others need. See standing.
	maxInFlight = 512
	maxDoubtful = 384
	maxTroubled = 128
	// maxUnsettled is where claiming stops when outcomes cannot be written.
	maxUnsettled = 4096

	pollInterval        = time.Second
	pollIntervalSQLite  = 250 * time.Millisecond // of a dispatcher that hears no wake-ups
	healthInterval      = time.Second
	maintenanceInterval = 10 * time.Minute
	cancelInterval      = 30 * time.Second

	settleBatch = 256
	settleDelay = 2 * time.Millisecond
	// leaseMargin is for how long, beyond two timeouts, a claim may wait for its turn.
	leaseMargin = 5 * time.Second
)

// Dispatcher delivers until its context ends.
type Dispatcher struct {
	opts    Options
	store   *store.Store
	client  *client
	metrics *metrics
	name    string // unlike any other dispatcher's; begins its leases

	mu        sync.Mutex
	endpoints map[string]*endpoint
	inFlight  [standings]int
	blocked   bool // something waits only because there was no room
	unsettled int
	claims    int64
	rewinding bool          // the next look is at all that is due, whatever the cursors
	looked    time.Time     // when all endpoints were looked at last
	lookTook  time.Duration // and how long that took

	freed   chan struct{} // an attempt ended
	settled chan outcome
	flights sync.WaitGroup
}

type outcome struct {
	store.Outcome
}

// New makes a dispatcher. It does nothing before Run.
func New(opts Options) (*Dispatcher, error) {
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.Backoff == (Backoff{}) {
		opts.Backoff = DefaultBackoff
	}
	if opts.Retention == 0 {
		opts.Retention = defaultRetention
	}
	if opts.PerEndpoint == 0 {
		opts.PerEndpoint = defaultInFlight
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	registered, err := newMetrics(opts.Registry, opts.Store, opts.Now)
	if err != nil {
		return nil, err
	}
	return &Dispatcher{
		opts: opts, store: opts.Store, client: newClient(opts), metrics: registered, name: rand.Text(),
		endpoints: map[string]*endpoint{}, freed: make(chan struct{}, 1), settled: make(chan outcome, maxUnsettled),
	}, nil
}

// lease is how long a claim holds: long enough for an attempt to begin late and
// take all its time.
func (d *Dispatcher) lease() time.Duration { return 2*d.opts.Timeout + leaseMargin }

// Run delivers until ctx ends. Then it claims nothing more, waits for the
// attempts in flight, settles them, and gives back what it had not begun.
func (d *Dispatcher) Run(ctx context.Context) error {
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error {
		d.store.Listen(running)
		return nil
	})
	group.Go(func() error { return d.maintain(running) })
	group.Go(func() error {
		d.claimLoop(running)
		d.flights.Wait()
		close(d.settled)
		return nil
	})
	group.Go(func() error {
		d.settleLoop(context.WithoutCancel(ctx), ctx.Done())
		return nil
	})
	err := group.Wait()
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	d.giveBack(ending)
	d.tellHealth(ending)
	d.client.transport.CloseIdleConnections()
	return err
}

// claimLoop claims whenever something may be due and there is room: after a
// wake-up, when an attempt has ended, and at intervals.
func (d *Dispatcher) claimLoop(ctx context.Context) {
	interval := pollInterval
	if !d.store.HearsOthers() {
		interval = pollIntervalSQLite
	}
	poll := time.NewTicker(interval)
	defer poll.Stop()
	for ctx.Err() == nil {
		more, err := d.claim(ctx)
		if err != nil && ctx.Err() == nil {
			d.opts.Log.WarnContext(ctx, "webhooks not claimed, trying again", "error", err)
			more = false
			pause(ctx, time.Second)
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
			d.look()
		case <-d.store.Wake():
			d.wakeUp()
		case <-d.freed:
		}
	}
}

// look makes the next claim look at every endpoint, and at all that is due.
func (d *Dispatcher) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looked, d.rewinding = time.Time{}, true
}

// wakeUp makes the next claim ask for the endpoints used lately, which is cheap,
// and look for others unless that was done a moment ago.
func (d *Dispatcher) wakeUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	for _, e := range d.endpoints {
		if now.Sub(e.lastUsed) < lately {
			e.hungry = !e.absent
		}
	}
	if now.Sub(d.looked) >= max(lookPause, 4*d.lookTook) {
		d.looked = time.Time{}
	}
}

const (
	lately    = 10 * time.Second
	lookPause = 20 * time.Millisecond
)

// claim leases what there is room for and begins it. It reports whether there
// may be more to claim at once.
func (d *Dispatcher) claim(ctx context.Context) (more bool, err error) {
	if err := d.lookAround(ctx); err != nil {
		return false, err
	}
	capacities := d.capacities()
	if len(capacities) == 0 {
		return false, nil
	}
	now := d.opts.Now()
	d.claims++
	lease := fmt.Sprintf("%s-%d", d.name, d.claims)
	leaseEnd := now.Add(d.lease())
	// A shutdown does not break a claim off: what was leased has to be known, to
	// be given back.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.opts.Timeout)
	defer cancel()
	jobs, err := d.store.UnscopedClaim(asking, capacities, now, leaseEnd, lease)
	var targets map[string]store.Target
	if err == nil {
		d.metrics.claims.Inc()
		targets, err = d.targets(asking, jobs)
	}
	if err != nil {
		return false, errors.Join(err, d.store.UnscopedGiveBack(asking, jobs))
	}
	return d.take(ctx, capacities, jobs, targets, leaseEnd), nil
}

// lookAround finds the endpoints with something due, once after each look.
func (d *Dispatcher) lookAround(ctx context.Context) error {
	d.mu.Lock()
	due := d.looked.IsZero()
	d.mu.Unlock()
	if !due {
		return nil
	}
	started := d.opts.Now()
	found, err := d.store.UnscopedDueWebhooks(ctx, started)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looked, d.lookTook = started, d.opts.Now().Sub(started)
	for _, due := range found {
		e := d.endpoints[due.WebhookID]
		if e == nil {
			e = newEndpoint(due)
			d.endpoints[e.id] = e
		}
		e.lastUsed = started
		if d.rewinding {
			e.rewind() // once a poll: with a snapshot held elsewhere it passes all that was deleted
		}
		e.hungry = !e.absent
	}
	d.rewinding = false
	d.forget(started)
	return nil
}

// forget drops endpoints that have had nothing to do for long.
func (d *Dispatcher) forget(now time.Time) {
	for id, e := range d.endpoints {
		if e.claimed == 0 && e.health.WebhookID == "" && now.Sub(e.lastUsed) > time.Hour {
			delete(d.endpoints, id)
		}
	}
}

// capacities says for which endpoints the next claim is, and for how many
// deliveries of each.
func (d *Dispatcher) capacities() []store.Capacity {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unsettled >= maxUnsettled {
		return nil
	}
	// What may last is claimed only as far as there is room: waiting for it would use up the lease.
	claimed := d.inFlight
	for _, e := range d.endpoints {
		claimed[e.standing()] += len(e.waiting)
	}
	var capacities []store.Capacity
	for _, e := range d.endpoints {
		if !e.hungry {
			continue
		}
		free := e.free(d.opts.PerEndpoint)
		if standing := e.standing(); standing != proven {
			free = min(free, room(claimed, standing))
			claimed[standing] += max(free, 0)
		}
		if free > 0 {
			capacities = append(capacities, store.Capacity{WebhookID: e.id, Free: free, AfterRunAt: e.afterRunAt, AfterID: e.afterID})
		}
	}
	return capacities
}

// targets reads where the jobs go: afresh at each claim, so that a change of
// address or secret counts from the next attempt on.
func (d *Dispatcher) targets(ctx context.Context, jobs []store.Job) (map[string]store.Target, error) {
	seen := map[string]bool{}
	var ids []string
	for _, job := range jobs {
		if !seen[job.WebhookID] {
			seen[job.WebhookID] = true
			ids = append(ids, job.WebhookID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return d.store.UnscopedTargets(ctx, ids)
}

// pause waits, or less when ctx ends.
func pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
