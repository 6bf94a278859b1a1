package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// receiver takes deliveries: the least that a plain net/http server can do.
type receiver struct {
	addr   string
	server *http.Server
	all    chan time.Duration // how long it took from the first receipt to the last expected one

	body  atomic.Pointer[[]byte] // the last one received, for the bare loop
	begun atomic.Int64           // when the first was received, in nanoseconds since 1970
	ended atomic.Int64           // when the last one was
	left  atomic.Int64           // still expected
}

func newReceiver(ctx context.Context) (*receiver, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{addr: listener.Addr().String(), all: make(chan time.Duration, 1)}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	go func() { _ = r.server.Serve(listener) }() // until close
	return r, nil
}

func (r *receiver) close() { _ = r.server.Close() }

// ServeHTTP answers 204 and counts.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	at := time.Now().UnixNano()
	w.WriteHeader(http.StatusNoContent)
	r.begun.CompareAndSwap(0, at)
	if r.left.Add(-1) == 0 {
		r.body.Store(&body)
		r.ended.Store(at)
		r.all <- time.Duration(at - r.begun.Load())
	}
}

// expect begins to count anew; nothing may be on its way from before.
func (r *receiver) expect(count int) {
	r.begun.Store(0)
	r.left.Store(int64(count))
}

func (r *receiver) missing() int64  { return r.left.Load() }
func (r *receiver) last() time.Time { return time.Unix(0, r.ended.Load()) }

// bare is the loop that the dispatcher is compared with: the same body to the
// same receiver with the same concurrency, over one kept-alive client, without
// queue, signature or record. Client and receiver share this process.
func (r *receiver) bare(ctx context.Context, concurrency, count int) (float64, error) {
	body := *r.body.Load()
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: concurrency, MaxIdleConnsPerHost: concurrency}}
	defer client.CloseIdleConnections()
	r.expect(count)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range concurrency {
		group.Go(func() error {
			for next.Add(1) <= int64(count) {
				if err := post(ctx, client, "http://"+r.addr+"/hook", body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	return float64(count) / (<-r.all).Seconds(), nil
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
		return fmt.Errorf("the receiver answers %s", answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
