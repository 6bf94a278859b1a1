package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"assay/server/cmd/lab/rig"
)

// timing is how long the requests of one operation took.
type timing struct {
	name  string
	took  []time.Duration
	wrong int // the status that was not 2xx, and ended the operation; 0 for none
}

// measure runs the service on a filled database and sends it every operation.
func (c *Command) measure(ctx context.Context, db *rig.Database) ([]timing, error) {
	receiver, stop, err := rig.Listen(ctx, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	if err != nil {
		return nil, err
	}
	defer stop()
	w, err := c.prepare(ctx, db, "http://"+receiver+"/hook")
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	mail, env, err := serveMail()
	if err != nil {
		return nil, err
	}
	defer mail.Close()
	service := c.service(db)
	service.Env = append(service.Env, env...)
	process, _, err := service.Serve(ctx)
	if err != nil {
		return nil, err
	}
	defer process.Stop()
	timings, err := c.measureOperations(ctx, w, process)
	return timings, process.Explain(err)
}

func (c *Command) measureOperations(ctx context.Context, w *world, process *rig.Process) (_ []timing, err error) {
	client := rig.NewClient([]string{process.Addr}, 1)
	if w.Organization, err = rig.OpenOrganization(ctx, client, organization, w.plan.AssessmentID); err != nil {
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
		addr := process.Addr
		if o.admin {
			addr = process.Admin
		}
		measured, err := c.measureOperation(ctx, w, o, addr)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.name, err)
		}
		timings = append(timings, measured)
	}
	return timings, nil
}

// answerTimeout is far above the longest operation seen, which took half a minute.
const answerTimeout = 5 * time.Minute

// measureOperation sends the requests one after the other on one connection.
func (c *Command) measureOperation(ctx context.Context, w *world, o operation, addr string) (_ timing, err error) {
	measured, times := timing{name: o.name}, c.Requests
	if o.times > 0 {
		times = min(times, o.times)
	}
	if o.perCandidate {
		times = min(times, len(w.candidates))
	}
	conn, err := rig.Dial(ctx, addr)
	if err != nil {
		return measured, err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	for began, i := time.Now(), 0; i < times && (i == 0 || time.Since(began) < c.Budget); i++ {
		request, sent := o.request(i), time.Now()
		_ = conn.SetDeadline(sent.Add(answerTimeout)) // an error shows in Exchange
		status, body, _, err := conn.Exchange(request)
		took := time.Since(sent)
		switch {
		case err != nil:
			return measured, errors.Join(err, ctx.Err())
		case c.strict && (status/100 != 2 || bytes.HasPrefix(body, []byte(`{"data":[]`)) && !o.mayBeEmpty):
			return measured, fmt.Errorf("%s\n%d %s", request, status, body)
		case status/100 != 2:
			measured.wrong = status
			return measured, nil
		case o.use != nil:
			if err := o.use(body); err != nil {
				return measured, err
			}
		}
		measured.took = append(measured.took, took)
	}
	return measured, nil
}

// An operation that exceeds one of these bounds is marked.
const (
	slow   = 50 * time.Millisecond // at p50
	growth = 1.5                   // of p50
)

func printTable(out io.Writer, kind string, small, large []timing) {
	width := 0 // of the names, which are aligned to the left
	for _, s := range small {
		width = max(width, len(s.name))
	}
	rows := [][]string{{
		fmt.Sprintf("%-*s", width, kind), "small p50", "p99", "large p50", "p99", "growth", "requests", "",
	}}
	for i, s := range small {
		l := large[i]
		var ratio, mark string
		if s.measured() && l.measured() {
			grown := float64(rig.Percentile(l.took, 50)) / float64(rig.Percentile(s.took, 50))
			ratio = fmt.Sprintf("%.1f", grown)
			switch {
			case rig.Percentile(l.took, 50) > slow:
				mark = "slow"
			case grown > growth:
				mark = "grows"
			}
		}
		rows = append(rows, []string{
			fmt.Sprintf("%-*s", width, s.name), s.text(50), s.text(99), l.text(50), l.text(99),
			ratio, strconv.Itoa(len(l.took)), mark,
		})
	}
	rig.PrintTable(out, rows)
}

// measured reports whether every answer was 2xx. There is none at all where no
// candidate could be invited.
func (t timing) measured() bool { return t.wrong == 0 && len(t.took) > 0 }

// text is a percentile. With few requests the 99th is the longest of them, which
// is often the first: it finds the caches cold.
func (t timing) text(percent int) string {
	switch {
	case t.wrong != 0:
		return strconv.Itoa(t.wrong)
	case !t.measured():
		return "-"
	}
	return rig.Milliseconds(rig.Percentile(t.took, percent))
}
