// Package bench measures `assay serve` on SQLite and on PostgreSQL: requests
// beside a bare net/http handler on the same database, webhook deliveries beside a
// bare loop of POSTs, and emails beside a bare loop that sends and updates rows.
// Memory and CPU are read from Linux's /proc.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"assay/server/cmd/lab/rig"
)

// Aims that are missed are printed. They fail nothing.
const (
	// Of the bare handler's requests per second.
	aimDocument  = 1.3 // kept in memory
	aimUnchanged = 1.5 // 304
	aimList      = 0.8
	aimPoll      = 0.5
	aimAnswer    = 0.8 // 1.0 on SQLite
	aimInvite    = 0.75

	aimStart = 500 * time.Millisecond // until ready, on SQLite
	aimIdle  = 50 << 20               // bytes resident
)

// Command is `lab bench`.
type Command struct {
	All        All        `cmd:"" help:"Measure all of the following in one run."`
	API        API        `cmd:"" name:"api" default:"withargs" help:"Measure requests. This is the default."`
	Deliveries Deliveries `cmd:"" help:"Measure webhook deliveries."`
	Mail       Mail       `cmd:"" help:"Measure emails."`
	Replicas   Replicas   `cmd:"" help:"Measure several processes on one PostgreSQL."`
}

// API is `lab bench api`.
type API struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	Ratios           `embed:""`

	Clients  int           `default:"16" help:"Connections that each send one request after the other."`
	Duration time.Duration `default:"3s" help:"Time of each scenario and side."`
	Scenario []string      `default:"${scenarios}" enum:"${scenarios}"`
}

const (
	turns      = 6 // that the duration is split into
	warmUp     = time.Second
	candidates = 2000 // who save answers
	completed  = 100  // sessions, whose results are read
	restarts   = 5    // whose median time is printed
)

// Run measures on each kind of database. An answer that is not a 2xx fails it.
func (c *API) Run(ctx context.Context, out io.Writer) error {
	if err := c.begin(conditions(fmt.Sprintf("%d clients, %s", c.Clients, c.Duration))); err != nil {
		return err
	}
	return c.finish(out, c.measureAll(ctx, out, &c.Ratios))
}

func (c *API) measureAll(ctx context.Context, out io.Writer, ratios *Ratios) error {
	// Result tokens expire after 15 minutes.
	if c.Clients < 1 || c.Clients > candidates || c.Duration <= 0 || c.Duration > 5*time.Minute {
		return errors.New("clients must be 1 to 2000, and the duration at most 5 minutes")
	}
	debug.SetGCPercent(gcPercent)
	_, _ = fmt.Fprintf(out, "%d cores, %s %s/%s, %d clients, %s a scenario and side in %d turns after %s of warm-up\n",
		runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Clients, c.Duration, turns, warmUp)
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error { return c.measure(ctx, out, db, ratios) })
}

func (c *API) measure(ctx context.Context, out io.Writer, db *rig.Database, ratios *Ratios) error {
	about, err := db.About(ctx)
	if err != nil {
		return err
	}
	server, starts, err := c.start(ctx, db)
	if err != nil {
		return err
	}
	defer server.Stop()
	_, _ = fmt.Fprintf(out, "\n%s; http://%s/debug/pprof\n", about, server.Admin)
	rig.Pause(ctx, time.Second) // for the memory that a start takes to be free again
	idle := server.Usage()
	d, err := newDataset(ctx, server.Addr, candidates, completed)
	if err != nil {
		return server.Explain(fmt.Errorf("make the data: %w", err))
	}
	if err := db.Analyze(ctx); err != nil {
		return err
	}
	bare, err := startBare(ctx, db, d)
	if err != nil {
		return err
	}
	defer bare.Stop()

	table, err := c.compare(ctx, server, bare, d,
		func(scenario string, turns []float64) { ratios.add(db.Kind, scenario, turns) })
	rig.PrintTable(out, table)
	after, again := server.Usage(), rig.Percentile(starts[1:], 50)
	_, _ = fmt.Fprintf(out, "start to ready: %s on an empty database, then %s (median of %d) %s\n",
		rig.Milliseconds(starts[0]), rig.Milliseconds(again), len(starts)-1,
		missed(db.Kind == "sqlite" && max(starts[0], again) > aimStart, "aim "+aimStart.String()))
	_, _ = fmt.Fprintf(out, "resident memory: %s idle, %s after the load, %s at most %s\n",
		rig.Mebibytes(idle.Resident), rig.Mebibytes(after.Resident), rig.Mebibytes(after.Peak),
		missed(idle.Resident > aimIdle, "aim "+rig.Mebibytes(aimIdle)+" idle"))
	return server.Explain(err)
}

// start starts the server several times, first on an empty database, and leaves
// the last process running.
func (c *API) start(ctx context.Context, db *rig.Database) (*rig.Process, []time.Duration, error) {
	service := db.Service(c.Binary)
	service.LogLevel = "warn"
	var took []time.Duration
	for {
		server, elapsed, err := service.Serve(ctx)
		if err != nil {
			return nil, nil, err
		}
		took = append(took, elapsed)
		if len(took) > restarts { // the first start migrates and does not count
			return server, took, nil
		}
		server.Stop()
	}
}

// startBare starts this program again as the bare handler. The database's URL is
// a variable, since all users of the machine can read arguments.
func startBare(ctx context.Context, db *rig.Database, d *dataset) (*rig.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, err := rig.FreeAddr(ctx)
	if err != nil {
		return nil, err
	}
	//nolint:gosec // this program
	cmd := exec.CommandContext(ctx, self, "bare", "--addr", addr, "--organization", d.ID, "--assessment", d.AssessmentID)
	cmd.Env = append(rig.CleanEnv("ASSAY_", "PG"), "LAB_DATABASE_URL="+db.URL)
	return rig.Start(ctx, cmd, addr)
}

// compare measures the chosen scenarios. A failure does not end it before the last one.
func (c *API) compare(
	ctx context.Context, server, bare *rig.Process, d *dataset, record func(scenario string, turns []float64),
) (rows [][]string, failures error) {
	rows = [][]string{head}
	for _, sc := range scenarios {
		if !slices.Contains(c.Scenario, sc.name) || ctx.Err() != nil {
			continue
		}
		measured, ratios, err := c.duel(ctx, sc, server, bare, d)
		if err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", sc.name, err))
			continue
		}
		rows = append(rows, measured)
		record(sc.name, ratios)
	}
	return rows, failures
}
