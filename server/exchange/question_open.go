package exchange

import (
	"math"
	"regexp"
	"strings"

	"assay/store/rules"
)

var pointsWord = regexp.MustCompile(`(?i)\s*(?:points?|pts?\.?|marks?|punkte?|pkte?\.?)\s*$`)

// truths are the answers to questions that are true or false: the texts of both options, and which is correct.
var truths = map[string]struct {
	texts   [2]string
	correct int
}{
	"true":    {[2]string{"True", "False"}, 0},
	"false":   {[2]string{"True", "False"}, 1},
	"wahr":    {[2]string{"Wahr", "Falsch"}, 0},
	"richtig": {[2]string{"Richtig", "Falsch"}, 0},
	"falsch":  {[2]string{"Richtig", "Falsch"}, 1},
}

// trueOrFalse returns the options of a statement. The key is in ticked.
func trueOrFalse(texts [2]string, correct int) []rawOption {
	return []rawOption{{text: texts[0], ticked: correct == 0}, {text: texts[1], ticked: correct == 1}}
}

// open makes a question without options: the answer is a number, true or false, or a text.
func (b build) open(raw *rawQuestion, q *rules.Question) bool {
	answer := strings.TrimSpace(raw.answer.text)
	switch {
	case raw.number != nil:
		return b.numeric(raw, q, *raw.number)
	case raw.accepted != nil:
		return b.shortText(raw, q, raw.accepted)
	case answer == "":
		return b.unanswered(raw, q)
	}
	truth, isTruth := truths[strings.TrimSuffix(rules.NormalText(answer, false), ".")]
	if isTruth && raw.kind != rules.ShortText && raw.kind != rules.Numeric {
		raw.options = trueOrFalse(truth.texts, truth.correct)
		raw.answer = textAt{}
		return b.choice(raw, q)
	}
	if raw.kind != rules.ShortText {
		if read, ok := readSpread(answer, b.language); ok {
			return b.numeric(raw, q, read)
		}
	}
	if raw.kind == rules.Numeric {
		raw.note(AnswerUnknown, raw.answer.line, answer)
		return true
	}
	return b.shortText(raw, q, acceptedIn(answer))
}

func (b build) unanswered(raw *rawQuestion, q *rules.Question) bool {
	switch q.Type {
	case rules.Numeric, rules.ShortText:
		raw.note(AnswerMissing, raw.place.Line, raw.prompt)
		return true
	case rules.SingleChoice, rules.MultipleChoice:
		raw.note(TooFewOptions, raw.place.Line, raw.prompt)
		raw.note(KeyMissing, raw.place.Line, raw.prompt)
		q.PartialCredit = q.Type == rules.MultipleChoice
		return true
	case rules.FreeText:
	}
	raw.refuse(QuestionWithoutAnswer, raw.place.Line, raw.prompt)
	return false
}

func (b build) numeric(raw *rawQuestion, q *rules.Question, read spread) bool {
	q.Type = rules.Numeric
	line := raw.answer.line
	if line == 0 {
		line = raw.place.Line
	}
	switch {
	case read.ambiguous:
		raw.note(NumberAmbiguous, line, raw.answer.text)
	case math.Abs(read.answer) > maxNumber:
		raw.note(NumberOutOfRange, line, formatNumber(read.answer))
	default:
		q.Answer = &read.answer
	}
	if !read.ambiguous {
		q.Tolerance = read.tolerance
	}
	if raw.tolerance.text != "" {
		given, ok := readNumber(strings.TrimLeft(raw.tolerance.text, "± \t"), b.language)
		q.Tolerance = given.value
		if !ok || given.ambiguous || given.value < 0 {
			raw.note(ToleranceInvalid, raw.tolerance.line, raw.tolerance.text)
			q.Tolerance = 0
		}
	}
	if q.Tolerance > maxNumber {
		raw.note(ToleranceInvalid, line, formatNumber(q.Tolerance))
		q.Tolerance = 0
	}
	return true
}

func (b build) shortText(raw *rawQuestion, q *rules.Question, accepted []string) bool {
	q.Type = rules.ShortText
	q.AcceptedAnswers = []string{}
	seen := map[string]bool{}
	for _, text := range accepted {
		text = cleanText(text)
		if text != "" && !seen[text] {
			q.AcceptedAnswers = append(q.AcceptedAnswers, text)
			seen[text] = true
		}
	}
	q.CaseSensitive = raw.caseSensitive
	if raw.exact {
		q.ExactMatch = &raw.exact
	}
	if len(q.AcceptedAnswers) == 0 {
		raw.note(AnswerMissing, raw.place.Line, raw.prompt)
	}
	return true
}

// acceptedIn splits "Vienna | Wien" and "Vienna; Wien". A part of code, such as "a || b" and "x++;", is one answer.
func acceptedIn(answer string) []string {
	if inner, isCode := strings.CutPrefix(answer, "`"); isCode && strings.HasSuffix(inner, "`") &&
		strings.Count(inner, "`") == 1 {
		return []string{strings.TrimSuffix(inner, "`")}
	}
	by := "|"
	if strings.Contains(answer, "||") || !strings.Contains(answer, "|") {
		by = "; "
	}
	return strings.Split(answer, by)
}

// withoutWildcards returns an accepted answer without the wildcards at its ends, and whether it had any. The text is
// empty if a wildcard is within it: then the answer cannot be imported. A star after a backslash is a star.
func withoutWildcards(answer string) (text string, had bool) {
	const star = "\ue0f0"
	hidden := strings.ReplaceAll(answer, `\*`, star)
	trimmed := strings.TrimSpace(strings.Trim(hidden, "* "))
	if strings.Contains(trimmed, "*") {
		return "", true
	}
	return strings.ReplaceAll(trimmed, star, "*"), strings.Contains(hidden, "*")
}
