package db

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// maxTogether bounds how many callers share one piece of work, and so how long the first caller waits for the last.
const maxTogether = 64

// Together lets callers that wait at the same time share one piece of work, for
// example one statement or one commit. One of them does the work of all. Nobody
// waits for others to come: the work begins as soon as one before has ended.
type Together[T any] struct {
	turn    chan struct{} // held by the callers that work
	mu      sync.Mutex
	waiting []*waiting[T]
}

// waiting is what one caller wants done.
type waiting[T any] struct {
	want  T
	taken atomic.Bool // by the caller that works, or by its own that no longer waits
	done  chan struct{}
}

// NewTogether returns a Together for so many pieces of work at a time.
func NewTogether[T any](atOnce int) *Together[T] {
	return &Together[T]{turn: make(chan struct{}, atOnce)}
}

// Do returns when what this caller wants is done, by a call of work here or in
// another caller. work calls take, once, when it can begin: take returns what the
// callers want that wait by then. If ctx ends before, Do returns false, and nobody works for it.
func (t *Together[T]) Do(ctx context.Context, want T, work func(take func() []T)) (done bool) {
	own := &waiting[T]{want: want, done: make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, own)
	t.mu.Unlock()

	select {
	case <-own.done:
	case t.turn <- struct{}{}:
		t.work(own, work)
	case <-ctx.Done():
		if own.taken.CompareAndSwap(false, true) {
			return false
		}
	}
	<-own.done
	return true
}

// work holds the turn, and gives it back even if the work panics. It works unless another caller has taken own.
func (t *Together[T]) work(own *waiting[T], work func(take func() []T)) {
	var taken []*waiting[T]
	defer func() {
		<-t.turn
		for _, w := range taken {
			close(w.done)
		}
	}()
	if !own.taken.CompareAndSwap(false, true) {
		return
	}
	work(func() []T {
		taken = t.take(own)
		wants := make([]T, len(taken))
		for i, w := range taken {
			wants[i] = w.want
		}
		return wants
	})
}

// take returns own, which its caller has taken, and the requests that have waited longest.
func (t *Together[T]) take(own *waiting[T]) (taken []*waiting[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken = append(taken, own)
	seen := 0
	for _, w := range t.waiting {
		if len(taken) == maxTogether {
			break
		}
		if w.taken.CompareAndSwap(false, true) {
			taken = append(taken, w)
		}
		seen++
	}
	t.waiting = slices.Delete(t.waiting, 0, seen)
	return taken
}

// TogetherByKey is a Together for each key, so that callers with different keys never
// wait for each other.
type TogetherByKey[T any] struct {
	atOnce int
	mu     sync.Mutex
	keys   map[string]*keyed[T]
}

type keyed[T any] struct {
	together *Together[T]
	callers  int
}

// NewTogetherByKey returns a TogetherByKey for so many pieces of work at a time with each
// key. It keeps a key only while callers use it.
func NewTogetherByKey[T any](atOnce int) *TogetherByKey[T] {
	return &TogetherByKey[T]{atOnce: atOnce, keys: map[string]*keyed[T]{}}
}

// Do is Do of the key's Together.
func (t *TogetherByKey[T]) Do(ctx context.Context, key string, want T, work func(take func() []T)) (done bool) {
	t.mu.Lock()
	used := t.keys[key]
	if used == nil {
		used = &keyed[T]{together: NewTogether[T](t.atOnce)}
		t.keys[key] = used
	}
	used.callers++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if used.callers--; used.callers == 0 {
			delete(t.keys, key)
		}
	}()
	return used.together.Do(ctx, want, work)
}
