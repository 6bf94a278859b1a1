package db

import (
	"context"
	"net"
	"time"
)

// wireDialer opens the wire of one connection, and later those on which lib/pq
// asks the server to give a statement up. It is a pq.DialerContext.
type wireDialer struct{ wire *wire }

// keepAlive finds out within half a minute that a server's machine is gone,
// where nothing is asked and nothing is bounded.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// DialContext opens a wire on which all has to happen within ctx.
func (d *wireDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	cancels := d.wire != nil && d.wire.limit.IsZero()
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

// Dial is DialContext without a bound.
func (d *wireDialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout is DialContext with one.
func (d *wireDialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	defer end()
	return d.DialContext(ctx, network, address)
}

// wire is the network connection below lib/pq's, and below TLS.
type wire struct {
	net.Conn
	limit time.Time // no deadline goes beyond it while the connection is made
	sent  bool      // something, since begin
}

// connected ends the limit.
func (w *wire) connected() { w.limit = time.Time{} }

// SetDeadline is what lib/pq calls, with its connect_timeout and to end that.
func (w *wire) SetDeadline(t time.Time) error {
	if !w.limit.IsZero() && (t.IsZero() || t.After(w.limit)) {
		t = w.limit
	}
	return w.Conn.SetDeadline(t)
}

// begin sets the deadline of what is sent and read next; none if it is zero.
func (w *wire) begin(deadline time.Time) {
	w.sent = false
	_ = w.Conn.SetDeadline(deadline) // fails when it is closed, as all else will
}

// Write notes that something was sent.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.sent = w.sent || n > 0
	return n, err
}
