package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
)

// guard runs before the handler of one operation, on the route that Echo has
// matched: first authentication, then authorization, then the request itself.
func (p *Path) guard(o *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			o.announce(c.Response().Header())
			r := c.Request()
			info := dataOf(r.Context())
			info.operation, info.compressible, info.conditional = o.id, !o.returnsSecret, o.conditional

			from := info.scope.Origin
			scope, err := p.authenticate(o, r, from)
			scope.Origin = from
			info.scope, info.resource = scope, c.Param("id")

			// The rate limits come before the refusal, because they count failed credentials.
			if limited := p.limit(c, o, scope, err); limited != nil {
				return limited
			}
			if err != nil {
				return err
			}
			if err := o.authorize(scope); err != nil {
				return err
			}
			if err := p.checkSecondFactor(r.Context(), o, scope); err != nil {
				return err
			}

			info.work = p.workOf(o, r, scope)
			defer info.work.end()
			leave, err := p.files.enter(o, r, scope.OrganizationID)
			if err != nil {
				return err
			}
			defer leave()
			body, err := o.checkRequest(c)
			if o.tokenInBody {
				if limited := p.limitTokenInBody(c, scope, body, err); limited != nil {
					return limited
				}
			}
			if err == nil {
				err = p.checkCursor(o, r)
			}
			if err == nil {
				err = p.checkAccess(c, o, scope)
			}
			if err != nil {
				return err
			}
			if err := info.work.checked(r.Context()); err != nil {
				return err
			}
			if info.scope.Once, err = o.Once(c, body); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// checkRequest compares the request with the contract and returns its decoded
// body. Its error lists each field that breaks the contract.
func (o *Operation) checkRequest(c echo.Context) (any, error) {
	r := c.Request()
	if o.returnsJSON && !acceptsJSON(r.Header.Values(echo.HeaderAccept)) {
		return nil, errNotAcceptable
	}
	faults := o.checkPath(c)
	faults = append(faults, o.checkQuery(r)...)
	faults = append(faults, o.checkHeaders(r)...)

	var body any
	switch {
	case o.fileTypes != nil:
		read, inBody, err := o.checkFile(c)
		if err != nil {
			return nil, err
		}
		body, faults = read, append(faults, inBody...)
	case o.body == nil:
		if err := checkNoBody(r); err != nil {
			return nil, err
		}
	default:
		read, inBody, err := o.checkBody(c)
		if err != nil {
			return nil, err
		}
		body, faults = read, append(faults, inBody...)
	}

	// The checks stop when the client disconnects, so an empty list does not mean a valid request.
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, invalidRequest(faults...)
	}
	return body, nil
}

func (o *Operation) checkPath(c echo.Context) []gen.FieldError {
	var faults []gen.FieldError
	for _, p := range o.path {
		value, err := c.Param(p.name), error(nil)
		if c.Request().URL.RawPath != "" { // otherwise Echo has matched the decoded path
			value, err = url.PathUnescape(value)
		}
		if err != nil || !checkText(value) {
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInPath, Pointer: p.name, Code: gen.FieldErrorCodeInvalidEncoding,
				Detail: "is not valid percent-encoded UTF-8",
			})
			continue
		}
		faults = append(faults, check(c.Request().Context(), p.schema, value, gen.FieldErrorInPath, p.name)...)
	}
	return faults
}

// checkQuery rejects unknown and repeated parameters, because a parameter that
// is ignored looks like one that works.
func (o *Operation) checkQuery(r *http.Request) []gen.FieldError {
	raw := r.URL.RawQuery
	if raw == "" {
		return nil
	}
	if fault := queryFault(raw); fault != nil {
		return []gen.FieldError{queryError(fault.Pointer, fault.Code, fault.Detail)}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return []gen.FieldError{queryError("", gen.FieldErrorCodeInvalidEncoding, "is not a valid query string")}
	}

	var faults []gen.FieldError
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p, declared := o.query[name]
		switch {
		case len(faults) >= maxFieldErrors:
			return faults
		case !declared:
			faults = append(faults,
				queryError(shorten(name), gen.FieldErrorCodeUnknownParameter, "is not a parameter of this operation"))
		case len(values[name]) > 1:
			faults = append(faults, queryError(name, gen.FieldErrorCodeDuplicate, "occurs more than once"))
		default:
			value := queryValue(p.schema, values[name][0])
			if canonical := canonicalOffset(values[name][0]); p.schema.Format == "date-time" && canonical != value {
				value = canonical
				values.Set(name, canonical)
				r.URL.RawQuery = values.Encode() // the handler reads the time that was checked
			}
			for _, fault := range check(r.Context(), p.schema, value, gen.FieldErrorInQuery, name) {
				fault.Pointer = name // also for an item of a list
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

func queryError(name string, code gen.FieldErrorCode, detail string) gen.FieldError {
	return gen.FieldError{In: gen.FieldErrorInQuery, Pointer: name, Code: code, Detail: detail}
}

// queryValue converts a parameter to the type of its schema. A text that cannot
// be converted stays a text, which the schema then rejects. The items of a list are
// separated by commas.
func queryValue(schema *openapi3.Schema, text string) any {
	switch {
	case schema.Type.Is(openapi3.TypeArray):
		items := []any{}
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, queryValue(schema.Items.Value, item))
		}
		return items
	case schema.Type.Is(openapi3.TypeInteger):
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return float64(number)
		}
	case schema.Type.Is(openapi3.TypeNumber):
		if number, err := strconv.ParseFloat(text, 64); err == nil && isDecimal(text) {
			return number
		}
	case schema.Type.Is(openapi3.TypeBoolean):
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return text
}

// isDecimal excludes the other numbers of strconv, such as NaN, 0x1p4, and 1_000.
func isDecimal(text string) bool { return strings.Trim(text, "+-.0123456789eE") == "" }

// checkHeaders checks only the headers that the operation declares.
func (o *Operation) checkHeaders(r *http.Request) []gen.FieldError {
	var faults []gen.FieldError
	for _, p := range o.headers {
		switch values := r.Header.Values(p.name); {
		case len(values) > 1:
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInHeader, Pointer: p.name, Code: gen.FieldErrorCodeDuplicate, Detail: "occurs more than once",
			})
		case len(values) == 1:
			faults = append(faults, check(r.Context(), p.schema, values[0], gen.FieldErrorInHeader, p.name)...)
		}
	}
	return faults
}

// checkBody reads and checks the body. It replaces r.Body, so that the handler
// reads the bytes that were checked.
func (o *Operation) checkBody(c echo.Context) (any, []gen.FieldError, error) {
	r := c.Request()
	if r.ContentLength == 0 && o.optional {
		return nil, nil, nil
	}
	if r.ContentLength == 0 {
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeRequired, "a JSON body is required")}, nil
	}
	if !isJSON(r.Header) {
		return nil, nil, &Fault{
			Status: http.StatusUnsupportedMediaType, Code: gen.ErrorCodeUnsupportedMediaType,
			Detail: "The body must be application/json.",
		}
	}

	body, err := o.readBody(c)
	var tooLarge *Fault
	switch {
	case errors.As(err, &tooLarge):
		return nil, nil, err
	case err != nil:
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeInvalidJSON, "ended before it was complete")}, nil
	}

	if err := dataOf(r.Context()).work.beginBody(r.Context(), len(body)); err != nil {
		return nil, nil, err
	}
	value, malformed := decodeStrict(body)
	if malformed != nil {
		code := malformed.Code
		return nil, []gen.FieldError{bodyError(malformed.Pointer, code, malformed.Detail)}, nil
	}
	if value == nil && o.optional { // some generated clients send null for an absent body
		return nil, nil, nil
	}
	faults := check(r.Context(), o.body, value, gen.FieldErrorInBody, "")

	// A request that is refused as a whole has no outcome per item.
	if o.items != nil && len(faults) == 0 {
		if body, err = o.checkItems(r, value); err != nil {
			return nil, nil, err
		}
	}

	r.Body = &checkedBody{Reader: bytes.NewReader(body), content: body}
	r.ContentLength = int64(len(body))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON) // the generated binding accepts no other spelling
	return value, faults, nil
}

// checkedBody is the body that checkBody has read.
type checkedBody struct {
	*bytes.Reader
	content []byte
}

// Close implements io.Closer.
func (*checkedBody) Close() error { return nil }

// checkedJSON decodes a checked body for the generated binding. Echo's own serializer
// would copy the body twice.
type checkedJSON struct{ echo.DefaultJSONSerializer }

// Deserialize implements echo.JSONSerializer.
func (own checkedJSON) Deserialize(c echo.Context, into any) error {
	if body, isChecked := c.Request().Body.(*checkedBody); isChecked {
		return json.Unmarshal(body.content, into)
	}
	return own.DefaultJSONSerializer.Deserialize(c, into)
}

// readBody reads a body that is not longer than the operation permits.
func (o *Operation) readBody(c echo.Context) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, o.maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, &Fault{
			Status: http.StatusRequestEntityTooLarge, Code: gen.ErrorCodePayloadTooLarge,
			Detail: o.tooLargeDetail(),
		}
	}
	return body, err
}

func (o *Operation) tooLargeDetail() string {
	detail := fmt.Sprintf("The body may be at most %d bytes.", o.maxBody)
	if o.itemsAt != "" {
		detail += fmt.Sprintf(" Split %s into several requests.", o.itemsAt)
	}
	return detail
}

// maxAbsentBody bounds how much of a body is read that must be absent, {}, or null.
const maxAbsentBody = 64

// checkNoBody rejects a body that the operation does not have, because a field that
// is ignored looks like one that works. Some clients send {} or null where there
// is no body.
func checkNoBody(r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAbsentBody+1))
	if err != nil {
		return invalidRequest(bodyError("", gen.FieldErrorCodeInvalidJSON, "ended before it was complete"))
	}
	isLong := len(body) > maxAbsentBody
	body = bytes.TrimSpace(body)
	inside, isObject := bytes.CutPrefix(body, []byte("{"))
	inside, isClosed := bytes.CutSuffix(inside, []byte("}"))
	isEmpty := len(body) == 0 || string(body) == "null" || isObject && isClosed && len(bytes.TrimSpace(inside)) == 0
	if isEmpty && !isLong {
		return nil
	}
	return &Fault{
		Status: http.StatusBadRequest, Code: gen.ErrorCodeUnexpectedBody,
		Detail: "This operation has no request body.",
	}
}
