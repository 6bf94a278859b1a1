package gen

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// A link uses fields and parameters that exist, and leads to an operation that
// accepts the same credential. Otherwise a client could not follow it.
func TestLinks(t *testing.T) {
	t.Parallel()
	byID := map[string]located{}
	for _, o := range operations(t) {
		byID[o.OperationID] = o
	}
	used := map[string]bool{}
	for name, from := range operations(t) {
		for status, answer := range from.Responses.Map() {
			for key, ref := range answer.Value.Links {
				place := name + " " + status + " " + key
				component, isComponent := strings.CutPrefix(ref.Ref, "#/components/links/")
				if !isComponent || key != strings.ToLower(component[:1])+component[1:] {
					t.Errorf("%s: is %q, want the component with that name", place, ref.Ref)
				}
				used[component] = true
				to, known := byID[ref.Value.OperationID]
				if !known {
					t.Errorf("%s: there is no operation %q", place, ref.Value.OperationID)
					continue
				}
				if schemesOf(from.Security) != schemesOf(to.Security) && schemesOf(from.Security) != "" {
					t.Errorf("%s: %s needs another credential", place, to.OperationID)
				}
				checkLink(t, place, ref.Value, from, answer.Value, to)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(load(t).Components.Links)) {
		if !used[name] {
			t.Errorf("link %s: no response has it", name)
		}
	}
	if len(used) < 30 {
		t.Errorf("found only %d links", len(used))
	}
}

func checkLink(t *testing.T, place string, link *openapi3.Link, from located, answer *openapi3.Response, to located) {
	t.Helper()
	for parameter, expression := range link.Parameters {
		if to.Parameters.GetByInAndName(openapi3.ParameterInPath, parameter) == nil &&
			to.Parameters.GetByInAndName(openapi3.ParameterInQuery, parameter) == nil {
			t.Errorf("%s: %s has no parameter %s", place, to.OperationID, parameter)
		}
		checkExpression(t, place, expression, from, answer)
	}
	for _, parameter := range to.Parameters {
		if name := parameter.Value.Name; parameter.Value.Required && link.Parameters[name] == nil {
			t.Errorf("%s: does not set %s, which %s requires", place, name, to.OperationID)
		}
	}
	if link.RequestBody != nil {
		t.Errorf("%s: openapi-generator does not support an object as a link's body: describe it in the description", place)
	}
}

// checkExpression resolves a runtime expression in the request or the response.
func checkExpression(t *testing.T, place string, expression any, from located, answer *openapi3.Response) {
	t.Helper()
	text, _ := expression.(string)
	if parameter, inPath := strings.CutPrefix(text, "$request.path."); inPath {
		if from.Parameters.GetByInAndName(openapi3.ParameterInPath, parameter) == nil {
			t.Errorf("%s: %s: the path has no such parameter", place, text)
		}
		return
	}
	pointer, inBody := strings.CutPrefix(text, "$response.body#/")
	content := answer.Content["application/json"]
	if !inBody || content == nil {
		t.Errorf("%s: %v refers to neither the request's path nor the response's body", place, expression)
		return
	}
	schema := content.Schema.Value
	for step := range strings.SplitSeq(pointer, "/") {
		if schema = below(schema, step); schema == nil {
			t.Errorf("%s: %s: the response has no %s", place, text, step)
			return
		}
	}
}

// below returns the schema at one step of a JSON Pointer, or nil.
func below(s *openapi3.Schema, step string) *openapi3.Schema {
	if s.Nullable && len(s.AllOf) == 1 {
		s = s.AllOf[0].Value
	}
	if _, err := strconv.Atoi(step); err == nil && s.Items != nil {
		return s.Items.Value
	}
	property, _ := member(s, step)
	if property == nil && len(s.OneOf) > 0 { // shared properties are in every variant
		return below(s.OneOf[0].Value, step)
	}
	if property == nil {
		return nil
	}
	return property.Value
}
