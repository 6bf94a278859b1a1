package contract

import (
	"errors"
	"net/mail"
	"net/url"
	"regexp"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// formats are the checks of the string formats in responses. They do not use the checks of the
// server, which the tests judge.
var formats = map[string]openapi3.StringFormatValidator{
	"email": openapi3.NewCallbackValidator(func(s string) error {
		if address, err := mail.ParseAddress(s); err != nil || address.Name != "" || address.Address != s {
			return errors.New("not one email address")
		}
		return nil
	}),
	"uri": openapi3.NewCallbackValidator(func(s string) error {
		address, err := url.Parse(s)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" ||
			address.User != nil || address.String() != s {
			return errors.New("not an absolute http or https URL")
		}
		return nil
	}),
	"date-time": openapi3.NewCallbackValidator(func(s string) error {
		if _, err := time.Parse(time.RFC3339, s); err != nil || !dateTimeForm.MatchString(s) {
			return errors.New("not a date and time of RFC 3339")
		}
		return nil
	}),
}

var dateTimeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// returnsSecret reports whether a response of the operation can have a field with the marker x-secret.
func returnsSecret(o *openapi3.Operation) bool {
	visited := map[*openapi3.Schema]bool{}
	var hasSecret func(ref *openapi3.SchemaRef) bool
	hasSecret = func(ref *openapi3.SchemaRef) bool {
		if ref == nil || visited[ref.Value] {
			return false
		}
		schema := ref.Value
		visited[schema] = true
		if schema.Extensions["x-secret"] == true || hasSecret(schema.Items) || hasSecret(schema.AdditionalProperties.Schema) {
			return true
		}
		for _, refs := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
			for _, part := range refs {
				if hasSecret(part) {
					return true
				}
			}
		}
		for _, property := range schema.Properties {
			if hasSecret(property) {
				return true
			}
		}
		return false
	}
	for _, answer := range o.Responses.Map() {
		for _, content := range answer.Value.Content {
			if hasSecret(content.Schema) {
				return true
			}
		}
	}
	return false
}
