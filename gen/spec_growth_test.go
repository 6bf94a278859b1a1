package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The tests check that responses can grow without a break for generated clients:
// requests are precise, and responses say only what a client needs to read them.

// directions returns the schemas that clients send and the schemas that they receive, by
// location. The body and the headers of a webhook are received.
func directions(t *testing.T) (sent, received map[string]*openapi3.Schema) {
	t.Helper()
	sent, received = map[string]*openapi3.Schema{}, map[string]*openapi3.Schema{}
	for name, o := range operations(t) {
		for _, p := range o.Parameters {
			add(sent, p.Value.Schema, name+" parameter "+p.Value.Name)
		}
		if o.RequestBody != nil {
			for _, media := range o.RequestBody.Value.Content {
				add(sent, media.Schema, name+" body")
			}
		}
		for status, response := range o.Responses.Map() {
			for _, media := range response.Value.Content {
				add(received, media.Schema, name+" "+status)
			}
			for header, h := range response.Value.Headers {
				add(received, h.Value.Schema, name+" "+status+" "+header)
			}
		}
		for callback, ref := range o.Callbacks {
			for _, item := range ref.Value.Map() {
				for _, operation := range item.Operations() {
					add(received, operation.RequestBody.Value.Content["application/json"].Schema, callback)
					for _, p := range operation.Parameters {
						add(received, p.Value.Schema, callback+" "+p.Value.Name)
					}
				}
			}
		}
	}
	if len(sent) < 100 || len(received) < 200 {
		t.Fatalf("found only %d schemas in requests and %d in responses", len(sent), len(received))
	}
	return sent, received
}

// add names each schema by its component, so that it is found once.
func add(found map[string]*openapi3.Schema, ref *openapi3.SchemaRef, place string) {
	if ref.Ref != "" {
		place = strings.TrimPrefix(ref.Ref, "#/components/schemas/")
		if found[place] != nil {
			return
		}
	}
	s := ref.Value
	found[place] = s
	for _, part := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		add(found, part, place+"<>")
	}
	for name, property := range s.Properties {
		add(found, property, place+"/"+name)
	}
	if s.Items != nil {
		add(found, s.Items, place+"/[]")
	}
	if s.AdditionalProperties.Schema != nil {
		add(found, s.AdditionalProperties.Schema, place+"/*")
	}
}

// A limit, a closed set or a union in a response breaks clients when the service
// raises the limit or adds a value.
func TestResponsesCanGrow(t *testing.T) {
	t.Parallel()
	_, received := directions(t)
	for place, s := range received {
		switch {
		case s.MinLength != 0 || s.MaxLength != nil || s.Pattern != "":
			t.Errorf("%s: a length or a pattern in a response", place)
		case s.Min != nil || s.Max != nil || s.MultipleOf != nil:
			t.Errorf("%s: a range in a response", place)
		case s.MinItems != 0 || s.MaxItems != nil || s.UniqueItems || s.MinProps != 0 || s.MaxProps != nil:
			t.Errorf("%s: a limited number of items in a response", place)
		case len(s.Enum) > 0:
			t.Errorf("%s: a closed set in a response; write x-extensible-enum", place)
		case len(s.OneOf) > 0 || len(s.AnyOf) > 0:
			t.Errorf("%s: a union in a response", place)
		case s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has:
			t.Errorf("%s: a response rejects additional properties", place)
		case s.Nullable && len(s.AllOf) > 0 && (len(s.AllOf) != 1 || !s.AllOf[0].Value.Type.Is("object")):
			t.Errorf("%s: a nullable value that is not an object is written inline", place)
		}
	}
}

// A null is valid only if the object in the allOf is nullable, too. Then
// openapi-python-client names the class by the title. Where the object is not null,
// it needs a schema that is not nullable.
func TestNullableObjects(t *testing.T) {
	t.Parallel()
	_, received := directions(t)
	wrapped := map[string]bool{}
	for place, s := range received {
		if s.Nullable && len(s.AllOf) == 1 {
			name := strings.TrimPrefix(s.AllOf[0].Ref, "#/components/schemas/")
			wrapped[name] = true
			if object := s.AllOf[0].Value; !object.Nullable || object.Title != name {
				t.Errorf("%s: add \"title: %s\" and \"nullable: true\" to the schema %s", place, name, name)
			}
		}
	}
	for place, s := range received {
		for name, property := range s.Properties {
			if component, named := strings.CutPrefix(property.Ref, "#/components/schemas/"); named && wrapped[component] {
				t.Errorf("%s/%s: is null by the schema %s; give it a schema of its own", place, name, component)
			}
		}
	}
	for nullable, original := range map[string]string{"BulkSession": "CandidateSession", "BatchedResult": "Result"} {
		schemas := load(t).Components.Schemas
		if !slices.Equal(slices.Sorted(maps.Keys(schemas[nullable].Value.Properties)),
			slices.Sorted(maps.Keys(schemas[original].Value.Properties))) {
			t.Errorf("%s has not the fields of %s", nullable, original)
		}
	}
}

// An object is either for requests or for responses. Otherwise a limit of the
// request would be part of the response.
func TestObjectsHaveOneDirection(t *testing.T) {
	t.Parallel()
	sent, received := directions(t)
	for place, s := range sent {
		if _, both := received[place]; both && (s.Type.Is("object") || s.Type.Is("array")) {
			t.Errorf("%s: is in requests and in responses", place)
		}
	}
}

// A set in a request is the part of the open set that clients can send.
func TestSetsAgree(t *testing.T) {
	t.Parallel()
	schemas := load(t).Components.Schemas
	closed := 0
	for name, ref := range schemas {
		open, isPair := strings.CutSuffix(name, "Input")
		if len(ref.Value.Enum) == 0 || !isPair {
			continue
		}
		closed++
		values := extensible(schemas[open].Value)
		for _, value := range ref.Value.Enum {
			if !slices.Contains(values, value) {
				t.Errorf("%s: has %v, which %s has not", name, value, open)
			}
		}
	}
	if closed < 5 {
		t.Errorf("found only %d sets in requests", closed)
	}

	// A nullable set cannot be a reference, so each place repeats the values.
	places := map[string]string{} // by property
	for place, s := range everySchema(t) {
		if len(extensible(s)) == 0 || !s.Nullable {
			continue
		}
		property := place[strings.LastIndex(place, "/")+1:]
		values := fmt.Sprint(extensible(s))
		if other, seen := places[property]; seen && other != values {
			t.Errorf("%s: has %s, another schema has %s", place, values, other)
		}
		places[property] = values
		component := schemas[strings.ToUpper(property[:1])+property[1:]]
		if component != nil && len(extensible(component.Value)) > 0 && fmt.Sprint(extensible(component.Value)) != values {
			t.Errorf("%s: has %s, its component has %v", place, values, extensible(component.Value))
		}
	}
}

// extensible returns the values of x-extensible-enum.
func extensible(s *openapi3.Schema) []any {
	values, _ := s.Extensions["x-extensible-enum"].([]any)
	return values
}
