package webhooks

import (
	"context"
	"time"

	"assay/store/queue"
)

// leasedJob is a claimed delivery that waits for its attempt.
type leasedJob struct {
	job      queue.Job
	target   queue.Target
	leaseEnd time.Time
	holder   *holder
}

// accept queues the claimed jobs at their endpoints and starts the jobs that have
// a slot. It takes none and returns false if the holder's leases have ended meanwhile.
func (d *Dispatcher) accept(
	ctx context.Context, by *holder, capacities []queue.Capacity, jobs []queue.Job,
	targets map[string]queue.Target, leaseEnd time.Time,
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
		e.skip(target.CancelledBefore)
		if target.Cancels(job) {
			continue // maintenance cancels it
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
// class are used. The lock is held.
func (d *Dispatcher) start(ctx context.Context, e *endpoint) {
	for {
		leased, ok := d.next(ctx, e)
		if !ok {
			return
		}
		d.sending.Add(1)
		go d.send(ctx, e, leased)
	}
}

// next takes a job of the endpoint, and a slot of its class for the attempt, if there
// are both. After the shutdown has begun it takes none. The lock is held.
func (d *Dispatcher) next(ctx context.Context, e *endpoint) (leased leasedJob, ok bool) {
	if ctx.Err() != nil {
		return leasedJob{}, false
	}
	for len(e.waiting) > 0 && e.inFlight < e.limit(d.opts.PerEndpoint) {
		leased = e.waiting[0]
		if slots(d.inFlight, e.class()) <= 0 || !leased.holder.trusted || d.unsettled >= maxUnsettled {
			d.blocked = true // until a slot is free, the lock is checked again, or outcomes are written
			break
		}
		e.waiting = e.waiting[1:]
		if d.opts.Now().Add(d.opts.Timeout).After(leased.leaseEnd) {
			e.claimed-- // the attempt could end after the lease, when another dispatcher may send it too
			continue
		}
		if e.inFlight == 0 {
			e.progressAt = d.opts.Now()
		}
		d.count(e, 1)
		return leased, true
	}
	return leasedJob{}, false
}

// count adds to the endpoint's attempts in flight, and counts all of them in its present
// class. The lock is held.
func (d *Dispatcher) count(e *endpoint, started int) {
	d.inFlight[e.counted] -= e.inFlight
	e.inFlight += started
	e.counted = e.class()
	d.inFlight[e.counted] += e.inFlight
}

// findStalled looks for endpoints that responded and have stopped. Until their attempts
// time out, they must not keep the slots of others.
func (d *Dispatcher) findStalled() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opts.Now()
	for _, e := range d.endpoints {
		if e.inFlight > 0 && now.Sub(e.progressAt) >= slowFrom {
			e.stalled = true
			d.count(e, 0)
		}
	}
}

// send makes an attempt, and continues with the endpoint's next job: a new goroutine
// would have to grow its stack again.
func (d *Dispatcher) send(ctx context.Context, e *endpoint, leased leasedJob) {
	defer d.sending.Done()
	for ok := true; ok; {
		leased, ok = d.sendOne(ctx, e, leased)
	}
}

// sendOne makes one attempt, passes its outcome to the settle loop, and returns the
// endpoint's next job. The shutdown does not cancel the attempt; the timeout limits it.
func (d *Dispatcher) sendOne(ctx context.Context, e *endpoint, leased leasedJob) (next leasedJob, ok bool) {
	job := leased.job
	traced, ended := d.trace(context.WithoutCancel(ctx), job)
	attempt, hint := d.client.attempt(traced, leased.target, message{
		deliveryID: job.DeliveryID, eventID: job.EventID, eventType: job.EventType, body: []byte(job.Body),
	}, job.Attempt+1)
	ended(attempt)
	status, wait := d.opts.Backoff.next(attempt, hint, jitter)
	d.metrics.attempts.Observe(float64(attempt.DurationMS) / 1000)

	d.mu.Lock()
	e.claimed--
	d.unsettled++
	e.observe(attempt, d.opts.Now())
	d.count(e, -1)
	next, ok = d.next(ctx, e)
	d.start(ctx, e)
	d.startBlocked(ctx)
	_, enough := e.free(d.opts.PerEndpoint, 0)
	claimable := d.slotsShort || enough && e.mayHaveMore
	d.mu.Unlock()

	job.Body = "" // thousands of outcomes may wait, and none needs the bytes
	finished := attempt.StartedAt.Add(time.Duration(attempt.DurationMS) * time.Millisecond)
	d.outcomes <- queue.Outcome{Job: job, Attempt: attempt, Status: status, RetryAt: finished.Add(wait)}
	if claimable {
		d.signalFreed()
	}
	return next, ok
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
	var jobs []queue.Job
	for _, e := range d.endpoints {
		for _, leased := range e.waiting {
			jobs = append(jobs, leased.job)
		}
		e.waiting = nil
	}
	d.mu.Unlock()

	if err := d.queue.GiveBack(ctx, jobs); err != nil {
		d.opts.Log.WarnContext(ctx, "release webhook leases failed, they end by themselves",
			"count", len(jobs), "error", err)
	}
}
