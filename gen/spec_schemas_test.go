package gen

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// everySchema returns each schema of the document once, by its location.
func everySchema(t *testing.T) map[string]*openapi3.Schema {
	t.Helper()
	document := load(t)
	found := map[string]*openapi3.Schema{}
	for _, name := range slices.Sorted(maps.Keys(document.Components.Schemas)) {
		within(document.Components.Schemas[name], name, found)
	}
	for name, ref := range document.Components.Parameters {
		within(ref.Value.Schema, "parameter "+name, found)
	}
	for name, ref := range document.Components.Headers {
		within(ref.Value.Schema, "header "+name, found)
	}
	if len(found) < 200 {
		t.Fatalf("found only %d schemas", len(found))
	}
	return found
}

// bounded matches patterns that limit the length of a string.
var bounded = regexp.MustCompile(`^\^[^*+]*\$$`)

// Every value that a client sends has a limit.
func TestRequestsAreBounded(t *testing.T) {
	t.Parallel()
	sent, _ := directions(t)
	for place, s := range sent {
		switch {
		case s.Format == "binary":
			// x-max-body-bytes limits it. OpenAPI Generator makes Go that does not compile of a length.
			if s.MaxLength != nil {
				t.Errorf("%s: a body that is not JSON has no maxLength", place)
			}
		case s.Type.Is("string"):
			if s.MaxLength == nil && len(s.Enum) == 0 && (!bounded.MatchString(s.Pattern) || strings.Contains(s.Pattern, ",}")) {
				t.Errorf("%s: a string needs maxLength, enum or a bounded pattern", place)
			}
		case s.Type.Is("array"):
			if s.Items == nil || s.MaxItems == nil {
				t.Errorf("%s: an array needs items and maxItems", place)
			}
		case s.Type.Is("number"), s.Type.Is("integer"):
			if s.Min == nil || s.Max == nil {
				t.Errorf("%s: a number needs minimum and maximum", place)
			}
		case s.Type.Is("object"):
			if s.AdditionalProperties.Schema != nil && s.MaxProps == nil {
				t.Errorf("%s: a map needs maxProperties", place)
			}
		case s.Type.Is("boolean"):
		case s.Type == nil && (len(s.AllOf) > 1 || len(s.OneOf) > 0):
		default:
			t.Errorf("%s: has no type", place)
		}
	}
}

// Some generators make a function New… for each object, which must not have the name of another schema.
func TestSchemasAreNoConstructors(t *testing.T) {
	t.Parallel()
	schemas := load(t).Components.Schemas
	for name, schema := range schemas {
		if schema.Value.Type.Is("object") && schemas["New"+name] != nil {
			t.Errorf("New%s is also the constructor of %s", name, name)
		}
	}
}

func TestSchemasAreTyped(t *testing.T) {
	t.Parallel()
	for place, s := range everySchema(t) {
		if s.Nullable && len(s.AllOf) > 0 && !s.AllOf[0].Value.Nullable {
			t.Errorf("%s: a nullable reference needs a nullable schema, too", place)
		}
		if s.Type == nil && len(s.AllOf) == 0 && len(s.OneOf) == 0 {
			t.Errorf("%s: has no type", place)
		}
		if s.Type.Is("number") && s.Format != "double" {
			t.Errorf("%s: a number needs the format double, because generators choose different types without it", place)
		}
		for _, name := range s.Required {
			if len(s.Properties) > 0 && s.Properties[name] == nil {
				t.Errorf("%s: requires %s, which is not a property", place, name)
			}
		}
	}
}

// A rule that no keyword of the schema can express is in its description, because
// a client cannot see it anywhere else.
func TestRulesBeyondKeywords(t *testing.T) {
	t.Parallel()
	schemas := load(t).Components.Schemas
	for name, rule := range map[string]string{
		"CandidateSessionCreate": "within a year", "ApiKeyCreate": "in the future", "WebhookReplay": "after `since`",
		"StageInput": "has already", "MetadataInput": "1 to 40 characters", "DateTime": "without leap seconds",
		"NewPassword": "common",
	} {
		if description := schemas[name].Value.Description; !strings.Contains(description, rule) {
			t.Errorf("%s: %q does not say %q", name, description, rule)
		}
	}
}

// The documentation shows the examples, and the tests of every operation send
// them, so they must be valid.
func TestExamples(t *testing.T) {
	t.Parallel()
	for place, s := range everySchema(t) {
		if s.Example == nil {
			isScalar := !s.Type.Is("object") && len(s.AllOf) == 0 && len(s.OneOf) == 0 && s.Items == nil &&
				len(s.Properties) == 0
			if isScalar && !strings.HasSuffix(place, "/*") { // a map's example contains its values
				t.Errorf("%s: needs an example", place)
			}
			continue
		}
		if err := s.VisitJSON(s.Example, openapi3.MultiErrors()); err != nil {
			t.Errorf("%s: its example is invalid: %v", place, err)
		}
		if undeclared := undeclared(s, s.Example); len(undeclared) > 0 {
			t.Errorf("%s: its example has %v, which is not in the schema", place, undeclared)
		}
	}
}

// undeclared returns the fields of an object that are not in its schema.
func undeclared(s *openapi3.Schema, example any) []string {
	object, isObject := example.(map[string]any)
	if !isObject || s.AdditionalProperties.Has != nil || s.AdditionalProperties.Schema != nil || len(s.OneOf) > 0 {
		return nil
	}
	properties := maps.Clone(s.Properties)
	for _, part := range s.AllOf {
		if properties == nil {
			properties = openapi3.Schemas{}
		}
		maps.Copy(properties, part.Value.Properties)
	}
	var names []string
	for name := range object {
		if properties[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

// A union has a discriminator. With it, an error refers to the intended variant,
// and generators make one type for each variant.
func TestChoices(t *testing.T) {
	t.Parallel()
	for place, s := range everySchema(t) {
		if len(s.AnyOf) > 0 || s.Not != nil {
			t.Errorf("%s: uses anyOf or not", place)
		}
		if (len(s.OneOf) > 0) != (s.Discriminator != nil) {
			t.Errorf("%s: needs both oneOf and a discriminator, or neither", place)
		}
		if len(s.OneOf) == 0 || s.Discriminator == nil {
			continue
		}
		chosen := map[string]string{} // variant → value
		for value, variant := range s.Discriminator.Mapping {
			chosen[variant.Ref] = value
		}
		if len(chosen) != len(s.OneOf) || len(s.Discriminator.Mapping) != len(s.OneOf) {
			t.Errorf("%s: %d variants, %d of them mapped by %d values",
				place, len(s.OneOf), len(chosen), len(s.Discriminator.Mapping))
		}
		for _, variant := range s.OneOf {
			name := s.Discriminator.PropertyName
			property, required := member(variant.Value, name)
			if variant.Ref == "" || property == nil || !required ||
				!slices.Equal(property.Value.Enum, []any{chosen[variant.Ref]}) {
				t.Errorf("%s: %s does not require %s to be exactly %q", place, variant.Ref, name, chosen[variant.Ref])
			}
		}
	}
}

// member returns a property of an object or of its allOf, and whether the property
// is required.
func member(s *openapi3.Schema, name string) (property *openapi3.SchemaRef, required bool) {
	property, required = s.Properties[name], slices.Contains(s.Required, name)
	for _, part := range s.AllOf {
		if found, needed := member(part.Value, name); found != nil {
			property, required = found, required || needed
		}
	}
	return property, required
}

// keywords31 are keywords of OpenAPI 3.1. OpenAPI 3.0 ignores them silently.
var keywords31 = []string{
	"const", "examples", "prefixItems", "contains", "if", "then", "else", "$defs", "$id", "$anchor", "$comment",
	"patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "dependentSchemas",
	"dependentRequired", "contentEncoding", "minContains",
}

var reference = regexp.MustCompile(`\{\$ref: '#/components/[^']+'\}`)

// The document uses only what OpenAPI 3.0 supports. Null is written `nullable`,
// beside a type. A reference has no siblings, because they
// are ignored.
func TestNothingOfOpenAPI31(t *testing.T) {
	t.Parallel()
	all, alone := bytes.Count(Document, []byte("$ref:")), reference.FindAll(Document, -1)
	if all != len(alone) || all < 500 {
		t.Errorf("%d of %d references are written {$ref: '…'}", len(alone), all) // loading drops siblings
	}
	document := generic(t, load(t))
	if document["webhooks"] != nil || document["jsonSchemaDialect"] != nil {
		t.Error("webhooks and jsonSchemaDialect belong to OpenAPI 3.1")
	}
	var walk func(place string, value any, isSchema bool)
	walk = func(place string, value any, isSchema bool) {
		switch v := value.(type) {
		case []any:
			for i, item := range v {
				walk(fmt.Sprintf("%s/%d", place, i), item, isSchema)
			}
		case map[string]any:
			if isSchema {
				checkKeywords(t, place, v)
			}
			for name, member := range v {
				if name == "example" || strings.HasPrefix(name, "x-") {
					continue
				}
				below := place + "/" + name
				switch {
				case name == "schema",
					isSchema && slices.Contains([]string{"items", "allOf", "oneOf", "additionalProperties"}, name):
					walk(below, member, true)
				case isSchema && name == "properties", place == "/components" && name == "schemas":
					for property, schema := range member.(map[string]any) {
						walk(below+"/"+property, schema, true)
					}
				default:
					walk(below, member, false)
				}
			}
		}
	}
	walk("", document, false)
}

func checkKeywords(t *testing.T, place string, schema map[string]any) {
	t.Helper()
	for _, keyword := range keywords31 {
		if _, has := schema[keyword]; has {
			t.Errorf("%s: %s belongs to OpenAPI 3.1", place, keyword)
		}
	}
	kinds := []any{"string", "number", "integer", "boolean", "array", "object"}
	if kind, has := schema["type"]; has && !slices.Contains(kinds, kind) {
		t.Errorf("%s: type %v does not exist in OpenAPI 3.0", place, kind)
	}
	if schema["nullable"] == true && schema["type"] == nil {
		t.Errorf("%s: nullable has no effect without a type, and Ajv rejects it", place)
	}
	for _, keyword := range []string{"exclusiveMinimum", "exclusiveMaximum"} {
		if _, isBool := schema[keyword].(bool); schema[keyword] != nil && !isBool {
			t.Errorf("%s: %s is a boolean in OpenAPI 3.0", place, keyword)
		}
	}
	if values, _ := schema["enum"].([]any); slices.Contains(values, nil) {
		t.Errorf("%s: null is in the enum", place)
	}
}

// oneLine are the fields of requests that people see as one line, by their place.
var oneLine = []string{
	"ApiKeyCreate/name", "CandidateSessionCreate/externalId", "CriterionInput/title", "EmailTextSubject",
	"OrganizationName", "OrganizationUpdate/mailFromName", "PersonName", "PoolInput/title", "QuestionTagName",
	"ResultLinkCreate/label", "ReviewEmailSubject",
	"ReviewStateName", "ReviewTagName", "SecondFactorCreate/name", "SegmentCreate/name",
	"SelfIdentificationOptionInput/text", "SelfIdentificationQuestionInput/text", "StageInput/title", "Title",
	"WebhookEndpointCreate/description", "WebhookEndpointUpdate/description",
}

// Every name and title that a client sends is marked as one line, so that it cannot
// contain control characters.
func TestNamesAreOneLine(t *testing.T) {
	t.Parallel()
	sent, _ := directions(t)
	var marked []string
	for _, place := range slices.Sorted(maps.Keys(sent)) {
		if isMarked, _ := sent[place].Extensions["x-single-line"].(bool); isMarked {
			marked = append(marked, place)
		}
	}
	if !slices.Equal(marked, oneLine) {
		t.Errorf("marked as one line: %q, want %q", marked, oneLine)
	}
}

// Each property says what it is, or refers to a schema that says it.
func TestPropertiesAreDescribed(t *testing.T) {
	t.Parallel()
	for place, s := range everySchema(t) {
		isEnvelope := slices.Equal(s.Required, []string{"data"}) && len(s.Properties) == 1
		for name, property := range s.Properties {
			if property.Value.Description == "" && !isEnvelope {
				t.Errorf("%s/%s: needs a description", place, name)
			}
		}
	}
}
