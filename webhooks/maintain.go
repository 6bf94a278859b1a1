package webhooks

import (
	"context"
	"time"

	"assay/store"
)

// intervals are the periods of the recurring work.
type intervals struct {
	poll    time.Duration // claim without a wake-up, from the beginning of each queue
	health  time.Duration // write the observations of endpoints
	cancel  time.Duration // cancel deliveries of disabled endpoints
	purging time.Duration // create partitions, purge old events
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
		// Deliveries that are to be cancelled are not sent, so nothing waits for their cancellation. Only lists
		// show them as pending meanwhile.
		cancel: 30 * time.Second,
		// Partitions exist for a week ahead. Purging often keeps each purge small.
		purging: 10 * time.Minute,
	}
	if !hearsOthers {
		// On SQLite polling is how "assay dispatch" learns of events from another process.
		i.poll = 250 * time.Millisecond
	}
	return i
}

// repeat runs work after each interval, until ctx ends.
func repeat(ctx context.Context, interval time.Duration, work func(context.Context)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			work(ctx)
		}
	}
}

// cancelDisabled cancels the deliveries of disabled endpoints. For a long queue this takes minutes.
func (d *Dispatcher) cancelDisabled(ctx context.Context) {
	d.warn(ctx, "cancel deliveries of disabled endpoints failed", d.store.UnscopedCancelDisabled(ctx))
}

// purge creates partitions and purges old events, which can take minutes.
func (d *Dispatcher) purge(ctx context.Context) {
	d.warn(ctx, "create event partitions failed", d.store.UnscopedCreatePartitions(ctx))
	d.warn(ctx, "purge old events failed", d.store.UnscopedPurge(ctx, d.opts.Retention))
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
	var observed []store.Health
	for _, e := range d.endpoints {
		if e.health.WebhookID != "" {
			observed = append(observed, e.health)
			e.health = store.Health{}
		}
	}
	d.mu.Unlock()

	for _, health := range observed {
		if err := d.store.UnscopedNoteHealth(ctx, health); err != nil {
			d.warn(ctx, "record health of a webhook endpoint failed, retrying", err)
			d.restoreHealth(health)
		}
	}
}

// restoreHealth keeps an observation that could not be written for the next attempt
// to write it. Otherwise an endpoint could stay enabled after a 410.
func (d *Dispatcher) restoreHealth(unrecorded store.Health) {
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
