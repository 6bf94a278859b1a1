package exchange

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"assay/store/rules"
)

// writeMoodle writes an assessment as a file that Moodle imports. Each stage is a category.
func writeMoodle(a Assessment) (File, error) {
	w := &moodleWriter{html: newHTMLWriter(a, func(name string) string { return "@@PLUGINFILE@@/" + name })}
	w.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	w.line("<quiz>")
	title := strings.ReplaceAll(firstOf(oneLine(a.Title), "Assay"), "/", "//")
	for _, stage := range a.Stages {
		w.line(`<question type="category">`)
		path := "$course$/top/" + title + "/" + strings.ReplaceAll(stage.Title, "/", "//")
		w.line("<category><text>" + escapedXML(path) + "</text></category>")
		if stage.Description != nil {
			w.text("info", "", *stage.Description, "</info>")
		}
		w.line("</question>")
		for _, q := range stage.Questions {
			w.question(q)
		}
	}
	w.line("</quiz>")
	return File{Content: []byte(w.out.String()), Extension: ".xml", MediaType: "application/xml"}, nil
}

type moodleWriter struct {
	out  strings.Builder
	html *htmlWriter
}

func (w *moodleWriter) line(text string) { w.out.WriteString(text + "\n") }

// text writes an element with a text in HTML, with the files of its pictures, and with what follows them.
func (w *moodleWriter) text(name, attributes, markdown, rest string) {
	xhtml, used := w.html.write(markdown)
	w.line("<" + name + attributes + ` format="html"><text>` + escapedXML(xhtml) + "</text>")
	slices.Sort(used)
	for _, file := range slices.Compact(used) {
		i := slices.IndexFunc(w.html.pictures, func(p Picture) bool { return p.Name == file })
		w.line(`<file name="` + file + `" path="/" encoding="base64">` +
			base64.StdEncoding.EncodeToString(w.html.pictures[i].Content) + "</file>")
	}
	w.line(rest)
}

func (w *moodleWriter) question(q rules.Question) {
	kind := map[rules.QuestionType]string{
		rules.SingleChoice: "multichoice", rules.MultipleChoice: "multichoice", rules.Numeric: "numerical",
		rules.ShortText: "shortanswer", rules.FreeText: "essay",
	}[q.Type]
	w.line(`<question type="` + kind + `">`)
	name, _ := plainOf(q.Prompt, 0)
	w.line("<name><text>" + escapedXML(excerptOf(name)) + "</text></name>")
	w.text("questiontext", "", q.Prompt, "</questiontext>")
	if q.Explanation != nil {
		w.text("generalfeedback", "", *q.Explanation, "</generalfeedback>")
	}
	w.line("<defaultgrade>" + formatNumber(q.Points) + "</defaultgrade><penalty>0</penalty><hidden>0</hidden>")
	switch q.Type {
	case rules.SingleChoice, rules.MultipleChoice:
		w.options(q)
	case rules.Numeric:
		if q.Answer != nil {
			w.line(`<answer fraction="100" format="moodle_auto_format"><text>` + formatNumber(*q.Answer) +
				"</text><tolerance>" + formatNumber(q.Tolerance) + "</tolerance></answer>")
		}
	case rules.ShortText:
		w.line("<usecase>" + map[bool]string{false: "0", true: "1"}[q.CaseSensitive] + "</usecase>")
		for _, text := range q.AcceptedAnswers {
			w.line(`<answer fraction="100" format="moodle_auto_format"><text>` +
				escapedXML(strings.ReplaceAll(text, "*", `\*`)) + "</text></answer>")
		}
	case rules.FreeText:
		w.essay(q)
	}
	w.line("</question>")
}

// options writes the options. In Moodle, several options always give a part of the points each; a wrong option takes
// away as much as a right one gives, as in Assay, or everything if the question gives all points or none.
func (w *moodleWriter) options(q rules.Question) {
	correct := correctOf(q)
	isSingle := q.Type == rules.SingleChoice
	w.line("<single>" + fmt.Sprint(isSingle) + "</single><shuffleanswers>true</shuffleanswers>" +
		"<answernumbering>abc</answernumbering>")
	share := 100.0
	if !isSingle && len(correct) > 0 {
		share = 100 / float64(len(correct))
	}
	for _, option := range q.Options {
		fraction := "0"
		switch {
		case slices.Contains(correct, option.ID):
			fraction = fractionText(share)
		case !isSingle && q.PartialCredit:
			fraction = "-" + fractionText(share)
		case !isSingle:
			fraction = "-100"
		}
		w.text("answer", ` fraction="`+fraction+`"`, option.Text, "</answer>")
	}
}

// fractionText returns a share as Moodle writes it, because Moodle imports only the shares that it knows.
func fractionText(share float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.5f", share), "0"), ".")
}

// correctOf returns the ids of the correct options.
func correctOf(q rules.Question) []string {
	if q.Type == rules.SingleChoice && q.CorrectOptionID != nil {
		return []string{*q.CorrectOptionID}
	}
	return q.CorrectOptionIDs
}

func (w *moodleWriter) essay(q rules.Question) {
	w.line("<responseformat>plain</responseformat><responserequired>1</responserequired><attachments>0</attachments>")
	if q.MaxWords != nil {
		w.line("<maxwordlimit>" + fmt.Sprint(*q.MaxWords) + "</maxwordlimit>")
	}
	if text := rubricText(q.Rubric); text != "" {
		w.text("graderinfo", "", text, "</graderinfo>")
	}
}

// rubricText returns a rubric as Markdown, for formats that have one text for graders. A rubric that was imported from
// such a text becomes the text again.
func rubricText(rubric []rules.Criterion) string {
	if len(rubric) == 1 && rubric[0].ID == "grading" && rubric[0].Title == "Grading" && rubric[0].Description != nil {
		return *rubric[0].Description
	}
	var items []string
	for _, criterion := range rubric {
		item := "- **" + escapeMarkdown(criterion.Title) + "** (" + formatNumber(criterion.Points) + ")"
		if criterion.Description != nil {
			item += "\n\n  " + indented(escapeMarkdown(*criterion.Description), "\n  ")
		}
		items = append(items, item)
	}
	return strings.Join(items, "\n")
}
