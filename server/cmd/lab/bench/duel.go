package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/server/cmd/lab/rig"
)

// side is the server or the bare handler in one scenario. A fixed number of
// connections sends requests; each waits for its answer before it sends the
// next one.
type side struct {
	process *rig.Process
	next    source
	sent    atomic.Int64
	conns   []*rig.Conn

	rates     []float64 // requests per second of each turn
	latencies []time.Duration
	cpu       time.Duration // of the process, in all turns
}

func newSide(ctx context.Context, process *rig.Process, clients int, next source) (*side, error) {
	s := &side{process: process, next: next}
	for range clients {
		conn, err := rig.Dial(ctx, process.Addr)
		if err != nil {
			s.close()
			return nil, err
		}
		s.conns = append(s.conns, conn)
	}
	return s, nil
}

func (s *side) close() {
	for _, conn := range s.conns {
		_ = conn.Close()
	}
}

// turn drives every connection for d and records the figures.
func (s *side) turn(ctx context.Context, d time.Duration) error {
	latencies, errs := make([][]time.Duration, len(s.conns)), make([]error, len(s.conns))
	defer context.AfterFunc(ctx, s.close)()
	used, began := s.process.Usage().CPU, time.Now()
	var working sync.WaitGroup
	for i, conn := range s.conns {
		working.Go(func() { latencies[i], errs[i] = s.work(conn, began.Add(d)) })
	}
	working.Wait()
	elapsed := time.Since(began)
	s.cpu += s.process.Usage().CPU - used
	all := slices.Concat(latencies...)
	s.latencies = append(s.latencies, all...)
	s.rates = append(s.rates, float64(len(all))/elapsed.Seconds())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

// work sends requests until end. Any answer but a 2xx or a 304 is an error: the figures
// would be worthless.
func (s *side) work(conn *rig.Conn, end time.Time) (latencies []time.Duration, err error) {
	if err := conn.SetDeadline(end.Add(30 * time.Second)); err != nil {
		return nil, err
	}
	for before := time.Now(); before.Before(end); {
		status, body, closes, err := conn.Exchange(s.next(int(s.sent.Add(1) - 1)))
		switch {
		case err != nil:
			return nil, err
		case status/100 != 2 && status != http.StatusNotModified:
			return nil, fmt.Errorf("answer %d: %s", status, body)
		case closes:
			return nil, errors.New("the server ends the connection")
		}
		now := time.Now()
		latencies = append(latencies, now.Sub(before))
		before = now
	}
	return latencies, nil
}

// duel drives the server and the bare handler in turns. Other work on the
// machine then affects both, and drift cancels out of the ratios.
func (c *API) duel(
	ctx context.Context, sc scenario, server, bare *rig.Process, d *dataset,
) (cells []string, ratios []float64, err error) {
	toServer, toBare, err := sc.requests(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	var sides [2]*side
	for i, next := range []source{toServer, toBare} {
		if sides[i], err = newSide(ctx, []*rig.Process{server, bare}[i], c.Clients, next); err != nil {
			return nil, nil, err
		}
		defer sides[i].close()
		if err := sides[i].turn(ctx, warmUp); err != nil {
			return nil, nil, err
		}
		sides[i].rates, sides[i].latencies, sides[i].cpu = nil, nil, 0
	}
	for round := range turns {
		first := round % 2 // a turn may leave the disk busy for the next one
		for _, s := range []*side{sides[first], sides[1-first]} {
			if err := s.turn(ctx, c.Duration/turns); err != nil {
				return nil, nil, err
			}
		}
	}
	for i := range sides[0].rates {
		ratios = append(ratios, sides[0].rates[i]/sides[1].rates[i])
	}
	return row(sc, sides[0], sides[1], ratios), ratios, nil
}

var head = []string{"", "req/s", "p50", "p99", "CPU", "bare req/s", "p50", "p99", "CPU", "ratio", "(turns)", ""}

// row is a scenario's row of the table. Ratio is the median of the turns' ratios,
// CPU that of the process for each request. PostgreSQL's CPU is not part of it.
func row(sc scenario, server, bare *side, ratios []float64) []string {
	cells := []string{sc.name}
	for _, s := range []*side{server, bare} {
		cells = append(cells, fmt.Sprintf("%.0f", rig.Percentile(s.rates, 50)),
			rig.Milliseconds(rig.Percentile(s.latencies, 50)), rig.Milliseconds(rig.Percentile(s.latencies, 99)),
			rig.Microseconds(s.cpu/time.Duration(max(1, len(s.latencies)))))
	}
	ratio := rig.Percentile(ratios, 50)
	return append(cells, median(ratios), spread(ratios),
		missed(ratio < sc.aim, fmt.Sprintf("aim %.2f", sc.aim)))
}

// missed returns the aim if it was missed.
func missed(yes bool, aim string) string {
	if !yes {
		return ""
	}
	return aim
}
