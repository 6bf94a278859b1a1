// Command faults breaks what the service stands on, under load, and holds it to
// its promises; each part prints a table and fails when one is broken:
//
//   - drain: a SIGTERM drops no request that was sent, and nothing is done that
//     nobody is told of.
//   - outage: while PostgreSQL is stopped, or hangs, every request is answered
//     with a 503 within a bound; afterwards all is well within seconds.
//   - failover: a server that has become read-only is left for the new primary.
//   - kills: what was acknowledged is there after any number of SIGKILLs.
//   - slow: clients that send or read a byte at a time are cut off, and do not
//     harm the others.
//
// It starts PostgreSQL clusters of its own, and talks to nothing but loopback
// addresses and Unix sockets.
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

	"github.com/alecthomas/kong"

	"assay/server/cmd/internal/rig"
)

type commands struct {
	Drain    drainCommand    `cmd:"" help:"SIGTERM under load: no request dropped, none done and not answered."`
	Outage   outageCommand   `cmd:"" help:"PostgreSQL stopped and hung under load: 503 within a bound, and healed within seconds."`
	Failover failoverCommand `cmd:"" help:"PostgreSQL's primary becomes a standby: the service finds the new primary."`
	Kills    killsCommand    `cmd:"" help:"kill -9 under load: no acknowledged write lost."`
	Slow     slowCommand     `cmd:"" help:"Clients that send or read a byte at a time: cut off, and no harm to others."`
}

// parts in the order in which they run when none is named.
var parts = []string{"drain", "outage", "failover", "kills", "slow"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	lines := [][]string{os.Args[1:]}
	if len(os.Args) == 1 {
		lines = nil
		for _, part := range parts {
			lines = append(lines, []string{part})
		}
	}
	failed := false
	for _, line := range lines {
		if err := run(ctx, line); err != nil {
			fmt.Fprintln(os.Stderr, "faults:", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

func run(ctx context.Context, line []string) error {
	parser, err := kong.New(&commands{},
		kong.Name("faults"), kong.Description("Breaks what the service stands on, and holds it to its promises. Without a part it runs all of them."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	if err != nil {
		return err
	}
	part, err := parser.Parse(line)
	if err != nil {
		return err
	}
	if err := part.Run(); err != nil {
		return fmt.Errorf("%s: %w", part.Command(), err)
	}
	return ctx.Err()
}

// common are the flags of every part.
type common struct {
	Binary string `help:"An assay that is built already."`
	Dir    string `help:"Folder for everything, on a real disk; /var/tmp by default."`
}

// seeded is the flag of parts in which something is random.
type seeded struct {
	Seed uint64 `help:"Seed of what is random; made and printed by default."`
}

// random is the generator of one run.
func (s *seeded) random() *rand.Rand {
	if s.Seed == 0 {
		s.Seed = rand.Uint64() //nolint:gosec // guards nothing
	}
	return rand.New(rand.NewPCG(s.Seed, 0)) //nolint:gosec // guards nothing
}

// each runs a part several times, each in a folder of its own.
func (c *common) each(ctx context.Context, names []string, run func(dir, name string) error) error {
	return c.inFolder(ctx, func(dir string) error {
		var failures error
		for _, name := range names {
			if err := run(filepath.Join(dir, name), name); err != nil {
				failures = errors.Join(failures, fmt.Errorf("%s: %w", name, err))
			}
		}
		return failures
	})
}

// inFolder runs a part in a folder of its own, which is left behind when it fails.
func (c *common) inFolder(ctx context.Context, run func(dir string) error) error {
	dir, err := rig.MakeDir(c.Dir, "assay-faults-")
	if err != nil {
		return err
	}
	if c.Binary == "" {
		c.Binary = filepath.Join(dir, "assay")
		if err := rig.Build(ctx, c.Binary); err != nil {
			return err
		}
	}
	err = run(dir)
	switch {
	case ctx.Err() != nil:
		return errors.Join(errors.New("interrupted"), os.RemoveAll(dir))
	case err != nil:
		return fmt.Errorf("%w\nlogs and databases are in %s", err, dir)
	}
	return os.RemoveAll(dir)
}
