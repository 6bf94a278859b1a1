package exchange

import (
	"regexp"
	"strings"

	"assay/store/rules"
)

// tableType is what a word in a column of types means.
type tableType struct {
	kind rules.QuestionType
	// isCertain is false for words such as "multiple choice", which often means one correct option. Then the number of
	// correct options decides.
	isCertain                            bool
	allOrNothing, caseSensitive, isExact bool
	isUnsupported                        bool
}

func (t tableType) isOpen() bool {
	return t.kind == rules.Numeric || t.kind == rules.ShortText || t.kind == rules.FreeText
}

// The words of the writer, which say everything that a type can say.
const (
	wordSingle       = "Single choice"
	wordMultiple     = "Multiple response"
	wordNumber       = "Number"
	wordShort        = "Short text"
	wordFree         = "Free text"
	wordAllOrNothing = ", all or nothing"
	wordCase         = ", case-sensitive"
	wordExact        = ", exact"
)

var tableTypes = []struct {
	pattern *regexp.Regexp
	kind    tableType
}{
	{regexp.MustCompile(`^(single( ?choice| select| answer)?|one answer|sc|radio( buttons?)?|mcq|quiz|true[ /]?(or )?false|` +
		`t ?/? ?f|einfach(auswahl|wahl)?|(wahr|richtig) ?(/|oder)? ?falsch)$`), tableType{kind: rules.SingleChoice}},
	{regexp.MustCompile(`^(multiple choice|mc)$`), tableType{kind: rules.MultipleChoice}},
	{regexp.MustCompile(`^(multi( ?select)?|multiple( responses?| answers?| select| correct)?|mr|ma|check ?box(es)?|` +
		`mehrfach(auswahl|antworten?|wahl)?)$`), tableType{kind: rules.MultipleChoice, isCertain: true}},
	{regexp.MustCompile(`^(numeric(al)?( answer| entry)?|number|num|zahl|numerisch)$`),
		tableType{kind: rules.Numeric, isCertain: true}},
	{regexp.MustCompile(`^(short ?(text|answer)|text|sa|type ?answer|typing|typed|fill ?in( ?the)? ?blanks?|fib|` +
		`kurz(text|antwort|er text)|lückentext|identification)$`), tableType{kind: rules.ShortText, isCertain: true}},
	{regexp.MustCompile(`^(free ?(text|response)|essay|long ?(text|answer)|open( ?ended)?( question)?|paragraph|` +
		`freitext|aufsatz|langtext|offene frage)$`), tableType{kind: rules.FreeText, isCertain: true}},
	{regexp.MustCompile(`^(match(ing)?|order(ing)?|re ?order|sequence|sorting|categori[sz]e|drag( and)?( ?drop)?|hot ?spot|` +
		`draw|labell?ing|drop ?down|cloze|math response|slider|puzzle|jumble|zuordnung|sortierung|reihenfolge)$`),
		tableType{isUnsupported: true}},
}

const maxTypeWord = 60

// readType reads a word for a type. It returns false for a word that is not known.
func readType(cell string) (tableType, bool) {
	if len(cell) > maxTypeWord {
		return tableType{}, false
	}
	word, details, _ := strings.Cut(strings.ToLower(cell), ",")
	word = strings.Join(strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" _-\t\n", r) }), " ")
	for _, row := range tableTypes {
		if row.pattern.MatchString(word) {
			kind := row.kind
			kind.allOrNothing = ", "+strings.TrimSpace(details) == wordAllOrNothing
			kind.caseSensitive = ", "+strings.TrimSpace(details) == wordCase
			kind.isExact = ", "+strings.TrimSpace(details) == wordExact
			return kind, true
		}
	}
	return tableType{}, false
}
