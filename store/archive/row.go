package archive

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind is the type of the values of a column. It decides how a value is written, whichever database has it.
type Kind string

// These are all kinds. A null is null in each of them.
const (
	Text   Kind = "text"   // a string
	Int    Kind = "int"    // a number without fraction
	Bool   Kind = "bool"   // true or false
	Float  Kind = "float"  // the shortest number that is read back as the same 64 bits
	Time   Kind = "time"   // a string as in 2026-11-28T18:44:55.000000Z, always in UTC
	Bytes  Kind = "bytes"  // a string in base64
	Secret Kind = "secret" // a string; encrypted in the database with its master secret
)

// TimeFormat is the form of a Time, in microseconds.
const TimeFormat = "2006-01-02T15:04:05.000000Z"

// NewTable parses the lists of a table: the columns of its key, and all columns with their kinds, as in
// "id name size:int". Text needs no kind.
func NewTable(name, key, columns string) Table {
	return Table{Name: name, Key: strings.Fields(key), Columns: parseColumns(columns)}
}

func parseColumns(list string) (columns []Column) {
	for _, item := range strings.Fields(list) {
		name, kind, found := strings.Cut(item, ":")
		if !found {
			kind = string(Text)
		}
		columns = append(columns, Column{name, Kind(kind)})
	}
	return columns
}

// codec is what a kind does with its values.
type codec struct {
	// stored returns the value that a database has returned in the form of the other functions.
	stored func(value any) (any, bool)
	append func(line []byte, value any) ([]byte, error)
	parse  func(value any) (any, error)
}

var codecs = map[Kind]codec{
	Text:   {storedText, appendText, parseText},
	Secret: {storedText, appendText, parseText},
	Int: {
		func(value any) (any, bool) { n, ok := value.(int64); return n, ok },
		func(line []byte, value any) ([]byte, error) { return strconv.AppendInt(line, value.(int64), 10), nil },
		func(value any) (any, error) { return strconv.ParseInt(numberOf(value), 10, 64) },
	},
	Bool:  {storedBool, appendBool, parseBool},
	Float: {storedFloat, appendFloat, func(value any) (any, error) { return strconv.ParseFloat(numberOf(value), 64) }},
	Time:  {storedTime, appendTime, parseTime},
	Bytes: {storedBytes, appendBytes, parseBytes},
}

var errValue = errors.New("is not a value of its type")

// Stored returns a value that a database has returned in the form that AppendRow takes: nil, string, int64, bool,
// float64, time.Time, or []byte.
func (k Kind) Stored(value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	stored, ok := codecs[k].stored(value)
	if !ok {
		return nil, fmt.Errorf("%T is not a stored %s", value, k)
	}
	return stored, nil
}

// AppendRow appends a row to a line, without the end of the line. The values are in the order of the columns.
func AppendRow(line []byte, columns []Column, values []any) (_ []byte, err error) {
	line = append(line, '[')
	for i, column := range columns {
		if i > 0 {
			line = append(line, ',')
		}
		if values[i] == nil {
			line = append(line, "null"...)
			continue
		}
		if line, err = codecs[column.Kind].append(line, values[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", column.Name, err)
		}
	}
	return append(line, ']'), nil
}

// ParseRow returns the values of a line that AppendRow has written. Error: ErrDamaged.
func ParseRow(line []byte, columns []Column) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var values []any
	if err := decoder.Decode(&values); err != nil {
		return nil, damaged("a row: %w", err)
	}
	if len(values) != len(columns) {
		return nil, damaged("a row has %d values for %d columns", len(values), len(columns))
	}
	for i, value := range values {
		if value == nil {
			continue
		}
		parsed, err := codecs[columns[i].Kind].parse(value)
		if err != nil {
			return nil, damaged("column %s: %w", columns[i].Name, err)
		}
		values[i] = parsed
	}
	return values, nil
}

// numberOf returns the text of a number, and "" for anything else.
func numberOf(value any) string {
	number, _ := value.(json.Number)
	return number.String()
}

func storedText(value any) (any, bool) {
	if content, ok := value.([]byte); ok {
		return string(content), true
	}
	text, ok := value.(string)
	return text, ok
}

const hexDigits = "0123456789abcdef"

// appendText escapes only what JSON requires, so that each text has one form.
func appendText(line []byte, value any) ([]byte, error) {
	text := value.(string)
	if !utf8.ValidString(text) {
		return nil, errors.New("is not text in UTF-8")
	}
	line = append(line, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		line = append(line, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			line = append(line, '\\', c)
		case '\n':
			line = append(line, '\\', 'n')
		default:
			line = append(line, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(line, text[from:]...), '"'), nil
}

func parseText(value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return nil, errValue
	}
	return text, nil
}

func storedBool(value any) (any, bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case int64:
		return v == 1, v == 0 || v == 1
	}
	return nil, false
}

func appendBool(line []byte, value any) ([]byte, error) {
	return strconv.AppendBool(line, value.(bool)), nil
}

func parseBool(value any) (any, error) {
	parsed, ok := value.(bool)
	if !ok {
		return nil, errValue
	}
	return parsed, nil
}

func storedFloat(value any) (any, bool) {
	number, ok := value.(float64)
	return number, ok
}

func appendFloat(line []byte, value any) ([]byte, error) {
	number := value.(float64)
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return nil, errValue
	}
	return strconv.AppendFloat(line, number, 'g', -1, 64), nil
}

func storedTime(value any) (any, bool) {
	switch v := value.(type) {
	case time.Time:
		return v.UTC(), true
	case int64: // of SQLite, in microseconds
		return time.UnixMicro(v).UTC(), true
	}
	return nil, false
}

func appendTime(line []byte, value any) ([]byte, error) {
	return append(value.(time.Time).AppendFormat(append(line, '"'), TimeFormat), '"'), nil
}

func parseTime(value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return nil, errValue
	}
	return time.Parse(TimeFormat, text)
}

func storedBytes(value any) (any, bool) {
	content, ok := value.([]byte)
	return content, ok
}

func appendBytes(line []byte, value any) ([]byte, error) {
	return append(base64.StdEncoding.AppendEncode(append(line, '"'), value.([]byte)), '"'), nil
}

func parseBytes(value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return nil, errValue
	}
	return base64.StdEncoding.DecodeString(text)
}
