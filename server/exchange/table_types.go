package exchange

import (
	"strings"

	"assay/store/rules"
)

// tableType is what a word in a column of types means.
type tableType struct {
	kind                                 rules.QuestionType // empty if the options and the answer decide
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

// readType reads a word for a type. It returns false for a word that is not known.
func readType(cell string) (tableType, bool) {
	if len(cell) > maxTypeWord {
		return tableType{}, false
	}
	word, details, _ := strings.Cut(cell, ",")
	named, isKnown := typeNamed(word)
	kind := tableType{kind: named.kind, isUnsupported: named.unsupported}
	if named.isTruth {
		kind.kind = rules.SingleChoice
	}
	details = ", " + strings.ToLower(strings.TrimSpace(details))
	kind.allOrNothing, kind.caseSensitive = details == wordAllOrNothing, details == wordCase
	kind.isExact = details == wordExact
	return kind, isKnown
}

const maxTypeWord = 60
