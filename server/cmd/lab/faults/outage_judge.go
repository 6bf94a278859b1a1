package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"assay/server/cmd/internal/rig"
)

// phase is when an exchange took place.
type phase int

const (
	before  phase = iota
	away          // begun while the database was away, or refused then
	between       // across its going or its coming back, or while it heals
	healed
	phases
)

// tally is what was answered in one phase.
type tally struct {
	ok, unavailable, wrong int
	slowest                time.Duration
}

// phaseOf tells in which an exchange took place, for what promises hold.
func (o *outage) phaseOf(e exchange) phase {
	switch {
	case e.ended.Before(o.going):
		return before
	case e.ended.After(o.gone) && e.ended.Before(o.coming) && (e.began.After(o.gone) || e.status/100 != 2):
		return away
	case e.began.After(o.back.Add(healBound)):
		return healed
	default:
		return between
	}
}

// judge holds every answer to the promises, and returns the table.
func (o *outage) judge() [][]string {
	var tallies [phases]tally
	var lastFailure time.Time
	for _, e := range o.load.taken() {
		p := o.phaseOf(e)
		t := &tallies[p]
		t.slowest = max(t.slowest, e.took())
		ok, unavailable := e.status/100 == 2, e.status == http.StatusServiceUnavailable && e.proper
		switch {
		case ok && p != away:
			t.ok++
		case unavailable && (p == away || p == between):
			t.unavailable++
		default:
			t.wrong++
			o.faults = append(o.faults, fmt.Sprintf("%s, %s after the database went: %s", e.action, e.began.Sub(o.gone).Round(time.Millisecond), outcome(e)))
		}
		if e.took() > answerBound {
			o.faults = append(o.faults, fmt.Sprintf("%s took %s", e.action, e.took()))
		}
		if !ok && e.ended.After(o.back) && e.ended.After(lastFailure) {
			lastFailure = e.ended
		}
	}
	rows := [][]string{{"", "2xx", "503", "wrong", "slowest"}}
	for p, name := range []string{"with the database", "without it", "at its edges", "healed"} {
		t := tallies[p]
		rows = append(rows, []string{name, count(t.ok), count(t.unavailable), count(t.wrong), seconds(t.slowest)})
	}
	healedAfter := max(0, lastFailure.Sub(o.back))
	if lastFailure.IsZero() {
		healedAfter = 0
	}
	if healedAfter > healBound {
		o.faults = append(o.faults, "the last failure was "+seconds(healedAfter)+" after the database was back")
	}
	for name, n := range map[string]int{"without the database": tallies[away].unavailable, "healed": tallies[healed].ok} {
		if n == 0 {
			o.faults = append(o.faults, "nothing was answered "+name)
		}
	}
	rows = append(rows, []string{"last failure after its return", seconds(healedAfter)})
	return append(rows, o.judgeProbes()...)
}

func outcome(e exchange) string {
	if e.status == 0 || e.status/100 != 2 {
		return e.fault
	}
	return fmt.Sprintf("%d", e.status)
}

// judgeProbes: the process lives all the time, and says when it is not ready.
func (o *outage) judgeProbes() [][]string {
	ready, alive := map[int]int{}, map[int]int{}
	var slowest time.Duration
	for _, e := range o.probes.taken {
		if o.phaseOf(e) != away {
			continue
		}
		slowest = max(slowest, e.took())
		want, seen := http.StatusServiceUnavailable, ready
		if e.action == "/healthz" {
			want, seen = http.StatusOK, alive
		}
		seen[e.status]++
		if e.status != want {
			o.faults = append(o.faults, fmt.Sprintf("%s answered %d without the database %s", e.action, e.status, e.fault))
		}
	}
	return [][]string{
		{"/readyz without it: 503, others", count(ready[503]), count(total(ready) - ready[503]), "", seconds(slowest)},
		{"/healthz without it: 200, others", count(alive[200]), count(total(alive) - alive[200])},
	}
}

func total(of map[int]int) int {
	sum := 0
	for _, n := range of {
		sum += n
	}
	return sum
}

// probes ask for /readyz and /healthz as a supervisor does.
type probes struct {
	stop  context.CancelFunc
	ended chan struct{}
	taken []exchange // once it has ended
}

const probeInterval = 100 * time.Millisecond

func startProbes(ctx context.Context, addr string) *probes {
	ctx, cancel := context.WithCancel(ctx)
	p := &probes{stop: cancel, ended: make(chan struct{})}
	client := &http.Client{Timeout: patience}
	go func() {
		defer close(p.ended)
		for rig.Pause(ctx, probeInterval) {
			for _, path := range []string{"/healthz", "/readyz"} {
				e := exchange{action: path, began: time.Now()}
				answer, err := client.Get("http://" + addr + path) //nolint:noctx // it is to have its answer
				e.ended = time.Now()
				if err != nil {
					e.fault = err.Error()
				} else {
					e.status = answer.StatusCode
					_ = answer.Body.Close()
				}
				p.taken = append(p.taken, e)
			}
		}
	}()
	return p
}

func (p *probes) end() {
	p.stop()
	<-p.ended
}
