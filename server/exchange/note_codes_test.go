package exchange

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The contract lists each code of a note.
func TestCodesOfTheContract(t *testing.T) {
	contract, err := os.ReadFile("../../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	listed := func(schema string) []string {
		found := regexp.MustCompile(`(?m)^    ` + schema + `: \{type: string, x-extensible-enum: ` +
			`\[([^\]]*)\]`).FindSubmatch(contract)
		if found == nil {
			t.Fatalf("the contract has no %s", schema)
		}
		return slices.Sorted(slices.Values(strings.Split(string(found[1]), ", ")))
	}
	var codes []string
	for code, kind := range noteKinds {
		codes = append(codes, string(code))
		if kind.detail == "" || kind.severity == "" {
			t.Errorf("%s has no detail or no severity", code)
		}
	}
	slices.Sort(codes)
	if got := listed("ImportNoteCode"); !slices.Equal(got, codes) {
		t.Errorf("the contract has %q, and the reader %q", got, codes)
	}
}
