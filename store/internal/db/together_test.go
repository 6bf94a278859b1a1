package db

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Those that wait while another one works are done together, in their order and at most
// maxTogether at once. One whose context ends while it waits is never done.
func TestTogether(t *testing.T) {
	t.Parallel()
	together := NewTogether[int](1)
	var batches [][]int
	work := func(take func() []int) { batches = append(batches, take()) }
	began, goOn := make(chan struct{}), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		together.Do(t.Context(), 0, func(take func() []int) {
			work(take)
			close(began)
			<-goOn
		})
	})
	<-began

	const waiting = maxTogether + 10
	left := make(chan struct{}) // number 2 no longer waits
	for i := 1; i <= waiting; i++ {
		ctx, cancel := context.WithCancel(t.Context())
		running.Go(func() {
			defer cancel()
			if done := together.Do(ctx, i, work); done == (i == 2) {
				t.Errorf("number %d: done is %v", i, done)
			}
			if i == 2 {
				close(left)
			}
		})
		for deadline := time.Now().Add(10 * time.Second); together.length() < i; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatal(errors.New("a caller does not wait"))
			}
		}
		if i == 2 {
			cancel()
			<-left
		}
	}
	close(goOn)
	running.Wait()

	var done []int
	for _, batch := range batches {
		if len(batch) > maxTogether {
			t.Errorf("%d are done at once", len(batch))
		}
		done = append(done, batch...)
	}
	if len(batches) != 3 || len(done) != waiting {
		t.Errorf("%d in %d batches", len(done), len(batches))
	}
	slices.Sort(done)
	if slices.Contains(done, 2) || len(slices.Compact(done)) != len(done) {
		t.Errorf("done are %v", done)
	}
}

// A panic in the work must reach its caller, and must not keep the others waiting.
func TestTogetherAfterAPanic(t *testing.T) {
	t.Parallel()
	together := NewTogether[int](1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic does not reach the caller")
			}
		}()
		together.Do(t.Context(), 1, func(take func() []int) {
			take()
			panic("in the work")
		})
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if !together.Do(ctx, 2, func(take func() []int) { take() }) {
		t.Error("the turn was not given back")
	}
}

// With several pieces of work at a time, everything is done once.
func TestTogetherSeveralAtOnce(t *testing.T) {
	t.Parallel()
	together := NewTogetherByKey[int](3)
	var done [500]atomic.Int32
	var running sync.WaitGroup
	for i := range done {
		running.Go(func() {
			if !together.Do(t.Context(), "key", i, func(take func() []int) {
				runtime.Gosched()
				for _, taken := range take() {
					done[taken].Add(1)
				}
			}) {
				t.Errorf("number %d is not done", i)
			}
		})
	}
	running.Wait()
	for i := range done {
		if times := done[i].Load(); times != 1 {
			t.Errorf("number %d is done %d times", i, times)
		}
	}
	if len(together.keys) != 0 {
		t.Errorf("%d keys are kept", len(together.keys))
	}
}
