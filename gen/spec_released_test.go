package gen

import (
	"os"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// Generated clients know the error codes of their release, and some cannot read
// others. Therefore a released operation gets no new codes; only new operations
// do. .ci/contract compares the rest of the contract with the last release.
func TestReleasedOperationsKeepTheirErrorCodes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("openapi.released.yaml")
	if err != nil {
		t.Fatal(err)
	}
	released, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for name, o := range operations(t) {
		item := released.Paths.Value(o.path)
		if item == nil || item.GetOperation(o.method) == nil {
			continue
		}
		compared++
		before, _ := item.GetOperation(o.method).Extensions["x-error-codes"].([]any)
		now, _ := o.Extensions["x-error-codes"].([]any)
		for _, code := range now {
			if !slices.Contains(before, code) {
				t.Errorf("%s: returns %v, which clients of the last release do not know", name, code)
			}
		}
	}
	if compared == 0 {
		t.Error("the last release and openapi.yaml share no operation")
	}
}
