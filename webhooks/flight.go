package webhooks

import (
	"context"
	"time"

	"assay/store"
)

// flight is one claimed delivery on its way.
type flight struct {
	job      store.Job
	target   store.Target
	leaseEnd time.Time
}

// take begins what a claim returned, or lets it wait for its endpoint's turn.
// It reports whether the claim found anything.
func (d *Dispatcher) take(
	ctx context.Context, capacities []store.Capacity, jobs []store.Job, targets map[string]store.Target, leaseEnd time.Time,
) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := make(map[string]int, len(capacities))
	for _, job := range jobs {
		found[job.WebhookID]++
		e := d.endpoints[job.WebhookID]
		e.advance(job)
		target, there := targets[job.WebhookID]
		if !there {
			continue // nobody can send it now: it is cancelled, or claimed again when its lease has run out
		}
		e.claimed++
		e.lastUsed = d.opts.Now()
		e.waiting = append(e.waiting, flight{job, target, leaseEnd})
	}
	for _, capacity := range capacities {
		e := d.endpoints[capacity.WebhookID]
		_, there := targets[e.id]
		e.absent = found[e.id] > 0 && !there
		e.hungry = !e.absent && found[e.id] >= capacity.Free
		d.begin(ctx, e)
	}
	return len(jobs) > 0
}

// begin starts what waits for the endpoint, as far as there is room, and
// nothing once the shutdown has begun. The lock is held.
func (d *Dispatcher) begin(ctx context.Context, e *endpoint) {
	if ctx.Err() != nil {
		return
	}
	for len(e.waiting) > 0 && e.inFlight < e.limit(d.opts.PerEndpoint) {
		standing := e.standing()
		if room(d.inFlight, standing) <= 0 {
			d.blocked = true
			return
		}
		next := e.waiting[0]
		e.waiting = e.waiting[1:]
		if d.opts.Now().Add(d.opts.Timeout).After(next.leaseEnd) {
			e.claimed-- // it would end beyond its lease: somebody else's by then
			continue
		}
		e.inFlight++
		d.inFlight[standing]++
		d.flights.Add(1)
		go d.fly(ctx, e, next, standing)
	}
}

// fly makes one attempt and hands its outcome to the settle loop. A shutdown
// lets it finish: it is bounded by its own timeout.
func (d *Dispatcher) fly(ctx context.Context, e *endpoint, f flight, standing standing) {
	defer d.flights.Done()
	attempt, hint := d.client.attempt(context.WithoutCancel(ctx), f.target, message{
		deliveryID: f.job.DeliveryID, eventID: f.job.EventID, eventType: f.job.EventType, body: []byte(f.job.Body),
	}, f.job.Attempt+1)
	status, wait := d.opts.Backoff.next(attempt, hint, jitter)
	d.metrics.attempts.Observe(float64(attempt.DurationMS) / 1000)
	d.mu.Lock()
	e.claimed--
	e.inFlight--
	d.inFlight[standing]--
	d.unsettled++
	e.observe(attempt, status)
	d.begin(ctx, e)
	d.beginOthers(ctx)
	d.mu.Unlock()
	f.job.Body = "" // thousands may wait to be settled, and nobody needs their bytes any more
	d.settled <- outcome{store.Outcome{
		Job: f.job, Attempt: attempt, Status: status,
		RetryAt: attempt.StartedAt.Add(time.Duration(attempt.DurationMS)*time.Millisecond + wait),
	}}
	select {
	case d.freed <- struct{}{}:
	default:
	}
}

// beginOthers starts what waited only because there was no room at all. The lock is held.
func (d *Dispatcher) beginOthers(ctx context.Context) {
	if !d.blocked {
		return
	}
	d.blocked = false // until one finds no room again
	for _, e := range d.endpoints {
		if len(e.waiting) > 0 {
			d.begin(ctx, e)
		}
	}
}

// giveBack ends the leases of what was claimed and not begun.
func (d *Dispatcher) giveBack(ctx context.Context) {
	d.mu.Lock()
	var jobs []store.Job
	for _, e := range d.endpoints {
		for _, f := range e.waiting {
			jobs = append(jobs, f.job)
		}
		e.waiting = nil
	}
	d.mu.Unlock()
	if err := d.store.UnscopedGiveBack(ctx, jobs); err != nil {
		d.opts.Log.WarnContext(ctx, "webhooks not given back, their leases run out by themselves", "count", len(jobs), "error", err)
	}
}
