// Package spreadsheet writes tables for people as CSV and as XLSX, in the language of the reader. It writes each row
// at once, so a file of any length needs little memory.
package spreadsheet

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is a kind of file.
type Format string

// The formats.
const (
	CSV  Format = "CSV"
	XLSX Format = "XLSX"
)

// Options say what a file is like.
type Options struct {
	Format    Format
	Language  *Language
	Separator rune   // of CSV; 0 for the separator that spreadsheets expect in the language
	Name      string // of the sheets of XLSX
}

// Writer writes the rows of a table. A cell is a string, a float64, an int, a time.Time (shown as the wall time of its
// zone), a time.Duration, or nil for an empty one.
type Writer interface {
	// Write writes a row. The first one has the headings.
	Write(row []any) error

	// Close writes the end of the file. It does not close the underlying writer.
	Close() error
}

// NewWriter begins a file.
func NewWriter(w io.Writer, options Options) Writer {
	if options.Format == XLSX {
		return newXLSX(w, options)
	}
	return newCSV(w, options)
}

// MediaType returns the type for Content-Type.
func (f Format) MediaType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}

// Extension returns the end of a file's name.
func (f Format) Extension() string { return "." + strings.ToLower(string(f)) }

// clock is a duration in the form that spreadsheets read: hours, minutes, and seconds.
func clock(d time.Duration) string {
	seconds := int(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}
