package store

import (
	"context"
	"errors"
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

// Listen passes on the wake-ups of other processes until ctx ends. On SQLite
// there are none to hear: it only waits.
func (s *Store) Listen(ctx context.Context) error {
	if s.dialect.name != "postgres" {
		<-ctx.Done()
		return nil
	}
	listener := pq.NewListener(s.url, 100*time.Millisecond, 10*time.Second, nil)
	if err := listener.Listen(wakeChannel); err != nil && !errors.Is(err, pq.ErrChannelAlreadyOpen) {
		s.opts.Log.WarnContext(ctx, "not listening for wake-ups, polling instead", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			return listener.Close()
		case <-listener.Notify: // nil after a reconnect, when something may have been missed
			s.wake.kickLocal()
		}
	}
}
