package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
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

// side is a filled database with the service on it.
type side struct {
	*world
	process    *rig.Process
	operations []operation
	timings    []timing
	stop       []func()
}

func (s *side) close() {
	for _, stop := range slices.Backward(s.stop) {
		stop()
	}
}

// start runs the service on a filled database.
func (c *Command) start(ctx context.Context, db *rig.Database) (_ *side, err error) {
	s := &side{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	receiver, stop, err := rig.Listen(ctx, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	if err != nil {
		return nil, err
	}
	s.stop = append(s.stop, stop)
	if s.world, err = c.prepare(ctx, db, "http://"+receiver+"/hook"); err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	mail, env, err := serveMail()
	if err != nil {
		return nil, err
	}
	s.stop = append(s.stop, mail.Close)
	service := c.service(db)
	service.Env = append(service.Env, env...)
	if s.process, _, err = service.Serve(ctx); err != nil {
		return nil, err
	}
	s.stop = append(s.stop, s.process.Stop)
	client := rig.NewClient([]string{s.process.Addr}, 1)
	s.Organization, err = rig.OpenOrganization(ctx, client, organization, s.plan.AssessmentID)
	s.operations = s.world.operations()
	return s, s.process.Explain(err)
}

// measure sends every operation to all sides.
func (c *Command) measure(ctx context.Context, sides ...*side) error {
	for k := range sides[0].operations {
		var turns []*turn
		for _, s := range sides {
			one, err := s.turn(ctx, s.operations[k], c.Requests)
			if err != nil {
				return s.process.Explain(fmt.Errorf("%s: %w", s.operations[k].name, err))
			}
			turns = append(turns, one)
		}
		for i := 0; c.round(i, turns); i++ {
			for _, t := range turns {
				if err := c.send(ctx, t, i); err != nil {
					return t.process.Explain(fmt.Errorf("%s: %w", t.timing.name, err))
				}
			}
			slices.Reverse(turns)
		}
		for _, t := range turns {
			_ = t.conn.Close()
			t.timings = append(t.timings, t.timing)
		}
	}
	return nil
}

// turn is an operation on one side. The sides take turns, so that a busy machine affects both.
type turn struct {
	*side
	operation
	timing
	times int
	spent time.Duration
	conn  *rig.Conn
}

func (s *side) turn(ctx context.Context, o operation, times int) (*turn, error) {
	if err := s.signIn(ctx); err != nil {
		return nil, err
	}
	if o.prepare != nil {
		if err := o.prepare(ctx); err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
	}
	if o.times > 0 {
		times = min(times, o.times)
	}
	if o.perCandidate {
		times = min(times, len(s.candidates))
	}
	addr := s.process.Addr
	if o.admin {
		addr = s.process.Admin
	}
	conn, err := rig.Dial(ctx, addr)
	return &turn{side: s, operation: o, timing: timing{name: o.name}, times: times, conn: conn}, err
}

// round reports whether a side sends request i.
func (c *Command) round(i int, turns []*turn) bool {
	return slices.ContainsFunc(turns, func(t *turn) bool { return c.sends(t, i) })
}

func (c *Command) sends(t *turn, i int) bool {
	return t.wrong == 0 && i < t.times && (i == 0 || t.spent < c.Budget)
}

// answerTimeout is far above the longest operation seen, which took half a minute.
const answerTimeout = 5 * time.Minute

// send sends request i of an operation on its connection.
func (c *Command) send(ctx context.Context, t *turn, i int) error {
	if !c.sends(t, i) {
		return nil
	}
	defer context.AfterFunc(ctx, func() { _ = t.conn.Close() })()
	request, sent := t.request(i), time.Now()
	_ = t.conn.SetDeadline(sent.Add(answerTimeout)) // an error shows in Exchange
	status, body, _, err := t.conn.Exchange(request)
	took := time.Since(sent)
	t.spent += took
	switch {
	case err != nil:
		return errors.Join(err, ctx.Err())
	case c.strict && (status/100 != 2 || bytes.HasPrefix(body, []byte(`{"data":[]`)) && !t.mayBeEmpty):
		return fmt.Errorf("%s\n%d %s", request, status, body)
	case status/100 != 2:
		t.wrong = status
		return nil
	case t.use != nil:
		if err := t.use(body); err != nil {
			return err
		}
	}
	t.took = append(t.took, took)
	return nil
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
