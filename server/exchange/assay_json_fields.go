package exchange

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

type jsonObject map[string]json.RawMessage

// jsonReader takes the fields of an object one by one. What is wrong is a note with the JSON pointer of the field, and
// what has not been taken at the end is not known.
type jsonReader struct {
	at     string // the JSON pointer of the object
	fields jsonObject
	notes  []Note
}

// newJSONReader returns false if the value is not an object.
func newJSONReader(at string, raw json.RawMessage) (*jsonReader, bool) {
	r := &jsonReader{at: at}
	return r, json.Unmarshal(raw, &r.fields) == nil && r.fields != nil
}

func (r *jsonReader) note(code NoteCode, field string, raw json.RawMessage) {
	text := r.at + "/" + field
	if raw != nil {
		text += " " + string(raw[:min(len(raw), maxExcerpt)])
	}
	r.notes = append(r.notes, Note{Code: code, Text: excerptOf(text)})
}

// maxFieldNotes is how many fields of an object are reported. No version of the contract has so many.
const maxFieldNotes = 1000

// take returns a field, or nil if it is null or absent.
func (r *jsonReader) take(name string) json.RawMessage {
	raw := r.fields[name]
	delete(r.fields, name)
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// finish reports the fields that have not been taken and have a value. An empty list says nothing.
func (r *jsonReader) finish() {
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		raw := r.fields[name]
		if len(r.notes) > maxFieldNotes {
			break
		}
		isOfService := slices.Contains(readOnly, name) || strings.HasSuffix(name, "Html")
		if !isOfService && string(raw) != "null" && string(raw) != "[]" {
			r.note(FieldUnknown, strings.NewReplacer("~", "~0", "/", "~1").Replace(name), nil)
		}
	}
}

// decoded reads a field that is not null. It returns nil if the field is absent or has another type.
func decoded[T any](r *jsonReader, name string) *T {
	raw := r.take(name)
	if raw == nil {
		return nil
	}
	var read T
	if json.Unmarshal(raw, &read) != nil {
		r.note(FieldInvalid, name, raw)
		return nil
	}
	return &read
}

func (r *jsonReader) text(name string, limit int) *string {
	text := decoded[string](r, name)
	if text == nil {
		return nil
	}
	if utf8.RuneCountInString(*text) > limit {
		r.notes = append(r.notes, Note{Code: tooLongCode(name), Text: r.at + "/" + name})
		return nil
	}
	return text
}

// tooLongCode says that a question is not imported without its text, and that other objects are imported without
// theirs.
func tooLongCode(name string) NoteCode {
	if name == "prompt" || name == "text" || name == "explanation" {
		return TextTooLong
	}
	return FieldInvalid
}

// line reads a text in one line.
func (r *jsonReader) line(name string, limit int) *string {
	text := r.text(name, limit)
	if text != nil && strings.ContainsAny(*text, "\n\r\u2028\u2029") {
		r.note(MarkupChanged, name, nil)
		return new(strings.Join(strings.Fields(*text), " "))
	}
	return text
}

func (r *jsonReader) flag(name string) bool { return value(decoded[bool](r, name)) }

func (r *jsonReader) number(name string, least, most float64) *float64 {
	number := decoded[float64](r, name)
	if number != nil && (*number < least || *number > most) {
		r.note(NumberOutOfRange, name, nil)
		return nil
	}
	return number
}

func (r *jsonReader) whole(name string, least, most float64) *int {
	number := r.number(name, least, most)
	if number == nil {
		return nil
	}
	if *number != math.Trunc(*number) {
		r.note(FieldInvalid, name, nil)
		return nil
	}
	return new(int(*number))
}

// list reads an array, up to one entry more than the limit.
func (r *jsonReader) list(name string, limit int) (entries []json.RawMessage) {
	raw := r.take(name)
	if raw == nil {
		return nil
	}
	list := json.NewDecoder(bytes.NewReader(raw))
	if begins, err := list.Token(); err != nil || begins != json.Delim('[') {
		r.note(FieldInvalid, name, raw)
		return nil
	}
	for list.More() && len(entries) <= limit {
		var entry json.RawMessage
		if list.Decode(&entry) != nil {
			r.note(FieldInvalid, name, nil) // not reached: the whole is valid JSON
			return nil
		}
		entries = append(entries, entry)
	}
	return entries
}

func (r *jsonReader) texts(name string, most, limit int, tooMany NoteCode) []string {
	texts := value(decoded[[]string](r, name))
	if len(texts) > most {
		r.notes = append(r.notes, Note{Code: tooMany, Text: r.at + "/" + name})
		return nil
	}
	for _, text := range texts {
		if utf8.RuneCountInString(text) > limit {
			r.notes = append(r.notes, Note{Code: TextTooLong, Text: r.at + "/" + name})
			return nil
		}
	}
	return texts
}

// value returns what a pointer points to, or the zero value.
func value[T any](pointer *T) (found T) {
	if pointer != nil {
		found = *pointer
	}
	return found
}

// sortNotes puts notes about fields in the order of their pointers, because a map has no order.
func sortNotes(notes []Note) {
	slices.SortStableFunc(notes, func(a, b Note) int { return strings.Compare(a.Text, b.Text) })
}
