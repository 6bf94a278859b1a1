package bench

import (
	"context"
	"fmt"
	"time"

	"assay/server/cmd/lab/rig"
)

// aimResumed is the time from a kill until the deliveries that the process had claimed
// have arrived.
const aimResumed = 2 * time.Second

// kill kills the server when half of a backlog of the only endpoint has arrived, and starts
// another one at once. The deliveries that the killed one had claimed are the last to arrive.
// It returns a line for the output.
func (r *deliveryRun) kill(ctx context.Context) (string, error) {
	name, err := r.queue(ctx, r.Events)
	if err != nil {
		return "", err
	}
	l := newLive(name, r.Events, 1)
	r.to.live.Store(l)
	defer r.to.live.Store(nil)
	if err := r.restart(ctx); err != nil {
		return "", err
	}
	for l.left.Load() > int64(r.Events)/2 {
		if !rig.Pause(ctx, time.Millisecond) {
			return "", ctx.Err()
		}
	}
	r.server.Kill()
	r.server = nil
	killed := time.Now()
	ready, err := r.serve(ctx)
	if err != nil {
		return "", err
	}
	if err := l.wait(ctx); err != nil {
		return "", err
	}
	first, last, doubles := time.Duration(0), time.Duration(0), 0
	for i := range l.arrived {
		after := time.Unix(0, l.arrived[i].Load()).Sub(killed)
		if after > 0 && (first == 0 || after < first) {
			first = after
		}
		last = max(last, after)
		doubles += int(l.seen[i].Load()) - 1
	}
	return fmt.Sprintf("kill -9 with %d deliveries pending: ready after %s, the first delivery after %s,"+
		" the last after %s, %d received twice %s",
		r.Events/2, rig.Milliseconds(ready), rig.Milliseconds(first), rig.Milliseconds(last), doubles,
		missed(last > aimResumed, "aim "+aimResumed.String())), nil
}
