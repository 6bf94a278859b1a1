package server

import (
	"assay/server/spreadsheet"
	"assay/store"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// The first lines are sent before the last ones are read, and nothing is read any more for a client that has left.
func TestSpreadsheetStops(t *testing.T) {
	t.Parallel()
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		batches, ended := 0, make(chan struct{})
		language, err := spreadsheet.LanguageOf("en")
		if err != nil {
			t.Fatal(err)
		}
		endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			next := func() ([]store.CandidateRow, error) {
				batches++
				return make([]store.CandidateRow, 500), r.Context().Err()
			}
			sheet := store.CandidateSpreadsheet{Zone: time.UTC, Next: next}
			inTurn := func(part func() error) error { return part() }
			_ = candidateFile{sheet, inTurn, spreadsheet.Options{Format: format, Language: language, Name: "x"},
				time.Now().Add(time.Hour)}.VisitExportCandidateSpreadsheetResponse(w)
		}))
		ctx, leave := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, endless.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, answer.Body, 10_000); err != nil {
			t.Errorf("%s: nothing is sent before the end: %v", format, err)
		}
		leave()
		<-ended // the test times out if the work goes on
		_ = answer.Body.Close()
		endless.Close()
	}
}
