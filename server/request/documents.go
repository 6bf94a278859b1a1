package request

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store"
)

// WriteDocument sends a document as it is in memory, or 304 if the client has it. ifNoneMatch is the header
// If-None-Match, or nil without one.
func WriteDocument(w http.ResponseWriter, d *store.Document, ifNoneMatch *string) error {
	header := w.Header()
	header.Set("ETag", d.ETag)
	if ifNoneMatch != nil && NamesTag(*ifNoneMatch, d.ETag) {
		if len(d.Body) > minCompressed { // the headers of the 200 (RFC 9110, section 15.4.5)
			header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		}
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	header.Set(echo.HeaderContentLength, strconv.Itoa(len(d.Body)))
	if response, ok := w.(*echo.Response); ok {
		if compressing, ok := response.Writer.(*compressingWriter); ok {
			compressing.document = d
		}
	}
	_, err := w.Write(d.Body)
	return err
}

// NamesTag reports whether an If-None-Match header names the entity tag, by the weak
// comparison (RFC 9110, section 13.1.2).
func NamesTag(ifNoneMatch, etag string) bool {
	for tag := range strings.SplitSeq(ifNoneMatch, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}
