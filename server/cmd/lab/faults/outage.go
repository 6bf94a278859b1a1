package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// Outage is `lab faults outage`.
type Outage struct {
	rig.Flags `embed:""`

	Mode    []string      `default:"stopped,frozen" enum:"stopped,frozen" help:"How PostgreSQL is unavailable."`
	Away    time.Duration `default:"30s" help:"Time without PostgreSQL."`
	Clients int           `default:"32" help:"Candidates and integrators at work."`
}

// readyBound is how long /readyz uses the last answer of a database that has stopped answering.
const readyBound = 3*time.Second + 100*time.Millisecond

// goroutinesBound is how many more goroutines there may be afterwards.
const goroutinesBound = 12

// Run takes the database away in each mode.
func (c *Outage) Run(ctx context.Context, out io.Writer) error {
	return c.Each(ctx, c.Mode, func(dir, mode string) error {
		return (&outage{Outage: c, mode: mode}).run(ctx, out, dir)
	})
}

// outage is the run of one mode.
type outage struct {
	*Outage
	mode    string
	cluster *rig.Cluster
	server  *rig.Process
	load    *rig.Load

	going, gone       time.Time // PostgreSQL began to go, and was gone
	coming, back      time.Time // PostgreSQL began to come back, and was back
	goroutines, after float64   // without load
	faults            []string
}

func (o *outage) run(ctx context.Context, out io.Writer, dir string) (err error) {
	db, err := rig.NewDatabase(ctx, dir, "postgres")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	o.cluster = db.Cluster
	if o.server, _, err = db.Service(o.Binary).Serve(ctx); err != nil {
		return err
	}
	defer o.server.Stop()
	if o.load, err = rig.StartLoad(ctx, []string{o.server.Addr}, "outage", o.Clients); err != nil {
		return err
	}
	defer o.load.End()
	if err := o.phases(ctx); err != nil {
		return o.server.Explain(err)
	}
	o.load.End()
	rows := o.judge()
	lost, err := o.load.Lost(ctx)
	if err != nil {
		return errors.Join(rig.Verdict(o.faults), err)
	}
	o.faults = append(o.faults, lost...)
	exited, err := o.end(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "outage, %s for %s, %d clients: answers within %s, recovery within %s\n",
		o.mode, o.Away, o.Clients, answerBound, healBound)
	rig.PrintTable(out, slices.Concat(rows, o.load.LedgerRows(lost), [][]string{
		{"goroutines before, after", fmt.Sprint(o.goroutines), fmt.Sprint(o.after)},
		{"SIGTERM to exit, without PostgreSQL", rig.Seconds(exited)},
	}))
	return rig.Verdict(o.faults)
}

// phases takes PostgreSQL away under load and gives it back. Probes run all the
// time, as a supervisor's do.
func (o *outage) phases(ctx context.Context) (err error) {
	rig.Pause(ctx, 2*time.Second)
	if o.goroutines, err = o.quiet(ctx); err != nil {
		return err
	}
	probing, stop := context.WithCancel(ctx)
	var probes sync.WaitGroup
	defer probes.Wait()
	defer stop()
	probes.Go(func() {
		for rig.Pause(probing, 100*time.Millisecond) {
			_, _ = o.load.Do("/healthz", http.MethodGet, "/healthz", nil, nil)
			_, _ = o.load.Do("/readyz", http.MethodGet, "/readyz", nil, nil)
		}
	})
	rig.Pause(ctx, 500*time.Millisecond)

	o.going = time.Now()
	if err := o.takeAway(ctx); err != nil {
		return err
	}
	o.gone = time.Now()
	rig.Pause(ctx, o.Away/2)
	if _, err := o.server.Metric(ctx, "go_goroutines"); err != nil {
		o.faults = append(o.faults, "without PostgreSQL: "+err.Error())
	}
	rig.Pause(ctx, time.Until(o.gone.Add(o.Away)))

	o.coming = time.Now()
	if err := o.giveBack(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	o.back = time.Now()
	rig.Pause(ctx, max(answerBound, healBound)+time.Second) // then all earlier requests have their answers
	stop()
	if o.after, err = o.quiet(ctx); o.after > o.goroutines+goroutinesBound {
		o.faults = append(o.faults, fmt.Sprintf("%.0f goroutines before, %.0f after", o.goroutines, o.after))
	}
	return errors.Join(err, ctx.Err())
}

func (o *outage) takeAway(ctx context.Context) error {
	if o.mode == "frozen" {
		return o.cluster.Freeze(ctx)
	}
	return o.cluster.Halt(ctx)
}

func (o *outage) giveBack(ctx context.Context) error {
	if o.mode == "frozen" {
		return o.cluster.Thaw()
	}
	return o.cluster.Start(ctx)
}

// quiet counts goroutines while no client works.
func (o *outage) quiet(ctx context.Context) (goroutines float64, err error) {
	err = o.load.Hold(func() error {
		rig.Pause(ctx, 1500*time.Millisecond)
		goroutines, err = o.server.Metric(ctx, "go_goroutines")
		return err
	})
	return goroutines, err
}

// endBound is within the time that supervisors give a process to end.
const endBound = 15 * time.Second

// end takes PostgreSQL away once more and sends SIGTERM.
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
		return 0, o.server.Explain(fmt.Errorf("without PostgreSQL it did not end within %s", endBound))
	}
	exited := time.Since(began)
	if status := o.server.State().ExitCode(); status != 0 {
		err := o.server.Explain(fmt.Errorf("without PostgreSQL it ended with status %d", status))
		o.faults = append(o.faults, err.Error())
	}
	return exited, o.giveBack(context.WithoutCancel(ctx))
}
