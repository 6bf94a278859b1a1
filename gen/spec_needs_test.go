package gen

import (
	"fmt"
	"strings"
	"testing"
)

// The published description of an operation names its scopes or its roles.
func TestDescriptionsNameNeeds(t *testing.T) {
	t.Parallel()
	named := 0
	for path, item := range load(t).Paths.Map() {
		for method, operation := range item.Operations() {
			paragraphs := strings.Split(operation.Description, "\n\n")
			last := paragraphs[len(paragraphs)-1]
			for _, extension := range []string{"x-required-scopes", "x-one-of-scopes", "x-required-roles"} {
				needed, _ := operation.Extensions[extension].([]any)
				for _, one := range needed {
					named++
					if !strings.HasPrefix(last, "Requires ") || !strings.Contains(last, fmt.Sprint(one)) {
						t.Errorf("%s %s: the description does not end with %v: %q", method, path, one, last)
					}
				}
			}
		}
	}
	if named < 60 {
		t.Errorf("only %d scopes and roles, want at least 60", named)
	}
}
