package exchange

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/store/rules"
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
		} else if bytes.HasPrefix(content, []byte("<!DOCTYPE")) &&
			bytes.Contains(content[:min(len(content), 400)], []byte("[")) {
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

// dropped reports what a question of Moodle has and Assay does not.
func (m *moodle) dropped(q *rawQuestion, n *node) {
	for _, answer := range n.all("answer", "hint") {
		feedback := answer.child("feedback")
		if answer.name == "hint" {
			feedback = answer
		}
		if text := feedback.child("text").content(); strings.TrimSpace(text) != "" {
			plain, _ := plainOf(text, 0)
			q.note(FeedbackDropped, feedback.line, plain)
		}
	}
	for _, name := range []string{"correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"} {
		if plain, _ := plainOf(n.child(name).child("text").content(), 0); plain != "" {
			q.note(FeedbackDropped, n.child(name).line, plain)
			break // the others are its variants
		}
	}
	var tags []string
	for _, tag := range n.child("tags").all("tag") {
		tags = append(tags, tag.words())
	}
	if len(tags) > 0 {
		q.note(SettingDropped, n.child("tags").line, "tags: "+strings.Join(tags, ", "))
	}
	if n.child("hidden").words() == "1" {
		q.note(SettingDropped, n.child("hidden").line, "hidden")
	}
	// Each question has the penalty for a further attempt, by default a third. One note for the file says so.
	if penalty, ok := xmlNumber(n.child("penalty").words()); ok && penalty > 0 && !m.hasPenalty {
		m.hasPenalty = true
		m.parsed.note(PenaltyDropped, n.child("penalty").line, "<penalty>")
	}
}
