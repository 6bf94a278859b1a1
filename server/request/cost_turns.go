package request

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// maxWaiting bounds the requests of one organization that wait for its turn, each with its body in memory.
	maxWaiting = 100
	noBound    = 1 << 30

	// longestTurn is the time after which a turn no longer keeps others from working. A piece of work that takes so
	// long mostly waits for the database, and other organizations must not wait for it.
	longestTurn = time.Second
)

var errManyWait = errors.New("too many requests of the organization wait for its turn")

// turns lets each organization do one piece of work at a time, and all organizations together a number of pieces.
// Organizations that wait take turns in the order in which they came. The requests of one of them do so too.
type turns struct {
	mu      sync.Mutex
	free    int              // how many more pieces may begin
	lines   map[string]*line // of the organizations that work or wait
	ready   []*line          // the lines that wait and do not work, in their order
	longest time.Duration
}

// line is what one organization does.
type line struct {
	working bool
	waiting []chan struct{} // of each request, closed when its turn begins
}

func newTurns(atOnce int) *turns {
	return &turns{free: atOnce, lines: map[string]*line{}, longest: longestTurn}
}

// take waits for the turn of an organization. The returned function ends the turn. Errors: errManyWait if so many
// requests of the organization wait already, and that of ctx.
func (t *turns) take(ctx context.Context, organizationID string, maxWaiting int) (end func(), err error) {
	t.mu.Lock()
	own := t.lines[organizationID]
	if own == nil {
		own = &line{}
		t.lines[organizationID] = own
	}
	if len(own.waiting) >= maxWaiting {
		t.mu.Unlock()
		return nil, errManyWait
	}
	begins := make(chan struct{})
	own.waiting = append(own.waiting, begins)
	if !own.working && len(own.waiting) == 1 {
		t.ready = append(t.ready, own)
	}
	t.next()
	t.mu.Unlock()

	select {
	case <-begins:
	case <-ctx.Done():
		if t.leave(organizationID, own, begins) {
			return nil, ctx.Err()
		}
	}
	once := sync.OnceFunc(func() { t.end(organizationID, own) })
	timer := time.AfterFunc(t.longest, once)
	return func() { timer.Stop(); once() }, nil
}

// next begins turns while more pieces may begin. The caller holds the lock.
func (t *turns) next() {
	for t.free > 0 && len(t.ready) > 0 {
		first := t.ready[0]
		t.ready = t.ready[1:]
		close(first.waiting[0])
		first.waiting, first.working = first.waiting[1:], true
		t.free--
	}
}

func (t *turns) end(organizationID string, own *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	own.working = false
	if len(own.waiting) > 0 {
		t.ready = append(t.ready, own)
	} else {
		delete(t.lines, organizationID)
	}
	t.next()
}

// leave removes a request that no longer waits. It returns false if its turn has begun meanwhile.
func (t *turns) leave(organizationID string, own *line, begins chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(own.waiting, begins)
	if at < 0 {
		return false
	}
	own.waiting = slices.Delete(own.waiting, at, at+1)
	if len(own.waiting) == 0 && !own.working {
		t.ready = slices.DeleteFunc(t.ready, func(other *line) bool { return other == own })
		delete(t.lines, organizationID)
	}
	return true
}
