package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// newTestTurns are turns that no timer ends.
func newTestTurns(atOnce int) *turns {
	t := newTurns(atOnce)
	t.longest = time.Hour
	return t
}

// waits blocks until the number of requests of an organization wait for its turn.
func (t *turns) waits(organizationID string, want int) {
	for {
		t.mu.Lock()
		line := t.lines[organizationID]
		reached := line != nil && len(line.waiting) == want
		t.mu.Unlock()
		if reached {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// An organization works on one request at a time, and all together on a number of them, whatever each of them sends.
func TestTurnsAtOnce(t *testing.T) {
	t.Parallel()
	turns := newTestTurns(2)
	var mu sync.Mutex
	working, most, done := map[string]int{}, 0, 0
	var all sync.WaitGroup
	for n := range 300 {
		all.Go(func() {
			organization := fmt.Sprint("org_", n%5)
			end, err := turns.take(t.Context(), organization, maxWaiting)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			working[organization]++
			sum := 0
			for organization, count := range working {
				sum += count
				if count > 1 {
					t.Errorf("%s works on %d requests", organization, count)
				}
			}
			most = max(most, sum)
			mu.Unlock()
			time.Sleep(50 * time.Microsecond)
			mu.Lock()
			working[organization]--
			done++
			mu.Unlock()
			end()
		})
	}
	all.Wait()
	if most != 2 || done != 300 {
		t.Errorf("%d requests at once, want 2; %d of 300 done", most, done)
	}
	if len(turns.lines) != 0 || len(turns.ready) != 0 || turns.free != 2 {
		t.Errorf("afterwards %d organizations, %d ready, %d free", len(turns.lines), len(turns.ready), turns.free)
	}
}

// An organization with many requests delays another one by one request.
func TestTurnsAreFair(t *testing.T) {
	t.Parallel()
	turns := newTestTurns(1)
	first, err := turns.take(t.Context(), "hostile", maxWaiting)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var order []string
	var all sync.WaitGroup
	wait := func(organization string) {
		all.Go(func() {
			end, err := turns.take(t.Context(), organization, maxWaiting)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, organization)
			mu.Unlock()
			end()
		})
	}
	for range 50 {
		wait("hostile")
	}
	turns.waits("hostile", 50)
	wait("victim")
	turns.waits("victim", 1)
	first()
	all.Wait()
	if at := slices.Index(order, "victim"); at > 1 || len(order) != 51 {
		t.Errorf("the victim had turn %d of %d", at, len(order))
	}
}

// A request whose client leaves does not wait any more, and its place is free.
func TestTurnsOfClientsThatLeave(t *testing.T) {
	t.Parallel()
	turns := newTestTurns(1)
	end, err := turns.take(t.Context(), "org", maxWaiting)
	if err != nil {
		t.Fatal(err)
	}
	for _, organization := range []string{"org", "another"} {
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := turns.take(ctx, organization, maxWaiting)
			left <- err
		}()
		turns.waits(organization, 1)
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", organization, err)
		}
	}
	if _, err := turns.take(t.Context(), "org", 0); !errors.Is(err, errManyWait) {
		t.Errorf("above the bound: %v", err)
	}
	end()
	if len(turns.lines) != 0 || len(turns.ready) != 0 || turns.free != 1 {
		t.Errorf("afterwards %d organizations, %d ready, %d free", len(turns.lines), len(turns.ready), turns.free)
	}
}

// A turn that takes very long keeps no other from working.
func TestLongTurns(t *testing.T) {
	t.Parallel()
	turns := newTurns(1)
	turns.longest = time.Millisecond
	endLong, err := turns.take(t.Context(), "org", maxWaiting)
	if err != nil {
		t.Fatal(err)
	}
	for _, organization := range []string{"org", "another"} {
		end, err := turns.take(t.Context(), organization, maxWaiting)
		if err != nil {
			t.Fatal(err)
		}
		end()
	}
	endLong()
	if turns.free != 1 || len(turns.lines) != 0 {
		t.Errorf("%d free, %d organizations", turns.free, len(turns.lines))
	}
}
