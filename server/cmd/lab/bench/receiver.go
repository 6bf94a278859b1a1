package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// receiver answers deliveries with 204 and counts them.
type receiver struct {
	addr string
	stop func()
	all  chan pace // of the deliveries that are expected, after the last one

	body     atomic.Pointer[[]byte] // of the last delivery, for the bare loop
	began    atomic.Int64           // when the first one arrived, in nanoseconds since 1970
	left     atomic.Int64           // still expected
	expected int

	live atomic.Pointer[live] // nil except while clients publish
}

// pace is when the first and the last of a number of deliveries arrived.
type pace struct {
	count       int
	first, last time.Time
}

func (p pace) elapsed() time.Duration { return p.last.Sub(p.first) }
func (p pace) rate() float64          { return float64(p.count) / p.elapsed().Seconds() }

func newReceiver(ctx context.Context) (*receiver, error) {
	r := &receiver{all: make(chan pace, 1)}
	var err error
	r.addr, r.stop, err = rig.Listen(ctx, r)
	return r, err
}

// ServeHTTP takes one delivery.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	at := time.Now()
	w.WriteHeader(http.StatusNoContent)
	if l := r.live.Load(); l != nil {
		l.arrive(body, at)
		return
	}
	r.began.CompareAndSwap(0, at.UnixNano())
	if r.left.Add(-1) == 0 {
		r.body.Store(&body)
		r.all <- pace{r.expected, time.Unix(0, r.began.Load()), at}
	}
}

// expect starts counting. No earlier delivery may be on its way.
func (r *receiver) expect(count int) {
	r.expected = count
	r.began.Store(0)
	r.left.Store(int64(count))
}

// wait returns after the last expected delivery.
func (r *receiver) wait(ctx context.Context, timeout time.Duration) (pace, error) {
	select {
	case <-ctx.Done():
		return pace{}, ctx.Err()
	case <-time.After(timeout):
		return pace{}, fmt.Errorf("%d of %d deliveries were not received within %s", r.left.Load(), r.expected, timeout)
	case p := <-r.all:
		return p, nil
	}
}

// bareLoop is the baseline of the dispatcher: it sends the same body to the same
// receiver with the same number of connections, without a queue, signatures or
// records. It shares this process with the receiver.
func (r *receiver) bareLoop(ctx context.Context, connections, count int) (pace, error) {
	body := *r.body.Load()
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: connections, MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	r.expect(count)
	var next atomic.Int64
	group, posting := errgroup.WithContext(ctx)
	for range connections {
		group.Go(func() error {
			for next.Add(1) <= int64(count) {
				if err := post(posting, client, "http://"+r.addr+"/hook", body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return pace{}, err
	}
	return r.wait(ctx, time.Minute)
}

func post(ctx context.Context, client *http.Client, url string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusNoContent {
		return fmt.Errorf("the receiver answered %s", answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
