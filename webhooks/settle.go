package webhooks

import (
	"context"
	"time"

	"assay/store"
)

// settleRetry is how long the settle loop waits after the database refused.
const settleRetry = 500 * time.Millisecond

// settleGrace is how long outcomes are tried to be written after the shutdown
// has begun. What is not is sent again when its lease has run out.
const settleGrace = 10 * time.Second

// settleLoop writes outcomes in batches until there are no more.
func (d *Dispatcher) settleLoop(ctx context.Context, ending <-chan struct{}) {
	var giveUp <-chan time.Time
	for {
		batch, open := d.nextBatch()
		for len(batch) > 0 {
			err := d.settle(ctx, batch)
			if err == nil {
				break
			}
			d.opts.Log.WarnContext(ctx, "webhook outcomes not written, trying again", "count", len(batch), "error", err)
			select {
			case <-ending:
				if giveUp == nil {
					giveUp = time.After(settleGrace)
				}
			default:
			}
			select {
			case <-giveUp:
				batch = nil
			case <-time.After(settleRetry):
			}
		}
		if !open {
			return
		}
	}
}

// nextBatch waits for an outcome and gathers what follows closely.
func (d *Dispatcher) nextBatch() (batch []store.Outcome, open bool) {
	first, open := <-d.settled
	if !open {
		return nil, false
	}
	batch = append(batch, first.Outcome)
	timer := time.NewTimer(settleDelay)
	defer timer.Stop()
	for len(batch) < settleBatch {
		select {
		case next, open := <-d.settled:
			if !open {
				return batch, false
			}
			batch = append(batch, next.Outcome)
		case <-timer.C:
			return batch, true
		}
	}
	return batch, true
}

func (d *Dispatcher) settle(ctx context.Context, batch []store.Outcome) error {
	ctx, cancel := context.WithTimeout(ctx, d.opts.Timeout)
	defer cancel()
	ours, err := d.store.UnscopedSettle(ctx, batch)
	if err != nil {
		return err
	}
	for _, o := range batch {
		if ours[o.Job.DeliveryID] {
			d.metrics.deliveries.WithLabelValues(string(o.Status)).Inc()
		} else {
			d.metrics.lost.Inc()
		}
	}
	d.mu.Lock()
	full := d.unsettled >= maxUnsettled
	d.unsettled -= len(batch)
	d.mu.Unlock()
	if full {
		select {
		case d.freed <- struct{}{}:
		default:
		}
	}
	return nil
}

// maintain tells the store how the endpoints do, and keeps the event log within
// its days.
func (d *Dispatcher) maintain(ctx context.Context) error {
	health := time.NewTicker(healthInterval)
	defer health.Stop()
	cancelling := time.NewTicker(cancelInterval)
	defer cancelling.Stop()
	days := time.NewTicker(maintenanceInterval)
	defer days.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-health.C:
			d.tellHealth(ctx)
		case <-cancelling.C:
			d.warn(ctx, "deliveries of disabled endpoints not cancelled", d.store.UnscopedCancelDisabled(ctx))
		case <-days.C:
			d.warn(ctx, "days of the event log not made", d.store.UnscopedKeepDays(ctx))
			d.warn(ctx, "event log not purged", d.store.UnscopedPurge(ctx, d.opts.Retention))
		}
	}
}

func (d *Dispatcher) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		d.opts.Log.WarnContext(ctx, what, "error", err)
	}
}

// tellHealth passes on what was seen of each endpoint since the last time.
func (d *Dispatcher) tellHealth(ctx context.Context) {
	d.mu.Lock()
	var seen []store.Health
	for _, e := range d.endpoints {
		if e.health.WebhookID != "" {
			seen = append(seen, e.health)
			e.health = store.Health{}
		}
	}
	d.mu.Unlock()
	for _, health := range seen {
		if err := d.store.UnscopedNoteHealth(ctx, health); err != nil {
			d.warn(ctx, "health of an endpoint not noted, telling it again", err)
			d.mu.Lock()
			d.endpoints[health.WebhookID].retell(health)
			d.mu.Unlock()
		}
	}
}
