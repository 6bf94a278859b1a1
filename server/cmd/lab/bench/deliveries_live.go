package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// aimLive is in deliveries per second to one endpoint, while 64 clients invite.
const aimLive = 2500

// live is one measurement of deliveries that begin while clients publish.
type live struct {
	marker    []byte // precedes the number of the event in each body
	endpoints int
	sent      []time.Time // of each event; one publisher writes each
	answered  []time.Time
	arrived   []atomic.Int64 // for each event and endpoint, in nanoseconds since 1970
	seen      []atomic.Int32 // arrivals of each event
	left      atomic.Int64
	refused   atomic.Int64  // requests that got a 503
	all       chan struct{} // closed after the last arrival
	once      sync.Once
}

func newLive(name string, events, endpoints int) *live {
	l := &live{
		marker: []byte(`"application-` + name + `-`), endpoints: endpoints,
		sent: make([]time.Time, events), answered: make([]time.Time, events),
		arrived: make([]atomic.Int64, events*endpoints), seen: make([]atomic.Int32, events), all: make(chan struct{}),
	}
	l.left.Store(int64(events * endpoints))
	return l
}

// arrive records a delivery. More deliveries of an event than it has endpoints are
// counted, and recorded no more.
func (l *live) arrive(body []byte, at time.Time) {
	_, rest, found := bytes.Cut(body, l.marker)
	digits, _, _ := bytes.Cut(rest, []byte{'"'})
	n, err := strconv.Atoi(string(digits))
	if !found || err != nil || n >= len(l.seen) {
		return
	}
	if k := int(l.seen[n].Add(1)) - 1; k < l.endpoints {
		l.arrived[n*l.endpoints+k].Store(at.UnixNano())
		if l.left.Add(-1) == 0 {
			l.once.Do(func() { close(l.all) })
		}
	}
}

// measureLive publishes events with many connections at once, as fast as the service
// answers, and waits for their deliveries. The commit, which only the server sees, lies
// between a request and its answer.
func (r *deliveryRun) measureLive(ctx context.Context) error {
	if err := r.restart(ctx); err != nil {
		return err
	}
	endpoints := r.endpoints
	name := fmt.Sprintf("live-%d-%d", len(r.liveRows), endpoints) // two measurements invite nobody twice
	// A first part fills caches and opens connections, and is not measured.
	warm := newLive(name+"-warm", r.Live/10+1, endpoints)
	if err := r.publish(ctx, warm, name+"-warm"); err != nil {
		return err
	}
	l := newLive(name, r.Live, endpoints)
	before, began := r.server.Usage().CPU, time.Now()
	if err := r.publish(ctx, l, name); err != nil {
		return err
	}
	used := r.server.Usage().CPU - before

	var fromRequest, fromAnswer []time.Duration
	var last time.Time
	for i := range l.arrived {
		at := time.Unix(0, l.arrived[i].Load())
		fromRequest = append(fromRequest, at.Sub(l.sent[i/endpoints]))
		fromAnswer = append(fromAnswer, max(0, at.Sub(l.answered[i/endpoints])))
		if at.After(last) {
			last = at
		}
	}
	answered := slices.MaxFunc(l.answered, time.Time.Compare)
	rate := float64(len(l.arrived)) / last.Sub(began).Seconds()
	r.liveRows = append(r.liveRows, []string{
		fmt.Sprintf("1 to %d", endpoints), fmt.Sprint(r.Live), fmt.Sprint(l.refused.Load()),
		fmt.Sprintf("%.0f", float64(r.Live)/answered.Sub(began).Seconds()), fmt.Sprintf("%.0f", rate),
		rig.Milliseconds(rig.Percentile(fromAnswer, 50)), rig.Milliseconds(rig.Percentile(fromAnswer, 99)),
		rig.Milliseconds(rig.Percentile(fromRequest, 50)), rig.Milliseconds(rig.Percentile(fromRequest, 99)),
		rig.Microseconds(used / time.Duration(r.Live)),
		missed(endpoints == 1 && rate < aimLive, fmt.Sprintf("aim %d/s", aimLive)),
	})
	return nil
}

var liveHead = []string{
	"live", "events", "503s", "events/s", "deliveries/s", "from the answer p50", "p99", "from the request p50", "p99",
	"CPU per event", "",
}

// publish sends the events and waits for all deliveries.
func (r *deliveryRun) publish(ctx context.Context, l *live, name string) error {
	r.to.live.Store(l)
	defer r.to.live.Store(nil)
	var next atomic.Int64
	group, publishing := errgroup.WithContext(ctx)
	for range r.Publishers {
		group.Go(func() error {
			conn, err := rig.Dial(publishing, r.server.Addr)
			if err != nil {
				return err
			}
			defer func() { _ = conn.Close() }()
			defer context.AfterFunc(publishing, func() { _ = conn.Close() })()
			for n := int(next.Add(1)) - 1; n < len(l.sent); n = int(next.Add(1)) - 1 {
				request := rig.Request("POST", "/v1/public/candidate-sessions", r.org.Key,
					r.org.Invite(fmt.Sprintf("%s-%d", name, n)))
				l.sent[n] = time.Now()
				if err := l.send(conn, request); err != nil {
					return err
				}
				l.answered[n] = time.Now()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return l.wait(ctx)
}

// wait returns after the last expected delivery.
func (l *live) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(liveTimeout):
		return fmt.Errorf("%d of %d deliveries were not received within %s", l.left.Load(), len(l.arrived), liveTimeout)
	case <-l.all:
		return nil
	}
}

// send sends an invite until it is accepted. An overloaded service answers 503, which
// is counted. A repetition of an invite that was nevertheless committed makes no event.
func (l *live) send(conn *rig.Conn, request []byte) error {
	for {
		status, body, closes, err := conn.Exchange(request)
		switch {
		case err != nil:
			return err
		case closes:
			return errors.New("the server ends the connection")
		case status/100 == 2:
			return nil
		case status != http.StatusServiceUnavailable:
			return fmt.Errorf("answer %d: %s", status, body)
		}
		l.refused.Add(1)
	}
}

// liveTimeout is far above the time that the queue needs after the last event.
const liveTimeout = 2 * time.Minute
