package rules

import (
	"html"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Keyboards, phones, and word processors write the same text in many ways. NormalText
// is the one form in which texts that people type are compared. It is never stored as
// the text itself, and never shown. The guide describes it in "How scores are computed".

// NormalText returns the form of a text for comparisons: NFKC without invisible
// characters, with one kind of quotes, dashes, digits, and spaces. Without
// caseSensitive, it has no case. The form of the form is the form.
func NormalText(text string, caseSensitive bool) string {
	// Equivalent texts become equal first, and NFKC makes others of the characters that are alike.
	text = alike(norm.NFKC.String(alike(norm.NFC.String(text))))
	if !caseSensitive {
		text = norm.NFKC.String(foldCase(text))
	}
	return collapseSpace(text)
}

// ExactText returns the form of a text for comparisons in which every character counts:
// only white space at both ends and the kind of line break do not, because nobody sees them.
func ExactText(text string) string {
	return strings.TrimFunc(strings.ReplaceAll(text, "\r\n", "\n"), isSpace)
}

// Label returns a short text that people enter as it is stored: without white space at its ends, with single spaces,
// and with one form of each character.
func Label(text string) string { return norm.NFC.String(collapseSpace(text)) }

// Blank reports whether nobody can see anything of a text.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !isSpace(r) && !IsInvisible(r) })
}

// blankMarkdown is Blank for Markdown, in which &nbsp; is a space.
func blankMarkdown(text string) bool { return Blank(html.UnescapeString(text)) }

// lookOf returns the same text for two texts in Markdown that look the same. Unlike in
// NormalText, quotes, capitals, and digits differ, because a question can be about them.
// White space counts in code, which has indentations.
func lookOf(text string) string {
	text = norm.NFC.String(Visible(html.UnescapeString(text)))
	if strings.ContainsAny(text, "`\n") {
		return text
	}
	return collapseSpace(text)
}

// Visible returns a text without spaces at its ends and without the invisible
// characters that come with copied text. It keeps joiners and variation selectors,
// which change how the characters beside them look.
func Visible(text string) string {
	text = strings.Map(func(r rune) rune {
		if IsInvisible(r) && !unicode.Is(unicode.Variation_Selector, r) && !unicode.Is(unicode.Join_Control, r) {
			return -1
		}
		return r
	}, text)
	return strings.TrimFunc(text, isSpace)
}

// IsInvisible reports whether a character has no form of its own: the property
// Default_Ignorable_Code_Point, which Unicode derives in this way from the tables that Go
// has, other format characters, and control characters. White space is not invisible in this sense.
func IsInvisible(r rune) bool {
	if r <= unicode.MaxASCII || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return unicode.IsControl(r) && !isSpace(r)
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!isSpace(r)
}

// isSpace is White_Space and the empty Braille pattern, which looks like a space.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u2800' }

func collapseSpace(text string) string { return strings.Join(strings.FieldsFunc(text, isSpace), " ") }

// alike replaces the characters that stand for others, and removes invisible ones. It
// separates what NFKC would join to another number: 1½ is not 11/2, and 10⁵ is not 105.
func alike(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	var last rune
	for _, r := range text {
		if IsInvisible(r) {
			continue
		}
		if unicode.IsDigit(last) && isFraction(r) {
			out.WriteByte(' ')
		}
		if unicode.IsDigit(last) && isSuperscript(r) {
			out.WriteByte('^')
		}
		last = r
		out.WriteRune(alikeCharacter(r))
	}
	return out.String()
}

func isFraction(r rune) bool {
	return '¼' <= r && r <= '¾' || '⅐' <= r && r <= '⅞' || r == '↉'
}

func isSuperscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || '⁰' <= r && r <= '⁻'
}

// alikeCharacter returns the character by which another one is often replaced, by
// people, keyboards, and programs that correct what is typed.
func alikeCharacter(r rune) rune {
	switch r {
	case '`', '´', '‘', '’', '‚', '‛', '‹', '›', '′', '‵', 'ʹ', 'ʻ', 'ʼ', 'ʽ', 'ˊ', 'ˋ', '՚', '׳', '᾽', '᾿':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '″', '‶', '״', '〝', '〞', '〟':
		return '"'
	case '〜', '˜', '∼': // the wave dash and U+FF5E are one key in Japanese
		return '~'
	case '⁄', '∕':
		return '/'
	case '∗':
		return '*'
	case '∶':
		return ':'
	case '˚': // a ring, for the degree
		return '°'
	case '٫': // the Arabic decimal separator
		return '.'
	case '٬': // the Arabic separator of thousands
		return ','
	case 'ی': // Persian keyboards have this letter, and Arabic keyboards the other
		return 'ي'
	case 'ک':
		return 'ك'
	case '⁃': // the bullet like a hyphen
		return '-'
	}
	switch {
	case r <= unicode.MaxASCII:
		return r
	case unicode.Is(unicode.Dash, r):
		return '-'
	case unicode.IsDigit(r):
		return '0' + digitValue(r)
	}
	return r
}

// digitValue returns the value of a decimal digit. The digits of a script follow each
// other, and each range of unicode.Nd begins with a zero.
func digitValue(r rune) rune {
	for _, digits := range unicode.Nd.R16 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return (r - rune(digits.Lo)) % 10
		}
	}
	for _, digits := range unicode.Nd.R32 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return (r - rune(digits.Lo)) % 10
		}
	}
	return 0
}

// foldCase is full case folding (ß is ss, and ς is σ). The four letters I, i, İ, and ı are
// one letter. Their pairs of cases depend on the language of the person and of the
// keyboard, and neither is known. So nobody loses points with "ISTANBUL".
func foldCase(text string) string {
	var last rune
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u0307' && last == 'i': // İ is folded to i and this dot
			return -1
		case r == 'ı':
			r = 'i'
		}
		last = r
		return r
	}, cases.Fold().String(strings.ToLower(text))) // cases.Fold alone exchanges the cases of Cherokee
}
