package exchange

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"assay/store/rules"
)

// The limits of openapi.yaml for questions that people grade. A test compares them.
const (
	maxWordsLimit = 10_000
	maxCriterion  = 2000
)

// graderInfo returns what a source shows only to graders as a rubric. A text that is longer than the description of a
// criterion becomes a note.
func graderInfo(q *rawQuestion, info string, line int) []rules.Criterion {
	points := 1.0
	if q.worth != nil {
		points = *q.worth
	}
	if points == 0 || utf8.RuneCountInString(info) > maxCriterion {
		q.note(FeedbackDropped, line, info)
		return nil
	}
	return []rules.Criterion{{ID: "grading", Title: "Grading", Points: points, Description: &info}}
}

var rootElement = regexp.MustCompile(`<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)`)

// rootName returns the canonical name of the root element of an XML file, or "" if the content is no XML.
func rootName(content []byte) string {
	content, _ = decodeUnicode(content[:min(len(content), 1<<16)])
	content = bytes.TrimLeft(content, " \t\r\n")
	for bytes.HasPrefix(content, []byte("<?")) || bytes.HasPrefix(content, []byte("<!")) {
		end := []byte(">")
		if bytes.HasPrefix(content, []byte("<!--")) {
			end = []byte("-->")
		} else if bytes.HasPrefix(content, []byte("<!DOCTYPE")) && bytes.Contains(content[:min(len(content), 400)], []byte("[")) {
			end = []byte("]>")
		}
		at := bytes.Index(content, end)
		if at < 0 {
			return ""
		}
		content = bytes.TrimLeft(content[at+len(end):], " \t\r\n")
	}
	if !bytes.HasPrefix(content, []byte("<")) {
		return ""
	}
	found := rootElement.FindSubmatch(content[:min(len(content), 200)])
	if found == nil {
		return ""
	}
	return canonical(string(found[1]))
}
