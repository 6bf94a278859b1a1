package server

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// csvReader writes a CSV file (RFC 4180) while it is read, so that an export of any
// length needs little memory.
type csvReader struct {
	buffer bytes.Buffer
	writer *csv.Writer
	next   func() ([][]string, error)
}

// newCSV returns a CSV file with a header line and the rows that next returns, batch by
// batch, until it returns none.
func newCSV(header []string, next func() ([][]string, error)) io.Reader {
	r := &csvReader{next: next}
	r.writer = csv.NewWriter(&r.buffer)
	r.writer.UseCRLF = true
	_ = r.writer.Write(header) // into memory
	r.writer.Flush()
	return r
}

// Read implements io.Reader. If the rows cannot be read, it closes the connection:
// otherwise the client would take the part for the whole.
func (r *csvReader) Read(p []byte) (int, error) {
	if r.buffer.Len() == 0 {
		rows, err := r.next()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if len(rows) == 0 {
			return 0, io.EOF
		}
		for _, row := range rows {
			_ = r.writer.Write(each(row, csvCell))
		}
		r.writer.Flush()
	}
	return r.buffer.Read(p)
}

// csvCell keeps spreadsheets from running a part of a cell as a formula (OWASP, "CSV
// Injection"): it puts an apostrophe before a sign that would begin a formula.
//
// Where the decimal sign is a comma, Excel separates cells by semicolons, and then quotes
// inside a line mean nothing. So a cell can also begin after a semicolon, a tab, or the end
// of a line in the text. csv.ts of the dashboard does the same.
func csvCell(text string) string {
	if !strings.ContainsAny(text, csvFormula+csvBreaks) {
		return text
	}
	var cell strings.Builder
	begins := true // whether a cell can begin here
	for i, r := range text {
		if begins && strings.ContainsRune(csvFormula, r) || i == 0 && strings.ContainsRune("\t\r\n", r) {
			cell.WriteByte('\'')
		}
		begins = strings.ContainsRune(csvBreaks, r) || begins && (r == '"' || unicode.IsSpace(r))
		cell.WriteRune(r)
	}
	return cell.String()
}

const (
	csvFormula = "=+-@＝＋－＠" // Japanese spreadsheets also accept the full-width signs
	csvBreaks  = ";\t\r\n"
)

// csvFile is a response with a CSV file. The contract names its media type, and generated
// code sends only that. Without the charset, some clients take the text for Latin-1.
type csvFile struct {
	name  string
	body  io.Reader
	until time.Time // the bound of the response; zero: as for others
}

func (f csvFile) visit(w http.ResponseWriter) error {
	if !f.until.IsZero() {
		if err := http.NewResponseController(w).SetWriteDeadline(f.until); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
	w.WriteHeader(http.StatusOK)
	_, err := io.Copy(w, f.body)
	return err
}

// VisitExportAuditLogResponse implements gen.ExportAuditLogResponseObject.
func (f csvFile) VisitExportAuditLogResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportCandidateSessionsResponse implements gen.ExportCandidateSessionsResponseObject.
func (f csvFile) VisitExportCandidateSessionsResponse(w http.ResponseWriter) error { return f.visit(w) }
