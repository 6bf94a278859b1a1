package store

import (
	"container/list"
	"context"
	"sync"
)

// hashShare is a share of the turns to compute a hash.
type hashShare int

const (
	// ofStrangers is for clients that have proved nothing: most of a flood of passwords.
	ofStrangers hashShare = iota
	// ofKnown is for people at networks from which they have signed in before, and for holders of a token.
	ofKnown

	hashShares
)

// hashTurns bounds the hashes that are computed at once. While clients of both shares wait, the shares take turns. So a
// flood of passwords from strangers delays a known client by two hashes, not by the whole queue.
type hashTurns struct {
	mu      sync.Mutex
	free    int
	waiting [hashShares]list.List // of chan struct{}, oldest first
	next    hashShare             // whose turn it is
}

// acquire waits for a turn, until ctx ends.
func (t *hashTurns) acquire(ctx context.Context, share hashShare) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	granted := make(chan struct{})
	place := t.waiting[share].PushBack(granted)
	t.mu.Unlock()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-granted: // at the same time
		return nil
	default:
		t.waiting[share].Remove(place)
		return ctx.Err()
	}
}

// release ends a turn, and gives it to a client that waits.
func (t *hashTurns) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range hashShares {
		share := t.next
		t.next = (t.next + 1) % hashShares
		if first := t.waiting[share].Front(); first != nil {
			close(t.waiting[share].Remove(first).(chan struct{}))
			return
		}
	}
	t.free++
}
