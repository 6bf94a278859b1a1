package main

import (
	"net"
	"time"
)

// An answer is in memory until the client has taken it. Whoever does not take
// stallPiece bytes of it within stallTimeout is cut off, long before the
// server's WriteTimeout, which is for those who take it slowly.
const (
	stallTimeout = 10 * time.Second
	stallPiece   = 64 << 10
)

// steadyListener accepts connections that may not stall.
type steadyListener struct {
	net.Listener
	timeout time.Duration
}

// Accept waits for the next connection.
func (l steadyListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &steadyConn{Conn: conn, timeout: l.timeout}, nil
}

// steadyConn writes in pieces, each within its time.
type steadyConn struct {
	net.Conn
	timeout  time.Duration
	deadline time.Time // of all; none if zero
}

// SetWriteDeadline is when everything has to be written.
func (c *steadyConn) SetWriteDeadline(t time.Time) error {
	c.deadline = t
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline is for reading and writing.
func (c *steadyConn) SetDeadline(t time.Time) error {
	c.deadline = t
	return c.Conn.SetDeadline(t)
}

// Write writes all of p, or fails.
func (c *steadyConn) Write(p []byte) (written int, err error) {
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
