package store

import (
	"encoding/json"
	"errors"
	"strings"
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
	out.WriteString(before + `"stages":[`)
	for {
		at, name, added := nextText(rest)
		if at < 0 {
			out.WriteString(rest)
			return out.String(), nil
		}
		after := rest[at+len(name):]
		length := stringLength(after)
		if length == 0 {
			return "", errNoString
		}
		var text string
		if err := json.Unmarshal([]byte(after[:length]), &text); err != nil {
			return "", err
		}
		html, err := json.Marshal(s.HTML(a, text))
		if err != nil {
			return "", err
		}
		out.WriteString(rest[:at] + name + after[:length] + added)
		out.Write(html)
		rest = after[length:]
	}
}

// nextText returns the position of the next prompt or text of an option, its name, and
// the name of its HTML; -1 if there is none. The text of an answer has no comma before
// it, because an answer has one field.
func nextText(rest string) (at int, name, added string) {
	at = -1
	for _, text := range []struct{ name, added string }{
		{`"prompt":`, `,"promptHtml":`}, {`,"text":`, `,"textHtml":`},
	} {
		if i := strings.Index(rest, text.name); i >= 0 && (at < 0 || i < at) {
			at, name, added = i, text.name, text.added
		}
	}
	return at, name, added
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
