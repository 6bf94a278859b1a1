package exchange

import (
	"path"
	"slices"
	"strings"

	"assay/store/rules"
)

// item reads an item of QTI 2 or 3.
func (r *qti) item(n *node) {
	q := rawQuestion{stage: r.stage, place: Place{Line: n.line, LastLine: lastLine(n), ID: firstOf(r.name,
		n.attr("identifier"))}}
	body := n.child("itembody")
	r.prepare(&q, body)
	q.excerpt = firstOf(body.words(), n.attr("title"))
	i := &qtiItem{qti: r, node: n, body: body, q: &q}
	i.read()
	r.parsed.add(q)
}

// qtiItem is an item that is being read.
type qtiItem struct {
	*qti
	node, body *node
	q          *rawQuestion
	scoring    scoring
}

// interactionKind reads an interaction. A type that is not here is reported by its name.
func (i *qtiItem) kind(name string) func(interaction *node) {
	switch name {
	case "choiceinteraction":
		return i.choice
	case "inlinechoiceinteraction":
		return i.inlineChoice
	case "textentryinteraction":
		return i.textEntry
	case "extendedtextinteraction":
		return i.extendedText
	}
	return nil
}

func (i *qtiItem) read() {
	interactions := i.interactions()
	var names []string
	gaps := 0
	for _, interaction := range interactions {
		if !slices.Contains(names, interaction.name) {
			names = append(names, interaction.name)
		}
		if interaction.name == "textentryinteraction" || interaction.name == "inlinechoiceinteraction" {
			gaps++
		}
	}
	switch {
	case i.node.child("templatedeclaration") != nil || i.body.find("printedvariable") != nil:
		i.q.refuse(TypeUnsupported, i.node.line, "templateDeclaration")
	case len(interactions) == 0:
		i.q.refuse(TypeUnsupported, i.node.line, "no interaction")
	case gaps > 1 && gaps == len(interactions):
		i.q.refuse(SeveralGaps, interactions[1].line, i.q.excerpt)
	case len(interactions) > 1:
		i.q.refuse(TypeUnsupported, interactions[1].line, strings.Join(names, ", "))
	case i.kind(names[0]) == nil:
		i.q.refuse(TypeUnsupported, interactions[0].line, names[0])
	default:
		i.scoring = i.processing()
		i.points(interactions[0])
		i.stimulus()
		i.kind(names[0])(interactions[0])
		i.q.prompt = joinNonEmpty([]string{i.q.prompt, i.markdown(i.q, i.body)}, "\n\n")
		i.feedback()
		i.settings()
	}
}

// interactions returns the interactions of the item. A button for a hint and a video are not questions.
func (i *qtiItem) interactions() []*node {
	var found []*node
	i.body.walk(func(n *node) bool {
		if !strings.HasSuffix(n.name, "interaction") {
			return true
		}
		switch n.name {
		case "endattemptinteraction":
			i.q.note(SettingDropped, n.line, "endAttemptInteraction "+n.attr("title"))
			*n = node{}
		case "mediainteraction":
			i.q.note(MarkupChanged, n.line, "mediaInteraction "+n.words())
			*n = node{}
		default:
			found = append(found, n)
		}
		return false
	})
	return found
}

// prepare removes from a body what is not part of the question: feedback in the text, and texts that only graders see.
// A picture in <object> becomes <img>.
func (r *qti) prepare(q *rawQuestion, body *node) {
	body.walk(func(n *node) bool {
		switch n.name {
		case "feedbackblock", "feedbackinline":
			if text := n.words(); text != "" {
				q.note(FeedbackDropped, n.line, text)
			}
			*n = node{}
			return false
		case "rubricblock":
			view := n.attr("view")
			if view != "" && !strings.Contains(view, "candidate") {
				q.rubric = r.rubric(q, n)
				*n = node{}
				return false
			}
		case "object":
			if strings.HasPrefix(n.attr("type"), "image/") {
				*n = node{name: "img", line: n.line, attrs: []attr{{"src", n.attr("data")}, {"alt", n.words()}}}
			}
		}
		return true
	})
}

func (r *qti) rubric(q *rawQuestion, n *node) []rules.Criterion {
	text := r.markdown(q, n)
	return []rules.Criterion{{ID: "grading", Title: "Grading", Description: &text}}
}

// markdown returns an element of the item as Markdown.
func (r *qti) markdown(q *rawQuestion, n *node) string {
	if n == nil {
		return ""
	}
	text, notes := markdownOfNode(n, r.picture)
	q.addNotes(notes...)
	return text
}

func (r *qti) picture(src string) string {
	if content, isData := dataURL(src); isData {
		return r.pictures.add("", content)
	}
	address, _, _ := strings.Cut(src, "?")
	address = strings.TrimPrefix(unescapedPath(address), "$IMS-CC-FILEBASE$/")
	address = strings.TrimPrefix(address, "$IMS_CC_FILEBASE$/")
	name := r.archive.find(r.name, address)
	if name == "" {
		return ""
	}
	content, err := r.archive.file(name)
	if err != nil {
		r.unreadable(name, err)
		return ""
	}
	return r.pictures.add(path.Base(name), content)
}

// stimulus puts a text that several items share before the prompt.
func (i *qtiItem) stimulus() {
	for _, ref := range i.node.all("assessmentstimulusref") {
		name := i.archive.find(i.name, unescapedPath(ref.attr("href")))
		var body *node
		if name != "" {
			if content, err := i.archive.file(name); err == nil {
				body = i.readXML(content).root.child("stimulusbody")
			}
		}
		if body == nil {
			i.q.note(NotUnderstood, ref.line, ref.attr("href"))
			continue
		}
		outer := i.name
		i.name = name
		i.q.prompt = joinNonEmpty([]string{i.q.prompt, i.markdown(i.q, body)}, "\n\n")
		i.name = outer
	}
}

// feedback makes the only general feedback the explanation. Feedback to certain answers is reported.
func (i *qtiItem) feedback() {
	all := i.node.all("modalfeedback")
	for _, n := range all {
		about := strings.ToLower(n.attr("identifier"))
		isOption := slices.ContainsFunc(i.q.options, func(o rawOption) bool { return strings.EqualFold(o.name, about) })
		if len(all) == 1 && !isOption && !strings.Contains(about, "correct") && n.attr("showhide") != "hide" {
			i.q.explanation = i.markdown(i.q, n)
			continue
		}
		if text := n.words(); text != "" {
			i.q.note(FeedbackDropped, n.line, text)
		}
	}
}

// settings reports what an item decides while a candidate takes it.
func (i *qtiItem) settings() {
	if i.node.attr("adaptive") == "true" {
		i.q.note(SettingDropped, i.node.line, "adaptive")
	}
	if len(i.q.rubric) > 0 {
		info := *i.q.rubric[0].Description
		i.q.rubric = nil
		if i.q.kind == rules.FreeText {
			i.q.rubric = graderInfo(i.q, info, i.node.line)
		} else {
			i.q.note(FeedbackDropped, i.node.line, info)
		}
	}
}
