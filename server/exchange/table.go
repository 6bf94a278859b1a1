package exchange

import (
	"slices"
	"strings"
)

// sheet is a table whose columns are known.
type sheet struct {
	table
	names     []string // the headings as they stand; empty without headings
	headings  []heading
	first     int // the index of the first row with a question
	headingAt int // the index of the row with the headings, or of the first row
	isChosen  bool
	options   optionReader
	notes     []Note
}

// readTables makes a draft of the tables of a file.
func readTables(source Source, tables []table) (Imported, error) {
	var p parsed
	var sheets, others []sheet
	for _, t := range tables {
		p.addNotes(t.noted...)
		if len(t.rows) == 0 {
			continue
		}
		made, hasQuestions := newSheet(t, source.Options.Columns)
		if hasQuestions {
			sheets = append(sheets, made)
		} else {
			others = append(others, made)
		}
	}
	for _, other := range others {
		if len(sheets) > 0 {
			p.note(SheetIgnored, other.rows[0].number, other.name)
			continue
		}
		// The screen asks what the columns of the first table contain.
		p.note(ColumnMissing, other.rows[0].number, strings.Join(other.names, ", "))
		if p.columns == nil {
			p.columns = columnsOf(other.names, other.headings, other.rows[1:])
		}
	}
	for i := range sheets {
		columns := sheets[i].read(&p, len(sheets) > 1)
		if p.columns == nil {
			p.columns = columns
		}
	}
	return assemble(source, p)
}

// newSheet finds out what the columns of a table contain. It returns false if none has questions.
func newSheet(t table, chosen []Role) (sheet, bool) {
	s := sheet{table: t}
	at := headingRow(t.rows)
	switch {
	case len(chosen) > 0:
		s.choose(chosen, at)
		if at < 0 && s.beginsWithHeadings() {
			at = 0
			s.note(HeadingIgnored, 0)
		}
	case at >= 0:
		s.headings = readHeadings(t.rows[at].cells)
	default:
		if s.headings = inferredHeadings(t.rows); s.headings != nil {
			s.note(HeadingMissing, 0)
		} else {
			at = 0
			s.headings = readHeadings(t.rows[0].cells)
		}
	}
	if at >= 0 {
		s.names, s.first, s.headingAt = t.rows[at].cells, at+1, at
	}
	for i := range max(at, 0) {
		s.note(HeadingIgnored, i)
	}
	// The template of Wayground explains each column in the row below the headings.
	if s.first < len(t.rows) && strings.HasPrefix(t.rows[s.first].cell(s.column(RoleQuestion)), "Text of the question") {
		s.note(HeadingIgnored, s.first)
		s.first++
	}
	s.options = newOptionReader(s.headings, t.rows[s.first:])
	return s, s.column(RoleQuestion) >= 0
}

func (s *sheet) note(code NoteCode, row int) {
	s.notes = append(s.notes, newNote(code, s.rows[row].number, strings.Join(s.rows[row].cells, " | ")))
}

// choose gives the columns the roles that a person has chosen. The headings still say which letter an option has.
func (s *sheet) choose(chosen []Role, at int) {
	s.isChosen = true
	s.headings = make([]heading, len(chosen))
	var read []heading
	if at >= 0 {
		read = readHeadings(s.rows[at].cells)
	}
	for i, role := range chosen {
		s.headings[i] = heading{role: role, label: -1}
		if i < len(read) && read[i].role == role {
			s.headings[i] = read[i]
		}
	}
}

// beginsWithHeadings decides about a first row without known headings, if a person has chosen the columns: it is a
// question if its key can be read.
func (s *sheet) beginsWithHeadings() bool {
	cell := keyCell{
		text: s.rows[0].cell(s.keyColumn()), options: newOptionReader(s.headings, s.rows).options(s.rows[0]),
	}
	if cell.text != "" && len(cell.options) > 0 {
		decideKey(RoleCorrect, []*keyCell{&cell})
		return cell.problem == AnswerUnknown
	}
	prompt := s.rows[0].cell(s.column(RoleQuestion))
	return len(s.rows) > 1 && len(prompt) < 40 && !strings.ContainsAny(prompt, "?？.:")
}

// inferredHeadings finds the columns of a table without headings: a question, its options, and the key, which can be
// read in each row. It returns nil for other tables.
func inferredHeadings(rows []tableRow) []heading {
	width := len(rows[0].cells)
	if width < 4 {
		return nil
	}
	made := make([]heading, width)
	for i := range made {
		made[i] = heading{role: RoleOption, label: i - 1}
	}
	made[0].role, made[width-1].role = RoleQuestion, RoleCorrect
	options := newOptionReader(made, rows)
	cells := make([]*keyCell, len(rows))
	for i, row := range rows {
		cells[i] = &keyCell{text: row.cell(width - 1), options: options.options(row)}
		if len(row.cells) > width || row.cell(0) == "" || len(cells[i].options) < 2 {
			return nil
		}
	}
	decideKey(RoleCorrect, cells)
	if slices.ContainsFunc(cells, func(c *keyCell) bool { return c.correct == nil && c.problem != ColumnAmbiguous }) {
		return nil
	}
	return made
}

// column returns the first column with the role, or -1.
func (s *sheet) column(role Role) int {
	return slices.IndexFunc(s.headings, func(h heading) bool { return h.role == role })
}

// keyColumn returns the column that names the correct options, or -1.
func (s *sheet) keyColumn() int {
	for _, role := range append([]Role{RoleCorrect}, keyRoles...) {
		if at := s.column(role); at >= 0 {
			return at
		}
	}
	return -1
}

// headingLine is the number of the row with the headings, or of the first row.
func (s *sheet) headingLine() int { return s.rows[s.headingAt].number }

// read adds the questions of the sheet, and returns its columns. With several sheets, each is a stage.
func (s *sheet) read(p *parsed, isOneOfSeveral bool) []Column {
	rows := s.rows[s.first:]
	for i := range rows {
		switch {
		case s.isWritten(keyHeadingCSV):
			rows[i].unguard()
		case s.isText:
			rows[i].unguardStart()
		}
	}
	readers := make([]rowReader, len(rows))
	var cells []*keyCell
	for i, row := range rows {
		readers[i] = s.reader(row)
		if key := &readers[i].key; readers[i].isChoice() {
			cells = append(cells, key)
		}
	}
	columns := columnsOf(s.names, s.headings, rows)
	if at := s.keyColumn(); at >= 0 && len(cells) > 0 && !s.options.isWrong {
		decided := decideKey(s.headings[at].role, cells)
		columns[at].Role, columns[at].Choices = decided.role, decided.choices
		if len(decided.choices) > 0 {
			s.notes = append(s.notes, newNote(ColumnAmbiguous, s.headingLine(), columns[at].Name))
		}
		if decided.fromZero && decided.role == RoleCorrectNumber {
			s.notes = append(s.notes, newNote(CountedFromZero, s.headingLine(), columns[at].Name))
		}
	}
	s.noteColumns(columns, rows)
	p.addNotes(s.notes...)
	for i := range readers {
		raw := readers[i].question(s)
		if isOneOfSeveral {
			raw.place.ID = s.name
			if raw.stage == "" {
				raw.stage = s.name
			}
		}
		if p.add(raw); p.isFull {
			break
		}
	}
	return columns
}

// noteColumns reports the columns that are not imported, if they have values. A column that only counts has none.
func (s *sheet) noteColumns(columns []Column, rows []tableRow) {
	for i, h := range s.headings {
		isNamed := h.role != RoleIgnored || s.isChosen || h.dropped == PictureDropped
		if isNamed || columns[i].Example == "" || (h.isCount || columns[i].Name == "") && counts(rows, i) {
			continue
		}
		code := h.dropped
		if code == "" {
			code = ColumnUnknown
		}
		name := columns[i].Name
		if name == "" {
			name = columns[i].Example
		}
		s.notes = append(s.notes, newNote(code, s.headingLine(), name))
	}
}

// counts reports whether a column contains only whole numbers that increase.
func counts(rows []tableRow, column int) bool {
	last := -1.0
	for _, row := range rows {
		if row.cell(column) == "" {
			continue
		}
		number, ok := readNumber(row.cell(column), "en")
		if !ok || number.value <= last || number.value != float64(int(number.value)) {
			return false
		}
		last = number.value
	}
	return true
}

// rowReader reads one row.
type rowReader struct {
	tableRow
	kind    tableType
	word    string // for the type, as it stands
	isKnown bool   // the word
	options []tableOption
	key     keyCell
}

func (s *sheet) reader(row tableRow) rowReader {
	r := rowReader{tableRow: row, word: row.cell(s.column(RoleType)), options: s.options.options(row)}
	r.kind, r.isKnown = readType(r.word)
	r.key = keyCell{text: row.cell(s.keyColumn()), options: r.options}
	return r
}

// isChoice reports whether the key of the row names options.
func (r *rowReader) isChoice() bool {
	return len(r.options) > 0 && !r.kind.isOpen() && !r.kind.isUnsupported
}

func (r *rowReader) at(text string) textAt { return textAt{text, r.number} }

// question makes a question of the row.
func (r *rowReader) question(s *sheet) rawQuestion {
	cell := func(role Role) string { return r.cell(s.column(role)) }
	raw := rawQuestion{
		place: Place{Line: r.number, LastLine: r.number}, stage: cell(RoleStage), prompt: cell(RoleQuestion),
		explanation: cell(RoleExplanation), points: r.at(r.plainNumber(s.column(RolePoints))), notes: r.notes,
		kind: r.kind.kind,
	}
	if raw.prompt == "" {
		raw.excerpt = strings.Join(slices.DeleteFunc(slices.Clone(r.cells), func(c string) bool { return c == "" }), " / ")
	}
	switch {
	case r.kind.isUnsupported:
		raw.refuse(TypeUnsupported, r.number, r.word)
	case r.word != "" && !r.isKnown:
		raw.note(TypeUnknown, r.number, r.word)
	}
	for i, h := range s.headings {
		if h.dropped == PictureDropped && r.cell(i) != "" && !s.isChosen {
			raw.note(PictureDropped, r.number, r.cell(i))
		}
	}
	if len(r.cells) > len(s.headings) && !isBlankRow(r.cells[len(s.headings):]) {
		raw.note(RowTooLong, r.number, strings.Join(r.cells[len(s.headings):], " | "))
	}
	r.details(&raw, s)
	switch {
	case s.options.isWrong && r.isChoice() && r.key.text != "":
		r.besideWrong(&raw)
	case r.isChoice():
		r.choice(&raw, s.isWritten(keyHeadingCSV) || s.isWritten(keyHeadingXLSX))
	default:
		r.open(&raw, s)
	}
	return raw
}

// besideWrong makes a choice of a text that is correct and of wrong options in other columns.
func (r *rowReader) besideWrong(raw *rawQuestion) {
	raw.hasKey = true
	_, isAlsoWrong := r.key.byText(r.key.text)
	if isAlsoWrong {
		raw.note(KeysDisagree, r.number, r.key.text)
	}
	raw.options = append(raw.options, rawOption{text: r.key.text, line: r.number, ticked: !isAlsoWrong})
	for _, option := range r.options {
		raw.options = append(raw.options, rawOption{text: option.text, line: r.number})
	}
}

// choice makes a choice. In a file that Assay has written, a star is never a mark, also if no question has a key.
func (r *rowReader) choice(raw *rawQuestion, isOurs bool) {
	raw.hasKey = r.key.text != ""
	if r.kind.allOrNothing {
		raw.partialCredit = new(false)
	}
	for i, option := range r.options {
		made := markedOption(option.text)
		if isOurs {
			made = rawOption{text: option.text}
		}
		made.line, made.ticked = r.number, slices.Contains(r.key.correct, i)
		raw.options = append(raw.options, made)
	}
	if r.key.problem != "" {
		raw.note(r.key.problem, r.number, r.key.text)
	}
}
