package exchange

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The bounds of a workbook, besides those of an archive.
const (
	maxBookBytes  = 32 << 20 // bytes of all parts
	maxCellText   = 32 << 20 // bytes of all cells; many cells can refer to one text
	maxCells      = 400_000  // of all sheets
	maxTexts      = 400_000  // that cells refer to
	maxSheets     = 50
	maxMerges     = 10_000
	maxMergedRows = 100_000 // cells that are filled in because they are merged with a cell above
)

// workbook reads the parts of Office Open XML (ISO/IEC 29500-1, SpreadsheetML) that contain what cells show.
type workbook struct {
	files    *archive
	texts    []sharedText
	formats  []cellFormat // by the number of a style
	is1904   bool         // days are counted from 1904
	textLeft int
	cellLeft int
}

// sharedText is a text of the table that cells refer to.
type sharedText struct {
	text    string
	changed bool // it had formatting that is not imported
}

// xlsxTables reads the sheets that are shown, in their order.
func xlsxTables(content []byte) ([]table, error) {
	files, err := openArchive(content)
	if err != nil {
		return nil, err
	}
	files.most = maxBookBytes
	book := workbook{files: files, textLeft: maxCellText, cellLeft: maxCells}
	return book.tables()
}

func (b *workbook) tables() ([]table, error) {
	main := b.target("", "officeDocument", "xl/workbook.xml")
	if b.files.files[main] == nil {
		return nil, ErrDamaged
	}
	sheets, err := b.sheets(main)
	if err != nil {
		return nil, err
	}
	if err := b.readStyles(b.target(main, "styles", "")); err != nil {
		return nil, err
	}
	if err := b.readTexts(b.target(main, "sharedStrings", "")); err != nil {
		return nil, err
	}
	var made []table
	for _, sheet := range sheets {
		read, err := b.readSheet(sheet)
		if err != nil {
			return nil, err
		}
		made = append(made, read)
	}
	return made, nil
}

// elementVisitor gets each element of a part. It can read the element to its end with the decoder, and then returns
// true.
type elementVisitor func(d *xml.Decoder, element xml.StartElement) (isRead bool, err error)

// errEnough ends the reading of a part.
var errEnough = errors.New("enough has been read")

func (b *workbook) elements(name string, visit elementVisitor) error {
	if b.files.files[name] == nil {
		return nil
	}
	content, err := b.files.file(name)
	if err != nil {
		return damagedUnless(err, errTooMuch, ErrTooLarge)
	}
	decoder := xml.NewDecoder(bytes.NewReader(content)) // it reads no external entities
	for depth := 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return ErrDamaged
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth > 100 {
				return ErrDamaged
			}
			isRead, err := visit(decoder, token)
			if errors.Is(err, errEnough) {
				return nil
			}
			if err != nil {
				return damagedUnless(err, ErrTooLarge, ErrTooLarge)
			}
			if isRead {
				depth--
			}
		case xml.EndElement:
			depth--
		}
	}
}

func damagedUnless(err, reason, refusal error) error {
	if errors.Is(err, reason) {
		return refusal
	}
	return ErrDamaged
}

func attribute(element xml.StartElement, name string) string {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// relations returns the targets of the relations of a part by their ids, and the first target of each type.
func (b *workbook) relations(part string) (byID, byType map[string]string) {
	byID, byType = map[string]string{}, map[string]string{}
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	_ = b.elements(name, func(_ *xml.Decoder, element xml.StartElement) (bool, error) { // a damaged part lacks the others
		if element.Name.Local != "Relationship" || attribute(element, "TargetMode") == "External" {
			return false, nil
		}
		target := attribute(element, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join("/", path.Dir(part), target)
		}
		target = strings.TrimPrefix(path.Clean(target), "/")
		byID[attribute(element, "Id")] = target
		if kind := path.Base(attribute(element, "Type")); byType[kind] == "" {
			byType[kind] = target
		}
		return false, nil
	})
	return byID, byType
}

// target returns the part to which another part refers, or the usual one.
func (b *workbook) target(part, kind, usual string) string {
	if _, byType := b.relations(part); byType[kind] != "" {
		return byType[kind]
	}
	return usual
}

type sheetPart struct{ title, part string }

// sheets returns the sheets that a person sees.
func (b *workbook) sheets(main string) (sheets []sheetPart, err error) {
	byID, _ := b.relations(main)
	err = b.elements(main, func(_ *xml.Decoder, element xml.StartElement) (bool, error) {
		switch element.Name.Local {
		case "workbookPr":
			b.is1904 = isTrue(attribute(element, "date1904"))
		case "sheet":
			id := ""
			for _, a := range element.Attr {
				if a.Name.Local == "id" && a.Name.Space != "" {
					id = a.Value
				}
			}
			isShown := attribute(element, "state") == "" || attribute(element, "state") == "visible"
			if isShown && byID[id] != "" && len(sheets) < maxSheets {
				sheets = append(sheets, sheetPart{attribute(element, "name"), byID[id]})
			}
		}
		return false, nil
	})
	return sheets, err
}

func isTrue(value string) bool { return value == "1" || value == "true" }

func (b *workbook) readTexts(part string) error {
	return b.elements(part, func(d *xml.Decoder, element xml.StartElement) (bool, error) {
		if element.Name.Local != "si" {
			return false, nil
		}
		if len(b.texts) >= maxTexts {
			return true, errEnough // a cell that refers to a further text is reported
		}
		var rich richText
		if err := d.DecodeElement(&rich, &element); err != nil {
			return true, err
		}
		text, changed := rich.text()
		b.texts = append(b.texts, sharedText{text, changed})
		return true, nil
	})
}

func (b *workbook) readSheet(sheet sheetPart) (table, error) {
	made := table{name: sheet.title}
	row := tableRow{}
	var merges []string
	flush := func() {
		if !isBlankRow(row.cells) {
			made.rows = append(made.rows, row)
		}
	}
	column := 0
	err := b.elements(sheet.part, func(d *xml.Decoder, element xml.StartElement) (bool, error) {
		switch element.Name.Local {
		case "row":
			flush()
			number, err := strconv.Atoi(attribute(element, "r"))
			if err != nil || number <= row.number {
				number = row.number + 1
			}
			row, column = tableRow{number: number}, 0
			if len(made.rows) >= maxTableRows {
				made.noted = append(made.noted, Note{Code: RestNotRead, Line: number})
				return true, errEnough
			}
		case "c":
			if b.cellLeft--; b.cellLeft < 0 {
				made.noted = append(made.noted, Note{Code: RestNotRead, Line: row.number})
				row = tableRow{} // a part of a question
				return true, errEnough
			}
			var cell xlsxCell
			if err := d.DecodeElement(&cell, &element); err != nil {
				return true, err
			}
			if at := columnOf(cell.Ref); at >= 0 {
				column = at
			}
			text, note := b.shown(cell)
			if b.textLeft -= len(text); b.textLeft < 0 {
				return true, ErrTooLarge
			}
			row.add(column, cleanText(text))
			if cell.Type == "" || cell.Type == "n" {
				row.numbers = append(row.numbers, column)
			}
			if note != "" {
				row.notes = append(row.notes, Note{note, row.number, excerptOf(text + " (" + cell.Ref + ")")})
			}
			column++
			return true, nil
		case "mergeCell":
			if len(merges) < maxMerges {
				merges = append(merges, attribute(element, "ref"))
			}
		}
		return false, nil
	})
	flush()
	made.fill(merges)
	return made, err
}

// columnOf returns the column of a reference such as B12, from 0, or -1.
func columnOf(ref string) int {
	column := 0
	for i := range len(ref) {
		if ref[i] < 'A' || ref[i] > 'Z' || i > 2 {
			break
		}
		column = column*26 + int(ref[i]-'A') + 1
	}
	return column - 1
}

// fill gives the cells below a cell that they are merged with its text, such as the stage of several rows.
func (t *table) fill(merges []string) {
	steps := 0
	for _, merge := range merges {
		from, to, _ := strings.Cut(merge, ":")
		column := columnOf(from)
		first, err1 := strconv.Atoi(strings.TrimLeft(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		last, err2 := strconv.Atoi(strings.TrimLeft(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if column < 0 || column >= maxTableColumns || err1 != nil || err2 != nil || column != columnOf(to) {
			continue
		}
		at, found := slices.BinarySearchFunc(t.rows, first, func(r tableRow, n int) int { return r.number - n })
		if !found || column >= len(t.rows[at].cells) {
			continue
		}
		for i := at + 1; i < len(t.rows) && t.rows[i].number <= last && steps < maxMergedRows; i++ {
			t.rows[i].add(column, t.rows[at].cells[column])
			steps++
		}
	}
}
