package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// workbookOf makes a workbook as Excel does: texts in a shared table, styles by number, and the sheets in rows of XML.
func workbookOf(t testing.TB, sheets map[string]string, parts map[string]string) []byte {
	t.Helper()
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	add := func(name, text string) {
		out, err := archive.Create(name)
		if err == nil {
			_, err = out.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list, relations strings.Builder
	names := slices.Sorted(mapKeys(sheets))
	for i, name := range names {
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, i+1, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="/xl/worksheets/s%d.xml"/>`, i+1,
			relationSpace, i+1)
		add(fmt.Sprintf("xl/worksheets/s%d.xml", i+1), `<worksheet xmlns="`+sheetSpace+`">`+sheets[name]+`</worksheet>`)
	}
	for name, kind := range map[string]string{"sharedStrings": "sst", "styles": "styleSheet"} {
		if text, found := parts[name]; found {
			add("xl/"+name+".xml", `<`+kind+` xmlns="`+sheetSpace+`">`+text+`</`+kind+`>`)
			fmt.Fprintf(&relations, `<Relationship Id="%s" Type="%s/%s" Target="%s.xml"/>`, name, relationSpace, name, name)
		}
	}
	add("_rels/.rels", `<Relationships><Relationship Id="rId1" Type="`+relationSpace+
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	add("xl/workbook.xml", `<workbook xmlns="`+sheetSpace+`" xmlns:r="`+relationSpace+`">`+parts["workbookPr"]+
		`<sheets>`+list.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships>`+relations.String()+`</Relationships>`)
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

func mapKeys(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// texts are cells with their texts in them.
func texts(row int, cells ...string) string {
	made := fmt.Sprintf(`<row r="%d">`, row)
	for _, cell := range cells {
		made += `<c t="inlineStr"><is><t xml:space="preserve">` + cell + `</t></is></c>`
	}
	return made + `</row>`
}

func TestXLSX(t *testing.T) {
	head := texts(1, "Question", "A", "B", "C", "Correct")
	styles := `<numFmts><numFmt numFmtId="170" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="171" formatCode="00000"/>` +
		`<numFmt numFmtId="172" formatCode="#,##0.00\ &quot;€&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/>` +
		`</cellStyleXfs>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/>` +
		`<xf numFmtId="21"/></cellXfs>`
	for _, row := range []struct {
		name        string
		sheets      map[string]string
		parts       map[string]string
		want, notes []string
	}{
		{name: "texts in cells", sheets: map[string]string{"Sheet1": `<sheetData>` + head +
			texts(2, "Which gas?", "Oxygen", "Carbon dioxide", "Helium", "B") + `</sheetData>`}, want: []string{gas}},
		{name: "shared texts with parts, and a raised number",
			parts: map[string]string{"sharedStrings": `<si><t>Question</t></si><si><t>A</t></si><si><t>B</t></si>` +
				`<si><t>Correct</t></si><si><r><t xml:space="preserve">What is 2</t></r><r><rPr><vertAlign val="superscript"/>` +
				`</rPr>` +
				`<t>10</t></r><r><t>?</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D__x005F_x0041_</t></si>`},
			sheets: map[string]string{"Sheet1": `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v>` +
				`</c>` +
				`<c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c>` +
				`<c r="B3"><v>1024</v></c><c r="C3" t="s"><v>5</v></c><c r="D3" s="0"/><c r="D3" t="s"><v>1</v></c></row>` +
				`</sheetData>`},
			want: []string{"S: What is 2¹⁰? = !1024 / a\n_x0041_"}},
		{name: "formatting of a part of a text",
			sheets: map[string]string{"Sheet1": `<sheetData>` + head + `<row r="2"><c t="inlineStr"><is><r><t>a </t></r>` +
				`<r><rPr><b/></rPr><t>b</t></r></is></c>` + strings.TrimPrefix(texts(2, "x", "y", "", "A"), `<row r="2">`) +
				`</sheetData>`},
			want: []string{"S: a b = !x / y"}, notes: []string{"2 markup_changed: a b ()"}},
		{name: "numbers as they were typed", parts: map[string]string{"styles": styles},
			sheets: map[string]string{"Sheet1": `<sheetData>` + texts(1, "Question", "Answer", "Points") +
				`<row r="2"><c t="inlineStr"><is><t>One?</t></is></c><c><v>0.10000000000000001</v></c><c><v>1.234</v></c></row>` +
				`<row r="3"><c t="inlineStr"><is><t>Two?</t></is></c><c><v>1.234</v></c></row>` +
				`<row r="4"><c t="inlineStr"><is><t>Three?</t></is></c><c><v>1E3</v></c></row>` +
				`<row r="5"><c t="inlineStr"><is><t>Four?</t></is></c><c t="inlineStr"><is><t>007</t></is></c></row></sheetData>`},
			want: []string{"N: One? (1.234) = 0.1", "N: Two? = 1.234", "N: Three? = 1000", `T: Four? = ["007"]`}},
		{name: "percentages, dates, codes, currencies, and times", parts: map[string]string{"styles": styles},
			sheets: map[string]string{"Sheet1": `<sheetData>` + texts(1, "Question", "A", "B", "C", "D", "E", "Correct") +
				`<row r="2"><c t="inlineStr"><is><t>Which?</t></is></c><c s="1"><v>0.07</v></c><c r="C2" s="2"><v>46352</v></c>` +
				`<c s="3"><v>42</v></c><c s="4"><v>5</v></c><c r="F2" s="5"><v>0.5</v></c><c t="inlineStr"><is><t>A</t></is></c>` +
				`</row></sheetData>`},
			want: []string{"S: Which? = !7% / 2026-11-26 / 00042 / 5 / 12:00:00"},
			notes: []string{"2 cell_reformatted: 2026-11-26 (C2)", "2 cell_reformatted: 5 ()",
				"2 cell_reformatted: 12:00:00 (F2)"}},
		{name: "truths, formulas, and errors",
			sheets: map[string]string{"Sheet1": `<sheetData>` + texts(1, "Question", "Answer", "Explanation") +
				`<row r="2"><c t="str"><f>"O"&amp;"ne?"</f><v>One?</v></c><c t="b"><v>1</v></c><c r="C2" t="e"><v>#REF!</v></c>` +
				`</row>` +
				`<row r="3"><c t="inlineStr"><is><t>Two?</t></is></c><c r="B3"><f>1+1</f></c></row></sheetData>`},
			want:  []string{"S: One? = !True / False"},
			notes: []string{"2 not_understood: (C2)", "3 not_understood: (B3)", "3 question_without_answer: Two?"}},
		{name: "a stage in merged cells",
			sheets: map[string]string{"Sheet1": `<sheetData>` + texts(1, "Stage", "Question", "Answer") + texts(2, "Air",
				"One?", "1") +
				texts(3, "", "Two?", "2") + texts(4, "Water", "Three?", "3") +
				`</sheetData><mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A4:B4"/></mergeCells>`},
			want: []string{"# Air", "N: One? = 1", "N: Two? = 2", "# Water", "N: Three? = 3"}},
		{name: "several sheets",
			sheets: map[string]string{"a": `<sheetData>` + texts(1, "About this file") + `</sheetData>`,
				"b": `<sheetData>` + head + texts(2, "One?", "x", "y", "", "A") + `</sheetData>`,
				"c": `<sheetData>` + head + texts(2, "Two?", "x", "y", "", "B") + `</sheetData>`},
			want:  []string{"# b", "S: One? = !x / y", "# c", "S: Two? = x / !y"},
			notes: []string{"1 sheet_ignored: a"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			imported, err := Read(Source{Content: workbookOf(t, row.sheets, row.parts)})
			if err != nil {
				t.Fatal(err)
			}
			if imported.Report.Format != XLSX {
				t.Errorf("format %s", imported.Report.Format)
			}
			if got := briefOf(imported); !slices.Equal(got, row.want) {
				t.Errorf("questions\n%q, want\n%q", got, row.want)
			}
			if got := noteBriefs(imported); !slices.Equal(got, row.notes) {
				t.Errorf("notes\n%q, want\n%q", got, row.notes)
			}
		})
	}
}

// Files that are damaged, or that become much larger than they look, are refused.
func TestXLSXRefusals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := ""
	for len(noise) < 1<<20 {
		noise += strconv.FormatUint(random.Uint64(), 36) + strings.Repeat("x", 1000) // not smaller by more than the bound
	}
	sheet := func(rows string) []byte {
		return workbookOf(t, map[string]string{"Sheet1": `<sheetData>` + rows + `</sheetData>`},
			map[string]string{"sharedStrings": `<si><t>` + noise + `</t></si>`})
	}
	shared := `<row r="1">` + strings.Repeat(`<c t="s"><v>0</v></c>`, 90) + `</row>`
	var many bytes.Buffer
	archive := zip.NewWriter(&many)
	for i := range maxEntries + 1 {
		if _, err := archive.Create(fmt.Sprintf("xl/%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		content []byte
		want    error
	}{
		"no archive":               {[]byte("PK\x03\x04 and no more"), ErrDamaged},
		"no workbook":              {many.Bytes()[:0], ErrDamaged},
		"too many parts":           {many.Bytes(), ErrTooLarge},
		"a sheet of spaces":        {sheet(strings.Repeat(" ", maxEntryBytes+1)), ErrTooLarge},
		"a text in too many cells": {sheet(shared), ErrTooLarge},
		"elements that do not end": {sheet(strings.Repeat("<x>", 200)), ErrDamaged},
		"an entity":                {sheet(`<row><c t="str"><v>&x;</v></c></row>`), ErrDamaged},
		"a document type in a sheet": {sheet(`<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><row><c t="str"><v>` +
			`&x;</v></c></row>`), ErrDamaged},
		"a part of a workbook, again": {sheet(shared)[:1000], ErrDamaged},
	} {
		_, err := Read(Source{Content: row.content, Options: Options{Format: XLSX}})
		if !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
}
