package webhooks

import (
	"context"
	"time"

	"assay/store/queue"
)

// intervals are the periods of the recurring work.
type intervals struct {
	poll   time.Duration // claim without a wake-up, from the beginning of each queue
	health time.Duration // write the observations of endpoints
}

// newIntervals returns the periods for a store. hearsOthers says whether other
// processes wake this one.
func newIntervals(hearsOthers bool) intervals {
	i := intervals{
		// The poll finds retries that become due and events whose wake-up was lost.
		// A second is short beside the first retry's 30 s, and an idle poll costs one query.
		poll: time.Second,
		// One write per endpoint and second instead of one per attempt, and a 410
		// still disables its endpoint within about a second.
		health: time.Second,
	}
	if !hearsOthers {
		// On SQLite polling is how "assay dispatch" learns of events from another process.
		i.poll = 250 * time.Millisecond
	}
	return i
}

// healthLoop records the health of endpoints after each interval, until ctx ends.
func (d *Dispatcher) healthLoop(ctx context.Context) {
	ticker := time.NewTicker(d.intervals.health)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			d.recordHealth(ctx)
		}
	}
}

// warn logs an error, unless the shutdown caused it.
func (d *Dispatcher) warn(ctx context.Context, text string, err error) {
	if err != nil && ctx.Err() == nil {
		d.opts.Log.WarnContext(ctx, text, "error", err)
	}
}

// recordHealth writes what was observed of each endpoint since the last time.
// The store disables the endpoints that are gone or have failed for too long.
func (d *Dispatcher) recordHealth(ctx context.Context) {
	d.mu.Lock()
	var observed []queue.Health
	for _, e := range d.endpoints {
		if e.health.WebhookID != "" {
			observed = append(observed, e.health)
			e.health = queue.Health{}
		}
	}
	d.mu.Unlock()

	for _, health := range observed {
		if err := d.queue.NoteHealth(ctx, health); err != nil {
			d.warn(ctx, "record health of a webhook endpoint failed, retrying", err)
			d.restoreHealth(health)
		}
	}
}

// restoreHealth keeps an observation that could not be written for the next attempt
// to write it. Otherwise an endpoint could stay enabled after a 410.
func (d *Dispatcher) restoreHealth(unrecorded queue.Health) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.endpoints[unrecorded.WebhookID]
	if e == nil {
		return // forgotten meanwhile
	}
	if e.health.WebhookID == "" {
		e.health = unrecorded
		return
	}
	e.health = joinHealth(unrecorded, e.health)
}
