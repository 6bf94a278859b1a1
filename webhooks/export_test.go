package webhooks

import "time"

// SetIntervals replaces the periods of polling and of recording health, before
// Run. Tests that advance the clock would otherwise wait for the next real second.
func (d *Dispatcher) SetIntervals(interval time.Duration) {
	d.intervals.poll, d.intervals.health = interval, interval
}
