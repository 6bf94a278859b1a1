package gen

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// gen/internal/repeat writes the error responses and most headers. A person writes the successes.
func TestResponses(t *testing.T) {
	t.Parallel()
	for name, o := range operations(t) {
		succeeds := false
		for status, ref := range o.Responses.Map() {
			place := name + " " + status
			switch {
			case status[0] == '2':
				succeeds = true
				checkSuccess(t, place, status, ref.Value)
			case !strings.HasPrefix(ref.Ref, "#/components/responses/"):
				t.Errorf("%s: is neither a success nor a shared response", place)
			}
		}
		if !succeeds {
			t.Errorf("%s: has no success status", name)
		}
		if o.Responses.Value("201") != nil && o.method != http.MethodPost {
			t.Errorf("%s: 201, but only POST creates", name)
		}
	}
}

// All errors have the same form.
func TestErrorResponses(t *testing.T) {
	t.Parallel()
	statuses := map[string]int{"PayloadTooLarge": http.StatusRequestEntityTooLarge}
	for code := http.StatusBadRequest; code < 600; code++ {
		statuses[strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(code))] = code
	}
	found := 0
	for name, ref := range load(t).Components.Responses {
		if name != "NotModified" {
			found++
			checkError(t, name, statuses[name], ref.Value.Content)
		}
	}
	if found < 10 {
		t.Errorf("found only %d error responses", found)
	}
}

// generalErrors are the codes that follow from an operation's credential, body and
// parameters. An operation lists all of its other codes. It also lists not_found,
// unauthenticated, and token_expired if only a value in its body or query causes them.
var generalErrors = []string{
	"invalid_request", "cursor_invalid", "unauthenticated", "token_expired", "insufficient_scope", "insufficient_role",
	"reauthentication_required", "second_factor_setup_required", "member_deactivated",
	"not_found", "method_not_allowed", "not_acceptable", "payload_too_large", "unexpected_body", "unsupported_media_type",
	"rate_limited",
	"internal", "unavailable",
}

var codeName = regexp.MustCompile("`([a-z]+(?:_[a-z]+)+)`")

// The description and x-error-codes name the same codes, for people and for
// programs. The description of a field can name the code instead. The codes of
// Idempotency-Key and of quotas are described once, in the guide.
func TestDescribedErrorCodes(t *testing.T) {
	t.Parallel()
	all := extensible(load(t).Components.Schemas["ErrorCode"].Value)
	for name, o := range operations(t) {
		codes, _ := o.Extensions["x-error-codes"].([]any)
		for _, code := range codes {
			text := code.(string)
			inGuide := strings.HasPrefix(text, "idempotency_") || text == "secret_already_shown" ||
				strings.HasSuffix(text, "_quota_exceeded")
			if !inGuide && !strings.Contains(o.Description+descriptionsOfFields(o), "`"+text+"`") {
				t.Errorf("%s: the description does not explain %s", name, text)
			}
		}
		for _, match := range codeName.FindAllStringSubmatch(o.Description, -1) {
			code := match[1]
			named := slices.Contains(codes, any(code)) || slices.Contains(generalErrors, code)
			if slices.Contains(all, any(code)) && !named {
				t.Errorf("%s: the description names %s, which is not in x-error-codes", name, code)
			}
		}
	}
}

// descriptionsOfFields returns the descriptions of the fields of the body.
func descriptionsOfFields(o located) string {
	if o.RequestBody == nil || o.RequestBody.Value.Content["application/json"] == nil {
		return ""
	}
	var all strings.Builder
	for _, field := range o.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
		all.WriteString(field.Value.Description)
	}
	return all.String()
}

// Clients branch on the code, so each operation lists its own codes. The tests of
// package server check that the lists are complete and true.
func TestErrorCodes(t *testing.T) {
	t.Parallel()
	all := extensible(load(t).Components.Schemas["ErrorCode"].Value)
	named := map[string]bool{"cross_origin_request": true} // of /app/session, which is no operation
	for _, code := range generalErrors {
		named[code] = true
	}
	for name, o := range operations(t) {
		codes, _ := o.Extensions["x-error-codes"].([]any)
		for i, code := range codes {
			inBody := code == "not_found" && !strings.Contains(o.path, "{") ||
				slices.Contains([]any{"unauthenticated", "token_expired"}, code) && len(*o.Security) == 0
			isGeneral := slices.Contains(generalErrors, code.(string)) && !inBody
			if !slices.Contains(all, code) || isGeneral || slices.Contains(codes[:i], code) {
				t.Errorf("%s: x-error-codes has %v, which is unknown, general or a duplicate", name, code)
			}
			named[code.(string)] = true
		}
	}
	for _, code := range all {
		if !named[code.(string)] {
			t.Errorf("no operation names %v", code)
		}
	}
}

// An operation that creates something accepts an Idempotency-Key. The upload of a picture needs none: the same content
// is the same resource.
func TestIdempotency(t *testing.T) {
	t.Parallel()
	found := 0
	for name, o := range operations(t) {
		takesKey := o.Parameters.GetByInAndName(openapi3.ParameterInHeader, "Idempotency-Key") != nil
		if takesKey {
			found++
		}
		isUpload := o.RequestBody != nil && o.RequestBody.Value.Content["image/png"] != nil
		if o.Responses.Value("201") != nil && !takesKey && !isUpload {
			t.Errorf("%s: creates something, but accepts no Idempotency-Key", name)
		}
	}
	if found < 10 {
		t.Errorf("found only %d operations with an Idempotency-Key", found)
	}
}

func checkError(t *testing.T, place string, code int, content openapi3.Content) {
	t.Helper()
	if len(content) != 1 || content["application/problem+json"] == nil ||
		content["application/problem+json"].Schema.Ref != "#/components/schemas/Problem" {
		t.Errorf("%s: is not a problem document", place)
		return
	}
	problem, _ := content["application/problem+json"].Example.(map[string]any)
	if err := content["application/problem+json"].Schema.Value.VisitJSON(problem); err != nil {
		t.Errorf("%s: its example: %v", place, err)
	} else if problem["status"] != float64(code) || problem["title"] != http.StatusText(code) ||
		!strings.HasSuffix(problem["type"].(string), "/errors/"+problem["code"].(string)) {
		t.Errorf("%s: its example belongs to another response", place)
	}
}

func checkSuccess(t *testing.T, place, status string, answer *openapi3.Response) {
	t.Helper()
	if answer.Description == nil || *answer.Description == "" {
		t.Errorf("%s: no description", place)
	}
	empty := status == "202" || status == "204"
	if empty != (len(answer.Content) == 0) {
		t.Errorf("%s: exactly the responses with 202 and 204 have no content", place)
	}
	// A file has the header with its name. One of its formats can be JSON.
	isFile := answer.Content["text/csv"] != nil || answer.Content["text/html"] != nil
	if isFile != (answer.Headers["Content-Disposition"] != nil) {
		t.Errorf("%s: exactly the files have the header Content-Disposition", place)
	}
	if empty || isFile {
		return
	}
	content := answer.Content["application/json"]
	if len(answer.Content) != 1 || content == nil || !strings.HasPrefix(content.Schema.Ref, "#/components/schemas/") {
		t.Errorf("%s: is not JSON with a component schema", place)
		return
	}
	schema := content.Schema.Value
	fields := slices.Collect(maps.Keys(schema.Properties))
	if !schema.Type.Is("object") || !slices.Equal(fields, []string{"data"}) || !slices.Equal(schema.Required, fields) {
		t.Errorf("%s: has the fields %v, required %v, want only data", place, fields, schema.Required)
		return
	}
	// A List has pages and the header Link, and a Catalogue has none.
	named := strings.HasSuffix(content.Schema.Ref, "List") || strings.HasSuffix(content.Schema.Ref, "Catalogue")
	if named != schema.Properties["data"].Value.Type.Is("array") {
		t.Errorf("%s: exactly the schemas with a list are named List or Catalogue", place)
	}
}
