package request

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
)

// Operation is one operation of openapi.yaml, read once at startup.
type Operation struct {
	id        string
	path      []parameter
	query     map[string]parameter
	headers   []parameter
	cursor    string           // the parameter with the cursor of a list, or ""
	body      *openapi3.Schema // nil if there is none; without the schema of the items in itemsAt
	optional  bool             // the body may be absent
	fileTypes []string         // the media types of a body that is a file, which has no schema
	maxBody   int64            // bytes
	security  string           // a security scheme, or "" for none
	challenge string           // the WWW-Authenticate header of a 401, for an operation outside openapi.yaml
	scopes    []string         // the API key needs all of them
	oneOf     []string         // x-one-of-scopes: the API key needs one of them, if there are any
	roles     []string         // the person needs one of them

	family         string // the path before /{id}, such as /v1/assessments; see checkAccess
	ofAccount      bool   // it concerns only the account of the signed-in person: see checkSecondFactor
	recentFactor   bool   // x-recent-second-factor: a person with a second factor has proved it in the last ten minutes
	allAssessments bool   // x-all-assessments: not for people who see only some assessments

	deprecation

	returnsSecret bool // a response can have a field with x-secret
	returnsJSON   bool // a successful response is JSON
	conditional   bool // a response can be 304

	idempotent  bool             // it accepts an Idempotency-Key
	tokenInBody bool             // its only credential is a refresh token in the body
	itemsAt     string           // x-outcome-per-item: the list in the body whose items fail one by one, or ""
	items       *openapi3.Schema // of one item in itemsAt
}

type parameter struct {
	name   string
	schema *openapi3.Schema
}

// Contract reads the embedded openapi.yaml once per process, because it takes
// a tenth of a second. The result must not be changed.
var Contract = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := gen.GetSpec()
	if err != nil {
		return nil, fmt.Errorf("read the embedded openapi.yaml: %w", err)
	}
	return document, nil
})

// newOperations reads the operations of the embedded document. It fails if an
// operation does not declare its callers or the maximum size of its body.
func newOperations() ([]Operation, error) {
	document, err := Contract()
	if err != nil {
		return nil, err
	}
	var operations []Operation
	for path, item := range document.Paths.Map() {
		for method, described := range item.Operations() {
			read, err := newOperation(described)
			if err != nil {
				return nil, fmt.Errorf("openapi.yaml: %s %s: %w", method, path, err)
			}
			read.family, _, _ = strings.Cut(path, "/{id}")
			read.ofAccount = path == "/v1/me" || strings.HasPrefix(path, "/v1/me/")
			operations = append(operations, read)
		}
	}
	return operations, nil
}

func newOperation(described *openapi3.Operation) (Operation, error) {
	o := Operation{id: described.OperationID, query: map[string]parameter{}}

	for _, ref := range described.Parameters {
		p := parameter{name: ref.Value.Name, schema: ref.Value.Schema.Value}
		switch ref.Value.In {
		case openapi3.ParameterInPath:
			o.path = append(o.path, p)
		case openapi3.ParameterInQuery:
			o.query[p.name] = p
			if p.name == "after" || p.name == "cursor" {
				o.cursor = p.name
			}
		case openapi3.ParameterInHeader:
			o.headers = append(o.headers, p)
			o.idempotent = o.idempotent || p.name == idempotencyKey
		default:
			return o, fmt.Errorf("parameter %s is in the %s, which is not checked", p.name, ref.Value.In)
		}
	}

	if described.RequestBody != nil {
		if content := described.RequestBody.Value.Content["application/json"]; content != nil {
			o.body = content.Schema.Value
			o.optional = !described.RequestBody.Value.Required
		} else {
			var err error
			if o.fileTypes, err = fileTypes(described.RequestBody.Value.Content); err != nil {
				return o, err
			}
		}
		if err := extension(described, "x-max-body-bytes", &o.maxBody); err != nil || o.maxBody <= 0 {
			return o, fmt.Errorf("x-max-body-bytes is missing or wrong: %w", err)
		}
	}
	o.returnsSecret = returnsSecret(described)
	o.conditional = described.Responses.Status(http.StatusNotModified) != nil
	for _, status := range []int{http.StatusOK, http.StatusCreated, http.StatusAccepted} {
		success := described.Responses.Status(status)
		o.returnsJSON = o.returnsJSON || success != nil && success.Value.Content[echo.MIMEApplicationJSON] != nil
	}
	if err := o.readItems(described); err != nil {
		return o, err
	}

	var err error
	if o.deprecation, err = readDeprecation(described); err != nil {
		return o, err
	}
	return o, o.readSecurity(described)
}

func (o *Operation) readSecurity(described *openapi3.Operation) error {
	if described.Security == nil {
		return fmt.Errorf("security is missing")
	}
	if len(*described.Security) == 0 {
		o.tokenInBody = o.body != nil && o.body.Properties[refreshTokenField] != nil
		return nil
	}
	if len(*described.Security) > 1 {
		return fmt.Errorf("more than one security alternative")
	}
	for scheme := range (*described.Security)[0] {
		o.security = scheme
	}
	switch o.security {
	case bearerAuth:
		if err := extension(described, "x-required-roles", &o.roles); err != nil || len(o.roles) == 0 {
			return fmt.Errorf("x-required-roles is missing or wrong: %w", err)
		}
		if err := extension(described, "x-all-assessments", &o.allAssessments); err != nil {
			return fmt.Errorf("x-all-assessments is wrong: %w", err)
		}
		if err := extension(described, "x-recent-second-factor", &o.recentFactor); err != nil {
			return fmt.Errorf("x-recent-second-factor is wrong: %w", err)
		}
	case apiKeyAuth:
		if err := extension(described, "x-required-scopes", &o.scopes); err != nil || o.scopes == nil {
			return fmt.Errorf("x-required-scopes is missing or wrong: %w", err)
		}
		if err := extension(described, "x-one-of-scopes", &o.oneOf); err != nil {
			return fmt.Errorf("x-one-of-scopes is wrong: %w", err)
		}
	case candidateAuth:
	default:
		return fmt.Errorf("unknown security scheme %q", o.security)
	}
	return nil
}

// extension reads an x- field into dest.
func extension(described *openapi3.Operation, name string, dest any) error {
	encoded, err := json.Marshal(described.Extensions[name])
	if err != nil {
		return err
	}
	return json.Unmarshal(encoded, dest)
}

// responseHeaders returns the headers of all responses of the document, which pages of other origins may read.
func responseHeaders() ([]string, error) {
	document, err := Contract()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	add := func(responses map[string]*openapi3.ResponseRef) {
		for _, response := range responses {
			for name := range response.Value.Headers {
				found[name] = true
			}
		}
	}
	add(document.Components.Responses)
	for _, item := range document.Paths.Map() {
		for _, described := range item.Operations() {
			add(described.Responses.Map())
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// fileTypes returns the media types of a body that is a file. The generated code knows one of them; gen/overlay.yaml
// moves the others to x-also-accepted.
func fileTypes(content openapi3.Content) ([]string, error) {
	var types []string
	for _, name := range slices.Sorted(maps.Keys(content)) {
		types = append(types, name)
		also, has := content[name].Extensions["x-also-accepted"]
		if !has {
			continue
		}
		encoded, err := json.Marshal(also)
		if err != nil {
			return nil, err
		}
		var further []string
		if err := json.Unmarshal(encoded, &further); err != nil {
			return nil, fmt.Errorf("x-also-accepted is wrong: %w", err)
		}
		types = append(types, further...)
	}
	return types, nil
}
