package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/internal/rig"
)

// torture runs on one database, in a folder of its own.
func (c *command) torture(ctx context.Context, out io.Writer, kind, dir string) (err error) {
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // PostgreSQL runs as another user where we are root
		return err
	}
	t := &run{command: c, kind: kind, random: rand.New(rand.NewPCG(c.Seed, uint64(len(kind)))), kills: map[string]int{}} //nolint:gosec // guards nothing
	databaseURL := "sqlite:" + filepath.Join(dir, "assay.db")
	name := "combined"
	if kind == "postgres" {
		name = "mixed"
		if t.cluster, err = rig.NewCluster(ctx, filepath.Join(dir, "cluster")); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.cluster.Stop()) }()
		databaseURL = t.cluster.URL()
	} else if c.Form != "" && c.Form != name {
		return errors.New("one process at a time writes to SQLite: only the combined form is for it")
	}
	if c.Form != "" {
		name = c.Form
	}
	if t.form, err = newForm(ctx, name, c.Binary, databaseURL, dir); err != nil {
		return err
	}
	if t.to, err = newReceiver(ctx, rand.New(rand.NewPCG(c.Seed, 0))); err != nil { //nolint:gosec // guards nothing
		return err
	}
	defer t.to.close()
	_, _ = fmt.Fprintf(out, "seed %d, %s, %s\n", c.Seed, kind, name)
	return t.supervised(ctx, out)
}

// run is the torture of one database.
type run struct {
	*command
	kind     string
	random   *rand.Rand   // of what is killed when
	cluster  *rig.Cluster // nil on SQLite
	form     *form
	to       *receiver
	kills    map[string]int // by process
	restarts int            // of the database
}

// supervised keeps the processes running while everything else happens.
func (t *run) supervised(ctx context.Context, out io.Writer) error {
	keeping, stop := context.WithCancel(ctx)
	defer stop()
	var members errgroup.Group
	for _, m := range t.form.members {
		members.Go(func() error { return m.Keep(keeping) })
	}
	err := t.all(ctx, out)
	stop()
	return errors.Join(err, members.Wait())
}

const startTimeout = time.Minute

func (t *run) all(ctx context.Context, out io.Writer) error {
	if err := t.waitReady(ctx); err != nil {
		return err
	}
	api := rig.NewClient(t.form.addrs, t.Clients)
	made, err := newWorld(ctx, api, t.to.addr)
	if err != nil {
		return err
	}
	started := time.Now()
	if err := t.completeUnderFire(ctx, made); err != nil {
		return err
	}
	if err := t.waitReady(ctx); err != nil {
		return err
	}
	held := &audit{world: made, to: t.to}
	if err := held.signIn(ctx); err != nil {
		return err
	}
	// A delivery that never ends is reported with everything else.
	drained := held.drain(ctx)
	if err := held.account(ctx); err != nil {
		return errors.Join(drained, err)
	}
	t.report(out, held, time.Since(started))
	return errors.Join(drained, t.verdict(held))
}

func (t *run) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return t.form.waitReady(ctx)
}

// completeUnderFire completes sessions while processes are killed.
func (t *run) completeUnderFire(ctx context.Context, made *world) error {
	firing, cease := context.WithCancel(ctx)
	defer cease()
	fired := make(chan error, 1)
	go func() { fired <- t.fire(firing) }()
	err := made.complete(ctx, t.Clients, t.Sessions, t.Duration)
	cease()
	return errors.Join(err, <-fired)
}

// fire kills a process at a time, now and then two, and on PostgreSQL the
// database with its turn, each pause between half and one and a half of the mean.
func (t *run) fire(ctx context.Context) error {
	for rig.Pause(ctx, time.Duration((0.5+t.random.Float64())*float64(t.Pause))) {
		targets := 1
		if t.random.IntN(5) == 0 {
			targets = 2
		}
		for range targets {
			if err := t.strike(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *run) strike(ctx context.Context) error {
	targets := len(t.form.members)
	if t.cluster != nil {
		targets++
	}
	i := t.random.IntN(targets)
	if i == len(t.form.members) {
		t.restarts++
		return t.cluster.Crash(ctx)
	}
	if m := t.form.members[i]; m.Kill() {
		t.kills[m.Name]++
	}
	return nil
}

func (t *run) report(out io.Writer, held *audit, took time.Duration) {
	kills, failedStarts := 0, 0
	var each []string
	for _, m := range t.form.members {
		kills += t.kills[m.Name]
		failed, _ := m.Record()
		failedStarts += failed
		each = append(each, fmt.Sprintf("%s %d", m.Name, t.kills[m.Name]))
	}
	finished := 0
	for what := range held.seen {
		if what.kind != "candidate.invited" {
			finished++
		}
	}
	_, _ = fmt.Fprintf(out, "  kills %d (%s), database crashes %d, starts that failed %d\n", kills, strings.Join(each, ", "), t.restarts, failedStarts)
	_, _ = fmt.Fprintf(out, "  sessions %d acknowledged, %d held; events %d, of these %d completed or disqualified\n",
		len(held.acknowledged), len(held.sessions), len(held.events), finished)
	_, _ = fmt.Fprintf(out, "  deliveries %d (attempts counted: 1 for %d, 2 for %d, 3 for %d), distinct received %d, doubles %d, refused %d\n",
		held.deliveries, held.attempts[1], held.attempts[2], held.attempts[3], len(t.to.received), t.to.doubles(), t.to.refusals)
	_, _ = fmt.Fprintf(out, "  seconds %.1f\n", took.Seconds())
}

// maxFaultsShown bounds what is printed: what is lost is rarely lost alone.
const maxFaultsShown = 20

// verdict is an error that lists what was lost, or nil.
func (t *run) verdict(held *audit) error {
	faults := slices.Concat(held.faults, held.world.faults)
	for _, m := range t.form.members {
		_, exits := m.Record()
		faults = append(faults, exits...)
	}
	if len(faults) == 0 {
		return nil
	}
	shown := faults[:min(len(faults), maxFaultsShown)]
	return fmt.Errorf("%d faults:\n  %s", len(faults), strings.Join(shown, "\n  "))
}
