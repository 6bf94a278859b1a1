package exchange

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	entityForm   = regexp.MustCompile(`^&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	autolinkForm = regexp.MustCompile(`^<[A-Za-z][^\s<>]{0,300}[:@][^\s<>]{0,300}>`)
	blockForm    = regexp.MustCompile(`^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|~~~|=+\s*$|(?:_[ \t]*){3,}$|[|:\- ]*-[|:\- ]*$)`)
	numberedForm = regexp.MustCompile(`^(\d{1,9})([.)])(?:\s|$)`)
)

// escapeMarkdown returns Markdown that shows a plain text as it is: with its line breaks, its indentation, and its
// marks. It adds backslashes only where Markdown would change the text, so that "3 * 4" and "snake_case" stay readable.
func escapeMarkdown(text string) string {
	lines := strings.Split(cleanText(text), "\n")
	hasFormulas := strings.Count(text, "$") > 1
	for i, line := range lines {
		body := strings.TrimLeft(line, " \t")
		indent := strings.ReplaceAll(line[:len(line)-len(body)], "\t", "    ")
		// Spaces at the beginning of a line disappear, or make a block of code.
		indent = strings.ReplaceAll(indent, " ", "\u00a0")
		body = escapeLine(strings.TrimRight(body, " \t"), hasFormulas)
		lines[i] = indent + body
		isLast := i == len(lines)-1 || strings.TrimSpace(lines[i+1]) == ""
		if body != "" && !isLast {
			lines[i] += `\` // a line break
		}
	}
	return strings.Join(lines, "\n")
}

func escapeLine(line string, hasFormulas bool) string {
	var out strings.Builder
	if blockForm.MatchString(line) {
		out.WriteByte('\\')
		out.WriteByte(line[0])
		line = line[1:]
	} else if found := numberedForm.FindStringSubmatch(line); found != nil {
		out.WriteString(found[1] + `\` + found[2])
		line = line[len(found[1])+len(found[2]):]
	}
	before := ' '
	for i := 0; i < len(line); {
		if n := len(line[i:]) - len(strings.TrimLeft(line[i:], "_")); n > 1 && isApart(before, line[i+n:]) {
			out.WriteString(line[i : i+n]) // a gap
			before = '_'
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		after, _ := utf8.DecodeRuneInString(line[i+size:])
		if i+size == len(line) {
			after = ' '
		}
		if changes(r, before, after, line[i:]) && (r != '$' || hasFormulas) {
			out.WriteByte('\\')
		}
		out.WriteString(line[i : i+size])
		before = r
		i += size
	}
	return out.String()
}

// isApart reports whether a row of marks has spaces around it, and so is text.
func isApart(before rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsSpace(before) && (rest == "" || unicode.IsSpace(after))
}

// changes reports whether Markdown would read the character as a mark. rest begins with it.
func changes(r, before, after rune, rest string) bool {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch r {
	case '\\':
		return after < 0x80 && !isWord(after) && !unicode.IsSpace(after) || len(rest) == 1
	case '*':
		return !unicode.IsSpace(before) || !unicode.IsSpace(after)
	case '_':
		return !(isWord(before) && isWord(after)) && !(unicode.IsSpace(before) && unicode.IsSpace(after))
	case '$':
		return !unicode.IsSpace(before) || !unicode.IsSpace(after)
	case '`':
		return true
	case ']':
		return after == '(' || after == '[' || after == ':'
	case '<':
		return autolinkForm.MatchString(rest)
	case '&':
		return entityForm.MatchString(rest)
	}
	return false
}
