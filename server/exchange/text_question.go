package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// atoi returns the number that the digits write. They are at most three.
func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// takeOption reports whether the line is an option. A star can also begin the bold text of a prompt.
func (r *textReader) takeOption(line textLine, option optionLine) bool {
	q := r.q
	isBold := isBoldText(line.text) && option.style == starStyle
	if q == nil {
		if isBold {
			return false
		}
		r.note(OptionWithoutQuestion, line)
		return true
	}
	if isBold && r.afterBlank && (len(q.options) > 0 || q.answer.text != "") {
		return false
	}
	if q.ended {
		r.note(OptionWithoutQuestion, line)
		return true
	}
	isFirstLetter := option.style == letterStyle && option.position == 0 && !option.hasBox
	if q.isDialogue && isFirstLetter && strings.HasPrefix(line.text, "A:") && !isLetterB.MatchString(r.next()) {
		q.answer = textAt{strings.TrimSpace(line.text[2:]), line.number}
		q.last = inAnswer
		q.place.LastLine = line.number
		return true
	}
	if isFirstLetter && slices.Contains(q.styles, letterStyle) {
		r.note(OptionsRepeated, line)
		return true
	}
	if option.style == starStyle && len(q.options) == 0 {
		q.useBareOptions()
	}
	if option.hasBox && len(q.options) > 0 && !q.hasBoxes {
		r.optionsToPrompt()
	} else if q.hasBoxes && !option.hasBox {
		return r.afterBoxes(line)
	}
	q.hasBoxes = option.hasBox
	q.add(line, option)
	return true
}

// optionsToPrompt makes a list of the prompt of the options so far. Where a question has boxes, only they are options:
// "Which are true? A. … B. …", and then "[ ] A and B".
func (r *textReader) optionsToPrompt() {
	q := r.q
	from := r.at
	for from > 0 && r.lines[from-1].number >= q.options[0].line {
		from--
	}
	q.lines = append(append(q.lines, textLine{}), r.lines[from:r.at]...)
	q.options, q.styles, q.hasKey, q.isBare = nil, nil, false, false
}

// afterBoxes takes an item of another list below boxes, which is no option.
func (r *textReader) afterBoxes(line textLine) bool {
	if r.q.last == inExplanation {
		r.q.explain("\n", line.text)
		return true
	}
	r.note(NotUnderstood, line)
	return true
}

var isLetterB = regexp.MustCompile(`^B[:.)]`)

func (q *textQuestion) add(line textLine, option optionLine) {
	option.line = line.number
	q.addOption(option.rawOption)
	if len(q.styles) < maxParts {
		q.styles = append(q.styles, option.style)
	}
	q.hasKey = q.hasKey || option.isStated
	q.last = inOption
	q.place.LastLine = line.number
}

// useBareOptions makes options of the lines between the prompt and the first line with a star.
func (q *textQuestion) useBareOptions() {
	from := 1
	for i, line := range q.lines {
		if line.text == "" {
			from = max(from, i+1)
		}
	}
	if from >= len(q.lines) || slices.ContainsFunc(q.lines[from:], func(l textLine) bool { return l.isCode }) {
		return
	}
	bare := q.lines[from:]
	q.lines, q.isBare = q.lines[:from], true
	for _, line := range bare {
		q.add(line, bareOption(line.text))
	}
}

func bareOption(text string) optionLine {
	return withEnd(optionLine{rawOption: rawOption{text: text}, style: noStyle, position: -1})
}

// linkLine is a line with one link, such as a reference below the options. It does not go on with the last option.
var linkLine = regexp.MustCompile(`^\[[^\[\]]+\]\(https?://[^\s()]+\)\.?$`)

// text takes a line without a marker.
func (r *textReader) text(line textLine) {
	q := r.q
	if q == nil || q.ended {
		r.start(line, line.text, nil)
		return
	}
	isFreeText := len(q.lines) > 0 && readEnds(q.lines[len(q.lines)-1].text).isFreeText
	if !q.isComplete() && !isFreeText {
		r.prompt(line)
		return
	}
	isQuestion := strings.HasSuffix(line.text, "?") || readEnds(line.text).isFreeText
	switch {
	case (boldNote.MatchString(line.text) || linkLine.MatchString(line.text)) && !isQuestion && !r.afterBlank:
		r.note(NotUnderstood, line)
		q.ended = true
	case r.afterBlank || isQuestion:
		r.start(line, line.text, nil)
	case q.isBare:
		q.add(line, bareOption(line.text))
	default:
		r.continued(line)
	}
}

// prompt adds a line to the text of a question. It can be the first of the options without markers.
func (r *textReader) prompt(line textLine) {
	q := r.q
	option := bareOption(line.text)
	if len(q.lines) > 0 && (option.isStated || option.marked && option.mark == "star at the end") {
		q.useBareOptions()
		q.isBare = true
		q.add(line, option)
		return
	}
	isAsked := len(q.lines) > 0 && strings.HasSuffix(q.lines[len(q.lines)-1].text, "?")
	if r.afterBlank && isAsked && strings.HasSuffix(line.text, "?") {
		r.start(line, line.text, nil)
		return
	}
	if r.afterBlank && len(q.lines) > 0 {
		q.lines = append(q.lines, textLine{})
	}
	q.lines = append(q.lines, line)
	q.place.LastLine = line.number
}

// continued takes a line that Word has wrapped: it belongs to the text before it, unless options follow it.
func (r *textReader) continued(line textLine) {
	q := r.q
	if next, ok := readOption(r.next()); ok && next.position == 0 && next.style == letterStyle {
		r.start(line, line.text, nil)
		return
	}
	q.place.LastLine = line.number
	switch q.last {
	case inExplanation:
		q.explain("\n", line.text)
	case inOption:
		q.continueOption(line)
	case inPrompt, inAnswer, inOther:
		r.note(NotUnderstood, line)
	}
}

func (q *textQuestion) continueOption(line textLine) {
	option := &q.options[len(q.options)-1]
	by := " "
	if strings.HasSuffix(option.text, "```") {
		by = "\n"
	}
	// A mark can end the line, or be all of it.
	const before = "· "
	end := withEnd(optionLine{rawOption: rawOption{text: before + line.text}})
	if option.marked {
		option.unmarked = grown(option.unmarked, by, line.text, maxOption)
	} else if end.marked {
		option.marked, option.mark = true, end.mark
		option.unmarked = grown(option.text, by, strings.TrimPrefix(end.unmarked, before), maxOption)
	}
	text := strings.TrimPrefix(strings.TrimPrefix(end.text, strings.TrimSpace(before)), " ")
	option.text = strings.TrimRight(grown(option.text, by, text, maxOption), " ")
	option.ticked = option.ticked || end.ticked
	q.hasKey = q.hasKey || end.isStated
}

var recognised = regexp.MustCompile(`(?im)^[*_ \t]*(?:\(?[A-Ea-e][).]\s|[-*+]\s+\[[ xX*]\]|(?:correct )?(?:answer|` +
	`antwort)[*_]*:)`)
