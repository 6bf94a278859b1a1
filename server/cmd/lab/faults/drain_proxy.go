package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// proxyRun restarts replicas in turn behind a proxy, while clients POST and GET
// through the proxy.
type proxyRun struct {
	proxy    string // "caddy" or "nginx"
	site     string // loopback host:port of the proxy
	db       *rig.Database
	service  rig.Service
	replicas []*rig.Process
	org      *rig.Organization

	mu           sync.Mutex
	tally        proxyTally      // of the current round
	acknowledged map[string]bool // sessions, of all rounds
}

// proxyTally counts the answers of one round.
type proxyTally struct {
	answered int
	failed   map[string]int // by status or error
	slowest  time.Duration
}

// Replicas on PostgreSQL are restarted one after the other. SQLite has one
// replica, so nothing answers while it is restarted.
var proxyReplicas = map[string]int{"sqlite": 1, "postgres": 2}

// proxySettle is longer than the second for which nginx avoids a server that
// refused a connection.
const proxySettle = 2 * time.Second

// drainBehindProxy fails if a client gets an answer other than a 2xx that the
// proxy's configuration does not permit.
func (c *Drain) drainBehindProxy(ctx context.Context, out io.Writer, dir, kind string) (err error) {
	db, err := rig.NewDatabase(ctx, dir, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	p := &proxyRun{proxy: c.Proxy, db: db, service: db.Service(c.Binary), acknowledged: map[string]bool{}}
	defer func() {
		for _, replica := range p.replicas {
			replica.Stop()
		}
	}()
	proxy, err := p.start(ctx, dir, proxyReplicas[kind])
	if err != nil {
		return err
	}
	defer proxy.Stop()

	_, _ = fmt.Fprintf(out, "drain behind %s, %s: %d replicas, each restarted %d times, %d clients\n",
		c.Proxy, kind, len(p.replicas), c.Rounds, c.Clients)
	failures, err := p.restart(ctx, out, c.Rounds, c.Clients)
	if err != nil {
		return err
	}
	_, faults, err := compareSessions(ctx, db, p.acknowledged)
	for _, failure := range slices.Sorted(maps.Keys(failures)) {
		if !p.permits(failure) {
			faults = append(faults, fmt.Sprintf("%d requests failed: %s", failures[failure], failure))
		}
	}
	return errors.Join(rig.Verdict(faults), err)
}

// start starts the replicas and the proxy.
func (p *proxyRun) start(ctx context.Context, dir string, replicas int) (*rig.Process, error) {
	var addrs []string
	for range replicas {
		addr, err := rig.FreeAddr(ctx)
		if err != nil {
			return nil, err
		}
		replica, err := p.serve(ctx, addr)
		if err != nil {
			return nil, err
		}
		p.replicas, addrs = append(p.replicas, replica), append(addrs, addr)
	}
	var err error
	if p.site, err = rig.FreeAddr(ctx); err != nil {
		return nil, err
	}
	cmd, err := proxyCommand(ctx, p.proxy, dir, p.site, addrs)
	if err != nil {
		return nil, err
	}
	proxy, err := rig.Launch(cmd, p.site, io.Discard)
	if err != nil {
		return nil, err
	}

	// The first request is sent again until the proxy answers it or has ended.
	starting, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-proxy.Ended():
			stop()
		case <-starting.Done():
		}
	}()
	if p.org, err = rig.NewOrganization(starting, rig.NewClient([]string{p.site}, 1), "proxy"); err != nil {
		proxy.Stop()
		return nil, proxy.Explain(err)
	}
	return proxy, nil
}

// serve starts a replica at a fixed address.
func (p *proxyRun) serve(ctx context.Context, addr string) (*rig.Process, error) {
	return rig.Start(ctx, p.service.Command(ctx, addr, "off", "serve"), addr)
}

// restart restarts each replica in each round, under load. It prints the table
// and returns the numbers of failed requests.
func (p *proxyRun) restart(ctx context.Context, out io.Writer, rounds, clients int) (map[string]int, error) {
	loading, stop := context.WithCancel(ctx)
	var load sync.WaitGroup
	for i := range clients {
		load.Go(func() { p.work(loading, i) })
	}
	defer load.Wait()
	defer stop()

	rows := [][]string{{"round", "answered", "failed", "slowest answer", "failures"}}
	failures := map[string]int{}
	for n := range rounds {
		if err := p.round(ctx); err != nil {
			return nil, err
		}
		if n == rounds-1 { // the requests that were begun belong to this round
			stop()
			load.Wait()
		}
		tally := p.take()
		failed := 0
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(tally.failed)) {
			failed += tally.failed[kind]
			failures[kind] += tally.failed[kind]
			kinds = append(kinds, fmt.Sprintf("%d × %s", tally.failed[kind], kind))
		}
		rows = append(rows, []string{
			strconv.Itoa(n + 1), strconv.Itoa(tally.answered), strconv.Itoa(failed), rig.Seconds(tally.slowest),
			strings.Join(kinds, ", "),
		})
	}
	rig.PrintTable(out, rows)
	return failures, nil
}

// round restarts each replica, with a pause before and after.
func (p *proxyRun) round(ctx context.Context) (err error) {
	for i, replica := range p.replicas {
		if !rig.Pause(ctx, proxySettle) {
			return ctx.Err()
		}
		replica.Stop()
		if status := replica.State().ExitCode(); status != 0 {
			return replica.Explain(fmt.Errorf("exit status %d", status))
		}
		restarted, err := p.serve(ctx, replica.Addr)
		if err != nil {
			return err
		}
		p.replicas[i] = restarted
	}
	rig.Pause(ctx, proxySettle)
	return ctx.Err()
}

// take returns the tally and begins a new one.
func (p *proxyRun) take() proxyTally {
	p.mu.Lock()
	defer p.mu.Unlock()
	tally := p.tally
	p.tally = proxyTally{}
	return tally
}

// permits reports whether the proxy's configuration permits a failure.
func (p *proxyRun) permits(failure string) bool {
	switch {
	case p.proxy == "nginx" && len(p.replicas) == 1: // it does not hold requests
		return strings.HasSuffix(failure, " 502")
	case p.proxy == "nginx": // the connection was reset, so the request may have been received
		return failure == unkeyed+" 502"
	case len(p.replicas) == 1: // Caddy before 2.7 holds only requests that it may repeat
		return failure == unkeyed+" 503"
	}
	return false
}
