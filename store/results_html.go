package store

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"assay/store/rules"
)

// withHTML returns a stored result in which promptHtml follows each prompt, and
// textHtml the text of each option. The HTML is not stored, so that a corrected
// sanitizer corrects all results. The texts are found in the document, because decoding
// and encoding a result would take most of the time of a request. Inside a string the
// quotes of a name are escaped, and the names that an integrator chooses are in
// metadata, before the stages.
func (s *Store) withHTML(a *Assessment, document string) (string, error) {
	var out strings.Builder
	out.Grow(2 * len(document))
	before, rest, _ := strings.Cut(document, `"stages":[`)
	rest = withOnFail(rest)
	out.WriteString(before + `"stages":[`)
	prompts := textFinder{name: `"prompt":`, added: `,"promptHtml":`}
	options := textFinder{name: `,"text":`, added: `,"textHtml":`}
	for from := 0; ; {
		found := prompts.first(rest, from)
		if other := options.first(rest, from); other.at < found.at {
			found = other
		}
		if found.at == len(rest) {
			out.WriteString(rest[from:])
			return out.String(), nil
		}
		value := found.at + len(found.name)
		length := stringLength(rest[value:])
		if length == 0 {
			return "", errNoString
		}
		var text string
		if err := json.Unmarshal([]byte(rest[value:value+length]), &text); err != nil {
			return "", err
		}
		html, err := json.Marshal(s.HTML(a, text))
		if err != nil {
			return "", err
		}
		out.WriteString(rest[from:value+length] + found.added)
		out.Write(html)
		from = value + length
	}
}

// earlierGate is the gate of a stage in a result of release 1.0, which did not store what a failed gate causes. The
// quotes in a text are escaped, so it is found in no text.
var earlierGate = regexp.MustCompile(`"gate":\{"required":(true|false),"minScore":[^,]+,"passed":`)

func withOnFail(stages string) string {
	return earlierGate.ReplaceAllStringFunc(stages, func(gate string) string {
		onFail := (&rules.Gate{Required: strings.Contains(gate, `"required":true`)}).WhenFailed()
		return strings.Replace(gate, `"passed":`, `"onFail":"`+string(onFail)+`","passed":`, 1)
	})
}

// textFinder finds prompts, or texts of options. The text of an answer has no comma before it, because an answer has
// one field.
type textFinder struct {
	name, added string // the name of the field, and that of its HTML
	at          int    // of the last text that was found
}

// first finds the first text from a position on; at is the length of the document if there is none. A text that was
// found before is not searched again, or else the time would grow with the square of the length.
func (f *textFinder) first(document string, from int) textFinder {
	if f.at == 0 || f.at < from {
		f.at = len(document)
		if i := strings.Index(document[from:], f.name); i >= 0 {
			f.at = from + i
		}
	}
	return *f
}

var errNoString = errors.New("a prompt in a stored result is not a string")

// stringLength returns the length of the JSON string at the beginning of the text, or
// 0 if there is none.
func stringLength(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
