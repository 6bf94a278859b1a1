package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/store/storetest/proxy"
)

// Failover is `lab faults failover`.
type Failover struct {
	rig.Flags `embed:""`

	Rounds  int           `default:"3" help:"Number of switches between primary and standby."`
	Clients int           `default:"16" help:"Candidates and integrators at work."`
	Lag     time.Duration `default:"4s" help:"Time for which the address leads to the read-only old primary."`
}

// Run switches primary and standby behind an address. As with a DNS name, open
// connections stay where they are.
func (c *Failover) Run(ctx context.Context, out io.Writer) error {
	return c.EachDatabase(ctx, []string{"postgres"}, func(db *rig.Database) (err error) {
		f := &failover{Failover: c, primary: db.Cluster}
		defer func() { err = errors.Join(err, f.primary.Stop()) }()
		if f.standby, err = f.primary.Standby(ctx, filepath.Join(db.Dir, "standby")); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.standby.Stop()) }()
		if f.address, err = proxy.New(ctx, f.primary.URL()); err != nil {
			return err
		}
		defer func() { _ = f.address.Close() }()
		service := db.Service(c.Binary)
		service.DatabaseURL = f.address.URL()
		server, _, err := service.Serve(ctx)
		if err != nil {
			return err
		}
		defer server.Stop()
		return server.Explain(f.run(ctx, out, server.Addr))
	})
}

// failover is one run.
type failover struct {
	*Failover
	primary, standby *rig.Cluster
	address          *proxy.Proxy
	load             *rig.Load
	faults           []string
}

func (f *failover) run(ctx context.Context, out io.Writer, addr string) (err error) {
	if f.load, err = rig.StartLoad(ctx, []string{addr}, "failover", f.Clients); err != nil {
		return err
	}
	defer f.load.End()
	rows := [][]string{{
		"round", "away", "read-only: reads 2xx", "writes 503", "writes 2xx",
		"after the switch: 503", "2xx", "last failure after", "wrong",
	}}
	for n := range f.Rounds {
		m, err := f.round(ctx)
		if err != nil {
			return err
		}
		rows = append(rows, f.judge(n+1, m))
	}
	f.load.End()
	lost, err := f.load.Lost(ctx)
	_, _ = fmt.Fprintf(out, "failover, %d times, %d clients: %s on the read-only primary; recovery within %s\n",
		f.Rounds, f.Clients, f.Lag, healBound)
	rig.PrintTable(out, rows)
	rig.PrintTable(out, f.load.LedgerRows(lost))
	return errors.Join(rig.Verdict(append(f.faults, lost...)), err)
}

// moments of one round.
type moments struct{ stopped, readOnly, switched time.Time }

// round shuts the primary down in order, so that the standby has everything.
// It promotes the standby, starts the old primary as the new one's standby, and
// only after a while lets the address lead to the new primary.
func (f *failover) round(ctx context.Context) (m moments, err error) {
	rig.Pause(ctx, time.Second)
	m.stopped = time.Now()
	if err := f.primary.Close(ctx); err != nil {
		return m, err
	}
	if err := f.standby.Promote(ctx); err != nil {
		return m, err
	}
	if err := f.primary.Follow(ctx, f.standby); err != nil {
		return m, err
	}
	m.readOnly = time.Now()
	rig.Pause(ctx, f.Lag)
	f.primary, f.standby = f.standby, f.primary
	if err := f.address.PointTo(f.primary.URL()); err != nil {
		return m, err
	}
	m.switched = time.Now()
	rig.Pause(ctx, healBound+2*time.Second)
	return m, ctx.Err()
}

// judge checks the answers of one round and returns its row.
func (f *failover) judge(n int, m moments) []string {
	var reads, refused, written, refusedAfter, after, wrong int
	var lastFailure time.Time
	for _, e := range f.load.Taken() {
		readOnly := e.Began.After(m.readOnly) && e.Ended.Before(m.switched)
		switch {
		case !e.OK() && !e.Unavailable,
			!e.OK() && e.Ended.Before(m.stopped),
			!e.OK() && e.Began.After(m.switched.Add(healBound)),
			e.Took() > answerBound,
			readOnly && e.OK() && rig.Writes[e.Action]:
			wrong++
			f.faults = append(f.faults, fmt.Sprintf("round %d: %s, %s after the switch, within %s: %s",
				n, e.Action, e.Began.Sub(m.switched).Round(time.Millisecond), e.Took().Round(time.Millisecond), e.Outcome()))
		}
		switch {
		case readOnly && e.OK() && rig.Writes[e.Action]:
			written++
		case readOnly && e.OK():
			reads++
		case readOnly && rig.Writes[e.Action]:
			refused++
		case e.Began.After(m.switched) && e.OK():
			after++
		case e.Ended.After(m.switched) && !e.OK():
			refusedAfter++
			if e.Ended.After(lastFailure) {
				lastFailure = e.Ended
			}
		}
	}
	if reads == 0 || refused == 0 || after == 0 {
		f.faults = append(f.faults, fmt.Sprintf("round %d: the old primary answered nothing, or the new one did nothing", n))
	}
	last := "none"
	if !lastFailure.IsZero() {
		last = rig.Seconds(lastFailure.Sub(m.switched))
	}
	return []string{
		strconv.Itoa(n), rig.Seconds(m.readOnly.Sub(m.stopped)), strconv.Itoa(reads), strconv.Itoa(refused),
		strconv.Itoa(written), strconv.Itoa(refusedAfter), strconv.Itoa(after), last, strconv.Itoa(wrong),
	}
}
