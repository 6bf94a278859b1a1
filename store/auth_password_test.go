package store

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The memory of a burst of hashes is returned once, a few seconds after the last one.
func TestMemoryOfHashesIsReturnedOnceAfterABurst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, err := newPasswordHasher(PasswordCost{MemoryKiB: 64, Passes: 1})
		if err != nil {
			t.Fatal(err)
		}
		released := 0
		h.memory.release = func() { released++ }
		check := func(after time.Duration, want int) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if released != want {
				t.Errorf("released %d times, want %d", released, want)
			}
		}
		check(time.Hour, 0)
		for burst := range 2 {
			for range 3 {
				var all sync.WaitGroup
				for range 20 {
					all.Go(func() {
						if _, err := h.hash(t.Context(), "a long and good pass phrase"); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				check(hashingIdle-time.Millisecond, burst)
			}
			check(2*time.Millisecond, burst+1)
			check(time.Hour, burst+1)
		}
	})
}
