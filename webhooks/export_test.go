package webhooks

import (
	"context"
	"time"

	"assay/store/queue"
)

// SetIntervals replaces the periods of polling and of recording health, before
// Run. Tests that advance the clock would otherwise wait for the next real second.
func (d *Dispatcher) SetIntervals(interval time.Duration) {
	d.intervals.poll, d.intervals.health = interval, interval
}

// SettleDuringShutdown runs the settle loop on the outcomes as after the end of Run's context.
func (d *Dispatcher) SettleDuringShutdown(ctx context.Context, outcomes []queue.Outcome) {
	for _, outcome := range outcomes {
		d.outcomes <- outcome
	}
	close(d.outcomes)
	shutdown := make(chan struct{})
	close(shutdown)
	d.settleLoop(ctx, shutdown)
}
