package server

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"strings"
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

// csvCell keeps spreadsheets from running a cell as a formula (OWASP, "CSV Injection").
func csvCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
