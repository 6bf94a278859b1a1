package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"assay/server/cmd/lab/rig"
)

// phase is when an exchange took place.
type phase int

const (
	before  phase = iota
	away          // begun, or failed, while PostgreSQL was unavailable
	between       // while it went or came back, or before the service has to be healed
	healed
	phases
)

// tally counts the exchanges of one phase.
type tally struct {
	ok, unavailable, wrong int
	slowest                time.Duration
}

func (o *outage) phaseOf(e rig.Exchange) phase {
	switch {
	case e.Ended.Before(o.going):
		return before
	case e.Ended.After(o.gone) && e.Ended.Before(o.coming) && (e.Began.After(o.gone) || !e.OK()):
		return away
	case e.Began.After(o.back.Add(healBound)):
		return healed
	default:
		return between
	}
}

// judge checks every answer and returns the table.
func (o *outage) judge() [][]string {
	var load [phases]tally
	var ready, alive tally // probes without PostgreSQL
	var lastFailure time.Time
	for _, e := range o.load.Taken() {
		p := o.phaseOf(e)
		t, right := &load[p], e.OK() && p != away || e.Unavailable && (p == away || p == between)
		switch e.Action {
		case "/readyz":
			isKnown := e.Began.After(o.gone.Add(readyBound))
			t, right = &ready, e.Status == http.StatusServiceUnavailable || e.OK() && !isKnown
		case "/healthz":
			t, right = &alive, e.OK()
		}
		if isProbe := t == &ready || t == &alive; isProbe && p != away {
			continue
		} else if !isProbe && !e.OK() && e.Ended.After(o.back) && e.Ended.After(lastFailure) {
			lastFailure = e.Ended
		}
		t.slowest = max(t.slowest, e.Took())
		switch {
		case !right:
			t.wrong++
			o.faults = append(o.faults, fmt.Sprintf("%s, %s after PostgreSQL was gone: %s",
				e.Action, e.Began.Sub(o.gone).Round(time.Millisecond), e.Outcome()))
		case e.OK():
			t.ok++
		default:
			t.unavailable++
		}
		if e.Took() > answerBound {
			o.faults = append(o.faults, fmt.Sprintf("%s took %s", e.Action, e.Took()))
		}
	}

	healedAfter := time.Duration(0)
	if !lastFailure.IsZero() {
		healedAfter = lastFailure.Sub(o.back)
	}
	if healedAfter > healBound {
		o.faults = append(o.faults, "the last failure was "+rig.Seconds(healedAfter)+" after PostgreSQL was back")
	}
	if load[away].unavailable == 0 || load[healed].ok == 0 || ready.unavailable == 0 || alive.ok == 0 {
		o.faults = append(o.faults, "nothing was answered without PostgreSQL, or nothing afterwards")
	}
	return [][]string{
		{"", "2xx", "503", "wrong", "slowest"},
		load[before].row("before"), load[away].row("without PostgreSQL"), load[between].row("at the edges"),
		load[healed].row("healed"),
		ready.row("/readyz without PostgreSQL"), alive.row("/healthz without PostgreSQL"),
		{"last failure after its return", rig.Seconds(healedAfter)},
	}
}

func (t tally) row(name string) []string {
	return []string{name, strconv.Itoa(t.ok), strconv.Itoa(t.unavailable), strconv.Itoa(t.wrong), rig.Seconds(t.slowest)}
}
