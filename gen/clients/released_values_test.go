package clients

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/gen"

	"github.com/getkin/kin-openapi/openapi3"
)

// values are the values of a set: of a schema, or of one of its properties.
func values(t *testing.T, document []byte, schemaName, property string) []any {
	t.Helper()
	read, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	schema := read.Components.Schemas[schemaName].Value
	if property != "" {
		schema = schema.Properties[property].Value
	}
	set, isOpen := schema.Extensions["x-extensible-enum"].([]any)
	if !isOpen {
		set = schema.Enum
	}
	if len(set) == 0 {
		t.Fatalf("%s %s is not a set", schemaName, property)
	}
	return set
}

// wantReading checks that the program has read each value that the last release of the contract does not know.
func wantReading(t *testing.T, said string) {
	t.Helper()
	if !strings.HasSuffix(strings.TrimSpace(said), "reading complete") {
		t.Error("the reading is not complete")
	}
	last, err := os.ReadFile("../openapi.released.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct{ word, schema, property string }{
		{"action", "AuditAction", ""}, {"scope", "ApiKeyScope", ""}, {"event", "EventType", ""},
		{"webhook", "EventType", ""}, {"entry", "TimelineEntry", "type"}, {"email", "TimelineEntry", "email"},
	} {
		known := values(t, last, set.schema, set.property)
		for _, value := range values(t, gen.Document, set.schema, set.property) {
			if line := fmt.Sprintf("%s %v\n", set.word, value); !slices.Contains(known, value) && !strings.Contains(said, line) {
				t.Errorf("the program does not read the %s", strings.TrimSpace(line))
			}
		}
	}
	for _, line := range []string{"refused candidate_attempted_before\n", "result 100\n", "token 100\n"} {
		if !strings.Contains(said, line) {
			t.Errorf("the program does not print %q", line)
		}
	}
}
