package exchange

import (
	"regexp"
	"strings"
)

// Aiken is a format of multiple choice questions: https://docs.moodle.org/en/Aiken_format.

var (
	aikenOption = regexp.MustCompile(`^([A-Z])[.)]\s+(\S.*)$`)
	aikenAnswer = regexp.MustCompile(`^ANSWER:\s*([A-Z])\s*$`)
)

// readAiken reads a file: lines with the question, options with capital letters, and a line "ANSWER: B".
func readAiken(source Source) (Imported, error) {
	text, isText := decodeText(source.Content)
	if !isText {
		return Imported{}, ErrDamaged
	}
	var r aikenReader
	number := 0
	for line := range strings.SplitSeq(oneLineBreak.Replace(text), "\n") {
		if r.parsed.isFull {
			break
		}
		number++
		r.line(number, strings.TrimSpace(line))
	}
	r.close()
	return assemble(source, r.parsed)
}

type aikenReader struct {
	parsed parsed
	prompt []string // lines of the question
	q      *rawQuestion
}

func (r *aikenReader) line(number int, line string) {
	option, answer := aikenOption.FindStringSubmatch(line), aikenAnswer.FindStringSubmatch(line)
	switch {
	case line == "":
		if r.q != nil && len(r.q.options) > 0 {
			r.close() // the line with the answer is missing
		} else if r.q != nil {
			r.prompt = append(r.prompt, "")
		}
	case r.q == nil && (option != nil || answer != nil):
		r.parsed.note(OptionWithoutQuestion, number, line)
	case r.q == nil:
		r.q = &rawQuestion{place: Place{Line: number, LastLine: number}, excerpt: line}
		r.prompt = []string{line}
	case answer != nil:
		r.q.place.LastLine = number
		r.q.answer = textAt{answer[1], number}
		r.close()
	case option != nil:
		r.q.place.LastLine = number
		r.q.addOption(rawOption{text: escapeMarkdown(option[2]), name: option[1], line: number})
	case len(r.q.options) > 0:
		r.q.note(NotUnderstood, number, line)
	default:
		r.q.place.LastLine = number
		r.prompt = append(r.prompt, line)
	}
}

func (r *aikenReader) close() {
	if r.q != nil {
		r.q.prompt = escapeMarkdown(strings.Join(r.prompt, "\n"))
		r.parsed.add(*r.q)
	}
	r.q, r.prompt = nil, nil
}
