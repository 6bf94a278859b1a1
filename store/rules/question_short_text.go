package rules

import (
	"slices"
	"unicode/utf8"
)

const maxTextAnswer = 2000 // characters, as in openapi.yaml

type shortText struct{}

func (shortText) hasOptions() bool           { return false }
func (shortText) fields() (string, []string) { return "text", []string{"acceptedAnswers"} }
func (shortText) needsGrader() bool          { return false }

func (shortText) checkKey(f *fieldFaults, at string, q Question) {
	if len(q.AcceptedAnswers) == 0 {
		f.add(at+"/acceptedAnswers", "too_few_items", "must contain at least one answer")
	}
	for i, accepted := range q.AcceptedAnswers {
		if Blank(accepted) {
			f.add(itemPointer(at+"/acceptedAnswers", i), "required", "must not be blank")
		}
	}
}

func (shortText) checkAnswer(_ Question, a Answer) *Fault {
	if utf8.RuneCountInString(*a.Text) > maxTextAnswer {
		return answerFault("/text", "invalid_value", "must have at most 2000 characters")
	}
	return nil
}

func (shortText) grade(q Question, a Answer) (float64, bool) {
	return allPoints(q, a.Text != nil && acceptsText(q, *a.Text))
}

// acceptsText compares the forms of the answer and the key. A blank answer is never accepted.
func acceptsText(q Question, text string) bool {
	given := textForm(q, text)
	return given != "" && slices.ContainsFunc(q.AcceptedAnswers, func(accepted string) bool {
		return textForm(q, accepted) == given
	})
}

func (shortText) form(q Question, a Answer) string { return textForm(q, *a.Text) }

func (shortText) prefersOther(Question, QuestionTally, keys) bool { return false }

// TextMatching is how a text answer is compared with the accepted answers.
type TextMatching string

// The ways to compare, as in openapi.yaml.
const (
	MatchNormalized    TextMatching = "NORMALIZED"
	MatchCaseSensitive TextMatching = "CASE_SENSITIVE"
	MatchExact         TextMatching = "EXACT"
)

// TextMatching returns how a SHORT_TEXT question compares texts.
func (q Question) TextMatching() TextMatching {
	switch {
	case q.ExactMatch != nil && *q.ExactMatch:
		return MatchExact
	case q.CaseSensitive:
		return MatchCaseSensitive
	}
	return MatchNormalized
}

// textForm is the form in which the answers to the question are compared.
func textForm(q Question, text string) string {
	if q.TextMatching() == MatchExact {
		return ExactText(text)
	}
	return NormalText(text, q.CaseSensitive)
}
