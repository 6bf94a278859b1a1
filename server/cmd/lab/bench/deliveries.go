package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/internal/rig"
)

// What the design asks of deliveries. A missed aim is printed and fails nothing.
const (
	aimIdleLatency = 10 * time.Millisecond // median, from commit to receipt
	aimServing     = 60 << 20              // bytes resident, delivering
)

// aimFanOut is in deliveries per second to ten endpoints.
var aimFanOut = map[string]float64{"postgres": 8000, "sqlite": 9000}

// perEndpoint is how many requests the dispatcher has in flight for one
// endpoint, and the bare loop as well.
const perEndpoint = 16

// deliveriesCommand measures the webhooks: `assay serve` in a process of its
// own delivers to a receiver in this one.
type deliveriesCommand struct {
	Database  []string `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to measure on."`
	Events    int      `default:"10000" help:"Events that are replayed to each endpoint; at most 10000."`
	Endpoints int      `default:"10" help:"Endpoints that events are fanned out to."`
	Live      int      `default:"1000" help:"Events that are made while they are fanned out."`
	Singles   int      `default:"200" help:"Events made one by one, for the latency of an idle system."`
	Dir       string   `help:"Folder for the SQLite file, on a real disk; /var/tmp by default."`
	Binary    string   `help:"An assay that is built already, for comparing two versions."`
	Profiles  string   `help:"Folder for a CPU profile of the server at each backlog."`

	TestDatabaseURL string `env:"TEST_DATABASE_URL" hidden:""`
}

// Run measures on each database and fails when a delivery is missing.
func (c *deliveriesCommand) Run(ctx context.Context, out io.Writer) (err error) {
	dir, err := c.prepareDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := c.Binary
	if binary == "" {
		binary = filepath.Join(dir, "assay")
		if err := rig.Build(ctx, binary); err != nil {
			return err
		}
	}
	var failures error
	for _, kind := range c.Database {
		if err := c.measure(ctx, out, binary, dir, kind); err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", kind, err))
		}
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
	}
	return failures
}

func (c *deliveriesCommand) prepareDir() (string, error) {
	if slices.Contains(c.Database, "postgres") && c.TestDatabaseURL == "" {
		return "", errors.New("TEST_DATABASE_URL is not set: run `make bench`, which starts a PostgreSQL, or pass --database=sqlite")
	}
	if min(c.Events, c.Endpoints, c.Live, c.Singles) < 1 || c.Events > 10_000 {
		return "", errors.New("events, endpoints, live and singles must be positive, and events at most 10000")
	}
	base := c.Dir
	if _, err := os.Stat("/var/tmp"); base == "" && err == nil {
		base = "/var/tmp" // /tmp is memory on many systems, and syncing is free there
	}
	return os.MkdirTemp(base, "assay-bench-")
}

func (c *deliveriesCommand) measure(ctx context.Context, out io.Writer, binary, dir, kind string) (err error) {
	db, err := newDatabase(ctx, kind, dir, c.TestDatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.remove()) }()
	_, _ = fmt.Fprintf(out, "\nwebhooks, %s\n", db.about)
	to, err := newReceiver(ctx)
	if err != nil {
		return err
	}
	defer to.close()
	run := &deliveryRun{deliveriesCommand: c, out: out, binary: binary, db: db, secret: rig.RandomSecret(), to: to}
	err = run.all(ctx)
	if run.server != nil {
		err = run.server.Explain(err)
		run.server.Stop()
	}
	return err
}

// restart ends the server, if there is one, and starts it anew, so that what it
// takes of memory belongs to one measurement alone.
func (r *deliveryRun) restart(ctx context.Context, args ...string) error {
	if r.server != nil {
		r.server.Stop()
		r.server = nil
	}
	service := r.db.service(r.binary, r.secret, "error")
	service.Env = []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true"}
	server, _, err := service.Serve(ctx, args...)
	if err != nil {
		return err
	}
	r.server = &process{server, r.db.kind}
	r.data.addr = server.Addr
	return nil
}

// deliveryRun is the measurement on one database.
type deliveryRun struct {
	*deliveriesCommand
	out       io.Writer
	binary    string
	db        *database
	secret    string
	to        *receiver
	server    *process
	data      dataset
	owner     http.Header
	endpoints []string  // ids
	until     time.Time // the events made before it are replayed
}

// all measures one endpoint before the others exist, and each pace beside the
// bare loop with a body that was delivered.
func (r *deliveryRun) all(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	table := newDeliveryTable(r.out)
	latency, err := r.idle(ctx)
	if err != nil {
		return err
	}
	one, err := r.backlog(ctx, 3)
	if err != nil {
		return err
	}
	if err := r.compare(ctx, table, "1 endpoint, backlog", one, 0); err != nil {
		return err
	}
	for len(r.endpoints) < r.Endpoints {
		if err := r.addEndpoint(ctx); err != nil {
			return err
		}
	}
	many, err := r.backlog(ctx, 1)
	if err != nil {
		return err
	}
	if err := r.compare(ctx, table, fmt.Sprintf("%d endpoints, backlog", r.Endpoints), many, aimFanOut[r.db.kind]); err != nil {
		return err
	}
	live, err := r.live(ctx)
	if err != nil {
		return err
	}
	if err := r.compare(ctx, table, fmt.Sprintf("%d endpoints, live", r.Endpoints), live, 0); err != nil {
		return err
	}
	table.end(latency)
	return nil
}

func (r *deliveryRun) prepare(ctx context.Context) error {
	if err := r.restart(ctx); err != nil {
		return err
	}
	var err error
	if r.owner, err = r.data.register(ctx); err != nil {
		return err
	}
	if err := r.data.publish(ctx, r.owner); err != nil {
		return err
	}
	if err := r.invite(ctx, "backlog", r.Events); err != nil {
		return err
	}
	if err := pause(ctx, time.Second); err != nil {
		return err
	}
	r.until = time.Now().Truncate(time.Second) // after the last event, before those to come
	return r.addEndpoint(ctx)
}

// compare runs the bare loop right after the pace was measured, so that
// whatever else the machine does falls on both.
func (r *deliveryRun) compare(ctx context.Context, table *deliveryTable, name string, measured pace, aim float64) error {
	bare, err := r.to.bare(ctx, perEndpoint*len(r.endpoints), min(measured.deliveries, 50_000))
	if err == nil {
		table.row(name, measured, bare, aim)
	}
	return err
}

// invite makes events, one candidate.invited each.
func (r *deliveryRun) invite(ctx context.Context, name string, count int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(preparing)
	for i := range count {
		group.Go(func() error {
			return r.data.call(ctx, http.MethodPost, "/v1/public/candidate-sessions", apiKey(r.data.key),
				r.data.invite(fmt.Sprintf("%s-%d", name, i)), nil)
		})
	}
	return group.Wait()
}

func (r *deliveryRun) addEndpoint(ctx context.Context) error {
	var created struct{ ID string }
	err := r.data.call(ctx, http.MethodPost, "/v1/webhooks", r.owner, object{
		"url": fmt.Sprintf("http://%s/hook/%d", r.to.addr, len(r.endpoints)), "events": []string{"candidate.invited"},
	}, &created)
	r.endpoints = append(r.endpoints, created.ID)
	return err
}

// backlog replays everything to each endpoint, the given number of times, while
// no dispatcher runs. What is measured is a server that starts with that backlog.
func (r *deliveryRun) backlog(ctx context.Context, times int) (pace, error) {
	if err := r.restart(ctx, "--no-dispatcher"); err != nil {
		return pace{}, err
	}
	for range times {
		for _, id := range r.endpoints {
			if err := r.replay(ctx, id); err != nil {
				return pace{}, err
			}
		}
	}
	if err := r.db.analyze(ctx); err != nil {
		return pace{}, err
	}
	want := times * r.Events * len(r.endpoints)
	r.to.expect(want)
	if err := r.restart(ctx); err != nil {
		return pace{}, err
	}
	finish := func() error { return nil }
	if r.Profiles != "" {
		name := fmt.Sprintf("%s-deliveries-%d.pprof", r.db.kind, len(r.endpoints))
		finish = r.server.profile(ctx, filepath.Join(r.Profiles, name), 3*time.Second)
	}
	measured, err := r.pace(ctx, want)
	return measured, errors.Join(err, finish())
}

func (r *deliveryRun) replay(ctx context.Context, id string) error {
	var replayed struct{ Count int }
	err := r.data.call(ctx, http.MethodPost, "/v1/webhooks/"+id+"/replay", r.owner, object{
		"since": "2000-01-01T00:00:00Z", "until": r.until.UTC().Format(time.RFC3339), "eventType": "candidate.invited",
	}, &replayed)
	if err == nil && replayed.Count != r.Events {
		err = fmt.Errorf("%d events replayed, not %d", replayed.Count, r.Events)
	}
	return err
}

// live makes events as fast as the API lets it, each for all endpoints.
func (r *deliveryRun) live(ctx context.Context) (pace, error) {
	if err := r.restart(ctx); err != nil {
		return pace{}, err
	}
	want := r.Live * len(r.endpoints)
	r.to.expect(want)
	if err := r.invite(ctx, "live", r.Live); err != nil {
		return pace{}, err
	}
	return r.pace(ctx, want)
}

// pace is how long a number of deliveries took, from the first receipt to the
// last, and what the server took since it started.
type pace struct {
	deliveries int
	elapsed    time.Duration
	usage      rig.Usage
}

func (p pace) rate() float64 { return float64(p.deliveries) / p.elapsed.Seconds() }

// pace waits for the last delivery that is expected.
func (r *deliveryRun) pace(ctx context.Context, want int) (pace, error) {
	select {
	case <-ctx.Done():
		return pace{}, ctx.Err()
	case <-time.After(5 * time.Minute):
		return pace{}, fmt.Errorf("%d of %d deliveries were not received", r.to.missing(), want)
	case elapsed := <-r.to.all:
		return pace{want, elapsed, r.server.Usage()}, nil
	}
}

// idle makes single events with pauses and returns how long each took to arrive.
func (r *deliveryRun) idle(ctx context.Context) (idleLatency, error) {
	var l idleLatency
	for i := range r.Singles {
		if err := pause(ctx, 25*time.Millisecond); err != nil {
			return l, err
		}
		r.to.expect(1)
		sent := time.Now()
		if err := r.invite(ctx, fmt.Sprintf("single-%d", i), 1); err != nil {
			return l, err
		}
		answered := time.Now()
		select {
		case <-ctx.Done():
			return l, ctx.Err()
		case <-time.After(10 * time.Second):
			return l, errors.New("a single event was not received within 10 s")
		case <-r.to.all:
			at := r.to.last()
			l.fromRequest = append(l.fromRequest, at.Sub(sent))
			l.fromAnswer = append(l.fromAnswer, max(0, at.Sub(answered)))
		}
	}
	slices.Sort(l.fromRequest)
	slices.Sort(l.fromAnswer)
	return l, nil
}
