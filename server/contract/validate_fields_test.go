package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// place is one value of a request body that the schema describes.
type place struct {
	pointer string
	schema  *openapi3.Schema // resolved
	put     func(value any) any
}

// places returns every place of a body, in each variant of a oneOf. The put of a place
// returns a whole body with the given value at this place. All other values come from
// the examples.
func places(schema *openapi3.Schema, pointer string, put func(any) any) []place {
	schema = resolved(schema)
	found := []place{{pointer, schema, put}}
	for _, variant := range schema.OneOf {
		found = append(found, places(variant.Value, pointer, put)...)
	}
	if schema.Items != nil {
		found = append(found, places(schema.Items.Value, pointer+"/0", func(value any) any { return put([]any{value}) })...)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		found = append(found, places(schema.Properties[name].Value, pointer+"/"+name, func(value any) any {
			whole := example(schema)
			if schema.MaxProps != nil { // one field at a time
				clear(whole)
			}
			whole[name] = value
			return put(whole)
		})...)
	}

	return found
}

// resolved returns `{type: …, nullable: true, allOf: [one]}` as one schema. OpenAPI 3.0
// has no other way to write a nullable reference.
func resolved(schema *openapi3.Schema) *openapi3.Schema {
	if len(schema.AllOf) != 1 {
		return schema
	}
	whole := *schema.AllOf[0].Value
	whole.Nullable = schema.Nullable
	return &whole
}

// example returns a copy of the schema's example.
func example(schema *openapi3.Schema) object {
	whole, _ := schema.Example.(map[string]any)
	return maps.Clone(whole)
}

// wrong is a value that the schema of a place does not allow, with the expected field
// error. code is "" if several codes are correct.
type wrong struct {
	name, pointer, code string
	value               any
}

// wrongValues returns the values to test at a place.
func wrongValues(p place) []wrong {
	s := p.schema
	var found []wrong
	add := func(name, suffix, code string, value any) {
		found = append(found, wrong{name, p.pointer + suffix, code, value})
	}
	if !s.Nullable && len(s.OneOf) == 0 {
		add("null", "", "", nil) // the code depends on the kind of schema
	}
	switch {
	case len(s.OneOf) > 0:
		add("text", "", "invalid_type", "x")
		add("no variant", "/"+s.Discriminator.PropertyName, "required", object{})
		add("unknown variant", "/"+s.Discriminator.PropertyName, "invalid_value",
			object{s.Discriminator.PropertyName: "NONE"})
	case s.Type.Is("string"):
		addWrongText(s, add)
	case s.Type.Is("number"), s.Type.Is("integer"):
		add("text", "", "invalid_type", "1")
		add("too small", "", "too_small", *s.Min-1)
		add("too large", "", "too_large", *s.Max+1)
		if s.Type.Is("integer") {
			add("fraction", "", "invalid_type", *s.Min+0.5)
		}
	case s.Type.Is("boolean"):
		add("text", "", "invalid_type", "true")
		add("number", "", "invalid_type", 1)
	case s.Type.Is("array"):
		add("text", "", "invalid_type", "x")
		add("object", "", "invalid_type", object{})
		addWrongLength(s, add)
	case s.Type.Is("object"):
		add("text", "", "invalid_type", "x")
		add("list", "", "invalid_type", []any{})
		addWrongFields(s, add)
	}

	return found
}

type adder func(name, suffix, code string, value any)

func addWrongText(s *openapi3.Schema, add adder) {
	add("number", "", "", 1)
	add("object", "", "", object{})
	switch {
	case len(s.Enum) > 0:
		add("unknown value", "", "invalid_value", "NONE")
		add("another case", "", "invalid_value", strings.ToLower(s.Enum[0].(string))+" ")
		return
	case s.MinLength > 0:
		add("empty", "", "too_short", "")
	}

	add("too long", "", "too_long", strings.Repeat("ä", int(*s.MaxLength)+1))
	if s.Format != "" && s.Format != "password" {
		add("another format", "", "invalid_format", strings.Repeat("x", max(int(s.MinLength), 1)))
	}
	if s.Pattern != "" {
		add("another pattern", "", "invalid_format", strings.Repeat(" ", max(int(s.MinLength), 1)))
	}
}

func addWrongLength(s *openapi3.Schema, add adder) {
	item := resolved(s.Items.Value)
	var items []any
	for range *s.MaxItems + 1 {
		items = append(items, item.Example)
	}
	add("too many items", "", "too_many_items", items)
	if s.MinItems > 0 {
		add("no items", "", "too_few_items", []any{})
	}
	if s.UniqueItems {
		add("an item twice", "", "duplicate", items[:2])
	}
}

func addWrongFields(s *openapi3.Schema, add adder) {
	if values := s.AdditionalProperties.Schema; values != nil { // a map
		add("another type of value", "/x", "invalid_type", object{"x": 1})
		add("too long a value", "/x", "too_long", object{"x": strings.Repeat("x", int(*values.Value.MaxLength)+1)})
		many := object{}
		for range *s.MaxProps + 1 {
			many[strings.Repeat("x", len(many)+1)] = ""
		}
		add("too many fields", "", "too_many_items", many)
		return
	}
	whole := example(s)
	whole["unknownField"] = 1
	add("unknown field", "/unknownField", "unknown_field", whole)
	if s.MinProps > 0 {
		add("no fields", "", "too_few_items", object{})
	}
	for _, name := range s.Required {
		whole := example(s)
		delete(whole, name)
		add("no "+name, "/"+name, "required", whole)
	}
}

// The server enforces each rule in openapi.yaml about a field, and the field error
// points to this field. The wrong values are derived from the schema, so the test
// covers new fields too.
func TestEveryBodyField(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		c, inStage := c.inStage(o)
		for _, p := range places(o.body, "", func(value any) any { return value }) {
			for _, w := range wrongValues(p) {
				if o.bodyOptional && p.pointer == "" && w.value == nil {
					continue // null is the same as no body, which is optional
				}
				body, err := json.Marshal(inStage(p.put(w.value)))
				if err != nil {
					t.Fatal(err)
				}
				answer := c.send(o, p.pointer+" "+w.name, string(body)).ofItem(o, w.pointer)
				if w.code != "" {
					answer.blames("body " + w.pointer + " " + w.code)
				} else {
					answer.blamesPlace(w.pointer)
				}
			}
		}
	})
}

// inStage returns a cast whose candidate can use the operation, and a function that
// sets the stage of a body. Rows of answers have errors of their own only if the stage
// of the request is the candidate's.
func (c *cast) inStage(o described) (*cast, func(body any) any) {
	c.api.t.Helper()
	if o.itemsAt != "answers" {
		return c, func(body any) any { return body }
	}
	assessmentID := c.publish(twoStages())
	started := c.begin(assessmentID)
	taking := *c
	taking.invite = strings.TrimPrefix(started.who.value, "Bearer ")
	return &taking, func(body any) any {
		if fields, ok := body.(object); ok && fields["stageId"] == o.body.Properties["stageId"].Value.Example {
			fields["stageId"] = started.stageID
		}
		return body
	}
}

// ofItem is for operations whose items fail separately. It returns the error of the
// first item as if it were the error of the whole request.
func (r response) ofItem(o described, pointer string) response {
	r.t.Helper()
	if o.id == "retrieveResults" && r.status == 200 {
		failed, err := json.Marshal(r.at("data.0.error"))
		if err != nil {
			r.t.Fatal(err)
		}
		return response{t: r.t, name: r.name, status: 400, header: r.header, body: failed}
	}
	if o.itemsAt == "" || !strings.HasPrefix(pointer, "/"+o.itemsAt+"/") || r.status != 200 ||
		!slices.Contains([]string{"FAILED", "REFUSED"}, r.text("data."+o.itemsAt+".0.outcome")) {
		return r
	}
	failed, err := json.Marshal(r.at("data." + o.itemsAt + ".0.error"))
	if err != nil {
		r.t.Fatal(err)
	}
	return response{t: r.t, name: r.name, status: 400, header: r.header, body: failed}
}

// blamesPlace is blames for any code at the pointer.
func (r response) blamesPlace(pointer string) {
	r.t.Helper()
	r.is(400, "invalid_request")
	if r.status == 400 && !slices.ContainsFunc(r.faults(),
		func(fault string) bool { return strings.HasPrefix(fault, "body "+pointer+" ") }) {
		r.t.Errorf("%s: field errors %q, want one at %s", r.name, r.faults(), pointer)
	}
}

// storeFaults are the faults that only the store can find in a value that the schema allows, by operation.
var storeFaults = map[string][]string{
	// A further period is at most the first one.
	"replaceRetention":           {"body /notStartedMonths too_large", "body /states/0/months too_large"},
	"replaceAssessmentRetention": {"body /notStartedMonths too_large", "body /states/0/months too_large"},
	"previewRetention":           {"body /notStartedMonths too_large", "body /states/0/months too_large"},
	// A question that the candidate has not reached.
	"recordActivity": {"body /questions/0/questionId unknown_id"},
	// A cursor that no page has returned.
	"retrieveCandidateData":       {"body /after invalid_value"},
	"retrievePublicCandidateData": {"body /after invalid_value"},
	// Roles follow from a claim.
	"replaceSignInProvider": {"body /roleClaim required", "body /clientSecret required"},
	// A domain with dots.
	"createSignInDomain": {"body /domain invalid_value"},
	// The credential of a browser, as JSON.
	"reauthenticate":      {"body /passkey invalid_value"},
	"confirmSecondFactor": {"body /passkey invalid_value"},
	// The refresh token of another sign-in.
	"switchOrganization": {"body /refreshToken invalid_value"},
	// The name of another organization.
	"scheduleOrganizationDeletion": {"body /name invalid_value"},
}

// The server accepts each value that the schema allows: examples, null, every enum
// value, and values at the limits.
func TestEveryBodyFieldAccepted(t *testing.T) {
	everyBody(t, func(t *testing.T, c *cast, o described) {
		for _, p := range places(o.body, "", func(value any) any { return value }) {
			for name, value := range rightValues(p.schema) {
				body, err := json.Marshal(p.put(value))
				if err != nil {
					t.Fatal(err)
				}
				answer := c.send(o, p.pointer+" "+name, string(body))
				if answer.status != 400 {
					continue
				}
				for _, fault := range answer.faults() {
					// The store may reject an id of another assessment's stage, or a time outside of its limits.
					refused := strings.HasSuffix(fault, " unknown_id") || p.schema.Format == "date-time" &&
						(strings.HasSuffix(fault, " too_small") || strings.HasSuffix(fault, " too_large")) ||
						slices.Contains(storeFaults[o.id], fault)
					if strings.HasPrefix(fault, "body "+p.pointer+" ") && !refused {
						t.Errorf("%s: %s", answer.name, fault)
					}
				}
			}
		}
	})
}

// rightValues returns values that the schema allows, by name.
func rightValues(s *openapi3.Schema) map[string]any {
	values := map[string]any{}
	if s.Example != nil {
		values["example"] = s.Example
	}
	if s.Nullable {
		values["null"] = nil
	}
	if s.Min != nil && s.Max != nil {
		values["minimum"], values["maximum"] = *s.Min, *s.Max
	}
	for _, one := range s.Enum {
		values[one.(string)] = one
	}
	if s.Type.Is("string") && s.Format == "" && (s.Pattern == "" || s.Pattern == `\S`) && len(s.Enum) == 0 {
		values["shortest"] = strings.Repeat("x", int(s.MinLength))
		values["longest"] = strings.Repeat("ä", int(*s.MaxLength))
	}
	return values
}
