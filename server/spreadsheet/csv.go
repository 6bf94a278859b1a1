package spreadsheet

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"assay/store/encode"
)

type csvWriter struct {
	out      *csv.Writer
	begin    io.Writer // nil after the first row
	language *Language
}

func newCSV(w io.Writer, options Options) *csvWriter {
	made := &csvWriter{out: csv.NewWriter(w), begin: w, language: options.Language}
	made.out.UseCRLF = true
	if made.out.Comma = options.Separator; made.out.Comma == 0 {
		made.out.Comma = options.Language.separator()
	}
	return made
}

// byteOrderMark tells Excel that a file is in UTF-8.
const byteOrderMark = "\uFEFF"

func (w *csvWriter) Write(row []any) error {
	if w.begin != nil {
		if _, err := io.WriteString(w.begin, byteOrderMark); err != nil {
			return err
		}
		w.begin = nil
	}
	cells := make([]string, len(row))
	for i, value := range row {
		switch value := value.(type) {
		case string:
			cells[i] = SafeText(value)
		case float64:
			cells[i] = w.language.Number(value)
		case int:
			cells[i] = strconv.Itoa(value)
		case time.Time:
			cells[i] = w.language.Date(value)
		case time.Duration:
			cells[i] = clock(value)
		}
	}
	return w.out.Write(cells)
}

// Close writes what is buffered.
func (w *csvWriter) Close() error {
	w.out.Flush()
	return w.out.Error()
}

// SafeText keeps spreadsheets from running a part of a cell of CSV as a formula: it puts an apostrophe before a sign
// that would begin one, at each place of the text where a cell can begin. An apostrophe is what makes a cell a text.
// csv_cell.ts of the dashboard does the same. Numbers are not texts, so they keep their sign.
func SafeText(text string) string {
	if !encode.CanHaveFormula(text) {
		return text
	}
	var cell strings.Builder
	begins := true // whether a cell can begin here
	for i, r := range text {
		if begins && encode.BeginsFormula(r) || i == 0 && strings.ContainsRune("\t\r\n", r) {
			cell.WriteByte('\'')
		}
		begins = encode.CellBegins(r, begins)
		cell.WriteRune(r)
	}
	return cell.String()
}
