package spreadsheet

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxRows is the number of rows in a sheet. Excel reads 1,048,576, with the headings.
const maxRows = 1_000_001

// xlsxWriter writes Office Open XML (ISO/IEC 29500-1, SpreadsheetML) with the least that Excel and LibreOffice need.
// The sheets come first, because the other parts depend on their number.
type xlsxWriter struct {
	zip      *zip.Writer
	part     *bufio.Writer // the current sheet, or nil
	options  Options
	headings []any
	sheets   int
	rows     int // of the current sheet
	maxRows  int
	err      error // the first one; then nothing more is written
}

func newXLSX(w io.Writer, options Options) *xlsxWriter {
	return &xlsxWriter{zip: zip.NewWriter(w), options: options, maxRows: maxRows}
}

// The styles of cells, in the order of cellXfs in styles.xml.
const (
	plainStyle = iota
	headingStyle
	textStyle
	dateStyle
	durationStyle
)

func (w *xlsxWriter) Write(row []any) error {
	if w.headings == nil {
		w.headings = row
		w.beginSheet()
		return w.err
	}
	if w.rows == w.maxRows {
		w.endSheet()
		w.beginSheet()
	}
	w.row(row, textStyle)
	return w.err
}

// Close ends the sheet, and writes the files that describe it.
func (w *xlsxWriter) Close() error {
	w.endSheet()
	w.writePackage()
	if w.err != nil {
		return w.err
	}
	return w.zip.Close()
}

// begin begins a part of the package.
func (w *xlsxWriter) begin(name string) {
	if w.err != nil {
		return
	}
	out, err := w.zip.Create(name)
	if w.err = err; err != nil {
		return
	}
	w.part = bufio.NewWriterSize(out, 1<<16)
	w.text(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n")
}

func (w *xlsxWriter) end() {
	if w.err == nil {
		w.err = w.part.Flush()
	}
}

func (w *xlsxWriter) text(parts ...string) {
	for _, part := range parts {
		if w.err == nil {
			_, w.err = w.part.WriteString(part)
		}
	}
}

func (w *xlsxWriter) beginSheet() {
	w.sheets++
	w.rows = 0
	w.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", w.sheets))
	direction := ""
	if w.options.Language.rightToLeft {
		direction = ` rightToLeft="1"`
	}
	// The headings stay in sight.
	w.text(`<worksheet xmlns="`, mainSpace, `"><sheetViews><sheetView workbookViewId="0"`, direction,
		`><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`,
		`<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="`, strconv.Itoa(max(1, len(w.headings))),
		`" width="20" customWidth="1"/></cols><sheetData>`)
	w.row(w.headings, headingStyle)
}

func (w *xlsxWriter) endSheet() {
	w.text(`</sheetData></worksheet>`)
	w.end()
}

func (w *xlsxWriter) row(row []any, texts int) {
	w.rows++
	w.text(`<row r="`, strconv.Itoa(w.rows), `">`)
	for i, value := range row {
		at := column(i) + strconv.Itoa(w.rows)
		switch value := value.(type) {
		case string:
			// A cell of this type is never a formula. Its style keeps that when a person edits it.
			w.text(`<c r="`, at, `" s="`, strconv.Itoa(texts), `" t="inlineStr"><is><t xml:space="preserve">`, escaped(value),
				`</t></is></c>`)
		case float64:
			w.number(at, plainStyle, value)
		case int:
			w.number(at, plainStyle, float64(value))
		case time.Time:
			w.number(at, dateStyle, serial(value))
		case time.Duration:
			w.number(at, durationStyle, value.Hours()/24)
		}
	}
	w.text(`</row>`)
}

func (w *xlsxWriter) number(at string, style int, value float64) {
	w.text(`<c r="`, at, `" s="`, strconv.Itoa(style), `"><v>`, strconv.FormatFloat(value, 'g', -1, 64), `</v></c>`)
}

// serial is the wall time in days since 30 December 1899, which has no zone.
func serial(at time.Time) float64 {
	_, offset := at.Zone()
	seconds := at.Unix() + int64(offset) - time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()
	return float64(seconds) / (24 * 60 * 60)
}

// column is the name of a column: A to Z, AA, and so on.
func column(index int) string {
	if index < 26 {
		return string(rune('A' + index))
	}
	return column(index/26-1) + string(rune('A'+index%26))
}

// code is text that readers would take for the code of a character (ISO/IEC 29500-1, 22.9.2.19).
var code = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(code.ReplaceAllString(text, "_x005F_$1"))) // into memory
	return out.String()
}

const (
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/"
	contentPrefix = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// writePackage writes the parts that name the sheets and the styles.
func (w *xlsxWriter) writePackage() {
	var sheets, relations, types strings.Builder
	for i := 1; i <= w.sheets; i++ {
		name := w.options.Name
		if i > 1 {
			name += " " + strconv.Itoa(i)
		}
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, escaped(name), i, i)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i,
			relationSpace, i)
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i,
			contentPrefix)
	}
	part := func(name string, texts ...string) {
		w.begin(name)
		w.text(texts...)
		w.end()
	}
	part("xl/workbook.xml", `<workbook xmlns="`, mainSpace, `" xmlns:r="`, relationSpace, `"><sheets>`, sheets.String(),
		`</sheets></workbook>`)
	part("xl/_rels/workbook.xml.rels", `<Relationships xmlns="`, packageSpace, `relationships">`, relations.String(),
		`<Relationship Id="styles" Type="`, relationSpace, `/styles" Target="styles.xml"/></Relationships>`)
	part("xl/styles.xml", `<styleSheet xmlns="`, mainSpace, `"><numFmts count="2"><numFmt numFmtId="164" formatCode="`,
		escaped(w.options.Language.dateFormat()), `"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts>`, styles)
	part("_rels/.rels", `<Relationships xmlns="`, packageSpace, `relationships"><Relationship Id="rId1" Type="`,
		relationSpace, `/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	part("[Content_Types].xml", `<Types xmlns="`, packageSpace, `content-types"><Default Extension="rels" ContentType="`,
		`application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`,
		`<Override PartName="/xl/workbook.xml" ContentType="`, contentPrefix, `sheet.main+xml"/>`,
		`<Override PartName="/xl/styles.xml" ContentType="`, contentPrefix, `styles+xml"/>`, types.String(), `</Types>`)
}

// styles are the formats of cells. 49 is text.
const styles = `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
	`<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
	`<fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`
