package server

import (
	"testing"

	"assay/gen"
)

// Each percentage with two decimals is accepted.
func TestEachPercentage(t *testing.T) {
	t.Parallel()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	schema := document.Components.Schemas["Score"].Value
	for hundredths := range 10_001 {
		percentage := float64(hundredths) / 100
		if faults := check(t.Context(), schema, percentage, gen.FieldErrorInBody, ""); len(faults) > 0 {
			t.Errorf("%v: %v", percentage, faults)
		}
	}
	if faults := check(t.Context(), schema, 0.001, gen.FieldErrorInBody, ""); len(faults) == 0 {
		t.Error("three decimals are accepted")
	}
}
