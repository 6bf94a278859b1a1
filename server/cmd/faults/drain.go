package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	_ "github.com/lib/pq"  // the driver
	_ "modernc.org/sqlite" // the driver

	"assay/server/cmd/internal/rig"
)

type drainCommand struct {
	common   `embed:""`
	seeded   `embed:""`
	Database []string `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to run on."`
	Rounds   int      `default:"20" help:"How often the service is ended."`
	Clients  int      `default:"200" help:"Keep-alive connections that invite as fast as they are answered."`
	Proxy    string   `default:"none" enum:"none,caddy,nginx" help:"Proxy of .deploy between the clients and the service."`
}

// Run ends the service over and over, on each database.
func (c *drainCommand) Run(ctx context.Context, out io.Writer) error {
	if c.Proxy != "none" {
		return c.each(ctx, c.Database, func(dir, kind string) error { return c.drainBehindProxy(ctx, out, dir, kind) })
	}
	random := c.random()
	return c.each(ctx, c.Database, func(dir, kind string) error { return c.drain(ctx, out, random, dir, kind) })
}

func (c *drainCommand) drain(ctx context.Context, out io.Writer, random *rand.Rand, dir, kind string) (err error) {
	l, err := newLab(ctx, c.Binary, dir, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	run := &drainRun{clients: c.Clients, lab: l, acknowledged: map[string]bool{}}
	_, _ = fmt.Fprintf(out, "drain, %s, seed %d: %d clients, SIGTERM %d times\n", kind, c.Seed, c.Clients, c.Rounds)
	rows := [][]string{{"round", "answered", "dropped", "reset", "unanswered", "refused dials", "ready off after", "first refusal after", "exit after", "status"}}
	var faults []string
	for n := range c.Rounds {
		r, err := run.round(ctx, 400*time.Millisecond+time.Duration(random.Int64N(int64(800*time.Millisecond))))
		if err != nil {
			return err
		}
		rows = append(rows, r.row(n+1))
		for _, fault := range r.faults {
			faults = append(faults, fmt.Sprintf("round %d: %s", n+1, fault))
		}
	}
	printTable(out, rows)
	return verdict(faults)
}

// drainRun is the rounds on one database.
type drainRun struct {
	clients      int
	lab          *lab
	world        *world
	acknowledged map[string]bool // sessions, of all rounds
	rounds       int
}

// drainRound is what one SIGTERM led to.
type drainRound struct {
	answered, dropped, unanswered int
	reset                         int           // requests in the listener's queue when it closed
	refused                       int           // dials, after the listener was closed
	readyOff, refusedAt, exited   time.Duration // since the SIGTERM
	status                        int
	faults                        []string
}

func (r drainRound) row(n int) []string {
	return []string{
		count(n), count(r.answered), count(r.dropped), count(r.reset), count(r.unanswered), count(r.refused),
		milliseconds(r.readyOff), milliseconds(r.refusedAt), seconds(r.exited), count(r.status),
	}
}

// exitTimeout is far above the notice and what the requests in flight take.
const exitTimeout = 30 * time.Second

// round starts the service, lets the clients work for a while, and ends it.
func (d *drainRun) round(ctx context.Context, lead time.Duration) (drainRound, error) {
	server, _, err := d.lab.service.Serve(ctx)
	if err != nil {
		return drainRound{}, err
	}
	defer server.Stop()
	if d.world == nil {
		if d.world, err = newWorld(ctx, server.Addr, 0); err != nil {
			return drainRound{}, err
		}
	}
	d.rounds++
	clients := make([]*drainClient, d.clients)
	var working sync.WaitGroup
	for i := range clients {
		clients[i] = &drainClient{addr: server.Addr, key: d.world.key, body: func(n int) rig.Object {
			return d.world.invite(fmt.Sprintf("round-%d-client-%d-%d", d.rounds, i, n))
		}}
		working.Go(func() { clients[i].work(ctx) })
	}
	if !rig.Pause(ctx, lead) {
		return drainRound{}, ctx.Err()
	}
	readyOff := make(chan time.Time, 1)
	go func() { readyOff <- watchReady(server) }()
	terminated := time.Now()
	if err := server.Terminate(); err != nil {
		return drainRound{}, err
	}
	select {
	case <-server.Ended():
	case <-time.After(exitTimeout):
		return drainRound{}, server.Explain(fmt.Errorf("it did not end within %s", exitTimeout))
	}
	r := drainRound{exited: time.Since(terminated), status: server.State().ExitCode()}
	working.Wait()
	off := <-readyOff
	if r.readyOff = off.Sub(terminated); off.IsZero() {
		r.readyOff = 0
		r.faults = append(r.faults, "readiness was never seen to go off")
	}
	if r.status != 0 {
		r.faults = append(r.faults, server.Explain(fmt.Errorf("exit status %d", r.status)).Error())
	}
	return d.account(ctx, r, clients, terminated, off)
}

// maxResetShare bounds the requests that are reset when the listener closes: one
// for this many clients. Without a proxy, some are unavoidable.
const maxResetShare = 20

// account compares what clients were told with what the database holds.
func (d *drainRun) account(ctx context.Context, r drainRound, clients []*drainClient, terminated, off time.Time) (drainRound, error) {
	var firstRefusal time.Time
	for _, client := range clients {
		r.answered += len(client.acknowledged)
		r.dropped += len(client.dropped)
		r.faults = append(r.faults, client.dropped...)
		r.faults = append(r.faults, client.odd...)
		r.reset += client.reset
		r.refused += client.refused
		if at := client.refusedAt; !at.IsZero() && (firstRefusal.IsZero() || at.Before(firstRefusal)) {
			firstRefusal = at
		}
		for _, id := range client.acknowledged {
			d.acknowledged[id] = true
		}
	}
	if r.reset > max(1, d.clients/maxResetShare) {
		r.faults = append(r.faults, fmt.Sprintf("%d requests were reset when the listener closed", r.reset))
	}
	r.refusedAt = firstRefusal.Sub(terminated)
	if firstRefusal.Before(off) {
		r.faults = append(r.faults, "a connection was refused before readiness was off")
	}
	held, err := d.lab.sessions(ctx)
	if err != nil {
		return r, err
	}
	for id := range held {
		if !d.acknowledged[id] {
			r.unanswered++
			r.faults = append(r.faults, "session "+id+" was made and nobody was told")
			d.acknowledged[id] = true // reported once
		}
	}
	for id := range d.acknowledged {
		if !held[id] {
			r.faults = append(r.faults, "session "+id+" was acknowledged and is not there")
		}
	}
	return r, nil
}

// sessions are the ids of all sessions in the database, which the service does not use now.
func (l *lab) sessions(ctx context.Context) (_ map[string]bool, err error) {
	driver, dsn := "postgres", l.service.DatabaseURL
	if l.kind == "sqlite" {
		driver, dsn = "sqlite", "file:"+strings.TrimPrefix(dsn, "sqlite:")
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, `SELECT id FROM candidate_sessions`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	held := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		held[id] = true
	}
	return held, rows.Err()
}

// watchReady returns when /readyz was first off, as a balancer would see it, or
// the zero time if it never was before the process ended. It does not wait for
// one answer before it asks again: under this load one may take long.
func watchReady(server *rig.Process) time.Time {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	off := make(chan time.Time, 1)
	for !isClosed(server) {
		go func() {
			answer, err := client.Get("http://" + server.Addr + "/readyz") //nolint:noctx // ends with the process
			if err != nil || answer.Body.Close() != nil || answer.StatusCode != http.StatusServiceUnavailable {
				return
			}
			select {
			case off <- time.Now():
			default:
			}
		}()
		select {
		case at := <-off:
			return at
		case <-time.After(20 * time.Millisecond):
		}
	}
	return time.Time{}
}

func isClosed(server *rig.Process) bool {
	select {
	case <-server.Ended():
		return true
	default:
		return false
	}
}
