package exchange

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// checkImported checks what holds for every source: no limit is exceeded, and each question has its place.
func checkImported(t *testing.T, imported Imported) {
	t.Helper()
	count := 0
	for _, item := range imported.Report.Questions {
		if item.Stage < 0 {
			if len(item.Notes) == 0 {
				t.Errorf("a question is not imported, and no note says why: %+v", item)
			}
			continue
		}
		count++
		q := imported.Draft.Stages[item.Stage].Questions[item.Question]
		if len(q.Options) > maxOptions || utf8.RuneCountInString(q.Prompt) > maxPrompt ||
			len(q.AcceptedAnswers) > maxAccepted {
			t.Errorf("a question exceeds a limit: %+v", q)
		}
	}
	if count > maxQuestions || len(imported.Draft.Stages) > maxStages {
		t.Errorf("%d questions in %d stages", count, len(imported.Draft.Stages))
	}
}

func FuzzCSV(f *testing.F) {
	for _, row := range tableCases() {
		f.Add([]byte(row.text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		imported, err := Read(Source{Content: content, Options: Options{Format: CSV}})
		if err == nil {
			checkImported(t, imported)
		}
	})
}

func FuzzXLSXSheet(f *testing.F) {
	f.Add(texts(1, "Question", "A", "B", "Correct")+texts(2, "One?", "x", "y", "A"), `<si><t>x</t></si>`,
		`<numFmts/><cellXfs/>`)
	f.Add(`<row><c r="ZZZ1" t="s" s="1"><v>0</v></c></row>`, `<si><r><rPr><vertAlign val="subscript"/></rPr><t>2n</t>`+
		`</r></si>`,
		`<numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/>`+
			`</cellXfs>`)
	f.Fuzz(func(t *testing.T, rows, shared, styles string) {
		content := workbookOf(t, map[string]string{"Sheet1": `<sheetData>` + rows + `</sheetData>`},
			map[string]string{"sharedStrings": shared, "styles": styles})
		imported, err := Read(Source{Content: content, Options: Options{Format: XLSX}})
		if err == nil {
			checkImported(t, imported)
		}
	})
}

func FuzzXLSX(f *testing.F) {
	file, err := Write(XLSX, fullAssessment())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file.Content)
	f.Fuzz(func(t *testing.T, content []byte) {
		if imported, err := Read(Source{Content: content, Options: Options{Format: XLSX}}); err == nil {
			checkImported(t, imported)
		}
	})
}

func FuzzAssayJSON(f *testing.F) {
	f.Add(fullAssessment().JSON)
	f.Add([]byte(questionJSON(`,"correctOptionId":"z","rubric":[{}]`)))
	f.Fuzz(func(t *testing.T, content []byte) {
		if imported, err := Read(Source{Content: content, Options: Options{Format: AssayJSON}}); err == nil {
			checkImported(t, imported)
		}
	})
}

// Apostrophes that protect a cell are removed again.
func FuzzGuarded(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := unguarded(guarded(text)); utf8.ValidString(text) && got != text {
			t.Errorf("%q becomes %q and %q", text, guarded(text), got)
		}
		if cell := guarded(text); cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
			t.Errorf("%q is a formula", cell)
		}
	})
}

func TestCSVEncodings(t *testing.T) {
	text := "Frage;A;B;Richtig\r\nKäse?;süß;salzig;B\r\n"
	units := utf16.Encode([]rune(text))
	little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
	for _, unit := range units {
		little, big = binary.LittleEndian.AppendUint16(little, unit), binary.BigEndian.AppendUint16(big, unit)
	}
	var windows []byte
	for _, r := range text {
		windows = append(windows, byte(r))
	}
	for name, content := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text), "UTF-16 LE": little, "UTF-16 BE": big,
		"Windows-1252": windows,
	} {
		imported, err := Read(Source{Content: content})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(briefOf(imported), "\n"); got != "S: Käse? = süß / !salzig" || imported.Report.Format != CSV {
			t.Errorf("%s: %q as %s", name, got, imported.Report.Format)
		}
	}
	if _, err := Read(Source{Content: []byte("a,b\x00"), Options: Options{Format: CSV}}); err == nil {
		t.Error("a file with NUL is read")
	}
}

// The columns of the report say how the key was read, and between what a person must choose.
func TestCSVColumns(t *testing.T) {
	for text, want := range map[string]string{
		"Question,A,B,Correct\nOne?,x,y,B":               "QUESTION OPTION OPTION CORRECT_LETTER []",
		"Question,A,B,Correct\nOne?,x,y,2":               "QUESTION OPTION OPTION CORRECT_NUMBER []",
		"Question,A,B,Correct\nOne?,x,y,x":               "QUESTION OPTION OPTION CORRECT_TEXT []",
		"Question,A,B,Correct\nOne?,2,1,2":               "QUESTION OPTION OPTION CORRECT [CORRECT_NUMBER CORRECT_TEXT]",
		"Question,option,option,Correct\nOne?,x,y,B":     "QUESTION OPTION OPTION CORRECT_LETTER []",
		"question,o1,o2,correct\nOne?,x,y,B":             "QUESTION OPTION OPTION CORRECT_LETTER []",
		"Question,Answer\nOne?,2":                        "QUESTION CORRECT []",
		"Which gas?,Oxygen,Helium,A\nNext one?,yes,no,B": "QUESTION OPTION OPTION CORRECT_LETTER []",
	} {
		imported, err := Read(Source{Content: []byte(text), Options: Options{Format: CSV}})
		if err != nil {
			t.Fatal(err)
		}
		got, choices := []string{}, []Role{}
		for _, column := range imported.Report.Columns {
			got, choices = append(got, string(column.Role)), append(choices, column.Choices...)
		}
		if all := strings.Join(got, " ") + strings.ReplaceAll(" ["+joinRoles(choices)+"]", ",", " "); all != want {
			t.Errorf("%q: %s, want %s", text, all, want)
		}
	}
}

func joinRoles(roles []Role) string {
	var names []string
	for _, role := range roles {
		names = append(names, string(role))
	}
	return strings.Join(names, " ")
}

// The format of a text is found by its headings and the name of its file.
func TestCSVIsRecognised(t *testing.T) {
	for _, row := range []struct {
		text, name string
		want       bool
	}{
		{"Question,A,B,Correct\nWhich?,x,y,A", "", true},
		{"Frage\tA\tB\nWelche?\tx\ty", "", true},
		{"anything", "questions.CSV", true},
		{"::Q1::Which?{=A ~B}", "", false},
		{"1. Which?\nA) x\n*B) y", "questions.txt", false},
		{"Question 1: Which one, A or B?\nA) x", "", false},
		{"Question: which of these, then?\nA, B", "", false},
	} {
		if got := recogniseCSV(beginningOf(Source{Content: []byte(row.text), FileName: row.name})) > 50; got != row.want {
			t.Errorf("%q: %v", row.text, got)
		}
	}
}
