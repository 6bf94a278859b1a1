package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// Aims that are missed are printed. They fail nothing.
const (
	aimIdleLatency = 10 * time.Millisecond // median, from request to receipt
	aimServing     = 60 << 20              // bytes resident, while delivering
)

// aimFanOut is in deliveries per second to all endpoints.
var aimFanOut = map[string]float64{"postgres": 8000, "sqlite": 9000}

// perEndpoint is the number of requests that the dispatcher has in flight for
// one endpoint. The bare loop has as many.
const perEndpoint = 16

// Deliveries is `lab bench deliveries`: a process of `assay serve` delivers to a
// receiver in this process.
type Deliveries struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	Ratios           `embed:""`

	Events    int `default:"10000" help:"Events of a backlog; three times as many for one endpoint."`
	Endpoints int `default:"10" help:"Number of endpoints."`
	Singles   int `default:"200" help:"Events made one by one, for the latency without other work."`

	Turns int `default:"3" help:"Turns of the service and of the bare loop, each with the whole backlog."`

	Live       int `default:"10000" help:"Events published at once, for the deliveries beside publishing; 0 for none."`
	Publishers int `default:"64" help:"Connections that publish these."`
}

// Run measures on each kind of database. A missing delivery fails it.
func (c *Deliveries) Run(ctx context.Context, out io.Writer) error {
	if err := c.begin(conditions(fmt.Sprintf("%d events, %d endpoints", c.Events, c.Endpoints))); err != nil {
		return err
	}
	return c.finish(out, c.measureAll(ctx, out, &c.Ratios))
}

func (c *Deliveries) measureAll(ctx context.Context, out io.Writer, ratios *Ratios) error {
	if min(c.Events, c.Endpoints, c.Singles, c.Publishers, c.Turns) < 1 || c.Live < 0 {
		return errors.New("events, endpoints, singles, publishers and turns must be positive")
	}
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error {
		to, err := newReceiver(ctx)
		if err != nil {
			return err
		}
		defer to.stop()
		run := &deliveryRun{Deliveries: c, out: out, db: db, service: db.Service(c.Binary), to: to, ratios: ratios}
		run.service.Env = []string{"ASSAY_WEBHOOK_ALLOW_INSECURE=true"}
		err = run.all(ctx)
		if run.server != nil {
			err = run.server.Explain(err)
			run.server.Stop()
		}
		return err
	})
}

// deliveryRun is the measurement on one database.
type deliveryRun struct {
	*Deliveries
	out       io.Writer
	db        *rig.Database
	service   rig.Service
	to        *receiver
	server    *rig.Process
	org       *rig.Organization
	endpoints int
	backlogs  int // made so far
	rows      [][]string
	liveRows  [][]string
	ratios    *Ratios
}

// all measures the latency, and the throughput with one endpoint and with all.
func (r *deliveryRun) all(ctx context.Context) error {
	about, err := r.db.About(ctx)
	if err != nil {
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	fromRequest, fromAnswer, err := r.latency(ctx)
	if err != nil {
		return err
	}
	r.liveRows = [][]string{liveHead}
	if err := r.live(ctx); err != nil {
		return err
	}
	r.rows = [][]string{{
		"", "deliveries", "time", "deliveries/s", "CPU", "peak memory", "bare POSTs/s", "ratio", "(turns)", "",
	}}
	if err := r.backlog(ctx, 3*r.Events, 0); err != nil {
		return err
	}
	resumed, err := r.kill(ctx)
	if err != nil {
		return err
	}
	for r.endpoints < r.Endpoints {
		if err := r.addEndpoint(ctx); err != nil {
			return err
		}
	}
	if err := r.live(ctx); err != nil {
		return err
	}
	if err := r.backlog(ctx, r.Events, aimFanOut[r.db.Kind]); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(r.out, "\nwebhooks, %s\n", about)
	rig.PrintTable(r.out, r.rows)
	if r.Live > 0 {
		rig.PrintTable(r.out, r.liveRows)
	}
	_, _ = fmt.Fprintln(r.out, resumed)
	p50 := rig.Percentile(fromRequest, 50)
	_, _ = fmt.Fprintf(r.out, "%d single events: request to receipt p50 %s, p99 %s; from the answer p50 %s, p99 %s %s\n",
		len(fromRequest), rig.Milliseconds(p50), rig.Milliseconds(rig.Percentile(fromRequest, 99)),
		rig.Milliseconds(rig.Percentile(fromAnswer, 50)), rig.Milliseconds(rig.Percentile(fromAnswer, 99)),
		missed(p50 > aimIdleLatency, "aim "+aimIdleLatency.String()))
	return nil
}

// live measures deliveries beside publishing, unless it is turned off.
func (r *deliveryRun) live(ctx context.Context) error {
	if r.Live == 0 {
		return nil
	}
	return r.measureLive(ctx)
}

// prepare makes an organization with one endpoint.
func (r *deliveryRun) prepare(ctx context.Context) error {
	if err := r.restart(ctx); err != nil {
		return err
	}
	var err error
	if r.org, err = rig.NewOrganization(ctx, rig.NewClient([]string{r.server.Addr}, preparing), "bench"); err != nil {
		return err
	}
	return r.addEndpoint(ctx)
}

// restart starts a new process of the server, so that its figures belong to one
// measurement only.
func (r *deliveryRun) restart(ctx context.Context, args ...string) error {
	if r.server != nil {
		r.server.Stop()
		r.server = nil
	}
	_, err := r.serve(ctx, args...)
	return err
}

// serve starts a process of the server, and returns the time after which it was ready.
func (r *deliveryRun) serve(ctx context.Context, args ...string) (ready time.Duration, err error) {
	server, ready, err := r.service.Serve(ctx, args...)
	if err != nil {
		return 0, err
	}
	r.server = server
	if r.org != nil {
		r.org.API = rig.NewClient([]string{server.Addr}, preparing)
	}
	return ready, nil
}

// invite makes one event, candidate.invited.
func (r *deliveryRun) invite(ctx context.Context, name string) error {
	_, err := r.org.API.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions", r.org.Key, r.org.Invite(name), nil)
	return err
}

func (r *deliveryRun) addEndpoint(ctx context.Context) error {
	_, err := r.org.API.Call(ctx, http.MethodPost, "/v1/webhooks", r.org.Owner, rig.Object{
		"url": fmt.Sprintf("http://%s/hook/%d", r.to.addr, r.endpoints), "events": []string{"candidate.invited"},
	}, nil)
	r.endpoints++
	return err
}

// latency makes single events with pauses. The commit, which only the server
// sees, lies between the request and its answer.
func (r *deliveryRun) latency(ctx context.Context) (fromRequest, fromAnswer []time.Duration, err error) {
	for i := range r.Singles {
		rig.Pause(ctx, 25*time.Millisecond)
		r.to.expect(1)
		sent := time.Now()
		if err := r.invite(ctx, fmt.Sprintf("single-%d", i)); err != nil {
			return nil, nil, err
		}
		answered := time.Now()
		p, err := r.to.wait(ctx, 10*time.Second)
		if err != nil {
			return nil, nil, err
		}
		fromRequest = append(fromRequest, p.last.Sub(sent))
		fromAnswer = append(fromAnswer, max(0, p.last.Sub(answered)))
	}
	return fromRequest, fromAnswer, nil
}

// backlog measures the service and the bare loop in turns, and adds a row with the
// medians of the turns.
func (r *deliveryRun) backlog(ctx context.Context, events int, aim float64) error {
	count := events * r.endpoints
	var took, cpu []time.Duration
	var rates, bareRates, ratios []float64
	var peak int64
	for range r.Turns {
		measured, used, err := r.drain(ctx, events)
		if err != nil {
			return err
		}
		bare, err := r.to.bareLoop(ctx, perEndpoint*r.endpoints, min(count, 50_000))
		if err != nil {
			return err
		}
		took, cpu = append(took, measured.elapsed()), append(cpu, used.CPU/time.Duration(count))
		rates, bareRates = append(rates, measured.rate()), append(bareRates, bare.rate())
		ratios, peak = append(ratios, measured.rate()/bare.rate()), max(peak, used.Peak)
	}
	name, rate := fmt.Sprintf("%d endpoints", r.endpoints), rig.Percentile(rates, 50)
	r.ratios.add(r.db.Kind, "first deliveries to "+name, ratios)
	r.rows = append(r.rows, []string{
		name, fmt.Sprint(count), rig.Seconds(rig.Percentile(took, 50)), fmt.Sprintf("%.0f", rate),
		rig.Microseconds(rig.Percentile(cpu, 50)), rig.Mebibytes(peak),
		fmt.Sprintf("%.0f", rig.Percentile(bareRates, 50)), median(ratios), spread(ratios),
		missed(rate < aim, fmt.Sprintf("aim %.0f/s", aim)) +
			missed(peak > aimServing, " aim "+rig.Mebibytes(aimServing)),
	})
	return nil
}

// drain measures a server that starts with a backlog of the events.
func (r *deliveryRun) drain(ctx context.Context, events int) (measured pace, used rig.Usage, err error) {
	if _, err := r.queue(ctx, events); err != nil {
		return measured, used, err
	}
	if err := r.db.Analyze(ctx); err != nil {
		return measured, used, err
	}
	r.to.expect(events * r.endpoints)
	if err := r.restart(ctx); err != nil {
		return measured, used, err
	}
	measured, err = r.to.wait(ctx, 5*time.Minute)
	return measured, r.server.Usage(), err
}

// queue publishes events to all endpoints while no dispatcher runs. The number of each event follows name in its body.
func (r *deliveryRun) queue(ctx context.Context, events int) (name string, err error) {
	if err := r.restart(ctx, "--no-dispatcher"); err != nil {
		return "", err
	}
	r.backlogs++
	name = fmt.Sprintf("backlog-%d", r.backlogs)
	group, inviting := errgroup.WithContext(ctx)
	group.SetLimit(preparing)
	for i := range events {
		group.Go(func() error { return r.invite(inviting, fmt.Sprintf("%s-%d", name, i)) })
	}
	return name, group.Wait()
}
