package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
)

// Slow is `lab faults slow`.
type Slow struct {
	rig.Flags `embed:""`

	Database string        `default:"sqlite" enum:"sqlite,postgres" help:"Database to run on."`
	Kind     []string      `default:"headers,bodies,readers" enum:"headers,bodies,readers" help:"Slow operations."`
	Slow     int           `default:"2000" help:"Slow clients of each kind."`
	Clients  int           `default:"16" help:"Healthy clients, which work all the time."`
	Alone    time.Duration `default:"8s" help:"Time for which the healthy clients are measured alone."`
	Interval time.Duration `default:"1s" help:"Time between two bytes of a slow client."`
}

// cutOffBounds are when the last client of each kind must be cut off. The
// server's timeouts are 10, 30 and 10 seconds; the rest is for a busy machine.
var cutOffBounds = map[string]time.Duration{
	"headers": 17 * time.Second,
	"bodies":  37 * time.Second,
	"readers": 17 * time.Second,
}

// leftBound is how many more files and goroutines there may be afterwards.
const leftBound = 12

// Run connects slow clients while healthy clients work.
func (c *Slow) Run(ctx context.Context, out io.Writer) error {
	return c.EachDatabase(ctx, []string{c.Database}, func(db *rig.Database) error {
		server, _, err := db.Service(c.Binary).Serve(ctx)
		if err != nil {
			return err
		}
		defer server.Stop()
		return server.Explain(c.measure(ctx, out, server))
	})
}

func (c *Slow) measure(ctx context.Context, out io.Writer, server *rig.Process) error {
	load, err := rig.StartLoad(ctx, []string{server.Addr}, "slow", c.Clients)
	if err != nil {
		return err
	}
	defer load.End()
	requests, err := slowRequests(ctx, load.Organization)
	if err != nil {
		return err
	}
	rig.Pause(ctx, time.Second)
	load.Taken()
	rig.Pause(ctx, c.Alone)
	rows := [][]string{{
		"beside", "healthy requests", "failed", "p50", "p99", "slowest", "server memory", "open files", "last cut off after",
	}}
	row, faults := health("none", load.Taken(), server.Usage())
	rows = append(rows, row)
	for _, kind := range c.Kind {
		r := &slowRound{Slow: c, kind: kind, request: requests[kind], server: server, load: load}
		if err := r.run(ctx); err != nil {
			return err
		}
		row, failed := health(kind, r.exchanges, r.peak)
		rows = append(rows, append(row, rig.Seconds(r.lastCut)))
		faults = append(append(faults, failed...), r.faults...)
	}
	load.End()
	_, _ = fmt.Fprintf(out, "slow clients, %s: %d of a kind, a byte every %s, beside %d healthy clients\n",
		c.Database, c.Slow, c.Interval, c.Clients)
	rig.PrintTable(out, rows)
	return rig.Verdict(faults)
}

// health is the row of the healthy clients, and their failed requests.
func health(beside string, exchanges []rig.Exchange, usage rig.Usage) (row, faults []string) {
	var took []time.Duration
	for _, e := range exchanges {
		took = append(took, e.Took())
		if !e.OK() {
			faults = append(faults, fmt.Sprintf("%s: %s: %s", beside, e.Action, e.Outcome()))
		}
	}
	return []string{
		beside, strconv.Itoa(len(took)), strconv.Itoa(len(faults)), rig.Milliseconds(rig.Percentile(took, 50)),
		rig.Milliseconds(rig.Percentile(took, 99)), rig.Milliseconds(rig.Percentile(took, 100)),
		rig.Mebibytes(usage.Resident), strconv.Itoa(usage.Files),
	}, faults
}

// slowRequests are the bytes that a client of each kind sends at once.
func slowRequests(ctx context.Context, org *rig.Organization) (map[string]string, error) {
	var questions []rig.Object // whose answer fills every buffer between server and client
	for range 75 {
		questions = append(questions, rig.Object{
			"type": "SHORT_TEXT", "prompt": strings.Repeat("Why? ", 800), "points": 1, "acceptedAnswers": []string{"because"},
		})
	}
	var created struct{ ID string }
	body := rig.Object{"title": "Big", "stages": []rig.Object{{"title": "Yard", "questions": questions}}}
	if _, err := org.API.Call(ctx, http.MethodPost, "/v1/assessments", org.Owner, body, &created); err != nil {
		return nil, err
	}
	_, err := org.API.Call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", org.Owner, nil, nil)
	return map[string]string{
		"headers": "GET /healthz HTTP/1.1\r\nHost: assay\r\nX-Slow: ",
		"bodies": fmt.Sprintf("POST /v1/assessments HTTP/1.1\r\nHost: assay\r\nAuthorization: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{", org.Owner.Get("Authorization")),
		"readers": string(rig.Request(http.MethodGet, "/v1/public/assessments/"+created.ID, org.Key, nil)),
	}, err
}

// slowRound is one kind of slow clients.
type slowRound struct {
	*Slow
	kind    string
	request string
	server  *rig.Process
	load    *rig.Load

	exchanges []rig.Exchange // of the healthy clients
	peak      rig.Usage
	lastCut   time.Duration
	faults    []string
}

func (r *slowRound) run(ctx context.Context) error {
	before := r.server.Usage()
	goroutines, err := r.server.Metric(ctx, "go_goroutines")
	if err != nil {
		return err
	}
	clients, err := r.connect(ctx)
	defer func() {
		for _, client := range clients {
			_ = client.conn.Close()
		}
	}()
	if err != nil {
		return err
	}
	connected := time.Now()
	slowly, finish := context.WithCancel(ctx)
	defer finish()
	var working sync.WaitGroup
	for _, client := range clients {
		working.Go(func() { client.work(slowly, r.Interval) })
	}
	cut, err := r.watch(ctx, connected.Add(cutOffBounds[r.kind]+5*time.Second), goroutines+leftBound)
	if err != nil {
		return err
	}
	if r.kind == "readers" {
		r.lastCut = time.Since(connected)
	}
	rig.Pause(ctx, time.Second) // for the last clients, fewer than leftBound, which watch cannot see
	finish()
	working.Wait()

	for _, client := range clients {
		r.lastCut = max(r.lastCut, client.lived)
		if client.complete {
			r.faults = append(r.faults, "a slow reader got its whole answer")
		}
	}
	if bound := cutOffBounds[r.kind]; !cut || r.lastCut > bound {
		r.faults = append(r.faults, fmt.Sprintf("%s: last cut off after %s, not within %s", r.kind, r.lastCut, bound))
	}
	if after := r.server.Usage(); after.Files > before.Files+leftBound {
		r.faults = append(r.faults, fmt.Sprintf("%s: %d open files before, %d after", r.kind, before.Files, after.Files))
	}
	return ctx.Err()
}

// connect makes the clients. Each has sent its first bytes.
func (r *slowRound) connect(ctx context.Context) ([]*slowClient, error) {
	var mu sync.Mutex
	var clients []*slowClient
	var failures error
	var connecting sync.WaitGroup
	turns := make(chan struct{}, 64)
	for range r.Slow.Slow {
		turns <- struct{}{}
		connecting.Go(func() {
			defer func() { <-turns }()
			client, err := newSlowClient(ctx, r.server.Addr, r.kind, r.request)
			mu.Lock()
			defer mu.Unlock()
			if failures = errors.Join(failures, err); err == nil {
				clients = append(clients, client)
			}
		})
	}
	connecting.Wait()
	return clients, failures
}

// watch waits until the server has cut off every slow client. A client that does
// not read cannot see that, but the server has a goroutine for each connection.
func (r *slowRound) watch(ctx context.Context, until time.Time, goroutines float64) (cut bool, _ error) {
	for !cut && time.Now().Before(until) {
		if !rig.Pause(ctx, 200*time.Millisecond) {
			return false, ctx.Err()
		}
		usage := r.server.Usage()
		r.peak.Resident, r.peak.Files = max(r.peak.Resident, usage.Resident), max(r.peak.Files, usage.Files)
		now, err := r.server.Metric(ctx, "go_goroutines")
		if err != nil {
			return false, err
		}
		cut = now < goroutines
		r.exchanges = append(r.exchanges, r.load.Taken()...)
	}
	return cut, nil
}
