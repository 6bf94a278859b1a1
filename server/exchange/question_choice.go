package exchange

import (
	"math"
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
	if raw.disagree {
		return nil
	}
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
	least := raw.leastShare() // options with a larger share are correct
	var correct []int
	marks := map[string]bool{}
	for i, option := range raw.options {
		isMarked := option.marked && b.marksCount
		if isMarked {
			marks[option.mark] = true
		}
		if option.share != nil && *option.share > least || option.ticked || isMarked {
			correct = append(correct, i)
		}
	}
	if len(marks) > 1 {
		// In "char, char*, char**", the stars are text.
		raw.note(KeysDisagree, raw.place.Line, raw.prompt)
		for i := range raw.options {
			raw.options[i].marked = false
		}
		return nil
	}
	return correct
}

// leastShare returns the share of the points that a correct option exceeds. It notes the shares that Assay does not
// have: a multiple choice gives each correct option the same share, and each wrong choice cancels a correct one.
func (q *rawQuestion) leastShare() float64 {
	var partial []float64
	full, shared := 0, 0
	for _, option := range q.options {
		if option.share == nil {
			continue
		}
		shared++
		if share := *option.share; share >= 100 {
			full++
		} else if share > 0 {
			partial = append(partial, share)
		}
	}
	least, correct := 0.0, full+len(partial)
	if full > 0 {
		least, correct = 99, full
		for i, option := range q.options {
			if option.share != nil && *option.share > 0 && *option.share < 100 {
				q.note(PartialDropped, q.line(i), option.text)
			}
		}
	} else if len(partial) > 0 && !areEqualParts(partial) {
		q.note(WeightsChanged, q.place.Line, q.prompt)
	}
	if full > 1 && q.kind != rules.MultipleChoice && q.kind != rules.SingleChoice {
		q.note(SeveralCorrect, q.place.Line, q.prompt)
	}
	q.notePenalties(shared, correct)
	return least
}

// areEqualParts reports whether the shares are equal, and all points together.
func areEqualParts(shares []float64) bool {
	part := 100 / float64(len(shares))
	return !slices.ContainsFunc(shares, func(share float64) bool { return math.Abs(share-part) > 0.1 })
}

// notePenalties notes the penalties that differ from those of Assay.
func (q *rawQuestion) notePenalties(shared, correct int) {
	hasPenalties := (correct > 1 || q.kind == rules.MultipleChoice) && (q.partialCredit == nil || *q.partialCredit)
	isAdded := false
	for i, option := range q.options {
		if option.share == nil || *option.share > 0 {
			continue
		}
		penalty := -*option.share
		switch {
		case hasPenalties && correct > 0 && math.Abs(penalty-100/float64(correct)) < 0.1: // as in Assay
		case penalty > 0:
			q.note(PenaltyDropped, q.line(i), option.text)
		default:
			isAdded = true
		}
	}
	if isAdded && hasPenalties && correct > 1 && shared > 0 {
		q.note(PenaltyAdded, q.place.Line, q.prompt)
	}
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
