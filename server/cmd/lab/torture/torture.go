// Package torture kills the service, and on PostgreSQL the database, again and
// again while candidates and integrators work. Afterwards it compares what the
// service holds with what it acknowledged: no write, event, delivery or email may be
// lost or doubled, and no Idempotency-Key may be stuck. A kill may double one email,
// because no mail server knows which emails it has received before.
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
	Kills    int           `default:"30" help:"Kills of processes that send email, at least."`
}

// processes are the processes of the service. Only one can write to SQLite.
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
	if min(c.Sessions, c.Clients) < 1 || c.Pause <= 0 || c.Kills < 0 {
		return errors.New("sessions, clients and pause must be positive, and kills not negative")
	}
	random := c.Random()
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error { return c.on(ctx, out, random, db) })
}

func (c *Command) on(ctx context.Context, out io.Writer, random *rand.Rand, db *rig.Database) error {
	r := &run{Command: c, db: db, random: random, post: newPost(c.Seed)}
	defer r.post.close()
	service := db.Service(c.Binary)
	for i, args := range processes[db.Kind] {
		var m *rig.Member
		env, err := r.post.serve(func() *rig.Member { return m })
		if err != nil {
			return err
		}
		service.Env = slices.Concat(webhookEnv, env)
		m, err = service.NewMember(ctx, fmt.Sprintf("%s-%d", args[0], i), db.Dir, args...)
		if err != nil {
			return err
		}
		r.members = append(r.members, m)
		if !slices.Contains(args, "--no-dispatcher") {
			r.senders = append(r.senders, m)
		}
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
	kept.Go(func() error { return endLeases(keeping, db) })
	_, _ = fmt.Fprintf(out, "torture, %s, seed %d\n", db.Kind, c.Seed)
	err := r.all(ctx, out)
	stop()
	return errors.Join(err, kept.Wait())
}

// run is the torture of one database.
type run struct {
	*Command
	db      *rig.Database
	random  *rand.Rand // of the kills
	members []*rig.Member
	senders []*rig.Member // the members that send email
	addrs   []string      // of the members that serve
	post    *post
	crashes int // of the database
}

// all runs candidates, a load, and mailers under kills, and then compares. They work on
// an organization each, so that each finds all of its own sessions and no others.
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
	mailers, err := newMailers(ctx, rig.NewClient(r.addrs, mailOrganizations))
	if err != nil {
		return err
	}
	stopMailers := startMailers(ctx, mailers)
	began := time.Now()
	err = r.underFire(ctx, w)
	load.End()
	stopMailers()
	if err := errors.Join(err, r.waitReady(ctx)); err != nil {
		return err
	}

	a := &audit{world: w, to: to}
	err = a.run(ctx)
	lost, lostErr := load.Lost(ctx)
	unanswered, wrong := judge(load.Taken())
	emails := &mailAudit{post: r.post, mailers: mailers, db: r.db, kills: r.senderKills()}
	emailErr := emails.run(ctx)
	faults := slices.Concat(a.faults, w.faults, lost, wrong, emails.faults)
	for _, m := range r.members {
		_, _, exits := m.Record()
		faults = append(faults, exits...)
	}
	r.report(out, a, time.Since(began))
	rig.PrintTable(out, slices.Concat(load.LedgerRows(lost),
		[][]string{{"requests without an answer", strconv.Itoa(unanswered)}}, emails.table()))
	return errors.Join(err, lostErr, emailErr, rig.Verdict(faults))
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

// senderKills is the number of kills of members that send email.
func (r *run) senderKills() (kills int) {
	for _, m := range r.senders {
		n, _, _ := m.Record()
		kills += n
	}
	return kills
}

// underFire completes sessions while it kills, until it has killed often enough.
func (r *run) underFire(ctx context.Context, w *world) error {
	firing, cease := context.WithCancel(ctx)
	defer cease()
	fired := make(chan error, 1)
	go func() { fired <- r.fire(firing) }()
	until := time.Now().Add(r.Duration)
	err := w.complete(ctx, r.Clients, func(completed int) bool {
		return completed >= r.Sessions && time.Now().After(until) && r.senderKills() >= r.Kills
	})
	cease()
	err = errors.Join(err, <-fired)
	r.post.disarm()
	return err
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

// strike kills a member, or crashes the database, all with the same probability. Half of
// the kills of members that send email wait for their next message.
func (r *run) strike(ctx context.Context) error {
	targets := len(r.members)
	if r.db.Cluster != nil {
		targets++
	}
	i := r.random.IntN(targets)
	if i == len(r.members) {
		r.crashes++
		return r.db.Cluster.Crash(ctx)
	}
	m := r.members[i]
	if waits := slices.Contains(r.senders, m) && r.random.IntN(2) == 0; !waits || !r.post.trap(m) {
		m.Kill()
	}
	return nil
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
