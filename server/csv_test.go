package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// If the database fails during an export, the connection breaks. A file that ended
// normally would look complete.
func TestExportBreaksOff(t *testing.T) {
	t.Parallel()
	batches := 0
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.Copy(w, newCSV([]string{"id"}, func() ([][]string, error) {
			if batches++; batches > 1 {
				return nil, io.ErrUnexpectedEOF
			}
			return [][]string{{"1"}}, nil
		}))
	}))
	defer failing.Close()
	answer, err := http.Get(failing.URL)
	if err != nil {
		return // it broke before the headers were sent
	}
	defer func() { _ = answer.Body.Close() }()
	if body, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("the file %q ended without an error", body)
	}
}
