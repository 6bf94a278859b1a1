//go:build unix

package costtest_test

import (
	"slices"
	"testing"
	"time"

	"assay/store/storetest/costtest"
)

// No measurement is much shorter than the work, also while the garbage collector makes the goroutine change threads.
func TestTook(t *testing.T) {
	var kept [64][]byte
	work := func() {
		for n := range 20_000 {
			kept[n%len(kept)] = make([]byte, 100)
		}
	}
	var took []time.Duration
	for range 2000 {
		took = append(took, costtest.Took(work))
	}
	slices.Sort(took)
	if least, median := took[0], took[len(took)/2]; least < median/4 {
		t.Errorf("the same work takes %s, and usually %s", least, median)
	}
}

func TestPerShort(t *testing.T) {
	n := 0
	work := func(units int) func() {
		return func() {
			for range units * 100_000 {
				n++
			}
		}
	}
	if ratio := costtest.PerShort(work(1), work(16)); ratio > 4 {
		t.Errorf("work that grows with the length has the ratio %.1f", ratio)
	}
	if ratio := costtest.PerShort(work(1), work(256)); ratio < 8 {
		t.Errorf("work that grows with the square of the length has the ratio %.1f", ratio)
	}
}
