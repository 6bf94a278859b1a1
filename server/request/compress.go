package request

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"assay/store"
)

// minCompressed is the size in bytes above which a JSON response is compressed. A
// smaller response fits into one or two packets anyway.
const minCompressed = 1024

// compress compresses the JSON responses of operations that return no secret. The
// length of a compressed response tells an observer which guesses in a request occur
// in the response, so a secret must not be in it (BREACH, CVE-2013-3587).
func (p *Path) compress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w := &compressingWriter{ResponseWriter: c.Response().Writer, echo: c, writers: &p.gzipWriters}
		c.Response().Writer = w
		err := next(c)
		w.finish()
		return err
	}
}

// compressingWriter delays the header of a JSON response until its body is known, for its length and its entity tag.
// The generated code and writeError write a body in one call, so the response has
// the length of the compressed body, and nothing is buffered twice.
type compressingWriter struct {
	http.ResponseWriter

	echo    echo.Context
	writers *sync.Pool
	delayed int // the status of a delayed header, or 0
	request *requestData

	document *store.Document // whose body the response has, or nil
}

// WriteHeader delays the header if the body may be compressed.
func (w *compressingWriter) WriteHeader(status int) {
	header := w.Header()
	kind, _, _ := strings.Cut(header.Get(echo.HeaderContentType), ";")
	isJSON := kind == echo.MIMEApplicationJSON || kind == ProblemJSON
	w.request = dataOf(w.echo.Request().Context())
	if isJSON && (w.request.compressible || w.request.conditional) && header.Get(echo.HeaderContentEncoding) == "" {
		w.delayed = status
		return
	}
	w.request.work.end() // the client may receive slowly
	w.ResponseWriter.WriteHeader(status)
}

// Write writes the delayed header and the body, compressed if it is large and the
// client accepts gzip.
func (w *compressingWriter) Write(body []byte) (int, error) {
	if w.delayed == http.StatusOK && w.request.conditional && w.isUnchanged(body) {
		w.Header().Del(echo.HeaderContentType)
		w.Header().Del("Link")
		if w.request.compressible && len(body) > minCompressed { // the headers of the 200 (RFC 9110, section 15.4.5)
			w.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		}
		w.delayed = http.StatusNotModified
		w.finish()
		return len(body), nil
	}
	if w.delayed == 0 || !w.request.compressible || len(body) <= minCompressed || !OffersGzip(w.echo) {
		w.finish()
		return w.ResponseWriter.Write(body)
	}

	header := w.Header()
	if tag := header.Get("ETag"); strings.HasPrefix(tag, `"`) {
		header.Set("ETag", "W/"+tag) // the bytes differ from the uncompressed ones (RFC 9110, section 8.8.1)
	}
	var packed []byte
	if w.document != nil {
		packed = w.document.Packed(w.gzipped)
	} else {
		packed = w.gzipped(body)
	}
	header.Set(echo.HeaderContentLength, strconv.Itoa(len(packed)))
	w.finish()
	if _, err := w.ResponseWriter.Write(packed); err != nil {
		return 0, err
	}
	return len(body), nil
}

// isUnchanged gives the body an entity tag, and reports whether the client has the body. A document that has a tag
// already was compared before it was written.
func (w *compressingWriter) isUnchanged(body []byte) bool {
	header := w.Header()
	if header.Get("ETag") != "" {
		return false
	}
	tag := store.EntityTag(body)
	header.Set("ETag", tag)
	return NamesTag(strings.Join(w.echo.Request().Header.Values("If-None-Match"), ","), tag)
}

// finish writes the header if it is still delayed.
func (w *compressingWriter) finish() {
	if status := w.delayed; status != 0 {
		w.delayed = 0
		w.request.work.end()
		w.ResponseWriter.WriteHeader(status)
	}
}

// Unwrap is for http.ResponseController.
func (w *compressingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// gzipped compresses at the fastest level: twice as fast as the best one, and the
// result is a seventh longer.
func (w *compressingWriter) gzipped(plain []byte) []byte {
	var out bytes.Buffer
	writer, reused := w.writers.Get().(*gzip.Writer)
	if !reused {
		writer, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // it fails only for an unknown level
	}
	writer.Reset(&out)
	_, _ = writer.Write(plain) // a buffer never fails
	_ = writer.Close()
	w.writers.Put(writer)
	return out.Bytes()
}

// returnsSecret reports whether a response of the operation can have a field that
// openapi.yaml marks with x-secret.
func returnsSecret(described *openapi3.Operation) bool {
	visited := map[*openapi3.Schema]bool{}
	for status, response := range described.Responses.Map() {
		if status >= "400" { // a problem has a secret only where a success has one, too
			continue
		}
		for _, content := range response.Value.Content {
			if content.Schema != nil && hasSecret(content.Schema.Value, visited) {
				return true
			}
		}
	}
	return false
}

func hasSecret(schema *openapi3.Schema, visited map[*openapi3.Schema]bool) bool {
	if visited[schema] {
		return false
	}
	visited[schema] = true
	if schema.Extensions["x-secret"] == true {
		return true
	}

	var parts []*openapi3.SchemaRef
	for _, refs := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		parts = append(parts, refs...)
	}
	for _, property := range schema.Properties {
		parts = append(parts, property)
	}
	for _, part := range append(parts, schema.Items, schema.AdditionalProperties.Schema) {
		if part != nil && hasSecret(part.Value, visited) {
			return true
		}
	}
	return false
}

// OffersGzip reports whether the client accepts gzip. It sets the headers of the
// response, so the caller must then compress the body.
func OffersGzip(c echo.Context) bool {
	header := c.Response().Header()
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if !acceptsGzip(c.Request().Header.Values(echo.HeaderAcceptEncoding)) {
		return false
	}
	header.Set(echo.HeaderContentEncoding, "gzip")
	return true
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3).
func acceptsGzip(values []string) bool {
	accepted := false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameter, _ := strings.Cut(item, ";")
		weight, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		wanted := !given || (err == nil && q > 0)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return wanted // its own entry takes precedence over the asterisk
		case "*":
			accepted = wanted
		}
	}
	return accepted
}
