package exchange

import (
	"html"
	"strconv"
	"strings"

	"assay/store/rules"
)

// writeGIFT writes the questions. GIFT has no points, rubrics, time limits, pass marks, and pictures.
func writeGIFT(a Assessment) (File, error) {
	var w giftWriter
	for _, stage := range a.Stages {
		w.stage(stage)
	}
	return File{Content: []byte(w.String()), Extension: ".gift", MediaType: "text/plain; charset=utf-8"}, nil
}

type giftWriter struct{ strings.Builder }

func (w *giftWriter) stage(stage rules.Stage) {
	title := strings.ReplaceAll(oneLine(stage.Title), "/", "//")
	if strings.HasPrefix(title, "/") {
		title = " " + title // three slashes would end a part
	}
	w.WriteString("$CATEGORY: $course$/top/" + title + "\n\n")
	for _, question := range stage.Questions {
		w.WriteString("[markdown]" + giftEscaped(cleanText(question.Prompt)) + " {")
		w.answers(question)
		if question.Explanation != nil && strings.TrimSpace(*question.Explanation) != "" {
			w.WriteString("\n####" + giftOption(*question.Explanation))
		}
		w.WriteString("}\n\n")
	}
}

var giftEscaper = strings.NewReplacer(`\`, `\\`, "~", `\~`, "=", `\=`, "#", `\#`, "{", `\{`, "}", `\}`, ":", `\:`,
	"\n", `\n`)

// giftEscaped returns a text in one line with backslashes before the marks of GIFT.
func giftEscaped(text string) string { return giftEscaper.Replace(oneLineBreak.Replace(text)) }

func (w *giftWriter) answers(q rules.Question) {
	switch q.Type {
	case rules.SingleChoice:
		w.singleChoice(q)
	case rules.MultipleChoice:
		w.multipleChoice(q)
	case rules.Numeric:
		w.WriteByte('#')
		if q.Answer != nil {
			w.WriteString(formatNumber(*q.Answer) + ":" + formatNumber(q.Tolerance))
		}
	case rules.ShortText:
		if len(q.AcceptedAnswers) == 0 {
			w.WriteByte('=')
		}
		for _, answer := range q.AcceptedAnswers {
			w.WriteString("\n=" + giftAccepted(answer))
		}
	case rules.FreeText: // an essay has no answer
	}
}

func (w *giftWriter) singleChoice(q rules.Question) {
	isCorrect := func(i int) bool { return q.CorrectOptionID != nil && q.Options[i].ID == *q.CorrectOptionID }
	if len(q.Options) == 2 && q.Options[0].Text == "True" && q.Options[1].Text == "False" &&
		(isCorrect(0) || isCorrect(1)) {
		w.WriteString(map[bool]string{true: "TRUE", false: "FALSE"}[isCorrect(0)])
		return
	}
	for i, option := range q.Options {
		mark := "~"
		switch {
		case isCorrect(i) && len(q.Options) == 1:
			mark = "~%100%" // one answer with "=" is a text
		case isCorrect(i):
			mark = "="
		}
		w.WriteString("\n" + mark + giftOption(option.Text))
	}
}

func (w *giftWriter) multipleChoice(q rules.Question) {
	share := strconv.FormatFloat(100/float64(max(1, len(q.CorrectOptionIDs))), 'f', -1, 64)
	if whole, fraction, _ := strings.Cut(share, "."); len(fraction) > 5 {
		share = whole + "." + fraction[:5] // as Moodle writes it
	}
	correct := map[string]bool{}
	for _, id := range q.CorrectOptionIDs {
		correct[id] = true
	}
	for _, option := range q.Options {
		mark := "~"
		switch {
		case correct[option.ID]:
			mark = "~%" + share + "%"
		case q.PartialCredit && len(correct) > 0:
			mark = "~%-" + share + "%"
		}
		w.WriteString("\n" + mark + giftOption(option.Text))
	}
}

// giftOption returns the text of an option. A marker keeps a text that looks like a marker or a weight.
func giftOption(text string) string {
	text = cleanText(text)
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "%") || strings.HasPrefix(text, " ") {
		return "[markdown]" + giftEscaped(text)
	}
	return giftEscaped(text)
}

// giftAccepted returns an accepted answer, in which a star is no wildcard.
func giftAccepted(text string) string {
	text = strings.ReplaceAll(cleanText(text), "*", `\*`)
	switch {
	case strings.Contains(text, "->"): // would be a pair of a matching question
		return "[html]" + giftEscaped(html.EscapeString(text))
	case strings.HasPrefix(text, "["):
		return "[plain]" + giftEscaped(text)
	case strings.HasPrefix(text, "%"):
		return "%100%" + giftEscaped(text)
	}
	return giftEscaped(text)
}
