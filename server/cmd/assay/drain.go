package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// front is the public listener and its server, which can end without dropping a
// request. http.Server.Shutdown by itself drops those that it has not begun to
// serve: the listener's queue is reset, and of what was accepted a request that
// is read a moment later is thrown away.
type front struct {
	server   *http.Server
	listener net.Listener

	mu        sync.Mutex
	newcomers map[net.Conn]time.Time // connections that had no answer yet, and since when they are there
}

const (
	// settleTime is for handshakes that are under way when new ones stop.
	settleTime = 250 * time.Millisecond
	// newcomerTimeout is how long a connection may be silent before it is not
	// waited for; clients open some in advance.
	newcomerTimeout = 5 * time.Second

	drainPoll = 5 * time.Millisecond
)

// listen listens for a front. Go's default, Multipath TCP, takes no filters.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false)
	return config.Listen(ctx, "tcp", addr)
}

func newFront(listener net.Listener, server *http.Server) *front {
	f := &front{server: server, listener: listener, newcomers: map[net.Conn]time.Time{}}
	server.ConnState = f.note
	return f
}

// note keeps the newcomers.
func (f *front) note(conn net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch state {
	case http.StateNew:
		f.newcomers[conn] = time.Now()
	case http.StateIdle, http.StateClosed, http.StateHijacked:
		delete(f.newcomers, conn)
	case http.StateActive: // its request is being served
	}
}

// serve accepts until the drain.
func (f *front) serve() error {
	err := f.server.Serve(steadyListener{f.listener, stallTimeout})
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// drain ends the front in three steps: no connection is made any more, each
// that was made gets an answer, what is idle is closed. Answers must ask for a
// new connection by now, or clients would begin requests on kept ones.
func (f *front) drain(ctx context.Context) error {
	refuse(ctx, f.listener)
	_ = f.listener.Close() // the server goes on with what it accepted
	for f.awaited() && pause(ctx, drainPoll) {
	}
	if err := f.server.Shutdown(ctx); !errors.Is(err, net.ErrClosed) { // it may not have noticed yet that the listener is
		return err
	}
	return nil
}

// awaited tells whether a connection is there that will have a first answer.
func (f *front) awaited() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, since := range f.newcomers {
		if time.Since(since) < newcomerTimeout {
			return true
		}
	}
	return false
}

// pause waits and reports true, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
