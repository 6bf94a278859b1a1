package spreadsheet

import (
	"embed"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed locales/*.json
var localeFiles embed.FS

// Language has the texts of a language, and how it writes dates and numbers.
type Language struct {
	Tag   string // BCP 47
	texts map[string]string
	convention
}

type convention struct {
	layout      string // of a time to the minute
	comma       bool   // the decimal sign is a comma, not a point
	rightToLeft bool
}

// conventions are the conventions of spreadsheets in each language. English has the order of ISO 8601, because the
// others mean different days to different readers.
var conventions = map[string]convention{
	"ar":      {layout: "02/01/2006 15:04", rightToLeft: true},
	"de":      {layout: "02.01.2006 15:04", comma: true},
	"en":      {layout: "2006-01-02 15:04"},
	"es":      {layout: "02/01/2006 15:04", comma: true},
	"fr":      {layout: "02/01/2006 15:04", comma: true},
	"ja":      {layout: "2006/01/02 15:04"},
	"pl":      {layout: "02.01.2006 15:04", comma: true},
	"pt-BR":   {layout: "02/01/2006 15:04", comma: true},
	"zh-Hans": {layout: "2006/01/02 15:04"},
}

var languages = sync.OnceValues(func() (map[string]*Language, error) {
	all := map[string]*Language{}
	for tag, convention := range conventions {
		data, err := localeFiles.ReadFile("locales/" + tag + ".json")
		if err != nil {
			return nil, err
		}
		made := &Language{Tag: tag, convention: convention}
		if err := json.Unmarshal(data, &made.texts); err != nil {
			return nil, err
		}
		all[tag] = made
	}
	return all, nil
})

// LanguageOf returns the language with the tag. The error is a fault of the program's own files, and nil if the
// contract has the tag.
func LanguageOf(tag string) (*Language, error) {
	all, err := languages()
	if err != nil {
		return nil, err
	}
	return all[tag], nil
}

// Text returns a text. Its key is "" in no language.
func (l *Language) Text(key string) string { return l.texts[key] }

// separator is what spreadsheets expect between the cells of CSV.
func (l *Language) separator() rune {
	if l.comma {
		return ';'
	}
	return ','
}

// Date writes a time to the minute.
func (l *Language) Date(at time.Time) string { return at.Format(l.layout) }

// Number writes a number with its decimals.
func (l *Language) Number(n float64) string {
	written := strconv.FormatFloat(n, 'f', -1, 64)
	if l.comma {
		return strings.Replace(written, ".", ",", 1)
	}
	return written
}

// dateFormat is layout in the form of XLSX.
func (l *Language) dateFormat() string {
	return strings.NewReplacer("2006", "yyyy", "01", "mm", "02", "dd", "15", "hh", "04", "mm").Replace(l.layout)
}
