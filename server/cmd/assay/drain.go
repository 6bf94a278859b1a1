package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

const (
	// drainNotice is how long readiness is off and responses carry
	// `Connection: close` before the listener closes. In this time proxies and
	// clients move to another replica.
	drainNotice = time.Second
	// The queue is empty if queueChecks attempts to accept find no connection. The
	// wait of each is short, because a connection that arrives after the last
	// attempt is reset. One attempt is not enough, because a deadline can pass
	// before the attempt begins.
	queueChecks = 10
	queueWait   = 5 * time.Microsecond
	// queueTimeout bounds the wait for an empty queue.
	queueTimeout = time.Second
	// firstRequestTimeout is how long accepted connections have to send their
	// first request after the listener has closed.
	firstRequestTimeout = 500 * time.Millisecond
	// shutdownTimeout bounds the drain after the notice, including the running requests.
	shutdownTimeout = 30 * time.Second
)

// drainListener is a listener that can close when its queue is empty. The
// kernel resets connections that are in the queue of a closed listener. Their
// clients have sent requests and cannot know whether the server received them.
type drainListener struct {
	*net.TCPListener
	draining atomic.Bool
}

// drain makes Accept close the listener.
func (l *drainListener) drain() {
	_ = l.SetDeadline(time.Now()) // before the flag: after it, this could overwrite a deadline that Accept has set
	l.draining.Store(true)
}

// Accept waits for the next connection. When the listener drains, it returns the
// connections in the queue and then net.ErrClosed.
func (l *drainListener) Accept() (net.Conn, error) {
	for empty := 0; ; {
		draining := l.draining.Load()
		if draining {
			_ = l.SetDeadline(time.Now().Add(queueWait))
		}
		conn, err := l.TCPListener.Accept()
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return conn, err
		}
		if !draining {
			continue
		}
		if empty++; empty == queueChecks {
			return nil, errors.Join(net.ErrClosed, l.Close())
		}
	}
}

// publicServer is the server of the API and its listener.
type publicServer struct {
	*http.Server
	listener *drainListener
	closed   chan struct{} // closed when the listener is
}

// newPublicServer takes a TCP listener.
func newPublicServer(listener net.Listener, server *http.Server) *publicServer {
	return &publicServer{server, &drainListener{TCPListener: listener.(*net.TCPListener)}, make(chan struct{})}
}

// serve accepts connections until the listener closes.
func (s *publicServer) serve() error {
	defer close(s.closed)
	if err := s.Serve(stallListener{s.listener, stallTimeout}); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// drain closes the listener and waits for requests. http.Server.Shutdown alone
// closes accepted connections whose first request it has not read yet.
func (s *publicServer) drain(ctx context.Context) error {
	s.listener.drain()
	select {
	case <-s.closed:
	case <-time.After(queueTimeout):
		_ = s.listener.Close()
		<-s.closed
	}
	time.Sleep(firstRequestTimeout)
	return s.Shutdown(ctx)
}
