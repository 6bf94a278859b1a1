package exchange

import (
	"regexp"
	"strings"
)

// optionStyle is the form of the marker before an option. Options of one question usually have the same.
type optionStyle string

const (
	letterStyle optionStyle = "letter"
	numberStyle optionStyle = "number"
	bulletStyle optionStyle = "bullet"
	boxStyle    optionStyle = "box"
	starStyle   optionStyle = "star"
	noStyle     optionStyle = "none"
)

// optionLine is an option as a line contains it.
type optionLine struct {
	rawOption
	style    optionStyle
	position int  // that a letter or number names, from 0; -1 without one
	isStated bool // a box, or words such as "(correct)", state the key, also if the option is not correct
	hasBox   bool
}

var (
	boxForm = regexp.MustCompile(`^(?:\[(?: |(x|X|\*|[✓✔☑☒]))\]|\((?: |(x|X|\*|[✓✔☑☒]))\)|([□☐▢])|([✓✔☑☒]))\s*(.*)$`)
	// An option in brackets is not named x, because that is a ticked box.
	letterForm = regexp.MustCompile(`(?i)^(?:\(([a-z])\)\s*|\[([a-wyz])\]\s*|([a-z])(?:\)\s*|[.:\]]\s+))(\S.*)$`)
	numberLine = regexp.MustCompile(`^(?:\((\d{1,2})\)\s*|(\d{1,2})(?:\)\s*|\.\s+))(\S.*)$`)
	bulletForm = regexp.MustCompile(`^(?:[•●○◦▪■·‣◆]\s*|[–—]\s+|-\s+|\+\s+)(\S.*)$`)
	dashForm   = regexp.MustCompile(`^-(\p{L}.*)$`)
	boldLine   = regexp.MustCompile(`^(?:\*\*|__)(.+?)(?:\*\*|__)$`)
	boldNote   = regexp.MustCompile(`^(?:\*\*|__)[^*_]{1,60}(?::(?:\*\*|__)|(?:\*\*|__):)`)
	starMarker = regexp.MustCompile(`^(\*+|[✓✔]\s*)(\(?[A-Za-z0-9]{1,2}[).:].*)$`)
	starLine   = regexp.MustCompile(`^(\*+)(\s*)(\S.*)$`)
)

// canBeOption reports whether the first characters of a line can be a marker. Most lines are words, and need no
// search.
func canBeOption(line string) bool {
	if line == "" {
		return false
	}
	isLetter := line[0]|0x20 >= 'a' && line[0]|0x20 <= 'z'
	return !isLetter || len(line) > 1 && strings.IndexByte(").:]", line[1]) >= 0
}

// readOption reads a line with a marker of an option.
func readOption(line string) (optionLine, bool) {
	if !canBeOption(line) || boldNote.MatchString(line) {
		return optionLine{}, false // "**Note:** …" is no option
	}
	if bold := boldLine.FindStringSubmatch(line); bold != nil {
		if option, ok := readMarked(bold[1]); ok {
			option.unmarked, option.text = option.text, "**"+option.text+"**"
			option.marked, option.mark = true, "bold"
			return option, true
		}
	}
	if found := starMarker.FindStringSubmatch(line); found != nil {
		if option, ok := readMarked(strings.TrimSpace(found[2])); ok && option.style != boxStyle {
			option.ticked, option.isStated = true, true
			return option, true
		}
	}
	if option, ok := readMarked(line); ok {
		return option, true
	}
	found := starLine.FindStringSubmatch(line)
	if found == nil {
		return optionLine{}, false
	}
	rest := found[3]
	if found[2] != "" {
		// A bullet of Markdown, or a mark.
		if inner, ok := readMarked(rest); ok {
			if inner.style != boxStyle {
				inner.marked, inner.mark, inner.unmarked = true, "star", inner.text
			}
			return inner, true
		}
		option := withEnd(optionLine{rawOption: rawOption{text: rest}, style: starStyle, position: -1})
		if !option.ticked {
			option.marked, option.mark, option.unmarked = true, "star", rest
		}
		return option, true
	}
	option := withEnd(optionLine{rawOption: rawOption{text: rest}, style: starStyle, position: -1})
	if !option.ticked {
		option.marked, option.mark, option.unmarked, option.text = true, "star", rest, line
	}
	return option, true
}

// readMarked reads a line that begins with a box, a letter, a number, or a bullet.
func readMarked(line string) (optionLine, bool) {
	if box := boxForm.FindStringSubmatch(line); box != nil && box[5] != "" {
		option := optionLine{rawOption: rawOption{text: box[5]}, style: boxStyle, position: -1}
		if inner, ok := readNamed(box[5]); ok {
			option.text, option.name, option.position = inner.text, inner.name, inner.position
		}
		option.ticked = box[1] != "" || box[2] != "" || box[4] != ""
		option.isStated, option.hasBox = true, true
		return option, true
	}
	return readNamed(line)
}

// readNamed reads a line that begins with a letter, a number, or a bullet.
func readNamed(line string) (optionLine, bool) {
	if letter := letterForm.FindStringSubmatch(line); letter != nil {
		name := strings.ToUpper(letter[1] + letter[2] + letter[3])
		return within(letter[4], letterStyle, name, int(name[0])-'A'), true
	}
	if number := numberLine.FindStringSubmatch(line); number != nil {
		name := strings.TrimLeft(number[1]+number[2], "0")
		position := 0
		for _, digit := range name {
			position = 10*position + int(digit-'0')
		}
		return within(number[3], numberStyle, name, position-1), true
	}
	for _, form := range []*regexp.Regexp{bulletForm, dashForm} {
		if bullet := form.FindStringSubmatch(line); bullet != nil {
			return within(bullet[1], bulletStyle, "", -1), true
		}
	}
	return optionLine{}, false
}

var (
	innerBox  = regexp.MustCompile(`^(?:\[( |x|X|\*)\]|([☐□☑☒✓✔]))\s*(\S.*)$`)
	boldText  = regexp.MustCompile(`^(?:\*\*([^*]+)\*\*|__([^_]+)__)$`)
	leanText  = regexp.MustCompile(`^\*([^*\s](?:[^*]*[^*\s])?)\*$`)
	starStart = regexp.MustCompile(`^\*([^*\s].*)$`)
)

// within reads a box or a mark between the marker and the text, and marks around the text: "- [x] Nitrogen",
// "B) *Nitrogen", "B) **Nitrogen**".
func within(text string, style optionStyle, name string, position int) optionLine {
	option := optionLine{rawOption: rawOption{text: text, name: name}, style: style, position: position}
	if box := innerBox.FindStringSubmatch(text); box != nil {
		option.text = box[3]
		option.ticked = box[1] != "" && box[1] != " " || strings.ContainsAny(box[2], "☑☒✓✔")
		option.isStated, option.hasBox = true, true
		return option
	}
	option = withEnd(option)
	if option.ticked || option.marked {
		return option
	}
	if bold := boldText.FindStringSubmatch(text); bold != nil {
		option.marked, option.mark, option.unmarked = true, "bold", bold[1]+bold[2]
	} else if lean := leanText.FindStringSubmatch(text); lean != nil {
		option.marked, option.mark, option.unmarked = true, "emphasis", lean[1]
	} else if star := starStart.FindStringSubmatch(text); star != nil {
		option.marked, option.mark, option.unmarked = true, "star", star[1]
	}
	return option
}

const correctWords = `(?:the )?(?:correct|right)(?: answer| option| choice)?|(?:richtig|korrekt)(?:e antwort)?|✓|✔`

var (
	statedEnd = regexp.MustCompile(`(?i)\s*(?:[*_]*[([](?:` + correctWords + `)[)\]][*_]*|(?:<-+|←|⇐)\s*(?:` +
		correctWords + `)|\s(?:<-+|←|⇐)|[✓✔☑☒])\s*$`)
	xEnd     = regexp.MustCompile(`(?i)\s+[([]x[)\]]$`)
	starEnd  = regexp.MustCompile(`^(.*[^*\s])(\s*)(\*+)$`)
	endBytes = 80 // the longest end
)

// isEndMark has the last characters of ends, apart from arrows and ticks.
var isEndMark = map[string]bool{")": true, "]": true, "*": true, "_": true, "-": true}

// withEnd reads a mark such as "(correct)" or "*" at the end of an option.
func withEnd(option optionLine) optionLine {
	text := option.text
	from := max(0, len(text)-endBytes)
	if last := text[max(0, len(text)-1):]; last == "" || !isEndMark[last] && last < "\x80" &&
		!strings.ContainsAny(text[from:], "<←⇐") {
		return option
	}
	for from < len(text) && text[from]&0xc0 == 0x80 {
		from++
	}
	if at := statedEnd.FindStringIndex(text[from:]); at != nil && from+at[0] > 0 {
		option.text = strings.TrimSpace(text[:from+at[0]])
		option.ticked, option.isStated = true, true
		return option
	}
	if at := xEnd.FindStringIndex(text[from:]); at != nil && from+at[0] > 0 {
		option.marked, option.mark, option.unmarked = true, "x", strings.TrimSpace(text[:from+at[0]])
		return option
	}
	found := starEnd.FindStringSubmatch(text)
	if found == nil || strings.HasPrefix(text, "*") {
		return option
	}
	option.marked, option.mark, option.unmarked = true, "star at the end", found[1]
	if len(found[3]) > 1 && found[2] == "" {
		option.mark = "stars at the end"
	}
	return option
}

// isBoldText reports whether a line is emphasized as a whole, which a prompt can be.
func isBoldText(line string) bool {
	return len(line) > 2 && line[0] == '*' && strings.HasSuffix(line, "*") ||
		boldStart.MatchString(line)
}
