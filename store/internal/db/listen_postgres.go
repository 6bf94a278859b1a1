package db

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/lib/pq"
)

// listenRetry is the longest wait before the listener connects again.
const listenRetry = 2 * time.Second

// HearsOthers implements engine.
func (e *postgresEngine) HearsOthers() bool { return !e.transactionPooling }

// Notify sends NOTIFY outside of any transaction: inside one it would make every
// commit take PostgreSQL's only notification lock.
func (e *postgresEngine) Notify(ctx context.Context, db *DB, channel string) error {
	_, err := db.writer.ExecContext(ctx, `NOTIFY `+channel)
	return err
}

// Listen reconnects when the connection breaks, and calls heard then as well,
// because a notification may have been missed.
func (e *postgresEngine) Listen(ctx context.Context, db *DB, channel string, heard func()) {
	if e.transactionPooling {
		return
	}
	line := &listenerConn{}
	listener := pq.NewDialListener(line, e.url, 100*time.Millisecond, listenRetry, nil)
	defer context.AfterFunc(ctx, func() {
		line.close() // first: the listener cannot be closed while it connects
		_ = listener.Close()
	})()
	if err := listener.Listen(channel); err != nil && ctx.Err() == nil && !errors.Is(err, pq.ErrChannelAlreadyOpen) {
		db.log.WarnContext(ctx, "not listening for wake-ups, polling instead", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.primary.left:
			line.drop()
		case <-listener.Notify:
			heard()
		}
	}
}

// listenerConn is the listener's connection. It is a pq.DialerContext, so that
// Listen can close the connection: the listener itself does not notice that a
// server has become read-only or does not answer.
type listenerConn struct {
	mu     sync.Mutex
	conn   net.Conn
	closed bool
}

// DialContext connects anew.
func (l *listenerConn) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	opened, err := (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errors.Join(net.ErrClosed, opened.Close())
	}
	l.conn = opened
	return opened, nil
}

// Dial is DialContext without a deadline.
func (l *listenerConn) Dial(network, address string) (net.Conn, error) {
	return l.DialContext(context.Background(), network, address)
}

// DialTimeout is DialContext with a deadline.
func (l *listenerConn) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return l.DialContext(ctx, network, address)
}

// drop ends the present connection; the listener opens another.
func (l *listenerConn) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		_ = l.conn.Close()
	}
}

// close ends the present connection and permits no other.
func (l *listenerConn) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.drop()
}
