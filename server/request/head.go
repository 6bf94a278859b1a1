package request

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
)

// headRoutes adds a HEAD route for each GET route. A response to HEAD has the headers of
// the response to GET (RFC 9110, section 9.3.2), so that the operation runs in the same way.
type headRoutes struct{ *echo.Echo }

// GET adds the two routes.
func (e headRoutes) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	e.HEAD(path, h, m...)
	return e.Echo.GET(path, h, m...)
}

// omitBody counts the bytes of the body of a response to HEAD, and sends their number instead,
// which net/http does not do.
func omitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method != http.MethodHead {
			return next(c)
		}
		w := &headWriter{ResponseWriter: c.Response().Writer}
		c.Response().Writer = w
		err := next(c)
		w.finish()
		return err
	}
}

type headWriter struct {
	http.ResponseWriter

	status int
	length int
}

// WriteHeader keeps the status until the length is known.
func (w *headWriter) WriteHeader(status int) { w.status = status }

// Write counts.
func (w *headWriter) Write(body []byte) (int, error) {
	w.length += len(body)
	return len(body), nil
}

func (w *headWriter) finish() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if w.status != http.StatusNoContent && w.status != http.StatusNotModified {
		w.Header().Set(echo.HeaderContentLength, strconv.Itoa(w.length))
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// FlushError is for http.ResponseController. There is nothing to flush.
func (*headWriter) FlushError() error { return nil }

// Flush implements http.Flusher.
func (*headWriter) Flush() {}

// Unwrap is for http.ResponseController.
func (w *headWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
