package exchange

import (
	"regexp"
	"strings"
)

// This file has the forms of lines in pasted questions: numbers of questions, headings, and fields such as
// "Answer: B".

// textLine is a line of a source. text is without indentation and invisible characters, raw is as it was written.
type textLine struct {
	number    int
	text, raw string
	isCode    bool // in a fenced block
	// endsCode says that the line is the next numbered heading, in a block of code that is not closed.
	endsCode bool
}

var (
	lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n")
	roundDot   = regexp.MustCompile(`^\s*o\t`) // a round bullet of Word
)

// textLines returns the lines of a text from Word, web pages, and spreadsheets. Fenced blocks of code stay as they
// are. It returns false if the text has more lines than are read.
func textLines(text string) (lines []textLine, isWhole bool) {
	var f fence
	var numbered headingNumber
	number := 0
	for raw := range strings.SplitSeq(lineBreaks.Replace(text), "\n") {
		if number++; len(lines) >= maxLines {
			return lines, false
		}
		endsCode := numbered.takes(raw, f.mark != "") && f.mark != ""
		if endsCode {
			f.mark = ""
		}
		if f.line(raw) {
			lines = append(lines, textLine{number: number, text: "```", raw: raw, isCode: true})
			continue
		}
		raw = visibleLine(raw)
		line := strings.TrimSpace(strings.Join(strings.Split(roundDot.ReplaceAllString(raw, "• "), "\t"), " "))
		for _, part := range splitInline(line) {
			if part != line {
				raw = part
			}
			lines = append(lines, textLine{
				number: number, text: part, raw: strings.TrimRight(raw, " \t"), endsCode: endsCode,
			})
		}
	}
	return lines, true
}

// headingNumber is the number of the last heading, such as "### Q7.", with the marks before it.
type headingNumber struct {
	marks  string
	number int
}

// takes reports whether the line is a heading with the next number. A block of code can contain headings, but hardly
// this one: then the block is not closed, and would swallow the questions that follow.
func (h *headingNumber) takes(line string, isCode bool) bool {
	if !strings.HasPrefix(line, "#") {
		return false
	}
	found, isNumbered := readNumbered(line)
	if !isNumbered {
		return false
	}
	next := headingNumber{line[:len(line)-len(strings.TrimLeft(line, "#"))], atoi(found.number)}
	follows := next.marks == h.marks && next.number == h.number+1
	if follows || !isCode {
		*h = next
	}
	return follows
}

// visibleLine returns a line with ordinary spaces and without invisible characters.
func visibleLine(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff, r == 0xad, r == 0:
			return -1
		case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x3000:
			return ' '
		}
		return r
	}, line)
}

// maxInline is the length of the longest line with several options, in bytes: 20 options of the longest text.
const maxInline = 4 * maxOptions * maxOption

var inlineMarker = regexp.MustCompile(`(?:^|\s)(\*?\(?([A-Za-z])\))`)

// splitInline splits "A) Oxygen  B) Nitrogen" into lines. The letters must follow each other, from A, or from the
// beginning of the line.
func splitInline(line string) []string {
	if !strings.Contains(line, ")") || len(line) > maxInline {
		return []string{line}
	}
	found := inlineMarker.FindAllStringSubmatchIndex(line, -1)
	var starts []int
	next := byte(0)
	for _, at := range found {
		letter := line[at[4]]
		if next == 0 && letter != 'a' && letter != 'A' && at[2] > 0 || next != 0 && letter != next {
			continue
		}
		if strings.TrimSpace(line[at[1]:]) == "" {
			continue
		}
		starts = append(starts, at[2])
		next = letter + 1
	}
	if len(starts) < 2 {
		return []string{line}
	}
	if starts[0] > 0 {
		starts = append([]int{0}, starts...)
	}
	parts := make([]string, len(starts))
	for i, start := range starts {
		end := len(line)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		parts[i] = strings.TrimSpace(line[start:end])
	}
	return parts
}

// numberedLine is the beginning of a numbered question.
type numberedLine struct {
	number string
	text   string
	// isNamed says that the line says "Question 3" and cannot be an option.
	isNamed bool
}

var (
	headingMark = regexp.MustCompile(`^#{1,6}\s+`)
	boldStart   = regexp.MustCompile(`^\*\*([^*]+)\*\*`)
	namedLine   = regexp.MustCompile(`(?i)^(?:q|question|frage|f)\.?\s*(?:no\.?|nr\.?|` +
		`#)?\s*(\d{1,3})\s*([.):–—-])?\s*(.*)$`)
	countedLine  = regexp.MustCompile(`^\(?(\d{1,3})[.)]\s*([^\d\s].*|\s\d.*)$`)
	countedDigit = regexp.MustCompile(`^\(?(\d{1,3})[.)]\s+(\d.*)$`)
)

// readNumbered reads the beginning of a numbered question.
func readNumbered(line string) (numberedLine, bool) {
	if line == "" || strings.IndexByte("#*(0123456789qQfF", line[0]) < 0 {
		return numberedLine{}, false
	}
	plain := headingMark.ReplaceAllString(line, "")
	if found := boldStart.FindStringSubmatch(plain); found != nil &&
		(namedLine.MatchString(found[1]) || countedLine.MatchString(found[1]+plain[len(found[0]):])) {
		plain = found[1] + plain[len(found[0]):]
	}
	if named := namedLine.FindStringSubmatch(plain); named != nil && (named[2] != "" || named[3] == "") {
		return numberedLine{number: named[1], text: named[3], isNamed: true}, true
	}
	for _, form := range []*regexp.Regexp{countedLine, countedDigit} {
		if counted := form.FindStringSubmatch(plain); counted != nil {
			return numberedLine{number: counted[1], text: strings.TrimSpace(counted[2])}, true
		}
	}
	return numberedLine{}, false
}

// textField is a field such as "Points: 2".
type textField struct{ name, value string }

var fieldForms = []struct {
	name string
	form *regexp.Regexp
}{
	{"answer", fieldForm(`(?:the )?(?:correct |right |model |sample )?answers?|answer key|ans\.?|key|solution|` +
		`correct(?: options?| choices?)?|` +
		`(?:(?:die )?richtige )?antwort(?:en)?|lösung(?:en)?`)},
	{"explanation", fieldForm(`explanation|feedback|rationale|reason|because|erklärung|erläuterung|begründung|` +
		`hinweis|note|` +
		`notes|comment|anmerkung|kommentar`)},
	{"points", fieldForm(`points?|marks?|score|punkte?|punktzahl`)},
	{"tolerance", fieldForm(`tolerance|toleranz`)},
	{"type", fieldForm(`(?:question )?type|typ|art|fragetyp`)},
}

func fieldForm(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[*_]*(?:` + words + `)[*_]*\s*[:=][*_]*\s*(.*)$`)
}

var answerSentence = regexp.MustCompile(`(?i)^[*_]*(?:the )?(?:correct|right) answer is[*_]*\s*:?[*_]*\s*(\S.*)$`)

// readField reads "Answer: B", "**Points:** 2", and the like. A type that is not known is no field.
func readField(line string) (textField, bool) {
	const longestName = 60
	if !strings.ContainsAny(line[:min(len(line), longestName)], ":=") && !strings.Contains(line, " is") {
		return textField{}, false
	}
	field := textField{}
	if found := answerSentence.FindStringSubmatch(line); found != nil {
		field = textField{"answer", found[1]}
	}
	for _, row := range fieldForms {
		if field.name == "" {
			if found := row.form.FindStringSubmatch(line); found != nil {
				field = textField{row.name, found[1]}
			}
		}
	}
	if field.name == "" {
		return field, false
	}
	if strings.HasPrefix(line, "*") || strings.HasPrefix(line, "_") {
		if mark := line[:1]; strings.HasSuffix(field.value, mark) && !strings.HasPrefix(field.value, mark) {
			field.value = strings.TrimSpace(strings.TrimRight(field.value, mark)) // "**Answer: B**"
		}
	}
	if field.name == "type" {
		_, known := typeNamed(field.value)
		return field, known
	}
	return field, true
}

// promptEnds is what stands in brackets at the end of a prompt.
type promptEnds struct {
	prompt, points string
	isFreeText     bool
}

var (
	pointsEnd = regexp.MustCompile(`(?i)\s*[([]\s*(\d+(?:[.,]\d+)?)\s*(?:points?|pts?\.?|marks?|punkte?|` +
		`pkte?\.?)\s*[)\]]\s*$`)
	wordEnd = regexp.MustCompile(`\s*[([]\s*([^()[\]]{1,20}?)\s*[)\]]\s*$`)
)

// readEnds removes "(2 points)" and "(free text)", in any order, from the end of a prompt.
func readEnds(prompt string) promptEnds {
	ends := promptEnds{prompt: prompt}
	if last := strings.TrimRight(prompt, " \t\n"); !strings.HasSuffix(last, ")") && !strings.HasSuffix(last, "]") {
		return ends
	}
	for range 2 {
		tail := max(0, len(ends.prompt)-60)
		for tail < len(ends.prompt) && ends.prompt[tail]&0xc0 == 0x80 {
			tail++
		}
		if at := pointsEnd.FindStringSubmatchIndex(ends.prompt[tail:]); at != nil && ends.points == "" {
			ends.points = ends.prompt[tail+at[2] : tail+at[3]]
			ends.prompt = ends.prompt[:tail+at[0]]
			continue
		}
		at := wordEnd.FindStringSubmatchIndex(ends.prompt[tail:])
		if at == nil {
			break
		}
		named, known := typeNamed(ends.prompt[tail+at[2] : tail+at[3]])
		if !known || string(named.kind) != "FREE_TEXT" {
			break
		}
		ends.isFreeText = true
		ends.prompt = ends.prompt[:tail+at[0]]
	}
	return ends
}

var (
	partLine = regexp.MustCompile(`(?i)^(?:section|part|chapter|stage|module|abschnitt|teil|kapitel|modul)\s+(?:\d+|` +
		`[ivx]+|[a-z])\b`)
	ruleLine = regexp.MustCompile(`^(?:[-_=*–—]\s*){3,}$`)
	htmlLine = regexp.MustCompile(`(?i)^</?(?:details|summary)\b`)
)

// isHeading reports whether a line is the title of a part, and not a question.
func isHeading(line string) bool {
	if strings.HasSuffix(line, "?") {
		return false
	}
	return line != "" && (line[0] == '#' && headingMark.MatchString(line) ||
		strings.IndexByte("sScCpPmMaAtTkK", line[0]) >= 0 && partLine.MatchString(line))
}
