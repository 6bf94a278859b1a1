package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// optionID returns the id of an option by its position: "a", "b", and so on.
func optionID(position int) string {
	if position < 26 {
		return string(rune('a' + position))
	}
	return "o" + strconv.Itoa(position+1)
}

func (b build) choice(raw *rawQuestion, q *rules.Question) bool {
	correct := b.correctOptions(raw)
	for i := range raw.options {
		option := &raw.options[i]
		if option.marked && b.marksCount {
			option.text = option.unmarked
		}
		if option.id == "" {
			option.id = optionID(i)
		}
		q.Options = append(q.Options, rules.Option{ID: option.id, Text: cleanText(option.text)})
	}
	if len(raw.options) < 2 {
		raw.note(TooFewOptions, raw.place.Line, raw.prompt)
	}
	if raw.kind == rules.SingleChoice && len(correct) > 1 {
		raw.note(SeveralCorrect, raw.place.Line, raw.prompt)
	}
	if q.Type == rules.MultipleChoice || len(correct) > 1 {
		q.Type, q.CorrectOptionIDs = rules.MultipleChoice, []string{}
		for _, i := range correct {
			q.CorrectOptionIDs = append(q.CorrectOptionIDs, raw.options[i].id)
		}
		q.PartialCredit = raw.partialCredit == nil || *raw.partialCredit
		return true
	}
	q.Type = rules.SingleChoice
	if len(correct) == 1 {
		q.CorrectOptionID = &raw.options[correct[0]].id
	}
	return true
}

// correctOptions returns the positions of the correct options. It notes why there are none.
func (b build) correctOptions(raw *rawQuestion) []int {
	ticked := b.tickedOptions(raw)
	isTicked := raw.hasKey || len(ticked) > 0
	if raw.answer.text == "" {
		if len(ticked) == 0 {
			raw.note(KeyMissing, raw.place.Line, raw.prompt)
		}
		return ticked
	}
	named, known, unique := raw.namedOptions()
	switch {
	case !known:
		raw.note(AnswerUnknown, raw.answer.line, raw.answer.text)
	case !unique || isTicked && !slices.Equal(named, ticked):
		raw.note(KeysDisagree, raw.answer.line, raw.answer.text)
	default:
		return named
	}
	return nil
}

// tickedOptions returns the options that are correct by a tick, by their share of the points, or by a mark that counts.
func (b build) tickedOptions(raw *rawQuestion) []int {
	full, partial := 0, 0
	for i, option := range raw.options {
		if option.share == nil {
			continue
		}
		switch share := *option.share; {
		case share < 0:
			raw.note(PenaltyDropped, raw.line(i), option.text)
		case share >= 100:
			full++
		case share > 0:
			partial++
		}
	}
	least := 0.0 // options with a larger share are correct
	if full > 0 && partial > 0 {
		raw.note(WeightsChanged, raw.place.Line, raw.prompt)
		least = 99
	}
	var correct []int
	first := 0.0
	differ := false
	for i, option := range raw.options {
		isShared := option.share != nil && *option.share > least
		if isShared {
			if first == 0 {
				first = *option.share
			}
			differ = differ || *option.share-first > 0.1 || first-*option.share > 0.1
		}
		if isShared || option.ticked || option.marked && b.marksCount {
			correct = append(correct, i)
		}
	}
	if differ {
		raw.note(WeightsChanged, raw.place.Line, raw.prompt)
	}
	if full > 1 && raw.kind != rules.MultipleChoice && raw.kind != rules.SingleChoice {
		raw.note(SeveralCorrect, raw.place.Line, raw.prompt)
	}
	return correct
}

func (q *rawQuestion) line(option int) int {
	if q.options[option].line > 0 {
		return q.options[option].line
	}
	return q.place.Line
}

// namedOptions returns the options that the answer names by their names or by their texts. unique is false if the
// answer has two readings: the name of one option is the text of another.
func (q *rawQuestion) namedOptions() (positions []int, known, unique bool) {
	answer := strings.TrimSpace(q.answer.text)
	byText := q.byText(answer)
	byName := q.byNames(answer)
	switch {
	case byText < 0 && byName == nil:
		return q.byNameAndText(answer)
	case byName == nil:
		return []int{byText}, true, true
	case byText < 0 || slices.Equal(byName, []int{byText}):
		return byName, true, true
	}
	return nil, true, false
}

// byText returns the option that has the text, or -1. An equal text wins over one that only people take for equal.
func (q *rawQuestion) byText(text string) int {
	is := func(option rawOption, equal func(a, b string) bool) bool {
		return equal(option.text, text) || option.marked && equal(option.unmarked, text)
	}
	exactly := func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
	if i := slices.IndexFunc(q.options, func(o rawOption) bool { return is(o, exactly) }); i >= 0 {
		return i
	}
	form := func(text string) string {
		return strings.TrimRight(rules.NormalText(text, false), ". ")
	}
	alike := func(a, b string) bool { return form(a) != "" && form(a) == form(b) }
	return slices.IndexFunc(q.options, func(o rawOption) bool { return is(o, alike) })
}

var (
	severalNames = regexp.MustCompile(`^[A-Z]{2,20}$`)
	nameBreak    = regexp.MustCompile(`(?i)\s*[,;|/&+]\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+|\s+`)
	nameForm     = regexp.MustCompile(`(?i)^[([]?(?:options?\s+|choices?\s+|antworten\s+|antwort\s+)?([a-z]|\d{1,2})[).:\]]?$`)
	namedText    = regexp.MustCompile(`^[([]?([A-Za-z]|\d{1,2})(?:[).:\]]+\s*|\s+[-–—=]+\s+)(\S.*)$`)
	optionWord   = regexp.MustCompile(`(?i)\b(?:options?|choices?|antwort(?:en)?)\s+`)
)

// byNames returns the options that an answer names, as in "B", "(b)", "A, C", "A and C", and "AC". It returns nil if
// a part is no name.
func (q *rawQuestion) byNames(answer string) []int {
	if len(answer) > 200 {
		return nil
	}
	parts := nameBreak.Split(optionWord.ReplaceAllString(answer, ""), -1)
	if severalNames.MatchString(answer) {
		parts = strings.Split(answer, "")
	}
	var positions []int
	for _, part := range parts {
		if part == "" {
			continue
		}
		i := q.byName(part)
		if i < 0 {
			return nil
		}
		positions = append(positions, i)
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// byName returns the option with the name, or -1. Options without names in the source are named by their positions.
// If they have letters, a number is a position only if no text is meant; byText decides that first.
func (q *rawQuestion) byName(name string) int {
	found := nameForm.FindStringSubmatch(name)
	if found == nil {
		return -1
	}
	name = found[1]
	isNamed := !slices.ContainsFunc(q.options, func(o rawOption) bool { return o.name == "" })
	if isNamed {
		if i := slices.IndexFunc(q.options, func(o rawOption) bool { return strings.EqualFold(o.name, name) }); i >= 0 {
			return i
		}
		if q.byText(q.answer.text) >= 0 {
			return -1
		}
	}
	i := int(strings.ToLower(name)[0]) - 'a'
	if number, err := strconv.Atoi(name); err == nil {
		i = number - 1
	}
	if i < 0 || i >= len(q.options) {
		return -1
	}
	return i
}

// byNameAndText reads "B) Carbon dioxide", "B. Because it is lighter", and a list of texts.
func (q *rawQuestion) byNameAndText(answer string) (positions []int, known, unique bool) {
	if found := namedText.FindStringSubmatch(answer); found != nil {
		name, rest := q.byName(found[1]), q.byText(found[2])
		switch {
		case name >= 0 && rest >= 0:
			return []int{name}, true, name == rest
		case name >= 0:
			// The text after the name is a reason.
			q.explanation = joinNonEmpty([]string{found[2], q.explanation}, "\n\n")
			return []int{name}, true, true
		}
	}
	for _, by := range []string{";", "|", ","} {
		positions = nil
		parts := strings.Split(answer, by)
		if len(parts) > 2*len(q.options) {
			continue
		}
		for _, part := range parts {
			i := q.byText(part)
			if found := namedText.FindStringSubmatch(strings.TrimSpace(part)); i < 0 && found != nil {
				if name := q.byName(found[1]); name >= 0 && name == q.byText(found[2]) {
					i = name
				}
			}
			if i < 0 {
				break
			}
			positions = append(positions, i)
		}
		if len(positions) == len(parts) {
			slices.Sort(positions)
			return slices.Compact(positions), true, true
		}
	}
	return nil, false, false
}
