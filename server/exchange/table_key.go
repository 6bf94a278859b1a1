package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// tableOption is an option of a row.
type tableOption struct {
	text  string
	label int // the position that a letter or a number names, from 0
}

// keyCell is what a row says about its correct options, and the options.
type keyCell struct {
	text    string
	options []tableOption
	// only is the way that the columns of this row fix, because the key is a text beside wrong options.
	correct  []int // the positions of the correct options, if they are known
	problem  NoteCode
	readings map[Role][]int // each way in which the cell can be read
}

// keyColumn is what the column of the key means: one way for all its rows.
type keyColumn struct {
	role     Role   // the way that was decided, or CORRECT if the column has no choices or mixes ways
	choices  []Role // the ways between which a person must decide
	fromZero bool   // its numbers begin with 0
}

// keyRoles are the ways to name an option.
var keyRoles = []Role{RoleCorrectNumber, RoleCorrectLetter, RoleCorrectText}

// decideKey reads the cells of the column of the key together. A way that is possible in all rows is the way of the
// column. If several ways are possible and name different options, a person decides: the numbers of the options 5, 6, 4
// and 1 are also texts of options.
func decideKey(role Role, cells []*keyCell) keyColumn {
	decided := keyColumn{role: role, fromZero: countsFromZero(cells)}
	for _, cell := range cells {
		cell.readings = map[Role][]int{}
		for _, way := range keyRoles {
			if role != RoleCorrect && role != way || cell.text == "" {
				continue
			}
			if named, fits := cell.named(way, decided.fromZero); fits {
				cell.readings[way] = named
			}
		}
	}
	possible := slices.DeleteFunc(slices.Clone(keyRoles), func(way Role) bool { return !fitsAll(way, cells) })
	if role == RoleCorrect && len(possible) > 0 {
		if i := slices.IndexFunc(possible, func(way Role) bool { return sameKeys(way, possible, cells) }); i >= 0 {
			decided.role = possible[i]
		} else {
			decided.choices = possible
		}
	}
	for _, cell := range cells {
		cell.settle(decided)
	}
	return decided
}

// fitsAll reports whether a way is possible in each row that can be read at all.
func fitsAll(way Role, cells []*keyCell) bool {
	isUsed := false
	for _, cell := range cells {
		_, fits := cell.readings[way]
		if !fits && len(cell.readings) > 0 {
			return false
		}
		isUsed = isUsed || fits
	}
	return isUsed
}

// sameKeys reports whether the ways name the same options in all rows.
func sameKeys(way Role, possible []Role, cells []*keyCell) bool {
	for _, cell := range cells {
		for _, other := range possible {
			if !slices.Equal(cell.readings[way], cell.readings[other]) {
				return false
			}
		}
	}
	return true
}

// settle sets the correct options of a row, or the reason why they are not known.
func (c *keyCell) settle(column keyColumn) {
	if c.text == "" {
		return
	}
	ways := []Role{column.role}
	if column.role == RoleCorrect {
		ways = keyRoles // a column that mixes ways is read row by row, and a row with two meanings has no key
	}
	var found [][]int
	for _, way := range ways {
		named, fits := c.readings[way]
		if fits && !slices.ContainsFunc(found, func(other []int) bool { return slices.Equal(other, named) }) {
			found = append(found, named)
		}
	}
	switch {
	case len(found) == 1:
		c.correct = found[0]
	case len(found) > 1:
		c.problem = ColumnAmbiguous
	default:
		c.problem = AnswerUnknown
	}
}

var (
	keyBreak  = regexp.MustCompile(`\s*[,;|/&+\n]\s*|\s+(?:and|und)\s+|\s+`)
	textBreak = regexp.MustCompile(`\s*\n\s*|\s*[|;]\s*`)
	keyLetter = regexp.MustCompile(`^\(?([A-Ta-t])[).:]?$`)
	keyNumber = regexp.MustCompile(`^\(?(\d{1,2})[).:]?$`)
	keyWord   = regexp.MustCompile(`(?i)^(?:(?:options?|answers?|choices?|antwort(?:en)?|auswahl)\s+)`)
	letterRow = regexp.MustCompile(`^[A-T]{2,20}$`)
	withText  = regexp.MustCompile(`(?s)^\(?([A-Ta-t]|\d{1,2})(?:[).:]\s*|\s+[-–]\s+)(\S.*)$`)
)

const maxKey = 5000 // characters; a longer cell can only be the text of an option

// named returns the positions of the options that the cell names in one way, in order.
func (c *keyCell) named(way Role, fromZero bool) ([]int, bool) {
	if way == RoleCorrectText {
		return c.namedByText()
	}
	if len(c.text) > maxKey {
		return nil, false
	}
	// "B) Helium" names an option in two ways, which must agree.
	if parts := withText.FindStringSubmatch(c.text); parts != nil {
		position, found := c.position(parts[1], way, fromZero)
		if byText, same := c.byText(parts[2]); found && same && byText == position {
			return []int{position}, true
		}
	}
	text := keyWord.ReplaceAllString(c.text, "")
	parts := keyBreak.Split(strings.Trim(text, " ,;|\n"), -1)
	if way == RoleCorrectLetter && letterRow.MatchString(text) {
		parts = strings.Split(text, "")
	}
	return allOf(parts, func(part string) (int, bool) { return c.position(part, way, fromZero) })
}

func (c *keyCell) position(name string, way Role, fromZero bool) (int, bool) {
	label := -1
	if way == RoleCorrectLetter {
		if parts := keyLetter.FindStringSubmatch(name); parts != nil {
			label = int(strings.ToLower(parts[1])[0] - 'a')
		}
	} else if parts := keyNumber.FindStringSubmatch(name); parts != nil {
		label, _ = strconv.Atoi(parts[1])
		if !fromZero {
			label--
		}
	}
	at := slices.IndexFunc(c.options, func(o tableOption) bool { return o.label == label })
	return at, at >= 0 && label >= 0
}

func (c *keyCell) namedByText() ([]int, bool) {
	if at, found := c.byText(c.text); found {
		return []int{at}, true
	}
	for _, breaks := range []*regexp.Regexp{textBreak, keyComma} {
		if parts := breaks.Split(strings.TrimSpace(c.text), maxOptions+1); len(parts) > 1 {
			if named, fits := allOf(parts, c.byText); fits {
				return named, true
			}
		}
	}
	return nil, false
}

var keyComma = regexp.MustCompile(`\s*,\s*`)

// byText returns the option with the text. Case and spaces count only if options differ in nothing else.
func (c *keyCell) byText(text string) (int, bool) {
	text = strings.TrimSpace(text)
	at, times, form := -1, 0, ""
	for i, option := range c.options {
		if strings.TrimSpace(option.text) == text {
			return i, true
		}
	}
	form = rules.NormalText(text, false)
	for i, option := range c.options {
		if form != "" && rules.NormalText(option.text, false) == form {
			at = i
			times++
		}
	}
	return at, times == 1
}

// allOf returns the different positions of all parts, in order, if each part has one.
func allOf(parts []string, position func(part string) (int, bool)) (all []int, fits bool) {
	if len(parts) > maxOptions {
		return nil, false
	}
	for _, part := range parts {
		at, found := position(strings.TrimSpace(part))
		if !found {
			return nil, false
		}
		all = append(all, at)
	}
	slices.Sort(all)
	return slices.Compact(all), len(all) > 0
}

// countsFromZero reports whether the numbers of a column begin with 0: one of them is 0, and each names an option.
func countsFromZero(cells []*keyCell) bool {
	hasZero := false
	for _, cell := range cells {
		if cell.text == "" || len(cell.text) > maxKey {
			continue
		}
		parts := keyBreak.Split(cell.text, maxOptions+1)
		hasZero = hasZero || slices.Contains(parts, "0")
		if _, fits := cell.named(RoleCorrectNumber, true); !fits {
			return false
		}
	}
	return hasZero
}
