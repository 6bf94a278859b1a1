package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"assay/server/cmd/internal/rig"
	"assay/store/storetest/proxy"
)

type failoverCommand struct {
	common  `embed:""`
	Rounds  int           `default:"3" help:"How often primary and standby change places."`
	Clients int           `default:"16" help:"Candidates and integrators at work."`
	Lag     time.Duration `default:"4s" help:"For how long the address goes on leading to the old primary, which is a standby by then."`
}

// Run changes primary and standby behind an address, as a DNS name does it:
// connections that are there stay where they are.
func (c *failoverCommand) Run(ctx context.Context, out io.Writer) error {
	return c.inFolder(ctx, func(dir string) (err error) {
		f := &failover{failoverCommand: c}
		if f.primary, err = rig.NewCluster(ctx, filepath.Join(dir, "one")); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.primary.Stop()) }()
		if f.standby, err = f.primary.Standby(ctx, filepath.Join(dir, "two")); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.standby.Stop()) }()
		if f.address, err = proxy.New(ctx, f.primary.URL()); err != nil {
			return err
		}
		defer func() { _ = f.address.Close() }()
		return f.run(ctx, out, dir)
	})
}

// failover is what changes places, and who works meanwhile.
type failover struct {
	*failoverCommand
	primary, standby *rig.Cluster
	address          *proxy.Proxy
	load             *load
	faults           []string
}

func (f *failover) run(ctx context.Context, out io.Writer, dir string) error {
	service := rig.Service{
		Binary: f.Binary, DatabaseURL: f.address.URL(), Dir: filepath.Join(dir, "data"), Secret: rig.RandomSecret(), LogLevel: "error",
	}
	server, _, err := service.Serve(ctx)
	if err != nil {
		return err
	}
	defer server.Stop()
	w, err := newWorld(ctx, server.Addr, f.Clients)
	if err != nil {
		return err
	}
	f.load = startLoad(ctx, w, server.Addr)
	defer f.load.end()
	_, _ = fmt.Fprintf(out, "failover, %d times, %d clients: the address leads to the old primary for %s more, which refuses writes; then all is well within %s\n",
		f.Rounds, f.Clients, f.Lag, healBound)
	rows := [][]string{{"round", "away", "read-only: reads 2xx", "writes 503", "writes 2xx", "after the switch: 503", "2xx", "last failure after", "wrong"}}
	for n := range f.Rounds {
		row, err := f.round(ctx, n+1)
		if err != nil {
			return server.Explain(err)
		}
		rows = append(rows, row)
	}
	f.load.end()
	printTable(out, rows)
	lost, err := f.load.ledger.lost(ctx, w)
	if err != nil {
		return errors.Join(verdict(f.faults), err)
	}
	printTable(out, [][]string{{"acknowledged writes", "lost"}, {count(f.load.ledger.total()), count(len(lost))}})
	return verdict(append(f.faults, lost...))
}

// moments of one round.
type moments struct{ stopped, readOnly, switched, end time.Time }

// round stops the primary in order, so that the standby has everything,
// promotes that, brings the old primary back as its standby, and only after a
// while leads the address to the new one.
func (f *failover) round(ctx context.Context, n int) ([]string, error) {
	var m moments
	rig.Pause(ctx, time.Second)
	m.stopped = time.Now()
	if err := f.primary.Close(ctx); err != nil {
		return nil, err
	}
	if err := f.standby.Promote(ctx); err != nil {
		return nil, err
	}
	if err := f.primary.Follow(ctx, f.standby); err != nil {
		return nil, err
	}
	m.readOnly = time.Now()
	rig.Pause(ctx, f.Lag)
	f.primary, f.standby = f.standby, f.primary
	if err := f.address.PointTo(f.primary.URL()); err != nil {
		return nil, err
	}
	m.switched = time.Now()
	rig.Pause(ctx, healBound+2*time.Second)
	m.end = time.Now()
	return f.judge(n, m), ctx.Err()
}

// writes of the load; all else reads.
var writes = map[string]bool{"answer": true, "invite": true, "assessment": true, "key": true}

// judge holds what was answered in a round to the promises.
func (f *failover) judge(n int, m moments) []string {
	var readsThere, refusedThere, writtenThere, refusedAfter, after, wrong int
	var lastFailure time.Time
	for _, e := range f.load.taken() {
		ok, unavailable := e.status/100 == 2, e.status == http.StatusServiceUnavailable && e.proper
		readOnly := e.began.After(m.readOnly) && e.ended.Before(m.switched)
		switch {
		case !ok && !unavailable, !ok && e.ended.Before(m.stopped), !ok && e.began.After(m.switched.Add(healBound)), e.took() > answerBound,
			readOnly && ok && writes[e.action]:
			wrong++
			f.faults = append(f.faults, fmt.Sprintf("round %d: %s, %s after the switch, within %s: %s",
				n, e.action, e.began.Sub(m.switched).Round(time.Millisecond), e.took().Round(time.Millisecond), outcome(e)))
		}
		switch {
		case readOnly && ok && writes[e.action]:
			writtenThere++
		case readOnly && ok:
			readsThere++
		case readOnly && writes[e.action]:
			refusedThere++
		case e.began.After(m.switched) && ok:
			after++
		case e.ended.After(m.switched) && !ok:
			refusedAfter++
			if e.ended.After(lastFailure) {
				lastFailure = e.ended
			}
		}
	}
	if readsThere == 0 || refusedThere == 0 || after == 0 {
		f.faults = append(f.faults, fmt.Sprintf("round %d: nothing was read or refused on the old primary, or done on the new one", n))
	}
	last := "none"
	if !lastFailure.IsZero() {
		last = seconds(lastFailure.Sub(m.switched))
	}
	return []string{
		count(n), seconds(m.readOnly.Sub(m.stopped)), count(readsThere), count(refusedThere), count(writtenThere), count(refusedAfter), count(after), last, count(wrong),
	}
}
