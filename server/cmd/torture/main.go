// Command torture shows that nothing committed is ever lost. It completes
// sessions over HTTP against real processes while it kills them with SIGKILL at
// random points, and on PostgreSQL has the database crash too. Then it lets
// everything drain and accounts: every acknowledged session is there, with every
// acknowledged answer, has exactly one event of each kind, and each event reached
// each of its endpoints, signed. It exits with status 1 when anything is missing.
//
// It starts a PostgreSQL of its own, since the database that tests share must
// not crash, and talks to nothing but loopback addresses and that.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"assay/server/cmd/internal/rig"
)

type command struct {
	Database []string      `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to run on."`
	Form     string        `enum:",combined,apart,mixed" default:"" help:"Processes: combined (serve), apart (serve --no-dispatcher and two dispatch) or mixed (all of it); combined on SQLite, mixed on PostgreSQL by default."`
	Sessions int           `default:"2000" help:"How many sessions are completed at least."`
	Duration time.Duration `default:"30s" help:"For how long sessions are completed at least."`
	Clients  int           `default:"8" help:"Candidates at a time."`
	Pause    time.Duration `default:"1s" help:"Mean time between two kills."`
	Seed     uint64        `help:"Seed of what is random; made and printed by default."`
	Binary   string        `help:"An assay that is built already."`
	Dir      string        `help:"Folder for everything, on a real disk; /var/tmp by default."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	cli := kong.Parse(&command{}, kong.Name("torture"),
		kong.Description("Kills the service over and over while sessions are completed, and counts what is lost."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	if err := cli.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

// Run tortures each database and fails when anything was lost. Its folder, with
// logs and databases, is left behind then.
func (c *command) Run(ctx context.Context, out io.Writer) error {
	if min(c.Sessions, c.Clients) < 1 || c.Pause <= 0 {
		return errors.New("sessions, clients and pause must be positive")
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64() //nolint:gosec // guards nothing
	}
	dir, err := rig.MakeDir(c.Dir, "assay-torture-")
	if err != nil {
		return err
	}
	if c.Binary == "" {
		c.Binary = filepath.Join(dir, "assay")
		if err := rig.Build(ctx, c.Binary); err != nil {
			return err
		}
	}
	var failures error
	for _, kind := range c.Database {
		if err := c.torture(ctx, out, kind, filepath.Join(dir, kind)); err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s, seed %d: %w", kind, c.Seed, err))
		}
		if ctx.Err() != nil {
			return errors.Join(errors.New("interrupted"), os.RemoveAll(dir))
		}
	}
	if failures != nil {
		return fmt.Errorf("%w\nlogs and databases are in %s", failures, dir)
	}
	return os.RemoveAll(dir)
}
