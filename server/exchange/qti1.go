package exchange

import (
	"math"
	"slices"
	"strings"

	"assay/store/rules"
)

// interop reads a file of QTI 1.2. A section with a title is a stage. The last item of a file that ends in the middle
// is left out.
func (r *qti) interop(root *node, isCut bool) {
	var last *node
	if isCut {
		if items := root.findAll("item"); len(items) > 0 {
			last = items[len(items)-1]
		}
	}
	for _, part := range root.all("assessment", "objectbank", "section", "item") {
		if r.parsed.isFull {
			return
		}
		title := part.attr("title")
		switch part.name {
		case "objectbank":
			title = firstOf(metadata(part, "bank_title"), title)
		case "assessment":
			for _, name := range []string{"qmd_timelimit", "cc_maxattempts"} {
				if value := metadata(part, name); value != "" && value != "0" {
					r.note(SettingDropped, part.line, name+" "+value)
				}
			}
		}
		r.stage = ""
		if part.name == "assessment" && !r.titled {
			r.parsed.title, r.titled = firstOf(title, r.parsed.title), true
		} else if part.name != "item" {
			r.stage = title
		}
		r.items1(part, last)
	}
}

// items1 reads the items of a part and of the sections within it.
func (r *qti) items1(part, last *node) {
	if part.name == "item" {
		if part != last {
			r.item1(part)
		}
		return
	}
	outer := r.stage
	if title := strings.TrimSpace(part.attr("title")); part.name == "section" && title != "" &&
		part.attr("ident") != "root_section" {
		r.stage = title
	}
	if number := part.child("selection_ordering").find("selection_number").words(); number != "" {
		r.note(SettingDropped, part.line, firstOf(part.attr("title"), part.attr("ident"))+": selection_number "+number)
	}
	for _, child := range part.all("section", "item", "itemref") {
		if child.name == "itemref" {
			r.note(NotUnderstood, child.line, "itemref "+child.attr("linkrefid"))
			continue
		}
		r.items1(child, last)
	}
	r.stage = outer
}

// metadata returns a field of the metadata of an item or of an assessment: an element of its name, or a field with its
// label.
func metadata(n *node, name string) string {
	for _, part := range n.all("itemmetadata", "qtimetadata", "assessmentmetadata") {
		if found := part.find(name); found != nil {
			return found.words()
		}
		for _, field := range part.findAll("qtimetadatafield") {
			if strings.EqualFold(field.child("fieldlabel").words(), name) {
				return field.child("fieldentry").words()
			}
		}
	}
	return ""
}

// item1Kinds has the types of questions by the names that Canvas, Blackboard, Brightspace, and Common Cartridge give
// them, without spaces. An empty kind is decided by the responses.
var item1Kinds = map[string]rules.QuestionType{
	"multiple_choice_question": rules.SingleChoice, "true_false_question": rules.SingleChoice,
	"multiple_answers_question": rules.MultipleChoice, "short_answer_question": rules.ShortText,
	"numerical_question": rules.Numeric, "essay_question": rules.FreeText,

	"multiplechoice": rules.SingleChoice, "true/false": rules.SingleChoice, "either/or": rules.SingleChoice,
	"multipleanswer": rules.MultipleChoice, "fillintheblank": rules.ShortText, "numeric": rules.Numeric,
	"essay": rules.FreeText, "shortresponse": rules.FreeText,

	"multi-select": rules.MultipleChoice, "shortanswer": rules.ShortText, "longanswer": rules.FreeText,
	"fillintheblanks": rules.ShortText, "multiselect": rules.MultipleChoice,

	"cc.multiple_choice.v0p1": rules.SingleChoice, "cc.true_false.v0p1": rules.SingleChoice,
	"cc.multiple_response.v0p1": rules.MultipleChoice, "cc.fib.v0p1": rules.ShortText,
	"cc.pattern_match.v0p1": rules.ShortText, "cc.essay.v0p1": rules.FreeText,
}

// unsupported1 has the types that look like a supported one by their responses.
var unsupported1 = []string{"text_only_question", "file_upload_question", "calculated_question", "matching_question",
	"fill_in_multiple_blanks_question", "multiple_dropdowns_question", "error", "calculated", "matching", "ordering",
	"fillintheblankplus", "jumbledsentence", "hotspot", "fileupload", "opinionscale/likert", "quizbowl", "likert"}

// item1 is an item of QTI 1.2 that is being read.
type item1 struct {
	*qti
	node *node
	q    *rawQuestion
	kind string // the name of its type in the source; can be empty

	takesAway bool // a wrong option takes points away
}

func (r *qti) item1(n *node) {
	id := firstOf(n.attr("ident"), n.attr("title"))
	if r.name != "" {
		id = r.name + "#" + id
	}
	q := rawQuestion{stage: r.stage, place: Place{Line: n.line, LastLine: lastLine(n), ID: id}}
	i := &item1{qti: r, node: n, q: &q}
	for _, name := range []string{"question_type", "bbmd_questiontype", "qmd_questiontype", "cc_profile"} {
		if i.kind == "" {
			i.kind = metadata(n, name)
		}
	}
	i.read()
	if q.excerpt = ""; q.prompt == "" {
		q.excerpt = n.attr("title")
	}
	r.parsed.add(q)
}

func (i *item1) read() {
	presentation := i.node.child("presentation")
	responses := presentation.findAll("response_lid", "response_str", "response_num", "response_xy", "response_grp",
		"response_extension")
	name := strings.ToLower(strings.ReplaceAll(i.kind, " ", ""))
	i.q.prompt = i.material(presentation)
	i.points()
	kind := item1Kinds[name]
	switch {
	case slices.Contains(unsupported1, name):
		i.q.refuse(TypeUnsupported, i.node.line, i.kind)
	case len(responses) > 1 && !slices.ContainsFunc(responses, func(n *node) bool { return n.name == "response_lid" }):
		i.q.refuse(SeveralGaps, responses[1].line, i.q.prompt)
	case len(responses) > 1:
		i.q.refuse(TypeUnsupported, responses[1].line, firstOf(i.kind, "several responses"))
	case kind == rules.FreeText:
		i.q.kind = kind
	case len(responses) == 0:
		i.q.refuse(TypeUnsupported, i.node.line, firstOf(i.kind, "no response"))
	case responses[0].name == "response_lid" && responses[0].child("render_choice") != nil:
		i.choice(responses[0], kind)
	case responses[0].name == "response_str" || responses[0].name == "response_num":
		i.entry(responses[0], kind)
	default:
		i.q.refuse(TypeUnsupported, responses[0].line, firstOf(i.kind, responses[0].name))
	}
	if !i.q.refused {
		i.feedback()
	}
}

// entry reads a gap. A text without an accepted answer is graded by a person.
func (i *item1) entry(response *node, kind rules.QuestionType) {
	isNumber := response.name == "response_num" ||
		strings.EqualFold(response.child("render_fib").attr("fibtype"), "decimal") ||
		strings.EqualFold(response.child("render_fib").attr("fibtype"), "integer")
	switch conditions := i.conditions(); {
	case kind == rules.Numeric || kind == "" && isNumber:
		i.number(conditions)
	case kind == "" && len(conditions) == 0:
		i.q.kind = rules.FreeText
	default:
		i.texts(conditions)
	}
}

// points reads the points that Canvas, Blackboard, Brightspace, or Common Cartridge give the item. The score of Canvas
// and Brightspace is in percent, and no number of points.
func (i *item1) points() {
	for _, name := range []string{"points_possible", "qmd_absolutescore_max", "qmd_weighting", "cc_weighting"} {
		if value, ok := xmlNumber(metadata(i.node, name)); ok && (value > 0 || name == "points_possible") {
			value = math.Round(value*1e6) / 1e6
			i.q.worth = &value
			return
		}
	}
	for _, variable := range i.node.findAll("decvar") {
		if value, ok := xmlNumber(variable.attr("maxvalue")); ok && value > 0 && value != 100 {
			i.q.worth = &value
			return
		}
	}
}

// feedback makes general feedback, or the solution of an essay, the explanation.
func (i *item1) feedback() {
	for _, n := range i.node.all("itemfeedback") {
		about := strings.ToLower(n.attr("ident"))
		switch text := i.material(n); {
		case text == "":
		case about == "general_fb" || about == "general" || about == "solution" || n.child("solution") != nil:
			i.q.explanation = joinNonEmpty([]string{i.q.explanation, text}, "\n\n")
		default:
			i.q.note(FeedbackDropped, n.line, text)
		}
	}
	for _, name := range []string{"itemcontrol", "itemrubric", "objectives"} {
		if n := i.node.child(name); n != nil {
			i.q.note(SettingDropped, n.line, name+" "+n.words())
		}
	}
}

// material returns the texts and pictures of an element as Markdown, without those of the responses in it.
func (i *item1) material(n *node) string {
	var parts []string
	n.walk(func(c *node) bool {
		switch c.name {
		case "response_lid", "response_str", "response_num", "response_xy", "response_grp", "response_extension":
			if c.name != "response_lid" { // a gap is a part of a text
				parts = append(parts, i.around(c)...)
			} else {
				for _, material := range c.all("material") {
					parts = append(parts, i.material(&node{children: []*node{material}}))
				}
			}
			return false
		case "mattext", "matemtext", "mat_formattedtext":
			parts = append(parts, i.text(c))
			return false
		case "matimage":
			parts = append(parts, i.image(c))
			return false
		case "mataudio", "matvideo", "matapplet", "matapplication":
			if name := firstOf(c.attr("uri"), c.attr("label")); name != "" {
				i.q.note(MarkupChanged, c.line, c.name+" "+name)
			}
			return false
		case "setvar", "displayfeedback", "qtimetadata":
			return false
		}
		return true
	})
	return joinNonEmpty(parts, "\n\n")
}

// around returns the material beside a gap that is within its response.
func (i *item1) around(response *node) []string {
	var parts []string
	for _, material := range response.all("material") {
		parts = append(parts, i.material(&node{children: []*node{material}}))
	}
	for _, material := range response.child("render_fib").all("material") {
		parts = append(parts, i.material(&node{children: []*node{material}}))
	}
	return parts
}

// text returns a text in the format that the source declares. A text in XHTML has elements.
func (i *item1) text(n *node) string {
	kind := strings.ToLower(firstOf(n.attr("texttype"), n.attr("type")))
	isHTML := strings.Contains(kind, "html") || kind == "smart_text" && strings.Contains(n.content(), "<")
	var text string
	var notes []Note
	switch {
	case len(n.all()) > 0:
		text, notes = markdownOfNode(n, i.picture)
	case isHTML:
		text, notes = markdownOf(n.content(), n.line, i.picture)
	default:
		text = escapeMarkdown(cleanText(n.content()))
	}
	i.q.addNotes(notes...)
	return text
}

func (i *item1) image(n *node) string {
	ref := ""
	if content, err := decodeBase64(n.content()); err == nil && strings.EqualFold(n.attr("embedded"), "base64") {
		ref = i.pictures.add(n.attr("label"), content)
	} else if n.attr("uri") != "" {
		ref = i.picture(n.attr("uri"))
	}
	if ref == "" {
		i.q.note(PictureDropped, n.line, firstOf(n.attr("uri"), n.attr("label"), "matimage"))
		return ""
	}
	return "![" + escapedLinkText(n.attr("label")) + "](media:" + ref + ")"
}
