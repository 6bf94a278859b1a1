package queue

import (
	"context"
	"sync"
	"time"

	"assay/store/internal/db"
)

// wakeChannel is the PostgreSQL channel on which dispatchers are woken.
const wakeChannel = "assay_webhooks"

// notifyInterval is the minimum time between two messages to other processes. One
// message reports all wake-ups of the interval.
const notifyInterval = 2 * time.Millisecond

// notifyTimeout bounds one message.
const notifyTimeout = time.Second

// wake reports to the dispatchers of this process and of others that deliveries
// were queued. It is only a hint: a dispatcher that misses it polls.
type wake struct {
	db      *db.DB
	local   chan struct{} // holds one wake-up; a second one would change nothing
	pending chan struct{} // holds one request to notify other processes
	done    chan struct{}
	once    sync.Once
	running sync.WaitGroup
}

func newWake(database *db.DB) *wake {
	w := &wake{db: database, local: make(chan struct{}, 1), pending: make(chan struct{}, 1), done: make(chan struct{})}
	if database.HearsOthers() {
		w.running.Go(w.notify)
	}
	return w
}

// send wakes the dispatchers of all processes.
func (w *wake) send() {
	offer(w.local)
	offer(w.pending)
}

// offer fills a channel that holds one signal, unless it is full.
func offer(signal chan<- struct{}) {
	select {
	case signal <- struct{}{}:
	default:
	}
}

// notify sends one message per notifyInterval at most.
func (w *wake) notify() {
	for {
		select {
		case <-w.done:
			return
		case <-w.pending:
		}
		ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
		_ = w.db.Notify(ctx, w.db, wakeChannel) // a failure costs one poll interval
		cancel()
		select {
		case <-w.done:
			return
		case <-time.After(notifyInterval):
		}
	}
}

func (w *wake) close() {
	w.once.Do(func() { close(w.done) })
	w.running.Wait()
}

// Wake wakes the dispatchers of all processes, because deliveries were queued.
func (q *Queue) Wake() { q.wake.send() }

// Woken receives a value when deliveries were queued, by this process or, while
// Listen runs, by another.
func (q *Queue) Woken() <-chan struct{} { return q.wake.local }

// HearsOthers reports whether Listen hears other processes.
func (q *Queue) HearsOthers() bool { return q.DB.HearsOthers() }

// Listen receives the wake-ups of other processes until ctx ends.
func (q *Queue) Listen(ctx context.Context) {
	q.DB.Listen(ctx, q.DB, wakeChannel, func() { offer(q.wake.local) })
}
