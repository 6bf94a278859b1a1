package faults

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// Drain is `lab faults drain`.
type Drain struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	rig.Seeded       `embed:""`

	Rounds  int    `default:"20" help:"Number of SIGTERMs."`
	Clients int    `default:"200" help:"Keep-alive connections that invite without a pause."`
	Proxy   string `default:"none" enum:"none,caddy,nginx" help:"Proxy of .deploy between clients and service."`

	Wait time.Duration `help:"How long a restarted replica waits for the migrations; only with a proxy, on PostgreSQL."`
	From string        `help:"An older binary, with a proxy: rounds alternate between the upgrade and the step back."`
	Slow time.Duration `default:"1s" help:"A longer answer is a fault; only with a proxy and two replicas."`
}

// Run drains the service several times on each kind of database.
func (c *Drain) Run(ctx context.Context, out io.Writer) error {
	random := c.Random()
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error {
		if c.Proxy != "none" {
			return c.drainBehindProxy(ctx, out, db)
		}
		return c.drain(ctx, out, random, db)
	})
}

func (c *Drain) drain(ctx context.Context, out io.Writer, random *rand.Rand, db *rig.Database) error {
	run := &drainRun{clients: c.Clients, db: db, service: db.Service(c.Binary), acknowledged: map[string]bool{}}
	rows := [][]string{{
		"round", "answered", "dropped", "reset", "unanswered", "refused dials",
		"ready off after", "first refusal after", "exit after", "status",
	}}
	var faults []string
	for n := range c.Rounds {
		r, err := run.round(ctx, 400*time.Millisecond+time.Duration(random.Int64N(int64(800*time.Millisecond))))
		if err != nil {
			return err
		}
		rows = append(rows, []string{
			strconv.Itoa(n + 1), strconv.Itoa(r.answered), strconv.Itoa(r.dropped), strconv.Itoa(r.reset),
			strconv.Itoa(r.unanswered), strconv.Itoa(r.refused), rig.Milliseconds(r.readyOff), rig.Milliseconds(r.refusedAt),
			rig.Seconds(r.exited), strconv.Itoa(r.status),
		})
		for _, fault := range r.faults {
			faults = append(faults, fmt.Sprintf("round %d: %s", n+1, fault))
		}
	}
	_, _ = fmt.Fprintf(out, "drain, %s, seed %d: %d clients, SIGTERM %d times\n", db.Kind, c.Seed, c.Clients, c.Rounds)
	rig.PrintTable(out, rows)
	return rig.Verdict(faults)
}

// drainRun is the rounds on one database.
type drainRun struct {
	clients      int
	db           *rig.Database
	service      rig.Service
	org          *rig.Organization
	acknowledged map[string]bool // sessions, of all rounds
	rounds       int
}

// drainRound is the outcome of one SIGTERM.
type drainRound struct {
	answered, dropped, unanswered int
	reset                         int           // requests that were in the listener's queue when it closed
	refused                       int           // dials, after the listener closed
	readyOff, refusedAt, exited   time.Duration // since the SIGTERM
	status                        int
	faults                        []string
}

// exitTimeout is far above the time that a drain takes.
const exitTimeout = 30 * time.Second

// round starts the service, lets the clients work for a while, and sends SIGTERM.
func (d *drainRun) round(ctx context.Context, lead time.Duration) (drainRound, error) {
	server, _, err := d.service.Serve(ctx)
	if err != nil {
		return drainRound{}, err
	}
	defer server.Stop()
	if d.org == nil {
		if d.org, err = rig.NewOrganization(ctx, rig.NewClient([]string{server.Addr}, 1), "drain"); err != nil {
			return drainRound{}, err
		}
	}
	d.rounds++
	clients := make([]*drainClient, d.clients)
	var working sync.WaitGroup
	for i := range clients {
		clients[i] = &drainClient{addr: server.Addr, request: func(n int) []byte {
			name := fmt.Sprintf("round-%d-client-%d-%d", d.rounds, i, n)
			return rig.Request(http.MethodPost, "/v1/public/candidate-sessions", d.org.Key, d.org.Invite(name))
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
	if off.IsZero() {
		r.faults = append(r.faults, "readiness never went off")
	} else {
		r.readyOff = off.Sub(terminated)
	}
	if r.status != 0 {
		r.faults = append(r.faults, server.Explain(fmt.Errorf("exit status %d", r.status)).Error())
	}
	return d.account(ctx, r, clients, terminated, off)
}

// maxResetShare bounds the requests that are reset when the listener closes: one
// for this many clients. Without a proxy, some are unavoidable.
const maxResetShare = 20

// account compares the answers that the clients got with the database.
func (d *drainRun) account(
	ctx context.Context, r drainRound, clients []*drainClient, terminated, off time.Time,
) (drainRound, error) {
	var firstRefusal time.Time
	for _, client := range clients {
		r.answered += client.answered
		for _, failed := range client.failed {
			if !failed.answered {
				r.dropped++
			}
			r.faults = append(r.faults, fmt.Sprintf("an invite failed after %d answers on its connection: %s %s",
				failed.used, failed.outcome, failed.body))
		}
		r.reset += client.reset
		if at := client.refusedAt; !at.IsZero() {
			r.refused++
			if firstRefusal.IsZero() || at.Before(firstRefusal) {
				firstRefusal = at
			}
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
		r.faults = append(r.faults, "a connection was refused before readiness went off")
	}
	unanswered, lost, err := compareSessions(ctx, d.db, d.acknowledged)
	for _, id := range unanswered {
		d.acknowledged[id] = true // report it once
	}
	r.unanswered = len(unanswered)
	r.faults = append(r.faults, lost...)
	return r, err
}

// compareSessions compares the acknowledged sessions with the database. It
// returns the sessions that were not acknowledged, and a fault for each
// difference.
func compareSessions(
	ctx context.Context, db *rig.Database, acknowledged map[string]bool,
) (unanswered, faults []string, err error) {
	sessions, err := db.Strings(ctx, `SELECT id FROM candidate_sessions`)
	held := map[string]bool{}
	for _, id := range sessions {
		held[id] = true
		if !acknowledged[id] {
			unanswered = append(unanswered, id)
			faults = append(faults, "session "+id+" was made and not acknowledged")
		}
	}
	for id := range acknowledged {
		if err == nil && !held[id] {
			faults = append(faults, "session "+id+" was acknowledged and is missing")
		}
	}
	return unanswered, faults, err
}

// watchReady returns when /readyz first answered 503, or the zero time if it
// never did before the process ended. It asks again without waiting for an
// earlier answer, which may take long under this load.
func watchReady(server *rig.Process) time.Time {
	client := rig.NewClient([]string{server.Addr}, 0)
	off := make(chan time.Time, 1)
	for {
		go func() {
			answer, err := client.Send(context.Background(), http.MethodGet, "/readyz", nil, nil)
			if err != nil || answer.Status != http.StatusServiceUnavailable {
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
		case <-server.Ended():
			return time.Time{}
		case <-time.After(20 * time.Millisecond):
		}
	}
}
