package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The tests check the rules that every operation and every schema of openapi.yaml follows.

func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(Document)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// The program validates requests against openapi.yaml. It serves the same document
// with samples and with the needs of each operation; all other lines are the same.
func TestEmbeddedDocument(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, withoutSamples(needs.ReplaceAll(Document, nil))) {
		t.Error("openapi.gen.yaml is not openapi.yaml with samples and needs: run `make generate`")
	}
	asWritten, err := openapi3.NewLoader().LoadFromData(written)
	if err != nil {
		t.Fatal(err)
	}
	embedded, err := GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range embedded.Components.Schemas {
		withoutGoTypes(schema)
	}
	for _, uploads := range []openapi3.Content{ // see overlay.yaml
		asWritten.Paths.Value("/v1/organization/logo").Put.RequestBody.Value.Content,
		asWritten.Paths.Value("/v1/media").Post.RequestBody.Value.Content,
		asWritten.Paths.Value("/v1/public/media").Post.RequestBody.Value.Content,
	} {
		var others []any
		for _, other := range []string{"image/jpeg", "image/webp", "image/gif"} {
			if uploads[other] != nil {
				others = append(others, other)
				delete(uploads, other)
			}
		}
		uploads["image/png"].Extensions = map[string]any{"x-also-accepted": others}
	}
	if !reflect.DeepEqual(generic(t, embedded), generic(t, asWritten)) {
		t.Error("the document in api.gen.go is not openapi.yaml: run `make generate`")
	}
	inJSON, err := openapi3.NewLoader().LoadFromData(DocumentJSON)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(generic(t, inJSON), generic(t, load(t))) {
		t.Error("openapi.gen.json is not openapi.gen.yaml: run `make generate`")
	}
}

// withoutGoTypes removes what overlay.yaml adds.
func withoutGoTypes(ref *openapi3.SchemaRef) {
	isGoType := func(name string, _ any) bool { return strings.HasPrefix(name, "x-go-type") }
	maps.DeleteFunc(ref.Value.Extensions, isGoType)
	maps.DeleteFunc(ref.Extensions, isGoType)
	for _, property := range ref.Value.Properties {
		maps.DeleteFunc(property.Value.Extensions, isGoType)
		maps.DeleteFunc(property.Extensions, isGoType)
	}
	for _, part := range ref.Value.AllOf {
		withoutGoTypes(part)
	}
}

// needs is the paragraph that the generator appends to the description of an operation.
var needs = regexp.MustCompile(
	"\n\n        Requires (an API key|a person) with (the (scope|scopes|role)|any scopes).*\\.\n")

// withoutSamples removes each x-codeSamples, up to the next line with the same
// indentation, the examples of responses, and the sentences about scopes and roles.
func withoutSamples(document []byte) []byte {
	var out bytes.Buffer
	const key = "      x-codeSamples:\n"
	within := false
	for line := range bytes.Lines(document) {
		further := bytes.HasPrefix(line, []byte("       ")) || len(line) == 1
		within = string(line) == key || (within && further)
		if !within {
			out.Write(addedExample.ReplaceAll(line, []byte("$1}\n")))
		}
	}
	return out.Bytes()
}

var addedExample = regexp.MustCompile(`^( +application/json: \{schema: \{\$ref: '[^']+'\}), example: .*\}\n$`)

func generic(t *testing.T, document any) (value map[string]any) {
	t.Helper()
	encoded, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(encoded, &value)
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestDocument(t *testing.T) {
	t.Parallel()
	document := load(t)
	if document.OpenAPI != "3.0.3" {
		t.Errorf("openapi is %s: the validator compiles the schemas of 3.1 for each request", document.OpenAPI)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if len(document.Security) != 0 {
		t.Error("the document has security: an operation without its own would inherit it")
	}
	described := map[string]bool{}
	for _, tag := range document.Tags {
		described[tag.Name] = tag.Description != ""
	}
	used := map[string]bool{}
	for name, o := range operations(t) {
		for _, tag := range o.Tags {
			used[tag] = true
			if !described[tag] {
				t.Errorf("%s: the tag %s has no description", name, tag)
			}
		}
	}
	if len(used) != len(described) {
		t.Errorf("tags %v are described, tags %v are used", described, used)
	}
}

// located is an operation with its path and method.
type located struct {
	*openapi3.Operation
	method, path string
}

// operations returns every operation by "METHOD path".
func operations(t *testing.T) map[string]located {
	t.Helper()
	found := map[string]located{}
	for path, item := range load(t).Paths.Map() {
		for method, operation := range item.Operations() {
			found[method+" "+path] = located{operation, method, path}
		}
	}
	return found
}

var (
	lowerCamelCase = regexp.MustCompile(`^[a-z]+([A-Z][a-z]+)*$`)
	imperative     = regexp.MustCompile(`^[A-Z][a-z]+( \S+)+[^.]$`)
	article        = regexp.MustCompile(`^(A|An|The|Own) `)
	clauseEnd      = regexp.MustCompile(`[.:;](\s|$)`)
	pathForm       = regexp.MustCompile(`^/v1(/[a-z]+(-[a-z]+)*|/\{[a-z]+([A-Z][a-z]+)*\})+$`)
)

func TestOperations(t *testing.T) {
	t.Parallel()
	ids := map[string]string{}
	for name, o := range operations(t) {
		if !lowerCamelCase.MatchString(o.OperationID) {
			t.Errorf("%s: operationId %q is not in lower camel case", name, o.OperationID)
		}
		if other := ids[o.OperationID]; other != "" {
			t.Errorf("%s: operationId %s is also used by %s", name, o.OperationID, other)
		}
		ids[o.OperationID] = name
		if !pathForm.MatchString(o.path) {
			t.Errorf("%s: a path consists of /v1 and lower-case words", name)
		}
		if len(o.Tags) != 1 {
			t.Errorf("%s: tags %v, want one, the name of the handler's file", name, o.Tags)
		}
		if !imperative.MatchString(o.Summary) || article.MatchString(o.Summary) || len(o.Summary) > 60 {
			t.Errorf("%s: the summary %q is not a short phrase that begins with a verb", name, o.Summary)
		}
		written, _, _ := strings.Cut(o.Description, "\n\nRequires ") // the rest is generated
		clauses := len(clauseEnd.FindAllString(o.Description, -1))
		if clauses < 2 || len(o.Description) < 90 || len(written) > 500 {
			t.Errorf("%s: needs a description of a few sentences that says when to use it: %q", name, o.Description)
		}
		for _, ref := range o.Parameters {
			p := ref.Value
			if p.Description == "" || p.Schema == nil {
				t.Errorf("%s: parameter %s needs a description and a schema", name, p.Name)
			}
			if !slices.Contains([]string{"path", "query", "header"}, p.In) {
				t.Errorf("%s: parameter %s is in %s, want the path, the query or a header", name, p.Name, p.In)
			}
		}
	}
}

// Every parameter that the contract allows fits into a request. With each character
// percent-encoded, the parameters stay below the 32 KiB that the server reads as
// headers. Above that the server responds with a 431 without a body.
func TestParametersFit(t *testing.T) {
	t.Parallel()
	const encoded, most = len("%F0%9F%98%80"), 28 << 10
	for name, o := range operations(t) {
		length := 0
		for _, ref := range o.Parameters {
			if limit := ref.Value.Schema.Value.MaxLength; limit != nil {
				length += int(*limit) * encoded
			}
		}
		if length > most {
			t.Errorf("%s: its parameters can have %d bytes, more than %d", name, length, most)
		}
	}
}

// An operation's path determines its credential, so that the path of a new
// operation cannot contradict its credential.
func TestSecurity(t *testing.T) {
	t.Parallel()
	schemas := load(t).Components.Schemas
	for name, o := range operations(t) {
		want, needs, values := "bearerAuth", "x-required-roles", "RoleInput"
		switch {
		case strings.HasPrefix(o.path, "/v1/auth/"):
			want, needs, values = "", "", ""
		case strings.HasPrefix(o.path, "/v1/public/"):
			want, needs, values = "apiKeyAuth", "x-required-scopes", "ApiKeyScopeInput"
		case strings.HasPrefix(o.path, "/v1/candidate/"):
			want, needs, values = "candidateAuth", "", ""
		}
		if o.Security == nil {
			t.Errorf("%s: has no security", name)
			continue
		}
		if got := schemesOf(o.Security); got != want {
			t.Errorf("%s: security %q, want %q", name, got, want)
		}
		for _, extension := range []string{"x-required-roles", "x-required-scopes"} {
			if _, has := o.Extensions[extension]; has != (extension == needs) {
				t.Errorf("%s: has %s: %v, want %v", name, extension, has, !has)
			}
		}
		if needs == "" {
			continue
		}
		listed, _ := o.Extensions[needs].([]any)
		oneOf, _ := o.Extensions["x-one-of-scopes"].([]any)
		if listed = append(listed, oneOf...); len(listed) == 0 && !needsNoScope[o.OperationID] {
			t.Errorf("%s: %s is empty", name, needs)
		}
		for _, value := range listed {
			if text := value.(string); len(listed) < 3 && !strings.Contains(o.Description, text) {
				t.Errorf("%s: the description does not name %s", name, text)
			}
			if !slices.Contains(schemas[values].Value.Enum, value) {
				t.Errorf("%s: %s has %v, want one of %s", name, needs, value, values)
			}
		}
	}
}

// needsNoScope are the operations that each API key may call.
var needsNoScope = map[string]bool{"retrievePublicMe": true, "listPublicEventTypes": true}

func schemesOf(requirements *openapi3.SecurityRequirements) string {
	if requirements == nil {
		return ""
	}
	var schemes []string
	for _, requirement := range *requirements {
		for scheme, scopes := range requirement {
			schemes = append(schemes, scheme+strings.Join(scopes, " "))
		}
	}
	return strings.Join(schemes, ", ")
}

func TestBodies(t *testing.T) {
	t.Parallel()
	for name, o := range operations(t) {
		limit, has := o.Extensions["x-max-body-bytes"]
		if o.RequestBody == nil {
			if has {
				t.Errorf("%s: x-max-body-bytes without a body", name)
			}
			continue
		}
		body := o.RequestBody.Value
		if body.Content["image/png"] != nil && body.Required && (limit == 262144.0 || limit == 5242880.0) ||
			body.Content["application/octet-stream"] != nil && body.Required && limit == 10485760.0 {
			continue
		}
		// Most organizations require no acknowledgement, and their settings say whether Assay sends email.
		optional := slices.Contains([]string{"startTaking", "resendCandidateSession", "resendPublicCandidateSession"},
			o.OperationID)
		if body.Required == optional || len(body.Content) != 1 || body.Content["application/json"] == nil {
			t.Errorf("%s: the body must be required, and only JSON or a file", name)
			continue
		}
		schema := body.Content["application/json"].Schema
		if !strings.HasPrefix(schema.Ref, "#/components/schemas/") {
			t.Errorf("%s: the body's schema is not a component", name)
		}
		want := 262144.0
		switch {
		case strings.HasPrefix(o.path, "/v1/auth/"), holdsPassword(schema.Value):
			want = 16384
		case schema.Value.Properties["stages"] != nil, o.Extensions["x-outcome-per-item"] != nil:
			want = 1048576
		}
		if limit != want {
			t.Errorf("%s: x-max-body-bytes is %v, want %v", name, limit, want)
		}
		for place, part := range within(schema, name, nil) {
			closed := part.AdditionalProperties.Has != nil && !*part.AdditionalProperties.Has
			typed := part.AdditionalProperties.Schema != nil && part.MaxProps != nil && len(part.Properties) == 0
			if part.Type.Is("object") && len(part.AllOf) == 0 && !closed && !typed {
				t.Errorf("%s: an object in a request must reject additional properties, or be a bounded map of one type", place)
			}
		}
	}
}

func holdsPassword(schema *openapi3.Schema) bool {
	for _, property := range schema.Properties {
		if property.Value.Format == "password" {
			return true
		}
	}
	return false
}

// within adds a schema and all schemas below it to found, by their location.
func within(ref *openapi3.SchemaRef, place string, found map[string]*openapi3.Schema) map[string]*openapi3.Schema {
	if found == nil {
		found = map[string]*openapi3.Schema{}
	}
	for _, seen := range found {
		if seen == ref.Value {
			return found
		}
	}
	found[place] = ref.Value
	s := ref.Value
	for i, part := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		within(part, fmt.Sprintf("%s<%d>", place, i), found)
	}
	for name, property := range s.Properties {
		within(property, place+"/"+name, found)
	}
	if s.Items != nil {
		within(s.Items, place+"/[]", found)
	}
	if s.AdditionalProperties.Schema != nil {
		within(s.AdditionalProperties.Schema, place+"/*", found)
	}
	return found
}

// The reference shows each operation with a sample in each language that has a
// client. The samples are parts of programs that CI runs.
func TestSamples(t *testing.T) {
	t.Parallel()
	for name, o := range operations(t) {
		var labels []string
		samples, _ := o.Extensions["x-codeSamples"].([]any)
		for _, sample := range samples {
			fields, _ := sample.(map[string]any)
			label, _ := fields["label"].(string)
			if source, _ := fields["source"].(string); strings.TrimSpace(source) != "" && fields["lang"] != "" {
				labels = append(labels, label)
			}
		}
		if want := []string{"curl", "Go", "TypeScript", "Python"}; !slices.Equal(labels, want) {
			t.Errorf("%s has samples in %v, want %v", name, labels, want)
		}
	}
}
