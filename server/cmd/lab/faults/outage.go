package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"assay/server/cmd/internal/rig"
)

type outageCommand struct {
	common  `embed:""`
	Mode    []string      `default:"stopped,frozen" enum:"stopped,frozen" help:"How PostgreSQL is away: it refuses connections, or it keeps them and says nothing."`
	Away    time.Duration `default:"30s" help:"For how long."`
	Clients int           `default:"32" help:"Candidates and integrators at work."`
}

// What is promised. answerBound is what the service waits for a database at
// most, and time for a busy machine to say so.
const (
	answerBound     = 7 * time.Second
	healBound       = 5 * time.Second
	goroutinesBound = 12 // more than before
)

// Run takes the database away in each mode.
func (c *outageCommand) Run(ctx context.Context, out io.Writer) error {
	return c.each(ctx, c.Mode, func(dir, mode string) error {
		return (&outage{outageCommand: c, mode: mode}).run(ctx, out, dir)
	})
}

// outage is one round.
type outage struct {
	*outageCommand
	mode   string
	lab    *lab
	server *rig.Process
	load   *load
	probes *probes

	going, gone       time.Time // when the database began to go, and all of it was away
	coming, back      time.Time // when it began to come back, and all of it was there
	goroutines, after float64   // of the service, without load
	faults            []string
}

func (o *outage) run(ctx context.Context, out io.Writer, dir string) (err error) {
	if o.lab, err = newLab(ctx, o.Binary, dir, "postgres"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.lab.close()) }()
	if o.server, _, err = o.lab.service.Serve(ctx); err != nil {
		return err
	}
	defer o.server.Stop()
	w, err := newWorld(ctx, o.server.Addr, o.Clients)
	if err != nil {
		return err
	}
	o.load = startLoad(ctx, w, o.server.Addr)
	defer o.load.end()
	o.probes = startProbes(ctx, o.server.Addr)
	defer o.probes.end()
	if err := o.phases(ctx); err != nil {
		return o.server.Explain(err)
	}
	o.load.end()
	o.probes.end()
	rows := o.judge()
	lost, err := o.load.ledger.lost(ctx, w)
	if err != nil {
		return errors.Join(verdict(o.faults), err)
	}
	o.faults = append(o.faults, lost...)
	exited, err := o.end(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "outage, %s for %s, %d clients: answers within %s, healed within %s\n", o.mode, o.Away, o.Clients, answerBound, healBound)
	printTable(out, append(rows,
		[]string{"acknowledged writes, lost", count(o.load.ledger.total()), count(len(lost))},
		[]string{"goroutines before, after", fmt.Sprint(o.goroutines), fmt.Sprint(o.after)},
		[]string{"SIGTERM without it, to exit", seconds(exited)}))
	return verdict(o.faults)
}

// endBound is within what supervisors give a process to end.
const endBound = 15 * time.Second

// end takes the database away once more, and tells the service to end.
func (o *outage) end(ctx context.Context) (time.Duration, error) {
	if err := o.takeAway(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := o.server.Terminate(); err != nil {
		return 0, err
	}
	select {
	case <-o.server.Ended():
	case <-time.After(endBound):
		return 0, o.server.Explain(fmt.Errorf("without the database it did not end within %s", endBound))
	}
	exited := time.Since(began)
	if status := o.server.State().ExitCode(); status != 0 {
		o.faults = append(o.faults, o.server.Explain(fmt.Errorf("without the database it ended with status %d", status)).Error())
	}
	return exited, o.giveBack(context.WithoutCancel(ctx))
}

// phases are: work, no database, work again.
func (o *outage) phases(ctx context.Context) (err error) {
	rig.Pause(ctx, 2*time.Second)
	if o.goroutines, err = o.quiet(ctx); err != nil {
		return err
	}
	rig.Pause(ctx, 500*time.Millisecond)
	o.going = time.Now()
	if err := o.takeAway(ctx); err != nil {
		return err
	}
	o.gone = time.Now()
	rig.Pause(ctx, o.Away/2)
	if _, err := metric(ctx, o.server, "go_goroutines"); err != nil {
		o.faults = append(o.faults, "without the database: "+err.Error())
	}
	rig.Pause(ctx, time.Until(o.gone.Add(o.Away)))
	o.coming = time.Now()
	if err := o.giveBack(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	o.back = time.Now()
	// Those who wait since before have their answer by then, and then all is well.
	rig.Pause(ctx, max(answerBound, healBound)+time.Second)
	if o.after, err = o.quiet(ctx); o.after > o.goroutines+goroutinesBound {
		o.faults = append(o.faults, fmt.Sprintf("%.0f goroutines before, %.0f after", o.goroutines, o.after))
	}
	return errors.Join(err, ctx.Err())
}

func (o *outage) takeAway(ctx context.Context) error {
	if o.mode == "frozen" {
		return o.lab.cluster.Freeze(ctx)
	}
	return o.lab.cluster.Halt(ctx)
}

func (o *outage) giveBack(ctx context.Context) error {
	if o.mode == "frozen" {
		return o.lab.cluster.Thaw()
	}
	return o.lab.cluster.Start(ctx)
}

// quiet counts goroutines while nobody asks for anything.
func (o *outage) quiet(ctx context.Context) (float64, error) {
	o.load.gate.close()
	defer o.load.gate.open()
	rig.Pause(ctx, 1500*time.Millisecond)
	return metric(ctx, o.server, "go_goroutines")
}
