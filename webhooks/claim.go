package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/store/queue"
)

const (
	// An endpoint whose last delivery is not older than recentlyUsed is part of the
	// claim after each wake-up, without a scan: it is likely to have the new event.
	recentlyUsed = 10 * time.Second

	// A scan reads every endpoint with a queue. After a wake-up, it begins only if
	// scanPause and scanFactor times the duration of the last scan have passed since
	// the last one began. So scans take at most a quarter of the time.
	scanPause  = 20 * time.Millisecond
	scanFactor = 4

	// wakePause is the least time between the claims of two wake-ups. While events are
	// made all the time, a claim costs nearly the same for all of the last 5 ms as for
	// one. The first event after a pause is claimed at once.
	wakePause = 5 * time.Millisecond

	// forgetAfter bounds the memory of a process that runs for months while
	// endpoints come and go. A forgotten endpoint starts from its row again.
	forgetAfter = time.Hour
)

// claimLoop claims when deliveries may be due and there is room for them: after
// a wake-up, when an attempt has ended, and at each poll.
func (d *Dispatcher) claimLoop(ctx context.Context) {
	poll := time.NewTicker(d.intervals.poll)
	defer poll.Stop()
	rested := time.NewTimer(0) // fires wakePause after the last claim of a wake-up
	defer rested.Stop()
	for ctx.Err() == nil {
		mayHaveMore, err := d.claim(ctx)
		if mayHaveMore {
			continue
		}

		wake, freed := d.queue.Woken(), d.freed
		if err != nil && ctx.Err() == nil {
			d.opts.Log.WarnContext(ctx, "claim webhook deliveries failed, retrying at the next poll", "error", err)
			wake, freed = nil, nil // while the database is unavailable, wake-ups must not cause a busy loop
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
			d.findStalled()
			d.requestRewind()
		case <-wake:
			select {
			case <-ctx.Done():
			case <-rested.C:
			}
			rested.Reset(wakePause)
			d.handleWake()
		case <-freed:
		}
	}
}

// requestRewind makes the next claim scan for endpoints and read their queues
// from the beginning.
func (d *Dispatcher) requestRewind() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scannedAt, d.rewind = time.Time{}, true
}

// handleWake makes the next claim include the recently used endpoints, which
// needs no query, and requests a scan unless the last one was a moment ago. An
// endpoint that this misses is found at the next poll.
func (d *Dispatcher) handleWake() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	for _, e := range d.endpoints {
		if now.Sub(e.lastUsed) < recentlyUsed {
			e.mayHaveMore = !e.noTarget
		}
	}
	if now.Sub(d.scannedAt) >= max(scanPause, scanFactor*d.scanTook) {
		d.scannedAt = time.Time{}
	}
}

// claim leases due deliveries within the capacities of their endpoints, and starts
// them. It reports whether another claim may find more.
func (d *Dispatcher) claim(ctx context.Context) (mayHaveMore bool, err error) {
	d.mu.Lock()
	d.startBlocked(ctx)
	d.mu.Unlock()
	if err := d.scanIfRequested(ctx); err != nil {
		return false, err
	}
	capacities := d.capacities()
	if len(capacities) == 0 {
		return false, nil
	}

	now := d.opts.Now()
	d.claims++
	d.mu.Lock()
	by := d.holder
	trusted := by.trusted
	d.mu.Unlock()
	if !trusted {
		return false, nil // nothing could start
	}
	lease := fmt.Sprintf("%s-%d", by.id, d.claims)
	leaseEnd := now.Add(d.lease())
	// The shutdown does not cancel a claim, because leases must be known to be given back.
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.opts.Timeout)
	defer cancel()
	jobs, err := d.queue.Claim(claiming, capacities, now, leaseEnd, lease)
	var targets map[string]queue.Target
	if err == nil {
		d.metrics.claims.Inc()
		targets, err = d.targets(claiming, jobs)
	}
	if err != nil {
		return false, errors.Join(err, d.queue.GiveBack(claiming, jobs))
	}
	accepted := d.accept(ctx, by, capacities, jobs, targets, leaseEnd)
	if !accepted {
		return false, d.queue.GiveBack(claiming, jobs)
	}
	return len(jobs) > 0, nil
}

// scanIfRequested finds the endpoints that have something due.
func (d *Dispatcher) scanIfRequested(ctx context.Context) error {
	d.mu.Lock()
	requested := d.scannedAt.IsZero()
	d.mu.Unlock()
	if !requested {
		return nil
	}

	started := d.opts.Now()
	found, err := d.queue.DueWebhooks(ctx, started)
	if err != nil {
		return err
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	d.scannedAt, d.scanTook = started, d.opts.Now().Sub(started)
	for _, due := range found {
		e := d.endpoints[due.WebhookID]
		if e == nil {
			e = newEndpoint(due)
			d.endpoints[e.id] = e
		}
		e.lastUsed = started
		if d.rewind {
			e.rewind()
		}
		e.mayHaveMore = !e.noTarget
	}
	d.rewind = false
	for id, e := range d.endpoints {
		if e.claimed == 0 && e.health.WebhookID == "" && started.Sub(e.lastUsed) > forgetAfter {
			delete(d.endpoints, id)
		}
	}
	return nil
}

// capacities returns the endpoints of the next claim, each with the number of
// deliveries it may take. There is none until one endpoint has enough room.
func (d *Dispatcher) capacities() []queue.Capacity {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unsettled >= maxUnsettled {
		return nil
	}

	// For an endpoint that is not healthy, only deliveries that can start at once are
	// claimed. Others would wait behind long attempts until their lease ends.
	claimed, waiting := d.inFlight, 0
	for _, e := range d.endpoints {
		claimed[e.class()] += len(e.waiting)
		waiting += len(e.waiting)
	}
	var capacities []queue.Capacity
	worthwhile := false
	d.slotsShort = false
	for _, e := range d.endpoints {
		if !e.mayHaveMore {
			continue
		}
		free, enough := e.free(d.opts.PerEndpoint, waiting)
		if class := e.class(); class != healthy {
			if !enough {
				continue // its slots are for others
			}
			room := max(0, slots(claimed, class))
			d.slotsShort = d.slotsShort || room < free
			free = min(free, room)
			claimed[class] += free
		}
		if free > 0 {
			worthwhile = worthwhile || enough
			waiting += free
			capacities = append(capacities, queue.Capacity{WebhookID: e.id, Free: free, AfterRunAt: e.afterRunAt})
		}
	}
	if !worthwhile {
		return nil
	}
	return capacities
}

// targets reads the URLs and secrets of the jobs' endpoints. Each claim reads
// them again, so that a change applies from the next attempt.
func (d *Dispatcher) targets(ctx context.Context, jobs []queue.Job) (map[string]queue.Target, error) {
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
	return d.queue.TargetsOf(ctx, ids)
}
