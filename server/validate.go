package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/store"
)

// guard stands before one operation's handler, on Echo's own match: first the
// credential, then what it allows, then the request itself.
func (s *Server) guard(o operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			o.announce(c.Response().Header())
			r := c.Request()
			info := requestOf(r.Context())
			scope, err := s.authenticate(&o, r)
			scope.Origin = store.Origin{IP: c.RealIP(), RequestID: info.id}
			info.scope = scope
			if limited := s.limit(c, &o, scope, err); limited != nil {
				return limited
			}
			if err != nil {
				return err
			}
			if err := o.authorize(scope); err != nil {
				return err
			}
			faults := o.checkPath(c)
			faults = append(faults, o.checkQuery(r.URL.RawQuery)...)
			faults = append(faults, o.checkHeaders(r.Header)...)
			var body any
			if o.takesBody(r) {
				read, inBody, err := o.checkBody(c)
				if err != nil {
					return err
				}
				body, faults = read, append(faults, inBody...)
			}
			if len(faults) > 0 {
				return invalidRequest(faults...)
			}
			if o.idempotent {
				if info.scope.Once, err = o.once(c, body); err != nil {
					return err
				}
			}
			return next(c)
		}
	}
}

func (o *operation) checkPath(c echo.Context) []gen.FieldError {
	var faults []gen.FieldError
	for _, p := range o.path {
		value, err := c.Param(p.name), error(nil)
		if c.Request().URL.RawPath != "" { // else Echo took it from the decoded path
			value, err = url.PathUnescape(value)
		}
		if err != nil || !checkText(value) {
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInPath, Pointer: p.name, Code: gen.FieldErrorCodeInvalidEncoding, Detail: "is not valid percent-encoded UTF-8",
			})
			continue
		}
		faults = append(faults, check(p.schema, value, gen.FieldErrorInPath, p.name)...)
	}
	return faults
}

// checkQuery refuses what the operation does not declare, and what is there
// more than once: neither is ever ignored.
func (o *operation) checkQuery(raw string) []gen.FieldError {
	if raw == "" {
		return nil
	}
	if fault := queryFault(raw); fault != nil {
		return []gen.FieldError{{In: gen.FieldErrorInQuery, Pointer: fault.Pointer, Code: gen.FieldErrorCode(fault.Code), Detail: fault.Detail}}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return []gen.FieldError{{
			In: gen.FieldErrorInQuery, Pointer: "", Code: gen.FieldErrorCodeInvalidEncoding, Detail: "is not a valid query string",
		}}
	}
	var faults []gen.FieldError
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p, declared := o.query[name]
		switch {
		case !declared:
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInQuery, Pointer: shorten(name), Code: gen.FieldErrorCodeUnknownParameter, Detail: "is not a parameter of this operation",
			})
		case len(values[name]) > 1:
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInQuery, Pointer: name, Code: gen.FieldErrorCodeDuplicate, Detail: "is there more than once",
			})
		default:
			faults = append(faults, check(p.schema, queryValue(p.schema, values[name][0]), gen.FieldErrorInQuery, name)...)
		}
	}
	return faults
}

// queryValue reads a parameter as its schema's type, or leaves the text, which
// the schema then refuses.
func queryValue(schema *openapi3.Schema, text string) any {
	if schema.Type.Is(openapi3.TypeInteger) {
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return float64(number)
		}
	}
	return text
}

// checkHeaders holds the headers that the operation declares against their schemas.
func (o *operation) checkHeaders(header http.Header) []gen.FieldError {
	var faults []gen.FieldError
	for _, p := range o.headers {
		switch values := header.Values(p.name); {
		case len(values) > 1:
			faults = append(faults, gen.FieldError{
				In: gen.FieldErrorInHeader, Pointer: p.name, Code: gen.FieldErrorCodeDuplicate, Detail: "is there more than once",
			})
		case len(values) == 1:
			faults = append(faults, check(p.schema, values[0], gen.FieldErrorInHeader, p.name)...)
		}
	}
	return faults
}

// checkBody reads the body within its limit, strictly, and leaves the handler
// the bytes that were checked.
func (o *operation) checkBody(c echo.Context) (any, []gen.FieldError, error) {
	r := c.Request()
	if r.ContentLength == 0 {
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeRequired, "a JSON body is required")}, nil
	}
	if !isJSON(r.Header) {
		return nil, nil, &fault{
			status: http.StatusUnsupportedMediaType, code: gen.ErrorCodeUnsupportedMediaType, detail: "The body must be application/json.",
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, o.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, nil, &fault{
			status: http.StatusRequestEntityTooLarge, code: gen.ErrorCodePayloadTooLarge,
			detail: fmt.Sprintf("The body may be at most %d bytes.", o.maxBody),
		}
	case err != nil:
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeInvalidJSON, "ended before it was complete")}, nil
	}
	value, malformed := decodeStrict(body)
	if malformed != nil {
		return nil, []gen.FieldError{bodyError(malformed.Pointer, gen.FieldErrorCode(malformed.Code), malformed.Detail)}, nil
	}
	faults := check(o.body, value, gen.FieldErrorInBody, "")
	if o.items != nil {
		if body, err = o.checkItems(r, value); err != nil {
			return nil, nil, err
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON) // the binding knows it in this spelling only
	return value, faults, nil
}

// isJSON tells whether the body is JSON as it is, in UTF-8 and not compressed.
func isJSON(header http.Header) bool {
	if encoding := header.Get(echo.HeaderContentEncoding); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return false
	}
	mediaType, params, err := mime.ParseMediaType(header.Get(echo.HeaderContentType))
	charset, given := params["charset"]
	return err == nil && mediaType == echo.MIMEApplicationJSON && (!given || strings.EqualFold(charset, "utf-8"))
}

var checkOptions = []openapi3.SchemaValidationOption{
	openapi3.MultiErrors(), openapi3.WithStringFormatValidators(formatValidators()),
}

// check holds value against schema and names every place that breaks it.
func check(schema *openapi3.Schema, value any, in gen.FieldErrorIn, at string) []gen.FieldError {
	err := schema.VisitJSON(value, checkOptions...)
	if err == nil {
		return nil
	}
	collected := &collector{in: in, seen: map[string]bool{}}
	collected.add(at, err)
	if len(collected.faults) == 0 { // refused all the same
		collected.fault(at, gen.FieldErrorCodeInvalidValue, "is not accepted")
	}
	return collected.faults
}

// collector flattens the validator's nested errors. It takes nothing of the
// submitted values: they may be secrets.
type collector struct {
	in     gen.FieldErrorIn
	faults []gen.FieldError
	seen   map[string]bool
}

func (c *collector) add(at string, err error) {
	if len(c.faults) >= maxFieldErrors {
		return
	}
	var several openapi3.MultiError
	var one *openapi3.SchemaError
	switch {
	case errors.As(err, &several):
		for _, nested := range several {
			c.add(at, nested)
		}
	case errors.As(err, &one):
		c.addOne(at+pointerOf(one.JSONPointer()), one)
	default:
		c.fault(at, gen.FieldErrorCodeInvalidValue, "is not accepted")
	}
}

func (c *collector) addOne(at string, err *openapi3.SchemaError) {
	switch err.SchemaField {
	case "properties":
		c.addUnknown(at, err)
	case "oneOf", "discriminator":
		c.addVariant(at, err)
	default:
		code, detail := explain(err)
		c.fault(at, code, detail)
	}
}

// addUnknown names each member that the schema does not have; the validator's
// error names the object only.
func (c *collector) addUnknown(at string, err *openapi3.SchemaError) {
	object, _ := err.Value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if err.Schema.Properties[name] == nil && len(c.faults) < maxFieldErrors {
			c.fault(at+pointerOf([]string{shorten(name)}), gen.FieldErrorCodeUnknownField, "is not a field of this object")
		}
	}
}

// addVariant goes on inside the variant that the discriminator chose.
func (c *collector) addVariant(at string, err *openapi3.SchemaError) {
	discriminator := err.Schema.Discriminator
	object, _ := err.Value.(map[string]any)
	if err.SchemaField == "discriminator" { // the value is the discriminator's own, nil when it is missing
		object = map[string]any{}
		if err.Value != nil {
			object[discriminator.PropertyName] = err.Value
		}
	}
	if discriminator == nil || object == nil {
		c.fault(at, gen.FieldErrorCodeInvalidType, "must be an object")
		return
	}
	chosen, present := object[discriminator.PropertyName]
	name, _ := chosen.(string)
	mapped, known := discriminator.Mapping[name]
	switch {
	case !present:
		c.fault(at+"/"+discriminator.PropertyName, gen.FieldErrorCodeRequired, "is required")
	case !known:
		c.fault(at+"/"+discriminator.PropertyName, gen.FieldErrorCodeInvalidValue,
			"must be one of "+strings.Join(slices.Sorted(maps.Keys(discriminator.Mapping)), ", "))
	default:
		for _, variant := range err.Schema.OneOf {
			if variant.Ref == mapped.Ref {
				c.add(at, variant.Value.VisitJSON(object, checkOptions...))
			}
		}
	}
}

func (c *collector) fault(at string, code gen.FieldErrorCode, detail string) {
	key := at + " " + string(code)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.faults = append(c.faults, gen.FieldError{In: c.in, Pointer: shorten(at), Code: code, Detail: detail})
}

// explain words what the schema demands, without the value that it got.
func explain(err *openapi3.SchemaError) (gen.FieldErrorCode, string) {
	schema := err.Schema
	switch err.SchemaField {
	case "required":
		return gen.FieldErrorCodeRequired, "is required"
	case "type":
		return gen.FieldErrorCodeInvalidType, "must be " + typeName(schema)
	case "nullable":
		return gen.FieldErrorCodeInvalidType, "must not be null"
	case "enum":
		return gen.FieldErrorCodeInvalidValue, "must be one of " + enumeration(schema)
	case "format":
		return gen.FieldErrorCodeInvalidFormat, "must be a valid " + schema.Format
	case "pattern":
		if schema.Pattern == `\S` {
			return gen.FieldErrorCodeInvalidFormat, "must not be blank"
		}
		return gen.FieldErrorCodeInvalidFormat, "must match " + schema.Pattern
	case "minLength":
		return gen.FieldErrorCodeTooShort, fmt.Sprintf("must be at least %d characters long", schema.MinLength)
	case "maxLength":
		return gen.FieldErrorCodeTooLong, fmt.Sprintf("must be at most %d characters long", *schema.MaxLength)
	case "minimum":
		return gen.FieldErrorCodeTooSmall, "must be at least " + number(*schema.Min)
	case "maximum":
		return gen.FieldErrorCodeTooLarge, "must be at most " + number(*schema.Max)
	case "minItems":
		return gen.FieldErrorCodeTooFewItems, fmt.Sprintf("must have at least %d items", schema.MinItems)
	case "maxItems":
		return gen.FieldErrorCodeTooManyItems, fmt.Sprintf("must have at most %d items", *schema.MaxItems)
	case "uniqueItems":
		return gen.FieldErrorCodeDuplicate, "must not name anything twice"
	case "minProperties":
		return gen.FieldErrorCodeTooFewItems, fmt.Sprintf("must have at least %d fields", schema.MinProps)
	case "maxProperties":
		return gen.FieldErrorCodeTooManyItems, fmt.Sprintf("must have at most %d fields", *schema.MaxProps)
	default:
		return gen.FieldErrorCodeInvalidValue, "is not accepted"
	}
}

func typeName(schema *openapi3.Schema) string {
	name := strings.Join(schema.Type.Slice(), " or ")
	if strings.ContainsAny(name[:min(1, len(name))], "aio") {
		return "an " + name
	}
	return "a " + name
}

func enumeration(schema *openapi3.Schema) string {
	names := make([]string, 0, len(schema.Enum))
	for _, value := range schema.Enum {
		names = append(names, fmt.Sprint(value))
	}
	return strings.Join(names, ", ")
}

func number(value float64) string {
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return strconv.FormatInt(int64(value), 10)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// pointerOf writes a path as a JSON Pointer (RFC 6901).
func pointerOf(path []string) string {
	var pointer strings.Builder
	for _, step := range path {
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return pointer.String()
}

func dotsToPointer(field string) string {
	if field == "" {
		return ""
	}
	return "/" + strings.ReplaceAll(field, ".", "/")
}

const maxPointer = 256

// shorten bounds what of a client's own names is sent back.
func shorten(text string) string {
	if len(text) <= maxPointer {
		return text
	}
	return strings.ToValidUTF8(text[:maxPointer], "") + "…"
}
