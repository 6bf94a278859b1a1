package rules

import (
	"math"
	"slices"
	"testing"
)

// agreementOf sums up the grades of two people, which stand at the same positions.
func agreementOf(first, second []float64) Agreement {
	var a Agreement
	for i, x := range first {
		y := second[i]
		pair := Agreement{
			Answers: 1, Difference: math.Abs(x - y), Square: (x - y) * (x - y),
			First: x, Second: y, FirstSquare: x * x, SecondSquare: y * y,
		}
		if x == y {
			pair.Equal = 1
		}
		a = a.Plus(pair)
	}
	return a
}

// repeated returns each value as often as the count that follows it.
func repeated(valuesAndCounts ...float64) []float64 {
	var all []float64
	for i := 0; i < len(valuesAndCounts); i += 2 {
		all = append(all, slices.Repeat([]float64{valuesAndCounts[i]}, int(valuesAndCounts[i+1]))...)
	}
	return all
}

// TestKappaPublished compares kappa with values that others have published for quadratic weights.
func TestKappaPublished(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source        string
		first, second []float64
		want          float64
		decimals      int
	}{
		{
			"scikit-learn, sklearn/metrics/tests/test_classification.py, test_cohen_kappa",
			repeated(0, 46, 1, 44, 2, 10), repeated(0, 50, 1, 40, 2, 10), 0.9541, 4,
		},
		{
			"R package irr, data anxiety, kappa2(anxiety[,1:2], \"squared\")",
			[]float64{3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3},
			[]float64{3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4}, 0.297, 3,
		},
	} {
		a := agreementOf(test.first, test.second)
		scale := math.Pow10(test.decimals)
		if got := math.Round(a.kappa()*scale) / scale; got != test.want {
			t.Errorf("%s: %v, want %v", test.source, got, test.want)
		}
		if shown := a.Kappa(); shown == nil || *shown != roundAgreement(test.want) {
			t.Errorf("%s: shown as %v, want %v", test.source, shown, roundAgreement(test.want))
		}
	}
}

// byTable computes kappa from the table of categories, as Cohen defines it: one minus the weighted share of observed
// disagreements over that of the expected ones.
func byTable(first, second []float64, categories int) float64 {
	n := float64(len(first))
	table := make([][]float64, categories)
	rows, columns := make([]float64, categories), make([]float64, categories)
	for i := range table {
		table[i] = make([]float64, categories)
	}
	for i := range first {
		x, y := int(first[i]), int(second[i])
		table[x][y] += 1 / n
		rows[x] += 1 / n
		columns[y] += 1 / n
	}
	var observed, expected float64
	for x := range categories {
		for y := range categories {
			weight := float64((x - y) * (x - y))
			observed += weight * table[x][y]
			expected += weight * rows[x] * columns[y]
		}
	}
	return 1 - observed/expected
}

func FuzzKappa(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 1, 1, 3, 3, 0, 4, 2, 2, 1, 0, 3, 4})
	f.Fuzz(func(t *testing.T, grades []byte) {
		var first, second []float64
		for i := 0; i+1 < len(grades) && i < 2000; i += 2 {
			first, second = append(first, float64(grades[i]%11)), append(second, float64(grades[i+1]%11))
		}
		a, want := agreementOf(first, second), byTable(first, second, 11)
		if len(first) < minCompared || math.IsNaN(want) || math.IsInf(want, 0) {
			return
		}
		if got := a.kappa(); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v, want %v", got, want)
		}
		shares := a.Shares(10)
		if got := shares.kappa(); math.Abs(got-want) > 1e-6 {
			t.Errorf("in shares %v, want %v", got, want)
		}
		if got := a.Swapped().kappa(); math.Abs(got-want) > 1e-6 {
			t.Errorf("swapped %v, want %v", got, want)
		}
	})
}

func TestKappaIsNull(t *testing.T) {
	t.Parallel()
	few := agreementOf(repeated(0, 4, 4, 5), repeated(0, 5, 4, 4))
	same := agreementOf(repeated(0.1, 30), repeated(0.1, 30))
	for name, a := range map[string]Agreement{"nothing": {}, "nine answers": few, "the same grade everywhere": same} {
		if kappa := a.Kappa(); kappa != nil {
			t.Errorf("%s: %v, want nil", name, *kappa)
		}
	}
	if kappa := agreementOf(repeated(0, 5, 4, 5), repeated(0, 5, 4, 5)).Kappa(); kappa == nil || *kappa != 1 {
		t.Errorf("ten equal pairs: %v, want 1", kappa)
	}
}

func TestAgreementShares(t *testing.T) {
	t.Parallel()
	// Two of three equal. The third differs by one of four points.
	a := agreementOf([]float64{4, 2, 3}, []float64{4, 2, 2}).Shares(4)
	if got := a.EqualShare(); got != 66.67 {
		t.Errorf("equal share %v, want 66.67", got)
	}
	if got := a.MeanDifferencePercent(); got != 8.33 {
		t.Errorf("mean difference %v, want 8.33", got)
	}
}
