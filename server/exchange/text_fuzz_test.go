package exchange

import (
	"testing"
	"unicode/utf8"
)

// checkRead checks what holds for every source that is read: the draft is within the limits, each question of the
// report
// has its place or a note that says why it has none, and each line with a question is in the source.
func checkRead(t *testing.T, format Format, text string) {
	t.Helper()
	imported, err := Read(Source{Content: []byte(text), Options: Options{Format: format}})
	if err != nil {
		return
	}
	count := 0
	for _, item := range imported.Report.Questions {
		if item.Stage < 0 {
			if len(item.Notes) == 0 {
				t.Errorf("the question at line %d is not imported, and no note says why", item.Place.Line)
			}
			continue
		}
		count++
		q := imported.Draft.Stages[item.Stage].Questions[item.Question]
		if q.Prompt == "" || utf8.RuneCountInString(q.Prompt) > maxPrompt || !utf8.ValidString(q.Prompt) {
			t.Errorf("a prompt is empty, too long, or no text: %q", q.Prompt)
		}
		if len(q.Options) > maxOptions || len(q.AcceptedAnswers) > maxAccepted || q.Points < 0 || q.Points > maxPoints {
			t.Errorf("a question exceeds a limit: %+v", q)
		}
		if item.Place.Line < 1 || item.Place.LastLine < item.Place.Line {
			t.Errorf("a question stands at %+v", item.Place)
		}
	}
	for _, stage := range imported.Draft.Stages {
		count -= len(stage.Questions)
	}
	if count != 0 {
		t.Errorf("the report and the draft differ by %d questions", count)
	}
}

func FuzzText(f *testing.F) {
	for _, row := range append(textCases, moreTextCases...) {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, Text, text) })
}

func FuzzGIFT(f *testing.F) {
	for _, row := range referenceRows {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, GIFT, text) })
}

func FuzzAiken(f *testing.F) {
	f.Add("Which?\nA. One\nB) Two\nANSWER: B\n")
	f.Add("A. One\nANSWER: B\nx\n\ny\nA. z\nw")
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, Aiken, text) })
}
