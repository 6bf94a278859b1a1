package exchange

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"assay/store/rules"
)

// condition1 is a response that gives points.
type condition1 struct {
	score    float64
	adds     bool // the points are added to those of other conditions
	line     int
	chosen   []string // values that the response has
	left     []string // values that it does not have
	together bool     // chosen are all needed
	lower    []float64
	upper    []float64
}

// conditions returns the conditions that give points.
func (i *item1) conditions() []condition1 {
	var all []condition1
	maximum := 1.0
	if value, ok := xmlNumber(i.node.find("decvar").attr("maxvalue")); ok && value > 0 {
		maximum = value
	}
	conditions := i.node.child("resprocessing").all("respcondition")
	hasScore := i.node.child("resprocessing").find("setvar") != nil
	for _, n := range conditions {
		c := condition1{line: n.line}
		for _, set := range n.all("setvar") {
			name := strings.ToLower(firstOf(set.attr("varname"), set.attr("variablename")))
			value, ok := xmlNumber(set.words())
			if !ok && strings.HasSuffix(strings.ToLower(set.words()), ".max") {
				value, ok = maximum, true
			}
			i.takesAway = i.takesAway || ok && (value < 0 || name == "d2l_incorrect")
			if !ok || name == "d2l_incorrect" {
				continue
			}
			c.score += value
			c.adds = c.adds || strings.EqualFold(set.attr("action"), "add") || name == "d2l_correct"
		}
		if !hasScore && strings.EqualFold(n.attr("title"), "correct") {
			c.score = maximum
		}
		isOther := i.terms(&c, n.child("conditionvar"), false)
		switch {
		case c.score > 0 && !isOther:
			all = append(all, c)
		case c.score < 0:
			i.q.note(PenaltyDropped, n.line, strings.Join(c.chosen, ", "))
		}
	}
	return all
}

// terms reads the parts of a condition. It returns true if the condition is about anything else than a response.
func (i *item1) terms(c *condition1, n *node, isNot bool) (isOther bool) {
	for _, term := range n.all() {
		switch term.name {
		case "varequal":
			value := strings.TrimSpace(term.content())
			if isNot {
				c.left = append(c.left, value)
			} else {
				c.chosen = append(c.chosen, value)
			}
			i.q.caseSensitive = i.q.caseSensitive || strings.EqualFold(term.attr("case"), "yes")
		case "vargte", "vargt":
			i.bound(&c.lower, term)
		case "varlte", "varlt":
			i.bound(&c.upper, term)
		case "not":
			isOther = i.terms(c, term, !isNot) || isOther
		case "and":
			c.together = c.together || len(term.all("varequal", "not")) > 1
			isOther = i.terms(c, term, isNot) || isOther
		case "or":
			isOther = i.terms(c, term, isNot) || isOther
		case "other", "unanswered":
			isOther = true
		case "varsubset", "varsubstring":
			i.q.note(ScoringChanged, term.line, term.name+" "+term.words())
			c.chosen = append(c.chosen, strings.TrimSpace(term.content()))
		default:
			i.q.note(ScoringChanged, term.line, term.name)
		}
	}
	// Conditions beside each other are all needed.
	if n != nil && n.name == "conditionvar" && len(n.all("varequal", "not")) > 1 {
		c.together = true
	}
	return isOther
}

func (i *item1) bound(to *[]float64, n *node) {
	value, ok := xmlNumber(n.words())
	if !ok {
		i.q.note(AnswerUnknown, n.line, n.words())
		return
	}
	*to = append(*to, value)
}

func (i *item1) choice(response *node, kind rules.QuestionType) {
	q := i.q
	truth := truthWords(i.language)
	for _, label := range response.findAll("response_label") {
		option := rawOption{text: i.material(label), line: label.line, name: label.attr("ident")}
		switch strings.ToLower(option.text) {
		case "true":
			option.text = truth[0]
		case "false":
			option.text = truth[1]
		}
		q.options = append(q.options, option)
	}
	if kind == "" || kind == rules.SingleChoice && strings.EqualFold(response.attr("rcardinality"), "multiple") {
		kind = rules.SingleChoice
		if strings.EqualFold(response.attr("rcardinality"), "multiple") {
			kind = rules.MultipleChoice
		}
	}
	q.kind, q.hasKey = kind, true
	key, partial := i.key(i.conditions())
	for _, id := range key {
		if !slices.ContainsFunc(q.options, func(o rawOption) bool { return o.name == id }) {
			q.note(AnswerUnknown, response.line, id)
			return
		}
	}
	for at := range q.options {
		q.options[at].ticked = slices.Contains(key, q.options[at].name)
	}
	q.partialCredit = &partial
}

// key returns the correct options, and whether some of them give a part of the points.
func (i *item1) key(conditions []condition1) (key []string, partial bool) {
	if len(conditions) == 0 {
		return nil, false
	}
	byScore := func(a, b condition1) int { return cmp.Compare(a.score, b.score) }
	best, least := slices.MaxFunc(conditions, byScore).score, slices.MinFunc(conditions, byScore).score
	if least < best {
		i.q.note(WeightsChanged, conditions[0].line, i.q.prompt)
	}
	for _, c := range conditions {
		if isPart := c.adds && i.q.kind == rules.MultipleChoice; c.score < best && !isPart {
			continue
		}
		if c.together && len(key) > 0 && !sameSet(key, c.chosen) {
			i.q.note(KeysDisagree, c.line, strings.Join(key, ", ")+"; "+strings.Join(c.chosen, ", "))
			return nil, false
		}
		partial = partial || c.adds && i.q.kind == rules.MultipleChoice
		for _, id := range c.chosen {
			if !slices.Contains(key, id) {
				key = append(key, id)
			}
		}
	}
	if partial && !i.takesAway {
		i.q.note(PenaltyAdded, conditions[0].line, i.q.prompt)
	}
	// Canvas gives a part of the points for several options, though its file does not say so. Blackboard says it.
	if i.kind == "multiple_answers_question" || metadata(i.node, "bbmd_partialcredit") == "true" {
		partial = true
	}
	return key, partial
}

func (i *item1) texts(conditions []condition1) {
	i.q.kind, i.q.accepted = rules.ShortText, []string{}
	for _, c := range conditions {
		if c.score != conditions[0].score {
			i.q.note(WeightsChanged, c.line, strings.Join(c.chosen, ", "))
		}
		i.q.accepted = append(i.q.accepted, c.chosen...)
	}
}

// number reads a number, a range, or both: Canvas writes the number and the range that is accepted.
func (i *item1) number(conditions []condition1) {
	i.q.kind, i.q.caseSensitive = rules.Numeric, false
	var found []spread
	for _, c := range conditions {
		var exact []float64
		for _, text := range c.chosen {
			value, ok := xmlNumber(text)
			if !ok {
				i.q.note(AnswerUnknown, c.line, text)
				return
			}
			exact = append(exact, value)
		}
		found = append(found, spreads(exact, c.lower, c.upper)...)
		if len(c.lower) != len(c.upper) {
			i.q.note(ToleranceInvalid, c.line, i.q.prompt)
		}
	}
	for _, other := range found[min(1, len(found)):] {
		if other != found[0] {
			i.q.note(KeysDisagree, conditions[0].line, formatNumber(found[0].answer)+", "+formatNumber(other.answer))
			return
		}
	}
	if len(found) > 0 {
		i.q.number = &found[0]
	}
}

// spreads returns the numbers of a condition. A number in the middle of a range is the number of that range.
func spreads(exact, lower, upper []float64) []spread {
	var found []spread
	for at := range min(len(lower), len(upper)) {
		if s, ok := between(lower[at], upper[at]); ok {
			found = append(found, s)
		}
	}
	for _, value := range exact {
		isCovered := slices.ContainsFunc(found, func(s spread) bool {
			return math.Abs(value-s.answer) <= s.tolerance+1e-9*math.Abs(value)
		})
		if !isCovered {
			found = append(found, spread{answer: value})
		}
	}
	return found
}
