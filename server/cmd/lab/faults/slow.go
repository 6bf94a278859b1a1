package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/internal/rig"
)

type slowCommand struct {
	common   `embed:""`
	Database string        `default:"sqlite" enum:"sqlite,postgres" help:"Database to run on."`
	Kind     []string      `default:"headers,bodies,readers" enum:"headers,bodies,readers" help:"What is done slowly: sending headers, sending bodies, reading answers."`
	Slow     int           `default:"2000" help:"Slow clients of each kind, one kind after the other."`
	AtOnce   bool          `help:"All kinds at once."`
	Clients  int           `default:"16" help:"Healthy clients at work all the time."`
	Alone    time.Duration `default:"8s" help:"For how long the healthy clients are measured alone."`
	Interval time.Duration `default:"1s" help:"Between two bytes of a slow client."`
}

// What the server promises: by when a client of each kind is cut off. Its own
// timeouts are 10, 30 and 10 seconds; the rest is for a busy machine.
var cutOffBounds = map[string]time.Duration{
	"headers": 17 * time.Second,
	"bodies":  37 * time.Second,
	"readers": 17 * time.Second,
}

// leftBound is how many files more than before may be open once all are cut off.
const leftBound = 12

// Run lets slow clients come while healthy ones work.
func (c *slowCommand) Run(ctx context.Context, out io.Writer) error {
	if err := allowFiles(uint64(c.Slow*len(c.Kind) + 20*c.Clients + 200)); err != nil {
		return err
	}
	return c.inFolder(ctx, func(dir string) (err error) {
		l, err := newLab(ctx, c.Binary, filepath.Join(dir, "lab"), c.Database)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.close()) }()
		server, _, err := l.service.Serve(ctx)
		if err != nil {
			return err
		}
		defer server.Stop()
		return server.Explain(c.measure(ctx, out, server))
	})
}

func (c *slowCommand) measure(ctx context.Context, out io.Writer, server *rig.Process) error {
	w, err := newWorld(ctx, server.Addr, c.Clients)
	if err != nil {
		return err
	}
	big, err := w.addBigAssessment(ctx)
	if err != nil {
		return err
	}
	load := startLoad(ctx, w, server.Addr)
	defer load.end()
	rig.Pause(ctx, time.Second)
	load.taken()
	rig.Pause(ctx, c.Alone)
	alone := healthOf("alone", load.taken(), server.Usage())
	rows := [][]string{healthHead, alone.row()}
	rounds := [][]string{c.Kind}
	if !c.AtOnce {
		rounds = nil
		for _, kind := range c.Kind {
			rounds = append(rounds, []string{kind})
		}
	}
	faults := alone.faults
	for _, kinds := range rounds {
		r := &slowRound{slowCommand: c, server: server, load: load, world: w, big: big, kinds: kinds}
		if err := r.run(ctx); err != nil {
			return err
		}
		rows = append(rows, r.row())
		faults = append(faults, r.faults...)
	}
	load.end()
	_, _ = fmt.Fprintf(out, "slow clients, %s: %d of a kind, a byte every %s, beside %d healthy ones; open files allowed here: %d\n",
		c.Database, c.Slow, c.Interval, c.Clients, filesAllowed())
	printTable(out, rows)
	return verdict(faults)
}

// slowRound is one kind of slow clients, or several at once.
type slowRound struct {
	*slowCommand
	server *rig.Process
	load   *load
	world  *world
	big    string
	kinds  []string

	health           health
	connected        time.Duration // all of them, or so many that they are cut off already
	peak             rig.Usage
	firstCut, allCut map[string]time.Duration
	complete         int // answers that a slow reader got in full
	faults           []string
}

func (r *slowRound) run(ctx context.Context) error {
	before := r.server.Usage()
	goroutines, err := metric(ctx, r.server, "go_goroutines")
	if err != nil {
		return err
	}
	r.firstCut, r.allCut = map[string]time.Duration{}, map[string]time.Duration{}
	var clients []*slowClient
	began := time.Now()
	for _, kind := range r.kinds {
		more, err := r.connect(ctx, kind)
		if err != nil {
			return err
		}
		clients = append(clients, more...)
	}
	defer func() {
		for _, client := range clients {
			client.close()
		}
	}()
	r.connected = time.Since(began)
	var working sync.WaitGroup
	for _, client := range clients {
		working.Go(func() { client.work(ctx, r.Interval) })
	}
	if err := r.watch(ctx, began, goroutines, clients); err != nil {
		return err
	}
	for _, client := range clients {
		client.finish()
	}
	working.Wait()
	r.judge(before, clients)
	return ctx.Err()
}

// connect makes the clients of one kind, each with what it sends at once.
func (r *slowRound) connect(ctx context.Context, kind string) ([]*slowClient, error) {
	clients := make([]*slowClient, r.Slow)
	errs := make([]error, r.Slow)
	var group sync.WaitGroup
	turns := make(chan struct{}, 64)
	for i := range clients {
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			clients[i], errs[i] = newSlowClient(ctx, r.server.Addr, kind, r.world, r.big)
		})
	}
	group.Wait()
	return slices.DeleteFunc(clients, func(c *slowClient) bool { return c == nil }), errors.Join(errs...)
}

const watchInterval = 200 * time.Millisecond

// watch measures until the server has cut off every slow client, or should have.
// A client that does not read cannot see that it was cut off: the server's
// goroutines tell, of which each connection has one.
func (r *slowRound) watch(ctx context.Context, began time.Time, goroutines float64, clients []*slowClient) error {
	var exchanges []exchange
	cut := false
	for time.Since(began) < r.connected+r.latest()+5*time.Second && !cut {
		if !rig.Pause(ctx, watchInterval) {
			return ctx.Err()
		}
		usage := r.server.Usage()
		r.peak.Resident, r.peak.Files = max(r.peak.Resident, usage.Resident), max(r.peak.Files, usage.Files)
		now, err := metric(ctx, r.server, "go_goroutines")
		if err != nil {
			return err
		}
		cut = now < goroutines+leftBound
		exchanges = append(exchanges, r.load.taken()...)
		if cut && slices.Contains(r.kinds, "readers") {
			r.allCut["readers"] = time.Since(began) - r.connected // of the last, which lived that long at most
		}
	}
	r.health = healthOf(strings.Join(r.kinds, ", "), exchanges, r.peak)
	if !cut {
		r.faults = append(r.faults, fmt.Sprintf("%s: not all were cut off within %s", r.health.name, time.Since(began)))
	}
	return nil
}

// latest is by when the last of all kinds has to be cut off.
func (r *slowRound) latest() time.Duration {
	var latest time.Duration
	for _, kind := range r.kinds {
		latest = max(latest, cutOffBounds[kind])
	}
	return latest
}

func (r *slowRound) judge(before rig.Usage, clients []*slowClient) {
	for _, client := range clients {
		if client.kind == "readers" {
			if client.complete {
				r.complete++
			}
			continue
		}
		if first, known := r.firstCut[client.kind]; !known || client.lived < first {
			r.firstCut[client.kind] = client.lived
		}
		r.allCut[client.kind] = max(r.allCut[client.kind], client.lived)
	}
	for kind, after := range r.allCut {
		bound := cutOffBounds[kind]
		if kind == "readers" { // they are known to be gone when all are
			bound = r.latest()
		}
		if after > bound {
			r.faults = append(r.faults, fmt.Sprintf("%s: the last was cut off after %s", kind, after))
		}
	}
	if after := r.server.Usage(); after.Files > before.Files+leftBound {
		r.faults = append(r.faults, fmt.Sprintf("%s: %d files were open before, %d are now", r.health.name, before.Files, after.Files))
	}
	if r.complete > 0 {
		r.faults = append(r.faults, fmt.Sprintf("%d slow readers were not cut off", r.complete))
	}
	r.faults = append(r.faults, r.health.faults...)
}

func (r *slowRound) row() []string {
	cut := ""
	for _, kind := range r.kinds {
		cut += " " + seconds(r.allCut[kind])
	}
	return append(r.health.row(), strings.TrimSpace(cut))
}

// health is how healthy clients did, and the server meanwhile.
type health struct {
	name   string
	took   []time.Duration // ascending
	errors int
	usage  rig.Usage
	faults []string
}

var healthHead = []string{"beside them", "healthy requests", "errors", "p50", "p99", "slowest", "server memory", "open files", "last cut off after"}

func healthOf(name string, exchanges []exchange, usage rig.Usage) health {
	h := health{name: name, usage: usage}
	for _, e := range exchanges {
		h.took = append(h.took, e.took())
		if e.status/100 != 2 {
			h.errors++
			h.faults = append(h.faults, fmt.Sprintf("%s: %s: %s", name, e.action, outcome(e)))
		}
	}
	slices.Sort(h.took)
	return h
}

func (h health) row() []string {
	return []string{
		h.name, count(len(h.took)), count(h.errors), milliseconds(quantile(h.took, 0.5)), milliseconds(quantile(h.took, 0.99)),
		milliseconds(longest(h.took)), mebibytes(h.usage.Resident), count(h.usage.Files),
	}
}
