package rules

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A quantile of a Sketch, rounded as in a response, must be within 2 % of the exact
// one, for numbers of every size and shape.
func TestSketchQuantilesAreExactToTwoPercent(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	kinds := map[string]struct {
		draw  func(*rand.Rand) float64
		round func(float64) float64
	}{
		"seconds":        {func(r *rand.Rand) float64 { return float64(r.IntN(7200)) }, math.Round},
		"few seconds":    {func(r *rand.Rand) float64 { return float64(r.IntN(4)) }, math.Round},
		"up to a year":   {func(r *rand.Rand) float64 { return math.Floor(math.Exp(r.Float64() * 17)) }, math.Round},
		"scores":         {func(r *rand.Rand) float64 { return float64(r.IntN(10001)) / 100 }, RoundPoints},
		"low scores":     {func(r *rand.Rand) float64 { return float64(r.IntN(60)) / 100 }, RoundPoints},
		"a single value": {func(*rand.Rand) float64 { return 42 }, math.Round},
	}
	for name, kind := range kinds {
		for range 300 {
			var sketch Sketch
			var numbers []float64
			for range 1 + r.IntN(400) {
				number := kind.draw(r)
				sketch.Add(number)
				numbers = append(numbers, number)
			}
			slices.Sort(numbers)
			for _, q := range []float64{0, 0.25, 0.5, 0.75, 0.9, 1} {
				exact := numbers[nearestRank(q, int64(len(numbers)))-1]
				if got := kind.round(*sketch.Quantile(q)); math.Abs(got-exact) > 0.02*exact+1e-9 {
					t.Fatalf("%s: quantile %v of %d numbers is %v, want %v", name, q, len(numbers), got, exact)
				}
			}
		}
	}
}

func TestSketchIsBounded(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	var sketch Sketch
	for range 200_000 {
		sketch.Add(math.Exp(r.Float64()*60 - 20))
	}
	sketch.Add(math.Inf(1))
	if n := len(sketch.Bins); n > 2620 {
		t.Errorf("%d bins, want at most 2620", n)
	}
	if sketch.Count() != 200_001 {
		t.Errorf("%d numbers, want 200001", sketch.Count())
	}
}

func TestSketchWithoutNumbers(t *testing.T) {
	t.Parallel()
	if q := (Sketch{}).Quantile(0.5); q != nil {
		t.Errorf("the median of nothing is %v", *q)
	}
}

// A stored Sketch must continue as if it had stayed in memory.
func TestSketchSurvivesStorage(t *testing.T) {
	t.Parallel()
	var stored Sketch
	for _, number := range []float64{0, 3, 3, 100} {
		encoded, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		stored = Sketch{}
		if err := json.Unmarshal(encoded, &stored); err != nil {
			t.Fatal(err)
		}
		stored.Add(number)
	}
	if got := math.Round(*stored.Quantile(0.75)); got != 3 || stored.Count() != 4 {
		t.Errorf("quantile %v of %d, want 3 of 4", got, stored.Count())
	}
}
