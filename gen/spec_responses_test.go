package gen

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The statuses of an operation follow from its parameters, body and credential.
// All errors have the same form.
func TestResponses(t *testing.T) {
	t.Parallel()
	for name, o := range operations(t) {
		answers := o.Responses.Map()
		for _, status := range expectedStatuses(o) {
			if answers[status] == nil {
				t.Errorf("%s: does not document %s", name, status)
			}
		}
		succeeds := false
		for status, ref := range answers {
			place := name + " " + status
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Errorf("%s: the status is not a number", place)
			}
			if ref.Value.Headers["X-Request-Id"] == nil {
				t.Errorf("%s: no X-Request-Id", place)
			}
			switch {
			case code >= 400:
				checkError(t, place, code, ref)
			case code >= 200 && code < 300:
				succeeds = true
				checkSuccess(t, place, code, ref.Value)
			case code == http.StatusNotModified:
				if ref.Value.Headers["ETag"] == nil || len(ref.Value.Content) > 0 {
					t.Errorf("%s: wants an ETag and no body", place)
				}
			default:
				t.Errorf("%s: neither a success, nor 304, nor an error", place)
			}
		}
		if !succeeds {
			t.Errorf("%s: has no success status", name)
		}
		if answers["201"] != nil && o.method != http.MethodPost {
			t.Errorf("%s: 201, but only POST creates", name)
		}
	}
}

// generalErrors are the codes that follow from an operation's credential, body and
// parameters. An operation lists all of its other codes.
var generalErrors = []string{
	"invalid_request", "cursor_invalid", "unauthenticated", "token_expired", "insufficient_scope", "insufficient_role",
	"not_found", "method_not_allowed", "payload_too_large", "unexpected_body", "unsupported_media_type", "rate_limited",
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
			if !slices.Contains(all, code) || slices.Contains(generalErrors, code.(string)) || slices.Contains(codes[:i], code) {
				t.Errorf("%s: x-error-codes has %v, which is unknown, general or a duplicate", name, code)
			}
			named[code.(string)] = true
		}
		for _, status := range []string{"409", "410", "422"} {
			if o.Responses.Value(status) != nil && len(codes) == 0 {
				t.Errorf("%s: documents %s, but x-error-codes has no code for it", name, status)
			}
		}
	}
	for _, code := range all {
		if !named[code.(string)] {
			t.Errorf("no operation names %v", code)
		}
	}
}

// expectedStatuses returns the statuses that every operation of this kind documents.
func expectedStatuses(o located) []string {
	statuses := []string{"400", "429", "500", "503"}
	roles, _ := o.Extensions["x-required-roles"].([]any)
	switch schemesOf(o.Security) {
	case "apiKeyAuth":
		statuses = append(statuses, "401")
		if !needsNoScope[o.OperationID] {
			statuses = append(statuses, "403")
		}
	case "bearerAuth":
		statuses = append(statuses, "401")
		if len(roles) < 3 || o.Extensions["x-all-assessments"] != nil {
			statuses = append(statuses, "403")
		}
	case "candidateAuth":
		statuses = append(statuses, "401")
		if o.OperationID != "retrieveTaking" { // it shows the page of an expired invite
			statuses = append(statuses, "410")
		}
	}
	if o.RequestBody != nil {
		statuses = append(statuses, "413", "415")
	}
	if strings.Contains(o.path, "{") {
		statuses = append(statuses, "404")
	}
	if o.Parameters.GetByInAndName(openapi3.ParameterInHeader, "Idempotency-Key") != nil {
		statuses = append(statuses, "409", "422")
	}
	return statuses
}

// An operation that creates something accepts an Idempotency-Key, and its response shows a replay.
func TestIdempotency(t *testing.T) {
	t.Parallel()
	found := 0
	for name, o := range operations(t) {
		takesKey := o.Parameters.GetByInAndName(openapi3.ParameterInHeader, "Idempotency-Key") != nil
		if takesKey {
			found++
		}
		codes, _ := o.Extensions["x-error-codes"].([]any)
		showsSecret := slices.Contains(codes, any("secret_already_shown")) // which is never repeated
		for status, ref := range o.Responses.Map() {
			if status == "201" && !takesKey {
				t.Errorf("%s: creates something, but accepts no Idempotency-Key", name)
			}
			replays := ref.Value.Headers["Idempotency-Replayed"] != nil
			if want := takesKey && !showsSecret && strings.HasPrefix(status, "2"); replays != want {
				t.Errorf("%s %s: has Idempotency-Replayed: %v, want %v", name, status, replays, want)
			}
		}
	}
	if found < 10 {
		t.Errorf("found only %d operations with an Idempotency-Key", found)
	}
}

func checkError(t *testing.T, place string, code int, ref *openapi3.ResponseRef) {
	t.Helper()
	name, isComponent := strings.CutPrefix(ref.Ref, "#/components/responses/")
	if title := strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(code)); !isComponent ||
		name != title && name != strings.Replace(title, "RequestEntity", "Payload", 1) {
		t.Errorf("%s: is %q, want the component response of its status", place, ref.Ref)
	}
	content := ref.Value.Content
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
	if code == http.StatusUnauthorized && ref.Value.Headers["WWW-Authenticate"] == nil {
		t.Errorf("%s: no WWW-Authenticate", place)
	}
	temporary := code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests
	if temporary && ref.Value.Headers["Retry-After"] == nil {
		t.Errorf("%s: no Retry-After", place)
	}
}

func checkSuccess(t *testing.T, place string, code int, answer *openapi3.Response) {
	t.Helper()
	if answer.Description == nil || *answer.Description == "" {
		t.Errorf("%s: no description", place)
	}
	if (code == http.StatusCreated) != (answer.Headers["Location"] != nil) {
		t.Errorf("%s: exactly the responses with 201 have Location", place)
	}
	if code == http.StatusNoContent || code == http.StatusAccepted {
		if len(answer.Content) != 0 {
			t.Errorf("%s: has content", place)
		}
		return
	}
	if file := answer.Content["text/csv"]; file != nil {
		if answer.Content["application/json"] != nil || answer.Headers["Content-Disposition"] == nil {
			t.Errorf("%s: a file needs a name and no content that is no file", place)
		}
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
	// A catalogue has no pages.
	isList := schema.Properties["data"].Value.Type.Is("array") && !strings.HasSuffix(content.Schema.Ref, "Catalogue")
	if isList != (answer.Headers["Link"] != nil) {
		t.Errorf("%s: exactly the lists have Link", place)
	}
}
