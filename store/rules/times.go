package rules

import (
	"math"
	"slices"
)

// Times counts durations of single questions in few bytes: about 190 bins. A bin is a second wide up to timesExact
// seconds, and then 4 percent of its lower end. The document contains the bins from the first to the last one in use.
type Times struct {
	First int     `json:"first,omitempty"` // position of the first of Bins
	Bins  []int64 `json:"bins,omitempty"`
}

const (
	timesExact = 40
	timesRatio = 1.04
	timesMax   = 4 * 60 * 60 // a longer time counts as this one
)

// timesBin is the position of the bin of a duration. A shorter time than a second counts as a second.
func timesBin(seconds int) int {
	seconds = min(max(seconds, 1), timesMax)
	if seconds <= timesExact {
		return seconds - 1
	}
	return timesExact + int(math.Log(float64(seconds)/(timesExact+1))/math.Log(timesRatio))
}

// timesMiddle is the middle of the whole seconds of a bin.
func timesMiddle(bin int) float64 {
	if bin < timesExact {
		return float64(bin + 1)
	}
	low := (timesExact + 1) * math.Pow(timesRatio, float64(bin-timesExact))
	first, last := math.Ceil(low-1e-9), math.Ceil(low*timesRatio-1e-9)-1
	return (first + min(last, timesMax)) / 2
}

// count adds a duration n times. A negative n removes it.
func (t *Times) count(seconds int, n int64) {
	bin := timesBin(seconds)
	switch {
	case len(t.Bins) == 0:
		t.First, t.Bins = bin, []int64{0}
	case bin < t.First:
		t.Bins = slices.Concat(make([]int64, t.First-bin), t.Bins)
		t.First = bin
	}
	t.Bins = append(t.Bins, make([]int64, max(0, bin-t.First+1-len(t.Bins)))...)
	t.Bins[bin-t.First] += n
	t.trim()
}

// trim removes empty bins at both ends, so that a removed duration leaves nothing.
func (t *Times) trim() {
	for len(t.Bins) > 0 && t.Bins[len(t.Bins)-1] == 0 {
		t.Bins = t.Bins[:len(t.Bins)-1]
	}
	for len(t.Bins) > 0 && t.Bins[0] == 0 {
		t.First, t.Bins = t.First+1, t.Bins[1:]
	}
	if len(t.Bins) == 0 {
		*t = Times{}
	}
}

// Count is how many durations were added.
func (t Times) Count() int64 {
	n := int64(0)
	for _, count := range t.Bins {
		n += count
	}
	return n
}

// Quantile is the duration, in seconds, below or at which the share q of all durations lies, within 3 percent, also
// after rounding to whole seconds. It is nil without durations.
func (t Times) Quantile(q float64) *float64 {
	n := t.Count()
	if n == 0 {
		return nil
	}
	rank, bin := nearestRank(q, n), t.First
	for i, count := range t.Bins {
		bin = t.First + i
		if rank -= count; rank <= 0 {
			break
		}
	}
	return new(timesMiddle(bin))
}
