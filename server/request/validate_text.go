package request

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"assay/gen"
	"assay/store/rules"
)

// isValidText reports whether value is a text that the schema accepts. It finds only
// those without a format and an enumeration, which are most values of a large body.
// VisitJSON would allocate for each.
func isValidText(schema *openapi3.Schema, value any) bool {
	text, isText := value.(string)
	if !isText || !schema.Type.Is(openapi3.TypeString) || schema.Enum != nil || schema.Format != "" {
		return false
	}
	if schema.MinLength > 0 && uint64(utf8.RuneCountInString(text)) < schema.MinLength {
		return false
	}
	pattern := patterns()[schema.Pattern]
	return schema.Pattern == "" || pattern != nil && pattern.MatchString(text)
}

// patterns returns the compiled patterns of the contract's schemas and their fields.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	compiled := map[string]*regexp.Regexp{}
	document, err := Contract()
	if err != nil { // New fails
		return compiled
	}
	for _, schema := range document.Components.Schemas {
		for _, ref := range append(slices.Collect(maps.Values(schema.Value.Properties)), schema) {
			if pattern, err := regexp.Compile(ref.Value.Pattern); err == nil {
				compiled[ref.Value.Pattern] = pattern
			}
		}
	}
	return compiled
})

// notBlank is the pattern of texts that people must see: names, titles, and reasons.
const notBlank = `\S`

// visitText enforces x-single-line, the mark of names and titles, and that a text that must
// not be blank has a character that people see. For a regular expression, U+200B is one.
func (v *validation) visitText(schema *openapi3.Schema, value any) {
	text, isText := value.(string)
	if schema.Pattern == notBlank && isText && rules.Blank(text) {
		v.addBroken(schema, "pattern")
	}
	if marked, _ := schema.Extensions["x-single-line"].(bool); marked && isText && strings.ContainsFunc(text, leavesLine) {
		v.add(gen.FieldErrorCodeInvalidValue,
			"must not contain control characters, line breaks, or characters that change the direction of text")
	}
}

// leavesLine reports whether a character would break out of a line in an email, a log,
// or a list, or show other text in a wrong order. The marks U+200E, U+200F, and U+061C
// are accepted: names in right-to-left scripts need them, and they reorder no letters.
func leavesLine(r rune) bool {
	return unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// isTooLong counts the characters only if the text has more bytes than allowed
// characters.
func isTooLong(schema *openapi3.Schema, text string) bool {
	if !schema.Type.Is(openapi3.TypeString) || schema.MaxLength == nil || uint64(len(text)) <= *schema.MaxLength {
		return false
	}
	return uint64(utf8.RuneCountInString(text)) > *schema.MaxLength
}
