package store

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/lib/pq"
)

// wakeChannel is the PostgreSQL channel on which dispatchers are woken.
const wakeChannel = "assay_webhooks"

// notifyDebounce gathers the wake-ups of this process into one NOTIFY. It is
// sent after the commit and on its own: inside, it would make every commit take
// PostgreSQL's one notification lock.
const notifyDebounce = 2 * time.Millisecond

// wake tells dispatchers, in this process and in others, that deliveries were
// queued. It is only a hint: a dispatcher that misses one polls.
type wake struct {
	store   *Store
	local   chan struct{} // holds one wake-up; more would say no more
	pending chan struct{}
	done    chan struct{}
	once    sync.Once
	ended   sync.WaitGroup
}

func newWake(s *Store) *wake {
	w := &wake{store: s, local: make(chan struct{}, 1), pending: make(chan struct{}, 1), done: make(chan struct{})}
	if s.dialect.name == "postgres" {
		w.ended.Add(1)
		go w.notify()
	}
	return w
}

func (w *wake) kick() {
	w.kickLocal()
	select {
	case w.pending <- struct{}{}:
	default:
	}
}

func (w *wake) kickLocal() {
	select {
	case w.local <- struct{}{}:
	default:
	}
}

// notify sends what kick asks for, at most one per notifyDebounce.
func (w *wake) notify() {
	defer w.ended.Done()
	for {
		select {
		case <-w.done:
			return
		case <-w.pending:
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		// A failure costs a poll interval: whoever listens polls as well.
		_, _ = w.store.writer.ExecContext(ctx, `NOTIFY `+wakeChannel)
		cancel()
		select {
		case <-w.done:
			return
		case <-time.After(notifyDebounce):
		}
	}
}

func (w *wake) close() {
	w.once.Do(func() { close(w.done) })
	w.ended.Wait()
}

// Wake receives when deliveries were queued, by this process or, while Listen
// runs, by another.
func (s *Store) Wake() <-chan struct{} { return s.wake.local }

// HearsOthers reports whether Listen hears other processes.
func (s *Store) HearsOthers() bool { return s.dialect.name == "postgres" }

// listenRetry is the longest wait before the listener dials again.
const listenRetry = 2 * time.Second

// Listen passes on the wake-ups of other processes until ctx ends. On SQLite
// there are none to hear: it only waits.
func (s *Store) Listen(ctx context.Context) error {
	if s.dialect.name != "postgres" {
		<-ctx.Done()
		return nil
	}
	line := &listenerLine{}
	listener := pq.NewDialListener(line, s.url, 100*time.Millisecond, listenRetry, nil)
	defer context.AfterFunc(ctx, func() {
		line.close() // first: while it is being made the listener cannot be closed
		_ = listener.Close()
	})()
	if err := listener.Listen(wakeChannel); err != nil && ctx.Err() == nil && !errors.Is(err, pq.ErrChannelAlreadyOpen) {
		s.opts.Log.WarnContext(ctx, "not listening for wake-ups, polling instead", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.primary.left:
			line.drop()
		case <-listener.Notify: // nil after a reconnect, when something may have been missed
			s.wake.kickLocal()
		}
	}
}

// listenerLine is the listener's connection, so that it can be ended from
// outside: the listener itself hears nothing of a server that is read-only, or
// that does not answer. It is a pq.DialerContext.
type listenerLine struct {
	mu     sync.Mutex
	line   net.Conn
	closed bool
}

// DialContext opens the connection anew.
func (l *listenerLine) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	opened, err := (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errors.Join(net.ErrClosed, opened.Close())
	}
	l.line = opened
	return opened, nil
}

// Dial is DialContext without a bound.
func (l *listenerLine) Dial(network, address string) (net.Conn, error) {
	return l.DialContext(context.Background(), network, address)
}

// DialTimeout is DialContext with one.
func (l *listenerLine) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	defer end()
	return l.DialContext(ctx, network, address)
}

// drop ends the present connection; the listener opens another.
func (l *listenerLine) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.line != nil {
		_ = l.line.Close()
	}
}

// close ends it for good.
func (l *listenerLine) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.drop()
}
