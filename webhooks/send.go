package webhooks

import (
	"context"
	"time"

	"assay/store"
)

// leasedJob is a claimed delivery that waits for its attempt.
type leasedJob struct {
	job      store.Job
	target   store.Target
	leaseEnd time.Time
	holder   *holder
}

// accept queues the claimed jobs at their endpoints and starts those that have
// a slot. It takes none and returns false if the holder's leases have ended meanwhile.
func (d *Dispatcher) accept(
	ctx context.Context, by *holder, capacities []store.Capacity, jobs []store.Job,
	targets map[string]store.Target, leaseEnd time.Time,
) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if by.gone {
		return false
	}
	found := make(map[string]int, len(capacities))
	for _, job := range jobs {
		found[job.WebhookID]++
		e := d.endpoints[job.WebhookID]
		e.advance(job)
		target, ok := targets[job.WebhookID]
		if !ok {
			continue // the endpoint is disabled or its secret cannot be decrypted; the lease ends by itself
		}
		e.claimed++
		e.lastUsed = d.opts.Now()
		e.waiting = append(e.waiting, leasedJob{job, target, leaseEnd, by})
	}

	for _, capacity := range capacities {
		e := d.endpoints[capacity.WebhookID]
		_, ok := targets[e.id]
		e.noTarget = found[e.id] > 0 && !ok
		e.mayHaveMore = !e.noTarget && found[e.id] >= capacity.Free
		d.start(ctx, e)
	}
	return true
}

// start sends waiting jobs of the endpoint until its limit or the slots of its
// class are used. After the shutdown has begun it sends none. The lock is held.
func (d *Dispatcher) start(ctx context.Context, e *endpoint) {
	if ctx.Err() != nil {
		return
	}
	for len(e.waiting) > 0 && e.inFlight < e.limit(d.opts.PerEndpoint) {
		class := e.class()
		if slots(d.inFlight, class) <= 0 {
			d.blocked = true
			return
		}
		next := e.waiting[0]
		if !next.holder.trusted {
			d.blocked = true // until the lock is checked again
			return
		}
		e.waiting = e.waiting[1:]
		if d.opts.Now().Add(d.opts.Timeout).After(next.leaseEnd) {
			e.claimed-- // the attempt could end after the lease, when another dispatcher may send it too
			continue
		}
		e.inFlight++
		d.inFlight[class]++
		d.sending.Add(1)
		go d.send(ctx, e, next, class)
	}
}

// send makes one attempt and passes its outcome to the settle loop. The
// shutdown does not cancel it; the timeout limits it. class is that of the
// endpoint at the start: the same slot must be released.
func (d *Dispatcher) send(ctx context.Context, e *endpoint, leased leasedJob, class class) {
	defer d.sending.Done()
	job := leased.job
	attempt, hint := d.client.attempt(context.WithoutCancel(ctx), leased.target, message{
		deliveryID: job.DeliveryID, eventID: job.EventID, eventType: job.EventType, body: []byte(job.Body),
	}, job.Attempt+1)
	status, wait := d.opts.Backoff.next(attempt, hint, jitter)
	d.metrics.attempts.Observe(float64(attempt.DurationMS) / 1000)

	d.mu.Lock()
	e.claimed--
	e.inFlight--
	d.inFlight[class]--
	d.unsettled++
	e.observe(attempt)
	d.start(ctx, e)
	d.startBlocked(ctx)
	d.mu.Unlock()

	job.Body = "" // thousands of outcomes may wait, and none needs the bytes
	ended := attempt.StartedAt.Add(time.Duration(attempt.DurationMS) * time.Millisecond)
	d.outcomes <- store.Outcome{Job: job, Attempt: attempt, Status: status, RetryAt: ended.Add(wait)}
	d.signalFreed()
}

// startBlocked starts jobs that waited only because all slots were taken, or because
// the holder's lock was not certain. The lock is held.
func (d *Dispatcher) startBlocked(ctx context.Context) {
	if !d.blocked {
		return
	}
	d.blocked = false // start sets it again if the slots run out
	for _, e := range d.endpoints {
		if len(e.waiting) > 0 {
			d.start(ctx, e)
		}
	}
}

// giveBack ends the leases of jobs that were claimed and not sent, so that
// another dispatcher can send them at once.
func (d *Dispatcher) giveBack(ctx context.Context) {
	d.mu.Lock()
	var jobs []store.Job
	for _, e := range d.endpoints {
		for _, leased := range e.waiting {
			jobs = append(jobs, leased.job)
		}
		e.waiting = nil
	}
	d.mu.Unlock()

	if err := d.store.UnscopedGiveBack(ctx, jobs); err != nil {
		d.opts.Log.WarnContext(ctx, "release webhook leases failed, they end by themselves",
			"count", len(jobs), "error", err)
	}
}
