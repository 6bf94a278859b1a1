package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"assay/gen"
)

// deprecated returns an operation that is marked as deprecated with the given dates.
func deprecated(t *testing.T, dates map[string]any) (operation, error) {
	t.Helper()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	described := document.Paths.Value("/v1/event-types").Get
	described.Deprecated = true
	for name, date := range dates {
		described.Extensions[name] = date
	}
	return newOperation(described)
}

// All responses of a deprecated operation, errors included, have the headers Deprecation and
// Sunset.
func TestDeprecatedOperationHeaders(t *testing.T) {
	onEach(t, func(t *testing.T, s *inside) {
		o, err := deprecated(t, map[string]any{"x-deprecated-at": "2027-01-31", "x-sunset": "2028-02-01"})
		if err != nil {
			t.Fatal(err)
		}
		e := echo.New()
		e.HTTPErrorHandler = s.echo.HTTPErrorHandler
		e.Use(s.observe)
		e.GET("/v1/event-types", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) }, s.guard(o))
		access, _ := s.register()

		for _, status := range []int{http.StatusNoContent, http.StatusUnauthorized} {
			request := httptest.NewRequest(http.MethodGet, "/v1/event-types", nil)
			if status == http.StatusNoContent {
				request.Header.Set("Authorization", "Bearer "+access)
			}
			answer := httptest.NewRecorder()
			e.ServeHTTP(answer, request)
			header := answer.Header()
			if answer.Code != status || header.Get("Deprecation") != "@1801353600" ||
				header.Get("Sunset") != "Tue, 01 Feb 2028 00:00:00 GMT" {
				t.Errorf("status %d with the headers %v", answer.Code, header)
			}
		}

		header := s.do("GET", "/v1/event-types", nil, "Authorization", "Bearer "+access).Header()
		if header.Get("Deprecation")+header.Get("Sunset") != "" {
			t.Errorf("an operation that is not deprecated has deprecation headers: %v", header)
		}
	})
}

// The server does not start if a deprecated operation lacks valid dates.
func TestDeprecationRequiresDates(t *testing.T) {
	t.Parallel()
	for _, dates := range []map[string]any{
		{},
		{"x-deprecated-at": "2027-01-31"},
		{"x-sunset": "2028-02-01"},
		{"x-deprecated-at": "2027-01-31", "x-sunset": "2028-01-30"},
		{"x-deprecated-at": "soon", "x-sunset": "2028-02-01"},
		{"x-deprecated-at": 2027, "x-sunset": "2028-02-01"},
	} {
		if _, err := deprecated(t, dates); err == nil {
			t.Errorf("the dates %v are accepted", dates)
		}
	}
	if _, err := newOperation(&openapi3.Operation{Extensions: map[string]any{"x-sunset": "2028-02-01"}}); err == nil {
		t.Error("a sunset of an operation that is not deprecated is accepted")
	}
}
