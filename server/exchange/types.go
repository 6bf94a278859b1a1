package exchange

import (
	"regexp"
	"strings"

	"assay/store/rules"
)

// typeName is what a source means by the name of a type.
type typeName struct {
	kind        rules.QuestionType // empty if the options and the answer decide
	isTruth     bool               // the statement is true or false
	unsupported bool               // Assay does not have the type
}

// typeNames are the names of types in tables and in pasted text. "Multiple choice" often means one correct option, so
// the number of correct options decides.
var typeNames = []struct {
	names *regexp.Regexp
	means typeName
}{
	{regexp.MustCompile(`^(true (or )?false|true false|tf|t f|yes no|ja nein|(wahr|richtig) (oder )?falsch)$`),
		typeName{isTruth: true}},
	{regexp.MustCompile(`^(single( choice| answer| select)?|sc|radio|einfach(auswahl)?)$`), typeName{kind: rules.SingleChoice}},
	{regexp.MustCompile(`^(multiple choice|mcq?|choice|quiz)$`), typeName{}},
	{regexp.MustCompile(`^(multi( select)?|multiple( responses?| answers?| select)?|mr|checkbox(es)?|mehrfach(auswahl)?)$`),
		typeName{kind: rules.MultipleChoice}},
	{regexp.MustCompile(`^(numeric(al)?|number|num|zahl|numerisch)$`), typeName{kind: rules.Numeric}},
	{regexp.MustCompile(`^(short ?text|short ?answer|text|sa|typing|type answer|fib|fill in( the)? blanks?|kurz(er )?text|kurzantwort)$`),
		typeName{kind: rules.ShortText}},
	{regexp.MustCompile(`^(free ?text|free response|essay|long (text|answer)|open( ended)?( question)?|` +
		`freitext|aufsatz|langtext|offene frage)$`), typeName{kind: rules.FreeText}},
	{regexp.MustCompile(`^(match(ing)?|order(ing)?|reorder|sort(ing)?|hot ?spot|drag( and)? drop|cloze|poll|puzzle|draw|` +
		`zuordnung|reihenfolge|lückentext|umfrage)$`), typeName{unsupported: true}},
}

var typeBreak = regexp.MustCompile(`[_\s/-]+`)

// typeNamed returns what the name of a type means, or false if it is not known.
func typeNamed(name string) (typeName, bool) {
	name = typeBreak.ReplaceAllString(strings.TrimSuffix(rules.NormalText(name, false), "."), " ")
	for _, row := range typeNames {
		if row.names.MatchString(name) {
			return row.means, true
		}
	}
	return typeName{}, false
}
