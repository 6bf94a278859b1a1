package request

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"
)

// maxJSONDepth is how deep arrays and objects may nest. A depth of 32 is accepted.
const maxJSONDepth = 32

// maxJSONValues is how many values and names of fields a body may contain. A decoded
// value can take a hundred times the memory of its text, so the number of bytes is no
// bound. An assessment of 500 questions with every field and 20 options has 70,000.
const maxJSONValues = 75_000

// maxFaultPointer is the maximum length, in bytes, of names from the request in one
// error of a response.
const maxFaultPointer = 256

// The codes of a jsonFault.
const (
	faultInvalidJSON     = "invalid_json"     // not one JSON text (RFC 8259)
	faultDuplicate       = "duplicate"        // a repeated name in one object
	faultTooDeep         = "too_deep"         // deeper than maxJSONDepth
	faultInvalidEncoding = "invalid_encoding" // invalid UTF-8, U+0000, a lone surrogate
	faultTooLarge        = "too_large"        // a number outside float64
	faultTooMany         = "too_many_items"   // more than maxJSONValues
)

// jsonFault is the reason why a body or a query string cannot be read. Detail
// contains positions and never a value, which can be a secret.
type jsonFault struct {
	Pointer string // in a body, a JSON Pointer (RFC 6901) or its beginning; in a query, the parameter's name
	Code    string
	Detail  string
}

// decodeStrict reads one JSON text (RFC 8259) as map[string]any, []any, string,
// float64, bool, or nil, as openapi3.Schema.VisitJSON requires. All later code sees
// the same value, because input that parsers read in different ways is rejected:
// repeated names (compared after unescaping), a byte-order mark, data after the
// value, and numbers beyond float64. Text that a database cannot store (invalid
// UTF-8, U+0000, lone surrogates), nesting beyond maxJSONDepth, and more than
// maxJSONValues values are rejected too.
func decodeStrict(body []byte) (any, *jsonFault) {
	if bytes.HasPrefix(body, []byte("\ufeff")) {
		return nil, &jsonFault{Code: faultInvalidJSON, Detail: "The body begins with a byte-order mark."}
	}
	d := strictDecoder{
		body: body,
		// object compares the names with its map. The decoder would keep a second
		// copy of each name.
		tokens: jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true)),
	}
	value, fault := d.value()
	if fault != nil {
		return nil, fault
	}

	_, err := d.tokens.ReadToken()
	switch {
	case err == nil:
		return nil, &jsonFault{Code: faultInvalidJSON, Detail: "The body continues after its JSON value."}
	case !errors.Is(err, io.EOF):
		return nil, d.fault(err)
	}
	return value, nil
}

// strictDecoder builds the value of one body, token by token.
type strictDecoder struct {
	body   []byte
	tokens *jsontext.Decoder
	count  int // of the values and names that were read
}

// value reads the next value. Its recursion ends at maxJSONDepth.
func (d *strictDecoder) value() (any, *jsonFault) {
	token, fault := d.next()
	if fault != nil {
		return nil, fault
	}
	switch token.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	case jsontext.KindString:
		return d.text(token)
	case jsontext.KindNumber:
		number, err := token.Float()
		if err != nil {
			return nil, d.faultHere(faultTooLarge, "The number is out of range.")
		}
		return number, nil
	case jsontext.KindBeginArray:
		return d.array()
	case jsontext.KindBeginObject:
		return d.object()
	default: // null; the decoder reports an end token where a value must be
		return nil, nil
	}
}

// next reads the first token of a value, or a name.
func (d *strictDecoder) next() (jsontext.Token, *jsonFault) {
	token, err := d.tokens.ReadToken()
	if err != nil {
		return token, d.fault(err)
	}
	if d.count++; d.count > maxJSONValues {
		return token, &jsonFault{
			Pointer: shortPointer(d.tokens.StackPointer().Parent()), Code: faultTooMany,
			Detail: fmt.Sprintf("The body contains more than %d values and names.", maxJSONValues),
		}
	}
	return token, nil
}

func (d *strictDecoder) text(token jsontext.Token) (any, *jsonFault) {
	text := token.String()
	if strings.IndexByte(text, 0) >= 0 {
		return nil, d.faultHere(faultInvalidEncoding, "The string contains U+0000.")
	}
	return text, nil
}

func (d *strictDecoder) array() (any, *jsonFault) {
	if fault := d.depth(); fault != nil {
		return nil, fault
	}
	values := []any{}
	for d.tokens.PeekKind() != jsontext.KindEndArray {
		value, fault := d.value()
		if fault != nil {
			return nil, fault
		}
		values = append(values, value)
	}
	return values, d.end()
}

func (d *strictDecoder) object() (any, *jsonFault) {
	if fault := d.depth(); fault != nil {
		return nil, fault
	}
	values := map[string]any{}
	for d.tokens.PeekKind() != jsontext.KindEndObject {
		name, fault := d.name()
		if fault != nil {
			return nil, fault
		}
		if _, twice := values[name]; twice {
			return nil, d.faultHere(faultDuplicate, "The name occurs twice in its object.")
		}
		value, fault := d.value()
		if fault != nil {
			return nil, fault
		}
		values[name] = value
	}
	return values, d.end()
}

// name reads a member's name. A fault points to the object, because a pointer with
// the name would contain the U+0000.
func (d *strictDecoder) name() (string, *jsonFault) {
	token, fault := d.next()
	if fault != nil {
		return "", fault
	}
	name := token.String()
	if strings.IndexByte(name, 0) >= 0 {
		object := d.tokens.StackPointer().Parent()
		return "", &jsonFault{
			Pointer: shortPointer(object), Code: faultInvalidEncoding, Detail: "A name in the object contains U+0000.",
		}
	}
	return name, nil
}

func (d *strictDecoder) depth() *jsonFault {
	if d.tokens.StackDepth() <= maxJSONDepth {
		return nil
	}
	return d.faultHere(faultTooDeep, fmt.Sprintf("Arrays and objects nest deeper than %d.", maxJSONDepth))
}

// end reads the closing bracket that PeekKind has just seen.
func (d *strictDecoder) end() *jsonFault {
	if _, err := d.tokens.ReadToken(); err != nil {
		return d.fault(err)
	}
	return nil
}

// faultHere is a fault of the token read last.
func (d *strictDecoder) faultHere(code, detail string) *jsonFault {
	return &jsonFault{Pointer: shortPointer(d.tokens.StackPointer()), Code: code, Detail: detail}
}

// fault converts an error of the decoder. It does not use the error's text, which
// quotes the body.
func (d *strictDecoder) fault(err error) *jsonFault {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok { // io.EOF before any token
		return &jsonFault{Code: faultInvalidJSON, Detail: "The body is empty."}
	}
	fault := &jsonFault{Pointer: shortPointer(syntax.JSONPointer), Code: faultInvalidJSON}
	offset := min(int(syntax.ByteOffset), len(d.body))
	switch {
	case badEncoding(d.body[offset:]):
		fault.Code = faultInvalidEncoding
		fault.Detail = fmt.Sprintf("Invalid UTF-8, U+0000 or a lone surrogate after byte %d.", offset)
	case errors.Is(err, io.ErrUnexpectedEOF):
		fault.Detail = "The body ends before its JSON value does."
	default:
		fault.Detail = fmt.Sprintf("Not valid JSON after byte %d.", offset)
	}
	return fault
}

// badEncoding reports whether the decoder stopped because of the encoding, not the
// grammar. rest begins where it stopped. The decoder rejects an escape from \uD800
// to \uDFFF only if the other half of the pair is missing, so that is not checked.
func badEncoding(rest []byte) bool {
	if len(rest) == 0 {
		return false
	}
	if r, size := utf8.DecodeRune(rest); rest[0] == 0 || r == utf8.RuneError && size == 1 {
		return true
	}
	if len(rest) < len(`\uD800`) || rest[0] != '\\' || rest[1] != 'u' {
		return false
	}
	unit, err := strconv.ParseUint(string(rest[2:6]), 16, 16)
	return err == nil && 0xD800 <= unit && unit <= 0xDFFF
}

// shortPointer removes the last tokens of a pointer until it is short enough. The
// result is valid and points to an enclosing value.
func shortPointer(pointer jsontext.Pointer) string {
	for len(pointer) > maxFaultPointer {
		pointer = pointer.Parent()
	}
	return string(pointer)
}

// queryFault checks a raw query string and returns nil if it is valid. It rejects
// what net/url silently drops (invalid percent-encoding, a semicolon) and what
// checkText rejects. A fault points to the parameter if its name is valid.
func queryFault(raw string) *jsonFault {
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || !checkText(name) || strings.Contains(pair, ";") {
			return &jsonFault{Code: faultInvalidEncoding, Detail: "The query string is not valid percent-encoded UTF-8."}
		}
		value, err := url.QueryUnescape(rawValue)
		if err == nil && checkText(value) {
			continue
		}
		if len(name) > maxFaultPointer {
			name = ""
		}
		return &jsonFault{Pointer: name, Code: faultInvalidEncoding,
			Detail: "The parameter is not valid percent-encoded UTF-8."}
	}
	return nil
}

// checkText reports whether a decoded parameter is valid UTF-8 without U+0000.
// PostgreSQL rejects other text and SQLite stores it.
func checkText(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// isIdentity reports whether the headers declare an uncompressed body.
func isIdentity(header http.Header) bool {
	encoding := header.Get(echo.HeaderContentEncoding)
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

// isJSON reports whether the headers declare an uncompressed JSON body in UTF-8.
func isJSON(header http.Header) bool {
	if !isIdentity(header) {
		return false
	}
	mediaType, params, err := mime.ParseMediaType(header.Get(echo.HeaderContentType))
	charset, given := params["charset"]
	return err == nil && mediaType == echo.MIMEApplicationJSON && (!given || strings.EqualFold(charset, "utf-8"))
}
