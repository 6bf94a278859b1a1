package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// Replicas is `lab bench replicas`: several processes of `assay serve` on one PostgreSQL.
type Replicas struct {
	rig.Flags `embed:""`

	Processes []int         `default:"1,2,4" help:"Numbers of processes."`
	Clients   int           `default:"32" help:"Connections to all processes together, with one request each."`
	Duration  time.Duration `default:"3s" help:"Time of each scenario."`
}

// inviteCandidates is the name of the scenario whose events are delivered.
const inviteCandidates = "invite"

// Run measures each number of processes on a database of its own. A delivery that is
// missing after a minute fails it.
func (c *Replicas) Run(ctx context.Context, out io.Writer) error {
	if c.Clients < 1 || c.Duration <= 0 || slices.Min(c.Processes) < 1 {
		return errors.New("processes, clients, and duration must be positive")
	}
	rows := [][]string{{"processes"}}
	for _, sc := range c.scenarios() {
		rows[0] = append(rows[0], sc.name+"/s")
	}
	rows[0] = append(rows[0], "connections", "delivered", "fewest and most by one process")
	for _, n := range c.Processes {
		err := c.EachDatabase(ctx, []string{"postgres"}, func(db *rig.Database) error {
			service := db.Service(c.Binary)
			service.LogLevel, service.Env = "warn", []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true"}
			row, err := c.measure(ctx, db, service, n)
			rows = append(rows, row)
			return err
		})
		if err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(out, "PostgreSQL, %d clients, %s a scenario\n", c.Clients, c.Duration)
	rig.PrintTable(out, rows)
	return nil
}

func (c *Replicas) scenarios() []scenario {
	return slices.DeleteFunc(slices.Clone(scenarios), func(sc scenario) bool {
		return !slices.Contains([]string{"list", "answer", inviteCandidates}, sc.name)
	})
}

func (c *Replicas) measure(ctx context.Context, db *rig.Database, service rig.Service, n int) (_ []string, err error) {
	servers := make([]*rig.Process, n)
	for i := range servers {
		if servers[i], _, err = service.Serve(ctx); err != nil {
			return nil, err
		}
		defer servers[i].Stop()
	}
	d, err := newDataset(ctx, servers[0].Addr, candidates, 0)
	if err != nil {
		return nil, err
	}
	if err := db.Analyze(ctx); err != nil {
		return nil, err
	}
	to, err := newReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer to.stop()
	to.expect(0)
	if _, err := d.API.Call(ctx, http.MethodPost, "/v1/webhooks", d.Owner, rig.Object{
		"url": "http://" + to.addr + "/", "events": []string{"candidate.invited"},
	}, nil); err != nil {
		return nil, err
	}

	row := []string{fmt.Sprint(n)}
	invited := 0
	for _, sc := range c.scenarios() {
		rate, sent, err := c.load(ctx, servers, d, sc)
		if err != nil {
			return nil, err
		}
		row = append(row, fmt.Sprintf("%.0f", rate))
		if sc.name == inviteCandidates {
			invited = sent
		}
	}
	connections, err := db.Strings(ctx, `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
		AND pid <> pg_backend_pid()`)
	if err != nil {
		return nil, err
	}
	delivered, err := c.delivered(ctx, servers, invited)
	if err != nil {
		return nil, err
	}
	return append(row, connections[0], fmt.Sprint(invited),
		fmt.Sprintf("%.0f, %.0f", slices.Min(delivered), slices.Max(delivered))), nil
}

// load sends requests to all servers at once, and returns their rate together.
func (c *Replicas) load(
	ctx context.Context, servers []*rig.Process, d *dataset, sc scenario,
) (rate float64, sent int, err error) {
	next, _, err := sc.requests(ctx, d)
	if err != nil {
		return 0, 0, err
	}
	sides := make([]*side, len(servers))
	for i, server := range servers {
		of := func(n int) []byte { return next(n*len(servers) + i) } // each request goes to one server
		if sides[i], err = newSide(ctx, server, max(1, c.Clients/len(servers)), of); err != nil {
			return 0, 0, err
		}
		defer sides[i].close()
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for _, s := range sides {
		group.Go(func() error { return s.turn(groupCtx, c.Duration) })
	}
	if err := group.Wait(); err != nil {
		return 0, 0, err
	}
	for _, s := range sides {
		rate += s.rates[0]
		sent += len(s.latencies)
	}
	return rate, sent, nil
}

// delivered waits for all deliveries, and returns how many each process has settled.
func (c *Replicas) delivered(ctx context.Context, servers []*rig.Process, want int) ([]float64, error) {
	const metric = `assay_webhook_deliveries_total{outcome="SUCCEEDED"}`
	for began := time.Now(); ; rig.Pause(ctx, 100*time.Millisecond) {
		counts, sum := make([]float64, len(servers)), 0.0
		for i, server := range servers {
			var err error
			if counts[i], err = server.Metric(ctx, metric); err != nil {
				counts[i] = 0 // it has settled none
			}
			sum += counts[i]
		}
		if int(sum) >= want {
			return counts, nil
		}
		if time.Since(began) > time.Minute || ctx.Err() != nil {
			return nil, fmt.Errorf("%.0f of %d deliveries arrived", sum, want)
		}
	}
}
