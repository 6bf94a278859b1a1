//go:build unix

package exchange

import (
	"strings"
	"testing"
)

func TestTimeOfTablesGrowsWithTheLength(t *testing.T) {
	head := "Question,A,B,Correct\n"
	fill := func(part string) func(length int) []byte {
		return func(length int) []byte { return []byte(head + strings.Repeat(part, length/len(part))) }
	}
	for name, row := range map[string]struct {
		format Format
		source func(length int) []byte
	}{
		"questions":              {CSV, fill("Which?,x,y,A\n")},
		"quotes":                 {CSV, fill(`"`)},
		"pairs of quotes":        {CSV, fill(`""`)},
		"quotes within quotes":   {CSV, fill(`"a""b,`)},
		"quotes that do not end": {CSV, fill("\"a\n")},
		"quotes before a text":   {CSV, fill(`"a" b,`)},
		"separators":             {CSV, fill(",")},
		"line breaks":            {CSV, fill("\n")},
		"one long cell":          {CSV, fill("x")},
		"apostrophes":            {CSV, fill("'")},
		"options in a cell": {CSV, func(n int) []byte {
			return []byte("Question,Options,Correct\nq," +
				strings.Repeat("a|", n/2) + ",a")
		}},
		"names in a key": {CSV, func(n int) []byte {
			return []byte(head + "q,x,y,\"" + strings.Repeat("A, ",
				n/3) + "\"")
		}},
		"a rubric": {CSV, func(n int) []byte {
			return []byte("Question,Rubric\nq,\"" +
				strings.Repeat("1: x\n", n/5) + "\"")
		}},
		"stages of Assay JSON": {AssayJSON, func(n int) []byte {
			return []byte(`{"stages":[` + strings.Repeat(`{},`,
				n/3) + `{}]}`)
		}},
		"brackets in Assay JSON": {AssayJSON, func(n int) []byte {
			return []byte(`{"stages":` + strings.Repeat(`[`, n) +
				`}`)
		}},
		"questions of Assay JSON": {AssayJSON, func(n int) []byte {
			return []byte(`{"stages":[{"questions":[` +
				strings.Repeat(`{},`, n/3) + `{}]}]}`)
		}},
		"unknown fields, each once": {AssayJSON, unknownFields},
		"options of Assay JSON": {AssayJSON, func(n int) []byte {
			return []byte(questionJSON(`,"options":[` +
				strings.Repeat(`{},`, n/3) + `{}]`))
		}},
		"rows of a workbook": {XLSX, func(n int) []byte {
			return workbookOf(t, map[string]string{"s": strings.Repeat(texts(1, "q", "x"), n/40)}, nil)
		}},
		"merged cells of a workbook": {XLSX, func(n int) []byte {
			return workbookOf(t, map[string]string{"s": strings.Repeat(`<row><c t="str"><v>x</v></c></row>`, n/60) +
				strings.Repeat(`<mergeCell ref="A1:A9999"/>`, n/60)}, nil)
		}},
	} {
		checkGrowth(t, name, row.format, row.source, 256_000)
	}
}

func unknownFields(n int) []byte {
	var text strings.Builder
	text.WriteString(`{"stages":[]`)
	for i := range n / 12 {
		text.WriteString(`,"f` + strings.Repeat("0", i%7) + formatNumber(float64(i)) + `":1`)
	}
	text.WriteString(`}`)
	return []byte(text.String())
}
