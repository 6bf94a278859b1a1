package spreadsheet

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// write returns a file with the rows.
func write(t testing.TB, options Options, tag string, rows ...[]any) []byte {
	t.Helper()
	var err error
	if options.Language, err = LanguageOf(tag); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := NewWriter(&file, options)
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

var sample = [][]any{
	{"Name", "Score", "At", "Duration", "Nothing", "Attempt"},
	{"=1+1", 76.19, time.Date(2026, 11, 26, 14, 5, 30, 0, time.FixedZone("", 3600)), 95 * time.Minute, nil, 2},
	{"Ana; \"x\"\r\n+1", 0.5, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30 * time.Hour, nil, 1},
}

func TestCSV(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "\uFEFFName;Score;At;Duration;Nothing;Attempt\r\n'=1+1;76,19;26.11.2026 14:05;1:35:00;;2\r\n" +
			"\"Ana; \"\"x\"\"\r\n'+1\";0,5;01.03.2026 00:00;30:00:00;;1\r\n",
		"en": "\uFEFFName,Score,At,Duration,Nothing,Attempt\r\n'=1+1,76.19,2026-11-26 14:05,1:35:00,,2\r\n" +
			"\"Ana; \"\"x\"\"\r\n'+1\",0.5,2026-03-01 00:00,30:00:00,,1\r\n",
	} {
		if got := write(t, Options{Format: CSV}, tag, sample...); string(got) != want {
			t.Errorf("%s:\n%q, want\n%q", tag, got, want)
		}
	}
	got := string(write(t, Options{Format: CSV, Separator: ','}, "de", []any{"Name"}, []any{"a", 1.5}, []any{"b,-1", 2}))
	if want := "\uFEFFName\r\na,\"1,5\"\r\n\"b,'-1\",2\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// However a spreadsheet divides a file into cells, none begins with the sign of a formula.
func TestNoPartOfACellIsAFormula(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("a;\t\r\n\"' ,=+-@＝")), 0, 12, -1).Draw(r, "text")
		file := write(t, Options{Format: CSV, Separator: ';'}, "de", []any{"Name", "Text"}, []any{"x", text})
		reader := csv.NewReader(bytes.NewReader(file))
		reader.Comma = ';'
		rows, err := reader.ReadAll()
		if err != nil {
			r.Fatal(err)
		}
		isBreak := func(r rune) bool { return strings.ContainsRune(",;\t\r\n", r) }
		for _, part := range strings.FieldsFunc(rows[1][1], isBreak) {
			if part = strings.TrimLeft(part, `" `); part != "" && strings.IndexAny(part, "=+-@＝") == 0 {
				r.Fatalf("%q is written as %q, of which %q is a formula", text, rows[1][1], part)
			}
		}
	})
}

// cell is a cell of XLSX, as Python reads it.
type cell struct {
	Ref, Type, Style, Value string
	Formula                 bool
}

// reader reads the sheets of a file by its relationships, with Python's library.
const reader = `
import json, sys, zipfile, posixpath, xml.etree.ElementTree as E
m = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
r = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
content = E.fromstring(z.read("[Content_Types].xml"))
types = {o.get("PartName"): o.get("ContentType") for o in content if o.get("PartName")}
root = [x.get("Target") for x in E.fromstring(z.read("_rels/.rels"))][0]
rels = {x.get("Id"): posixpath.join("xl", x.get("Target")) for x in E.fromstring(z.read("xl/_rels/workbook.xml.rels"))}
book = E.fromstring(z.read(root)); style = E.fromstring(z.read("xl/styles.xml"))
formats = {f.get("numFmtId"): f.get("formatCode") for f in style.find(m + "numFmts")}
styles = [formats.get(x.get("numFmtId"), x.get("numFmtId")) for x in style.find(m + "cellXfs")]
out = {}
for sheet in book.find(m + "sheets"):
    part = rels[sheet.get(r + "id")]; assert types["/" + part].endswith("worksheet+xml")
    out[sheet.get("name")] = [[{"Ref": c.get("r"), "Type": c.get("t") or "n", "Style": styles[int(c.get("s"))],
      "Value": "".join(x.text or "" for x in c.iter() if x.tag in (m + "t", m + "v")),
      "Formula": c.find(m + "f") is not None}
      for c in row] for row in E.fromstring(z.read(part)).find(m + "sheetData")]
json.dump(out, sys.stdout)
`

// read reads XLSX with another program's reader.
func read(t *testing.T, file []byte) (sheets map[string][][]cell) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.xlsx")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "python3", "-c", reader, path)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &sheets); err != nil {
		t.Fatal(err)
	}
	return sheets
}

// Dates and numbers are cells of these types, and texts are texts, whatever they contain.
func TestXLSX(t *testing.T) {
	sheets := read(t, write(t, Options{Format: XLSX, Name: "Bewerbungen"}, "de", sample...))
	rows := sheets["Bewerbungen"]
	if len(sheets) != 1 || len(rows) != 3 {
		t.Fatalf("sheets %v", sheets)
	}
	want := []cell{
		{"A2", "inlineStr", "49", "=1+1", false},
		{"B2", "n", "0", "76.19", false},
		{"C2", "n", "dd.mm.yyyy hh:mm", "46352.58715277778", false},
		{"D2", "n", "[h]:mm:ss", "0.06597222222222222", false},
		{"F2", "n", "0", "2", false},
	}
	if !slices.Equal(rows[1], want) {
		t.Errorf("row %+v, want %+v", rows[1], want)
	}
	hostile := []string{
		"=HYPERLINK(\"https://x.example\")", "+1", "-1", "@SUM(A1)", "\t=1", "<x>&amp;", "_x0041_", " x ", "a\nb", "0123",
		"1E5", "\x01\uFFFF", "😀 名", "]]>",
	}
	table := [][]any{{"Text"}}
	for _, text := range hostile {
		table = append(table, []any{text})
	}
	got := read(t, write(t, Options{Format: XLSX, Name: "<&\">"}, "ar", table...))["<&\">"]
	for i, text := range hostile {
		text = strings.NewReplacer("\x01", "\uFFFD", "\uFFFF", "\uFFFD", "_x0041_", "_x005F_x0041_").Replace(text)
		if cell := got[i+1][0]; cell.Value != text || cell.Type != "inlineStr" || cell.Style != "49" || cell.Formula {
			t.Errorf("%q is %+v", text, cell)
		}
	}
}

// A sheet has a limited number of rows. The next sheet has the headings again.
func TestManySheets(t *testing.T) {
	language, err := LanguageOf("en")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := newXLSX(&file, Options{Format: XLSX, Name: "C", Language: language})
	w.maxRows = 3
	for i := range 6 {
		if err := w.Write([]any{"row " + strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	sheets := read(t, file.Bytes())
	for _, name := range slices.Sorted(maps.Keys(sheets)) {
		for _, row := range sheets[name] {
			got = append(got, name+":"+row[0].Value)
		}
	}
	want := "C:row 0, C:row 1, C:row 2, C 2:row 0, C 2:row 3, C 2:row 4, C 3:row 0, C 3:row 5"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A file of 100,000 rows is sent while it is written, and an error of the connection ends it.
func TestWritesAtOnce(t *testing.T) {
	for _, format := range []Format{CSV, XLSX} {
		language, err := LanguageOf("de")
		if err != nil {
			t.Fatal(err)
		}
		limited := &limitedWriter{left: 100_000}
		w := NewWriter(limited, Options{Format: format, Language: language, Name: "x"})
		written := 0
		for ; written < 1_000_000; written++ {
			if err := w.Write([]any{fmt.Sprint("Name ", written), float64(written) / 7}); err != nil {
				break
			}
		}
		if written > 50_000 {
			t.Errorf("%s: %d rows were written before the error of the connection", format, written)
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: Close reports no error", format)
		}
	}
}

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// Each language has each text, and nothing else.
func TestLanguages(t *testing.T) {
	files, err := filepath.Glob("locales/*.json")
	if err != nil || len(files) != len(conventions) {
		t.Fatalf("files %v, error %v, want %d", files, err, len(conventions))
	}
	english, err := LanguageOf("en")
	if err != nil {
		t.Fatal(err)
	}
	for tag := range conventions {
		language, err := LanguageOf(tag)
		if err != nil || language == nil {
			t.Fatalf("%s: %v", tag, err)
		}
		for key, text := range language.texts {
			if text == "" || english.texts[key] == "" {
				t.Errorf("%s: the text of %q is %q", tag, key, text)
			}
		}
		if len(language.texts) != len(english.texts) {
			t.Errorf("%s has %d texts, want %d", tag, len(language.texts), len(english.texts))
		}
		if name := []rune(language.Text("sheet")); len(name) > 25 { // Excel permits 31, and sheets get a number
			t.Errorf("%s: the name of the sheet has %d characters", tag, len(name))
		}
		if !strings.Contains(language.Text("stage"), "{number}") {
			t.Errorf("%s: the heading of a stage has no number", tag)
		}
	}
	// The product has the languages of emails to candidates.
	product, err := filepath.Glob("../mail/locales/candidate.*.json")
	if err != nil || len(product) != len(conventions) {
		t.Fatalf("languages %v, error %v", product, err)
	}
	for _, file := range product {
		tag := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "candidate."), ".json")
		if _, known := conventions[tag]; !known {
			t.Errorf("no spreadsheet in %s", tag)
		}
	}
}

func FuzzXLSXText(f *testing.F) {
	f.Add("=1")
	f.Add("_x0000_")
	f.Fuzz(func(t *testing.T, text string) {
		file := write(t, Options{Format: XLSX, Name: "x"}, "en", []any{"Text"}, []any{text})
		archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		part, err := archive.Open("xl/worksheets/sheet1.xml")
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(part)
		for err == nil {
			_, err = decoder.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
}
