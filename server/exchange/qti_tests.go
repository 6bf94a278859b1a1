package exchange

import (
	"math"
	"net/url"
	"strings"
)

func unescapedPath(address string) string {
	if plain, err := url.PathUnescape(address); err == nil {
		return plain
	}
	return address
}

// test reads a test of QTI 2 or 3. Each section that is not within another one is a stage.
func (r *qti) test(n *node) {
	if title := n.attr("title"); title != "" {
		r.parsed.title = title
	}
	if limit := n.child("timelimits").attr("maxtime"); limit != "" {
		r.note(SettingDropped, n.line, "timeLimits maxTime="+limit)
	}
	for _, part := range n.all("testpart") {
		r.rules(part)
		minutes := minutesOf(part)
		sections := part.all("assessmentsection", "assessmentsectionref")
		if minutes != nil && len(sections) > 1 {
			r.note(SettingDropped, part.line, "timeLimits maxTime="+part.child("timelimits").attr("maxtime"))
			minutes = nil
		}
		for _, section := range sections {
			r.stageOf(section, minutes)
		}
	}
	r.stage = ""
}

// stageOf reads a section as a stage.
func (r *qti) stageOf(section *node, minutes *int) {
	section = r.resolved(section)
	r.stage = firstOf(section.attr("title"), section.attr("identifier"))
	stage := rawStage{title: r.stage, minutes: minutes}
	if own := minutesOf(section); own != nil {
		stage.minutes = own
	}
	var q rawQuestion
	var texts []string
	for _, block := range section.all("rubricblock") {
		if view := block.attr("view"); view == "" || strings.Contains(view, "candidate") {
			texts = append(texts, r.markdown(&q, block))
		}
	}
	r.parsed.addNotes(q.notes...)
	if text := joinNonEmpty(texts, "\n\n"); text != "" {
		stage.description = &text
	}
	r.parsed.stages = append(r.parsed.stages, stage)
	r.section(section)
}

// maxMinutes is the longest time limit of a stage.
const maxMinutes = 1440

// minutesOf returns the time limit of a part, in whole minutes, or nil.
func minutesOf(n *node) *int {
	seconds, ok := xmlNumber(n.child("timelimits").attr("maxtime"))
	if !ok || seconds <= 0 || seconds > 60*maxMinutes {
		return nil
	}
	return new(int(math.Ceil(seconds / 60)))
}

// rules reports what a part of a test decides while a candidate takes it.
func (r *qti) rules(n *node) {
	for _, rule := range n.all("selection", "precondition", "branchrule", "templatedefault", "adaptiveselection") {
		text := rule.name
		if count := rule.attr("select"); count != "" {
			text += " " + count
		}
		r.note(SettingDropped, rule.line, text)
	}
}

// resolved returns a section that is in a file of its own.
func (r *qti) resolved(n *node) *node {
	if n.name != "assessmentsectionref" {
		return n
	}
	if name := r.archive.find(r.name, unescapedPath(n.attr("href"))); name != "" && !r.readItems[name] {
		r.readItems[name] = true
		if content, err := r.archive.file(name); err == nil {
			if file := r.readXML(content); file.root != nil && file.fault == nil {
				return file.root
			}
		}
	}
	r.note(NotUnderstood, n.line, n.attr("href"))
	return &node{name: "assessmentsection", line: n.line}
}

// section reads the items of a section and of the sections within it.
func (r *qti) section(n *node) {
	r.rules(n)
	for _, part := range n.all("assessmentsection", "assessmentsectionref", "assessmentitemref", "assessmentitem") {
		if r.parsed.isFull {
			return
		}
		switch part.name {
		case "assessmentitemref":
			r.itemRef(part)
		case "assessmentitem":
			r.item(part)
		default:
			r.section(r.resolved(part))
		}
	}
}

func (r *qti) itemRef(n *node) {
	name := r.archive.find(r.name, unescapedPath(n.attr("href")))
	if name == "" {
		r.note(NotUnderstood, n.line, n.attr("href"))
		return
	}
	r.weight = 0
	if weight := n.child("weight"); weight != nil {
		value, ok := xmlNumber(weight.attr("value"))
		if !ok || len(n.all("weight")) > 1 {
			r.note(ScoringChanged, weight.line, "weight "+weight.attr("value"))
		} else {
			r.weight = value
		}
	}
	for _, rule := range n.all("precondition", "branchrule") {
		r.note(SettingDropped, rule.line, rule.name)
	}
	if r.readItems[name] {
		r.note(SettingDropped, n.line, n.attr("href")+": again")
	}
	r.itemFile(name)
	r.weight = 0
}
