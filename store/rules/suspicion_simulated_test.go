package rules

import (
	"math"
	"math/rand/v2"
	"testing"
)

// simulated is a test of single choices with four options, whose first option the test believes to be the key. Item j has
// the difficulty difficulties[j]. In item 0, the second option is right if miskeyed is set.
func simulated(r *rand.Rand, candidates int, difficulties []float64, miskeyed bool) (Definition, Statistics) {
	d := Definition{Stages: []Stage{{ID: "stg"}}}
	for j := range difficulties {
		question := Question{ID: string(rune('A' + j)), Type: SingleChoice, Points: 1, Options: choices(4)}
		question.CorrectOptionID = &question.Options[0].ID
		d.Stages[0].Questions = append(d.Stages[0].Questions, question)
	}
	var s Statistics
	for range candidates {
		ability := r.NormFloat64()
		answers := map[string]Answer{}
		for j, question := range d.Stages[0].Questions {
			right := 0
			if j == 0 && miskeyed {
				right = 1
			}
			chosen := (right + 1 + r.IntN(3)) % 4
			if r.Float64() < 0.2+0.8/(1+math.Exp(-1.2*(ability-difficulties[j]))) {
				chosen = right
			}
			answers[question.ID] = Answer{OptionID: &question.Options[chosen].ID}
		}
		s.Add(d, finish(r, d, answers))
	}
	return d, s
}

func isSuspected(d Definition, s Statistics, j int) bool {
	return len(Suspicions(d.Stages[0].Questions[j], s.Stages[0].Questions[j], nil)) > 0
}

// A wrong key is found with a few dozens of results, and good questions are hardly ever blamed, however difficult they
// are.
func TestSuspicionsOfSimulatedTests(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	difficulties := make([]float64, 20)
	for j := range difficulties {
		difficulties[j] = -2 + 4*float64(j)/19
	}
	difficulties[0] = 0
	const runs = 40
	for _, row := range []struct{ candidates, least int }{{15, 0}, {30, 20}, {60, 28}} {
		found, blamed := 0, 0
		for range runs {
			d, s := simulated(r, row.candidates, difficulties, true)
			if isSuspected(d, s, 0) {
				found++
			}
			for j := 1; j < len(difficulties); j++ {
				if isSuspected(d, s, j) {
					blamed++
				}
			}
		}
		// Of 100 wrong keys, about 78 are found with 30 candidates, and 93 with 60. Of 1,000 good questions, about 4 are
		// blamed. The bounds are far enough away for a test that is never red by chance.
		if found < row.least || blamed > runs*19/50 {
			t.Errorf("%d candidates: %d of %d wrong keys found, %d of %d good questions blamed", row.candidates, found, runs,
				blamed, runs*19)
		}
		t.Logf("%d candidates: %d of %d wrong keys found, %d of %d good questions blamed", row.candidates, found, runs, blamed,
			runs*19)
	}
}
