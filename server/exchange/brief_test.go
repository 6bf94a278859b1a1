package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// textCase is a source, with what is read of it in a short form.
type textCase struct {
	name      string
	text      string
	language  string
	questions []string // as brief writes them, with a line "# title" before each stage if there are several
	notes     []string // "line code: text"; notes that only inform are left out
}

func check(t *testing.T, format Format, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			imported := read(t, format, c)
			if got := briefDraft(imported.Draft); !slices.Equal(got, c.questions) {
				t.Errorf("questions:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.questions, "\n"))
			}
			if got := briefNotes(imported.Report); !slices.Equal(got, c.notes) {
				t.Errorf("notes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.notes, "\n"))
			}
		})
	}
}

func read(t *testing.T, format Format, c textCase) Imported {
	t.Helper()
	imported, err := Read(Source{Content: []byte(c.text), Options: Options{Format: format, Language: c.language}})
	if err != nil && !errors.Is(err, ErrEmpty) {
		t.Fatal(err)
	}
	return imported
}

func briefDraft(draft Draft) []string {
	var lines []string
	for _, stage := range draft.Stages {
		if len(draft.Stages) > 1 {
			lines = append(lines, "# "+stage.Title)
		}
		for _, q := range stage.Questions {
			lines = append(lines, brief(q))
		}
	}
	return lines
}

// brief is a short form of a question: prompt, options with a star at the correct ones, or the answer.
func brief(q rules.Question) string {
	var key string
	switch q.Type {
	case rules.SingleChoice, rules.MultipleChoice:
		var options []string
		for _, option := range q.Options {
			isCorrect := q.CorrectOptionID != nil && *q.CorrectOptionID == option.ID ||
				slices.Contains(q.CorrectOptionIDs, option.ID)
			options = append(options, map[bool]string{true: "*"}[isCorrect]+option.Text)
		}
		key = strings.Join(options, " | ")
	case rules.Numeric:
		key = "null"
		if q.Answer != nil {
			key = formatNumber(*q.Answer)
		}
		key += " ± " + formatNumber(q.Tolerance)
	case rules.ShortText:
		key = `"` + strings.Join(q.AcceptedAnswers, `" or "`) + `"`
	case rules.FreeText:
		key = "graded"
	}
	points, explanation := "", ""
	if q.Points != 1 {
		points = fmt.Sprintf(" (%s)", formatNumber(q.Points))
	}
	if q.Explanation != nil {
		explanation = " because " + *q.Explanation
	}
	return fmt.Sprintf("%s: %s%s = %s%s", q.Type[:1], q.Prompt, points, key, explanation)
}

func briefNotes(report Report) []string {
	notes := slices.Clone(report.Notes)
	for _, item := range report.Questions {
		notes = append(notes, item.Notes...)
	}
	slices.SortStableFunc(notes, func(a, b Note) int { return a.Line - b.Line })
	var lines []string
	for _, note := range notes {
		if note.Code.Severity() != Info {
			lines = append(lines, fmt.Sprintf("%d %s: %s", note.Line, note.Code, note.Text))
		}
	}
	return lines
}
