package server

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"time"

	"assay/server/request"
	"assay/server/spreadsheet"
	"assay/store/encode"
)

// csvReader writes a CSV file (RFC 4180) while it is read, so that an export of any
// length needs little memory.
type csvReader struct {
	buffer bytes.Buffer
	writer *csv.Writer
	next   func() ([][]string, error)
}

// newCSV returns a CSV file with a header line and the rows that next returns, batch by
// batch, until it returns none. Each batch takes a turn of the organization.
func newCSV(ctx context.Context, header []string, next func() ([][]string, error)) io.Reader {
	return newSafeCSV(ctx, header, func() ([][]string, error) {
		rows, err := next()
		for i, row := range rows {
			rows[i] = each(row, spreadsheet.SafeText)
		}
		return rows, err
	})
}

// newSafeCSV is newCSV for rows in which spreadsheet.SafeText has written the texts. A number keeps its sign.
func newSafeCSV(ctx context.Context, header []string, next func() ([][]string, error)) io.Reader {
	r := &csvReader{next: func() (rows [][]string, err error) {
		err = request.InTurn(ctx, func() (err error) {
			rows, err = next()
			return err
		})
		return rows, err
	}}
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
			_ = r.writer.Write(row)
		}
		r.writer.Flush()
	}
	return r.buffer.Read(p)
}

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
	w.Header().Set("Content-Disposition", encode.Attachment(f.name))
	w.WriteHeader(http.StatusOK)
	_, err := io.Copy(w, f.body)
	return err
}

// VisitExportAuditLogResponse implements gen.ExportAuditLogResponseObject.
func (f csvFile) VisitExportAuditLogResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportPublicAuditLogResponse implements gen.ExportPublicAuditLogResponseObject.
func (f csvFile) VisitExportPublicAuditLogResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportCandidateSessionsResponse implements gen.ExportCandidateSessionsResponseObject.
func (f csvFile) VisitExportCandidateSessionsResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportResponsesResponse implements gen.ExportResponsesResponseObject.
func (f csvFile) VisitExportResponsesResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportPublicResponsesResponse implements gen.ExportPublicResponsesResponseObject.
func (f csvFile) VisitExportPublicResponsesResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportCodeBookResponse implements gen.ExportCodeBookResponseObject.
func (f csvFile) VisitExportCodeBookResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportPublicCodeBookResponse implements gen.ExportPublicCodeBookResponseObject.
func (f csvFile) VisitExportPublicCodeBookResponse(w http.ResponseWriter) error { return f.visit(w) }
