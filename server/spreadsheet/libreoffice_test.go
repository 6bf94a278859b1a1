//go:build libreoffice

package spreadsheet

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opened is what LibreOffice has read from a file.
type opened struct {
	Rows []struct {
		Cells []struct {
			Type    string `xml:"value-type,attr"`
			Formula string `xml:"formula,attr"`
			Value   string `xml:"value,attr"`
			Date    string `xml:"date-value,attr"`
			Time    string `xml:"time-value,attr"`
			Lines   []struct {
				Text string `xml:",chardata"`
			} `xml:"p"`
		} `xml:"table-cell"`
	} `xml:"body>spreadsheet>table>table-row"`
}

// openWith opens a file in LibreOffice and saves it in its own format.
func openWith(t *testing.T, name string, file []byte, arguments ...string) (found opened) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	arguments = append(arguments, "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless",
		"--convert-to", "fods", "--outdir", dir, path)
	if out, err := exec.CommandContext(t.Context(), "soffice", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".fods")
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// values returns the cells of a row, each with its type. A formula never passes for a text.
func (o opened) values(row int) (values []string) {
	for _, cell := range o.Rows[row].Cells {
		value := cell.Value + cell.Date + cell.Time
		for _, line := range cell.Lines {
			if cell.Type == "string" {
				value += line.Text + "|"
			}
		}
		values = append(values, strings.TrimSpace(cell.Type+" "+value+cell.Formula))
	}
	for len(values) > 0 && values[len(values)-1] == "" {
		values = values[:len(values)-1]
	}
	return values
}

// LibreOffice shows true dates, numbers, and durations, and texts that are not run.
func TestLibreOffice(t *testing.T) {
	xlsx := openWith(t, "file.xlsx", write(t, Options{Format: XLSX, Name: "Bewerbungen"}, "de", sample...))
	want := []string{"string =1+1|", "float 76.19", "date 2026-11-26T14:05:30", "time PT01H35M00S", "", "float 2"}
	if got := xlsx.values(1); !slices.Equal(got, want) {
		t.Errorf("XLSX %q, want %q", got, want)
	}
	if got := xlsx.values(2)[3]; got != "time PT30H00M00S" {
		t.Errorf("a duration of more than a day is %q", got)
	}
	file := write(t, Options{Format: XLSX, Name: "x"}, "ar", []any{"Text"}, []any{"_x0041_ <&>"})
	codes := openWith(t, "codes.xlsx", file)
	if got := codes.values(1); !slices.Equal(got, []string{"string _x0041_ <&>|"}) {
		t.Errorf("the text is %q", got)
	}

	// Opened as a German reader does: UTF-8, and numbers are recognized. Both separators are tried.
	for separator, code := range map[rune]string{';': "59", ',': "44"} {
		file := write(t, Options{Format: CSV, Separator: separator}, "de", sample...)
		found := openWith(t, "file.csv", file, "--infilter=CSV:"+code+",34,76,1,,1031,false,true")
		want := []string{"string '=1+1|", "float 76.19", "date 2026-11-26T14:05:00", "time PT01H35M00S", "", "float 2"}
		if got := found.values(1); !slices.Equal(got, want) {
			t.Errorf("CSV with %c: %q, want %q", separator, got, want)
		}
	}
}
