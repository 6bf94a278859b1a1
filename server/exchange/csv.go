package exchange

import (
	"encoding/csv"
	"slices"
	"strings"

	"assay/store/encode"
)

func readCSV(source Source) (Imported, error) {
	text, isText := decodeText(source.Content)
	if !isText {
		return Imported{}, ErrDamaged
	}
	return readTables(source, []table{textTable(text)})
}

// keyHeadingCSV is the heading of the key in written files. It also says that apostrophes protect the cells: that of a
// workbook, whose cells need none, differs by the brackets.
const (
	keyHeadingCSV  = "Correct (letters)"
	keyHeadingXLSX = "Correct letters"
)

// isWritten reports whether Assay has written the sheet, with the heading of the key.
func (s *sheet) isWritten(keyHeading string) bool { return slices.Contains(s.names, keyHeading) }

// writeCSV writes RFC 4180 in UTF-8, with a byte order mark so that Excel recognises it.
func writeCSV(a Assessment) (File, error) {
	var text strings.Builder
	text.WriteString("\uFEFF")
	writer := csv.NewWriter(&text)
	writer.UseCRLF = true
	for i, row := range tableOf(a, keyHeadingCSV) {
		cells := make([]string, len(row))
		for column, cell := range row {
			if cells[column] = cell.text; i > 0 && !cell.isNumber {
				cells[column] = guarded(cell.text)
			}
		}
		if err := writer.Write(cells); err != nil {
			return File{}, err
		}
	}
	writer.Flush()
	return File{Content: []byte(text.String()), Extension: ".csv", MediaType: "text/csv; charset=utf-8"}, writer.Error()
}

// guarded keeps spreadsheets from running a part of a cell as a formula, as server/spreadsheet does. Unlike there, an
// apostrophe before such a sign gets one more, so that unguarded returns the same text.
func guarded(text string) string {
	var cell strings.Builder
	begins := true // whether a cell can begin here
	runes := []rune(text)
	for i, r := range runes {
		if begins && isGuarded(runes[i:]) {
			cell.WriteByte('\'')
		}
		begins = encode.CellBegins(r, begins)
		cell.WriteRune(r)
	}
	return cell.String()
}

// isGuarded reports whether a text begins with a sign of formulas, or with apostrophes before one.
func isGuarded(text []rune) bool {
	for _, r := range text {
		if r != '\'' {
			return encode.BeginsFormula(r)
		}
	}
	return false
}

// unguarded removes the apostrophes of guarded.
func unguarded(text string) string {
	if !strings.Contains(text, "'") {
		return text
	}
	var cell strings.Builder
	begins := true
	runes := []rune(text)
	for i, r := range runes {
		isGuard := begins && r == '\'' && isGuarded(runes[i:])
		if !isGuard {
			cell.WriteRune(r)
		}
		begins = encode.CellBegins(r, begins)
	}
	return cell.String()
}

// unguardedStart removes the apostrophe that other programs put before a formula. Signs between apostrophes, as in '+',
// are a text.
func unguardedStart(text string) string {
	if strings.HasPrefix(text, "'") && isGuarded([]rune(text)) && strings.Count(text, "'") == 1 {
		return text[1:]
	}
	return text
}

// unguard removes all apostrophes that writeCSV has added.
func (r *tableRow) unguard() {
	for i, cell := range r.cells {
		r.cells[i] = unguarded(cell)
	}
}

func (r *tableRow) unguardStart() {
	for i, cell := range r.cells {
		if r.cells[i] = unguardedStart(cell); r.cells[i] != cell {
			r.notes = append(r.notes, newNote(FormatMarkerDropped, r.number, cell))
		}
	}
}
