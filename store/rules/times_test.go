package rules

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// A quantile, rounded to seconds as in a response, must be within 3 percent of the exact one. Durations that were
// removed must leave nothing.
func TestTimesQuantiles(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for name, draw := range map[string]func(*rand.Rand) int{
		"a few seconds": func(r *rand.Rand) int { return 1 + r.IntN(12) },
		"minutes":       func(r *rand.Rand) int { return 1 + r.IntN(600) },
		"up to hours":   func(r *rand.Rand) int { return int(math.Exp(r.Float64() * math.Log(timesMax))) },
		"one value":     func(*rand.Rand) int { return 77 },
	} {
		for range 200 {
			var times, kept Times
			var numbers []int
			for range 1 + r.IntN(200) {
				seconds := draw(r)
				times.count(seconds, 1)
				kept.count(seconds, 1)
				numbers = append(numbers, seconds)
				passing := draw(r)
				times.count(passing, 1)
				times = storedTimes(t, times)
				times.count(passing, -1)
			}
			slices.Sort(numbers)
			for _, q := range []float64{0, 0.25, 0.5, 0.9, 1} {
				exact := float64(numbers[nearestRank(q, int64(len(numbers)))-1])
				if got := math.Round(*times.Quantile(q)); math.Abs(got-exact) > 0.03*exact {
					t.Fatalf("%s: quantile %v of %d durations is %v, want %v", name, q, len(numbers), got, exact)
				}
			}
			if times.Count() != int64(len(numbers)) || !reflect.DeepEqual(times, kept) {
				t.Fatalf("%s: %d durations in %v, want %d in %v", name, times.Count(), times, len(numbers), kept)
			}
		}
	}
}

func storedTimes(t *testing.T, times Times) (again Times) {
	t.Helper()
	encoded, err := json.Marshal(times)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// Every duration has a bin whose middle is close to it, and there are few bins.
func TestTimesBins(t *testing.T) {
	t.Parallel()
	last := -1
	for seconds := 1; seconds <= timesMax; seconds++ {
		bin := timesBin(seconds)
		if middle := math.Round(timesMiddle(bin)); math.Abs(middle-float64(seconds)) > 0.03*float64(seconds) || bin < last {
			t.Fatalf("%d seconds are in bin %d of %v seconds, after bin %d", seconds, bin, middle, last)
		}
		last = bin
	}
	if last >= 200 {
		t.Errorf("%d bins", last+1)
	}
	var times Times
	for _, seconds := range []int{-5, 0, 1, timesMax + 1, math.MaxInt} {
		times.count(seconds, 1)
	}
	low, high := *times.Quantile(0.2), *times.Quantile(1)
	if low != 1 || math.Abs(high-timesMax) > 0.03*timesMax || (Times{}).Quantile(0.5) != nil || len(times.Bins) > 200 {
		t.Errorf("%v to %v in %d bins, and %v of nothing", low, high, len(times.Bins), (Times{}).Quantile(0.5))
	}
}
