package rules

import "strings"

// Filled replaces the placeholders of a text, such as {{candidateName}}, and reports whether it has an unknown one. A
// value is not searched for further placeholders. A placeholder is on one line, because texts are filled line by line.
func Filled(text string, values map[string]string) (_ string, unknown bool) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), unknown
		}
		name, rest, closed := strings.Cut(after, "}}")
		value, known := values[strings.Trim(name, " ")]
		unknown = unknown || !known || !closed
		out.WriteString(value)
		text = rest
	}
}
