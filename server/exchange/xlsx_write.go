package exchange

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

const (
	sheetSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/"
	xlsxType      = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
)

// xlsxParts are the parts of a workbook with one sheet. A cell of the style 1 is a text also when a person edits it.
var xlsxParts = []struct{ name, text string }{
	{"[Content_Types].xml", `<Types xmlns="` + packageSpace + `content-types"><Default Extension="rels" ContentType="` +
		`application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ` +
		`ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + xlsxType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + xlsxType + `styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + xlsxType + `worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packageSpace + `relationships"><Relationship Id="rId1" Type="` +
		relationSpace + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="` + sheetSpace + `" xmlns:r="` + relationSpace +
		`"><sheets><sheet name="Questions" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageSpace + `relationships"><Relationship Id="rId1" ` +
		`Type="` +
		relationSpace + `/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` + relationSpace +
		`/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + sheetSpace + `"><fonts count="2"><font><sz val="11"/><name val="Calibri"/>` +
		`</font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill ` +
		`patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border>` +
		`<left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" ` +
		`fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" ` +
		`xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">` +
		`<alignment vertical="top" wrapText="1"/></xf><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" ` +
		`applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`},
}

// writeXLSX writes a workbook with one sheet. Its texts are cells of text, which a spreadsheet never runs as formulas.
func writeXLSX(a Assessment) (File, error) {
	var sheet strings.Builder
	sheet.WriteString(`<worksheet xmlns="` + sheetSpace + `"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" ` +
		`topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`)
	for i, row := range tableOf(a, keyHeadingXLSX) {
		fmt.Fprintf(&sheet, `<row r="%d">`, i+1)
		for column, cell := range row {
			at := columnName(column) + fmt.Sprint(i+1)
			switch {
			case cell.text == "":
			case cell.isNumber:
				fmt.Fprintf(&sheet, `<c r="%s"><v>%s</v></c>`, at, cell.text)
			default:
				fmt.Fprintf(&sheet, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">`, at, textStyle(i))
				// A text that looks like the code of a character is one (ISO/IEC 29500-1, 22.9.2.19).
				text := escapedCode.ReplaceAllString(cell.text, "_x005F_x${1}_")
				if err := xml.EscapeText(&sheet, []byte(text)); err != nil {
					return File{}, err
				}
				sheet.WriteString(`</t></is></c>`)
			}
		}
		sheet.WriteString(`</row>`)
	}
	sheet.WriteString(`</sheetData></worksheet>`)

	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	for _, part := range append(xlsxParts[:len(xlsxParts):len(xlsxParts)], struct{ name, text string }{
		"xl/worksheets/sheet1.xml", sheet.String(),
	}) {
		out, err := archive.Create(part.name)
		if err != nil {
			return File{}, err
		}
		if _, err := out.Write([]byte(xmlHead + part.text)); err != nil {
			return File{}, err
		}
	}
	if err := archive.Close(); err != nil {
		return File{}, err
	}
	return File{Content: content.Bytes(), Extension: ".xlsx", MediaType: xlsxType + "sheet"}, nil
}

// textStyle is the style of texts: headings are bold.
func textStyle(row int) int {
	if row == 0 {
		return 2
	}
	return 1
}

// columnName is the name of a column: A to Z, AA, and so on.
func columnName(index int) string {
	if index < 26 {
		return string(rune('A' + index))
	}
	return columnName(index/26-1) + string(rune('A'+index%26))
}

func readXLSX(source Source) (Imported, error) {
	tables, err := xlsxTables(source.Content)
	if err != nil {
		return Imported{}, err
	}
	return readTables(source, tables)
}
