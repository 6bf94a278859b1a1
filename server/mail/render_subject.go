package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// The width of a subject and of a name in it, in letters of the Latin script. Inboxes show
// 60 to 70 letters on a large screen, and about 40 on a phone. So each subject begins with
// what the email is, and a title or name stands at the end.
const (
	maxSubject = 70
	maxName    = 32
)

// subject sets the subject. The parameter `long` is shortened until the subject fits, and the
// others to maxName.
func (l *letter) subject(key, long string, p params) {
	room := maxSubject
	fitted := params{}
	for name, value := range p {
		if s, ok := value.(string); ok {
			value = shorten(oneLine(s), maxName)
		}
		fitted[name] = value
	}
	if s, ok := p[long].(string); ok {
		fitted[long] = ""
		room -= columns(l.texts.text(key, fitted))
		fitted[long] = shorten(oneLine(s), room)
	}
	l.Subject = l.texts.text(key, fitted)
}

// shorten cuts a text to a width, after a word if one ends near there, and never inside
// what a reader sees as one character.
func shorten(s string, room int) string {
	if columns(s) <= room {
		return s
	}
	used, end, word := 1, 0, 0 // one column is for the ellipsis
	for i := 0; i < len(s); {
		size := characterSize(s[i:])
		used += columns(s[i : i+size])
		if used > room {
			break
		}
		if s[i] == ' ' {
			word = i
		}
		i += size
		end = i
	}
	if s[end] == ' ' {
		word = end
	}
	if word > end*2/3 {
		end = word
	}
	return strings.TrimRightFunc(s[:end], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) + "…"
}

// characterSize is the number of bytes of the first character of s: a rune with the marks
// and joined runes that follow it. It is not all of UAX 29, but enough for accents, Indic
// vowels, flags, and emoji.
func characterSize(s string) int {
	first, size := utf8.DecodeRuneInString(s)
	isFlag, previous := isRegional(first), first
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		joins := unicode.In(r, unicode.M, unicode.Variation_Selector) || r == joiner || previous == joiner ||
			r >= 0x1F3FB && r <= 0x1F3FF || isFlag && isRegional(r)
		if !joins {
			break
		}
		isFlag, previous = false, r
		size += n
	}
	return size
}

const joiner = '\u200d'

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// columns is the width of a text. Characters of East Asia are as wide as two letters.
func columns(s string) int {
	total := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.M, unicode.Cf):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			total += 2
		default:
			total++
		}
	}
	return total
}
