package exchange

import (
	"slices"
	"strings"
)

// table is a sheet of cells, before anything is known about its columns.
type table struct {
	name   string // of the sheet; empty in a file with one table
	isText bool   // from a text file, in which other programs put an apostrophe before formulas
	rows   []tableRow
	// noted are facts about rows that no question can report, such as quotes that do not end.
	noted []Note
}

// tableRow is a row with a cell that is not empty. Its number is that of the row in a spreadsheet: a cell with line
// breaks is in one row, and empty rows count.
type tableRow struct {
	number  int
	cells   []string
	numbers []int  // the columns whose cells are numbers and not texts, so that 1.234 has one meaning
	notes   []Note // about values of its cells
}

const (
	maxTableRows    = 5000 // with text; an assessment has 500 questions
	maxTableColumns = 100
)

// add puts a text into a cell. Cells beyond the last column that is read become one note.
func (r *tableRow) add(column int, cell string) {
	if column < maxTableColumns {
		for len(r.cells) <= column {
			r.cells = append(r.cells, "")
		}
		r.cells[column] = cell
		return
	}
	if cell != "" && !slices.ContainsFunc(r.notes, func(n Note) bool { return n.Code == RowTooLong }) {
		r.notes = append(r.notes, Note{RowTooLong, r.number, excerptOf(cell)})
	}
}

// cellSeparators are what can stand between the cells of a text file.
const cellSeparators = ",;\t|"

// sampleBytes is how much of a text decides about its separator.
const sampleBytes = 32 << 10

// separatorOf finds the separator of a text: the one with which the most headings are known. Without known headings it
// is the one with which the most rows have the same number of cells.
func separatorOf(text string) rune {
	sample := text
	if len(sample) > sampleBytes {
		sample = sample[:sampleBytes]
	}
	best, bestScore := ',', -1
	for _, separator := range cellSeparators {
		rows := splitTable(sample, separator).rows
		headings := 1000 * knownHeadings(rows)
		score := headings
		counts := map[int]int{}
		for _, row := range rows {
			if len(row.cells) > 1 {
				counts[len(row.cells)]++
			}
		}
		for cells, times := range counts {
			score = max(score, headings+100*times/len(rows)+min(cells, 10))
		}
		if score > bestScore {
			best, bestScore = separator, score
		}
	}
	return best
}

// textTable reads the cells of a text file (RFC 4180, and what spreadsheets write).
func textTable(text string) table {
	text = oneLineBreak.Replace(text)
	// Excel names the separator in the first line, if it is not that of the country.
	if rest, found := strings.CutPrefix(text, "sep="); found && len(rest) > 1 && rest[1] == '\n' {
		made := splitTable(rest[2:], rune(rest[0]))
		for i := range made.rows {
			made.rows[i].number++
		}
		return made
	}
	return splitTable(text, separatorOf(text))
}

// cellReader reads a text cell by cell, each character at most twice.
type cellReader struct {
	text      string
	separator byte
	at        int
}

func splitTable(text string, separator rune) (made table) {
	made.isText = true
	reader := cellReader{text: text, separator: byte(separator)}
	for number := 1; reader.at < len(text); number++ {
		if len(made.rows) == maxTableRows {
			made.noted = append(made.noted, Note{Code: RestNotRead, Line: number})
			break
		}
		row := tableRow{number: number}
		isOpen := false
		for column, more := 0, true; more; column++ {
			var cell string
			var closed bool
			cell, closed, more = reader.cell()
			isOpen = isOpen || !closed
			row.add(column, cell)
		}
		switch {
		case isOpen:
			made.noted = append(made.noted, Note{NotClosed, number, excerptOf(strings.Join(row.cells, " | "))})
		case !isBlankRow(row.cells):
			made.rows = append(made.rows, row)
		}
	}
	return made
}

// cell reads the next cell of a row. It returns false for quotes that do not end, and whether the row has another cell.
func (r *cellReader) cell() (cell string, closed, more bool) {
	start := r.at
	for start < len(r.text) && r.text[start] == ' ' {
		start++
	}
	if start < len(r.text) && r.text[start] == '"' {
		cell, end, found := r.quoted(start + 1)
		switch {
		case found:
			r.at = min(end+1, len(r.text))
			return cell, true, end < len(r.text) && r.text[end] == r.separator
		case end < 0:
			r.at = len(r.text)
			return r.text[start:], false, false
		}
	}
	end := strings.IndexAny(r.text[r.at:], string(r.separator)+"\n")
	if end < 0 {
		cell, r.at = r.text[r.at:], len(r.text)
		return strings.TrimSpace(cell), true, false
	}
	cell, more = r.text[r.at:r.at+end], r.text[r.at+end] == r.separator
	r.at += end + 1
	return strings.TrimSpace(cell), true, more
}

// quoted reads a cell from behind its first quote. It returns where its separator stands. A text that goes on behind
// the last quote is not a quoted cell but a text with quotes in it, and then nothing is found. The end is -1 for
// quotes that do not end.
func (r *cellReader) quoted(from int) (cell string, end int, found bool) {
	var text strings.Builder
	for at := from; ; {
		quote := strings.IndexByte(r.text[at:], '"')
		if quote < 0 {
			return "", -1, false
		}
		text.WriteString(r.text[at : at+quote])
		at += quote + 1
		if at < len(r.text) && r.text[at] == '"' {
			text.WriteByte('"')
			at++
			continue
		}
		for at < len(r.text) && r.text[at] == ' ' {
			at++
		}
		if at == len(r.text) || r.text[at] == r.separator || r.text[at] == '\n' {
			return cleanText(text.String()), at, true
		}
		return "", at, false
	}
}

func isBlankRow(cells []string) bool {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}
