package attack

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"assay/server/cmd/lab/rig"
)

// victim is an organization that invites at a steady, low rate.
type victim struct {
	org *rig.Organization
	n   atomic.Int64
}

// work is what the victim saw.
type work struct {
	rounds [][]time.Duration
	failed []string
}

// Percentiles are medians over the rounds, so that one disturbance of the machine
// does not count.
func (w work) percentile(p int) time.Duration {
	var each []time.Duration
	for _, round := range w.rounds {
		each = append(each, rig.Percentile(round, p))
	}
	return rig.Percentile(each, 50)
}

func (w work) String() string {
	requests := 0
	for _, round := range w.rounds {
		requests += len(round)
	}
	text := fmt.Sprintf("p50 %s p99 %s of %d",
		rig.Milliseconds(w.percentile(50)), rig.Milliseconds(w.percentile(99)), requests)
	if len(w.failed) > 0 {
		text += fmt.Sprintf(", %d failed: %s", len(w.failed), w.failed[0])
	}
	return text
}

// round invites every interval, whether or not the previous answer has come:
// otherwise a slow answer would delay, and hide, the requests after it.
func (v *victim) round(ctx context.Context, w *work, interval, length time.Duration) {
	var mu sync.Mutex
	var round []time.Duration
	var sending sync.WaitGroup
	for end := time.Now().Add(length); time.Now().Before(end) && rig.Pause(ctx, interval); {
		sending.Go(func() {
			body := v.org.Invite(fmt.Sprintf("victim-%d", v.n.Add(1)))
			began := time.Now()
			answer, err := v.org.API.Send(ctx, http.MethodPost, "/v1/public/candidate-sessions", v.org.Key, body)
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			round = append(round, took)
			if err != nil || !answer.OK() {
				w.failed = append(w.failed, fmt.Sprintf("%d %s %v", answer.Status, answer.Code(), err))
			}
		})
	}
	sending.Wait()
	w.rounds = append(w.rounds, round)
}

// duel is how the victim is measured, in alternate rounds alone and beside an attack.
type duel struct {
	rounds   int
	interval time.Duration // between invites
	length   time.Duration // of a round
}

// besideAttack measures the victim. attack runs until its context ends. settle waits
// until the service has done everything that the attack has caused. If it returns false,
// the victim cannot be measured alone any more, so there is no further pair of rounds.
func (v *victim) besideAttack(
	ctx context.Context, d duel, attack func(ctx context.Context), settle func(ctx context.Context) bool,
) (alone, beside work) {
	for range d.rounds {
		v.round(ctx, &alone, d.interval, d.length)
		attacking, stop := context.WithCancel(ctx)
		var ended sync.WaitGroup
		ended.Go(func() { attack(attacking) })
		v.round(ctx, &beside, d.interval, d.length)
		stop()
		ended.Wait()
		if !settle(ctx) {
			break
		}
	}
	return alone, beside
}

// bearable reports whether the victim's p99 is below the absolute bound, or not
// much above that of the victim alone on a busy machine.
func bearable(alone, beside work) bool {
	return len(beside.failed) == 0 && beside.percentile(99) <= max(victimBound, 3*alone.percentile(99))
}

// slowedDown returns by how much the p99 beside the attack exceeds that alone, in
// percent, in how many pairs of rounds it is above the bound, and whether the rule is
// broken: on a busy machine some pairs are above it anyway, so three quarters must be.
func slowedDown(alone, beside work) (percent float64, above int, broken bool) {
	percent = 100 * (beside.percentile(99).Seconds()/max(alone.percentile(99).Seconds(), 1e-9) - 1)
	for n, round := range beside.rounds {
		before := rig.Percentile(alone.rounds[n], 99)
		if rig.Percentile(round, 99) > before+before*fanOutPercent/100 {
			above++
		}
	}
	broken = percent > fanOutPercent && 4*above >= 3*len(beside.rounds)
	return percent, above, broken || len(beside.failed) > 0
}
