package rules

import (
	"maps"
	"math"
	"slices"
)

// Sketch counts numbers so that their quantiles can be computed without storing
// them. Its size depends on the range of the numbers and not on how many there are:
// at most about 2,600 bins. As in DDSketch (Masson et al., 2019), numbers whose ratio
// is below sketchRatio share a bin.
type Sketch struct {
	Zeros int64             `json:"zeros,omitempty"` // numbers up to sketchMin
	Bins  map[int]SketchBin `json:"bins,omitempty"`
}

// SketchBin are the numbers of one bin. Their mean represents them, which is exact if
// all are the same, as the scores of a short stage often are.
type SketchBin struct {
	N   int64   `json:"n"`
	Sum float64 `json:"sum"`
}

// A quantile differs from the exact one by at most 1 % of it. The other half of the
// 2 % that the contract permits remains for rounding: a whole number up to 50 is
// exact after rounding, and rounding changes a larger one by less than 1 %.
const (
	sketchRatio = 1.01
	sketchMin   = 0.005 // rounds to zero in every response
	sketchMax   = 1e9
)

// Add counts a number that is not negative. Numbers above sketchMax count as sketchMax.
func (s *Sketch) Add(number float64) { s.count(number, 1) }

// count adds a number n times. A negative n removes it.
func (s *Sketch) count(number float64, n int64) {
	if number <= sketchMin {
		s.Zeros += n
		return
	}
	if s.Bins == nil {
		s.Bins = map[int]SketchBin{}
	}
	number = min(number, sketchMax)
	i := int(math.Ceil(math.Log(number) / math.Log(sketchRatio)))
	s.Bins[i] = SketchBin{N: s.Bins[i].N + n, Sum: s.Bins[i].Sum + float64(n)*number}
	if s.Bins[i].N == 0 { // the sum can be a rounding error
		delete(s.Bins, i)
	}
}

// Count is how many numbers were added.
func (s Sketch) Count() int64 {
	n := s.Zeros
	for _, bin := range s.Bins {
		n += bin.N
	}
	return n
}

// Quantile is the number below or at which the share q of all numbers lies (the
// nearest rank). It is nil without numbers.
func (s Sketch) Quantile(q float64) *float64 {
	n := s.Count()
	if n == 0 {
		return nil
	}
	rank := nearestRank(q, n) - s.Zeros
	if rank <= 0 {
		return new(0.0)
	}
	last := 0.0
	for _, i := range slices.Sorted(maps.Keys(s.Bins)) {
		last = s.Bins[i].Sum / float64(s.Bins[i].N)
		if rank -= s.Bins[i].N; rank <= 0 {
			break
		}
	}
	return &last
}

// nearestRank is the position, from 1, of the quantile q among n numbers in order.
func nearestRank(q float64, n int64) int64 {
	return min(max(int64(math.Ceil(q*float64(n))), 1), n)
}
