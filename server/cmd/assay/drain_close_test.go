package main

import (
	"net"
	"net/http"
	"sync/atomic"
	"testing"
)

// slowToNotice is a listener whose server learns that it was closed only when
// it closes it itself.
type slowToNotice struct {
	net.Listener
	closes atomic.Int64
	twice  chan struct{}
}

// Accept implements net.Listener.
func (l *slowToNotice) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.twice
	}
	return conn, err
}

// Close implements net.Listener.
func (l *slowToNotice) Close() error {
	err := l.Listener.Close()
	if l.closes.Add(1) == 2 {
		close(l.twice)
	}
	return err
}

// A drain is no failure, whichever of it and the server closes the listener
// first: the exit status would tell a process manager of one.
func TestDrainBeforeTheServerNotices(t *testing.T) {
	t.Parallel()
	listener, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := newFront(&slowToNotice{Listener: listener, twice: make(chan struct{})}, &http.Server{Handler: http.NotFoundHandler()})
	served := make(chan error, 1)
	go func() { served <- f.serve() }()
	if got := get(t, "http://"+listener.Addr().String()); got.status != http.StatusNotFound {
		t.Fatalf("before the drain: %d", got.status)
	}
	if err := f.drain(t.Context()); err != nil {
		t.Errorf("drain: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
}
