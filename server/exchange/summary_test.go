package exchange

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store/rules"
)

// summary returns a draft and its report in a form that a row of a test can contain.
func summary(imported Imported) string {
	var out []string
	for _, item := range imported.Report.Questions {
		line := "refused"
		if item.Stage >= 0 {
			line = questionSummary(imported.Draft.Stages[item.Stage].Questions[item.Question])
		}
		out = append(out, line+notesSummary(item.Notes))
	}
	if notes := notesSummary(imported.Report.Notes); notes != "" {
		out = append(out, "source"+notes)
	}
	return strings.Join(out, "\n")
}

func notesSummary(notes []Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, string(n.Code)+" "+n.Text)
	}
	if len(out) == 0 {
		return ""
	}
	return " {" + strings.Join(out, "; ") + "}"
}

func questionSummary(q rules.Question) string {
	out := fmt.Sprintf("%s %q", q.Type, q.Prompt)
	if q.Points != 1 {
		out += fmt.Sprintf(" %gp", q.Points)
	}
	for _, option := range q.Options {
		mark := ""
		if q.CorrectOptionID != nil && *q.CorrectOptionID == option.ID || slices.Contains(q.CorrectOptionIDs, option.ID) {
			mark = "*"
		}
		out += fmt.Sprintf(" %s%q", mark, option.Text)
	}
	if q.PartialCredit {
		out += " partial"
	}
	if q.Answer != nil {
		out += fmt.Sprintf(" =%g", *q.Answer)
	}
	if q.Tolerance != 0 {
		out += fmt.Sprintf("±%g", q.Tolerance)
	}
	if q.AcceptedAnswers != nil {
		out += fmt.Sprintf(" %q", q.AcceptedAnswers)
	}
	if q.CaseSensitive {
		out += " case"
	}
	if q.ExactMatch != nil && *q.ExactMatch {
		out += " exact"
	}
	if q.MaxWords != nil {
		out += fmt.Sprintf(" %d words", *q.MaxWords)
	}
	for _, c := range q.Rubric {
		out += fmt.Sprintf(" [%s %q %gp", c.ID, c.Title, c.Points)
		if c.Description != nil {
			out += fmt.Sprintf(" %q", *c.Description)
		}
		out += "]"
	}
	if q.Explanation != nil {
		out += fmt.Sprintf(" (%q)", *q.Explanation)
	}
	return out
}

// reads checks what a source becomes.
func reads(t *testing.T, format Format, name, content, want string) {
	t.Helper()
	source := Source{Content: []byte(content), Options: Options{Format: format}}
	imported, err := Read(source)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := summary(imported); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
	checkPositions(t, imported)
}

// checkPositions checks that the report has each question of the draft once.
func checkPositions(t *testing.T, imported Imported) {
	t.Helper()
	count := 0
	for _, item := range imported.Report.Questions {
		if item.Stage >= 0 {
			count++
		}
	}
	inDraft := 0
	for _, stage := range imported.Draft.Stages {
		inDraft += len(stage.Questions)
	}
	if count != inDraft {
		t.Errorf("the report has %d questions, the draft %d", count, inDraft)
	}
}
