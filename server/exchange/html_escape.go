package exchange

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeSpans writes spans as Markdown. Texts are escaped where Markdown would change them, and only there, so that the
// author can read them.
func writeSpans(spans []span, inLink, inTable bool) string {
	e := escaper{inLink: inLink, inTable: inTable, lineStart: true}
	for _, s := range spans {
		e.count(s)
	}
	for i, s := range spans {
		switch s.kind {
		case spanText:
			e.text(s.text, i+1 < len(spans), i+1 < len(spans) && spans[i+1].kind == spanRaw)
		case spanBreak:
			if e.before == '\\' { // goldmark does not see the break behind an escaped backslash
				e.out.WriteString("  \n")
			} else {
				e.out.WriteString("\\\n")
			}
			e.lineStart, e.before = true, ' '
		case spanCode:
			e.out.WriteString(codeSpan(s.text, inTable))
			e.lineStart, e.before, e.inRun = false, '`', true
		case spanRaw, spanOpen, spanClose:
			isFormula := s.kind == spanRaw && strings.HasPrefix(s.text, "$")
			if isFormula && (e.before == '$' || isVariable(e.before)) {
				e.out.WriteByte(' ') // a formula that touches a word or a dollar would be text
			}
			e.out.WriteString(s.text)
			e.lineStart, e.before, e.inRun = false, lastRune(s.text), true
			if isFormula && i+1 < len(spans) && spans[i+1].kind == spanText && isVariable(firstRune(spans[i+1].text)) {
				e.out.WriteByte(' ')
			}
		}
	}
	return e.out.String()
}

// escaper writes the texts of a paragraph.
type escaper struct {
	out                   strings.Builder
	inLink, inTable       bool
	lineStart             bool // nothing has been written in the line
	before                rune // the last character
	inRun                 bool // the run of marks that it ends is escaped
	stars, lines, dollars int  // how many runs of * and _, and how many dollars the paragraph has
}

// count counts the marks that need a second one to mean something.
func (e *escaper) count(s span) {
	switch s.kind {
	case spanText:
		e.stars += runs(s.text, '*')
		e.lines += runs(s.text, '_')
		e.dollars += strings.Count(s.text, "$")
	case spanOpen, spanClose:
		e.stars += 2
	case spanRaw:
		e.dollars += 2 * strings.Count(s.text, "$")
	case spanBreak, spanCode:
	}
}

func runs(text string, of byte) int {
	n := 0
	for i := range len(text) {
		if text[i] == of && (i == 0 || text[i-1] != of) {
			n++
		}
	}
	return n
}

// lineMarks matches what begins a block at the beginning of a line. The first character is escaped, or the one behind
// the number.
var lineMarks = regexp.MustCompile(`^(?:#{1,6}(?:[ \t]|$)|[-+*](?:[ \t]|$)|[-*_](?:[ \t]*[-*_]){2,}[ \t]*$|` +
	`=+[ \t]*$|-+[ \t]*$|>|~~~|\||:?-+:?[ \t]*(?:\||$)|\[)`)

var lineNumbers = regexp.MustCompile(`^[0-9]{1,9}[.)](?:[ \t]|$)`)

var entities = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// text writes a text. more says that something follows it in the paragraph, and raw that this is Markdown.
func (e *escaper) text(text string, more, raw bool) {
	if e.lineStart && !e.inLink && !e.inTable {
		if number := lineNumbers.FindString(text); number != "" {
			digits := strings.TrimRight(number, ".) \t")
			e.out.WriteString(digits + `\` + text[len(digits):len(digits)+1])
			text, e.before, e.lineStart = text[len(digits)+1:], '.', false
		} else if lineMarks.MatchString(text) {
			e.out.WriteString(`\` + text[:1])
			e.before, e.inRun, e.lineStart = rune(text[0]), true, false
			text = text[1:]
		}
	}
	for i, r := range text {
		if e.escapes(text, i, r, more, raw) {
			e.out.WriteByte('\\')
		}
		e.out.WriteRune(r)
		e.before = r
	}
	e.lineStart = e.lineStart && text == ""
}

// escapes reports whether Markdown would change the character at i.
func (e *escaper) escapes(text string, i int, r rune, more, raw bool) bool {
	rest := text[i+utf8.RuneLen(r):]
	switch r {
	case '\\':
		return rest == "" && more || rest != "" && rest[0] < utf8.RuneSelf && isPunct(rune(rest[0]))
	case '`':
		return true
	case '*':
		return e.emphasizes(rest, e.stars, '*', more)
	case '_':
		return e.emphasizes(rest, e.lines, '_', more)
	case '[':
		return e.inLink
	case ']':
		return e.inLink || strings.HasPrefix(rest, "(")
	case '!':
		return rest == "" && raw || strings.HasPrefix(rest, "[")
	case '<':
		return isAutolink(rest)
	case '&':
		return entities.MatchString(text[i:])
	case '$':
		return e.dollars > 1
	case '|':
		return e.inTable
	}
	return false
}

// emphasizes reports whether a star or a line could be a mark: there is another one in the paragraph, and it is not
// between spaces. All characters of a run are escaped alike.
func (e *escaper) emphasizes(rest string, runs int, mark rune, more bool) bool {
	if runs < 2 {
		return false
	}
	if e.before == mark {
		return e.inRun
	}
	next := ' '
	if after := strings.TrimLeft(rest, string(mark)); after != "" {
		next = firstRune(after)
	} else if more {
		next = '*'
	}
	isWithin := mark == '_' && isAlnum(e.before) && isAlnum(next) // snake_case
	isFree := (e.before == 0 || unicode.IsSpace(e.before)) && unicode.IsSpace(next)
	e.inRun = !isWithin && !isFree
	return e.inRun
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isVariable reports whether a character beside a dollar makes it an amount or the variable of a program.
func isVariable(r rune) bool { return r == '_' || r < utf8.RuneSelf && isAlnum(r) }

// isAutolink reports whether a text behind < is an address. An address has no spaces.
func isAutolink(rest string) bool {
	end := strings.IndexAny(rest, " \t\n<>")
	return end > 0 && rest[end] == '>' && strings.ContainsAny(rest[:end], ":@")
}
