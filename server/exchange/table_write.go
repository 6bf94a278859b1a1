package exchange

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// tableCell is a cell to write.
type tableCell struct {
	text     string
	isNumber bool
}

func textCell(text string) tableCell { return tableCell{text: text} }

// numberCell writes 1.234 as 1.2340, because people also read 1.234 as a thousand.
func numberCell(number float64) tableCell {
	text := formatNumber(number)
	if groupedForm.MatchString(strings.TrimPrefix(text, "-")) {
		text += "0"
	}
	return tableCell{text, true}
}

// tableOf returns the rows of an assessment, with headings that the reader knows. The accepted answers of a short text
// are in the columns for options, so that each text is a cell of its own.
func tableOf(a Assessment, keyHeading string) [][]tableCell {
	most := 4
	for _, stage := range a.Stages {
		for _, question := range stage.Questions {
			most = max(most, len(question.Options), len(question.AcceptedAnswers))
		}
	}
	headings := []string{"Stage", "Type", "Question", "Points"}
	for i := range most {
		headings = append(headings, "Option "+optionName(i))
	}
	headings = append(headings, keyHeading, "Tolerance", "Max words", "Rubric", "Explanation")
	rows := [][]tableCell{{}}
	for _, name := range headings {
		rows[0] = append(rows[0], textCell(name))
	}
	for _, stage := range a.Stages {
		for _, question := range stage.Questions {
			rows = append(rows, questionRow(stage, question, most))
		}
	}
	return rows
}

// optionName is a letter, or a number after the letters: accepted answers can be more than 20.
func optionName(i int) string {
	if i < maxOptions {
		return string(rune('A' + i))
	}
	return strconv.Itoa(i + 1)
}

func questionRow(stage rules.Stage, q rules.Question, most int) []tableCell {
	row := []tableCell{textCell(stage.Title), textCell(typeWord(q)), textCell(q.Prompt), numberCell(q.Points)}
	options := make([]tableCell, most)
	for i, option := range q.Options {
		options[i] = textCell(option.Text)
	}
	for i, answer := range q.AcceptedAnswers {
		options[i] = textCell(answer)
	}
	row = append(row, options...)
	var tolerance, words tableCell
	key := textCell(strings.Join(keyLetters(q), ", "))
	if q.Answer != nil {
		key = numberCell(*q.Answer)
	}
	if q.Tolerance != 0 {
		tolerance = numberCell(q.Tolerance)
	}
	if q.MaxWords != nil {
		words = numberCell(float64(*q.MaxWords))
	}
	return append(row, key, tolerance, words, textCell(writeRubric(q.Rubric)), textCell(value(q.Explanation)))
}

func keyLetters(q rules.Question) (letters []string) {
	for i, option := range q.Options {
		if q.CorrectOptionID != nil && *q.CorrectOptionID == option.ID || slices.Contains(q.CorrectOptionIDs, option.ID) {
			letters = append(letters, optionName(i))
		}
	}
	return letters
}

func typeWord(q rules.Question) string {
	words := map[rules.QuestionType]string{
		rules.SingleChoice: wordSingle, rules.MultipleChoice: wordMultiple, rules.Numeric: wordNumber,
		rules.ShortText: wordShort, rules.FreeText: wordFree,
	}
	word := words[q.Type]
	switch {
	case q.Type == rules.MultipleChoice && !q.PartialCredit:
		return word + wordAllOrNothing
	case q.TextMatching() == rules.MatchExact:
		return word + wordExact
	case q.CaseSensitive:
		return word + wordCase
	}
	return word
}
