package exchange

import (
	"regexp"
	"strings"
)

// readText reads questions as people paste them from Word, mail, and web pages: a prompt, then lines with options,
// or a
// line "Answer: …". Each line is in a question or in a note.
func readText(source Source) (Imported, error) {
	text, isText := decodeText(source.Content)
	if !isText {
		return Imported{}, ErrDamaged
	}
	lines, isWhole := textLines(text)
	r := textReader{lines: lines, afterBlank: true}
	for r.at = 0; r.at < len(lines) && !r.parsed.isFull; r.at++ {
		r.read(lines[r.at])
	}
	r.close()
	if !isWhole {
		r.parsed.stop(lines[len(lines)-1].number+1, "")
	}
	return assemble(source, r.parsed)
}

// part is the part of a question that the last line belongs to.
type part int

const (
	inPrompt part = iota
	inOption
	inAnswer
	inExplanation
	inOther
)

// textQuestion is a question in the making.
type textQuestion struct {
	rawQuestion
	lines      []textLine // of the prompt
	number     *numberedLine
	styles     []optionStyle
	hasBoxes   bool // the options have boxes
	isDialogue bool // it begins with "Q:", so a line with "A:" is its answer
	isBare     bool // the options have no markers, except for the correct ones
	last       part
	ended      bool   // a rule or another block has ended it
	explained  []byte // the explanation
}

func (q *textQuestion) isComplete() bool {
	return len(q.options) > 0 || q.answer.text != "" || q.kind != "" || q.ended
}

type textReader struct {
	parsed     parsed
	lines      []textLine
	at         int
	q          *textQuestion
	afterBlank bool
	inDetails  bool
}

// following returns the next lines that are not empty. Code is skipped.
func (r *textReader) following() []string {
	var texts []string
	for _, line := range r.lines[r.at+1 : min(len(r.lines), r.at+40)] {
		if line.text != "" && !line.isCode {
			texts = append(texts, line.text)
			if len(texts) == 3 {
				break
			}
		}
	}
	return texts
}

func (r *textReader) next() string {
	if following := r.following(); len(following) > 0 {
		return following[0]
	}
	return ""
}

func (r *textReader) read(line textLine) {
	if line.endsCode {
		r.note(NotClosed, line)
	}
	switch {
	case line.isCode:
		r.code(line)
	case line.text == "":
		r.blank()
	case strings.IndexByte("-_=*\xe2", line.text[0]) >= 0 && ruleLine.MatchString(line.text):
		r.afterBlank = true
		if r.q != nil && r.q.isComplete() {
			r.q.ended = true
		} else if r.q != nil && len(r.q.lines) > 0 {
			r.q.lines = append(r.q.lines, textLine{})
		}
		return
	case line.text[0] == '<' && htmlLine.MatchString(line.text):
		r.details(line)
		return
	default:
		r.take(line)
	}
	r.afterBlank = line.text == ""
}

func (r *textReader) blank() {
	if r.q != nil && r.inDetails && len(r.q.explained) > 0 {
		r.q.explain("\n", "")
	}
}

// code adds a line of a fenced block to the text before it. After a complete question, it begins the next one.
func (r *textReader) code(line textLine) {
	isWithin := r.at > 0 && r.lines[r.at-1].isCode
	if r.q == nil || !isWithin && r.q.isComplete() && (r.afterBlank || r.q.ended) && !r.inDetails && !r.isOfOption(line) {
		r.start(line, "", nil)
		r.q.lines = []textLine{line}
		return
	}
	r.q.place.LastLine = line.number
	switch {
	case r.inDetails || r.q.last == inExplanation:
		r.q.explain("\n", line.raw)
	case r.q.last == inOption:
		option := &r.q.options[len(r.q.options)-1]
		option.text = grown(option.text, "\n", line.raw, maxOption)
		option.unmarked = grown(option.unmarked, "\n", line.raw, maxOption)
	case r.q.last == inPrompt:
		if r.afterBlank && len(r.q.lines) > 0 && !isWithin {
			r.q.lines = append(r.q.lines, textLine{})
		}
		r.q.lines = append(r.q.lines, line)
	default:
		r.q.note(NotUnderstood, line.number, line.raw)
	}
}

// isOfOption reports whether a block of code after an empty line belongs to the option above it: it is indented,
// another option follows it, or the option before has code, too.
func (r *textReader) isOfOption(line textLine) bool {
	q := r.q
	if q.last != inOption || q.ended {
		return false
	}
	if strings.HasPrefix(line.raw, "  ") || strings.HasPrefix(line.raw, "\t") {
		return true
	}
	if next, isOption := readOption(r.next()); isOption && (next.hasBox && q.hasBoxes || next.position == len(q.options)) {
		return true
	}
	n := len(q.options)
	return q.hasBoxes && n > 1 && strings.Contains(q.options[n-2].text, "```")
}

var htmlTags = regexp.MustCompile(`</?[A-Za-z]+[^<>]*>`)

// details reads "<details><summary>Answer</summary>" and the lines up to "</details>". What they contain explains the
// answer. They end the list of options.
func (r *textReader) details(line textLine) {
	lower := strings.ToLower(line.text)
	if strings.HasPrefix(lower, "<details") {
		r.inDetails = true
	}
	inner := line.text
	if i := strings.Index(lower, "<summary"); i >= 0 {
		if j := strings.Index(lower, "</summary>"); j > i {
			inner = line.text[:i] + line.text[j+len("</summary>"):]
		}
	}
	inner = strings.TrimSpace(htmlTags.ReplaceAllString(inner, ""))
	if r.q != nil {
		r.q.place.LastLine = line.number
		if r.q.last != inPrompt || len(r.q.options) > 0 {
			r.q.last = inOther
		}
	}
	if inner != "" {
		r.take(textLine{number: line.number, text: inner, raw: inner})
	}
	if strings.Contains(lower, "</details") {
		r.inDetails = false
		if r.q != nil && r.q.isComplete() {
			r.q.ended = true
		}
		r.afterBlank = true
	}
}

var dialogue = regexp.MustCompile(`^[QF]:\s`)

func (r *textReader) take(line textLine) {
	if number, ok := readNumbered(line.text); ok && !r.inDetails && r.startsQuestion(number) {
		r.start(line, number.text, &number)
		return
	}
	if (line.text[0] == 'Q' || line.text[0] == 'F') && dialogue.MatchString(line.text) {
		r.start(line, strings.TrimSpace(line.text[2:]), nil)
		r.q.isDialogue = true
		return
	}
	if field, ok := readField(headingMark.ReplaceAllString(line.text, "")); ok && (field.name != "type" || r.q != nil) {
		r.field(line, field) // also "#### Answer: D"
		return
	}
	if r.inDetails {
		r.explain(line)
		return
	}
	if isHeading(line.text) && (r.afterBlank || strings.HasPrefix(line.text, "#")) {
		r.heading(line)
		return
	}
	if headingMark.MatchString(line.text) {
		r.start(line, headingMark.ReplaceAllString(line.text, ""), nil)
		return
	}
	if option, ok := r.option(line); ok && r.takeOption(line, option) {
		return
	}
	r.text(line)
}

var loneMarker = regexp.MustCompile(`^\(?([A-Za-z])[.)]$`)

// option reads an option. A marker alone is one if code follows it.
func (r *textReader) option(line textLine) (optionLine, bool) {
	if found := loneMarker.FindStringSubmatch(line.text); found != nil && r.at+1 < len(r.lines) && r.lines[r.at+1].isCode {
		name := strings.ToUpper(found[1])
		return optionLine{rawOption: rawOption{name: name}, style: letterStyle, position: int(name[0]) - 'A'}, true
	}
	return readOption(line.text)
}

// heading reads the title of a part. A heading is a question if options or an answer follow it.
func (r *textReader) heading(line textLine) {
	next := r.next()
	option, isOption := readOption(next)
	_, isField := readField(next)
	isOption = isOption && option.style != numberStyle && option.style != noStyle
	if headingMark.MatchString(line.text) && (isOption || isField) {
		r.start(line, headingMark.ReplaceAllString(line.text, ""), nil)
		return
	}
	r.close()
	r.parsed.note(HeadingIgnored, line.number, line.text)
}

// startsQuestion reports whether a number begins a question, and not an option of the present one.
func (r *textReader) startsQuestion(number numberedLine) bool {
	q := r.q
	if number.isNamed || q == nil || q.isBare || q.ended || q.answer.text != "" || q.last == inExplanation {
		return true
	}
	if len(q.styles) > 0 && q.styles[0] == numberStyle {
		isNext := number.number == itoa(len(q.options)+1)
		isNextQuestion := r.afterBlank && q.number != nil && number.number == itoa(atoi(q.number.number)+1)
		return !isNext || isNextQuestion
	}
	if len(q.styles) > 0 || number.number != "1" {
		return true
	}
	// The first option "1." of a question, or the first question below a heading.
	next := r.next()
	_, isNumbered := readNumbered(next)
	_, isOption := readOption(next)
	_, isField := readField(next)
	return strings.HasSuffix(number.text, "?") || next != "" && !isNumbered && isOption || isField
}

func (r *textReader) start(line textLine, text string, number *numberedLine) {
	r.close()
	r.q = &textQuestion{number: number}
	r.q.place = Place{Line: line.number, LastLine: line.number}
	r.q.excerpt = excerptOf(line.text)
	if text != "" {
		r.q.lines = []textLine{{number: line.number, text: text, raw: text}}
	}
}

func (r *textReader) note(code NoteCode, line textLine) {
	if r.q != nil {
		r.q.note(code, line.number, line.text)
		return
	}
	r.parsed.note(code, line.number, line.text)
}

func (r *textReader) field(line textLine, field textField) {
	q := r.q
	if q == nil {
		r.note(NotUnderstood, line)
		return
	}
	q.place.LastLine = line.number
	q.last = inOther
	at := textAt{field.value, line.number}
	target := map[string]*textAt{"answer": &q.answer, "points": &q.points, "tolerance": &q.tolerance}[field.name]
	switch {
	case field.name == "explanation":
		q.last = inExplanation
		by := "\n\n"
		if len(q.explained) == 0 {
			by = ""
		}
		q.explain(by, field.value)
	case field.name == "type":
		q.typeLine(line, field.value)
	case target.text != "" && field.name == "answer" && field.value != "":
		if !strings.EqualFold(target.text, field.value) {
			q.note(KeysDisagree, line.number, line.text)
			q.disagree = true
		}
	case target.text != "":
		r.note(NotUnderstood, line)
	default:
		*target = at
		if field.name == "answer" {
			q.last = inAnswer
		}
	}
}

func (q *textQuestion) typeLine(line textLine, name string) {
	means, _ := typeNamed(name)
	q.last = inAnswer
	if means.unsupported {
		q.refuse(TypeUnsupported, line.number, line.text)
		return
	}
	q.kind = means.kind
}

// explain adds a line to the explanation, unless it is too long for the contract in any case.
func (q *textQuestion) explain(by, line string) {
	if len(q.explained) <= 4*maxPrompt {
		q.explained = append(append(q.explained, by...), line...)
	}
}

// grown returns a text with a further line. A text that is too long for the contract in any case does not grow.
func grown(text, by, line string, limit int) string {
	if len(text) > 4*limit { // a character has at most four bytes
		return text
	}
	return text + by + line
}

// explain adds a line of <details> to the explanation.
func (r *textReader) explain(line textLine) {
	if r.q == nil {
		r.note(NotUnderstood, line)
		return
	}
	r.q.last = inExplanation
	r.q.place.LastLine = line.number
	if line.text == "<p>" || line.text == "</p>" {
		return // it only separates the lines
	}
	by := "\n"
	if len(r.q.explained) == 0 {
		by = ""
	}
	r.q.explain(by, line.text)
}
