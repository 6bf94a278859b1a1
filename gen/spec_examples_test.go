package gen

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// placed is an example with its location.
type placed struct {
	place string
	value any
}

// responseExamples returns the example of each JSON response.
func responseExamples(t *testing.T) []placed {
	t.Helper()
	var found []placed
	for name, o := range operations(t) {
		for status, ref := range o.Responses.Map() {
			content := ref.Value.Content["application/json"]
			if content == nil {
				continue
			}
			place := name + " " + status
			if content.Example == nil {
				t.Errorf("%s: has no example", place)
				continue
			}
			found = append(found, placed{place, content.Example})
		}
	}
	slices.SortFunc(found, func(a, b placed) int { return strings.Compare(a.place, b.place) })
	return found
}

// otherExamples returns the examples of request bodies, events and parameters.
func otherExamples(t *testing.T) []placed {
	t.Helper()
	document := load(t)
	var found []placed
	for _, name := range slices.Sorted(maps.Keys(document.Components.Schemas)) {
		if example := document.Components.Schemas[name].Value.Example; example != nil {
			found = append(found, placed{name, example})
		}
	}
	for name, ref := range document.Components.Parameters {
		found = append(found, placed{"parameter " + name, ref.Value.Schema.Value.Example})
	}
	return found
}

// Each response has an example with all of its fields and no others.
func TestResponseExamples(t *testing.T) {
	t.Parallel()
	if found := len(responseExamples(t)); found < 50 {
		t.Errorf("found only %d examples", found)
	}
	for name, o := range operations(t) {
		for status, ref := range o.Responses.Map() {
			content := ref.Value.Content["application/json"]
			if content == nil || content.Example == nil {
				continue
			}
			schema := content.Schema.Value
			if err := schema.VisitJSON(content.Example, openapi3.MultiErrors()); err != nil {
				t.Errorf("%s %s: the example is invalid: %v", name, status, err)
			}
		}
		if o.RequestBody != nil {
			for kind, content := range o.RequestBody.Value.Content {
				if strings.HasSuffix(kind, "json") && content.Schema.Value.Example == nil {
					t.Errorf("%s: the schema of the body has no example", name)
				}
			}
		}
	}
}

// named are the pairs of fields that name the same thing everywhere: an object with
// the first field has one value of the second.
var named = [][2]string{
	{"id", "candidateName"}, {"id", "candidateEmail"}, {"sessionId", "candidateName"}, {"sessionId", "candidateEmail"},
	{"id", "title"}, {"id", "name"}, {"id", "email"}, {"id", "prompt"}, {"id", "url"}, {"id", "type"}, {"id", "timestamp"},
	{"id", "createdAt"}, {"id", "invitedBy"}, {"assessmentId", "assessmentTitle"}, {"stageId", "stageTitle"},
	{"candidateEmail", "candidateName"}, {"email", "name"}, {"sessionId", "assessmentId"}, {"questionId", "prompt"},
	{"eventId", "eventType"},
}

// sameKind joins the fields that contain ids of the same things.
var sameKind = strings.NewReplacer("sessionId", "id", "assessmentId", "id", "assessmentTitle", "title", "stageId", "id",
	"stageTitle", "title", "questionId", "id", "eventId", "id", "eventType", "type")

// The examples describe one organization: an id has the same name, title, or time in all of them.
func TestExamplesAgree(t *testing.T) {
	t.Parallel()
	said := map[string]placed{}
	for _, example := range append(responseExamples(t), otherExamples(t)...) {
		eachObject(example.value, func(object map[string]any) {
			for _, pair := range named {
				id, isText := object[pair[0]].(string)
				value, isSet := object[pair[1]]
				_, isObject := value.(map[string]any)
				if !isText || !isSet || isObject || value == nil || pair[0] == "id" && !strings.Contains(id, "_") {
					continue
				}
				fact := id + " " + sameKind.Replace(pair[1])
				if before, known := said[fact]; known && before.value != value {
					t.Errorf("%s: %s is %v, and %v in %s", example.place, fact, value, before.value, before.place)
				}
				said[fact] = placed{example.place, value}
			}
		})
	}
	if len(said) < 50 {
		t.Errorf("found only %d facts", len(said))
	}
}

var anID = regexp.MustCompile(`\b(asm|cor|stg|qst|ses|whk|dlv|usr|key|evt|aud|org)_[0-9a-z]{26}\b`)

// An id in a request, an event or a parameter is that of something in a response.
func TestExamplesUseKnownIDs(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, example := range responseExamples(t) {
		for _, id := range anID.FindAllString(asText(t, example.value), -1) {
			known[id] = true
		}
	}
	for _, example := range otherExamples(t) {
		for _, id := range anID.FindAllString(asText(t, example.value), -1) {
			if !known[id] && !strings.HasPrefix(id, "evt_") { // no response has every type of event
				t.Errorf("%s: no response has %s", example.place, id)
			}
		}
	}
}

// Lists are sorted by id, newest first.
func TestExamplesOfListsAreSorted(t *testing.T) {
	t.Parallel()
	for _, example := range responseExamples(t) {
		body, _ := example.value.(map[string]any)
		items, _ := body["data"].([]any)
		last := ""
		for _, item := range items {
			fields, _ := item.(map[string]any)
			id, _ := fields["id"].(string)
			if last != "" && id >= last {
				t.Errorf("%s: %s is after %s", example.place, id, last)
			}
			last = id
		}
	}
}

func eachObject(value any, visit func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		visit(v)
		for _, member := range v {
			eachObject(member, visit)
		}
	case []any:
		for _, item := range v {
			eachObject(item, visit)
		}
	}
}

func asText(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(fmt.Errorf("%v: %w", value, err))
	}
	return string(encoded)
}
