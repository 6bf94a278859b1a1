package spreadsheet

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
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

// SafeText keeps spreadsheets from running a part of a cell of CSV as a formula (OWASP, "CSV Injection"): it puts an
// apostrophe before a sign that would begin a formula.
//
// A program can divide a file by another separator than the one it was written with: Excel uses that of the country.
// Then quotes inside a line mean nothing. So a cell can also begin after each separator and the end of a line in the
// text, and after quotes and spaces there. An apostrophe ends this: it is what makes a cell a text. csv_cell.ts of
// the dashboard does the same. Numbers are not texts, so they keep their sign.
func SafeText(text string) string {
	if !strings.ContainsAny(text, csvFormula+"\t\r\n") {
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
	csvBreaks  = ",;|\t\r\n"
)
