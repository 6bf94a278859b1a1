package main

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	responsesPrefix = "#/components/responses/"
	schemasPrefix   = "#/components/schemas/"
)

// has reports whether an operation has the shared parameter.
func (o *operation) has(parameter string) bool {
	return slices.Contains(o.Parameters, reference{"#/components/parameters/" + parameter})
}

// errorStatuses returns the statuses from 300 that the operation has. Most follow from its path,
// credential, parameters, and body, and all other responses from x-error-codes.
func (o *operation) errorStatuses(statuses map[string]int, roles int) ([]int, error) {
	found := map[int]bool{
		http.StatusBadRequest: true, http.StatusTooManyRequests: true,
		http.StatusInternalServerError: true, http.StatusServiceUnavailable: true,

		http.StatusNotModified:  o.isConditional(),
		http.StatusUnauthorized: len(o.Security) > 0,
		// A person can lack the role, or, except for their own account, the second factor that the organization requires.
		http.StatusForbidden:             len(o.Scopes)+len(o.OneOf)+len(o.Roles) > 0 && !o.isOfAccount(),
		http.StatusNotFound:              strings.Contains(o.path, "{"),
		http.StatusRequestEntityTooLarge: o.Body != nil,
		http.StatusUnsupportedMediaType:  o.Body != nil,
	}
	for _, code := range o.Codes {
		if statuses[code] == 0 {
			return nil, fmt.Errorf("x-error-codes has %s, which is not in gen/errors.yaml", code)
		}
		found[statuses[code]] = true
	}
	maps.DeleteFunc(found, func(_ int, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(found)), nil
}

// isOfAccount reports whether an operation concerns only the account of the signed-in person. All roles have these.
func (o *operation) isOfAccount() bool {
	return o.path == "/v1/me" || strings.HasPrefix(o.path, "/v1/me/")
}

// isConditional reports whether a client that has the response already gets 304: each JSON document has an entity tag,
// except an assessment, whose tag is that of its version, which does not cover its counts, and a file.
// Only some operations have If-None-Match as a parameter, because another one would change the generated functions of
// clients that have positions instead of names.
func (o *operation) isConditional() bool {
	success, has := member(&o.Responses, "200")
	return o.method == "get" && has && schemaOf(success.value) != "" && !isFile(success.value) && !hasETag(success.value)
}

// responseName returns the name of the shared response with a status.
func responseName(status int) string {
	if status == http.StatusRequestEntityTooLarge {
		return "PayloadTooLarge"
	}
	return strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(status))
}

// fillResponses writes the references to error responses after the responses that a person wrote,
// and the headers of these.
func (d *document) fillResponses(o *operation, statuses map[string]int, roles int) error {
	found := entries(&o.Responses)
	if len(found) == 0 {
		return fmt.Errorf("has no responses")
	}
	first := found[0].key
	wanted, err := o.errorStatuses(statuses, roles)
	if err != nil {
		return err
	}
	for _, response := range found {
		status, err := strconv.Atoi(response.key.Value)
		if err != nil {
			return fmt.Errorf("the status %s is not a number", response.key.Value)
		}
		ref, isShared := member(response.value, "$ref")
		switch {
		case isShared && strings.HasPrefix(ref.value.Value, responsesPrefix):
			d.remove(response.key.Line, d.end(response.key.Line))
		case slices.Contains(wanted, status):
			return fmt.Errorf("%d follows from the rest of the operation, so do not write it", status)
		default:
			if err := d.fillHeaders(response, headersOf(o, status, response.value)); err != nil {
				return fmt.Errorf("%d: %w", status, err)
			}
		}
	}
	margin, end := strings.Repeat(" ", first.Column-1), d.end(first.Line-1)
	for _, status := range wanted {
		d.add(end, fmt.Sprintf("%s'%d': {$ref: '%s%s'}", margin, status, responsesPrefix, responseName(status)))
	}
	return nil
}

// header is a header of responses, with the name of its component or with all that it is.
type header struct{ name, value string }

// sharedHeader refers to a component.
func sharedHeader(name, component string) header {
	return header{name, "{$ref: '#/components/headers/" + component + "'}"}
}

// everyResponse are headers of each response of each operation.
var everyResponse = []header{
	sharedHeader("X-Request-Id", "RequestId"), sharedHeader("RateLimit", "RateLimit"),
	sharedHeader("RateLimit-Policy", "RateLimitPolicy"),
}

// Headers that only some responses have.
var (
	idempotencyReplayed = sharedHeader("Idempotency-Replayed", "IdempotencyReplayed")
	location            = sharedHeader("Location", "Location")
	link                = sharedHeader("Link", "Link")
	contentDisposition  = sharedHeader("Content-Disposition", "ContentDisposition")
	documentETag        = sharedHeader("ETag", "DocumentETag")
	retryAfter          = sharedHeader("Retry-After", "RetryAfter")
	wwwAuthenticate     = sharedHeader("WWW-Authenticate", "WwwAuthenticate")
	// A component would be unused while no operation is deprecated.
	deprecation = header{"Deprecation",
		"{description: 'When the operation was deprecated (RFC 9745).', schema: {type: string, example: '@1798761600'}}"}
	sunset = header{"Sunset", "{description: 'When the operation ends (RFC 8594).', " +
		"schema: {type: string, example: 'Sat, 01 Jan 2028 00:00:00 GMT'}}"}
)

// headersOf returns the headers of a response that a person wrote, as far as they follow from
// the operation. An ETag for If-Match does not.
func headersOf(o *operation, status int, response *yaml.Node) []header {
	headers := slices.Clone(everyResponse)
	for _, rule := range []struct {
		applies bool
		header  header
	}{
		// A response with a secret is never repeated.
		{o.has("IdempotencyKey") && !slices.Contains(o.Codes, "secret_already_shown"), idempotencyReplayed},
		{status == http.StatusCreated, location},
		{strings.HasSuffix(schemaOf(response), "List"), link},
		{isFile(response), contentDisposition},
		{o.isConditional(), documentETag},
		{o.Deprecated, deprecation},
		{o.Deprecated, sunset},
	} {
		if rule.applies {
			headers = append(headers, rule.header)
		}
	}
	return headers
}

// hasETag reports whether a person wrote an ETag, which is the one for If-Match.
func hasETag(response *yaml.Node) bool {
	headers, has := member(response, "headers")
	return has && slices.ContainsFunc(entries(headers.value), func(one entry) bool {
		return one.key.Value == documentETag.name && !isWritten(one)
	})
}

// schemaOf returns the name of the schema of a JSON response, or "".
func schemaOf(response *yaml.Node) string {
	var decoded struct {
		Content map[string]struct{ Schema reference }
	}
	if err := response.Decode(&decoded); err != nil {
		return ""
	}
	return strings.TrimPrefix(decoded.Content["application/json"].Schema.Ref, schemasPrefix)
}

// isFile reports whether a response has content in a format that is not JSON. It can also be JSON.
func isFile(response *yaml.Node) bool {
	content, has := member(response, "content")
	return has && slices.ContainsFunc(entries(content.value), func(one entry) bool {
		return one.key.Value != "application/json" && one.key.Value != "application/problem+json"
	})
}

// fillHeaders writes headers before the headers that a person wrote.
func (d *document) fillHeaders(response entry, headers []header) error {
	members := entries(response.value)
	if len(members) == 0 || members[0].key.Value != "description" || members[0].key.Line == response.key.Line {
		return fmt.Errorf("write the response in lines of its own, and first its description")
	}
	description := members[0].key
	margin := strings.Repeat(" ", description.Column-1)
	after := d.end(description.Line)
	if written, has := member(response.value, "headers"); has {
		after = written.key.Line
		for _, one := range entries(written.value) {
			if isWritten(one) {
				d.remove(one.key.Line, d.end(one.key.Line))
			}
		}
	} else {
		d.add(after, margin+"headers:")
	}
	for _, one := range headers {
		d.add(after, margin+"  "+one.name+": "+one.value)
	}
	return nil
}

// isWritten reports whether this program writes the header. The ETag for If-Match is a person's.
func isWritten(written entry) bool {
	ref, shared := member(written.value, "$ref")
	for _, h := range append(slices.Clone(everyResponse), idempotencyReplayed, location, link, contentDisposition,
		documentETag, retryAfter, wwwAuthenticate, deprecation, sunset) {
		if h.name == written.key.Value && (!shared || strings.Contains(h.value, "'"+ref.value.Value+"'")) {
			return true
		}
	}
	return false
}

// fillSharedResponses writes the headers of the shared responses, which are named by their status.
func (d *document) fillSharedResponses(responses *yaml.Node) error {
	further := map[string][]header{
		responseName(http.StatusNotModified):        {documentETag},
		responseName(http.StatusUnauthorized):       {wwwAuthenticate},
		responseName(http.StatusTooManyRequests):    {retryAfter},
		responseName(http.StatusServiceUnavailable): {retryAfter},
	}
	for _, response := range entries(responses) {
		headers := slices.Concat(everyResponse, further[response.key.Value])
		if err := d.fillHeaders(response, headers); err != nil {
			return fmt.Errorf("%s: %w", response.key.Value, err)
		}
	}
	return nil
}
