package request

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// Addresses that are no operations of openapi.yaml are checked with the functions of this file. Each of them has the
// limits and refusals of an operation.

// Operation returns an operation of openapi.yaml.
func (p *Path) Operation(id string) (*Operation, error) {
	o := p.operations[id]
	if o == nil {
		return nil, fmt.Errorf("openapi.yaml has no operation %s", id)
	}
	return o, nil
}

// NewOperation returns an operation that is not in openapi.yaml, for a body without a credential.
func NewOperation(maxBody int64, body *openapi3.Schema) *Operation {
	return &Operation{maxBody: maxBody, body: body}
}

// WithTokenInCookie returns the operation for a body without the refresh token.
func (o *Operation) WithTokenInCookie() *Operation {
	// The contract is shared, so the body without the field is a copy.
	changed, body := *o, *o.body
	body.Properties = maps.Clone(body.Properties)
	delete(body.Properties, refreshTokenField)
	isToken := func(field string) bool { return field == refreshTokenField }
	body.Required = slices.DeleteFunc(slices.Clone(body.Required), isToken)
	changed.body = &body
	return &changed
}

// The schemes of the Authorization header that a 401 asks for.
const (
	BasicScheme  = "Basic"
	BearerScheme = "Bearer"
)

// NewKeyOperation returns an operation that is not in openapi.yaml, for API keys with the scopes. A 401 asks for the
// scheme.
func NewKeyOperation(id, scheme string, maxBody int64, scopes ...string) *Operation {
	return &Operation{
		id: id, security: apiKeyAuth, maxBody: maxBody, scopes: scopes, challenge: scheme + ` realm="assay"`,
	}
}

// MaxBody is the maximum size of a body, in bytes.
func (o *Operation) MaxBody() int64 { return o.maxBody }

// ReadBody reads and checks the body as guard does, and returns its fields.
func (o *Operation) ReadBody(c echo.Context) (map[string]any, error) {
	value, faults, err := o.checkBody(c)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, invalidRequest(faults...)
	}
	fields, _ := value.(map[string]any)
	return fields, nil
}

// ReadObject reads a body that has no schema. It returns nil for an empty one.
func (o *Operation) ReadObject(c echo.Context) (map[string]any, error) {
	body, err := o.readBody(c)
	var tooLarge *Fault
	switch {
	case errors.As(err, &tooLarge):
		return nil, err
	case err != nil:
		return nil, Invalid("", gen.FieldErrorCodeInvalidJSON, "ended before it was complete")
	case len(body) == 0:
		return nil, nil
	}
	value, malformed := decodeStrict(body)
	if malformed != nil {
		return nil, Invalid("", malformed.Code, malformed.Detail)
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		return nil, Invalid("", gen.FieldErrorCodeInvalidType, "must be an object")
	}
	return fields, nil
}

// Check compares fields with the body's schema.
func (o *Operation) Check(ctx context.Context, fields map[string]any) error {
	faults := check(ctx, o.body, fields, gen.FieldErrorInBody, "")
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(faults) > 0 {
		return invalidRequest(faults...)
	}
	return nil
}

// UseKey verifies the API key of a request, and counts the request. hasKey is false without a key.
func (p *Path) UseKey(c echo.Context, o *Operation, key string, hasKey bool) (store.Scope, error) {
	r := c.Request()
	info := dataOf(r.Context())
	info.operation, info.challenge = o.id, o.challenge
	scope, err := store.Scope{}, error(errNoCredential)
	if hasKey {
		scope, err = p.store.UnscopedAPIKey(r.Context(), info.scope.Origin, key)
	}
	scope.Origin = info.scope.Origin
	info.scope = scope
	if limited := p.limit(c, o, scope, err); limited != nil {
		return scope, limited
	}
	if err == nil {
		err = o.authorize(scope)
	}
	return scope, err
}

// CountAnonymous counts a request without a valid credential for its network.
func (p *Path) CountAnonymous(c echo.Context) error {
	return takeAll(c.Response().Header(), counted{p.limits.anonymous, networkOf(c)})
}

// CountLogin counts a request with a refresh token for its login, as limitTokenInBody does.
func (p *Path) CountLogin(c echo.Context, loginID string) error {
	return takeAll(c.Response().Header(), counted{p.limits.refresh, loginID})
}

// NoBody rejects a request that has a body.
func NoBody(c echo.Context) error { return checkNoBody(c.Request()) }

// Accepts reports whether the schema of openapi.yaml with a name accepts a text.
func Accepts(ctx context.Context, name, text string) bool {
	document, err := Contract()
	if err != nil {
		return false
	}
	schema := document.Components.Schemas[name]
	return schema != nil && checkText(text) && len(check(ctx, schema.Value, text, gen.FieldErrorInBody, "")) == 0
}
