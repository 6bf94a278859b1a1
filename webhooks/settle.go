package webhooks

import (
	"context"
	"time"

	"assay/store/queue"
)

const (
	// Outcomes are written in batches, because one statement per delivery reaches
	// a tenth of the throughput. With ten endpoints on SQLite, 256 rows are 20 % slower than
	// 1024, because each commit writes pages of all indexes. More rows gain little. 5 ms is
	// enough to collect a batch under load, and is not noticed when idle.
	settleBatch = 1024
	settleDelay = 5 * time.Millisecond

	// settleRetry is the wait after a failed write: twice a second is soon enough
	// after an outage, and no load during one.
	settleRetry = 500 * time.Millisecond

	// settleGrace is how long failed writes are retried after the shutdown has
	// begun. A delivery whose outcome is lost is sent again when its lease ends.
	// deploy_test.go compares three timeouts, settleGrace, and cleanupTimeout with
	// the time that .deploy gives a shutdown.
	settleGrace = 10 * time.Second
)

// settleLoop writes outcomes in batches until the channel is closed.
func (d *Dispatcher) settleLoop(ctx context.Context, shutdown <-chan struct{}) {
	var giveUp chan struct{} // made at the first failure after the shutdown has begun, closed settleGrace later
	for open := true; open; {
		var batch []queue.Outcome
		batch, open = d.nextBatch()
		for len(batch) > 0 {
			err := d.settle(ctx, batch)
			if err == nil {
				break
			}
			d.opts.Log.WarnContext(ctx, "write webhook outcomes failed, retrying", "count", len(batch), "error", err)

			select {
			case <-shutdown:
				if giveUp == nil {
					giveUp = make(chan struct{})
					time.AfterFunc(settleGrace, func() { close(giveUp) })
				}
			default:
			}
			select {
			case <-giveUp:
				batch = nil
			case <-time.After(settleRetry):
			}
		}
	}
}

// nextBatch waits for one outcome and collects the outcomes that follow within
// settleDelay. open is false after the last one.
func (d *Dispatcher) nextBatch() (batch []queue.Outcome, open bool) {
	first, open := <-d.outcomes
	if !open {
		return nil, false
	}
	batch = append(batch, first)

	timer := time.NewTimer(settleDelay)
	defer timer.Stop()
	for len(batch) < settleBatch {
		select {
		case next, open := <-d.outcomes:
			if !open {
				return batch, false
			}
			batch = append(batch, next)
		case <-timer.C:
			return batch, true
		}
	}
	return batch, true
}

// settle writes a batch. The store ignores an outcome whose lease is lost.
func (d *Dispatcher) settle(ctx context.Context, batch []queue.Outcome) error {
	ctx, cancel := context.WithTimeout(ctx, d.opts.Timeout)
	defer cancel()
	written, err := d.queue.Settle(ctx, batch)
	if err != nil {
		return err
	}

	d.mu.Lock()
	for i, outcome := range batch {
		if !written[i] {
			d.metrics.lost.Inc()
			continue
		}
		d.metrics.deliveries.WithLabelValues(string(outcome.Status)).Inc()
		if e := d.endpoints[outcome.Job.WebhookID]; e != nil { // nil if forgotten during a long outage
			e.note(outcome)
		}
	}
	wasFull := d.unsettled >= maxUnsettled
	d.unsettled -= len(batch)
	d.mu.Unlock()
	if wasFull {
		d.signalFreed() // claiming had stopped, and no attempt is left that could resume it
	}
	return nil
}
