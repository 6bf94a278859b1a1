package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The TestEvery… tests call every operation in openapi.yaml, so that they cover new
// operations too. All that they know about single operations is in idKinds.

// described is an operation as openapi.yaml describes it. The tests do not use
// newOperations, so that they find its mistakes.
type described struct {
	id, method, path string // path contains the {parameters}
	scheme           string // of the credential; "" for none
	roles, scopes    []string
	oneOf            []string // the API key needs one of these scopes, if there are any
	maxBody          int
	query            []*openapi3.Parameter
	itemsAt          string           // x-outcome-per-item: the array in the body whose items fail separately
	idempotent       bool             // it accepts an Idempotency-Key
	body             *openapi3.Schema // nil without a JSON body
	fileType         string           // the media type of a body that is a file; "" for others
	bodyOptional     bool
}

// everyOperation returns all operations of openapi.yaml, ordered by path.
func everyOperation(t testing.TB) []described {
	t.Helper()
	var operations []described
	for _, path := range contract().document.Paths.InMatchingOrder() {
		item := contract().document.Paths.Value(path)
		methods := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			operations = append(operations, describe(t, method, path, methods[method]))
		}
	}

	if len(operations) < 40 {
		t.Fatalf("openapi.yaml has only %d operations, want at least 40", len(operations))
	}
	return operations
}

// describe reads an operation of openapi.yaml.
func describe(t testing.TB, method, path string, from *openapi3.Operation) described {
	t.Helper()
	o := described{id: from.OperationID, method: method, path: path}
	for _, requirement := range *from.Security {
		for scheme := range requirement {
			o.scheme = scheme
		}
	}

	for _, ref := range from.Parameters {
		if ref.Value.In == openapi3.ParameterInQuery {
			o.query = append(o.query, ref.Value)
		}
		o.idempotent = o.idempotent || ref.Value.Name == "Idempotency-Key"
	}

	if from.RequestBody != nil {
		o.bodyOptional = !from.RequestBody.Value.Required
		if content := from.RequestBody.Value.Content["application/json"]; content != nil {
			o.body = content.Schema.Value
		} else {
			for name := range from.RequestBody.Value.Content {
				o.fileType = max(o.fileType, name) // one of them, and always the same
			}
		}
	}
	for name, into := range map[string]any{"x-required-roles": &o.roles, "x-required-scopes": &o.scopes,
		"x-one-of-scopes": &o.oneOf, "x-max-body-bytes": &o.maxBody, "x-outcome-per-item": &o.itemsAt} {
		encoded, err := json.Marshal(from.Extensions[name])
		if err == nil {
			err = json.Unmarshal(encoded, into)
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", o.id, name, err)
		}
	}
	return o
}

// enumOf returns the values of an enumeration or of an open set of openapi.yaml.
func enumOf(t testing.TB, schema string) []string {
	t.Helper()
	var values []string
	described := contract().document.Components.Schemas[schema].Value
	open, _ := described.Extensions["x-extensible-enum"].([]any)
	for _, value := range slices.Concat(described.Enum, open) {
		values = append(values, value.(string))
	}
	if len(values) == 0 {
		t.Fatalf("openapi.yaml has no enumeration %s", schema)
	}
	return values
}

// idKinds maps the path segment before a parameter to the prefix of the ids in that
// parameter. Ids of stages occur only in request bodies. Add each new kind of resource.
var idKinds = map[string]string{
	"api-keys": "key", "assessments": "asm", "candidate-sessions": "ses", "events": "evt", "answers": "qst",
	"stages": "stg", "members": "usr", "audit-log": "aud",
	"webhooks": "whk", "deliveries": "dlv", "sign-ins": "lgn", "corrections": "cor", "questions": "qst", "grades": "qst",
	"revisions": "rev", "comments": "rcm", "review-emails": "reb",
	"result-links": "rlk", "integrations": "itg", "claims": "clm", "media": "med", "bank": "qbk",
	"legal-holds": "hld", "segments": "seg", "second-factors": "fct", "organizations": "org",
	"domains": "dom",
}

// address replaces the parameters of the path. fill gets the segment before each.
func (o described) address(fill func(collection string) string) string {
	steps := strings.Split(o.path, "/")
	for i, step := range steps {
		switch {
		case strings.HasPrefix(o.path, "/v1/questions/") && strings.HasPrefix(step, "{"):
			steps[i] = fill("bank") // assessments have questions, too
		case strings.HasPrefix(step, "{"):
			steps[i] = fill(steps[i-1])
		}
	}

	return strings.Join(steps, "/")
}

func (o described) hasPathParameter() bool { return strings.Contains(o.path, "{") }

// unknownID returns a well-formed id, or result token, of a resource that does not
// exist.
func (a *api) unknownID(collection string) string {
	a.t.Helper()
	if collection == "results" {
		return "eyJhbGciOiJIUzI1NiIsInR5cCI6InJlc3VsdCtqd3QifQ.e30." + strings.Repeat("A", 43)
	}
	kind, known := idKinds[collection]
	if !known {
		a.t.Fatalf("add %s to idKinds", collection)
	}
	return kind + "_01" + newWord(24)
}

// minimal returns the smallest body that the schema accepts: the required fields, or
// one field if none is required. The values come from the example.
func (o described) minimal(t testing.TB) object {
	t.Helper()
	example, ok := o.body.Example.(map[string]any)
	if !ok {
		t.Fatalf("%s: the schema of the body has no example", o.id)
	}
	needed := o.body.Required
	if len(needed) == 0 {
		needed = slices.Sorted(maps.Keys(example))[:1]
	}
	body := object{}
	for _, name := range needed {
		body[name] = example[name]
	}
	for _, name := range slices.Sorted(maps.Keys(example)) {
		if len(body) < int(o.body.MinProps) {
			body[name] = example[name]
		}
	}
	return body
}

// text returns the minimal body as JSON, or "" for an operation without a body.
func (o described) text(t testing.TB) string {
	t.Helper()
	if o.body == nil {
		return ""
	}
	encoded, err := json.Marshal(o.minimal(t))
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// cast is an organization with a valid credential of each kind.
type cast struct {
	*tenant
	keyID, key, invite, result string
}

// cast creates an organization with a credential of each kind. When the test ends, it
// fails if the log contains one of the credentials, or an internal error.
func (a *api) cast() *cast {
	a.t.Helper()
	c := &cast{tenant: a.register()}
	made := a.do("POST", "/v1/api-keys", c.owner, object{"name": "test", "scopes": allScopes}).want(201)
	c.keyID, c.key = made.text("data.id"), made.text("data.key")
	assessmentID := c.publish(twoStages())
	candidate := c.tenant.invite(assessmentID).candidate()
	a.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
	c.invite = strings.TrimPrefix(candidate.value, "Bearer ")
	finished := c.tenant.invite(assessmentID)
	a.finish(finished.candidate(), true)
	minted := a.do("POST", "/v1/public/candidate-sessions/"+finished.text("data.id")+"/result-token",
		apiKeyOf(c.key), nil).want(200)
	c.result = minted.text("data.token")
	a.t.Cleanup(c.checkLog)
	return c
}

func (c *cast) secrets() []string {
	return []string{c.access, c.refresh, c.key, c.invite, c.result, testPassword}
}

func (c *cast) checkLog() {
	if c.api.log == nil {
		return
	}
	log := c.api.log.String()
	if !strings.Contains(log, `"msg":"request"`) {
		c.api.t.Error("the log contains no request, so the search for credentials proves nothing")
	}
	for _, secret := range c.secrets() {
		if strings.Contains(log, secret) {
			c.api.t.Errorf("the log contains the credential %s", secret)
		}
	}

	for line := range strings.Lines(log) {
		if strings.Contains(line, `"level":"ERROR"`) {
			c.api.t.Errorf("the log contains an internal error: %s", line)
		}
	}
}

// right returns the credential that the operation requires.
func (c *cast) right(o described) credential {
	switch o.scheme {
	case "bearerAuth":
		return bearer(c.access)
	case "apiKeyAuth":
		return apiKeyOf(c.key)
	case "candidateAuth":
		return bearer(c.invite)
	}

	return anonymous
}

// wellFormed returns a request that conforms to openapi.yaml. The ids in its path
// belong to no resource.
func (c *cast) wellFormed(o described, who credential) *http.Request {
	c.api.t.Helper()
	address := c.api.url + o.address(c.api.unknownID)
	r, err := http.NewRequestWithContext(context.Background(), o.method, address, nil)
	if err != nil {
		c.api.t.Fatal(err)
	}
	if who != anonymous {
		r.Header.Add(who.header, who.value)
	}
	if o.body != nil {
		setBody(r, o.text(c.api.t))
	}
	if o.fileType != "" {
		setBody(r, sampleFile(c.api.t, o.fileType))
		r.Header.Set("Content-Type", o.fileType)
	}
	return r
}

// sampleFile returns a file that the operations with this media type accept. Add each media type.
func sampleFile(t testing.TB, mediaType string) string {
	t.Helper()
	switch mediaType {
	case "image/webp":
		return string(webpImage(t))
	case "application/octet-stream":
		return "How many are 2 + 2? {#4}" // GIFT, which is also the example of the parameter
	}
	t.Fatalf("add the media type %s to sampleFile", mediaType)
	return ""
}

func setBody(r *http.Request, body string) {
	r.Header.Set("Content-Type", "application/json")
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
	if body == "" { // net/http sends any other empty reader with chunked encoding
		r.GetBody = func() (io.ReadCloser, error) { return http.NoBody, nil }
	}
	r.Body, _ = r.GetBody()
}

// probe sends a request of any form. The response must have a status below 500 and
// must not repeat a credential.
func (c *cast) probe(name string, r *http.Request) response {
	c.api.t.Helper()
	sent := fmt.Sprint(r.URL, r.Header)
	answer := c.api.send(r)
	answer.name = r.Method + " " + r.URL.EscapedPath() + " (" + name + ")"
	if answer.status >= 500 {
		c.api.t.Errorf("%s: %d\n%s", answer.name, answer.status, answer.body)
	}
	received := fmt.Sprint(answer.header, string(answer.body))
	for _, secret := range c.secrets() {
		// A list of sessions may contain the invite token. It is an error only if this request sent the token.
		if (answer.status >= 400 || strings.Contains(sent, secret)) && strings.Contains(received, secret) {
			c.api.t.Errorf("%s: the response repeats the credential %s\n%s", answer.name, secret, received)
		}
	}

	return answer
}
