package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"assay/server/cmd/internal/rig"
)

type killsCommand struct {
	common   `embed:""`
	seeded   `embed:""`
	Database []string `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to run on."`
	Kills    int      `default:"50" help:"How often the service is killed on each."`
	Clients  int      `default:"16" help:"Candidates and integrators at work."`
}

// Run kills the service over and over, on each database.
func (c *killsCommand) Run(ctx context.Context, out io.Writer) error {
	random := c.random()
	return c.each(ctx, c.Database, func(dir, kind string) error { return c.kills(ctx, out, random, dir, kind) })
}

func (c *killsCommand) kills(ctx context.Context, out io.Writer, random *rand.Rand, dir, kind string) (err error) {
	l, err := newLab(ctx, c.Binary, dir, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	member, addr, err := l.member(ctx, dir)
	if err != nil {
		return err
	}
	keeping, stop := context.WithCancel(ctx)
	kept := make(chan error, 1)
	go func() { kept <- member.Keep(keeping) }()
	err = c.fire(ctx, out, random, kind, member, addr)
	stop()
	return errors.Join(err, <-kept)
}

// member is the service on the lab's database, started again whenever it ends.
func (l *lab) member(ctx context.Context, dir string) (*rig.Member, string, error) {
	addr, err := rig.FreeAddr(ctx)
	if err != nil {
		return nil, "", err
	}
	log, err := os.Create(filepath.Join(dir, "serve.log"))
	return &rig.Member{
		Name: "serve", Binary: l.service.Binary, Args: []string{"serve"}, Env: l.service.Environment(addr, "off"), Log: log,
	}, addr, err
}

// startTimeout is far above what a start takes.
const startTimeout = time.Minute

func (c *killsCommand) fire(ctx context.Context, out io.Writer, random *rand.Rand, kind string, member *rig.Member, addr string) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Kills+1)*startTimeout)
	defer cancel()
	if err := member.WaitReady(ctx); err != nil {
		return err
	}
	w, err := newWorld(ctx, addr, c.Clients)
	if err != nil {
		return err
	}
	load := startLoad(ctx, w, addr)
	defer load.end()
	for kills := 0; kills < c.Kills; {
		if !rig.Pause(ctx, 100*time.Millisecond+time.Duration(random.Int64N(int64(500*time.Millisecond)))) {
			return ctx.Err()
		}
		if member.Kill() {
			kills++
		}
		if err := member.WaitReady(ctx); err != nil {
			return err
		}
	}
	load.end()
	lost, err := load.ledger.lost(ctx, w)
	if err != nil {
		return err
	}
	faults := lost
	_, exits := member.Record()
	faults = append(faults, exits...)
	unanswered := 0
	for _, e := range load.taken() {
		switch {
		case e.status == 0:
			unanswered++
		case e.status/100 != 2 && (e.status != http.StatusServiceUnavailable || !e.proper):
			faults = append(faults, fmt.Sprintf("%s: %s", e.action, outcome(e)))
		}
	}
	_, _ = fmt.Fprintf(out, "kills, %s, seed %d, %d clients\n", kind, c.Seed, c.Clients)
	printTable(out, [][]string{
		{"kills", "seconds", "not answered", "acknowledged: invites", "assessments", "API keys", "answers", "lost"},
		append([]string{count(c.Kills), seconds(time.Since(began)), count(unanswered)}, append(load.ledger.counts(), count(len(lost)))...),
	})
	return verdict(faults)
}
