package exchange

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"assay/store/rules"
)

// giftAnswer is one of the answers between the braces. The texts have their backslashes.
type giftAnswer struct {
	mark     byte // = or ~
	weight   *float64
	text     string
	feedback string
}

// isFull reports whether the answer gives all points.
func (a giftAnswer) isFull() bool {
	return a.weight == nil && a.mark == '=' || a.weight != nil && *a.weight >= 100
}

// giftAnswers splits "=right#feedback ~%50%half" at each mark. The text begins with a mark. A question with so many
// answers that some are left out is not imported.
func giftAnswers(given string) []giftAnswer {
	var answers []giftAnswer
	for given != "" && len(answers) < maxParts {
		mark := given[0]
		rest := given[1:]
		end := giftIndex(rest, "=~")
		if end < 0 {
			end = len(rest)
		}
		answers = append(answers, giftAnswerOf(mark, rest[:end]))
		given = rest[end:]
	}
	return answers
}

var giftWeight = regexp.MustCompile(`^\s*%\s*([+-]?\d+(?:[.,]\d+)?)\s*%`)

func giftAnswerOf(mark byte, text string) giftAnswer {
	answer := giftAnswer{mark: mark}
	if found := giftWeight.FindStringSubmatch(text); found != nil {
		weight, err := strconv.ParseFloat(strings.Replace(found[1], ",", ".", 1), 64)
		if err == nil {
			answer.weight, text = &weight, text[len(found[0]):]
		}
	}
	if i := giftIndex(text, "#"); i >= 0 {
		text, answer.feedback = text[:i], strings.TrimSpace(text[i+1:])
	}
	answer.text = strings.TrimSpace(text)
	return answer
}

// addFeedback keeps the feedback to an answer in the explanation.
func (r *giftReader) addFeedback(answer, feedback string) {
	text := r.markdown(r.format, feedback)
	if text == "" {
		return
	}
	if len(r.feedback) == 0 {
		r.q.note(FeedbackMoved, r.q.place.Line, giftText(feedback))
	}
	if answer != "" {
		text = answer + ": " + text
	}
	r.feedback = append(r.feedback, text)
}

// truth reads "T", "FALSE", and "TRUE#feedback if wrong#feedback if right".
func (r *giftReader) truth(given string) {
	word, feedback, _ := strings.Cut(given, "#")
	correct := 1
	if strings.HasPrefix(strings.ToUpper(word), "T") {
		correct = 0
	}
	r.q.options = trueOrFalse([2]string{"True", "False"}, correct)
	for feedback != "" {
		i := giftIndex(feedback, "#")
		if i < 0 {
			i = len(feedback)
		}
		r.addFeedback("", feedback[:i])
		feedback = feedback[min(i+1, len(feedback)):]
	}
}

func (r *giftReader) choice(answers []giftAnswer) {
	hasEqual, isWeighted := false, len(answers) > 1
	full, negative := 0, false
	for _, answer := range answers {
		share := 0.0
		switch {
		case answer.weight != nil:
			share = *answer.weight
		case answer.mark == '=':
			share = 100
		}
		hasEqual = hasEqual || answer.mark == '='
		isWeighted = isWeighted && answer.weight != nil
		negative = negative || share < 0
		if share >= 100 {
			full++
		}
		if share > 100 || share < -100 {
			r.q.note(WeightsChanged, r.q.place.Line, giftText(answer.text))
		}
		text := r.markdown(r.format, answer.text)
		r.q.options = append(r.q.options, rawOption{text: text, share: &share})
		r.addFeedback(text, answer.feedback)
	}
	r.q.hasKey = true
	// Without "=", candidates tick several options in Moodle. With one correct option and without further weights, a
	// single choice asks the same.
	if !hasEqual && (negative || isWeighted || full > 1) {
		r.q.kind = rules.MultipleChoice
	}
}

// plain returns an accepted answer, which is no Markdown.
func (r *giftReader) plain(text string) string {
	marker := giftMarker.FindStringSubmatch(text)
	if marker == nil {
		if r.format == "html" && htmlInside.MatchString(text) {
			return r.plainHTML(text)
		}
		return strings.TrimSpace(giftText(text))
	}
	r.q.note(FormatMarkerDropped, r.q.place.Line, strings.TrimSpace(marker[0]))
	text = text[len(marker[0]):]
	if marker[1] == "html" {
		return r.plainHTML(text)
	}
	return strings.TrimSpace(giftText(text))
}

func (r *giftReader) plainHTML(text string) string {
	plain, notes := plainOf(giftText(text), r.q.place.Line)
	r.q.addNotes(notes...)
	return plain
}

func (r *giftReader) shortAnswers(answers []giftAnswer) {
	r.q.kind, r.q.accepted = rules.ShortText, []string{}
	line := r.q.place.Line
	for _, answer := range answers {
		text := r.plain(answer.text)
		r.addFeedback(text, answer.feedback)
		accepted, had := withoutWildcards(text)
		switch {
		case had:
			r.q.note(WildcardUnsupported, line, text)
		case !answer.isFull():
			r.q.note(PartialDropped, line, text)
		}
		if answer.isFull() && accepted != "" {
			r.q.accepted = append(r.q.accepted, accepted)
		}
	}
}

// numbers reads "3.14:0.01", "1..5", and several answers with weights. The first answer with the full weight counts.
func (r *giftReader) numbers(given string) {
	r.q.kind = rules.Numeric
	if given == "" {
		return
	}
	answers := []giftAnswer{}
	if i := giftIndex(given, "=~"); i == 0 {
		answers = giftAnswers(given)
	} else {
		answers = append(answers, giftAnswerOf('=', given))
	}
	line := r.q.place.Line
	for _, answer := range answers {
		text := giftText(answer.text)
		r.addFeedback("", answer.feedback)
		switch {
		case answer.mark == '~' && (text == "" || text == "*"): // the feedback to all other answers
		case strings.Contains(text, "*"):
			r.q.note(WildcardUnsupported, line, text)
		case answer.mark == '~' && answer.weight == nil: // a wrong answer, for its feedback
		case !answer.isFull():
			r.q.note(PartialDropped, line, text)
		case r.q.number != nil:
			r.q.note(FurtherAnswersDropped, line, text)
		default:
			read, ok := r.number(text)
			if !ok {
				r.q.refuse(NotUnderstood, line, text)
				return
			}
			r.q.number, r.q.answer = &read, textAt{text, line}
		}
	}
	if r.q.number == nil {
		r.q.answer = textAt{}
	}
}

var giftNumber = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$`)

// number reads an answer. A point is the decimal one in GIFT; other forms are read as in other sources.
func (r *giftReader) number(text string) (spread, bool) {
	if len(text) > 200 {
		return spread{}, false
	}
	one := func(text string) (number, bool) {
		text = dashes.Replace(strings.TrimSpace(text))
		if giftNumber.MatchString(text) {
			value, err := strconv.ParseFloat(text, 64)
			return number{value: value + 0}, err == nil
		}
		return readNumber(text, r.language)
	}
	if low, high, isRange := strings.Cut(text, ".."); isRange {
		from, isFrom := one(low)
		to, isTo := one(high)
		if !isFrom || !isTo {
			return spread{}, false
		}
		if from.ambiguous || to.ambiguous {
			return spread{ambiguous: true}, true
		}
		return between(from.value, to.value)
	}
	middle, distance, hasDistance := strings.Cut(text, ":")
	answer, ok := one(middle)
	if !ok {
		return spread{}, false
	}
	read := spread{answer: answer.value, ambiguous: answer.ambiguous}
	if !hasDistance {
		return read, true
	}
	tolerance, ok := one(distance)
	switch {
	case !ok || tolerance.ambiguous || tolerance.value < 0 || math.IsInf(tolerance.value, 0):
		r.q.note(ToleranceInvalid, r.q.place.Line, distance)
	default:
		read.tolerance = tolerance.value
	}
	return read, true
}
