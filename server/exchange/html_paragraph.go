package exchange

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// paragraph returns spans as one paragraph of Markdown.
func (c *converter) paragraph(spans []span) string {
	return writeSpans(c.resolved(spans), false, c.inTable)
}

// linkText returns spans as the text of a link.
func (c *converter) linkText(spans []span) string {
	return writeSpans(c.resolved(spans), true, c.inTable)
}

func escapedLinkText(text string) string { return writeSpans([]span{{spanText, text}}, true, true) }

// resolved returns spans in which each emphasis means in Markdown what it means in HTML: spaces are outside of it, it
// is not empty, and its marks are not between a letter and a punctuation character, where Markdown takes them for
// text.
func (c *converter) resolved(spans []span) []span {
	spans = joined(spans)
	if slices.ContainsFunc(spans, func(s span) bool { return s.kind == spanText && hasMath(s.text) }) {
		spans = joined(c.withMath(spans))
	}
	spans = spacesOutside(spans)
	spans = withoutEmpty(spans)
	spans = joined(spans)
	if kept := c.flanked(spans); len(kept) < len(spans) {
		spans = joined(kept)
	}
	for len(spans) > 0 && isSpace(spans[0]) {
		spans = spans[1:]
	}
	for len(spans) > 0 && isSpace(spans[len(spans)-1]) {
		spans = spans[:len(spans)-1]
	}
	return trimmedLines(spans)
}

// shows reports whether the span is something to see, and not a mark.
func (s span) shows() bool { return s.kind == spanText || s.kind == spanRaw || s.kind == spanCode }

func isSpace(s span) bool {
	return s.kind == spanBreak || s.shows() && strings.TrimSpace(s.text) == ""
}

// joined joins texts that follow each other, and makes white space in them one space.
func joined(spans []span) []span {
	out := make([]span, 0, len(spans))
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		if last := len(out) - 1; s.kind == spanCode && last >= 0 && out[last].kind == spanCode {
			out[last].text += s.text // two code spans beside each other would be one with other fences
			continue
		}
		if s.kind != spanText {
			out = append(out, s)
			continue
		}
		if i+1 < len(spans) && spans[i+1].kind == spanText {
			var text strings.Builder
			for ; i < len(spans) && spans[i].kind == spanText; i++ {
				text.WriteString(spans[i].text)
			}
			i--
			s.text = text.String()
		}
		if s.text = collapsed(s.text); s.text != "" {
			out = append(out, s)
		}
	}
	return out
}

// collapsed makes white space one space, as HTML does. A single no-break space is a space as well: editors write it
// where a person typed one. Several of them are indentation, and stay.
func collapsed(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return text // most texts between marks are one word
	}
	var out strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		if !isWhite(runes[i]) {
			if r := runes[i]; r >= ' ' && r != 0x7f {
				out.WriteRune(r)
			}
			i++
			continue
		}
		from, hard := i, 0
		for ; i < len(runes) && isWhite(runes[i]); i++ {
			if runes[i] == '\u00a0' {
				hard++
			}
		}
		if hard > 1 && hard == i-from {
			out.WriteString(strings.Repeat("\u00a0", hard))
		} else {
			out.WriteByte(' ')
		}
	}
	return out.String()
}

func isWhite(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\u00a0' || r == '\u2028' || r == '\u2029'
}

// withMath separates the formulas that MathJax finds in the texts of Moodle and Canvas: \(…\), \[…\], and $$…$$.
func (c *converter) withMath(spans []span) []span {
	out := make([]span, 0, len(spans))
	for _, s := range spans {
		if s.kind == spanText {
			out = append(out, c.mathIn(s.text)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

var mathDelimiters = []struct{ opens, closes, mark string }{
	{`\(`, `\)`, "$"}, {`\[`, `\]`, "$$"}, {"$$", "$$", "$$"},
}

// hasMath reports whether a text can contain a formula.
func hasMath(text string) bool {
	return strings.ContainsAny(text, `\$`) &&
		(strings.Contains(text, `\)`) || strings.Contains(text, `\]`) || strings.Contains(text, "$$"))
}

func (c *converter) mathIn(text string) []span {
	if !hasMath(text) {
		return []span{{spanText, text}}
	}
	var out []span
	ends := map[string]bool{} // the closing delimiters that do not occur any more
	from := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' && text[i] != '$' {
			continue
		}
		d := slices.IndexFunc(mathDelimiters, func(d struct{ opens, closes, mark string }) bool {
			return strings.HasPrefix(text[i:], d.opens)
		})
		if d < 0 || ends[mathDelimiters[d].closes] {
			continue
		}
		delimiter := mathDelimiters[d]
		length := strings.Index(text[i+2:], delimiter.closes)
		if length < 0 {
			ends[delimiter.closes] = true
			continue
		}
		tex := strings.TrimSpace(text[i+2 : i+2+length])
		if !isTeX(tex, delimiter.mark) {
			if tex != "" && delimiter.opens != "$$" {
				c.note(MarkupChanged, text[i:i+4+length])
			}
			i += 1 + length
			continue
		}
		out = append(out, span{spanText, text[from:i]}, span{spanRaw, c.between(delimiter.mark, tex)})
		from = i + 4 + length
		i = from - 1
	}
	return append(out, span{spanText, text[from:]})
}

// spacesOutside moves spaces at the ends of emphasis out of it.
func spacesOutside(spans []span) []span {
	spans = spacesBehind(spans, spanClose, strings.HasSuffix, strings.TrimSuffix)
	slices.Reverse(spans)
	spans = spacesBehind(spans, spanOpen, strings.HasPrefix, strings.TrimPrefix)
	slices.Reverse(spans)
	return spans
}

// spacesBehind moves the space at the end of a text behind the marks that follow the text.
func spacesBehind(spans []span, mark spanKind, has func(text, space string) bool,
	trim func(text, space string) string,
) []span {
	out := make([]span, 0, len(spans))
	for _, s := range spans {
		out = append(out, s)
		last := len(out) - 2
		if s.kind == mark && last >= 0 && out[last].kind == spanText && has(out[last].text, " ") {
			out[last].text = trim(out[last].text, " ")
			out = append(out, span{spanText, " "})
		}
	}
	return out
}

// withoutEmpty removes emphasis of nothing, and joins emphasis that ends where the same begins.
func withoutEmpty(spans []span) []span {
	out := make([]span, 0, len(spans))
	for _, s := range spans {
		if s.shows() && s.text == "" {
			continue
		}
		last := len(out) - 1
		if last >= 0 && out[last].text == s.text &&
			(out[last].kind == spanOpen && s.kind == spanClose || out[last].kind == spanClose && s.kind == spanOpen) {
			out = out[:last]
			continue
		}
		out = append(out, s)
	}
	return out
}

// flanked removes emphasis that Markdown would show as stars. Punctuation at its end is moved behind it, where that is
// enough: <b>Note:</b>this becomes **Note**:this.
func (c *converter) flanked(spans []span) []span {
	for i := range spans {
		if spans[i].kind != spanClose || i+1 >= len(spans) || spans[i-1].kind != spanText || spans[i+1].kind != spanText {
			continue
		}
		if before, after := spans[i-1].text, spans[i+1].text; isWord(firstRune(after)) {
			kept := strings.TrimRight(before, ".,:;!?")
			if kept != "" && isWord(lastRune(kept)) {
				spans[i-1].text, spans[i+1].text = kept, before[len(kept):]+after
			}
		}
	}
	var open []int
	remove, kept := make([]bool, len(spans)), 0 // how many marks are open and kept
	for i, s := range spans {
		switch s.kind {
		case spanOpen:
			open = append(open, i)
			remove[i] = mayClose(spans, i, remove, kept > 0)
			if !remove[i] {
				kept++
			}
		case spanClose:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if !remove[from] {
				kept--
			}
			if remove[from] || !flanks(spans, from, i) {
				remove[from], remove[i] = true, true
				c.note(MarkupChanged, s.text)
			}
		case spanText, spanRaw, spanCode, spanBreak:
		}
	}
	if !slices.Contains(remove, true) {
		return spans
	}
	out := make([]span, 0, len(spans))
	for i, s := range spans {
		if !remove[i] {
			out = append(out, s)
		}
	}
	return out
}

// mayClose reports whether Markdown could take the opening mark at i for the end of other emphasis.
func mayClose(spans []span, i int, removed []bool, isNested bool) bool {
	last := i - 1
	for last >= 0 && removed[last] {
		last--
	}
	if last >= 0 && spans[last].kind == spanClose {
		return true
	}
	if !isNested || spans[last].kind == spanOpen {
		return false
	}
	before, after := beside(spans, i, -1), beside(spans, i, 1)
	return !unicode.IsSpace(before) && (!isPunct(before) || !isWord(after))
}

// flanks reports whether the marks at the two positions begin and end emphasis (CommonMark 0.31, section 6.2).
func flanks(spans []span, from, to int) bool {
	outsideBefore, insideBefore := beside(spans, from, -1), beside(spans, from, 1)
	insideAfter, outsideAfter := beside(spans, to, -1), beside(spans, to, 1)
	opens := !unicode.IsSpace(insideBefore) && (!isPunct(insideBefore) || !isWord(outsideBefore))
	closes := !unicode.IsSpace(insideAfter) && (!isPunct(insideAfter) || !isWord(outsideAfter))
	return opens && closes
}

// beside returns the character beside the marks at i, in a direction. Marks of other emphasis beside it are part of the
// same run of stars.
func beside(spans []span, i, direction int) rune {
	for i += direction; i >= 0 && i < len(spans); i += direction {
		s := spans[i]
		switch {
		case s.kind == spanBreak:
			return ' '
		case s.kind == spanOpen || s.kind == spanClose:
		case s.kind == spanCode:
			return '`'
		case direction > 0:
			return firstRune(s.text)
		default:
			return lastRune(s.text)
		}
	}
	return ' '
}

func firstRune(text string) rune { r, _ := utf8.DecodeRuneInString(text); return r }
func lastRune(text string) rune  { r, _ := utf8.DecodeLastRuneInString(text); return r }

func isPunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
func isWord(r rune) bool  { return !isPunct(r) && !unicode.IsSpace(r) }

// trimmedLines removes spaces at both sides of each line break, and breaks that follow each other.
func trimmedLines(spans []span) []span {
	out := make([]span, 0, len(spans))
	for i, s := range spans {
		if s.kind == spanText {
			if i > 0 && len(out) > 0 && out[len(out)-1].kind == spanBreak || i == 0 {
				s.text = strings.TrimLeft(s.text, " ")
			}
			if i+1 == len(spans) || spans[i+1].kind == spanBreak {
				s.text = strings.TrimRight(s.text, " ")
			}
			if s.text == "" {
				continue
			}
		}
		if s.kind == spanBreak && (len(out) == 0 || out[len(out)-1].kind == spanBreak) {
			continue
		}
		out = append(out, s)
	}
	return out
}
