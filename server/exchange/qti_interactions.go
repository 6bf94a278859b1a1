package exchange

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// choice reads a choice of one or of several options.
func (i *qtiItem) choice(interaction *node) {
	declaration := i.declaration(interaction)
	for _, option := range interaction.all("simplechoice") {
		i.q.options = append(i.q.options, rawOption{
			text: i.markdown(i.q, option), line: option.line, name: option.attr("identifier"),
		})
	}
	i.q.kind = rules.SingleChoice
	most, err := strconv.Atoi(interaction.attr("maxchoices"))
	if declaration.attr("cardinality") == "multiple" && (err != nil || most != 1) {
		i.q.kind = rules.MultipleChoice
		if most > 1 && most < len(i.q.options) {
			i.q.note(SettingDropped, interaction.line, "maxChoices="+strconv.Itoa(most))
		}
	}
	if declaration.attr("cardinality") == "ordered" {
		i.q.refuse(TypeUnsupported, interaction.line, "choiceInteraction, ordered")
	}
	i.key(declaration)
	becomePrompt(interaction)
}

// becomePrompt leaves of an interaction in the body only its prompt.
func becomePrompt(interaction *node) {
	prompt := interaction.child("prompt")
	*interaction = node{name: "div", line: interaction.line}
	if prompt != nil {
		interaction.children = []*node{prompt}
	}
}

// inlineChoice reads a menu within a text as a choice of one option. The text has a gap in its place.
func (i *qtiItem) inlineChoice(interaction *node) {
	for _, option := range interaction.all("inlinechoice") {
		i.q.options = append(i.q.options, rawOption{
			text: i.markdown(i.q, option), line: option.line, name: option.attr("identifier"),
		})
	}
	i.q.kind = rules.SingleChoice
	i.key(i.declaration(interaction))
	i.becomeGap(interaction)
}

// becomeGap leaves a gap in the text. A gap in a line of its own is only the place for the answer.
func (i *qtiItem) becomeGap(interaction *node) {
	isAlone := slices.Contains(i.body.children, interaction)
	i.body.walk(func(n *node) bool {
		if slices.Contains(n.children, interaction) {
			isAlone = isBlock(n.name) && n.words() == interaction.words() && len(n.all()) == 1
		}
		return true
	})
	*interaction = node{line: interaction.line}
	if !isAlone {
		interaction.text = "____"
	}
}

// key ticks the correct options: those of the correct response, or those to which the mapping gives points. If both
// disagree, the question has no key.
func (i *qtiItem) key(declaration *node) {
	q := i.q
	q.hasKey = true
	correct := correctValues(declaration)
	if i.scoring.maps || len(correct) == 0 {
		mapped := i.mapped(declaration)
		switch {
		case len(mapped) == 0:
		case len(correct) == 0:
			correct = mapped
		case !sameSet(correct, mapped):
			q.note(KeysDisagree, declaration.line, strings.Join(correct, ", ")+"; "+strings.Join(mapped, ", "))
			return
		}
	}
	q.partialCredit = new(i.scoring.maps)
	for _, id := range correct {
		if !slices.ContainsFunc(q.options, func(o rawOption) bool { return o.name == id }) {
			q.note(AnswerUnknown, declaration.line, id)
			return
		}
	}
	for at := range q.options {
		q.options[at].ticked = slices.Contains(correct, q.options[at].name)
	}
}

func sameSet(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) }) &&
		!slices.ContainsFunc(b, func(s string) bool { return !slices.Contains(a, s) })
}

// mapped returns the keys that a mapping gives points for: for a single choice, the one with the most points.
func (i *qtiItem) mapped(declaration *node) []string {
	var keys []string
	var values []float64
	penalties := i.penalties(declaration)
	for _, entry := range declaration.child("mapping").all("mapentry") {
		value, _ := xmlNumber(entry.attr("mappedvalue"))
		switch {
		case value < 0 && penalties:
			i.q.note(PenaltyDropped, entry.line, entry.attr("mapkey")+" "+entry.attr("mappedvalue"))
		case value > 0:
			keys, values = append(keys, entry.attr("mapkey")), append(values, value)
		}
	}
	if value, ok := xmlNumber(declaration.child("mapping").attr("defaultvalue")); ok && value < 0 {
		i.q.note(PenaltyDropped, declaration.child("mapping").line, "defaultValue="+formatNumber(value))
	}
	if len(values) == 0 {
		return nil
	}
	most := slices.Max(values)
	if slices.Min(values) < most {
		i.q.note(WeightsChanged, declaration.line, strings.Join(keys, ", "))
		if i.q.kind == rules.SingleChoice {
			var best []string
			for at, value := range values {
				if value == most {
					best = append(best, keys[at])
				}
			}
			return best
		}
	}
	return keys
}

// penalties reports whether wrong options take away anything else than a correct one gives. Just that is the rule of
// Assay for a part of the points.
func (i *qtiItem) penalties(declaration *node) bool {
	mapping := declaration.child("mapping")
	if i.q.kind != rules.MultipleChoice || mapping.attr("lowerbound") != "0" {
		return true
	}
	size := 0.0
	for _, entry := range mapping.all("mapentry") {
		value, _ := xmlNumber(entry.attr("mappedvalue"))
		if size == 0 {
			size = math.Abs(value)
		}
		if math.Abs(value) != size {
			return true
		}
	}
	return false
}

// textEntry reads a gap for a text or a number.
func (i *qtiItem) textEntry(interaction *node) {
	declaration := i.declaration(interaction)
	if mask := interaction.attr("patternmask"); mask != "" {
		i.q.note(SettingDropped, interaction.line, "patternMask="+mask)
	}
	if base := declaration.attr("basetype"); base == "float" || base == "integer" {
		i.number(declaration)
	} else {
		i.texts(declaration)
	}
	i.becomeGap(interaction)
}

// texts reads accepted texts. A correct response is compared with every character. A mapping compares without the case
// only where it says so.
func (i *qtiItem) texts(declaration *node) {
	i.q.kind, i.q.accepted = rules.ShortText, []string{}
	values := correctValues(declaration)
	i.q.caseSensitive = !i.scoring.ignores
	if i.scoring.maps || len(values) == 0 {
		keys := i.mapped(declaration)
		if len(keys) > 0 {
			values = append(values, keys...)
			i.q.caseSensitive = i.mapsCase(declaration)
		}
	} else if len(values) > 1 && declaration.attr("cardinality") == "ordered" {
		i.q.refuse(SeveralGaps, declaration.line, strings.Join(values, ", "))
	}
	i.q.accepted = append(i.q.accepted, values...)
}

// mapsCase reports whether any entry of a mapping is compared with its case.
func (i *qtiItem) mapsCase(declaration *node) bool {
	sensitive, ignoring := 0, 0
	for _, entry := range declaration.child("mapping").all("mapentry") {
		if entry.attr("casesensitive") == "true" {
			sensitive++
		} else {
			ignoring++ // the default of the schema
		}
	}
	if sensitive > 0 && ignoring > 0 {
		i.q.note(ScoringChanged, declaration.line, "caseSensitive")
	}
	return sensitive > 0
}

// number reads a number with its tolerance.
func (i *qtiItem) number(declaration *node) {
	i.q.kind = rules.Numeric
	values := correctValues(declaration)
	if len(values) == 0 {
		values = i.mapped(declaration)
	}
	var read []spread
	for _, text := range values {
		value, ok := xmlNumber(text)
		if !ok {
			i.q.note(AnswerUnknown, declaration.line, text)
			return
		}
		read = append(read, i.tolerance(value))
	}
	if len(read) > 1 && read[0] != read[1] {
		i.q.note(KeysDisagree, declaration.line, strings.Join(values, ", "))
		return
	}
	if len(read) > 0 {
		i.q.number = &read[0]
	}
}

// tolerance returns a value with the tolerance of the comparison: absolute, or relative in percent, and the same or
// another one below and above the value.
func (i *qtiItem) tolerance(value float64) spread {
	exactly := spread{answer: value}
	equal := i.scoring.equal
	mode := equal.attr("tolerancemode")
	if equal == nil || mode == "" || mode == "exact" {
		return exactly
	}
	var bounds []float64
	for _, field := range strings.Fields(equal.attr("tolerance")) {
		bound, ok := xmlNumber(field)
		if !ok || bound < 0 {
			i.q.note(ToleranceInvalid, equal.line, equal.attr("tolerance"))
			return exactly
		}
		if mode == "relative" {
			bound = bound / 100 * math.Abs(value)
		}
		bounds = append(bounds, bound)
	}
	switch len(bounds) {
	case 1:
		return spread{answer: value, tolerance: rounded(bounds[0])}
	case 2:
		if bounds[0] == bounds[1] {
			return spread{answer: value, tolerance: rounded(bounds[0])}
		}
		if s, ok := between(value-bounds[0], value+bounds[1]); ok {
			return s
		}
	}
	i.q.note(ToleranceInvalid, equal.line, equal.attr("tolerance"))
	return exactly
}

// extendedText reads a question that a person grades. The correct response is an example of a good answer.
func (i *qtiItem) extendedText(interaction *node) {
	i.q.kind = rules.FreeText
	if values := correctValues(i.declaration(interaction)); len(values) > 0 {
		i.q.answer = textAt{text: escapeMarkdown(strings.Join(values, "\n\n")), line: interaction.line}
	}
	if strings := interaction.attr("maxstrings"); strings != "" && strings != "1" {
		i.q.note(SettingDropped, interaction.line, "maxStrings="+strings)
	}
	if format := interaction.attr("format"); format != "" && format != "plain" {
		i.q.note(SettingDropped, interaction.line, "format="+format)
	}
	becomePrompt(interaction)
}
