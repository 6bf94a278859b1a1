package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
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

// guard runs before the handler of one operation, on the route that Echo has
// matched: first authentication, then authorization, then the request itself.
func (s *Server) guard(o operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			o.announce(c.Response().Header())
			r := c.Request()
			info := requestOf(r.Context())

			scope, err := s.authenticate(&o, r)
			scope.Origin = store.Origin{IP: c.RealIP(), RequestID: info.id}
			info.scope = scope

			// The rate limits come before the refusal, because they count failed credentials.
			if limited := s.limit(c, &o, scope, err); limited != nil {
				return limited
			}
			if err != nil {
				return err
			}
			if err := o.authorize(scope); err != nil {
				return err
			}

			body, err := o.checkRequest(c)
			if err != nil {
				return err
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

// checkRequest compares the request with the contract and returns its decoded
// body. Its error lists each field that breaks the contract.
func (o *operation) checkRequest(c echo.Context) (any, error) {
	r := c.Request()
	faults := o.checkPath(c)
	faults = append(faults, o.checkQuery(r)...)
	faults = append(faults, o.checkHeaders(r)...)

	var body any
	if o.takesBody(r) {
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

func (o *operation) checkPath(c echo.Context) []gen.FieldError {
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
func (o *operation) checkQuery(r *http.Request) []gen.FieldError {
	raw := r.URL.RawQuery
	if raw == "" {
		return nil
	}
	if fault := queryFault(raw); fault != nil {
		return []gen.FieldError{queryError(fault.Pointer, gen.FieldErrorCode(fault.Code), fault.Detail)}
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
			faults = append(faults, check(r.Context(), p.schema, value, gen.FieldErrorInQuery, name)...)
		}
	}
	return faults
}

func queryError(name string, code gen.FieldErrorCode, detail string) gen.FieldError {
	return gen.FieldError{In: gen.FieldErrorInQuery, Pointer: name, Code: code, Detail: detail}
}

// queryValue converts a parameter to the type of its schema. A text that cannot
// be converted stays a text, which the schema then rejects.
func queryValue(schema *openapi3.Schema, text string) any {
	if schema.Type.Is(openapi3.TypeInteger) {
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return float64(number)
		}
	}
	return text
}

// checkHeaders checks only the headers that the operation declares.
func (o *operation) checkHeaders(r *http.Request) []gen.FieldError {
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
func (o *operation) checkBody(c echo.Context) (any, []gen.FieldError, error) {
	r := c.Request()
	if r.ContentLength == 0 {
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeRequired, "a JSON body is required")}, nil
	}
	if !isJSON(r.Header) {
		return nil, nil, &fault{
			status: http.StatusUnsupportedMediaType, code: gen.ErrorCodeUnsupportedMediaType,
			detail: "The body must be application/json.",
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
		code := gen.FieldErrorCode(malformed.Code)
		return nil, []gen.FieldError{bodyError(malformed.Pointer, code, malformed.Detail)}, nil
	}
	faults := check(r.Context(), o.body, value, gen.FieldErrorInBody, "")

	// A request that is refused as a whole has no outcome per item.
	if o.items != nil && len(faults) == 0 {
		if body, err = o.checkItems(r, value); err != nil {
			return nil, nil, err
		}
	}

	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON) // the generated binding accepts no other spelling
	return value, faults, nil
}

// isJSON reports whether the headers declare an uncompressed JSON body in UTF-8.
func isJSON(header http.Header) bool {
	if encoding := header.Get(echo.HeaderContentEncoding); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return false
	}
	mediaType, params, err := mime.ParseMediaType(header.Get(echo.HeaderContentType))
	charset, given := params["charset"]
	return err == nil && mediaType == echo.MIMEApplicationJSON && (!given || strings.EqualFold(charset, "utf-8"))
}
