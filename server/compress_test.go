package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// A compressed response has a weak ETag, because its bytes differ.
func TestCompressedETag(t *testing.T) {
	t.Parallel()
	s := &Server{echo: echo.New()}
	for tag, want := range map[string]string{`"v1"`: `W/"v1"`, `W/"v1"`: `W/"v1"`, "": ""} {
		recorder := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, &request{compressible: true}))
		err := s.compress(func(c echo.Context) error {
			if tag != "" {
				c.Response().Header().Set("ETag", tag)
			}
			return c.JSON(http.StatusOK, strings.Repeat("x", 2*minCompressed))
		})(s.echo.NewContext(r, recorder))
		if err != nil || recorder.Header().Get("ETag") != want || recorder.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: %v with the headers %v", tag, err, recorder.Header())
		}
	}
}

// The Accept-Encoding header is parsed with its quality values (RFC 9110, section 12.5.3).
func TestAcceptsGzip(t *testing.T) {
	for values, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "x-gzip": true, "br, gzip;q=0.5": true, "gzip; q=0": false,
		"gzip;q=0.000, *": false, "*": true,
		"*;q=0": false, "*;q=0, gzip": true, "identity": false, "deflate, br": false, "gzip;q=high": false,
		"gzipped": false, "br;q=1, *;q=0.1": true,
	} {
		if got := acceptsGzip(strings.Split(values, "\n")); got != want {
			t.Errorf("%q: %t, want %t", values, got, want)
		}
	}
}
