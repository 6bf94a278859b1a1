package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
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
	binaries [2]string     // of even and odd rounds
	wait     time.Duration // of a restarted replica, for the migrations
	slow     time.Duration // longest answer that is no fault

	acknowledged map[string]bool // sessions
	failures     map[string]int  // by kind of request and outcome
	slowAnswers  int
}

// The kinds of requests that clients send in turn.
const (
	read    = "GET"
	unkeyed = "POST without a key"
	keyed   = "POST with a key"
)

var proxyKinds = [...]string{read, unkeyed, read, keyed}

// proxyThinkTime keeps the load below what the service can do on a small
// machine: an overloaded service answers 503 without any restart.
const proxyThinkTime = 100 * time.Millisecond

// Replicas on PostgreSQL are restarted one after the other. SQLite has one
// replica, so nothing answers while it is restarted.
var proxyReplicas = map[string]int{"sqlite": 1, "postgres": 2}

// proxySettle is longer than the second for which nginx avoids a server that
// refused a connection.
const proxySettle = 2 * time.Second

// drainBehindProxy fails if a client gets an answer other than a 2xx that the
// proxy's configuration does not permit.
func (c *Drain) drainBehindProxy(ctx context.Context, out io.Writer, db *rig.Database) error {
	p := &proxyRun{
		proxy: c.Proxy, db: db, service: db.Service(c.Binary), acknowledged: map[string]bool{}, failures: map[string]int{},
		slow: c.Slow, binaries: [2]string{c.Binary, c.Binary},
	}
	if c.From != "" {
		p.binaries[0], p.service.Binary = c.From, c.From
	}
	if db.Cluster != nil {
		p.wait = c.Wait
	}
	p.service.Env = []string{"ASSAY_BASE_URL=https://assay.example"} // as behind TLS
	defer func() {
		for _, replica := range p.replicas {
			replica.Stop()
		}
	}()
	proxy, err := p.start(ctx, proxyReplicas[db.Kind])
	if err != nil {
		return err
	}
	defer proxy.Stop()

	_, _ = fmt.Fprintf(out, "drain behind %s, %s: %d replicas, each restarted %d times, %d clients\n",
		c.Proxy, db.Kind, len(p.replicas), c.Rounds, c.Clients)
	if p.wait > 0 {
		_, _ = fmt.Fprintf(out, "each restarted replica waits %s for the migrations\n", p.wait)
	}
	rows := [][]string{{"round", "answered", "failed", "slow", "slowest answer", "failures"}}
	for n := range c.Rounds {
		p.service.Binary = p.binaries[(n+1)%len(p.binaries)]
		row, err := p.round(ctx, n+1, c.Clients)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	rig.PrintTable(out, rows)
	_, faults, err := compareSessions(ctx, db, p.acknowledged)
	if len(p.replicas) > 1 && p.slowAnswers > 0 {
		faults = append(faults, fmt.Sprintf("%d answers took longer than %s", p.slowAnswers, p.slow))
	}
	for failure, count := range p.failures {
		if !p.permits(failure) {
			faults = append(faults, fmt.Sprintf("%d requests failed: %s", count, failure))
		}
	}
	return errors.Join(rig.Verdict(faults), err)
}

// start starts the replicas and the proxy.
func (p *proxyRun) start(ctx context.Context, replicas int) (*rig.Process, error) {
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
	cmd, err := proxyCommand(ctx, p.proxy, p.db.Dir, p.site, addrs)
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
	if err := p.checkHeaders(ctx); err != nil {
		proxy.Stop()
		return nil, err
	}
	return proxy, nil
}

// checkHeaders fails if the proxy and the service both send a header that must arrive once.
func (p *proxyRun) checkHeaders(ctx context.Context) error {
	answer, err := rig.NewClient([]string{p.site}, 0).Send(ctx, http.MethodGet, "/openapi.yaml", nil, nil)
	if sent := answer.Header.Values("Strict-Transport-Security"); err == nil && len(sent) != 1 {
		err = fmt.Errorf("behind %s, a response has Strict-Transport-Security %d times: %q", p.proxy, len(sent), sent)
	}
	return err
}

// serve starts a replica at a fixed address.
func (p *proxyRun) serve(ctx context.Context, addr string) (*rig.Process, error) {
	return rig.Start(ctx, p.service.Command(ctx, addr, "off", "serve"), addr)
}

// round restarts each replica under load, and returns the row of the table.
func (p *proxyRun) round(ctx context.Context, n, count int) ([]string, error) {
	loading, stop := context.WithCancel(ctx)
	clients := make([]*drainClient, count)
	var working sync.WaitGroup
	for i := range clients {
		clients[i] = &drainClient{addr: p.site, pause: proxyThinkTime, request: func(sent int) []byte {
			return p.request(proxyKinds[sent%len(proxyKinds)], fmt.Sprintf("round-%d-client-%d-%d", n, i, sent))
		}}
		working.Go(func() { clients[i].work(loading) })
	}
	err := p.restart(ctx)
	stop()
	working.Wait()
	return p.account(n, clients), err
}

// request reads the assessment or invites a candidate.
func (p *proxyRun) request(kind, name string) []byte {
	if kind == read {
		return rig.Request(http.MethodGet, "/v1/public/assessments/"+p.org.AssessmentID, p.org.Key, nil)
	}
	header := p.org.Key.Clone()
	if kind == keyed {
		header.Set("Idempotency-Key", name)
	}
	return rig.Request(http.MethodPost, "/v1/public/candidate-sessions", header, p.org.Invite(name))
}

// restart restarts each replica, with a pause before and after.
func (p *proxyRun) restart(ctx context.Context) error {
	for i, replica := range p.replicas {
		if !rig.Pause(ctx, proxySettle) {
			return ctx.Err()
		}
		replica.Stop()
		if status := replica.State().ExitCode(); status != 0 {
			return replica.Explain(fmt.Errorf("exit status %d", status))
		}
		release, err := p.holdMigrations(ctx)
		if err != nil {
			return err
		}
		waiting := time.AfterFunc(p.wait, release)
		restarted, err := p.serve(ctx, replica.Addr)
		if p.wait > 0 && waiting.Stop() {
			release()
			err = errors.Join(err, errors.New("a replica did not wait for the migrations"))
		}
		if err != nil {
			return err
		}
		p.replicas[i] = restarted
	}
	rig.Pause(ctx, proxySettle)
	return ctx.Err()
}

// holdMigrations makes each process that starts wait until release is called, if the run asks for it.
func (p *proxyRun) holdMigrations(ctx context.Context) (release func(), err error) {
	if p.wait == 0 {
		return func() {}, nil
	}
	db, err := p.db.Open()
	if err != nil {
		return nil, err
	}
	held, err := db.Conn(ctx)
	if err == nil { // the lock of store/internal/db
		_, err = held.ExecContext(ctx, `SELECT pg_advisory_lock(x'6173736179'::bigint)`)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() { _ = errors.Join(held.Close(), db.Close()) }, nil // the lock ends with its connection
}

// account adds the outcomes of one round, and returns its row of the table.
func (p *proxyRun) account(n int, clients []*drainClient) []string {
	answered, failed, slow, slowest, kinds := 0, 0, 0, time.Duration(0), map[string]int{}
	for _, client := range clients {
		slow += client.longer(p.slow)
		answered, slowest = answered+client.answered, max(slowest, client.slowest)
		for _, id := range client.acknowledged {
			p.acknowledged[id] = true
		}
		for _, request := range client.failed {
			kinds[proxyKinds[request.number%len(proxyKinds)]+" "+request.outcome]++
		}
		if client.reset > 0 {
			kinds["connection reset"] += client.reset
		}
		if !client.refusedAt.IsZero() {
			kinds["connection refused"]++
		}
	}
	p.slowAnswers += slow
	var texts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		failed += kinds[kind]
		p.failures[kind] += kinds[kind]
		texts = append(texts, fmt.Sprintf("%d × %s", kinds[kind], kind))
	}
	return []string{
		strconv.Itoa(n), strconv.Itoa(answered), strconv.Itoa(failed), strconv.Itoa(slow), rig.Seconds(slowest),
		strings.Join(texts, ", "),
	}
}

// permits reports whether the proxy's configuration permits a failure.
func (p *proxyRun) permits(failure string) bool {
	switch {
	case p.proxy == "nginx" && len(p.replicas) == 1: // it does not hold requests, and a replica that starts answers 503
		return strings.HasSuffix(failure, " 502") || strings.HasSuffix(failure, " 503")
	case p.proxy == "nginx": // the connection was reset, so the request may have been received
		return failure == unkeyed+" 502"
	case len(p.replicas) == 1: // Caddy before 2.7 holds only requests that it may repeat
		return failure == unkeyed+" 503"
	}
	return false
}
