package scale

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"assay/server/cmd/lab/rig"
)

// timing is how long the requests of one operation took, in order of length.
type timing struct {
	name  string
	took  []time.Duration
	wrong int // the status that was not 2xx, and ended the operation; 0 for none
}

// measure runs the service on a filled database and sends it every operation.
func (c *Command) measure(ctx context.Context, url, dir string) ([]timing, error) {
	stop, hook, err := receive(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	w, err := c.prepare(ctx, url, hook)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	process, _, err := c.service(url, dir).Serve(ctx)
	if err != nil {
		return nil, err
	}
	defer process.Stop()
	w.addr, w.admin = process.Addr, process.Admin
	w.client = rig.NewClient([]string{process.Addr}, 1)
	timings, err := c.measureOperations(ctx, w)
	return timings, process.Explain(err)
}

func (c *Command) measureOperations(ctx context.Context, w *world) ([]timing, error) {
	if err := w.signIn(ctx); err != nil {
		return nil, err
	}
	var err error
	if w.key, err = createKey(ctx, w.client, w.owner); err != nil {
		return nil, err
	}
	var timings []timing
	for _, o := range w.operations() {
		if err := w.signIn(ctx); err != nil {
			return nil, err
		}
		if o.prepare != nil {
			if err := o.prepare(ctx); err != nil {
				return nil, fmt.Errorf("%s: prepare: %w", o.name, err)
			}
		}
		measured, err := c.measureOperation(ctx, w, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.name, err)
		}
		timings = append(timings, measured)
	}
	return timings, nil
}

func (c *Command) measureOperation(ctx context.Context, w *world, o operation) (timing, error) {
	measured := timing{name: o.name}
	times := c.Requests
	if o.times > 0 {
		times = min(times, o.times)
	}
	if o.perCandidate {
		times = min(times, len(w.candidates))
	}
	for began, i := time.Now(), 0; i < times && (i == 0 || time.Since(began) < c.Budget); i++ {
		r := o.request(i)
		took, status, body, err := w.send(ctx, r)
		switch {
		case err != nil:
			return measured, err
		case c.strict && (status/100 != 2 || bytes.HasPrefix(body, []byte(`{"data":[]`)) && !o.mayBeEmpty):
			return measured, fmt.Errorf("%s %s: %d %s", r.method, r.path, status, body)
		case status/100 != 2:
			measured.wrong = status
			return measured, nil
		case o.use != nil:
			if err := o.use(i, body); err != nil {
				return measured, err
			}
		}
		measured.took = append(measured.took, took)
	}
	slices.Sort(measured.took)
	return measured, nil
}

// request is one request to the service, or with admin to its admin listener.
type request struct {
	method, path string
	credential   http.Header
	body         any
	admin        bool
}

// clients keep their connection. The longest operation seen took half a minute.
var httpClient = &http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Minute} // no proxy: loopback only

// send returns how long it took to read the whole answer.
func (w *world) send(ctx context.Context, r request) (time.Duration, int, []byte, error) {
	var content io.Reader
	if r.body != nil {
		encoded, err := json.Marshal(r.body)
		if err != nil {
			return 0, 0, nil, err
		}
		content = bytes.NewReader(encoded)
	}
	addr := w.addr
	if r.admin {
		addr = w.admin
	}
	prepared, err := http.NewRequestWithContext(ctx, r.method, "http://"+addr+r.path, content)
	if err != nil {
		return 0, 0, nil, err
	}
	if r.credential != nil {
		prepared.Header = r.credential.Clone()
	}
	if r.body != nil {
		prepared.Header.Set("Content-Type", "application/json")
	}
	began := time.Now()
	answer, err := httpClient.Do(prepared)
	if err != nil {
		return 0, 0, nil, err
	}
	body, err := io.ReadAll(answer.Body)
	return time.Since(began), answer.StatusCode, body, errors.Join(err, answer.Body.Close())
}

// receive is the endpoint of what the measured operations emit: it answers 200.
func receive(ctx context.Context) (stop func(), hook string, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
		}),
	}
	go func() { _ = server.Serve(listener) }() // until it is closed
	return func() { _ = server.Close() }, "http://" + listener.Addr().String() + "/hook", nil
}

// The bounds of issue 16: an operation that exceeds one is marked.
const (
	slow   = 50 * time.Millisecond // at p50
	growth = 1.5                   // of p50
)

func printTable(out io.Writer, kind string, small, large []timing) {
	width := 0 // of the names, which are the one column that is aligned to the left
	for _, s := range small {
		width = max(width, len(s.name))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(table, "\n%-*s\tsmall p50\tp99\tlarge p50\tp99\tgrowth\trequests\t\t\n", width, kind+", ms")
	for i, s := range small {
		l := large[i]
		var ratio, mark string
		if s.measured() && l.measured() {
			grown := float64(l.at(50)) / float64(s.at(50))
			ratio = strconv.FormatFloat(grown, 'f', 1, 64)
			switch {
			case l.at(50) > slow:
				mark = "slow"
			case grown > growth:
				mark = "grows"
			}
		}
		_, _ = fmt.Fprintf(table, "%-*s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t\n",
			width, s.name, s.text(50), s.text(99), l.text(50), l.text(99), ratio, len(l.took), mark)
	}
	_ = table.Flush()
}

// measured reports whether every answer was 2xx. There is none at all where no
// candidate could be invited.
func (t timing) measured() bool { return t.wrong == 0 && len(t.took) > 0 }

// at is a percentile by nearest rank. With few requests the 99th is the longest
// of them, which is often the first: it finds the caches cold.
func (t timing) at(percent int) time.Duration {
	return t.took[max(0, (len(t.took)*percent+99)/100-1)]
}

func (t timing) text(percent int) string {
	switch {
	case t.wrong != 0:
		return strconv.Itoa(t.wrong)
	case !t.measured():
		return "-"
	}
	return strconv.FormatFloat(float64(t.at(percent).Microseconds())/1000, 'f', 1, 64)
}
