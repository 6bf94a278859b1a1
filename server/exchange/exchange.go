// Package exchange reads question files of other systems and writes them. Its functions are pure: they take bytes and
// return a draft with a report, or take a definition and return bytes. They know no database and no HTTP.
//
// Each format is one file, with one row in the table of readers or of writers.
package exchange

import (
	"encoding/json"
	"errors"
	"slices"

	"assay/store/rules"
)

// MaxBytes is the size of the largest file that Read accepts.
const MaxBytes = 10 << 20

// Format is a format of question files.
type Format string

// The formats. A reader finds out the version of QTI, a writer is told which one to write.
const (
	Auto      Format = "AUTO" // for reading: the format is recognised
	Text      Format = "TEXT" // as people paste questions, with Markdown
	CSV       Format = "CSV"
	XLSX      Format = "XLSX"
	GIFT      Format = "GIFT"
	Aiken     Format = "AIKEN"
	MoodleXML Format = "MOODLE_XML"
	QTI       Format = "QTI"     // for reading: an item, a test, or a package of QTI 1.2, 2.1, 2.2, or 3.0
	QTI22     Format = "QTI_2_2" // for writing
	QTI30     Format = "QTI_3_0" // for writing
	AssayJSON Format = "ASSAY_JSON"
)

// Source is a file or a text to read.
type Source struct {
	Content  []byte
	FileName string // helps to recognise the format, and to make a title; can be empty
	Options  Options
}

// Options are what a person decides about a source.
type Options struct {
	Format Format // empty means Auto
	// Columns says what each column of a table contains. Without it, the headings decide.
	Columns []Role
	// Language is the language of the source (BCP 47). It decides how numbers such as 1.234 and words such as "wahr"
	// are read. Empty if it is not known: then a number with two meanings is reported.
	Language string
}

// Imported is what was read from a source.
type Imported struct {
	Draft    Draft
	Pictures []Picture
	Report   Report
}

// Draft is an assessment to create. Questions and stages have no ids; options have.
type Draft struct {
	Title       string // from the source or the name of the file; can be empty
	Description string
	Stages      []rules.Stage
	// Settings has the further fields of an assessment, by their names in the contract. Only ASSAY_JSON has them.
	Settings map[string]json.RawMessage
}

// Picture is a picture that texts of the draft refer to as media:<Ref>.
type Picture struct {
	Ref     string // import-1, import-2, …
	Name    string // its name in the source
	Content []byte
}

// Assessment is what a writer writes.
type Assessment struct {
	Title       string
	Description string
	Locale      string // BCP 47; empty if it is not known
	Stages      []rules.Stage
	// JSON is the assessment as GET /v1/assessments/{id} returns it. Only ASSAY_JSON uses it.
	JSON []byte
	// Picture returns a picture that a text refers to as media:<id>, or false.
	Picture func(id string) (Picture, bool)
}

// File is a written file.
type File struct {
	Content   []byte
	Extension string // with the dot
	MediaType string
}

// The refusals of Read, about the whole source. Each is about the field that its text names.
var (
	ErrUnknownFormat = errors.New("the format of the file is not known")
	ErrEmpty         = errors.New("the file contains no questions")
	ErrTooLarge      = errors.New("the file is too large")
	ErrDamaged       = errors.New("the file is damaged")
)

// reader reads one format. recognises returns how sure it is that a source has the format, from 0 (it does not) to 100.
type reader struct {
	format     Format
	recognises func(begins beginning) int
	read       func(source Source) (Imported, error)
}

// readers has a row for each format that can be read.
var readers = []reader{
	{Text, recogniseText, readText},
	{GIFT, recogniseGIFT, readGIFT},
	{Aiken, recogniseAiken, readAiken},
	{CSV, recogniseCSV, readCSV},
	{XLSX, recogniseXLSX, readXLSX},
	{AssayJSON, recogniseAssayJSON, readAssayJSON},
	{MoodleXML, recogniseMoodle, readMoodle},
	{QTI, recogniseQTI, readQTI},
}

// writer writes one format.
type writer struct {
	format Format
	write  func(a Assessment) (File, error)
}

// writers has a row for each format that can be written.
var writers = []writer{
	{GIFT, writeGIFT},
	{CSV, writeCSV},
	{XLSX, writeXLSX},
	{AssayJSON, writeAssayJSON},
	{MoodleXML, writeMoodle},
	{QTI22, writeQTI22},
	{QTI30, writeQTI30},
}

// Read reads a source in the format of its options. With Auto, it recognises the format. The error is one of the
// refusals above; everything else that is wrong is in the report.
func Read(source Source) (Imported, error) {
	if len(source.Content) > MaxBytes {
		return Imported{}, ErrTooLarge
	}
	format := source.Options.Format
	recognised := Recognise(source)
	if format == "" || format == Auto {
		if len(recognised) == 0 {
			return Imported{}, ErrUnknownFormat
		}
		format = recognised[0]
	}
	i := slices.IndexFunc(readers, func(r reader) bool { return r.format == format })
	if i < 0 {
		return Imported{}, ErrUnknownFormat
	}
	imported, err := readers[i].read(source)
	if err != nil {
		return Imported{}, err
	}
	imported.Report.Format, imported.Report.Recognised = format, recognised
	return imported, nil
}

// Write writes an assessment. The error is ErrUnknownFormat if nothing writes the format.
func Write(format Format, a Assessment) (File, error) {
	i := slices.IndexFunc(writers, func(w writer) bool { return w.format == format })
	if i < 0 {
		return File{}, ErrUnknownFormat
	}
	return writers[i].write(a)
}
