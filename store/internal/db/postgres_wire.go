package db

import (
	"context"
	"net"
	"time"
)

// wireDialer opens the wire of one connection, and later the connections on which
// lib/pq asks the server to cancel a statement. It is a pq.DialerContext.
type wireDialer struct{ wire *wire }

// keepAlive detects within half a minute that a server's machine has disappeared
// while a connection is idle.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// DialContext opens a wire whose operations end with ctx, until it is connected.
func (d *wireDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	cancels := d.wire != nil && d.wire.limit.IsZero() // lib/pq dials again only to cancel a statement
	if cancels {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, grace)
		defer end()
	}
	opened, err := (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: opened}
	w.limit, _ = ctx.Deadline()
	if !cancels {
		d.wire = w
	}
	return w, w.SetDeadline(w.limit)
}

// Dial is DialContext without a deadline.
func (d *wireDialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout is DialContext with a deadline.
func (d *wireDialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	defer end()
	return d.DialContext(ctx, network, address)
}

// wire is the network connection below lib/pq's connection and below TLS.
type wire struct {
	net.Conn
	limit time.Time // bounds every deadline until the connection is established
	sent  bool      // at least one byte since begin
}

// connected ends the limit. From then on, begin sets the deadlines.
func (w *wire) connected() { w.limit = time.Time{} }

// SetDeadline is called by lib/pq, to set its connect_timeout and to remove it.
func (w *wire) SetDeadline(t time.Time) error {
	if !w.limit.IsZero() && (t.IsZero() || t.After(w.limit)) {
		t = w.limit
	}
	return w.Conn.SetDeadline(t)
}

// begin sets the deadline of the next statement; a zero deadline is none.
func (w *wire) begin(deadline time.Time) {
	w.sent = false
	_ = w.Conn.SetDeadline(deadline) // fails when the connection is closed, as the statement will
}

// Write remembers that something was sent.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.sent = w.sent || n > 0
	return n, err
}
