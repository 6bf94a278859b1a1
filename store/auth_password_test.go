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
						if _, err := h.hash(t.Context(), ofStrangers, "a long and good pass phrase"); err != nil {
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

// A password is the same on each keyboard, also if its hash is of what version 1.0 got.
func TestPasswordsAreTheSameOnEachKeyboard(t *testing.T) {
	t.Parallel()
	h, err := newPasswordHasher(PasswordCost{MemoryKiB: 64, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	const composed, decomposed = "caf\u00e9 au lait", "cafe\u0301\u00a0au lait"
	asTyped := func(password string) string {
		salt := []byte("0123456789abcdef")
		key, err := h.compute(t.Context(), ofStrangers, password, salt, h.cost)
		if err != nil {
			t.Fatal(err)
		}
		return h.encode(salt, key)
	}
	hash := func(password string) string {
		hashed, err := h.hash(t.Context(), ofStrangers, password)
		if err != nil {
			t.Fatal(err)
		}
		return hashed
	}
	for _, row := range []struct {
		name, hash, password string
		matches              bool
		hashes               int64
	}{
		{"composed", hash(composed), composed, true, 1},
		{"decomposed", hash(composed), decomposed, true, 1},
		{"set as decomposed", hash(decomposed), composed, true, 1},
		{"both decomposed", hash(decomposed), decomposed, true, 1},
		{"before 1.1, composed", asTyped(composed), decomposed, true, 1},
		{"before 1.1, decomposed", asTyped(decomposed), decomposed, true, 2},
		{"another accent", hash(composed), "cafe au lait", false, 1},
		{"another case", hash(composed), "Caf\u00e9 au lait", false, 1},
		{"full width", hash("correct horse"), "ｃorrect horse", false, 1},
		{"not permitted by the RFC", hash("correct\u200bhorse"), "correct\u200bhorse", true, 1},
		{"wrong", hash(composed), "correct horse", false, 1},
	} {
		before := h.hashes.Load()
		matches, err := h.matches(t.Context(), ofStrangers, row.password, row.hash)
		if computed := h.hashes.Load() - before; err != nil || matches != row.matches || computed != row.hashes {
			t.Errorf("%s: %t with %d hashes, %v; want %t with %d", row.name, matches, computed, err, row.matches, row.hashes)
		}
	}
}
