package store

import (
	"fmt"
	"testing"
)

func TestByteCacheIsBoundedByBytes(t *testing.T) {
	t.Parallel()
	c := NewByteCache[int, string](80)
	kept := func(key int) bool {
		_, ok := c.Get(key)
		return ok
	}
	for i := range 10 {
		c.Add(i, "small", 10)
	}
	if kept(0) || kept(1) || !kept(2) || !kept(9) || c.bytes != 80 {
		t.Errorf("%d bytes are counted for the eight newest values of ten bytes", c.bytes)
	}
	c.Get(2)
	c.Add(10, "small", 10)
	if !kept(2) || kept(3) {
		t.Error("the value that was used last has left before the others")
	}
	for range 3 {
		c.Add(2, "again", 5)
	}
	if c.bytes != 75 {
		t.Errorf("%d bytes after a replacement, want 75", c.bytes)
	}
	c.AddUnless(2, "worse", 5, func(present string) bool { return present == "again" })
	if value, _ := c.Get(2); value != "again" {
		t.Errorf("the better value was replaced by %q", value)
	}
	c.Add(2, "large", 11)
	if kept(2) || c.bytes != 70 {
		t.Error("a value that takes more than its share is kept, or counted")
	}
	before := c.Removals()
	c.AddSince(before, 2, "read", 5)
	if !kept(2) {
		t.Error("a value was not kept although nothing was removed")
	}
	c.Remove(9)
	if c.AddSince(before, 3, "out of date", 5); kept(3) || kept(9) {
		t.Error("a value that was read before a removal is kept, or the removed one")
	}
	for i := range 1000 {
		c.Add(i, fmt.Sprint(i), 1+i%10)
		if c.bytes > 80 {
			t.Fatalf("%d bytes", c.bytes)
		}
	}
}
