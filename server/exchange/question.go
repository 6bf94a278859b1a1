package exchange

import (
	"strings"

	"assay/store/rules"
)

// rawQuestion is a question as a source contains it, before its key is decided. assemble makes a question of it.
// Texts are Markdown, except for the answer and the accepted answers.
type rawQuestion struct {
	place   Place
	excerpt string // for the report; the prompt if it is empty
	stage   string // the title of its stage; empty for the first one
	refused bool   // the question is not imported; notes say why

	prompt      string
	explanation string
	kind        rules.QuestionType // that the source names; empty if the options and the answer decide it
	points      textAt             // empty for 1 point
	worth       *float64           // the points, of a source whose numbers do not depend on a language
	notes       []Note

	options []rawOption
	// hasKey says that the source states the key of the options with ticked or share, also if no option is correct.
	hasKey        bool
	partialCredit *bool // of several correct options; nil for true

	// answer is an answer in words: names of options, a number, true or false, or texts with | or ; between them.
	answer    textAt
	disagree  bool // a note says that two statements of the key disagree
	tolerance textAt

	// number, accepted, and the fields below are for sources that separate what answer combines.
	number        *spread
	accepted      []string
	caseSensitive bool
	exact         bool
	maxWords      *int
	rubric        []rules.Criterion
}

// rawOption is an option as a source contains it.
type rawOption struct {
	text string // with its marks
	line int
	id   string // as it will be; empty for a, b, c, …
	name string // how the source names it: "B" or "2"; empty if it does not

	ticked bool     // the source says outside of the text that it is correct
	share  *float64 // the part of the points that it gives, in percent; below 0 a penalty

	// marked says that a mark in the text, such as a star, can mean that it is correct. unmarked is the text without
	// the mark. They count only if the source states no key in another way.
	marked   bool
	mark     string // its kind: marks of different kinds in one question are text
	unmarked string
}

// textAt is a text and its line. An empty text is none.
type textAt struct {
	text string
	line int
}

func (q *rawQuestion) note(code NoteCode, line int, text string) {
	q.addNotes(newNote(code, line, text))
}

// addNotes adds notes. A question is not imported if it was not read to its end, or has more notes than a person reads.
func (q *rawQuestion) addNotes(notes ...Note) {
	for _, n := range notes {
		q.refused = q.refused || n.Code == RestNotRead
		switch {
		case len(q.notes) < maxQuestionNotes:
			q.notes = append(q.notes, n)
		case len(q.notes) == maxQuestionNotes:
			q.notes = append(q.notes, newNote(RestNotRead, n.Line, n.Text))
			q.refused = true
		}
	}
}

// addOption adds an option. A question with more than 20 options is not imported, so that the number of further ones
// does not matter.
func (q *rawQuestion) addOption(option rawOption) {
	if len(q.options) < maxParts {
		q.options = append(q.options, option)
	}
}

// refuse adds a note and keeps the question out of the draft.
func (q *rawQuestion) refuse(code NoteCode, line int, text string) {
	q.note(code, line, text)
	q.refused = true
}

// explicitKey reports whether the source states the key of the options in a way that outranks marks in texts.
func (q *rawQuestion) explicitKey() bool {
	if len(q.options) == 0 || q.kind == rules.FreeText {
		return false
	}
	if q.hasKey || q.answer.text != "" {
		return true
	}
	for _, option := range q.options {
		if option.ticked || option.share != nil {
			return true
		}
	}
	return false
}

func newNote(code NoteCode, line int, text string) Note {
	return Note{Code: code, Line: line, Text: excerptOf(text)}
}

// maxExcerpt is the length of the longest excerpt, in characters.
const maxExcerpt = 200

// excerptOf returns the beginning of a text in one line.
func excerptOf(text string) string {
	if len(text) > 16*maxExcerpt {
		text = strings.ToValidUTF8(text[:16*maxExcerpt], "")
	}
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxExcerpt {
		return string(runes[:maxExcerpt-1]) + "…"
	}
	return string(runes)
}

// build makes questions of the contract.
type build struct {
	language string
	// marksCount is true if no question of the source has an explicit key. Then marks in texts are the key.
	marksCount bool
}

// question returns the question, or false if it cannot be in the draft. It adds notes to raw.
func (b build) question(raw *rawQuestion) (rules.Question, bool) {
	raw.prompt, raw.explanation = cleanText(raw.prompt), cleanText(raw.explanation)
	if raw.refused {
		return rules.Question{}, false
	}
	if raw.prompt == "" {
		raw.refuse(PromptMissing, raw.place.Line, raw.excerpt)
		return rules.Question{}, false
	}
	q := rules.Question{Type: raw.kind, Prompt: raw.prompt, Points: b.points(raw)}
	complete := b.open
	switch {
	case raw.kind == rules.FreeText:
		complete = b.freeText
	case len(raw.options) > 0:
		complete = b.choice
	}
	if !complete(raw, &q) || !withinLimits(raw, q) {
		return rules.Question{}, false
	}
	if raw.explanation != "" {
		q.Explanation = &raw.explanation
	}
	return q, true
}

func (b build) points(raw *rawQuestion) float64 {
	if raw.worth != nil {
		if *raw.worth >= 0 && *raw.worth <= maxPoints {
			return *raw.worth
		}
		raw.note(PointsInvalid, raw.place.Line, formatNumber(*raw.worth))
		return 1
	}
	if strings.TrimSpace(raw.points.text) == "" {
		return 1
	}
	given, ok := readNumber(pointsWord.ReplaceAllString(raw.points.text, ""), b.language)
	if !ok || given.ambiguous || given.value < 0 || given.value > maxPoints {
		raw.note(PointsInvalid, raw.points.line, raw.points.text)
		return 1
	}
	return given.value
}

// freeText makes a question that people grade. Its answer and its options are what a good answer contains.
func (b build) freeText(raw *rawQuestion, q *rules.Question) bool {
	parts := []string{raw.explanation, cleanText(raw.answer.text)}
	var contents []string
	for _, option := range raw.options {
		contents = append(contents, "- "+cleanText(option.text))
	}
	parts = append(parts, strings.Join(contents, "\n"))
	raw.explanation = joinNonEmpty(parts, "\n\n")
	q.MaxWords, q.Rubric = raw.maxWords, raw.rubric
	return true
}

func joinNonEmpty(parts []string, by string) string {
	var given []string
	for _, part := range parts {
		if strings.TrimSpace(part) != "" {
			given = append(given, part)
		}
	}
	return strings.Join(given, by)
}
