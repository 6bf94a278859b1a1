package exchange

import (
	"regexp"
	"strings"

	"assay/store/rules"
)

func (r *textReader) close() {
	q := r.q
	r.q = nil
	if q == nil {
		return
	}
	q.explanation = string(q.explained)
	q.dropBullets()
	q.dropLetters()
	ends := readEnds(promptOf(q.lines))
	q.prompt = ends.prompt
	if ends.points != "" && q.points.text == "" {
		q.points = textAt{ends.points, q.place.Line}
	}
	if ends.isFreeText {
		q.kind = rules.FreeText
	}
	q.prompt, q.explanation = q.withScripts(q.prompt), q.withScripts(q.explanation)
	for i := range q.options {
		q.options[i].text = q.withScripts(q.options[i].text)
		q.options[i].unmarked = q.withScripts(q.options[i].unmarked)
	}
	r.parsed.add(q.rawQuestion)
}

// dropBullets makes bullets of the marks, if each option has the same.
func (q *textQuestion) dropBullets() {
	for i, option := range q.options {
		if !option.marked || option.mark != q.options[0].mark || len(q.options) < 2 || i > 0 && option.mark == "" {
			return
		}
	}
	for i := range q.options {
		option := &q.options[i]
		if q.styles[i] == starStyle {
			option.text = option.unmarked
		}
		option.marked = false
	}
}

var letterAfterBullet = regexp.MustCompile(`^([A-Ta-t])[:.)]\s+(\S.*)$`)

// dropLetters removes the letters behind bullets ("- A: One", "- B: Two"), if each option has its own. Shuffled options
// would show them in another order.
func (q *textQuestion) dropLetters() {
	if len(q.options) < 2 {
		return
	}
	for i, option := range q.options {
		found := letterAfterBullet.FindStringSubmatch(option.text)
		if found == nil || option.name != "" || int(found[1][0]|0x20)-'a' != i {
			return
		}
	}
	for i := range q.options {
		option := &q.options[i]
		option.text = letterAfterBullet.FindStringSubmatch(option.text)[2]
		if unmarked := letterAfterBullet.FindStringSubmatch(option.unmarked); unmarked != nil {
			option.unmarked = unmarked[2]
		}
	}
}

// promptOf joins the lines of a prompt. The first line is without indentation; the indentation of others can be code.
func promptOf(lines []textLine) string {
	var out strings.Builder
	for i, line := range lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		if i == 0 && !line.isCode {
			out.WriteString(line.text)
		} else {
			out.WriteString(line.raw)
		}
	}
	return out.String()
}

var scriptTags = regexp.MustCompile("(?i)`[^`\n]*`|" +
	"<(sup|sub)>([^<>\n]{1,60})</(?:sup|sub)>|<code>([^<>`\n]{1,300})</code>")

// withScripts writes <sup>, <sub>, and <code> as Markdown that shows the same. Without that, 2<sup>10</sup> would show
// its tags.
func (q *textQuestion) withScripts(text string) string {
	if !strings.Contains(text, "</") || strings.Contains(text, "```") || strings.Contains(text, "~~~") {
		return text
	}
	return scriptTags.ReplaceAllStringFunc(text, func(found string) string {
		parts := scriptTags.FindStringSubmatch(found)
		switch {
		case parts[3] != "":
			return "`" + parts[3] + "`"
		case parts[1] == "":
			return found
		}
		script, changed := scriptText(strings.ToLower(parts[1]), parts[2])
		if changed {
			q.note(MarkupChanged, q.place.Line, found)
		}
		return script
	})
}
