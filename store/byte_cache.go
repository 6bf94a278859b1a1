package store

import (
	"math"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// ByteCache keeps the values that were used last, up to a number of bytes together. It
// is safe for concurrent use.
type ByteCache[K comparable, V any] struct {
	mu      sync.Mutex
	entries *simplelru.LRU[K, sizedValue[V]]
	bytes   int
	max     int
	removed uint64 // how often Remove was called
}

type sizedValue[V any] struct {
	value V
	bytes int
}

// maxShare is the part of a ByteCache that one value may take: an eighth. A larger
// value would displace many that are used more often.
const maxShare = 8

// NewByteCache creates a cache of at most maxBytes.
func NewByteCache[K comparable, V any](maxBytes int) *ByteCache[K, V] {
	c := &ByteCache[K, V]{max: maxBytes}
	c.entries, _ = simplelru.NewLRU(math.MaxInt, func(_ K, dropped sizedValue[V]) { c.bytes -= dropped.bytes })
	return c
}

// newCache creates a cache of size values. An error means that the size, which is a constant, is not positive.
func newCache[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](size)
	if err != nil {
		panic(err)
	}
	return cache
}

// Get returns the value of key, and marks it as used.
func (c *ByteCache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.entries.Get(key)
	return kept.value, ok
}

// Add replaces the value of key by one that takes about bytes of memory. It does not
// keep a value that takes more than its share.
func (c *ByteCache[K, V]) Add(key K, value V, bytes int) {
	c.AddUnless(key, value, bytes, func(V) bool { return false })
}

// Remove drops the value of key, and any value that was read before: see AddSince.
func (c *ByteCache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
	c.removed++
}

// Removals is the number of calls of Remove, for AddSince.
func (c *ByteCache[K, V]) Removals() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.removed
}

// AddSince is Add, unless Remove was called for any key since Removals returned removals.
// What was read before such a call can be what the call is about.
func (c *ByteCache[K, V]) AddSince(removals uint64, key K, value V, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.removed == removals {
		c.keep(key, value, bytes)
	}
}

// AddUnless is Add, unless the present value of key is better.
func (c *ByteCache[K, V]) AddUnless(key K, value V, bytes int, better func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if present, ok := c.entries.Peek(key); ok && better(present.value) {
		return
	}
	c.keep(key, value, bytes)
}

func (c *ByteCache[K, V]) keep(key K, value V, bytes int) {
	c.entries.Remove(key) // also subtracts its bytes
	if bytes > c.max/maxShare {
		return
	}
	c.entries.Add(key, sizedValue[V]{value, bytes})
	for c.bytes += bytes; c.bytes > c.max; {
		c.entries.RemoveOldest()
	}
}
