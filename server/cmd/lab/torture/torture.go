// Package torture kills the service, and on PostgreSQL the database, again and
// again while candidates and integrators work. Afterwards it compares what the
// service holds with what it acknowledged: no write, event or delivery may be
// lost or doubled, and no Idempotency-Key may be stuck.
package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// Command is `lab torture`.
type Command struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	rig.Seeded       `embed:""`

	Sessions int           `default:"2000" help:"Sessions to complete at least."`
	Duration time.Duration `default:"30s" help:"Time to go on at least."`
	Clients  int           `default:"8" help:"Candidates who complete sessions. Half as many others work beside them."`
	Pause    time.Duration `default:"1s" help:"Mean time between two kills."`
}

// processes are those of the service. Only one can write to SQLite.
var processes = map[string][][]string{
	"sqlite":   {{"serve"}},
	"postgres": {{"serve", "--no-dispatcher"}, {"dispatch"}, {"serve"}},
}

// Short timeouts let a killed delivery be tried again soon: a lease lasts twice
// the timeout and 5 s.
var webhookEnv = []string{
	"ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_WEBHOOK_BACKOFF=300ms,1s", "ASSAY_WEBHOOK_TIMEOUT=2s",
}

// Run kills each kind of database in turn.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	if min(c.Sessions, c.Clients) < 1 || c.Pause <= 0 {
		return errors.New("sessions, clients and pause must be positive")
	}
	random := c.Random()
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error { return c.on(ctx, out, random, db) })
}

func (c *Command) on(ctx context.Context, out io.Writer, random *rand.Rand, db *rig.Database) error {
	r := &run{Command: c, cluster: db.Cluster, random: random}
	service := db.Service(c.Binary)
	service.Env = webhookEnv
	for i, args := range processes[db.Kind] {
		m, err := service.NewMember(ctx, fmt.Sprintf("%s-%d", args[0], i), db.Dir, args...)
		if err != nil {
			return err
		}
		r.members = append(r.members, m)
		if args[0] == "serve" {
			r.addrs = append(r.addrs, m.Addr)
		}
	}

	keeping, stop := context.WithCancel(ctx)
	defer stop()
	var kept errgroup.Group
	for _, m := range r.members {
		kept.Go(func() error { return m.Keep(keeping) })
	}
	_, _ = fmt.Fprintf(out, "torture, %s, seed %d\n", db.Kind, c.Seed)
	err := r.all(ctx, out)
	stop()
	return errors.Join(err, kept.Wait())
}

// run is the torture of one database.
type run struct {
	*Command
	cluster *rig.Cluster // nil on SQLite
	random  *rand.Rand   // of the kills
	members []*rig.Member
	addrs   []string // of the members that serve
	crashes int      // of the database
}

// all runs candidates and a load under kills, and then compares. They work on an
// organization each, so that each finds all of its own sessions and no others.
func (r *run) all(ctx context.Context, out io.Writer) error {
	to, err := newReceiver(ctx, r.Seed)
	if err != nil {
		return err
	}
	defer to.stop()
	if err := r.waitReady(ctx); err != nil {
		return err
	}
	w, err := newWorld(ctx, rig.NewClient(r.addrs, 2*r.Clients), to.addr)
	if err != nil {
		return err
	}
	load, err := rig.StartLoad(ctx, r.addrs, "others", (r.Clients+1)/2)
	if err != nil {
		return err
	}
	began := time.Now()
	err = r.underFire(ctx, w)
	load.End()
	if err := errors.Join(err, r.waitReady(ctx)); err != nil {
		return err
	}

	a := &audit{world: w, to: to}
	err = a.run(ctx)
	lost, lostErr := load.Lost(ctx)
	unanswered, wrong := judge(load.Taken())
	faults := slices.Concat(a.faults, w.faults, lost, wrong)
	for _, m := range r.members {
		_, _, exits := m.Record()
		faults = append(faults, exits...)
	}
	r.report(out, a, time.Since(began))
	rig.PrintTable(out, append(load.LedgerRows(lost), []string{"requests without an answer", strconv.Itoa(unanswered)}))
	return errors.Join(err, lostErr, rig.Verdict(faults))
}

// judge expects of each request of the load a 2xx, the contract's 503, or, after
// a kill, no answer.
func judge(exchanges []rig.Exchange) (unanswered int, faults []string) {
	for _, e := range exchanges {
		switch {
		case e.Status == 0:
			unanswered++
		case !e.OK() && !e.Unavailable:
			faults = append(faults, e.Action+": "+e.Outcome())
		}
	}
	return unanswered, faults
}

// startTimeout is far above the time that a start takes.
const startTimeout = time.Minute

func (r *run) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, m := range r.members {
		if err := m.WaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}

// underFire completes sessions while it kills.
func (r *run) underFire(ctx context.Context, w *world) error {
	firing, cease := context.WithCancel(ctx)
	defer cease()
	fired := make(chan error, 1)
	go func() { fired <- r.fire(firing) }()
	err := w.complete(ctx, r.Clients, r.Sessions, r.Duration)
	cease()
	return errors.Join(err, <-fired)
}

// fire kills one process at a time, or two every fifth time. Each pause is
// between 0.5 and 1.5 times the mean.
func (r *run) fire(ctx context.Context) error {
	for rig.Pause(ctx, time.Duration((0.5+r.random.Float64())*float64(r.Pause))) {
		targets := 1
		if r.random.IntN(5) == 0 {
			targets = 2
		}
		for range targets {
			if err := r.strike(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		}
	}
	return nil
}

// strike kills a member, or crashes the database, all with the same probability.
func (r *run) strike(ctx context.Context) error {
	targets := len(r.members)
	if r.cluster != nil {
		targets++
	}
	i := r.random.IntN(targets)
	if i < len(r.members) {
		r.members[i].Kill()
		return nil
	}
	r.crashes++
	return r.cluster.Crash(ctx)
}

func (r *run) report(out io.Writer, a *audit, took time.Duration) {
	failedStarts := 0
	var kills []string
	for _, m := range r.members {
		n, failed, _ := m.Record()
		failedStarts += failed
		kills = append(kills, fmt.Sprintf("%s %d", m.Name, n))
	}
	_, _ = fmt.Fprintf(out, "kills: %s; database crashes %d; failed starts %d; %s\n",
		strings.Join(kills, ", "), r.crashes, failedStarts, rig.Seconds(took))
	_, _ = fmt.Fprintf(out, "sessions: %d acknowledged, %d held; events: %d; Idempotency-Keys: %d used, %d stuck\n",
		len(a.acknowledged), len(a.sessions), len(a.events), len(a.keys), a.stuck)
	_, _ = fmt.Fprintf(out, "deliveries: %d (in 1 attempt %d, in 2 %d, in 3 %d), received %d, doubles %d, refused %d\n",
		a.deliveries, a.attempts[1], a.attempts[2], a.attempts[3], len(a.to.received), a.to.doubles(), a.to.refusals)
}
