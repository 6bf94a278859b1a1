package main

import (
	"net"
	"time"
)

// A response stays in memory until the client has read it. A client that does not
// read stallPiece bytes within stallTimeout is disconnected. The server's
// WriteTimeout is much longer, for clients that read slowly but steadily.
const (
	stallTimeout = 10 * time.Second
	stallPiece   = 64 << 10
)

// stallListener accepts connections whose writes fail when the client stalls.
type stallListener struct {
	net.Listener
	timeout time.Duration
}

// Accept waits for the next connection.
func (l stallListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &stallConn{Conn: conn, timeout: l.timeout}, nil
}

// stallConn writes in pieces, each with its own deadline.
type stallConn struct {
	net.Conn
	timeout  time.Duration
	deadline time.Time // of the whole response; none if zero
}

// SetWriteDeadline sets the deadline of the whole response.
func (c *stallConn) SetWriteDeadline(t time.Time) error {
	c.deadline = t
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets the deadline of reads and of the whole response.
func (c *stallConn) SetDeadline(t time.Time) error {
	c.deadline = t
	return c.Conn.SetDeadline(t)
}

// Write writes all of p, or fails.
func (c *stallConn) Write(p []byte) (written int, err error) {
	for {
		piece := p[written:min(len(p), written+stallPiece)]
		due := time.Now().Add(c.timeout)
		if !c.deadline.IsZero() && c.deadline.Before(due) {
			due = c.deadline
		}
		if err := c.Conn.SetWriteDeadline(due); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(piece)
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}
