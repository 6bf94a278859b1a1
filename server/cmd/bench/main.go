// Command bench measures the service as it is run in production: `assay serve`
// in a process of its own, on SQLite and on PostgreSQL, under a bounded load of
// keep-alive clients. Every figure stands beside that of a bare net/http
// handler on the same database, taken in turns with it; see bareServer for what
// that handler does and what it leaves out.
//
// It needs Linux for the figures of memory and CPU, TEST_DATABASE_URL for
// PostgreSQL, and talks to nothing but loopback addresses and that database.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"assay/server/cmd/internal/rig"
)

// What the design asks for. A missed aim is printed and fails nothing.
const (
	aimRead  = 0.75                   // of the bare handler's requests per second
	aimWrite = 0.6                    // likewise
	aimStart = 500 * time.Millisecond // to the first ready answer, on SQLite
	aimIdle  = 50 << 20               // bytes resident
)

type commands struct {
	API        runCommand        `cmd:"" name:"api" default:"withargs" help:"Measure requests, and print a table for each database."`
	Deliveries deliveriesCommand `cmd:"" help:"Measure webhook deliveries, and print a table for each database."`
	Bare       bareCommand       `cmd:"" hidden:"" help:"Serve the baseline; api starts this itself."`
}

// runCommand is the measurement with its settings.
type runCommand struct {
	Clients    int           `default:"16" help:"Connections that each send one request after the other."`
	Duration   time.Duration `default:"3s" help:"How long each scenario is measured, on each side."`
	Warmup     time.Duration `default:"1s" help:"How long each side is driven before that."`
	Rounds     int           `default:"6" help:"Into how many turns the duration is split."`
	Database   []string      `default:"sqlite,postgres" enum:"sqlite,postgres" help:"Databases to measure on."`
	Scenario   []string      `default:"${scenarios}" enum:"${scenarios}" help:"What to measure: ${scenarios}."`
	Candidates int           `default:"2000" help:"Candidates who save answers, so that rows differ."`
	Completed  int           `default:"100" help:"Finished sessions, whose results are read."`
	Starts     int           `default:"5" help:"Starts whose median is printed."`
	Dir        string        `help:"Folder for the SQLite file, on a real disk; /var/tmp by default."`
	Binary     string        `help:"An assay that is built already, for comparing two versions."`
	Profiles   string        `help:"Folder for a CPU profile of the server in each scenario."`

	TestDatabaseURL string `env:"TEST_DATABASE_URL" hidden:""`
}

func main() {
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	command := kong.Parse(&commands{},
		kong.Name("bench"), kong.Description("Measures assay serve against a bare handler on the same database."),
		kong.Vars{"scenarios": strings.Join(scenarioNames(), ",")},
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

// Run measures on each database and fails when anything but a 2xx was answered.
func (c *runCommand) Run(ctx context.Context, out io.Writer) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.Dir, "assay-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := c.Binary
	if binary == "" {
		binary = filepath.Join(dir, "assay")
		if err := rig.Build(ctx, binary); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(out, "%d cores, %s %s/%s, %d clients, %s per scenario and side in %d turns after %s of warm-up\n",
		runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Clients, c.Duration, c.Rounds, c.Warmup)
	var failures error
	for _, kind := range c.Database {
		if err := c.measure(ctx, out, binary, dir, kind); err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", kind, err))
		}
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
	}
	return failures
}

// longest bounds one side of a scenario, so that both end before the result tokens do.
const longest = 5 * time.Minute

func (c *runCommand) check() error {
	switch {
	case min(c.Clients, c.Rounds, c.Starts, c.Completed) < 1 || c.Duration <= 0 || c.Warmup <= 0:
		return errors.New("clients, rounds, starts, completed, duration and warmup must be positive")
	case c.Warmup+c.Duration > longest:
		return errors.New("warmup and duration must not exceed 5 minutes together: result tokens live 15")
	case c.Candidates < c.Clients:
		return errors.New("there must be at least as many candidates as clients")
	case slices.Contains(c.Database, "postgres") && c.TestDatabaseURL == "":
		return errors.New("TEST_DATABASE_URL is not set: run `make bench`, which starts a PostgreSQL, or pass --database=sqlite")
	}
	if c.Dir == "" {
		c.Dir = os.TempDir()
		if _, err := os.Stat("/var/tmp"); err == nil {
			c.Dir = "/var/tmp" // /tmp is memory on many systems, and syncing is free there
		}
	}
	return nil
}

// measure makes a database, runs everything on it, prints the figures and
// removes it.
func (c *runCommand) measure(ctx context.Context, out io.Writer, binary, dir, kind string) (err error) {
	db, err := newDatabase(ctx, kind, dir, c.TestDatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.remove()) }()
	_, _ = fmt.Fprintf(out, "\n%s\n", db.about)
	server, starts, err := c.startOften(ctx, binary, db)
	if err != nil {
		return err
	}
	defer server.Stop()
	if err := pause(ctx, settle); err != nil {
		return err
	}
	idle := server.Usage()
	data, err := prepare(ctx, server.Addr, c.Candidates, c.Completed)
	if err != nil {
		return server.Explain(fmt.Errorf("prepare the data: %w", err))
	}
	if err := db.analyze(ctx); err != nil {
		return err
	}
	bare, err := startBare(ctx, db, data)
	if err != nil {
		return err
	}
	defer bare.Stop()
	rows, err := c.compare(ctx, server, bare, data)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	printTable(out, rows)
	printProcess(out, kind, starts, idle, server.Usage())
	return server.Explain(err)
}

// settle is how long a server is left alone before its idle memory is read.
const settle = time.Second

// startOften starts the server several times, the first time on an empty
// database, and leaves the last one running.
func (c *runCommand) startOften(ctx context.Context, binary string, db *database) (*process, []time.Duration, error) {
	var took []time.Duration
	for {
		server, elapsed, err := startServer(ctx, binary, db)
		if err != nil {
			return nil, nil, err
		}
		took = append(took, elapsed)
		if len(took) > c.Starts { // the first, which migrates, counts apart
			return server, took, nil
		}
		server.Stop()
	}
}

// compare runs the chosen scenarios. It goes on after answers that are not 2xx,
// so that all of them are seen, and then fails.
func (c *runCommand) compare(ctx context.Context, server, bare *process, data *dataset) ([]row, error) {
	var rows []row
	var failures error
	for _, sc := range scenarios {
		if !slices.Contains(c.Scenario, sc.name) {
			continue
		}
		finish := func() error { return nil }
		if c.Profiles != "" {
			name := server.database + "-" + sc.name + ".pprof"
			finish = server.profile(ctx, filepath.Join(c.Profiles, name), c.Warmup+2*c.Duration)
		}
		measured, err := c.duel(ctx, sc, server, bare, data)
		err = errors.Join(err, finish())
		if err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", sc.name, err))
			if ctx.Err() != nil {
				return rows, failures
			}
			continue
		}
		rows = append(rows, measured)
	}
	return rows, failures
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
